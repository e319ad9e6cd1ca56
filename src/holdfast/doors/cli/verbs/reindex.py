"""reindex: the search index anew, from what is kept."""

from __future__ import annotations

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option

_PATIENCE = 3600.0


@click.command()
@json_option
@click.pass_obj
def reindex(call: Call, as_json: bool) -> int:
    """Make the search index anew from what is kept.

    The daemon does it by itself when it finds the index damaged at its start. Searches find less while it runs;
    nothing that is kept is touched.

    \b
    Example:
      holdfast reindex
    """
    made = Client(call.home, patience=_PATIENCE).post("/api/reindex", {})
    if as_json:
        show.say_json(made)
    else:
        show.say(f"The index was made anew: {made['items']} items.")
    return 0
