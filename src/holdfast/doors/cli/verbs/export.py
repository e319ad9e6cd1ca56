"""export: what is kept, as JSON Lines, into a file or through a pipe."""

from __future__ import annotations

import codecs
import os
import sys
from pathlib import Path

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option, with_options
from holdfast.doors.cli.table import Rooms
from holdfast.errors import HoldfastError
from holdfast.visible import visible_json

_PATIENCE = 600.0


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), required=False)
@click.option("--project", default="", metavar="P", help="Only this project: its name or its folder.")
@json_option
@click.pass_obj
def _export(call: Call, /, file: Path | None, project: str, as_json: bool, **on_request: bool) -> int:
    """Write the stored items as JSON Lines, without secrets and without loss.

    Projects and sessions; EXPORTED; what superseded what, the version of the web page that an item cites, and what was
    shown to whom.

    Left out on purpose: the search index and vectors, which the import makes anew; the journal's raw events (`why`
    then names no event that an item was made from) and the hashes of what was forgotten, which `holdfast backup`
    copies; and what serves this machine alone: jobs, counters, spending, how far transcripts were read.

    Without FILE, or with -, it goes to standard output. `holdfast import FILE` takes it in again, here or elsewhere.

    \b
    Examples:
      holdfast export kept.jsonl
      holdfast export --project website | gzip > website.jsonl.gz
    """
    blocks = call.client(_PATIENCE).stream(
        "/api/export", project=project, **{room: int(wanted) for room, wanted in on_request.items()}
    )
    if file is None or str(file) == "-":
        on_terminal = codecs.getincrementaldecoder("utf-8")("replace") if show.is_terminal() else None
        for block in blocks:
            seen = visible_json(on_terminal.decode(block)).encode() if on_terminal else block
            sys.stdout.buffer.write(seen)
        sys.stdout.buffer.flush()
        return 0
    target = file.expanduser().absolute()
    unfinished = target.with_name(f".{target.name}.{os.urandom(4).hex()}.tmp")
    lines, tail = 0, b""
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            for block in blocks:
                out.write(block)
                lines += block.count(b"\n")
                tail = (tail + block)[-4096:]
        if b'{"end":' not in tail:
            raise HoldfastError("The daemon broke off; the export is not whole and was not kept. Try again.")
        os.replace(unfinished, target)
    except OSError as error:
        raise HoldfastError(f"{target} cannot be written ({error.strerror}); nothing was exported.") from error
    finally:
        unfinished.unlink(missing_ok=True)
    size = target.stat().st_size
    if as_json:
        show.say_json({"path": str(target), "records": lines - 2, "bytes": size})
    else:
        show.tell(f"Wrote {lines - 2} records to {target} ({show.size(size)}).")
    return 0


def export(rooms: Rooms) -> click.Command:
    """The command: one option for each room that is exported on request, and the names of what is always exported."""
    options = [
        click.Option([f"--{room}"], is_flag=True, help=f"Include {what}.") for room, what in rooms["on_request"].items()
    ]
    made = with_options(_export, *options)
    names = [show.several(name, rooms["called"]) for name in rooms["exported"]]
    made.help = str(_export.help).replace("EXPORTED", ", ".join(names))
    return made
