"""The tools of this room. Agents have one, `effort`, because each schema costs tokens in every session; people have a
command for each thing."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from holdfast.errors import UsageError
from holdfast.events.caller import PAUSED, Caller
from holdfast.events.progress import ProgressBoard
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.ids import ConversationId
from holdfast.rooms.work import results, rules, tables, verbs
from holdfast.rooms.work.delivery import wording
from holdfast.rooms.work.delivery.documents import LOG, lies_in, write
from holdfast.rooms.work.efforts.starting import Actor
from holdfast.rooms.work.errors import Invalid
from holdfast.rooms.work.model import Effort
from holdfast.rooms.work.results import EffortResult, MessageShown, TaskShown, Whole
from holdfast.rooms.work.service import WorkService
from holdfast.sender import fitting
from holdfast.store.interface import Reader

_MOST = 200
_Id = Annotated[str, Meta(description="The effort; else the one you work on.")]
_Session = Annotated[str, Meta(description="The client's session, where the caller is not inside one.")]
_Agent = Annotated[str, Meta(description="The agent's name, instead of AGENT_ID.")]
_Limit = Annotated[int, Meta(ge=1, le=_MOST, description="How many, at most.")]


class Named(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every tool of an effort takes."""

    id: _Id = ""
    session_id: _Session = ""
    agent: _Agent = ""


class StartEffort(Struct, frozen=True, forbid_unknown_fields=True):
    skill: Annotated[str, Meta(min_length=1, max_length=120, description="The skill that the effort runs.")]
    task: Annotated[str, Meta(description="The folder of the task; else the project's root.")] = ""
    mode: Annotated[str, Meta(description="One of the skill's modes.")] = ""
    title: Annotated[str, Meta(description="What it is about.")] = ""
    keywords: Annotated[str, Meta(description="Words for the task.")] = ""
    heartbeat: Annotated[str, Meta(description="`off`, `warn` or `block`, instead of what the skill says.")] = ""
    replace: Annotated[bool, Meta(description="Finish the effort that is active.")] = False
    session_id: _Session = ""
    agent: _Agent = ""


