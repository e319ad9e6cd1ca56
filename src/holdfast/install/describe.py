"""Plans and receipts for people and for programs.

The token, and other secrets of the settings file, are never shown.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.install.hooks import NEVER
from holdfast.install.model import FileChange, FileReceipt, InstallPlan, InstallReceipt, Notice, UninstallPlan
from holdfast.install.settings import all_hooks, parse_settings
from holdfast.layout import fill
from holdfast.times import clock_time, microseconds

HIDDEN = "<hidden>"
TOKEN = "<token>"

WAYS = {
    "create": "will be created",
    "edit": "will be edited; nothing of others in it changes",
    "mode": "keeps its bytes",
    "record": "keeps its bytes; the manifest is written anew",
    "none": "is as it should be",
    "restore": "gets back the bytes it had before",
    "clean": "was changed since: only our hooks are taken out",
    "delete": "held only our hooks and will be removed",
    "gone": "is gone already",
}


def describe(plan: InstallPlan | UninstallPlan | InstallReceipt, width: int = 108) -> str:
    """A page to read before saying yes, or after it is done."""
    if isinstance(plan, InstallPlan):
        lines = _install(plan, width)
    elif isinstance(plan, UninstallPlan):
        lines = _uninstall(plan, width)
    else:
        lines = _receipt(plan, width)
    return "\n".join(lines) + "\n"


def _install(plan: InstallPlan, width: int) -> Iterator[str]:
    change = plan.change
    whom = f"for {plan.client.name}" if plan.client.path or plan.client.version else "before Claude Code is installed"
    yield from fill(f"Install holdfast's hooks, {plan.scope.value} scope, {whom}", width, "", "  ")
    yield ""
    yield f"  file     {change.path}"
    yield from _wrapped(" " * 9, WAYS[change.way], width)
    if change.mode_after != change.mode_before and change.mode_after is not None:
        before = "" if change.mode_before is None else f" (was {change.mode_before:04o})"
        yield from _wrapped(" " * 9, f"mode {change.mode_after:04o}{before}: only you may read the token in it", width)
    for kind in ("http", "command"):
        events = plan.events(kind)
        if events:
            yield from _wrapped(f"{kind:<9}", f"{len(events)} events: {' '.join(events)}", width)
    for event, reason in NEVER.items():
        yield from _wrapped("not used ", f"{event}: {reason}", width)
    if plan.launcher:
        yield from _wrapped("launcher ", f"{plan.home.launcher}, which the committed hooks look for", width)
    if change.removed:
        yield from _wrapped("removed  ", " ".join(change.removed), width)
    yield from _notices(plan.notices, width)
    if plan.nothing_to_do:
        yield ""
        yield "Nothing to do: the hooks are installed."
    else:
        yield from _with_gap(diff(change, plan.token))


def _uninstall(plan: UninstallPlan, width: int) -> Iterator[str]:
    if plan.nothing_to_do:
        yield from fill("Nothing to uninstall: no settings file is recorded as changed by holdfast.", width)
    else:
        yield "Remove holdfast's hooks"
        yield ""
    for change in plan.changes:
        yield f"  {change.scope.value:<8} {change.path}"
        yield f"           {WAYS[change.way]}"
    if plan.link:
        yield f"  command  {plan.link}"
        yield "           will be removed from your PATH"
    if plan.server:
        yield f"  tools    will be taken out of {plan.server} (claude mcp remove)"
    if plan.plugin:
        yield f"  plugin   will be taken out of {plan.plugin} (claude plugin uninstall)"
    if plan.service:
        yield f"  service  {plan.service}"
        yield "           will be stopped and removed"
    yield from _notices(plan.notices, width)
    for kept in plan.keeps:
        yield ""
        yield from fill(f"Stays: {kept}.", width)


def _receipt(receipt: InstallReceipt, width: int) -> Iterator[str]:
    yield f"{receipt.action.capitalize()}ed at {_on_the_users_clock(receipt.time)}"
    for file in receipt.files:
        mode = f", mode {file.mode:04o}" if file.mode is not None else ""
        events = f", {len(file.events)} events" if file.events else ""
        yield from fill(f"{file.path}: {file.outcome}{events}{mode}", width, f"  {file.scope.value:<8} ", " " * 11)
    for note in receipt.notes:
        yield from fill(note, width, "  note: ", "        ")
    if receipt.path:
        yield f"  receipt: {receipt.path}"


def _on_the_users_clock(iso: str) -> str:
    at = microseconds(iso)
    return iso if at is None else clock_time(at)


def _notices(notices: tuple[Notice, ...], width: int) -> Iterator[str]:
    for notice in notices:
        yield ""
        yield from fill(notice.sentence, width, "! ", "  ")
        if notice.fix:
            yield from fill(notice.fix, width, "  ", "  ")


def _wrapped(label: str, text: str, width: int) -> list[str]:
    return fill(text, width, f"  {label}", " " * 11)


def _with_gap(lines: list[str]) -> list[str]:
    return ["", *lines] if lines else []


def diff(change: FileChange, token: str | None = None) -> list[str]:
    """The unified diff of one file, with every secret hidden."""
    before, after = (_lines(data) for data in (change.before, change.after))
    name = str(change.path)
    lines = list(difflib.unified_diff(before, after, name, name, n=1, lineterm=""))
    secrets = _secrets(change)
    shown: list[str] = []
    for line in lines:
        text = line.replace(token, TOKEN) if token else line
        for secret in secrets:
            text = text.replace(secret, HIDDEN)
        shown.append(text)
    return shown


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "replace").splitlines()


def _secrets(change: FileChange) -> list[str]:
    """What people keep secret in settings: values of `env`, and headers of hooks."""
    found: set[str] = set()
    for data in (change.before, change.after):
        try:
            root = parse_settings(data.decode("utf-8"), change.path) if data is not None else None
        except (HoldfastError, UnicodeDecodeError):
            continue
        values = root.value() if root else None
        env = values.get("env") if isinstance(values, dict) else None
        tables = [env, *(hook.get("headers") for _, hook in all_hooks(root) if isinstance(hook, dict))]
        for table in tables:
            found |= {str(value) for value in table.values()} if isinstance(table, dict) else set()
    return sorted((one for one in found if len(one) >= 6), key=len, reverse=True)


def as_json(plan: InstallPlan | UninstallPlan | InstallReceipt) -> dict[str, object]:
    """The same as data."""
    if isinstance(plan, InstallPlan):
        return {
            "action": "install",
            "scope": plan.scope.value,
            "client": {
                "path": _text(plan.client.path),
                "version": ".".join(map(str, plan.client.version)) if plan.client.version else None,
            },
            "nothing_to_do": plan.nothing_to_do,
            "files": [_change_json(plan.change, plan.token)],
            "http": list(plan.events("http")),
            "command": list(plan.events("command")),
            "not_registered": dict(NEVER),
            "launcher": _text(plan.home.launcher) if plan.launcher else None,
            "notices": [_notice_json(notice) for notice in plan.notices],
        }
    if isinstance(plan, UninstallPlan):
        return {
            "action": "uninstall",
            "nothing_to_do": plan.nothing_to_do,
            "files": [_change_json(change, None) for change in plan.changes],
            "notices": [_notice_json(notice) for notice in plan.notices],
            "keeps": list(plan.keeps),
            "link": _text(plan.link),
            "server": plan.server,
            "plugin": plan.plugin,
            "service": _text(plan.service),
        }
    return {
        "action": plan.action,
        "time": plan.time,
        "holdfast": plan.version,
        "files": [_file_json(file) for file in plan.files],
        "notes": list(plan.notes),
        "receipt": _text(plan.path),
    }


def _change_json(change: FileChange, token: str | None) -> dict[str, object]:
    return {
        "scope": change.scope.value,
        "path": str(change.path),
        "way": change.way,
        "mode_before": _octal(change.mode_before),
        "mode_after": _octal(change.mode_after),
        "added": list(change.added),
        "replaced": list(change.replaced),
        "removed": list(change.removed),
        "diff": diff(change, token),
    }


def _file_json(file: FileReceipt) -> dict[str, object]:
    return {
        "scope": file.scope.value,
        "path": str(file.path),
        "outcome": file.outcome,
        "sha256_before": file.sha256_before,
        "sha256_after": file.sha256_after,
        "mode": _octal(file.mode),
        "events": list(file.events),
    }


def _notice_json(notice: Notice) -> dict[str, object]:
    return {"about": notice.about, "sentence": notice.sentence, "fix": notice.fix}


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _octal(mode: int | None) -> str | None:
    return None if mode is None else f"{mode:04o}"
