"""What people and agents can ask of this room, as data. The doors serve it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from holdfast.errors import NothingFound, UsageError
from holdfast.events.caller import Caller
from holdfast.events.progress import ProgressBoard
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.items.model import Found
from holdfast.items.seen import session_named
from holdfast.items.service import Items
from holdfast.items.words import short_id
from holdfast.prose.one_line import one_line
from holdfast.rooms.continuity import rules
from holdfast.rooms.continuity.model import DEBRIEF, Checkpoint, DetailLevel, HandoverText, SessionOutcome
from holdfast.rooms.continuity.service import Continuity, named, read_stand
from holdfast.rooms.continuity.sessions.calls import Sessions
from holdfast.rooms.continuity.showing import verbs
from holdfast.times import age, when

_Project = Annotated[str, Meta(description="Id, name, folder or owner_repo; empty: this one.")]
_Session = Annotated[str, Meta(description="The client's session id; empty: this one.")]
CheckpointName = Annotated[str, Meta(description="Its id; empty: the newest of this project.")]


class StartSession(Struct, frozen=True, forbid_unknown_fields=True):
    project_id: _Project = ""
    session_id: _Session = ""


class EndSession(Struct, frozen=True, forbid_unknown_fields=True):
    task: Annotated[str, Meta(min_length=1, description="What was to be done.")]
    approach: Annotated[str, Meta(min_length=1, description="How it was done.")]
    outcome: Annotated[SessionOutcome, Meta(description="Its outcome.")]
    tags: Annotated[list[str], Meta(description="Words to find it by.")] = []
    notes: str = ""
    project_id: _Project = ""
    session_id: _Session = ""


class Threshold(Struct, frozen=True, forbid_unknown_fields=True):
    percent: Annotated[Any, Meta(description="How full it is, 1 to 100.")]
    project_id: _Project = ""
    session_id: _Session = ""


class SaveCheckpoint(Struct, frozen=True, forbid_unknown_fields=True):
    note: Annotated[str, Meta(description="What the next reader should know first.")] = ""
    project_id: _Project = ""
    session_id: _Session = ""


class ResumeCheckpoint(Struct, frozen=True, forbid_unknown_fields=True):
    id: CheckpointName = ""
    level: Annotated[DetailLevel, Meta(description="How much of it.")] = "context"


class ListCheckpoints(Struct, frozen=True, forbid_unknown_fields=True):
    project: _Project = ""
    session: Annotated[str, Meta(description="Only those of the client's session with this id.")] = ""
    limit: Annotated[int, Meta(ge=1, le=1_000, description="How many, the newest first.")] = 20


class OneCheckpoint(Struct, frozen=True, forbid_unknown_fields=True):
    id: CheckpointName = ""


class TwoCheckpoints(Struct, frozen=True, forbid_unknown_fields=True):
    old: Annotated[str, Meta(min_length=1, description="The id of a checkpoint.")]
    new: Annotated[str, Meta(description="The id of another one; empty: the newest of this project.")] = ""


class Dehydrate(Struct, frozen=True, forbid_unknown_fields=True):
    summary: Annotated[str, Meta(description="Empty: made from the record.")] = ""
    last_action: str = ""
    next_steps: list[str] = []
    handover: Annotated[str, Meta(description="What else it must know.")] = ""
    required_files: Annotated[list[str], Meta(max_length=rules.MOST_REQUIRED, description="To read first.")] = []
    user_history: Annotated[str, Meta(description="The user's words that still count.")] = ""
    project_id: _Project = ""
    session_id: _Session = ""


class Lost(Struct, frozen=True, forbid_unknown_fields=True):
    window: Annotated[str, Meta(description="A window or session; empty: the last compaction of this project.")] = ""


class CheckpointLine(Struct, frozen=True):
    id: str
    title: str
    reason: str
    auto_created: bool
    threshold: int
    session_id: str
    made_at: int
    time: str


def _line(checkpoint: Checkpoint) -> CheckpointLine:
    return CheckpointLine(
        named(checkpoint),
        checkpoint.title,
        checkpoint.reason,
        bool(checkpoint.auto_created),
        checkpoint.threshold,
        checkpoint.conversation,
        checkpoint.made_at,
        when(checkpoint.made_at),
    )


# --- the seed's calls


async def session_start(asked: StartSession, caller: Caller) -> dict[str, Any]:
    sessions, service = caller.services.get(Sessions), caller.services.get(Continuity)
    project = await sessions.project(asked.project_id, caller, ConversationId(asked.session_id))
    conversation = asked.session_id or caller.conversation
    checkpoint, memories = await sessions.start(project, ConversationId(conversation))
    told: dict[str, Any] = {"memories": [_memory(each, caller) for each in memories], "resumed": False}
    if checkpoint is not None:
        stand = read_stand(checkpoint)
        assert stand is not None
        told["checkpoint"] = {
            "id": named(checkpoint),
            "title": checkpoint.title,
            "summary": rules.told(stand, "summary"),
            "age": age(service.now(), checkpoint.made_at),
            "reason": checkpoint.reason,
        }
        if service.settings.auto_resume_on_start:
            told["resumed"] = True
            told["context"] = rules.told(stand, "context")
    return told


def _memory(found: Found, caller: Caller) -> dict[str, Any]:
    line = found.listed
    item_id = caller.services.get(Items).catalogue.short(line)
    return {
        "id": item_id,
        "title": line.title,
        "kind": line.kind,
        "outcome": line.outcome,
        "time": when(line.happened_at),
    }


async def session_end(asked: EndSession, caller: Caller) -> dict[str, Any]:
    sessions = caller.services.get(Sessions)
    project = await sessions.project(asked.project_id, caller, ConversationId(asked.session_id))
    live = await sessions.live(ConversationId(asked.session_id), caller)
    debrief, checkpoint = await sessions.end(
        live,
        project,
        asked.task,
        asked.approach,
        asked.outcome,
        asked.tags,
        asked.notes,
        caller.speaker(),
        caller,
    )
    memory = short_id(DEBRIEF.letter, debrief.id)
    return {"status": "ok", "memories": [memory], "checkpoint": named(checkpoint), "outcome": debrief.outcome}


async def context_threshold(asked: Threshold, caller: Caller) -> dict[str, Any]:
    percent = rules.percent(asked.percent)
    sessions = caller.services.get(Sessions)
    project = await sessions.project(asked.project_id, caller, ConversationId(asked.session_id))
    conversation = asked.session_id or caller.conversation or await _last_conversation(caller, project)
    if not conversation:
        raise UsageError("No session is known here; nothing was saved. Name one with session_id.")
    live = await sessions.live(ConversationId(conversation), caller)
    checkpoint, is_new = await sessions.threshold(live, project, percent, caller)
    told: dict[str, Any] = {"status": "ok", "auto_created": True, "threshold": percent}
    if not is_new:
        return told | {"note": f"This window has a checkpoint at {percent} % already."}
    return told | {"checkpoint": named(checkpoint), "title": checkpoint.title}


# --- checkpoints


def _here(named: str, caller: Caller) -> str:
    """The caller's project, where it names nothing. One who stands where nothing ever happened is told of no other
    project."""
    if not named and caller.is_nowhere:
        raise NothingFound("Nothing is kept of this folder yet.")
    return caller.project_id


async def save_checkpoint(asked: SaveCheckpoint, caller: Caller) -> CheckpointLine:
    sessions = caller.services.get(Sessions)
    project = await sessions.project(asked.project_id, caller, ConversationId(asked.session_id))
    conversation = asked.session_id or caller.conversation or await _last_conversation(caller, project)
    live = await sessions.live(ConversationId(conversation), caller)
    return _line(await sessions.save(live, project, asked.note, caller))


async def _last_conversation(caller: Caller, project: str) -> ConversationId:
    """A person in a terminal means the session that was last active in this folder."""
    from holdfast.items import tables

    items = caller.services.get(Items)
    found = (
        await items.read(lambda reader: tables.last_conversation(reader, project, caller.owner)) if project else None
    )
    return found[0] if found else NO_CONVERSATION


async def list_checkpoints(asked: ListCheckpoints, caller: Caller) -> list[CheckpointLine]:
    service, sessions = caller.services.get(Continuity), caller.services.get(Sessions)
    if caller.is_nowhere and not asked.project:
        return []
    project, conversation = await sessions.project(asked.project, caller), asked.session
    if conversation:
        store, named = service.ground.store, conversation
        conversation, _ = await store.read(lambda reader: session_named(reader, named, caller.owner))
    return [_line(each) for each in await service.listed(project, ConversationId(conversation), asked.limit)]


async def show_checkpoint(asked: OneCheckpoint, caller: Caller) -> dict[str, Any]:
    service = caller.services.get(Continuity)
    checkpoint = await service.find(asked.id, _here(asked.id, caller))
    stand = rules.stand_of(checkpoint)
    return {**msgspec.structs.asdict(_line(checkpoint)), "stand": msgspec.to_builtins(stand)}


async def resume_checkpoint(asked: ResumeCheckpoint, caller: Caller) -> dict[str, Any]:
    service = caller.services.get(Continuity)
    checkpoint = await service.find(asked.id, _here(asked.id, caller))
    stand = rules.stand_of(checkpoint)
    here = caller.folder or stand.folder
    is_there, now = await service.look_at(stand.folder, here, stand.files)
    changed = [line for line in rules.changes_since(stand.files, now) if not line.endswith(": unchanged")]
    told = {"level": asked.level, "text": rules.told(stand, asked.level), "changed_since": changed}
    if moved := rules.moved(stand.folder, here, is_there=is_there):
        told["moved"] = moved
        told["changed_since"] = changed if here != stand.folder else []
    return msgspec.structs.asdict(_line(checkpoint)) | told


async def diff_checkpoints(asked: TwoCheckpoints, caller: Caller) -> dict[str, Any]:
    service = caller.services.get(Continuity)
    old, new = await service.find(asked.old), await service.find(asked.new, _here(asked.new, caller))
    found = rules.difference(rules.stand_of(old), rules.stand_of(new))
    return {
        "old": named(old),
        "new": named(new),
        "differences": [{"what": what, "gone": gone, "new": added} for what, gone, added in found],
    }


# --- hand-over and compaction


async def dehydrate(asked: Dehydrate, caller: Caller) -> dict[str, Any]:
    sessions = caller.services.get(Sessions)
    project = await sessions.project(asked.project_id, caller, ConversationId(asked.session_id))
    conversation = asked.session_id or caller.conversation or await _last_conversation(caller, project)
    live = await sessions.live(ConversationId(conversation), caller)
    board = caller.services.get(ProgressBoard)
    text = HandoverText(
        summary=asked.summary,
        last_action=asked.last_action,
        next_steps=tuple(asked.next_steps),
        handover=asked.handover,
        user_history=asked.user_history,
    )
    kept = await sessions.dehydrate(live, project, text, asked.required_files, caller.speaker(), board.of(live.id))
    board.note(live.id, handed_over=True)
    return {"status": "ok", "built": kept.built, "summary": one_line(kept.summary), "files": len(kept.required_files)}


async def lost(asked: Lost, caller: Caller) -> dict[str, Any]:
    service = caller.services.get(Continuity)
    project = "" if caller.conversation else _here(asked.window, caller)
    found = await service.lost(asked.window, caller.conversation, project)
    return {
        "window": found.window_id,
        "session_id": found.conversation,
        "way": found.way,
        "trigger": found.trigger,
        "time": when(found.made_at),
        "lost": msgspec.json.decode(found.lost, type=list[str]),
        "given_back": found.given,
        "summary": found.summary,
    }


TOOLS: tuple[Tool[Any], ...] = (
    Tool("session_start", "Begin a session: a checkpoint to resume, and three memories.", StartSession, session_start),
    Tool("session_end", "End a session: keep its outcome.", EndSession, session_end, changes=True),
    Tool(
        "context_threshold",
        "Save a checkpoint because the context window fills up.",
        Threshold,
        context_threshold,
        changes=True,
    ),
    Tool(
        "save_checkpoint",
        "Save the state of this session.",
        SaveCheckpoint,
        save_checkpoint,
        changes=True,
        for_agents=False,
        verb=Verb("checkpoint save", "checkpoint save --note 'before the rewrite'", lines=verbs.saved),
    ),
    Tool(
        "resume_checkpoint",
        "Give back a checkpoint: summary, context or full.",
        ResumeCheckpoint,
        resume_checkpoint,
        verb=Verb("checkpoint resume", "checkpoint resume c3fa9c21b --level full", lines=verbs.resumed, places=("id",)),
    ),
    Tool(
        "list_checkpoints",
        "The newest checkpoints of this project.",
        ListCheckpoints,
        list_checkpoints,
        for_agents=False,
        verb=Verb(
            "checkpoint list",
            "checkpoint list --limit 5",
            lines=verbs.listed,
            empty=none_found("checkpoint", "`holdfast checkpoint save` makes one."),
        ),
    ),
    Tool(
        "show_checkpoint",
        "Show a checkpoint in full.",
        OneCheckpoint,
        show_checkpoint,
        for_agents=False,
        verb=Verb("checkpoint show", "checkpoint show c3fa9c21b", lines=verbs.shown, places=("id",)),
    ),
    Tool(
        "diff_checkpoints",
        "Compare two checkpoints.",
        TwoCheckpoints,
        diff_checkpoints,
        for_agents=False,
        verb=Verb(
            "checkpoint diff",
            "checkpoint diff c3fa9c21b c77d01f2e",
            lines=verbs.differences,
            places=("old", "new"),
        ),
    ),
    Tool(
        "dehydrate",
        "Leave a hand-over for the next session.",
        Dehydrate,
        dehydrate,
        changes=True,
        verb=Verb(
            "dehydrate",
            "dehydrate 'parser done, printer open' --next-steps 'write the printer'",
            lines=verbs.dehydrated,
            places=("summary",),
        ),
    ),
    Tool(
        "lost",
        "Show what a compaction dropped and what was restored.",
        Lost,
        lost,
        for_agents=False,
        verb=Verb("lost", "lost", lines=verbs.lost, places=("window",)),
    ),
)
