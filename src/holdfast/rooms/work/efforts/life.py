"""The life of an effort in the store: phases, log, hand-over, end. Every change is one transaction.

What is held in memory (`live.py`) changes after the commit, never before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from holdfast.events.tokens import fit_tokens
from holdfast.ids import new_id
from holdfast.rooms.room import Ground
from holdfast.rooms.work import tables
from holdfast.rooms.work.delivery import documents
from holdfast.rooms.work.efforts import phases
from holdfast.rooms.work.efforts.live import LiveEfforts, LiveWindow
from holdfast.rooms.work.efforts.starting import GIVEN_LENGTH, GIVEN_TOKENS, Actor, entry_of, queued
from holdfast.rooms.work.errors import AlreadyEnded, EffortFinished, Invalid, NotFound
from holdfast.rooms.work.model import Effort, LogEntry, Pending
from holdfast.store.interface import Reader, Tx

_T = TypeVar("_T")
LONGEST_TEXT = 20_000
_MOST_ENTRIES = 2_000
_MOST_DOCUMENTS = 50
_LONGEST_PATH = 4_096


class Efforts:
    """The efforts of one owner that are under way."""

    def __init__(self, ground: Ground, live: LiveEfforts) -> None:
        self._ground = ground
        self._live = live

    # --- finding

    async def meant(self, named: str, actor: Actor) -> Effort:
        """The effort that is meant: by its id, else the one that this actor works on."""
        owner = self._ground.owner
        if named:
            found = await self._ground.store.read(lambda reader: tables.effort(reader, owner, named.strip()))
            if found is None:
                raise NotFound(f"There is no effort {named}. `holdfast effort list` names them.")
            self._may(found, actor)
            return found
        effort = self._live.effort_of(actor.conversation) if actor.conversation else None
        if effort is None and actor.agent:
            effort = self._live.of_agent(actor.agent, actor.project_id)
        if effort is None and not actor.agent:
            here = [each for each in self._live.efforts.values() if each.project_id == actor.project_id]
            if actor.is_agent and actor.conversation:
                now = self._ground.now()
                free = self._live.free_in(actor.project_id, now)
                here = [free] if free else []
            if len(here) > 1:
                raise Invalid("Several efforts are active here. Give the id: `holdfast effort list` names them.")
            effort = here[0] if here else None
        if effort is None:
            raise NotFound("No effort is active here. `holdfast effort start SKILL` starts one.")
        return effort

    def _may(self, effort: Effort, actor: Actor) -> None:
        """An agent works on its own effort only. A person may work on every one."""
        if effort.agent and actor.agent and effort.agent != actor.agent:
            raise Invalid(f"Effort {effort.id[-8:]} belongs to the agent {effort.agent}, not to {actor.agent}.")
        if not actor.is_agent or not actor.conversation or (actor.agent and effort.agent == actor.agent):
            return
        now = self._ground.now()
        holders = [w for w in self._live.of_effort(effort.id) if self._live.is_held(w, now)]
        if holders and all(window.conversation != actor.conversation for window in holders):
            raise Invalid(f"Another session works on effort {effort.id[-8:]}. Work on your own.")

    # --- the course of it

    async def enter(self, effort: Effort, asked: str, reason: str, proof: Sequence[str], actor: Actor) -> Effort:
        """Enter a phase."""
        clean, at = self._ground.clean, self._ground.now()
        reason, asked = clean(_bounded(reason)), clean(asked)
        shown = clean(_bounded("\n".join(proof)))
        window = self._window(effort, actor)

        def write(tx: Tx) -> tuple[Effort, list[Pending], int]:
            now = self._fresh(tx, effort)
            phase = phases.enter(now.config.phases, now.phase, asked, reason, proof)
            if phase.label == now.phase:
                return now, [], 0
            changed = msgspec.structs.replace(now, phase=phase.label, updated_at=at)
            tables.set_phase(tx, now.id, phase.label, at)
            tables.put_entry(tx, entry_of(changed, "phase", reason, actor, at, proof=shown))
            queue = queued(changed, phase, at)
            tables.put_pending(tx, queue)
            return changed, queue, self._logged(tx, changed, window, at)

        changed, queue, order = await self._changed(effort, write)
        self._live.renew(changed)
        self._live.wait(queue)
        if window is not None and order:
            self._reset(effort, window, order, at)
        return changed

    async def log(self, effort: Effort, text: str, actor: Actor, artifact: str = "") -> LogEntry:
        """Add to the log, or write a document; either resets the heartbeat of the one who wrote."""
        if not text.strip():
            raise Invalid("Say what was done: the text is empty.")
        words, at = self._ground.clean(_bounded(text)), self._ground.now()
        kinds = self._live.documents.get(effort.id, ())
        if artifact and artifact not in kinds and len(kinds) >= _MOST_DOCUMENTS:
            raise Invalid(f"An effort has at most {_MOST_DOCUMENTS} documents besides its log. Write into one of them.")
        window = self._window(effort, actor)

        def write(tx: Tx) -> tuple[LogEntry, int]:
            now = self._fresh(tx, effort)
            said = words if not artifact else f"{artifact} was written."
            entry = entry_of(now, "log", said, actor, at)
            tables.put_entry(tx, entry)
            if artifact:
                tables.put_artifact(tx, now.id, artifact, words, at)
            return entry, self._logged(tx, now, window, at)

        entry, order = await self._changed(effort, write)
        if artifact:
            self._live.document(effort.id, artifact)
        if window is not None and order:
            self._reset(effort, window, order, at)
        return entry

    async def rest(self, effort: Effort, actor: Actor) -> None:
        """Reset the heartbeat without a word: recording is paused."""
        window, at = self._window(effort, actor), self._ground.now()
        if window is not None:
            order = await self._ground.store.write(lambda tx: self._logged(tx, effort, window, at))
            self._reset(effort, window, order, at)

    async def dehydrate(
        self, effort: Effort, text: str, steps: Sequence[str], files: Sequence[str], actor: Actor
    ) -> str:
        """Leave a hand-over for the effort's next window: words, steps, and files to read first."""
        if not text.strip() and not steps:
            raise Invalid("Say what the next window must know: the text is empty.")
        clean, at = self._ground.clean, self._ground.now()
        lines = [text, *(f"- {step}" for step in steps)]
        whole = clean(_bounded("\n".join(line for line in lines if line)))
        if any(len(path) > _LONGEST_PATH for path in files):
            raise Invalid(f"A path has at most {_LONGEST_PATH:,} characters.")
        window = self._window(effort, actor)
        main = self._live.window_of(actor.conversation) if actor.agent_id else None
        not_in = main[1].window_id if main else window.window_id if window else ""
        short = fit_tokens(whole, GIVEN_TOKENS)[:GIVEN_LENGTH]
        more = f"\n(`holdfast effort show {effort.id[-8:]}` has all of it.)" if len(short) < len(whole) else ""
        items = [Pending(new_id(at), effort.id, not_in, "handover", "", f"{short}{more}", at)]
        items += [Pending(new_id(at), effort.id, not_in, "preload", clean(path), "", at) for path in files[:20]]

        def write(tx: Tx) -> int:
            now = self._fresh(tx, effort)
            if not actor.agent_id:  # what a subagent leaves comes beside what its parent left
                tables.drop_handovers(tx, now.id)
            tables.put_pending(tx, items)
            tables.put_entry(tx, entry_of(now, "dehydrate", whole, actor, at))
            return self._logged(tx, now, window, at)

        order = await self._changed(effort, write)
        waiting = [each for each in self._live.pending.get(effort.id, []) if actor.agent_id or not each.not_in]
        self._live.pending[effort.id] = waiting
        self._live.wait(items)
        if window is not None:
            self._reset(effort, window, order, at)
        return whole

    async def finish(self, effort: Effort, text: str, actor: Actor) -> Effort:
        """End an effort."""
        if actor.agent_id:
            raise Invalid("A subagent does not finish the effort of its parent. Say in your answer that it is done.")
        words, at = self._ground.clean(_bounded(text)), self._ground.now()

        def write(tx: Tx) -> Effort:
            try:
                now = self._fresh(tx, effort)
            except EffortFinished as error:
                raise AlreadyEnded(f"Effort {effort.id[-8:]} ({effort.skill}) was finished before.") from error
            tables.finish(tx, now.id, at)
            tables.put_entry(tx, entry_of(now, "finish", words, actor, at))
            return msgspec.structs.replace(now, lifecycle="finished", finished_at=at, updated_at=at)

        done = await self._changed(effort, write)
        self._live.drop(done.id)
        return done

    async def documents(self, effort: Effort) -> dict[str, str]:
        """Its documents by file name."""

        def look(reader: Reader) -> dict[str, str]:
            entries = tables.entries(reader, effort.id, _MOST_ENTRIES)
            return documents.documents(effort, entries, tables.artifacts(reader, effort.id))

        return await self._ground.store.read(look)

    # --- inside

    async def _changed(self, effort: Effort, write: Callable[[Tx], _T]) -> _T:
        """Write; an effort that turns out to be finished or gone is dropped from memory, so that it holds nobody."""
        try:
            return await self._ground.store.write(write)
        except (NotFound, EffortFinished, AlreadyEnded):
            self._live.drop(effort.id)
            raise

    def _fresh(self, tx: Tx, effort: Effort) -> Effort:
        """The effort as it is now; one that is finished changes no more."""
        now = tables.effort(tx, self._ground.owner, effort.id)
        if now is None:
            raise NotFound(f"Effort {effort.id[-8:]} is gone.")
        if not now.is_active:
            raise EffortFinished(f"Effort {now.id[-8:]} ({now.skill}) is finished. Start another one.")
        return now

    def _window(self, effort: Effort, actor: Actor) -> LiveWindow | None:
        """The window whose heartbeat this actor's words reset: its own; of someone without one, the newest."""
        own = self._live.window_of(actor.conversation, actor.agent_id) if actor.conversation else None
        if own is not None and own[0].id == effort.id:
            return own[1]
        if actor.conversation:
            return None
        windows = [window for window in self._live.of_effort(effort.id) if not window.agent_id]
        return max(windows, key=lambda window: window.seen_at, default=None)

    def _reset(self, effort: Effort, window: LiveWindow, order: int, at: int) -> None:
        """What a parent logs counts for its subagents, too."""
        window.reset(order, at)
        for each in self._live.of_effort(effort.id):
            if not window.agent_id and each.agent_id and each.conversation == window.conversation:
                each.reset(order, at)

    def _logged(self, tx: Tx, effort: Effort, window: LiveWindow | None, at: int) -> int:
        if window is None:
            return 0
        tables.reset(tx, effort.id, window.window_id, at)
        if not window.agent_id:
            tables.reset_helpers(tx, effort.id, window.conversation, at)
        return self._live.next_order()


def _bounded(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise Invalid(f"A text has at most {LONGEST_TEXT:,} characters; this one has {len(text):,}.")
    return text
