"""What people and scripts can ask of this room, as data. The doors serve it.

None of it is offered to agents by MCP: an agent meets guards by its tools, and may undo by `holdfast undo`.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import Refused
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool, Verb
from holdfast.rooms.guards import verbs
from holdfast.rooms.guards.model import Decision
from holdfast.rooms.guards.service import Guards, ToolCall


class Test(Struct, frozen=True, forbid_unknown_fields=True):
    command: Annotated[
        str, Meta(min_length=1, max_length=2_000_000, description="A command line, as the Bash tool gets it.")
    ]
    cwd: Annotated[
        str, Meta(description="Where it would run. Without it no file is looked at, and undo does not count.")
    ] = ""


class ListRules(Struct, frozen=True, forbid_unknown_fields=True):
    project: Annotated[str, Meta(description="A folder whose own rules count, too.")] = ""


class Recent(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 50


class AllowOnce(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(min_length=8, description="The id of the refusal.")]
    code: Annotated[str, Meta(min_length=6, max_length=12, description="The code that was shown beside it.")]


class UndoOne(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(description="What was kept; empty: the last.")] = ""
    over: Annotated[bool, Meta(description="Replace what is there now.")] = False


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


class Tested(Struct, frozen=True):
    """What a guard would say."""

    decision: Decision
    rule: str
    reason: str
    instead: str
    kept: bool
    parts: tuple[str, ...]


class RuleLine(Struct, frozen=True):
    id: str
    action: Decision
    programs: str
    reason: str
    scope: str
    where: str


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
    command: str


class Undone(Struct, frozen=True):
    id: str
    command: str
    restored: list[str]


async def test(asked: Test, caller: Caller) -> Tested:
    service = caller.services.get(Guards)
    root = service.root_of(asked.cwd) if asked.cwd else ""
    call = ToolCall("Bash", {"command": asked.command}, asked.cwd, root)
    judged = (await service.judge(call, keep=False, now=caller.now())).verdict
    return Tested(judged.decision, judged.rule, judged.reason, judged.instead, judged.kept, judged.parts)


async def list_rules(asked: ListRules, caller: Caller) -> list[RuleLine]:
    in_force = caller.services.get(Guards).packs(asked.project)
    return [
        RuleLine(rule.id, rule.action, " ".join(rule.programs), rule.reason, rule.scope, rule.where)
        for rule in in_force.rules
    ]


async def recent(asked: Recent, caller: Caller) -> list[RefusalLine]:
    rows = await caller.services.get(Guards).refusals(asked.limit)
    return [
        RefusalLine(
            id=str(row["id"])[-8:],
            time=int(row["happened_at"]),
            decision=str(row["decision"]),
            rule=str(row["rule"]),
            reason=str(row["reason"]),
            command=str(row["command"]),
            kept=str(row["kept_id"]),
        )
        for row in rows
    ]


async def allow_once(asked: AllowOnce, caller: Caller) -> dict[str, Any]:
    if caller.is_agent:
        raise Refused("Only a person can allow this, in a terminal of their own.")
    caller.services.get(Guards).allow_once(asked.id, asked.code)
    return {"allowed": asked.id, "minutes": 15}


async def undo(asked: UndoOne, caller: Caller) -> Undone:
    kept, restored = await caller.services.get(Guards).bring_back(asked.id, over=asked.over)
    return Undone(kept.id, kept.command, restored)


async def kept(asked: Nothing, caller: Caller) -> list[KeptLine]:
    found = caller.services.get(Guards).undo.listed()
    return [
        KeptLine(each.id, each.created_at, sum(file.kind != "folder" for file in each.files), each.bytes, each.command)
        for each in found
    ]


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "guard_test",
        "Explain what the guards would say to a command.",
        Test,
        test,
        for_agents=False,
        verb=Verb("guard test", 'guard test "git reset --hard" --cwd .', lines=verbs.tested),
    ),
    Tool(
        "guard_list",
        "List the rules in force.",
        ListRules,
        list_rules,
        for_agents=False,
        verb=Verb("guard list", "guard list --json", lines=verbs.rules),
    ),
    Tool(
        "guard_refusals",
        "List what was refused, asked about or kept lately.",
        Recent,
        recent,
        for_agents=False,
        verb=Verb(
            "guard refusals", "guard refusals --limit 20", lines=verbs.refusals, empty="Nothing was refused yet."
        ),
    ),
    Tool(
        "guard_allow_once",
        "Let one refused call pass, with the code that was shown beside the refusal.",
        AllowOnce,
        allow_once,
        changes=True,
        for_agents=False,
        verb=Verb("guard allow-once", "guard allow-once 3fa9c21b --code K7Q2MX", lines=verbs.allowed),
    ),
    Tool(
        "undo",
        "Bring back what a command removed.",
        UndoOne,
        undo,
        changes=True,
        for_agents=False,
        verb=Verb("undo", "undo 3fa9c21b", lines=verbs.undone),
    ),
    Tool(
        "undo_list",
        "List what can be brought back.",
        Nothing,
        kept,
        for_agents=False,
        verb=Verb("guard kept", "guard kept", lines=verbs.kept, empty="Nothing is kept to bring back."),
    ),
)
