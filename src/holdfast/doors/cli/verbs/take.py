"""import: take in an export, or take over what other tools have kept."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import click

from holdfast.doors.cli import imports, show
from holdfast.doors.cli.imports import PATIENCE
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.doors.cli.progress import Bar
from holdfast.doors.cli.table import Rooms
from holdfast.errors import UsageError
from holdfast.paths import claude_config_dir

_POLL = 0.25
_LINES = 500
_BYTES = 4 * 1024 * 1024
_LEFT_OUT = {
    "here": "here already",
    "forgotten": "forgotten here",
    "alone": "what it belongs to is not here",
}
"""Why records of an export are not taken in."""


class _OrFile(click.Group):
    """A word that is none of the commands is the file to take in."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            return "file", self.commands["file"], args
        return super().resolve_command(ctx, args)


@click.command("file")
@click.argument("file", type=click.File("rb"))
@json_option
@click.pass_obj
def take_file(call: Call, file: IO[bytes], as_json: bool) -> int:
    """Take in FILE, which `holdfast export` has written (- reads standard input). The word `file` may be left out.

    \b
    Example:
      holdfast import file kept.jsonl
    """
    client = call.client(PATIENCE)
    new: Counter[str] = Counter()
    left_out: dict[str, Counter[str]] = {}
    read = done = 0
    total = Path(file.name).stat().st_size if file.name not in ("-", "<stdin>") else 0
    whole = False
    with Bar(as_json) as bar:
        for lines in _parts(file):
            if not read and '"holdfast_export"' not in lines[0]:
                raise UsageError(f"{file.name} is no export of holdfast: its first line does not say so.")
            whole = lines[-1].startswith('{"end"')
            taken = client.post("/api/import", {"lines": lines})
            new.update(taken["new"])
            for why, counts in taken["left_out"].items():
                left_out.setdefault(why, Counter()).update(counts)
            read += len(lines)
            done += sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
            bar.show(done, total, f"{read} records")
    if as_json:
        show.say_json({"records": max(0, read - 2), "new": dict(new), "left_out": left_out, "whole": whole})
    else:
        show.say(f"Took in {show.counted(new, call.rooms['called'], 'nothing new')}.")
        for why in sorted(left_out, key=list(_LEFT_OUT).index):
            show.say(
                show.fill(f"{show.counted(left_out[why], call.rooms['called'], '')} ({_LEFT_OUT[why]}).", "Left out: ")
            )
        if not whole:
            show.tell("The file has no end line: it may have been cut off. What it held was taken in.")
    return 0


def _parts(file: IO[bytes]) -> Iterator[list[str]]:
    lines: list[str] = []
    size = 0
    for raw in file:
        line = raw.decode("utf-8", "replace").strip()
        if not line:
            continue
        lines.append(line)
        size += len(raw)
        if len(lines) >= _LINES or size >= _BYTES:
            yield lines
            lines, size = [], 0
    if lines:
        yield lines


@click.command("claude")
@click.argument(
    "folder", metavar="[DIR]", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False
)
@json_option
@click.pass_obj
def claude(call: Call, folder: Path | None, as_json: bool) -> int:
    """Take over the sessions that Claude Code has recorded: all projects, or those under DIR.

    The daemon reads the transcripts; Ctrl-C pauses it, and calling it again goes on where it was.

    \b
    Examples:
      holdfast import claude
      holdfast import claude ~/.claude/projects/-home-me-website
    """
    client = call.client(PATIENCE)
    root = (folder or claude_config_dir()).expanduser().absolute()
    before = client.get("/api/import/claude")["events"]
    progress = client.post("/api/import/claude", {"path": str(root)})
    try:
        with Bar(as_json) as bar:
            while progress["waiting"]:
                at = f"{progress['files_done']} of {progress['files']} transcripts"
                bar.show(progress["bytes_done"], progress["bytes"], at)
                time.sleep(_POLL)
                progress = client.get("/api/import/claude")
    except KeyboardInterrupt:
        progress = client.delete("/api/import/claude")
        show.tell(f"Paused: {progress['files_done']} of {progress['files']} transcripts. Call it again to go on.")
        return 130
    told = {"transcripts": progress["files"], "events": progress["events"] - before}
    if as_json:
        show.say_json(told)
    else:
        show.say(taken(told["events"], told["transcripts"]))
    return 0


def taken(events: int, transcripts: int) -> str:
    """What was found in the transcripts of Claude Code."""
    read = f"{show.many(transcripts, 'transcript')} {'was' if transcripts == 1 else 'were'} read"
    found = " Search finds all of it in a moment." if events else ""
    return f"Took over {show.many(events, 'event')}: {read}.{found}"


_HELP = """Import an export, or the records of other tools.

Importing the same records twice changes nothing, and what was forgotten stays forgotten.

\b
Examples:
  holdfast import kept.jsonl
  holdfast import claude"""


def take(rooms: Rooms) -> click.Group:
    """The group: an export, the transcripts of Claude Code, and the imports that rooms declare."""
    examples = [f"  holdfast {declared['example']}" for declared in rooms["imports"].values()]
    group = _OrFile("import", help="\n".join([_HELP, *examples]), subcommand_metavar="FILE | COMMAND [ARGS]...")
    group.add_command(take_file)
    group.add_command(claude)
    for name, declared in rooms["imports"].items():
        group.add_command(imports.command(name, declared))
    return group
