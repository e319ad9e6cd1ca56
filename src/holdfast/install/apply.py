"""Carry out an install plan: the record first, then the file.

Nothing is done when the file changed since the plan was made.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from holdfast import __version__
from holdfast.errors import HoldfastError, Refused
from holdfast.install import files, manifest
from holdfast.install.launching import write_program
from holdfast.install.manifest import InstalledFile
from holdfast.install.model import FileChange, FileReceipt, InstallPlan, InstallReceipt
from holdfast.paths import Home

OUTCOMES = {
    "create": "created",
    "edit": "edited",
    "mode": "made owner-only",
    "record": "recorded",
    "none": "unchanged",
    "restore": "restored byte for byte",
    "clean": "our hooks removed",
    "delete": "removed",
    "gone": "was gone already",
}


def apply(plan: InstallPlan) -> InstallReceipt:
    """Do what the plan says and tell what was done."""
    time = now()
    if not plan.nothing_to_do:
        prepare(plan.home)
        with manifest.exclusive(plan.home):
            check_unchanged([plan.change])
            _carry_out(plan, time)
    change = plan.change
    done = receipt_of(change, (*change.added, *change.replaced, *change.removed))
    return InstallReceipt("install", time, __version__, (done,), tuple(notice.sentence for notice in plan.notices))


def _carry_out(plan: InstallPlan, time: str) -> None:
    change, home = plan.change, plan.home
    assert change.after is not None
    previous = manifest.load(home)
    manifest.save(home, previous.with_entry(_entry(plan, time)))
    try:
        write_program(home, plan.program)
        if plan.launcher:
            files.write(home.launcher, plan.launcher.encode("utf-8"), 0o700)
        if change.way in ("create", "edit"):
            files.write(change.path, change.after, change.mode_after)
        elif change.way == "mode" and change.mode_after is not None:
            set_mode(change.path, change.mode_after)
    except BaseException:
        manifest.save(home, previous)
        raise


def _entry(plan: InstallPlan, time: str) -> InstalledFile:
    change = plan.change
    after = files.digest(change.after)
    assert after is not None
    return InstalledFile(
        scope=plan.scope,
        path=str(change.path),
        root=str(plan.root),
        home=str(plan.home.root),
        port=plan.port,
        time=time,
        holdfast=__version__,
        client=plan.client.name,
        original=manifest.encode_original(change.original),
        original_mode=change.original_mode,
        sha256_before=files.digest(change.before),
        sha256_after=after,
        folders=tuple(map(str, change.folders)),
        all_events=plan.all_events,
        events={event: str(hook["type"]) for event, hook in plan.hooks.items()},
    )


def prepare(home: Home) -> None:
    """Make the home's folders, or say in one sentence why not."""
    try:
        home.prepare()
    except OSError as error:
        raise HoldfastError(
            f"holdfast's home {home.root} cannot be written ({error.strerror}). Nothing was changed; "
            "set HOLDFAST_HOME to a folder of yours."
        ) from error


def check_unchanged(changes: Iterable[FileChange]) -> None:
    """Refuse when a file is not what the plan was made from."""
    for change in changes:
        if files.read(change.path).data != change.before:
            raise Refused(
                f"{change.path} was changed by someone else after the plan was made. Nothing was changed; "
                "run the command again to see a new plan."
            )


def set_mode(path: Path, mode: int) -> None:
    try:
        files.target_of(path).chmod(mode)
    except OSError as error:
        raise HoldfastError(f"The permissions of {path} cannot be changed ({error.strerror}).") from error


def receipt_of(change: FileChange, events: tuple[str, ...]) -> FileReceipt:
    mode = None if change.after is None else files.read(change.path).mode
    return FileReceipt(
        change.scope,
        change.path,
        OUTCOMES[change.way],
        files.digest(change.before),
        files.digest(change.after),
        mode,
        events,
    )


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
