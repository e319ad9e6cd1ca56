"""journal: what arrived, one line each; as it arrives, with -f."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.completing import event_names
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import DaemonAway, UsageError
from holdfast.ids import now_us
from holdfast.times import moment

_POLL = 0.3
_OVERLAP_MS = 10_000
"""The command client numbers an event before it is delivered, so an entry may come after one with a later id."""
_MOST = 10_000
_SOME = 16
"""Columns that what an event was about should have at least; else session and source are left out."""
_TOLD = ("command", "file_path", "notebook_path", "url", "query", "pattern", "path", "skill", "description", "prompt")
_SAID = (
    *("prompt", "message", "last_assistant_message", "error", "reason", "trigger", "source", "delta"),
    *("task_subject", "compact_summary", "to_model", "file_path", "new_cwd", "directory", "worktree_path", "name"),
)


@click.command()
@click.option("--session", default="", metavar="ID", help="Only this session of Claude Code.")
@click.option("--event", default="", metavar="EVENT", help="Only this event.", shell_complete=event_names)
@click.option("--since", default="", metavar="T", help="Only from this time on: 2026-11-15T09:30, 10m, 2h, 3d.")
@click.option(
    "--limit", type=click.IntRange(1, _MOST), default=50, show_default=True, help="Maximum number of entries."
)
@click.option("-f", "--follow", is_flag=True, help="Also show new events, until Ctrl-C.")
@json_option
@click.pass_obj
def journal(call: Call, session: str, event: str, since: str, limit: int, follow: bool, as_json: bool) -> int:
    """List the events that arrived: each one once, without secrets.

    A line has the time, the event, what it was about, the session, and how it came (http, command, spool,
    transcript, import). With --json it is one JSON object per line, with the whole payload. Exits with 1 when nothing
    was found.

    \b
    Examples:
      holdfast journal --since 10m --event PreToolUse
      holdfast journal -f --json | jq .payload.prompt
    """
    start = moment(since, now_us()) if since else 0
    client = call.client()
    asked = {"session": session, "event": event}
    begun = time.time_ns() // 1_000_000
    seen = _after(client, asked, begun - _OVERLAP_MS) if follow else []
    entries = client.get("/api/journal", since=start, limit=limit, **asked)
    for entry in entries:
        _say(entry, as_json)
    if not entries and event:
        _check_event(event)
    if not entries and not follow:
        show.tell(f"No event was found{_filters(session, event, since)}.")
        return 1
    if follow:
        for entry in followed(client, asked, begun, [*seen, *entries]):
            _say(entry, as_json)
    return 0


def _check_event(event: str) -> None:
    """A name that Claude Code does not have and that never arrived is a mistake."""
    from difflib import get_close_matches

    from holdfast.events.event import EVENTS

    if event in EVENTS:
        return
    by_lower = {name.lower(): name for name in EVENTS}
    near = by_lower.get(event.lower()) or next(iter(get_close_matches(event, EVENTS, n=1)), None)
    hint = f" Did you mean {near}?" if near else f" Claude Code's events are {', '.join(EVENTS)}."
    raise UsageError(f"There is no event {show.plain(event)}, and none of that name has arrived.{hint}")


def _filters(session: str, event: str, since: str) -> str:
    """What was asked for, behind a sentence."""
    asked = (
        (f" named {event}", event),
        (f" of the session {session}", session),
        (f" since {_told_time(since)}", since),
    )
    return "".join(text for text, value in asked if value)


def _told_time(since: str) -> str:
    """An age is a moment, too: `3d` is `3d ago`."""
    return f"{since} ago" if since[-1:].isalpha() and since[:-1].isdigit() else since


def followed(
    client: Client, asked: dict[str, str], since_ms: int, known: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """What arrives from a moment on and is not known yet; a daemon that goes away is waited for."""
    seen: dict[str, None] = dict.fromkeys(str(entry["id"]) for entry in known)
    newest = since_ms
    told = False
    while True:
        try:
            entries = _after(client, asked, newest - _OVERLAP_MS)
            told = False
        except DaemonAway as away:
            entries = []
            if not told:
                show.tell(f"holdfast: {away} Waiting for it.")
                told = True
        for entry in entries:
            identity = str(entry["id"])
            if identity not in seen:
                seen[identity] = None
                newest = max(newest, int(identity[:8] + identity[9:13], 16))
                yield entry
        while len(seen) > 4 * _MOST:
            del seen[next(iter(seen))]
        time.sleep(_POLL)


def _after(client: Client, asked: dict[str, str], at_ms: int) -> list[dict[str, Any]]:
    # The first UUIDv7 of a millisecond: ids sort by their time.
    stamp = f"{at_ms:012x}"
    entries = client.get("/api/journal", after=f"{stamp[:8]}-{stamp[8:]}-7000-8000-000000000000", limit=_MOST, **asked)
    assert isinstance(entries, list)
    return entries


def _say(entry: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show.say_json_line(entry)
    else:
        show.say(line_of(entry, now_us(), show.width()))


def line_of(entry: dict[str, Any], now: int, width: int) -> str:
    """One entry on one line."""
    mark = f" scrubbed:{','.join(entry['scrubbed'])}" if entry["scrubbed"] else ""
    head = f"{show.clock(entry['time'], now)}  {show.plain(entry['event']):<18} "
    tail = f" {show.plain(entry['session_id'])[:8]:<8} {entry['source']:<10}"
    if width - len(head) - len(tail) - len(mark) < _SOME:
        mark, tail = (" scrubbed" if mark else ""), ""
    room = max(0, width - len(head) - len(tail) - len(mark))
    about = show.cut(about_of(entry), room).ljust(room if tail else 0) + mark
    return f"{show.paint(head, 'cyan')}{about}{show.paint(tail.rstrip(), 'dim')}".rstrip()


def about_of(entry: dict[str, Any]) -> str:
    """What an entry was about, in a few words."""
    payload = entry["payload"] if isinstance(entry["payload"], dict) else {}
    tool = entry.get("tool_name")
    if tool:
        given = payload.get("tool_input")
        detail = _first(given, _TOLD) if isinstance(given, dict) else ""
        return show.plain(f"{tool}: {detail}" if detail else str(tool))
    return show.plain(_first(payload, _SAID))


def _first(table: dict[str, Any], names: tuple[str, ...]) -> str:
    texts = (table.get(name) for name in names)
    return next((text[:500] for text in texts if isinstance(text, str) and text.strip()), "")
