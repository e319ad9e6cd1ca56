"""reindex: makes missing items from the journal, and the search index anew."""

from __future__ import annotations

import time

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.doors.cli.progress import Bar
from holdfast.errors import HoldfastError

_POLL = 0.1
_PATIENCE = {"journal": 120.0, "index": 1_800.0}
"""Seconds without a step after which it is not waited for any longer. The index is one step."""


@click.command()
@json_option
@click.pass_obj
def reindex(call: Call, as_json: bool) -> int:
    """Rebuild the search index, and items that the journal holds and the store lacks.

    The daemon does it by itself after an upgrade, and when it finds the index damaged at its start. Searches find less
    while it runs; nothing that is kept is changed or removed. After Ctrl-C the daemon goes on.

    \b
    Example:
      holdfast reindex
    """
    client = call.client()
    progress = client.post("/api/reindex", {})
    with Bar(as_json) as bar:
        before, since = progress, time.monotonic()
        while progress["phase"] in _PATIENCE:
            if progress != before:
                before, since = progress, time.monotonic()
            if time.monotonic() - since > _PATIENCE[progress["phase"]]:
                raise HoldfastError(
                    f"Reindexing stands at {progress['read']} of {progress['entries']} journal entries. Nothing is "
                    "lost; `holdfast logs` may say why. Calling it again goes on there."
                )
            at = f"{progress['read']} of {progress['entries']} journal entries"
            bar.show(progress["read"], progress["entries"], at if progress["phase"] == "journal" else "the index")
            time.sleep(_POLL)
            progress = client.get("/api/reindex")
    if progress["phase"] == "failed":
        raise HoldfastError(
            f"Reindexing ended after {progress['read']} of {progress['entries']} journal entries "
            f"({progress['error']}). Nothing is lost; `holdfast logs` has the details. Calling it again starts anew."
        )
    if as_json:
        show.say_json({name: progress[name] for name in ("items", "entries", "made")})
        return 0
    if progress["made"]:
        show.say(f"Made anew from the journal: {progress['made']} of {progress['entries']} entries.")
    show.say(f"The index was made anew: {progress['items']} items.")
    return 0