class EnterPhase(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    phase: Annotated[str, Meta(description="The phase to enter: its name or its number.")]
    reason: Annotated[str, Meta(description="Why, for a jump.")] = ""
    proof: Annotated[list[str], Meta(description="What shows that the phase before is done: `name=what`.")] = []


class AddLog(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Annotated[str, Meta(description="What was done.")]
    artifact: Annotated[str, Meta(description="Write this document instead, such as plan or debrief.")] = ""


class DehydrateEffort(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Annotated[str, Meta(description="Where it stands.")]
    steps: Annotated[list[str], Meta(description="What is next.")] = []
    files: Annotated[list[str], Meta(description="Files that the next window reads first.")] = []


class Finish(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Annotated[str, Meta(description="Its outcome.")] = ""


class ListEfforts(Struct, frozen=True, forbid_unknown_fields=True):
    project_id: Annotated[str, Meta(description="Id, name or folder of a project; `all` for every one.")] = ""
    all: Annotated[bool, Meta(description="Finished ones, too.")] = False
    limit: _Limit = 50


class ShowEffort(Named, frozen=True, forbid_unknown_fields=True, kw_only=True):
    write: Annotated[str, Meta(description="Write its documents into this folder; `.` is the task's.")] = ""


class ListTasks(Struct, frozen=True, forbid_unknown_fields=True):
    project_id: Annotated[str, Meta(description="Id, name or folder of a project; `all` for every one.")] = ""
    limit: _Limit = 50


class ListMessages(Struct, frozen=True, forbid_unknown_fields=True):
    project_id: Annotated[str, Meta(description="Id, name or folder of a project; `all` for every one.")] = ""
    session_id: Annotated[str, Meta(description="Of this session.")] = ""
    kind: Annotated[str, Meta(description="dialogue, failure, teammate_idle, task_created, task_completed.")] = ""
    limit: _Limit = 50


class RegisterAgent(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=128, description="The agent's AGENT_ID.")]
    parent: Annotated[str, Meta(max_length=128, description="The agent that coordinates it.")] = ""
    label: Annotated[str, Meta(max_length=200, description="For people.")] = ""


class EffortCall(Struct, frozen=True, forbid_unknown_fields=True):
    """One tool for agents, in few words: `note` is why for a jump, `name=what` for a proof, the document for a log."""

    action: Literal["start", "phase", "log", "dehydrate", "finish", "show"]
    text: Annotated[str, Meta(description="skill, phase or words")] = ""
    note: Annotated[str, Meta(description="reason to jump, or proof")] = ""
    files: list[str] = []


def _may(caller: Caller) -> None:
    if caller.is_paused and caller.is_agent:
        raise UsageError(PAUSED)


def _told(asked: Struct) -> dict[str, Any]:
    return msgspec.structs.asdict(asked)


async def _meant(tool: str, asked: Named, caller: Caller, actor: Actor | None) -> tuple[WorkService, Actor, Effort]:
    """The room, who acts (`actor` where that is known already), and the effort that is meant."""
    work = caller.services.get(WorkService)
    actor = actor or await work.actor(caller, tool, _told(asked), ConversationId(asked.session_id), asked.agent)
    return work, actor, await work.efforts.meant(asked.id, actor)


async def start(asked: StartEffort, caller: Caller, actor: Actor | None = None) -> EffortResult:
    _may(caller)
    work = caller.services.get(WorkService)
    actor = actor or await work.actor(
        caller, "effort_start", _told(asked), ConversationId(asked.session_id), asked.agent
    )
    wanted = await work.wanted(
        asked.skill,
        actor,
        folder=asked.task,
        mode=asked.mode,
        title=asked.title,
        keywords=asked.keywords,
        heartbeat=asked.heartbeat,
        replace=asked.replace,
    )
    if caller.is_agent and not await asyncio.to_thread(lies_in, wanted.dir_path, await work.worktree(actor)):
        raise Invalid(f"{wanted.dir_path} is not in your worktree. Nothing was started: ask the user to start it.")
    effort = await work.starting.start(wanted, actor)
    work.note_effort(caller.services, effort)
    return results.effort(effort, work.live, f"Started {rules.titled(effort)}.")


async def enter_phase(asked: EnterPhase, caller: Caller, actor: Actor | None = None) -> EffortResult:
    _may(caller)
    work, actor, effort = await _meant("effort_phase", asked, caller, actor)
    changed = await work.efforts.enter(effort, asked.phase, asked.reason, asked.proof, actor)
    work.note_effort(caller.services, changed)
    return results.effort(changed, work.live, f"Phase {changed.phase}.")


async def add_log(asked: AddLog, caller: Caller, actor: Actor | None = None) -> EffortResult:
    work, actor, effort = await _meant("effort_log", asked, caller, actor)
    kind = rules.document_kind(work.ground.clean(asked.artifact)) if asked.artifact else ""
    if kind == LOG:
        kind = ""
    if caller.is_paused and caller.is_agent:
        await work.efforts.rest(effort, actor)
        said = f"{PAUSED} The heartbeat was reset."
    else:
        await work.efforts.log(effort, asked.text, actor, kind)
        said = f"Logged in {rules.artifact_name(effort, kind or LOG)}."
    work.note_effort(caller.services, effort)
    return results.effort(effort, work.live, said)


async def dehydrate(asked: DehydrateEffort, caller: Caller, actor: Actor | None = None) -> EffortResult:
    _may(caller)
    work, actor, effort = await _meant("effort_dehydrate", asked, caller, actor)
    await work.efforts.dehydrate(effort, asked.text, asked.steps, asked.files, actor)
    work.note_effort(caller.services, effort)
    if actor.conversation and not actor.agent_id:
        caller.services.get(ProgressBoard).note(ConversationId(actor.conversation), handed_over=True)
    return results.effort(effort, work.live, "The next window of this effort is given it back.")


async def finish(asked: Finish, caller: Caller, actor: Actor | None = None) -> EffortResult:
    _may(caller)
    work, actor, effort = await _meant("effort_finish", asked, caller, actor)
    windows = list(work.live.of_effort(effort.id))
    done = await work.efforts.finish(effort, asked.text, actor)
    for window in windows:
        work.note(caller.services, window.conversation, window.agent_id)
    said = " ".join(filter(None, (f"Finished {rules.titled(done)}.", wording.next_skills(done))))
    return results.effort(done, work.live, said)


async def list_efforts(asked: ListEfforts, caller: Caller) -> list[EffortResult]:
    work = caller.services.get(WorkService)
    await work.ready()
    project = await _project(asked.project_id, caller)
    if project is None:
        return []
    lifecycle = "" if asked.all else "active"
    found = await work.ground.store.read(
        lambda reader: tables.efforts(reader, work.owner, project_id=project, lifecycle=lifecycle, limit=asked.limit)
    )
    return [results.effort(each, work.live) for each in found]


async def show_effort(asked: ShowEffort, caller: Caller, actor: Actor | None = None) -> Whole:
    work, actor, effort = await _meant("effort_show", asked, caller, actor)

    def look(reader: Reader) -> tuple[Any, Any]:
        return tables.entries(reader, effort.id, _MOST), tables.windows_of(reader, effort.id)

    entries, windows = await work.ground.store.read(look)
    documents = await work.efforts.documents(effort)
    written: list[str] = []
    if asked.write:
        if caller.is_agent and asked.write != ".":
            raise Invalid("An agent writes documents into the task's folder only: give `.`.")
        folder = effort.dir_path if asked.write == "." else asked.write
        if caller.is_agent and not lies_in(folder, await work.worktree(actor)):
            raise Invalid(f"{folder} is not in your worktree. Nothing was written: ask the user to write it.")
        written = await asyncio.to_thread(write, folder, documents)
    return Whole(
        **results.fields(effort, work.live),
        entries=[results.entry(each) for each in entries],
        documents=list(documents),
        written=written,
        loaded_files=list(effort.loaded_files),
        directives=list(effort.directives),
        windows=[
            {
                "window_id": each.window_id,
                "session_id": each.conversation,
                "agent_id": each.agent_id,
                "prev_window_id": each.prev_window_id,
                "heartbeat": each.heartbeat,
                "ended": bool(each.ended_at),
            }
            for each in windows
        ],
    )


async def list_tasks(asked: ListTasks, caller: Caller) -> list[TaskShown]:
    work = caller.services.get(WorkService)
    project = await _project(asked.project_id, caller)
    if project is None:
        return []
    found = await work.ground.store.read(lambda reader: tables.tasks(reader, work.owner, project, asked.limit))
    return [results.task(row) for row in found]


async def list_messages(asked: ListMessages, caller: Caller) -> list[MessageShown]:
    work = caller.services.get(WorkService)
    project = await _project(asked.project_id, caller)
    if project is None:
        return []
    found = await work.ground.store.read(
        lambda reader: tables.messages(
            reader,
            work.owner,
            project_id=project,
            conversation=ConversationId(asked.session_id),
            kind=asked.kind,
            limit=asked.limit,
        )
    )
    return [results.message(each) for each in found]


async def register_agent(asked: RegisterAgent, caller: Caller) -> dict[str, str]:
    """An agent with a name, and who coordinates it. A circle of coordinators is refused."""
    _may(caller)
    work = caller.services.get(WorkService)
    actor = await work.actor(caller)
    clean = work.ground.clean
    name, parent = (fitting(clean(each)) for each in (asked.name, asked.parent))
    if not name or bool(parent) != bool(asked.parent.strip()):
        raise Invalid("The name of an agent is one line of at most 128 printable characters.")

    def put(tx: Any) -> None:
        parents = {agent.name: agent.parent for agent in tables.agents(tx, work.owner)}
        if rules.cycle(name, parent, parents):
            raise Invalid(f"{parent} is coordinated by {name}: an agent cannot be above itself.")
        if caller.is_agent and not rules.may_register(caller.agent_name, name, parent, parents.get(name, "")):
            raise Invalid("An agent names itself, or one that it coordinates and nobody else does.")
        tables.put_agent(tx, work.owner, name, actor.project_id, caller.now(), label=clean(asked.label), parent=parent)

    await work.ground.store.write(put)
    return {"name": name, "parent": parent, "label": asked.label}


async def _project(named: str, caller: Caller) -> str | None:
    """The id of the project that is meant; '' for all, None for a folder where nothing ever happened."""
    if named == "all":
        return ""
    if named:
        return await caller.services.get(WorkService).ground.items.project(named)
    return None if caller.is_nowhere else caller.project_id


async def effort(asked: EffortCall, caller: Caller) -> Any:
    """The agents' one tool: hands on to the tool of the action."""
    actor = await caller.services.get(WorkService).actor(caller, "effort", _told(asked))
    match asked.action:
        case "start":
            return await start(StartEffort(asked.text), caller, actor)
        case "phase":
            reason, proof = rules.noted(asked.note)
            return await enter_phase(EnterPhase(phase=asked.text, reason=reason, proof=proof), caller, actor)
        case "log":
            return await add_log(AddLog(text=asked.text, artifact=asked.note), caller, actor)
        case "dehydrate":
            left = DehydrateEffort(text=asked.text, files=asked.files)
            return await dehydrate(left, caller, actor)
        case "finish":
            return await finish(Finish(text=asked.text), caller, actor)
        case "show":
            return await show_effort(ShowEffort(), caller, actor)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "effort",
        "Your effort: phases and a log.",
        EffortCall,
        effort,
        changes=True,
        in_pause=True,
    ),
    Tool(
        "effort_start",
        "Start an effort: one run of a skill on a task.",
        StartEffort,
        start,
        changes=True,
        for_agents=False,
        verb=Verb(
            "effort start",
            "effort start implement --title 'the parser' --heartbeat block",
            help="The skill's front matter, or effort.toml beside it, names its phases.",
            lines=verbs.said,
        ),
    ),
    Tool(
        "effort_phase",
        "Enter a phase of the effort.",
        EnterPhase,
        enter_phase,
        changes=True,
        for_agents=False,
        verb=Verb(
            "effort phase",
            "effort phase Build --proof plan=reviewed",
            help="Phases are entered in order. A jump needs a reason.",
            lines=verbs.said,
        ),
    ),
    Tool(
        "effort_log",
        "Add to the effort's log; this resets its heartbeat.",
        AddLog,
        add_log,
        changes=True,
        in_pause=True,
        for_agents=False,
        verb=Verb("effort log", "effort log 'the parser reads numbers'", lines=verbs.said, joined=True),
    ),
    Tool(
        "effort_dehydrate",
        "Leave a hand-over for the effort's next window; it is given back once.",
        DehydrateEffort,
        dehydrate,
        changes=True,
        for_agents=False,
        verb=Verb(
            "effort dehydrate",
            "effort dehydrate 'parser done' --step 'write the printer' --file src/parse.py",
            lines=verbs.said,
            options={"steps": "--step", "files": "--file"},
        ),
    ),
    Tool(
        "effort_finish",
        "Finish the effort; the skills that may follow are named.",
        Finish,
        finish,
        changes=True,
        for_agents=False,
        verb=Verb("effort finish", "effort finish --text 'merged'", lines=verbs.said),
    ),
    Tool(
        "effort_list",
        "Active efforts of this project, the newest first.",
        ListEfforts,
        list_efforts,
        for_agents=False,
        verb=Verb(
            "effort list",
            "effort list --all",
            lines=verbs.efforts,
            empty=none_found("effort", "`holdfast effort start SKILL` starts one."),
        ),
    ),
    Tool(
        "effort_show",
        "One effort: phase, log, documents, windows.",
        ShowEffort,
        show_effort,
        for_agents=False,
        verb=Verb(
            "effort show",
            "effort show 3fa9c21b --write .",
            help="Documents are named by ordinal, such as 1_BRAINSTORM_LOG.md.",
            lines=verbs.shown,
            places=("id",),
        ),
    ),
    Tool(
        "task_list",
        "Tasks: folders in which efforts are made.",
        ListTasks,
        list_tasks,
        for_agents=False,
        verb=Verb(
            "task list",
            "task list",
            lines=verbs.tasks,
            empty=none_found("task", "`holdfast effort start SKILL` makes one of the current folder."),
        ),
    ),
    Tool("message_list", "Dialogue, failures and signals of agents.", ListMessages, list_messages, for_agents=False),
    Tool(
        "agent_register",
        "Name an agent and the one that coordinates it.",
        RegisterAgent,
        register_agent,
        changes=True,
        for_agents=False,
    ),
)
