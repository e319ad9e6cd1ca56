"""The life of GHAPs in the store: start, update, resolve, adopt, abandon; and what a session's end does to them.

Every change is one transaction on the row as it is then, so that two callers never overwrite each other. What the hooks
must know of an agent at every event (its GHAP, its counters) is kept in memory and read again after a change.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace

from holdfast.errors import HoldfastError, NothingFound, Refused, UsageError
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.ids import new_item_id
from holdfast.items.indexed import Author
from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import rules, tables
from holdfast.rooms.learning.index import LearningIndex
from holdfast.rooms.learning.model import EXPERIENCE, Compared, Ghap, LoopState, Resolution
from holdfast.rooms.learning.tables import Who
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx
from holdfast.times import DAY_US

log = logging.getLogger(__name__)
R = TypeVar("R")

KEPT_US = 7 * DAY_US
"""How long a GHAP waits to be adopted."""
_REGROUPED_AFTER = 120.0
"""Seconds after which experiences are grouped anew, so that several changes cost it once."""
_MOST_KNOWN = 4_096


@dataclass(slots=True)
class AgentKnown:
    """What the hooks know of one agent without asking the store."""

    ghap: Ghap | None
    state: LoopState


class Ghaps:
    """The GHAPs of one owner."""

    def __init__(self, ground: Ground, index: LearningIndex) -> None:
        self._ground = ground
        self._owner = ground.owner
        self._index = index
        self._known: OrderedDict[Who, AgentKnown] = OrderedDict()
        self._changes = 0
        self.is_grouped = True
        """False: a GHAP was resolved since experiences were grouped."""

    # --- what hooks know

    async def known(self, who: Who, scene: Scene) -> AgentKnown:
        """What is known of an agent: from memory, or read once."""
        found = self._known.get(who)
        if found is None:
            before = self._changes
            read: AgentKnown = await scene.read(lambda reader: self._read(reader, who))
            if before != self._changes:
                return read  # something was committed meanwhile: it is read again at the next event
            self._known[who] = found = read
            note_prediction(scene.services.get(ProgressBoard), who, found.ghap)
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)
        return found

    def at_hand(self, who: Who) -> AgentKnown | None:
        """What is known of an agent in memory alone."""
        return self._known.get(who)

    def _read(self, reader: Reader, who: Who) -> AgentKnown:
        return AgentKnown(tables.active(reader, who, self._owner), tables.state(reader, who, self._owner))

    def changed(self, *whose: Who) -> None:
        """The store says something else of these agents now."""
        self._changes += 1
        for who in whose:
            self._known.pop(who, None)

    def changed_all(self) -> None:
        """GHAPs may have been forgotten or imported."""
        self._changes += 1
        self._known.clear()

    def set_state(self, tx: Tx, who: Who, state: LoopState, at: int) -> None:
        tables.set_state(tx, who, state, at, self._owner)

    # --- what agents and people do

    async def start(self, who: Who, project_id: str, told: Mapping[str, str], trust: Author) -> Ghap:
        """Start a GHAP. An agent works on one at a time."""
        now = self._ground.now()
        clean = await self._cleaned(told, who, trust)
        ghap = Ghap(
            id=new_item_id(),
            project_id=project_id,
            conversation=who.conversation,
            agent_id=who.agent_id,
            goal=rules.text("goal", clean["goal"], required=True),
            hypothesis=rules.text("hypothesis", clean["hypothesis"], required=True),
            action=rules.text("action", clean["action"], required=True),
            prediction=rules.text("prediction", clean["prediction"], required=True),
            domain=rules.choice("domain", clean["domain"]),
            strategy=rules.choice("strategy", clean["strategy"]),
            iterations=1,
            history="",
            status="active",
            tier="",
            result="",
            surprise="",
            root_cause="",
            cause="",
            lesson="",
            notes=rules.text("notes", clean.get("notes", "")),
            captured="",
            captured_run="",
            auto_captured=0,
            trust=trust,
            created_at=now,
            updated_at=now,
            resolved_at=0,
            left_at=0,
        )

        def write(tx: Tx) -> None:
            tables.come_back(tx, who, self._owner)
            if there := tables.active(tx, who, self._owner):
                raise Refused(
                    f"An entry is active already: {rules.named(there)} (“{one_line(there.goal, 80)}”). Resolve it with "
                    "resolve_ghap, change it with update_ghap, or give it up with abandon_ghap. Nothing was started."
                )
            tables.write(tx, ghap, self._owner)
            tables.set_state(tx, who, replace(tables.state(tx, who, self._owner), calls=0, warned=0), now, self._owner)

        await self._write(write, who)
        return ghap

    async def update(self, who: Who, told: Mapping[str, str], notes: str, by: Author) -> Ghap:
        """Change the active GHAP of an agent."""
        now = self._ground.now()
        clean = await self._cleaned({**told, "notes": notes}, who, by)
        words = rules.text("notes", clean.pop("notes"))
        changes = {name: rules.text(name, value) for name, value in clean.items()}
        for name in ("domain", "strategy"):
            if changes.get(name):
                changes[name] = rules.choice(name, changes[name])

        def write(tx: Tx) -> Ghap:
            ghap = rules.spoken_by(rules.updated(self._mine(tx, who), changes, words, now), by)
            tables.rewrite(tx, ghap, self._owner)
            tables.set_state(tx, who, replace(tables.state(tx, who, self._owner), calls=0), now, self._owner)
            return ghap

        return await self._write(write, who)

    async def resolve(self, who: Who, outcome: str, told: Mapping[str, str], by: Author, named: str = "") -> Ghap:
        """Resolve the active GHAP of an agent, or explain one that a run falsified."""
        now = self._ground.now()
        decided = rules.choice("outcome", outcome)
        clean = {name: rules.text(name, value) for name, value in (await self._cleaned(told, who, by)).items()}
        if clean.get("root_cause"):
            clean["root_cause"] = rules.choice("root_cause", clean["root_cause"])

        def write(tx: Tx) -> Ghap:
            ghap = self._to_resolve(tx, who, named)
            if rules.is_unexplained(ghap):
                answers = {name: value for name, value in clean.items() if name != "result"}
                if decided != "falsified":
                    raise Refused(
                        f"{rules.named(ghap)} was settled by a run, as falsified: {one_line(ghap.result, 120)}. Give "
                        "outcome falsified with surprise, root_cause and lesson, or start a new entry."
                    )
                ghap = rules.explained(ghap, now, **answers)
            else:
                ghap = rules.resolved(ghap, _resolution(decided), now, **clean)
            ghap = rules.spoken_by(ghap, by)
            self._finish(tx, ghap, now)
            return ghap

        return await self._write(write, who)

    def _to_resolve(self, reader: Reader, who: Who, named: str) -> Ghap:
        if named:
            return self._named(reader, who, named)
        if ghap := tables.active(reader, who, self._owner):
            return ghap
        last = tables.newest_of(reader, who, self._owner)
        if last and rules.is_unexplained(last):
            return last
        if last and last.status != "active":
            raise Refused(
                f"No entry is active; the last one, {rules.named(last)}, is resolved already: {last.status} "
                f"({last.tier}). Nothing was changed."
            )
        return self._mine(reader, who)

    def _named(self, reader: Reader, who: Who, named: str) -> Ghap:
        """The GHAP of an id, if this agent may resolve it."""
        ghap = self.one(reader, named)
        self._must_be_mine(ghap, who)
        if ghap.status != "active" and not rules.is_unexplained(ghap):
            raise Refused(f"{rules.named(ghap)} is resolved already: {ghap.status} ({ghap.tier}). Nothing was changed.")
        return ghap

    async def adopt(self, who: Who, project_id: str, named: str) -> Ghap:
        """Take over a GHAP that an earlier session left."""
        now = self._ground.now()
        before: list[Who] = []

        def write(tx: Tx) -> Ghap:
            ghap = self.one(tx, named)
            before.append(Who(ghap.conversation, ghap.agent_id))
            if ghap.status != "active":
                raise Refused(f"{rules.named(ghap)} is resolved: {ghap.status}. There is nothing to adopt.")
            own = (ghap.conversation, ghap.agent_id) == (who.conversation, who.agent_id)
            if not own and tables.is_live(tx, ghap, self._owner, now):
                raise Refused(f"{rules.named(ghap)} belongs to an agent that still works on it. Nothing was changed.")
            there = tables.active(tx, who, self._owner)
            if there and there.id != ghap.id:
                raise Refused(
                    f"You work on {rules.named(there)} (“{one_line(there.goal, 80)}”). Resolve or abandon it first."
                )
            left = tables.left_by(tx, who, self._owner)
            if left is not None and left.id != ghap.id:
                self._finish(tx, rules.resolved(left, "abandoned", now, notes=rules.SESSION_ENDED), now)
            ghap = replace(
                ghap, conversation=who.conversation, agent_id=who.agent_id, left_at=0, updated_at=now,
                project_id=project_id or ghap.project_id,
            )  # fmt: skip
            tables.rewrite(tx, ghap, self._owner)
            tables.set_state(tx, who, LoopState(), now, self._owner)
            return ghap

        try:
            return await self._write(write, who)
        finally:
            self.changed(*before)

    async def abandon(self, who: Who, named: str, reason: str, *, is_person: bool = False) -> Ghap:
        """Give up a GHAP: one's own, or one that an earlier session left."""
        now = self._ground.now()
        by: Author = "user" if is_person else "agent"
        words = (await self._cleaned({"reason": reason}, who, by))["reason"]

        def write(tx: Tx) -> Ghap:
            ghap = self.one(tx, named) if named else self._mine(tx, who)
            if ghap.status != "active":
                raise Refused(f"{rules.named(ghap)} is resolved already: {ghap.status}. Nothing was changed.")
            if not is_person and tables.is_live(tx, ghap, self._owner, now):
                self._must_be_mine(ghap, who)
            ghap = rules.spoken_by(rules.resolved(ghap, "abandoned", now, notes=words), by)
            self._finish(tx, ghap, now)
            return ghap

        return await self._write(write, who)

    def settle(self, tx: Tx, ghap: Ghap, compared: Compared, run: str, at: int) -> Ghap:
        """A captured run settles a GHAP, in the transaction of its event."""
        current = self._index.item(tx, EXPERIENCE.name, ghap.id, self._owner)
        if not isinstance(current, Ghap) or current.status != "active":
            return ghap
        done = rules.settled(current, compared, run, at)
        self._finish(tx, done, at)
        return done

    def capture(self, tx: Tx, ghap: Ghap, compared: Compared, run: str) -> None:
        """Keep what a captured run says of a GHAP's prediction, in the transaction of its event."""
        current = self._index.item(tx, EXPERIENCE.name, ghap.id, self._owner)
        if isinstance(current, Ghap) and current.status == "active":
            tables.rewrite(tx, replace(current, captured=compared, captured_run=run), self._owner)

    def _finish(self, tx: Tx, ghap: Ghap, now: int) -> None:
        """Write a resolved GHAP, make it findable, and begin a new cycle."""
        tables.rewrite(tx, ghap, self._owner)
        self._index.put(tx, ghap, self._owner)
        who = Who(ghap.conversation, ghap.agent_id)
        tables.set_state(tx, who, LoopState(), now, self._owner)
        self.is_grouped = False
        self._ground.jobs.ask(tx, "cluster", "all", {}, in_seconds=_REGROUPED_AFTER)

    # --- the end of a session

    def end(self, tx: Tx, who: Who, project_id: str, at: int, *, is_session: bool) -> tuple[int, list[Who]]:
        """A session or a subagent ended: its GHAPs wait to be adopted; those that nobody took up are abandoned.
        How many were left, and whose were abandoned."""
        left = len(tables.ghaps(tx, self._owner, status="active", conversation=who.conversation, limit=100))
        tables.leave(tx, who, self._owner, at)
        gone: list[Who] = []
        if is_session:
            began = tables.began_at(tx, who.conversation, self._owner)
            found = tables.overdue(
                tx, self._owner, at - KEPT_US, conversation=who.conversation, project_id=project_id, began_at=began
            )
            gone = self._abandon_all(tx, found, at)
        return left, gone

    def _abandon_all(self, tx: Tx, found: list[Ghap], at: int) -> list[Who]:
        for ghap in found:
            self._finish(tx, rules.resolved(ghap, "abandoned", at, notes=rules.SESSION_ENDED), at)
        return [Who(ghap.conversation, ghap.agent_id) for ghap in found]

    async def expire(self) -> int:
        """The daily job: abandon what nobody adopted in a week."""
        now = self._ground.now()

        def write(tx: Tx) -> list[Who]:
            return self._abandon_all(tx, tables.overdue(tx, self._owner, now - KEPT_US), now)

        gone = await self._ground.store.write(write)
        self.changed(*gone)
        return len(gone)

    # --- helpers

    async def active(self, who: Who) -> Ghap | None:
        return await self._ground.store.read(lambda reader: tables.active(reader, who, self._owner))

    def one(self, reader: Reader, named: str) -> Ghap:
        """The GHAP of an id as people and agents type it."""
        try:
            found = self._ground.items.one(reader, named)
        except NothingFound as nothing:  # to look for one may come out empty; to change one is a failure
            raise HoldfastError(str(nothing)) from nothing
        if not isinstance(found.value, Ghap):
            raise UsageError(f"{named} is no entry of the learning loop, but a {found.listed.family}.")
        return found.value

    def _mine(self, reader: Reader, who: Who) -> Ghap:
        ghap = tables.active(reader, who, self._owner)
        if ghap is None:
            raise NothingActive(
                "No entry is active. Start one with start_ghap(goal, hypothesis, action, prediction, domain, strategy)."
            )
        return ghap

    def _must_be_mine(self, ghap: Ghap, who: Who) -> None:
        if (ghap.conversation, ghap.agent_id) != (who.conversation, who.agent_id):
            raise Refused(
                f"{rules.named(ghap)} belongs to another agent or session. Nothing was changed. What an earlier "
                "session left can be taken over with adopt_ghap."
            )

    async def _cleaned(self, told: Mapping[str, str], who: Who, by: Author) -> dict[str, str]:
        """Words as they are kept: without secrets, and an agent's with marks where they repeat the web (SEC-6)."""
        for name, value in told.items():
            rules.text(name, value)  # before it is cleaned: a megabyte is refused, and not scrubbed first
        clean = {name: self._ground.clean(value) for name, value in told.items()}
        if by == "user":
            return clean
        marked = await self._ground.items.marked(list(clean.values()), who.conversation)
        told = dict(zip(clean, marked, strict=True))
        if lesson := told.get("lesson"):
            [told["lesson"]] = await self._ground.items.marked_by_tools([lesson], who.conversation)
        return {name: value[: rules.LONGEST] for name, value in told.items()}

    async def _write(self, work: Callable[[Tx], R], who: Who) -> R:
        try:
            return await self._ground.store.write(work)
        finally:
            self.changed(who)


def note_prediction(board: ProgressBoard, who: Who, entry: Ghap | None) -> None:
    """Write to the board what an agent predicts now; nothing when its entry is resolved."""
    is_open = entry is not None and entry.status == "active"
    words = one_line(f"{entry.goal}: {entry.prediction}") if entry is not None and is_open else ""
    board.note(who.conversation, who.agent_id, prediction=words)


class NothingActive(HoldfastError):
    """The call needs an active GHAP."""


def _resolution(word: str) -> Resolution:
    return "confirmed" if word == "confirmed" else "falsified" if word == "falsified" else "abandoned"
