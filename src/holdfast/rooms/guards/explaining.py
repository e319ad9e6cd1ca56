"""What can still be said of a decision that is on record: the safe alternative, and the parts of the command. Pure.

The table keeps the rule, the reason and the command. The command is read anew, without a folder and by the rules that
are in force now: a rule that has changed since says what it says today.
"""

from __future__ import annotations

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.events.changes import SHELL_TOOLS
from holdfast.judging import file_findings, rules
from holdfast.judging.matching import Packs
from holdfast.patterns import lazy_pattern

_MOST_PARTS = 40
_OF_REPOSITORY = lazy_pattern(r"rule of this repository \((.+)/[^/]+:\d+\): ")


def parts_of(tool: str, command: str) -> list[str]:
    """What the command runs, as `guard test` lists it; nothing for a tool that takes no command."""
    if tool not in SHELL_TOOLS:
        return []
    reading = read(command)
    runs = [file_findings.brief(run) for run in reading.runs[:_MOST_PARTS]]
    return runs + [f"(computed at run time: {what})" for what in reading.unread[:_MOST_PARTS]]


def root_of(reason: str) -> str:
    """The project whose own rule gave a reason (`Rule.said`); '' where it was no project's."""
    match = _OF_REPOSITORY.match(reason)
    return match[1] if match else ""


def instead_of(packs: Packs, tool: str, command: str, rule: str, reason: str) -> str:
    """The safe alternative that the rule offers for this command; '' when it has none."""
    found = rules.judged(read(command), packs, Where()).findings if tool in SHELL_TOOLS else []
    offers = [(each.reason, each.instead) for each in found if each.rule == rule and each.instead]
    offers += [(each.said, each.offered) for each in packs.rules if each.id == rule and each.instead]
    same = [instead for said, instead in offers if reason.startswith(said)]
    return next(iter(same or (instead for _, instead in offers)), "")
