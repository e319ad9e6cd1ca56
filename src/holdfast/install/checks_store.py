"""The doctor on the store: is it there, whole, and this home's; is there a copy of it."""

from __future__ import annotations

import sqlite3
from urllib.parse import urlsplit

from holdfast import config
from holdfast.errors import HoldfastError, StoreUnfit
from holdfast.install import checks_home
from holdfast.install.examination import CheckResult, DoctorContext
from holdfast.store import sqlite_path, sqlite_url
from holdfast.store.health import backups_in, day, way_out
from holdfast.store.record import Remembered, StoreRecord
from holdfast.store.sqlite.examine import Examiner, check

_OLD_SECONDS = 3 * 86_400.0
_LARGE_BYTES = 64 * 1024 * 1024
"""A store up to this size is read whole by `up` too: that takes a part of a second."""


def _url(context: DoctorContext) -> str:
    try:
        chosen = config.load(context.home.config, None, context.environment, rooms=()).config.store.url
    except HoldfastError:
        chosen = ""
    return chosen or sqlite_url(context.home.database)


def _remembered(context: DoctorContext, url: str) -> tuple[StoreRecord, Remembered | None]:
    record = StoreRecord.of(context.home.store_record, url)
    return record, record.read()


def store(context: DoctorContext) -> CheckResult:
    """Every page is read (the full check), unless somebody waits and the store is large."""
    at_work = checks_home.store(context)
    if at_work.state != "ok":
        return at_work
    url = _url(context)
    record, known = _remembered(context, url)
    fix = "Run `holdfast restore FILE` with a backup, or `holdfast restore --empty`."
    if urlsplit(url).scheme != "sqlite":
        told = context.away_sentence
        if told:
            return CheckResult("store", "fail", told, fix)
        return CheckResult("store", "ok", "The database is managed by its administrator; the daemon can use it.")
    path = sqlite_path(url)
    had = known is not None or record.is_broken or (record.is_missing and bool(backups_in(context.home.backups)))
    try:
        if Examiner(path, context.home.backups, context.migrations, known, had).examine().is_new:
            return CheckResult("store", "ok", "There is no store yet; the daemon makes it at its first start.")
        if not context.is_thorough and path.stat().st_size > _LARGE_BYTES:
            return CheckResult("store", "ok", f"{path} can be read; `holdfast doctor` reads every page of it.")
        found = check(path, full=True)
    except StoreUnfit as error:
        return CheckResult("store", "fail", str(error), fix)
    except (sqlite3.Error, OSError) as error:
        return CheckResult(
            "store", "warn", f"The store could not be examined ({error}).", "Try again when it is not in use."
        )
    if found.damage:
        sentence = f"The store at {path} is damaged ({found.damage[0]}). {way_out(context.home.backups, 'sqlite')}"
        return CheckResult("store", "fail", sentence, fix)
    if found.indexes:
        sentence = f"An index of the store does not fit its table ({found.indexes[0]})."
        return CheckResult(
            "store", "warn", sentence, "The daemon makes it anew within a day, or at `holdfast restart`."
        )
    if known and known.note:
        return CheckResult(
            "store", "warn", known.note, "`doctor --fix` marks it as read.", lambda: record.change(note="")
        )
    return CheckResult("store", "ok", f"Every page of {path} was read, and it is whole.")


def backup(context: DoctorContext) -> CheckResult:
    url = _url(context)
    _, known = _remembered(context, url)
    if urlsplit(url).scheme != "sqlite":
        return CheckResult(
            "backup",
            "ok",
            "Backups of the database are made by its administrator; `holdfast backup` makes one by hand.",
        )
    copies = [path for path in backups_in(context.home.backups) if path.suffix == ".db"]
    newest = max((path.stat().st_mtime for path in copies), default=0.0)
    age = context.now() - newest
    is_young = known is None or context.now() - known.born_at / 1_000_000 < _OLD_SECONDS
    if age < _OLD_SECONDS or (is_young and not copies):
        told = f"The newest copy is of {day(newest * 1_000_000)}." if copies else "The first copy is made within a day."
        return CheckResult("backup", "ok", told)
    told = (
        f"The newest copy of the store is of {day(newest * 1_000_000)}." if copies else "There is no copy of the store."
    )
    return CheckResult(
        "backup", "warn", told, "Run `holdfast backup`; `store.backups` and free disk space decide on daily ones."
    )
