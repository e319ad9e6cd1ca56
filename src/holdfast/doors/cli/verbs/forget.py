"""forget: show what will go, ask, and have it removed everywhere."""

from __future__ import annotations

import os
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import consent, json_option, project_root, with_options, yes_option
from holdfast.doors.cli.table import Rooms
from holdfast.errors import HoldfastError, UsageError

_PATIENCE = 3600.0
_CALLED = {
    "entries": ("journal entry", "journal entries"),
    "injections": ("showing", "showings"),
    "rows": ("other row", "other rows"),
    "rows_mended": ("other row without it", "other rows without it"),
}
"""What belongs to no room."""
_FILES = ("spooled", "log_lines", "backups_removed", "kept_removed")
"""What goes of the files beside the store."""


@click.command("forget")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--session", default="", metavar="S", help="All of this session of Claude Code.")
@click.option("--file", "file", default="", metavar="F", help="All items about this file of the current project.")
@click.option(
    "--project",
    default="",
    metavar="NAME",
    help="With --file: another project; `all` for files with this path in every project.",
)
@click.option("--text", default="", metavar="T", help="All that contains this text, in any case.")
@yes_option
@json_option
@click.pass_obj
def _forget(
    call: Call,
    ids: tuple[str, ...],
    session: str,
    file: str,
    project: str,
    text: str,
    before: str,
    yes: bool,
    as_json: bool,
) -> int:
    """Delete items everywhere, permanently.

    Shows what will go and asks. Removes the items, their copies in the journal, their index entries and
    vectors, what is in the spool and the log, and the backups in the home that hold them (a new one is made). Hashes
    stay, so that no transcript and no import brings them back. Exports and backups elsewhere are yours to remove.

    \b
    Examples:
      holdfast forget o3fa9c21b
      holdfast forget --text "project zeus"
      holdfast forget --file src/plan.py
      holdfast forget --session 0f3c2a1b --yes
    """
    asked: dict[str, Any] = {
        "ids": list(ids),
        "session": session,
        "file": spellings(file, project) if file else [],
        "text": text,
        "before": before,
    }
    if sum(bool(value) for value in asked.values()) != 1:
        raise UsageError("Say what to forget in one way: ids, or one of --session, --file, --text, --before.")
    asked["project"] = project
    client = call.client(_PATIENCE)
    plan = client.post("/api/tools/forget", asked | {"preview": True})
    if not plan["counts"] and not any(plan.get(each) for each in _FILES):
        raise HoldfastError(" ".join(("Nothing that is kept fits; nothing was removed.", *_unread(plan))))
    if not as_json:
        for line in plan_lines(plan, call.rooms):
            show.say(line)
    consent("Remove this for good?", yes=yes, as_json=as_json)
    receipt = client.post("/api/tools/forget", asked)
    if as_json:
        show.say_json(receipt)
    else:
        for line in receipt_lines(receipt, call.rooms):
            show.say(line)
    return 0


def spellings(file: str, project: str = "") -> list[str]:
    """A file as it may be kept: as typed, inside its project, and in full. Of another project only as typed: where that
    one lies is not known here."""
    if project:
        return [os.path.normpath(os.path.expanduser(file))]
    full = os.path.normpath(os.path.join(os.getcwd(), os.path.expanduser(file)))
    if os.path.isdir(full):
        raise UsageError(f"{file} is a folder. Name a file.")
    root = str(project_root())
    inside = [os.path.relpath(full, root)] if full.startswith(root + os.sep) else []
    return list(dict.fromkeys([file, *inside, full]))


def plan_lines(plan: dict[str, Any], rooms: Rooms) -> list[str]:
    """What will go."""
    listed = [
        f"  {line['id']}  {line['time'][:10]}  {line['kind']:<8} {show.cut(show.plain(line['title']), 80)}{_of(line)}"
        for line in plan["lines"]
    ]
    more = plan["items"] - len(listed)
    rest = [f"  … and {more} more"] if more > 0 else []
    files = [
        *((f"  {plan['spooled']} of the events in the spool",) if plan.get("spooled") else ()),
        *((f"  {plan['kept_removed']} of what is kept for `holdfast undo`",) if plan.get("kept_removed") else ()),
        *((f"  {plan['log_lines']} lines of the log",) if plan.get("log_lines") else ()),
        *(f"  the backup {name}, which holds it; a new one is made" for name in plan.get("backups_removed", ())),
    ]
    return [f"This will go: {_counted(plan['counts'], rooms)}.", *listed, *rest, *files, *_unread(plan)]


def _of(line: dict[str, Any]) -> str:
    return f"  [{show.plain(line['project'])}]" if line["project"] else ""


def receipt_lines(receipt: dict[str, Any], rooms: Rooms) -> list[str]:
    """What went."""
    lines = [f"Forgotten: {_counted(receipt['counts'], rooms)}."]
    if receipt["spooled"]:
        lines.append(f"Removed {receipt['spooled']} events from the spool.")
    if receipt.get("kept_removed"):
        lines.append(f"Removed {receipt['kept_removed']} that were kept for `holdfast undo`.")
    if receipt["log_lines"]:
        lines.append(f"Rewrote {receipt['log_lines']} lines of the log.")
    for name in receipt["backups_removed"]:
        lines.append(f"Removed the backup {name}: it held what was forgotten.")
    if receipt["backup_made"]:
        lines.append(f"Made the backup {receipt['backup_made']} in its place.")
    return lines + _unread(receipt)


def _unread(told: dict[str, Any]) -> list[str]:
    return [
        f"The backup {name} could not be read; remove it if it may hold what was forgotten."
        for name in told.get("backups_unread", ())
    ]


def _counted(counts: dict[str, int], rooms: Rooms) -> str:
    return show.counted(counts, rooms["called"] | _CALLED, "nothing in the store")


def forget(rooms: Rooms) -> click.Command:
    """The command: the help of `--before` names what stays."""
    lasting = " and ".join(show.several(name, rooms["called"]) for name in rooms["lasting"])
    stays = f" {lasting.capitalize()} stay." if lasting else ""
    before = f"All from before this time: 2026-11-15, 90d.{stays}"
    return with_options(_forget, click.Option(["--before"], default="", metavar="T", help=before))
