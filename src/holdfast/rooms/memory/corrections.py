"""What a person decides about memory's own guesses: which corrections hold from now on, which threads are settled.

A correction (MEM-31) has no force over other sessions until the user confirms it; then it is a memory of the user's.
Only a person confirms or dismisses; that a thread is settled, an agent may say too.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast import layout
from holdfast.errors import HoldfastError, UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.ids import NO_ITEM
from holdfast.items.service import Items
from holdfast.items.tools import NOWHERE, NamedProject, branch_here, meant_project
from holdfast.items.words import SHORT, short_id
from holdfast.layout import plain
from holdfast.rooms.memory.model import Summary
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.memory.standing.threads import STILL_FAILS
from holdfast.rooms.memory.tables import KeptCorrection
from holdfast.times import when

_LINE = 90


class Listing(Struct, frozen=True, forbid_unknown_fields=True):
    every: Annotated[bool, Meta(description="Also those that were confirmed or dismissed.")] = False
    project: NamedProject = "all"


class One(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(description="As `corrections` shows it.")]


class OpenThreads(Struct, frozen=True, forbid_unknown_fields=True):
    project: NamedProject = ""


class Done(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(description="Of the summary that left it open, as the brief and `threads` show it.")]
    words: Annotated[
        str, Meta(description="Words of the one thread that is done; else all threads of the summary.")
    ] = ""


async def corrections(asked: Listing, caller: Caller) -> list[dict[str, Any]]:
    service, items = caller.services.get(MemoryService), caller.services.get(Items)
    project = await meant_project(items, asked.project, caller)
    if project == NOWHERE:
        return []
    found = await service.corrections(state="" if asked.every else "open", project_id=project)
    return [_told(each) for each in found]


def _told(each: KeptCorrection) -> dict[str, Any]:
    return {
        "id": _id_of(each),
        "you_said": each.text,
        "kind": each.kind,
        "state": each.state,
        "project": each.project,
        "session": each.conversation,
        "time": when(each.happened_at),
        "memory": short_id("m", each.memory_id) if each.memory_id else "",
    }


def _id_of(each: KeptCorrection) -> str:
    """The id of the prompt; of a prompt that corrects several things, with a number from the second on."""
    return short_id("p", each.prompt_item_id) + (f".{each.part}" if each.part != "1" else "")


def listed(result: list[dict[str, Any]], width: int) -> list[str]:
    return layout.table(("id", "day", "state", "project", "correction"), map(_row, result), columns=width)


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    said = layout.cut(plain(one["you_said"]), _LINE)
    return one["id"], layout.local_minute(one["time"])[:10], one["state"], plain(one["project"]), f"you said: {said}"


async def confirm(asked: One, caller: Caller) -> dict[str, Any]:
    """From now on it holds in every session of its project."""
    _person_only(caller)
    service = caller.services.get(MemoryService)
    found = await _meant(service, asked.id)
    if found.state == "confirmed":
        return _told(found)
    memory, replaced = await service.remember(
        await service.in_full(found), project=found.project_id, tags=("correction",), source=found.prompt_item_id
    )
    await service.decide(found, "confirmed", memory.id)
    return _told(found) | {
        "state": "confirmed",
        "memory": short_id("m", memory.id),
        **({"supersedes": short_id("m", replaced.old_id)} if replaced else {}),
    }


async def dismiss(asked: One, caller: Caller) -> dict[str, Any]:
    """It was said for that moment only. If it was confirmed before, the memory that it became no longer holds."""
    _person_only(caller)
    service, items = caller.services.get(MemoryService), caller.services.get(Items)
    found = await _meant(service, asked.id)
    held = await items.get([found.memory_id]) if found.memory_id else []
    if held:
        await items.supersede(held[0].id, None, "you dismissed the correction", by="user")
    await service.decide(found, "dismissed", NO_ITEM)
    return _told(found) | {"state": "dismissed"}


def decided(result: dict[str, Any], width: int) -> list[str]:
    said = plain(result["you_said"])
    told = f"{result['id']} is {result['state']}: you said “{said}”{'' if said.endswith(('.', '!')) else '.'}"
    memory, project = result["memory"], plain(result["project"])
    if result["state"] == "confirmed":
        return [told, f"It holds in every session of {project}, as the memory {memory}."]
    return [told, f"It held in its own session only.{f' The memory {memory} no longer holds.' if memory else ''}"]


def _person_only(caller: Caller) -> None:
    if caller.is_agent:
        raise UsageError("Only a person may say whether a correction holds.")


async def _meant(service: MemoryService, named: str) -> KeptCorrection:
    name, _, part = named.strip().strip("[]").lower().partition(".")
    tail = name[-SHORT:]
    found = [
        each
        for each in (await service.corrections() if len(tail) == SHORT else ())
        if each.prompt_item_id.endswith(tail) and each.part == (part or "1")
    ]
    if len(found) != 1:
        raise HoldfastError(f"There is no correction {named}. `holdfast corrections` shows them.")
    return found[0]


async def threads(asked: OpenThreads, caller: Caller) -> list[dict[str, Any]]:
    service, items = caller.services.get(MemoryService), caller.services.get(Items)
    project = await meant_project(items, asked.project, caller)
    found = await service.open_threads(project) if project != NOWHERE else []
    names = await items.names({summary.project_id for summary, _ in found})
    here = branch_here(caller)
    return [
        {
            "id": short_id("s", summary.id),
            "thread": _shown(thread.line),
            "kind": thread.kind,
            "project": names[summary.project_id],
            "session": summary.conversation,
            "branch": summary.content.branch,
            "is_elsewhere": summary.content.branch not in ("", here),
            "time": when(summary.happened_at),
        }
        for summary, thread in found
    ]


def still_open(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = (
        (one["id"], layout.local_minute(one["time"])[:10], plain(one["project"]), _with_branch(one)) for one in result
    )
    return layout.table(("id", "day", "project", "open"), rows, columns=width)


def _with_branch(one: dict[str, Any]) -> str:
    """What is open; on another branch than that of the caller, with its name (MEM-23)."""
    where = f" (on branch {plain(one['branch'])})" if one["is_elsewhere"] else ""
    return f"{plain(one['thread'])}{where}"


def _shown(line: str) -> str:
    """A thread as the brief says it."""
    return line.replace(f"{STILL_FAILS}Ran ", STILL_FAILS, 1)


async def done(asked: Done, caller: Caller) -> dict[str, Any]:
    service, items = caller.services.get(MemoryService), caller.services.get(Items)
    item = await items.read(lambda reader: items.one(reader, asked.id))
    summary = item.value
    if not isinstance(summary, Summary):
        raise UsageError(f"{asked.id} is no summary, so it left nothing open. The brief shows the ids of open threads.")
    words = asked.words.lower()
    lines = [line for line in summary.content.left_open.splitlines() if words in f"{line}\n{_shown(line)}".lower()]
    if not lines:
        raise UsageError(f"{asked.id} left nothing open{' with these words' if asked.words else ''}.")
    await service.settle(summary.subject, lines, "agent" if caller.is_agent else "user")
    return {"id": short_id("s", summary.id), "settled": lines}


def settled(result: dict[str, Any], width: int) -> list[str]:
    return [f"{result['id']} is done: {plain(_shown(line))}" for line in result["settled"]]


def _for_people(
    name: str, summary: str, arguments: type[Struct], run: Any, letter: str = "p", lines: Any = decided
) -> Tool[Any]:
    """A tool that settles one item. A person decides; agents are not offered it."""
    verb = Verb(name, f"{name} {letter}3fa9c21b", lines=lines)
    return Tool(name, summary, arguments, run, changes=True, for_agents=False, verb=verb)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "corrections",
        "List what you corrected in your prompts, and whether it holds for other sessions.",
        Listing,
        corrections,
        for_agents=False,
        verb=Verb(
            "corrections",
            "corrections --json",
            lines=listed,
            empty=none_found(
                "correction that waits for you", "One is listed when a prompt of yours corrects an agent."
            ),
        ),
    ),
    _for_people(
        "confirm", "Apply a correction to every session of its project: it becomes a memory of yours.", One, confirm
    ),
    _for_people("dismiss", "Apply a correction to its own session only.", One, dismiss),
    Tool(
        "threads",
        "List what earlier sessions left open: what fails, what was asked, what somebody has to do.",
        OpenThreads,
        threads,
        for_agents=False,
        verb=Verb(
            "threads",
            "threads --json",
            lines=still_open,
            empty=none_found("open thread", "What a session leaves undone is listed here."),
        ),
    ),
    _for_people(
        "done",
        "Mark what a session left open as done, so that no brief shows it again: all of it, or one thread.",
        Done,
        done,
        "s",
        settled,
    ),
)
