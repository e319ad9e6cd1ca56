"""import: take over what other tools have kept."""

from __future__ import annotations

from pathlib import Path

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option


@click.group("import")
def take() -> None:
    """Take over what other tools have kept.

    \b
    Example:
      holdfast import sdd-cache .claude/sdd-cache
    """


@take.command("sdd-cache")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
@click.pass_obj
def sdd_cache(call: Call, folder: Path, as_json: bool) -> int:
    """Take over the web pages that the sdd-cache hooks have kept.

    They belong to the project that DIR lies in. Each is proven fresh by its origin before it is used.

    \b
    Example:
      holdfast import sdd-cache .claude/sdd-cache
    """
    taken = Client(call.home).post("/api/tools/citations_import", {"directory": str(folder.absolute())})
    if as_json:
        show.say_json(taken)
        return 0
    show.say(f"Took over {taken['pages']} pages.")
    for line in taken["left_out"]:
        show.say(f"left out: {show.plain(line)}")
    return 0
