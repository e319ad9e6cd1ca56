"""The start of an effort: its task, its first phase, and what waits for its agent from then on."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import Literal

from holdfast.events.tokens import fit_tokens
from holdfast.ids import NO_CONVERSATION, NO_WINDOW, ConversationId, WindowId, new_id
from holdfast.rooms.room import Ground
from holdfast.rooms.work import tables
from holdfast.rooms.work.efforts.live import LiveEfforts, LiveWindow
from holdfast.rooms.work.errors import Invalid, NotFound
from holdfast.rooms.work.model import Effort, EntryKind, Heartbeat, LogEntry, Pending, Phase, SkillConfig
from holdfast.store.interface import Tx

GIVEN_TOKENS, GIVEN_LENGTH = 700, 3_500
"""The longest text that waits for an agent."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts on an effort: one agent of one conversation, an agent with a name, or a person."""

    conversation: ConversationId = NO_CONVERSATION
    agent_id: str = ""
    agent: str = ""
    """`AGENT_ID`."""
    project_id: str = ""
    folder: str = ""
    is_agent: bool = False
    process: int = 0


@dataclass(frozen=True, slots=True)
class WantedEffort:
    """What an effort is started with."""

    skill: str
    config: SkillConfig
    dir_path: str
    mode: str = ""
    title: str = ""
    keywords: str = ""
    heartbeat: Heartbeat | Literal[""] = ""
    replace: bool = False
    """Finish the effort that this agent works on. Without it that is a failure."""


@dataclass(frozen=True, slots=True)
class EffortStarted:
    """An effort that was started, for the memory of it."""

    effort: Effort
    ended: str | None
    """The effort that ended for it."""
    window_id: WindowId
    actor: Actor
    queue: tuple[Pending, ...]
    at: int


class Starting:
    """Starts efforts of one owner."""

    def __init__(self, ground: Ground, live: LiveEfforts) -> None:
        self._ground = ground
        self._live = live

    async def start(self, wanted: WantedEffort, actor: Actor) -> Effort:
        """Begin an effort in its first phase."""
        config = wanted.config
        if wanted.mode and config.modes and wanted.mode not in config.modes:
            raise Invalid(f"{wanted.skill} has no mode {wanted.mode!r}. Its modes: {', '.join(config.modes)}.")
        if not await asyncio.to_thread(os.path.isdir, wanted.dir_path):
            raise NotFound(f"There is no folder {wanted.dir_path}. Nothing was started.")
        at = self._ground.now()
        made = await self._ground.store.write(lambda tx: self.start_in(tx, wanted, actor, at))
        self.started(made)
        return made.effort

    def start_in(
        self, tx: Tx, wanted: WantedEffort, actor: Actor, at: int, window_id: WindowId = NO_WINDOW
    ) -> EffortStarted:
        """The same inside a transaction; `started` takes it into memory after the commit."""
        owner = self._ground.owner
        window_id = window_id or tables.current_window(tx, owner, actor.conversation, "")[0]
        ended = self._make_way(tx, wanted, actor, at)
        effort = self._put_new(tx, wanted, actor, at)
        first = next(iter(wanted.config.phases), None)
        if first:
            tables.put_entry(tx, entry_of(effort, "phase", "", actor, at))
        if actor.agent:
            tables.put_agent(tx, owner, actor.agent, actor.project_id, at)
        queue = queued(effort, first, at, config=True)
        tables.put_pending(tx, queue)
        if window_id:
            talk, process, home = actor.conversation, actor.process, self._live.home
            tables.open_window(tx, effort.id, window_id, talk, "", before="", process=process, home=home, at=at)
        return EffortStarted(effort, ended, window_id, actor, tuple(queue), at)

    def _make_way(self, tx: Tx, wanted: WantedEffort, actor: Actor, at: int) -> str | None:
        """Finish the agent's active effort, if the new one may replace it: its id."""
        owner = self._ground.owner
        present = tables.active_of(tx, owner, actor.conversation) or _named_effort(tx, owner, actor)
        if present is None:
            return None
        if not wanted.replace or actor.agent_id:
            raise Invalid(
                f"Effort {present.id[-8:]} ({present.skill}) is active. One agent has one: finish it first with "
                f"`holdfast effort finish`."
            )
        tables.finish(tx, present.id, at)
        tables.put_entry(tx, entry_of(present, "finish", f"{wanted.skill} was started", actor, at))
        return present.id

    def _put_new(self, tx: Tx, wanted: WantedEffort, actor: Actor, at: int) -> Effort:
        """Write the effort, in its task; a folder where no task was begins one."""
        owner, folder = self._ground.owner, wanted.dir_path
        title = wanted.title or os.path.basename(folder)
        task = tables.task_at(tx, owner, actor.project_id, folder, title, wanted.keywords, at)
        first = next(iter(wanted.config.phases), None)
        effort = Effort(
            id=new_id(at),
            project_id=actor.project_id,
            task_id=task.id,
            agent=actor.agent,
            skill=wanted.skill,
            mode=wanted.mode or next(iter(wanted.config.modes), ""),
            title=wanted.title,
            ordinal=tables.next_ordinal(tx, task.id),
            lifecycle="active",
            phase=first.label if first else "",
            heartbeat=wanted.heartbeat or wanted.config.heartbeat,
            config=wanted.config,
            directives=(),
            loaded_files=(),
            started_at=at,
            updated_at=at,
            finished_at=0,
            dir_path=task.dir_path,
        )
        tables.put_effort(tx, effort, owner)
        return effort

    def started(self, made: EffortStarted) -> None:
        """An effort was started and committed: take it into memory."""
        if made.ended:
            self._live.drop(made.ended)
        self._live.put(made.effort)
        self._live.wait(made.queue)
        if made.window_id:
            actor = made.actor
            window = LiveWindow(made.effort.id, made.window_id, actor.conversation, process=actor.process)
            window.seen_at = made.at
            self._live.open(window)


