"""backup: a consistent copy of the store, made by the daemon while it works."""

from __future__ import annotations

from pathlib import Path

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.ids import now_us
from holdfast.times import file_stamp

_PATIENCE = 3600.0
_SUFFIXES = {"sqlite": ".db", "postgresql": ".jsonl"}


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@json_option
@click.pass_obj
def backup(call: Call, file: Path | None, as_json: bool) -> None:
    """Copy the whole store into one file.

    Without FILE it goes to `backups/` in the home, named by the time. An existing file is never overwritten.

    \b
    Examples:
      holdfast backup
      holdfast backup ~/holdfast-copy.db
    """
    client = call.client(_PATIENCE)
    if file is None:
        kind = str(client.status()["store"]["kind"])
        file = call.home.backups / f"holdfast-{file_stamp(now_us())}{_SUFFIXES.get(kind, '')}"
    made = client.post("/api/backup", {"path": str(file.expanduser().absolute())})
    if as_json:
        show.say_json(made)
    else:
        show.say(f"The store was copied to {made['path']} ({show.size(made['bytes'])}).")
