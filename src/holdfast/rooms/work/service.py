"""What hooks, tools and RPC ask of this room, in one place."""

from __future__ import annotations

import asyncio
import os
import shlex
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from holdfast.events.announced import Announced
from holdfast.events.caller import Caller
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene, Services
from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.items.service import Items
from holdfast.paths import claude_config_dir
from holdfast.rooms.room import Ground
from holdfast.rooms.work import rules, tables
from holdfast.rooms.work.delivery.documents import LOG
from holdfast.rooms.work.efforts.life import Efforts
from holdfast.rooms.work.efforts.live import LiveEfforts
from holdfast.rooms.work.efforts.starting import Actor, Starting, WantedEffort
from holdfast.rooms.work.errors import Invalid
from holdfast.rooms.work.model import Effort, Heartbeat, SkillConfig
from holdfast.rooms.work.rpc.outcomes import Outcomes
from holdfast.rooms.work.settings import Settings
from holdfast.rooms.work.skills.finding import Skills, config_dir_of
from holdfast.sender import fitting
from holdfast.store.interface import Reader

Reads = Callable[[Callable[[Reader], Any]], Awaitable[Any]]
_LONGEST_SKILL = 120
_LOOK_SECONDS = 2.0
_MOST_READS = 5
_MODES: Mapping[str, Heartbeat] = {"off": "off", "warn": "warn", "block": "block"}


