"""What `doctor` and `up` share: the doctor's context, all checks (the house's and the rooms'), and how they read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from holdfast import config, hook
from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client, lock_holder
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import project_root
from holdfast.doors.cli.selftest import without
from holdfast.errors import ConfigError, HoldfastError
from holdfast.install import CheckResult, ClientInfo, DoctorContext, run_checks
from holdfast.paths import Home
from holdfast.settings_file import installed_port
from holdfast.store.catalog import PACKAGE, migrations_of

_PATIENCE = 30.0
_MARKS = {"ok": ("ok", "green"), "warn": ("note", "yellow"), "fail": ("FAIL", "red")}


def context_of(
    call: Call, client: ClientInfo, *, client_was_named: bool = False, is_thorough: bool = True
) -> DoctorContext:
    """Everything that the checks look at, of this user and this project."""
    home, sections = call.home, call.sections()
    try:
        configured = config.load(home.config, rooms=sections).config.daemon.port
    except ConfigError:
        configured = 0  # the check `configuration` tells
    port = configured or int((lock_holder(home) or {}).get("port") or 0) or installed_port(home)

    def probe() -> dict[str, Any] | None:
        try:
            return without(Client(home, patience=5.0).status())
        except HoldfastError:
            return None

    return DoctorContext(
        home=home,
        root=project_root(),
        port=port,
        port_is_kept=bool(configured),
        client=client,
        python=Path(sys.executable),
        hook=Path(hook.__file__).absolute(),
        environment=dict(os.environ),
        probe=probe,
        used=call.rooms["events"],
        sections=sections,
        migrations=migrations_of(PACKAGE / folder for folder in call.rooms["sql"]),
        without=call.rooms["away"],
        client_was_named=client_was_named,
        is_thorough=is_thorough,
    )


def examine(context: DoctorContext) -> list[CheckResult]:
    """Every check: of the house, and of the rooms."""
    return [*run_checks(context), *_of_rooms(context.home)]


def _of_rooms(home: Home) -> list[CheckResult]:
    """What the rooms examine, which the daemon does for them; nothing while it does not run."""
    try:
        found = Client(home, patience=_PATIENCE).get("/api/checks")
    except HoldfastError:
        return []
    return [
        CheckResult(one["name"], "warn" if one["sentence"] else "ok", one["sentence"] or one["fine"]) for one in found
    ]


def lines(checks: Sequence[CheckResult]) -> Iterator[str]:
    """A check per line; what is not well has its fix below it."""
    width = max((len(check.name) for check in checks), default=0)
    for check in checks:
        mark, style = _MARKS[check.state]
        head = f"{show.paint(mark.ljust(4), style)}  {check.name.ljust(width)}  "
        below = " " * (width + 8)
        if show.width() < 3 * len(below):
            head, below = f"{show.paint(mark, style)} {check.name}: ", "     "
        first, *more = check.sentence.split("\n")
        yield show.fill(show.plain(first), head, below)
        yield from (show.fill(show.plain(each), below, below) for each in more)
        if check.state != "ok" and check.fix:
            yield show.fill(f"fix: {show.plain(check.fix)}", below, below)


def failed(checks: Sequence[CheckResult]) -> list[CheckResult]:
    return [check for check in checks if check.state == "fail"]


def summary(checks: Sequence[CheckResult]) -> str:
    """One sentence for all of them."""
    notes = sum(check.state == "warn" for check in checks)
    noted = "" if not notes else ", 1 with a note" if notes == 1 else f", {notes} with a note"
    wrong = len(failed(checks))
    if wrong:
        return f"{wrong} of {len(checks)} checks {'fails' if wrong == 1 else 'fail'}{noted and f' ({noted[2:]})'}."
    return f"All {len(checks)} checks pass{noted}."


def as_json(checks: Sequence[CheckResult]) -> list[dict[str, Any]]:
    return [{"name": one.name, "state": one.state, "sentence": one.sentence, "fix": one.fix} for one in checks]