def _named_effort(tx: Tx, owner: str, actor: Actor) -> Effort | None:
    if not actor.agent:
        return None
    found = tables.efforts(tx, owner, project_id=actor.project_id, lifecycle="active")
    return next((effort for effort in found if effort.agent == actor.agent), None)


def queued(effort: Effort, phase: Phase | None, at: int, *, config: bool = False) -> list[Pending]:
    """What entering a phase brings: its commands and directives as one text, its templates as files to read. `config`
    adds those of the skill itself."""
    skill = effort.config
    commands = [*(skill.commands if config else ()), *(phase.commands if phase else ())]
    directives = [*(skill.directives if config else ()), *(phase.directives if phase else ())]
    templates = [*(skill.templates if config else ()), *(phase.templates if phase else ())]
    lines = [*directives, *(["Commands:"] if commands else []), *(f"- `{command}`" for command in commands)]
    items = []
    if lines:
        head = f"{effort.skill} #{effort.ordinal}{f', phase {phase.label}' if phase else ''}, as the skill says:"
        text = fit_tokens("\n".join([head, *lines]), GIVEN_TOKENS)[:GIVEN_LENGTH]
        items.append(
            Pending(new_id(at), effort.id, "", "skill" if skill.from_repository else "injection", "", text, at)
        )
    preload = (*(skill.preload if config else ()), *templates)
    items += [Pending(new_id(at), effort.id, "", "preload", path, "", at) for path in dict.fromkeys(preload)]
    return items


def entry_of(effort: Effort, kind: EntryKind, text: str, actor: Actor, at: int, proof: str = "") -> LogEntry:
    """A new entry of an effort's log."""
    return LogEntry(new_id(at), effort.id, kind, effort.phase, text, at, actor.conversation, actor.agent_id, proof)
