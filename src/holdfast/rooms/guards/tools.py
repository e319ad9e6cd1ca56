"""What people and scripts can ask of this room, as data. The doors serve it.

None of it is offered to agents by MCP: an agent meets guards by its tools, and may undo by `holdfast undo`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import HoldfastError, Refused, UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import NoArguments, Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.judging import table_test
from holdfast.judging.model import RuleDecision
from holdfast.rooms.guards import counting, verbs
from holdfast.rooms.guards.overriding import person, processes
from holdfast.rooms.guards.overriding.codes import MINUTES
from holdfast.rooms.guards.service import Guards, ToolCall
from holdfast.undo.model import Kept, printable

_LARGEST_TABLE = 20_000_000


class Test(Struct, frozen=True, forbid_unknown_fields=True):
    command: Annotated[str, Meta(max_length=2_000_000, description="A command line, as the Bash tool gets it.")] = ""
    cwd: Annotated[
        str, Meta(description="Where it would run. Without it no file is looked at, and undo does not count.")
    ] = ""
    file: Annotated[
        str,
        Meta(
            description="A table of commands: lines of a command, a tab and what is expected; or JSON Lines with "
            "`command` and `expect`. `allow` expects that it passes, `deny` that it is denied, asked about, or runs "
            "with its bytes kept."
        ),
    ] = ""
    exact: Annotated[bool, Meta(description="With --file: compare the exact decision.")] = False


class ListRules(Struct, frozen=True, forbid_unknown_fields=True):
    project: Annotated[str, Meta(description="Also load the rules of this folder.")] = ""


class Recent(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 50


class AllowOnce(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(min_length=8, max_length=9, description="The id of the refusal.")]
    code: Annotated[str, Meta(min_length=6, max_length=12, description="The code that was shown beside it.")]


class UndoOne(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(description="What was kept; empty: the last.")] = ""
    over: Annotated[bool, Meta(description="Replace what is there now.")] = False
    list: Annotated[bool, Meta(description="List what can be brought back, and change nothing.")] = False


class ExcuseLine(Struct, frozen=True):
    """A rule that matched a part of the line, and why it does not count."""

    name: str
    says: str
    rule: str
    command: str


class Tested(Struct, frozen=True):
    """What a guard would say."""

    decision: RuleDecision
    rule: str
    reason: str
    instead: str
    kept: bool
    parts: tuple[str, ...]
    excuses: tuple[ExcuseLine, ...] = ()
    mode: str = "on"
    """`dry-run`: a session only has it recorded. `off`: it is not even asked."""


class RuleLine(Struct, frozen=True):
    id: str
    action: RuleDecision
    programs: str
    reason: str
    scope: str
    where: str
    instead: str = ""
    decided: int = 0
    """How often this rule decided."""


class RefusalLine(Struct, frozen=True):
    id: str
    time: int
    decision: str
    rule: str
    reason: str
    command: str
    kept: str


class KeptLine(Struct, frozen=True):
    id: str
    time: int
    files: int
    bytes: int
    rule: str
    command: str


class KeptList(Struct, frozen=True):
    """What can be brought back, and how much room there is."""

    kept: list[KeptLine]
    bytes: int
    most_bytes: int
    days: int


class Undone(Struct, frozen=True):
    id: str
    command: str
    restored: list[str]
    before: str = ""
    """With `over`: the id under which is kept what was there."""


async def test_command_or_table(asked: Test, caller: Caller) -> Tested | table_test.CommandTable:
    if bool(asked.command.strip()) is bool(asked.file):
        raise UsageError("Give a command, or a table of commands with --file.")
    return await _table(asked, caller) if asked.file else await test(asked, caller)


async def test(asked: Test, caller: Caller) -> Tested:
    """What the guards would say to one command."""
    return await _tested(caller.services.get(Guards), asked.command, _folder(asked.cwd, caller), caller.now())


def _folder(named: str, caller: Caller) -> str:
    """A folder as the caller means it: `.` is where they stand, not the daemon."""
    return os.path.normpath(os.path.join(caller.folder or "/", os.path.expanduser(named))) if named else ""


async def _tested(service: Guards, command: str, cwd: str, now: int) -> Tested:
    root = service.root_of(cwd) if cwd else ""
    arguments = {"command": command}
    judged = (await service.judge(ToolCall("Bash", arguments, cwd, root), now=now)).verdict
    if service.is_passed("Bash", arguments, root):  # the hook says no more than this
        return Tested("allow", "", "", "", False, judged.parts, mode=service.settings.mode)
    excuses = [ExcuseLine(each.name, each.says, each.finding.rule, each.finding.command) for each in judged.excused]
    told = (judged.decision, judged.rule, judged.reason, judged.instead, judged.kept, judged.parts)
    return Tested(*told, tuple(dict.fromkeys(excuses)), service.settings.mode)


async def _table(asked: Test, caller: Caller) -> table_test.CommandTable:
    path = os.path.join(caller.folder, os.path.expanduser(asked.file))

    def read() -> str:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read(_LARGEST_TABLE)
        except OSError as error:
            raise HoldfastError(f"{path} cannot be read ({error.strerror}).") from error

    lines = table_test.lines(await asyncio.to_thread(read), path)
    service = caller.services.get(Guards)
    folder = _folder(asked.cwd, caller)
    answers = []
    for line in lines:
        told = await _tested(service, line.command, folder, caller.now())
        answers.append((line, told.decision, told.rule, told.kept))
        await asyncio.sleep(0)  # a long table does not keep the sessions waiting
    return table_test.compared(answers, exact=asked.exact)


async def list_rules(asked: ListRules, caller: Caller) -> list[RuleLine]:
    service = caller.services.get(Guards)
    rules = counting.told_apart(service.rulebook.packs(_folder(asked.project, caller)).rules)
    decided = counting.counted(rules, await service.records.counts())
    return [
        RuleLine(
            rule.id,
            rule.action,
            " ".join(rule.programs or rule.tools),
            rule.reason,
            rule.scope,
            rule.where,
            rule.instead,
            number,
        )
        for rule, number in zip(rules, decided, strict=True)
    ]


async def recent(asked: Recent, caller: Caller) -> list[RefusalLine]:
    rows = await caller.services.get(Guards).records.recent(asked.limit)
    return [
        RefusalLine(
            id=f"g{str(row['id'])[-8:]}",
            time=int(row["happened_at"]),
            decision=str(row["decision"]),
            rule=str(row["rule"]),
            reason=str(row["reason"]),
            command=str(row["command"]),
            kept=str(row["kept_id"]),
        )
        for row in rows
    ]


async def allow_once(asked: AllowOnce, caller: Caller) -> Mapping[str, Any]:
    if caller.is_agent:
        raise Refused("Only a person can allow this, in a terminal of their own.")
    why = await asyncio.to_thread(_objection, caller.peer)
    if why:
        raise Refused(f"Only a person can allow this, in a terminal of their own: {why}.")
    service = caller.services.get(Guards)
    refusal_id = _plain(asked.id)
    service.codes.allow(refusal_id, asked.code)
    return {"allowed": refusal_id, "minutes": MINUTES, "noted": await service.records.allowed_once(refusal_id)}


def _objection(peer: int) -> str:
    if not peer:
        return "it cannot be seen which process asks; use `holdfast guard allow-once`"
    table = processes.table()
    own = table.get(peer)
    return person.objection(peer, table, processes.makers(own.terminal) if own else ())


def _plain(short: str) -> str:
    """An id without the letter of its family."""
    return short[1:] if len(short) == 9 and short.startswith("g") else short


async def undo(asked: UndoOne, caller: Caller) -> Undone | KeptList:
    service = caller.services.get(Guards)
    if asked.list:
        return await kept(NoArguments(), caller)
    what, restored, before = await service.bring_back(_plain(asked.id), over=asked.over)
    return Undone(what.id, service.clean(printable(what.command)), [printable(path) for path in restored], before)


async def kept(asked: NoArguments, caller: Caller) -> KeptList:
    service = caller.services.get(Guards)
    found = await asyncio.to_thread(service.undo.listed)
    lines = [_kept_line(each, service) for each in found]
    return KeptList(lines, sum(each.bytes for each in found), service.undo.most_bytes, service.undo.days)


def _kept_line(each: Kept, service: Guards) -> KeptLine:
    return KeptLine(
        each.id, each.created_at, each.file_count, each.bytes, each.rule, service.clean(printable(each.command))
    )


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "guard_test",
        "Explain how the guards would decide about a command.",
        Test,
        test_command_or_table,
        for_agents=False,
        verb=Verb(
            "guard test",
            'guard test "git reset --hard" --cwd .',
            lines=verbs.tested,
            places=("command",),
            negative=table_test.has_mismatches,
        ),
    ),
    Tool(
        "guard_list",
        "List the rules in force, and how often each decided.",
        ListRules,
        list_rules,
        for_agents=False,
        verb=Verb("guard list", "guard list --json", lines=verbs.rules),
    ),
    Tool(
        "guard_refusals",
        "List recent refusals, questions and undo copies.",
        Recent,
        recent,
        for_agents=False,
        verb=Verb(
            "guard refusals",
            "guard refusals --limit 20",
            lines=verbs.refusals,
            empty=none_found("refusal", "A command that a guard refuses or asks about is listed here."),
        ),
    ),
    Tool(
        "guard_allow_once",
        "Let one refused call pass, with the code that was shown beside the refusal.",
        AllowOnce,
        allow_once,
        changes=True,
        in_pause=True,
        for_agents=False,
        verb=Verb(
            "guard allow-once",
            "guard allow-once g3fa9c21b K7Q2MX",
            help="It works in a terminal of your own only: not from an agent, and not without a terminal.",
            lines=verbs.allowed,
            places=("id", "code"),
        ),
    ),
    Tool(
        "undo",
        "Bring back what a command removed.",
        UndoOne,
        undo,
        changes=True,
        in_pause=True,
        for_agents=False,
        verb=Verb("undo", "undo 3fa9c21b", lines=verbs.undone, places=("id",)),
    ),
    Tool(
        "undo_list",
        "List what can be brought back.",
        NoArguments,
        kept,
        for_agents=False,
        verb=Verb("guard kept", "guard kept", lines=verbs.kept),
    ),
)
