"""What a script needs about efforts, tasks, messages and agents: the room's tools by their RPC names, in camelCase."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec import Struct, field

from holdfast.events.caller import Caller
from holdfast.events.method import Method, MethodEvent
from holdfast.ids import WindowId
from holdfast.rooms.work import results, tables, tools
from holdfast.rooms.work.errors import AlreadyEnded, NotFound
from holdfast.rooms.work.service import WorkService


class EffortShown(results.EffortResult, rename="camel", kw_only=True):
    """An effort. `effortId` is its `id`."""

    effort_id: str


class EffortWhole(results.Whole, rename="camel", kw_only=True):
    effort_id: str


class EffortList(Struct, kw_only=True):
    efforts: list[EffortShown]


class TaskTold(results.TaskShown, rename="camel", kw_only=True):
    """A task."""


class Tasks(Struct, kw_only=True):
    tasks: list[TaskTold]


class MessageTold(results.MessageShown, rename="camel", kw_only=True):
    """A message."""


class Messages(Struct, kw_only=True):
    messages: list[MessageTold]


class AgentTold(Struct, kw_only=True):
    name: str
    parent: str
    label: str


class FinishSession(Struct, kw_only=True):
    named: str = field(name="session_id")
    """A window's id, or the client's session id."""
    dehydrated_context: str = ""


class SessionFinished(Struct, rename="camel", kw_only=True):
    window_id: WindowId = field(name="sessionId")
    effort_id: str


def _shown(shown: results.EffortResult) -> EffortShown:
    return EffortShown(**msgspec.structs.asdict(shown), effort_id=shown.id)


def _whole(whole: results.Whole) -> EffortWhole:
    return EffortWhole(**msgspec.structs.asdict(whole), effort_id=whole.id)


def _efforts(found: list[results.EffortResult]) -> EffortList:
    return EffortList(efforts=[_shown(each) for each in found])


def _tasks(found: list[results.TaskShown]) -> Tasks:
    return Tasks(tasks=[TaskTold(**msgspec.structs.asdict(each)) for each in found])


def _messages(found: list[results.MessageShown]) -> Messages:
    return Messages(messages=[MessageTold(**msgspec.structs.asdict(each)) for each in found])


def _agent(told: dict[str, str]) -> AgentTold:
    return AgentTold(**told)


async def finish_session(asked: FinishSession, caller: Caller, travelled: MethodEvent) -> SessionFinished:
    """End a window, and leave a hand-over for the next one of its effort."""
    work = caller.services.get(WorkService)
    live = await work.ready()
    window = live.windows.get((asked.named, "")) or next(
        (each for each in live.windows.values() if each.window_id == asked.named), None
    )
    if window is None:
        raise NotFound(f"No window {asked.named} of an active effort is known.")
    if window.ended:
        raise AlreadyEnded(f"The window {window.window_id} ended before. Nothing was changed.")
    effort = live.efforts[window.effort_id]
    actor = await work.actor(caller, conversation=window.conversation)
    if asked.dehydrated_context.strip():
        await work.efforts.dehydrate(effort, asked.dehydrated_context, (), (), actor)
    at = caller.now()
    await work.ground.store.write(lambda tx: tables.end_window(tx, effort.id, window.window_id, at))
    window.ended = True
    return SessionFinished(window_id=window.window_id, effort_id=effort.id)


def _method(
    name: str,
    summary: str,
    asked: type[Struct],
    tool: Callable[[Any, Caller], Awaitable[Any]],
    shape: Callable[[Any], Struct],
    **more: Any,
) -> Method[Any]:
    """A tool as a method: what it returns, in the shape that `shape` gives it."""

    async def called(asked: Any, caller: Caller, travelled: MethodEvent) -> Struct:
        return shape(await tool(asked, caller))

    return Method(name, summary, asked, _RESULTS[shape], called, **more)


_RESULTS: dict[Callable[[Any], Struct], type[Struct]] = {
    _shown: EffortShown,
    _whole: EffortWhole,
    _efforts: EffortList,
    _tasks: Tasks,
    _messages: Messages,
    _agent: AgentTold,
}

EFFORTS: tuple[Method[Any], ...] = (
    _method("effort.start", "Start an effort.", tools.StartEffort, tools.start, _shown, changes=True),
    _method("effort.phase", "Enter a phase.", tools.EnterPhase, tools.enter_phase, _shown, changes=True),
    _method("effort.log", "Add to the log.", tools.AddLog, tools.add_log, _shown, changes=True, in_pause=True),
    _method(
        "effort.dehydrate",
        "Leave a hand-over for the next window.",
        tools.DehydrateEffort,
        tools.dehydrate,
        _shown,
        changes=True,
    ),
    _method("effort.finish", "Finish an effort.", tools.Finish, tools.finish, _shown, changes=True),
    _method("effort.list", "Active efforts.", tools.ListEfforts, tools.list_efforts, _efforts),
    _method("effort.show", "One effort.", tools.ShowEffort, tools.show_effort, _whole),
    _method("task.list", "Tasks.", tools.ListTasks, tools.list_tasks, _tasks),
    _method("message.list", "Messages.", tools.ListMessages, tools.list_messages, _messages),
    _method("agent.register", "Name an agent.", tools.RegisterAgent, tools.register_agent, _agent, changes=True),
    Method("session.finish", "End a window.", FinishSession, SessionFinished, finish_session, changes=True),
)
