"""restore: a backup in the place of the store. Looks first, says what it will do, and proves what it did."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast import config, lock, spool
from holdfast.doors.cli import control, show
from holdfast.doors.cli.client import inside_an_agent, lock_holder
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import consent, json_option, yes_option
from holdfast.doors.cli.table import Rooms
from holdfast.errors import DaemonAway, HoldfastError, Refused, UsageError
from holdfast.paths import Home

if TYPE_CHECKING:
    from holdfast.store.record import StoreRecord
    from holdfast.store.restoring import Backup, Restored

_REFILL_SECONDS = 60.0
_LISTED = 5


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--empty", is_flag=True, help="Begin anew with an empty store, without a backup.")
@yes_option
@json_option
@click.pass_obj
def restore(call: Call, file: Path | None, empty: bool, yes: bool, as_json: bool) -> int:
    """Bring back a backup, after checking it.

    Reads all of the backup, shows what it holds and asks. The present store is set aside, never removed. A daemon that
    runs is stopped and started again; it takes in what waits in the spool, and reads back from Claude Code's
    transcripts what happened since the backup was made.

    \b
    Examples:
      holdfast restore ~/.local/share/holdfast/backups/daily-20260102T030405Z.db
      holdfast restore --empty
    """
    from holdfast.program import CATALOG
    from holdfast.store import sqlite_url
    from holdfast.store.record import StoreRecord
    from holdfast.store.restoring import begin_anew, inspect, kind_of
    from holdfast.store.restoring import restore as put_back

    if inside_an_agent():
        raise Refused(
            "Only a person may restore: run `holdfast restore` in a terminal of your own. The store was not changed."
        )
    home = call.home
    if (file is None) == (not empty):
        raise UsageError(_which(home, both=empty))
    url = config.load(home.config, rooms=call.sections()).config.store.url or sqlite_url(home.database)
    record = StoreRecord.of(home.store_record, url)
    backup = inspect(file.expanduser().absolute(), kind_of(url), CATALOG) if file else None
    if not as_json:
        for line in _plan(call, url, record, backup):
            show.say(line)
    consent("Bring it back?" if backup else "Begin anew?", yes=yes, as_json=as_json)
    home.prepare()
    ran = lock_holder(home) is not None
    if ran:
        control.stop(home)
    unkept = spool.not_kept(home.spool)
    with _alone(home):
        if backup:
            done = put_back(url, backup, CATALOG, record=record, backups=home.backups, marks=home.forgotten)
        else:
            done = begin_anew(url, CATALOG, record=record, backups=home.backups, marks=home.forgotten)
        spool.forget_unkept(home.spool)
    status = control.start(home) if ran else None
    read_back = _read_back(record) if ran else None
    if as_json:
        show.say_json(_document(backup, done, status, read_back, unkept))
    else:
        for line in _outcome(call, backup, done, status, read_back):
            show.say(line)
    return 0


def _which(home: Home, *, both: bool) -> str:
    from holdfast.store.health import backups_in, day

    if both:
        return "Name a backup, or say --empty; both at once is none of the two."
    found = backups_in(home.backups)[:_LISTED]
    if not found:
        return f"Name the backup to bring back. There is none in {home.backups}; --empty begins anew."
    listed = "".join(f"\n  {path}  ({day(path.stat().st_mtime * 1_000_000)})" for path in found)
    return f"Name the backup to bring back. The newest in this home:{listed}"


def _plan(call: Call, url: str, record: StoreRecord, backup: Backup | None) -> Iterator[str]:
    from holdfast.store.health import day
    from holdfast.store.mask import mask

    if backup is None:
        yield f"There will be an empty store at {mask(url)}."
    else:
        newest = f", up to {day(backup.newest_at)}" if backup.newest_at else ""
        yield f"{backup.path} is whole: {show.size(backup.bytes)}, schema {backup.migrations}{newest}."
        yield f"It holds {_counted(backup.rows, call.rooms)}."
        known = record.read()
        if known and known.id and backup.facts and not known.is_about(backup.facts):
            yield show.paint("It is a backup of another store than this home has had.", "yellow")
    yield f"What is at {mask(url)} now will be set aside, not removed."
    yield "What happened since is read back as far as Claude Code's transcripts and the spool still tell."
    if lock_holder(call.home) is not None:
        yield "The daemon is stopped for it and started again."
    yield ""


def _counted(rows: Mapping[str, int], rooms: Rooms) -> str:
    """The entries of the journal and the items of every room."""
    named = {name: rows.get(name, 0) for name in ("journal", *rooms["items"])}
    called = {"journal": ("journal entry", "journal entries")} | rooms["called"]
    return f"{show.counted(named, called, 'nothing')} ({sum(rows.values())} rows in {len(rows)} tables)"


@contextmanager
def _alone(home: Home) -> Iterator[None]:
    """Hold the daemon's lock: hooks that come meanwhile wait or spool, and start no daemon on half a store."""
    descriptor = lock.take(home.lock)
    if descriptor is None:
        raise DaemonAway("A daemon was started meanwhile; nothing was changed. Try again.")
    try:
        yield
    finally:
        os.close(descriptor)


def _read_back(record: StoreRecord) -> int | None:
    """How many events came back from the transcripts; None when that takes longer than we wait."""
    until = time.monotonic() + _REFILL_SECONDS
    while time.monotonic() < until:
        known = record.read()
        if known and (known.refill is None or known.refill.is_done):
            return known.refill.events if known.refill else 0
        time.sleep(0.1)
    return None


def _outcome(
    call: Call, backup: Backup | None, done: Restored, status: dict[str, Any] | None, read_back: int | None
) -> Iterator[str]:
    if done.aside or done.aside_schema:
        yield f"Set aside: {done.aside or 'schema ' + done.aside_schema}"
    elif backup:
        yield "There was nothing to set aside."
    if backup:
        short = {name for name, count in backup.rows.items() if done.rows.get(name, 0) < count}
        if short:
            raise HoldfastError(f"Not all rows are there after the restore: {', '.join(sorted(short))}.")
        yield f"Proven: every table has the rows of the backup, {_counted(done.rows, call.rooms)}."
    else:
        yield "The store is empty."
    if done.marks:
        yield f"{done.marks} marks of forgotten things, which the backup lacked, were carried over."
    if status is None:
        yield "The daemon did not run and was not started; `holdfast start` does, and reads the transcripts then."
        return
    waiting = len(spool.waiting(call.home.spool))
    yield f"The daemon runs: pid {status['pid']}, {status['url']}."
    if read_back is None:
        yield "The transcripts are still being read; `holdfast status` tells."
    else:
        yield f"{read_back} events since the backup came back from the spool and the transcripts; {waiting} still wait."


def _document(
    backup: Backup | None, done: Restored, status: dict[str, Any] | None, read_back: int | None, unkept: int
) -> dict[str, Any]:
    return {
        "restored": str(backup.path) if backup else None,
        "schema": backup.migrations if backup else None,
        "backup_rows": dict(backup.rows) if backup else {},
        "rows": dict(done.rows),
        "set_aside": str(done.aside) if done.aside else done.aside_schema or None,
        "since": done.since,
        "marks_carried": done.marks,
        "not_kept": unkept,
        "daemon": {"pid": status["pid"], "url": status["url"]} if status else None,
        "read_back": read_back,
    }