class WorkService:
    """The work of one owner."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.owner = ground.owner
        self.settings = ground.chosen(Settings)
        self.is_shared = ground.store.kind == "postgresql"
        """Other daemons may work on the same efforts."""
        self.live = LiveEfforts(f"{socket.gethostname()}:{ground.folder.parent}" if self.is_shared else "")
        self.starting = Starting(ground, self.live)
        self.efforts = Efforts(ground, self.live)
        self.skills = Skills()
        self.outcomes = Outcomes()
        self._loading = asyncio.Lock()
        self._looked_at = -_LOOK_SECONDS
        self._state: Any = None

    @property
    def is_idle(self) -> bool:
        """Is it known that no effort is active? On a shared store another daemon may have started one since."""
        return self.live.is_idle and not self._is_due()

    def _is_due(self) -> bool:
        return self.is_shared and time.monotonic() - self._looked_at >= _LOOK_SECONDS

    async def ready(self, read: Reads | None = None) -> LiveEfforts:
        """What the store knows of active efforts, read once: who asks meanwhile waits for the same answer. On a shared
        store it is looked at again, not more often than every few seconds, and read where it changed."""
        if not self.live.is_loaded or self._is_due():
            async with self._loading:
                if not self.live.is_loaded or (self._is_due() and await self._has_changed(read)):
                    await self.reload(read)
        return self.live

    async def _has_changed(self, read: Reads | None) -> bool:
        state = await (read or self.ground.store.read)(lambda reader: tables.state(reader, self.owner))
        self._looked_at = time.monotonic()
        before, self._state = self._state, state
        return bool(state != before)

    async def reload(self, read: Reads | None = None) -> None:
        """Read what the store holds. What changed here meanwhile is newer than what was read: then it is read again."""

        def look(reader: Reader) -> tuple[Any, Any, Any, Any]:
            active = tables.efforts(reader, self.owner, lifecycle="active", limit=tables.MOST_READ)
            pending, documents = tables.all_pending(reader, self.owner), tables.active_artifacts(reader, self.owner)
            return active, tables.windows(reader, self.owner), pending, documents

        for _ in range(_MOST_READS):
            changes = self.live.changes
            found = await (read or self.ground.store.read)(look)
            if changes == self.live.changes:
                break
        self.live.load(*found)

    def forget(self) -> None:
        """Something was forgotten: read everything again at the next event."""
        self.live.is_loaded = False
        for window in self.live.windows.values():
            window.loaded.clear()
            window.looked_in.clear()

    # --- skills

    async def config(self, skill: str, folder: str, root: str, transcript: str = "") -> SkillConfig:
        """What a skill says of its efforts, read from its file."""
        config_dir = config_dir_of(transcript) or str(claude_config_dir())

        def read() -> SkillConfig:
            found = self.skills.config(skill, folder, root, config_dir)
            return msgspec.convert(self.ground.clean(msgspec.to_builtins(found)), SkillConfig)

        return await asyncio.to_thread(read)

    # --- who acts

    async def actor(
        self,
        caller: Caller,
        tool: str = "",
        arguments: Mapping[str, Any] | None = None,
        conversation: ConversationId = NO_CONVERSATION,
        agent: str = "",
    ) -> Actor:
        """Who calls: the conversation and agent that the call names, or that announced it."""
        await self.ready()
        if caller.is_agent and caller.conversation:
            if conversation and conversation != caller.conversation:
                raise Invalid("An agent acts for its own session only; nothing was changed.")
            if agent and fitting(self.ground.clean(agent)) != caller.agent_name:
                raise Invalid("An agent acts under its own name only (AGENT_ID); nothing was changed.")
        named = conversation or caller.conversation
        agent_id, project = "", ""
        if caller.is_agent and tool:
            note = caller.services.get(Announced).who(tool, arguments or {}, named, caller.now())
            if note is not None:
                named, agent_id, project = note.conversation, note.agent_id, note.project_id
        if not project:
            _, project = await self.ground.store.read(lambda reader: tables.current_window(reader, self.owner, named))
        return Actor(
            conversation=named,
            agent_id=agent_id,
            agent=fitting(self.ground.clean(agent)) if agent else caller.agent_name,
            project_id=project or await caller.services.get(Items).project_of(caller),
            folder=caller.folder,
            is_agent=caller.is_agent,
        )

    async def wanted(
        self,
        skill: str,
        actor: Actor,
        *,
        folder: str = "",
        mode: str = "",
        title: str = "",
        keywords: str = "",
        heartbeat: str = "",
        replace: bool = False,
    ) -> WantedEffort:
        """What an effort is started with; the skill's file says the rest."""
        name = self.ground.clean(skill.strip().removeprefix("/"))
        if not name or len(name) > _LONGEST_SKILL or not name.isprintable():
            raise Invalid("Name the skill that the effort runs, such as `implement`.")
        if heartbeat and heartbeat not in _MODES:
            raise Invalid(f"heartbeat is one of {', '.join(_MODES)}.")
        root = await self.root(actor)
        given = folder.strip()
        if given and not Path(given).is_absolute():
            given = str(Path(actor.folder or root or "/") / given)
        task = given or root or actor.folder
        if not task:
            raise Invalid("Name the folder of the task: it is not known where you are.")
        return WantedEffort(
            skill=name,
            config=await self.config(name, actor.folder or task, root),
            dir_path=str(Path(task)),
            mode=self.ground.clean(mode.strip())[:_LONGEST_SKILL],
            title=self.ground.clean(title.strip())[:500],
            keywords=self.ground.clean(keywords.strip())[:500],
            heartbeat=_MODES.get(heartbeat, ""),
            replace=replace,
        )

    async def root(self, actor: Actor) -> str:
        """The folder of the actor's worktree, or of its project."""
        folder = os.path.realpath(actor.folder) if actor.folder else ""
        found = await self.ground.store.read(
            lambda reader: tables.root_of(reader, self.owner, actor.conversation, actor.project_id, folder)
        )
        return found or actor.folder

    async def worktree(self, actor: Actor) -> str:
        """The folder in which an agent may have files read and written: that of its session, wherever it stands."""
        inside = replace(actor, folder="") if actor.conversation else actor
        return await self.root(inside) or await self.root(actor)

    # --- what others read

    def note(self, services: Services, conversation: ConversationId, agent_id: str = "") -> None:
        """Put effort, phase and heartbeat of a conversation on the board, for the status line and for guards."""
        board = services.get(ProgressBoard)
        found = self.live.window_of(conversation, agent_id)
        who = ConversationId(conversation)
        if found is None:
            board.note(who, agent_id, effort="", phase="", documents=(), heartbeat=None)
            return
        effort, window = found
        counted = window.heartbeat if effort.heartbeat != "off" else None
        about = {"effort": effort.skill, "phase": effort.phase, "documents": self.documents(effort)}
        board.note(who, agent_id, heartbeat=counted, **about)

    def documents(self, effort: Effort) -> tuple[str, ...]:
        """The names of an effort's documents."""
        return tuple(rules.artifact_name(effort, kind) for kind in (LOG, *self.live.documents.get(effort.id, ())))

    def note_effort(self, services: Services, effort: Effort) -> None:
        """The same for every window of an effort."""
        for window in list(self.live.of_effort(effort.id)):
            self.note(services, window.conversation, window.agent_id)

    def command(self, scene: Scene) -> str:
        """How an agent calls holdfast in its shell."""
        if scene.has_command:
            return "holdfast"
        program = Path(sys.executable).with_name("holdfast")
        return f"{shlex.quote(str(program))} --home {shlex.quote(str(self.ground.folder.parent))}"
