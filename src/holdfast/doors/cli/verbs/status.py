"""status: is the daemon there, what does it hold, and what happened to every event (EVT-12)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from holdfast import __version__
from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client, away_sentence, last_error, lock_holder
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import DaemonAway, StoreWaits
from holdfast.paths import Home

_COUNTS = ("fired", "answered", "injected", "denied", "dropped", "failed")


@click.command()
@json_option
@click.pass_obj
def status(call: Call, as_json: bool) -> int:
    """Show the daemon, its store, and how every event was handled.

    Exits with 3 when the daemon does not run.

    \b
    Examples:
      holdfast status
      holdfast status --json | jq .events.PreToolUse.p99_ms
    """
    try:
        answer = Client(call.home).status()
    except DaemonAway as away:
        answer = absent(call.home, str(away), waiting=isinstance(away, StoreWaits))
        answer["lines"] = list(call.rooms["away"].items())
    if as_json:
        show.say_json(answer)
    else:
        for line in lines(answer) if answer["running"] else absent_lines(answer):
            show.say(line)
    return 0 if answer["running"] else DaemonAway.exit_code


def absent(home: Home, sentence: str | None = None, *, waiting: bool = False) -> dict[str, Any]:
    """The status of a daemon that does not answer: the same names, as far as anything is known."""
    from holdfast import spool
    from holdfast.doors.cli.verbs.pause import recording_state

    facts = lock_holder(home)
    return {
        "running": False,
        "waiting": waiting,
        "version": __version__,
        "pid": facts.get("pid") if facts else None,
        "worker_pid": facts.get("worker_pid") if facts else None,
        "guardian_pid": facts.get("guardian_pid") if facts else None,
        "url": None,
        "socket": str(home.socket),
        "token_file": str(home.token),
        "home": str(home.root),
        "store": None,
        "queue": {"jobs": None, "spool": len(spool.waiting(home.spool)), "not_kept": spool.not_kept(home.spool)},
        "events": {},
        "sessions": None,
        "last_error": last_error(home),
        "sentence": sentence or away_sentence(home),
        "recording": recording_state(home),
        "lines": [],
    }


def absent_lines(answer: dict[str, Any]) -> Iterator[str]:
    state = "waits for its store" if answer["waiting"] else "not running"
    yield show.fill(show.plain(answer["sentence"]), f"{show.paint(state, 'red', 'bold')}  ")
    yield from show.facts((show.plain(name), show.paint(show.plain(text), "yellow")) for name, text in answer["lines"])
    if recording := _recording(answer):
        yield show.fill(recording)
    waiting, not_kept = answer["queue"]["spool"], answer["queue"]["not_kept"]
    if waiting:
        when = "has one" if answer["waiting"] else "runs"
        yield show.fill(f"{show.many(waiting, 'event waits', 'events wait')} in the spool until it {when}.")
    if not_kept:
        lost = show.many(not_kept, "event found", "events found")
        yield show.fill(f"{lost} no room there and were not kept; the transcripts may still mention them.")


def lines(answer: dict[str, Any]) -> Iterator[str]:
    """The page for people."""
    yield from show.facts(_facts(answer))
    for name in answer.get("unknown_settings", ()):
        yield show.paint(f"unknown setting, ignored: {show.plain(str(name))}", "yellow")
    if answer["version"] != __version__:
        yield show.paint(f"installed is {__version__}: `holdfast restart` hands over to it", "yellow")
    elif answer.get("outdated"):
        yield show.paint("the installed code changed since the daemon started: run `holdfast restart`", "yellow")
    yield ""
    events = answer["events"]
    if not events:
        yield "No event has arrived yet. `holdfast doctor` says whether the hooks are in place."
        return
    yield from _event_lines(events)
    if odd := ", ".join(f"{counts['misfit']} of {name}" for name, counts in events.items() if counts.get("misfit")):
        yield show.fill(f"fields of an unexpected type, left out of their events: {odd}")


def _event_lines(events: dict[str, Any]) -> Iterator[str]:
    """A table; on a narrow terminal without the counts that are zero everywhere."""
    counts: tuple[str, ...] = _COUNTS
    headings, rows = _table(events, counts)
    if _columns(headings, rows) > show.width():
        counts = tuple(one for one in _COUNTS if one == "fired" or any(each[one] for each in events.values()))
        headings, rows = _table(events, counts)
    if _columns(headings, rows) <= show.width():
        yield from show.table(headings, rows, right=frozenset(range(1, len(headings))))
        return
    for name, told_of in events.items():
        told = ", ".join(f"{one} {told_of[one]}" for one in _COUNTS if told_of[one])
        yield show.fill(f"{told}, p50 {told_of['p50_ms']:g} ms", f"{name}: ", "  ")


def _table(events: dict[str, Any], counts: tuple[str, ...]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    times = ("p50_ms", "p99_ms")
    rows = [
        (name, *(str(each[one]) for one in counts), *(show.milliseconds(each[one]) for one in times))
        for name, each in events.items()
    ]
    return ("event", *counts, "p50 ms", "p99 ms"), rows


def _columns(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> int:
    widths = [max(len(row[at]) for row in [headings, *rows]) for at in range(len(headings))]
    return sum(widths) + 2 * (len(widths) - 1)


def _facts(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    since = show.span(time.time() - answer["started_at"] / 1_000_000)
    yield "daemon", f"{show.paint('running', 'green', 'bold')} for {since}, version {answer['version']}"
    replaced = answer.get("hung_workers")
    hung = f" ({replaced} before it hung and were replaced: hung.log)" if replaced else ""
    guardian = f", {answer['guardian_pid']} guardian" if answer.get("guardian_pid") else ""
    yield "pids", f"{answer['pid']} supervisor, {answer['worker_pid']} worker{hung}{guardian}"
    yield "url", str(answer["url"])
    yield "home", str(answer["home"])
    store = answer["store"]
    if store.get("trouble"):
        yield (
            "trouble",
            show.paint(
                show.plain(
                    f"{store['trouble']} Events wait in the spool; nothing kept can be given or found meanwhile."
                ),
                "red",
            ),
        )
    rows = ", ".join(f"{count} {name}" for name, count in store["rows"].items() if name in ("journal", "session"))
    yield "store", f"{store['kind']}, {show.size(store['bytes'])}, rows: {rows}; {store['url']}"
    if store.get("note"):
        yield "note", show.paint(show.plain(store["note"]), "yellow")
    growth = store.get("growth")
    if growth and growth["days"]:
        sign = "-" if growth["bytes"] < 0 else "+"
        largest = sorted(store["tables"].items(), key=lambda item: -item[1])[:3]
        named = ", ".join(f"{name} {show.size(size)}" for name, size in largest)
        told = f"; largest: {named}" if named else ""
        yield "growth", f"{sign}{show.size(abs(growth['bytes']))} in {growth['days']} days{told}"
    queue = answer["queue"]
    troubles = [f"{queue[one]} {name}" for one, name in _TROUBLES if queue.get(one)]
    yield "queue", ", ".join([show.many(queue["jobs"], "job"), f"{queue['spool']} spooled", *troubles])
    if recording := _recording(answer):
        yield "capture", recording
    sessions = answer["sessions"]
    yield "sessions", f"{sessions['active']} active, {sessions['total']} in all"
    rooms = [(show.plain(name), show.plain(text)) for name, text in answer.get("lines", ())]
    panes = ((show.plain(pane["title"]), show.plain(line)) for pane in answer.get("pane", ()) for line in pane["lines"])
    yield from dict.fromkeys((*rooms, *panes))  # a room may say the same in its line and in its pane


def _recording(answer: dict[str, Any]) -> str:
    """Where nothing is recorded at present; '' when everything is."""
    told = answer.get("recording") or {}
    elsewhere = len(told.get("pauses", ())) - (not told.get("here", True))
    more = f"{elsewhere} pause{'s' if elsewhere > 1 else ''} in force elsewhere" if elsewhere > 0 else ""
    here = "" if told.get("here", True) else str(told["sentence"])
    return show.paint(show.plain("; ".join(filter(None, (here, more)))), "yellow") if here or more else ""


_TROUBLES = (
    ("not_kept", "found no room in the spool and were not kept"),
    ("failed_jobs", "jobs failed"),
    ("bad_spool", "spooled files could not be read"),
    ("memory", "events in memory because the disk is full"),
    ("lost", "events not kept because disk and memory were full"),
)
