"""What hooks and tools ask of this room, in one place: GHAPs, who calls, and what is learned of runs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.errors import UsageError
from holdfast.events.announced import Announced
from holdfast.events.caller import Caller
from holdfast.events.scene import Scene
from holdfast.ids import NO_CONVERSATION, NO_ITEM, ConversationId, ItemId
from holdfast.items import tables as shared
from holdfast.items.indexed import Author
from holdfast.items.model import Objection
from holdfast.items.ranks import may_replace
from holdfast.items.service import Items
from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import confidence, tables
from holdfast.rooms.learning.ghaps import Ghaps
from holdfast.rooms.learning.index import LearningIndex
from holdfast.rooms.learning.model import KnownRun, Remedy
from holdfast.rooms.learning.remedies.changes import LABEL
from holdfast.rooms.learning.remedies.foreseen import ByFirstWords, by_first_words
from holdfast.rooms.learning.settings import Checkin, OutcomeCapture, SessionEndSettings, SessionStartSettings, Settings
from holdfast.rooms.learning.tables import Who
from holdfast.rooms.learning.values.service import Values
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx


def index_of(ground: Ground) -> LearningIndex:
    """The items of this room."""
    gives = ground.chosen(SessionStartSettings).inject_light_context
    return LearningIndex(ground.chosen(Settings).values if gives else 0)


_MOST_COMMANDS = 200
_MOST_KNOWN = 1_000
_GROUPED_AT_ONCE = 200
"""Experiences that are grouped in a few hundredths of a second."""


def _bound(known: OrderedDict[str, Any]) -> None:
    while len(known) > _MOST_KNOWN:
        known.popitem(last=False)


@dataclass(slots=True)
class FailedCommands:
    """The commands of one project that a lesson is known of, or may be."""

    failing: dict[str, str]
    """Those whose last run failed, with what the failure is known by."""
    proven: dict[str, str]
    """Those with a remedy that helped again, or that a person wrote: its id."""
    by_words: ByFirstWords

    def note(self, ran: KnownRun) -> None:
        """A command ran."""
        is_new = ran.label not in self.failing
        if ran.verdict == "failed" and ran.error:
            self.failing[ran.label] = ran.error
        elif self.failing.pop(ran.label, None) is None:
            return
        if is_new or ran.verdict != "failed":
            self.by_words = by_first_words((*self.failing, *self.proven))


class Learning:
    """The learning loop of one owner."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.owner = ground.owner
        self.settings = ground.chosen(Settings)
        self.on_start = ground.chosen(SessionStartSettings)
        self.checkin = ground.chosen(Checkin)
        self.capture = ground.chosen(OutcomeCapture)
        self.on_end = ground.chosen(SessionEndSettings)
        self.index = index_of(ground)
        self.ghaps = Ghaps(ground, self.index)
        self.values = Values(ground, self.index)
        self._failed: OrderedDict[str, set[str]] = OrderedDict()
        self._fresh: OrderedDict[str, list[ItemId]] = OrderedDict()
        self._held: OrderedDict[str, None] = OrderedDict()
        self._files: dict[str, dict[str, list[str]]] = {}
        self._commands: dict[str, FailedCommands] = {}
        self._judged: OrderedDict[str, None] = OrderedDict()

    # --- what later steps remember for a while

    def waits_for(self, conversation: ConversationId, project_id: str, command: str) -> bool:
        """Did this command fail, in this conversation or at its last run in the project?"""
        failed, known = self._failed.get(conversation), self._commands.get(project_id)
        if not failed and (known is None or not known.failing):
            return False
        label = one_line(command, LABEL)
        return bool(failed and label in failed) or bool(known and label in known.failing)

    def note_command(self, conversation: ConversationId, label: str, *, failed: bool) -> None:
        known = self._failed.setdefault(conversation, set())
        (known.add if failed and len(known) < _MOST_COMMANDS else known.discard)(label)
        _bound(self._failed)

    def hold_once(self, conversation: ConversationId, label: str) -> bool:
        """Hold a command; False when it was held before."""
        key = f"{conversation}\0{label}"
        if key in self._held:
            return False
        self._held[key] = None
        _bound(self._held)
        return True

    def was_held(self, conversation: ConversationId, label: str) -> bool:
        return f"{conversation}\0{label}" in self._held

    def note_remedy(self, conversation: ConversationId, project_id: str, remedy_id: ItemId) -> None:
        """A remedy was just learned: the turn's closing words will tell more of it."""
        self._fresh.setdefault(conversation, []).append(remedy_id)
        _bound(self._fresh)
        self.remedies_changed(project_id)

    def remedies_changed(self, project_id: str) -> None:
        """Remedies of a project are new or thought of otherwise: they are read again."""
        self._files.pop(project_id, None)
        self._commands.pop(project_id, None)

    def fresh(self, conversation: ConversationId) -> list[ItemId]:
        """The remedies that were learned since the last turn's end."""
        return list(self._fresh.get(conversation, ()))

    def turn_ended(self, conversation: ConversationId) -> None:
        self._fresh.pop(conversation, None)

    def known_files(self, project_id: str) -> dict[str, list[str]] | None:
        """The files of a project that have remedies; None when they were not read yet."""
        return self._files.get(project_id)

    async def files(self, project_id: str, scene: Scene) -> dict[str, list[str]]:
        """The files of a project that have remedies, read once."""
        found = self._files.get(project_id)
        if found is None:
            found = await scene.read(lambda reader: tables.remedy_files(reader, self.owner, project_id))
            if len(self._files) > _MOST_KNOWN:
                self._files.clear()
            self._files[project_id] = found
        return found

    async def commands(self, project_id: str, scene: Scene) -> FailedCommands:
        """The commands of a project that failed before, read once and then followed."""
        found = self._commands.get(project_id)
        if found is None:

            def look(reader: Reader) -> tuple[dict[str, str], dict[str, str]]:
                failing = tables.failing(reader, self.owner, project_id)
                return failing, tables.proven_commands(reader, self.owner, project_id)

            failing, proven = await scene.read(look)
            if len(self._commands) > _MOST_KNOWN:
                self._commands.clear()
            found = FailedCommands(failing, proven, by_first_words((*failing, *proven)))
            self._commands[project_id] = found
        return found

    def note_run(self, ran: KnownRun) -> None:
        """A run was kept."""
        if known := self._commands.get(ran.project_id):
            known.note(ran)

    def judge_once(self, conversation: ConversationId, remedy_id: ItemId, came_to: str) -> bool:
        """Something came of a remedy in a conversation; False when that, or that it worked, was counted before."""
        keys = {f"{conversation}\0{remedy_id}\0{each}" for each in ("worked", came_to)}
        if keys & self._judged.keys():
            return False
        self._judged[f"{conversation}\0{remedy_id}\0{came_to}"] = None
        _bound(self._judged)
        return True

    def forget_memory(self) -> None:
        """Something was forgotten: all that is held here is read from the store again."""
        self.ghaps.changed_all()
        self._failed.clear()
        self._fresh.clear()
        self._files.clear()
        self._commands.clear()
        self._held.clear()

    async def rate(self, named: str, said: str, by: Author) -> Remedy:
        """What somebody thinks of a remedy. What an agent says against a person's words is an objection (SEC-8)."""

        def write(tx: Tx) -> Remedy:
            found = self.ground.items.one(tx, named).value
            if not isinstance(found, Remedy):
                raise UsageError(f"{named} is no remedy. `holdfast ghap remedies` shows them.")
            if said != "helpful" and not may_replace(by, found.trust, None):
                shared.objects(tx, Objection(found.id, NO_ITEM, said, by, self.ground.now()), self.owner)
                return found
            judged = confidence.with_feedback(found, confidence.feedback(said), self.ground.now())
            tables.judge(tx, judged, self.owner)
            return judged

        judged = await self.ground.store.write(write)
        self.remedies_changed(judged.project_id)
        return judged

    async def regroup(self) -> None:
        """Group experiences anew, as the job does."""
        self.ghaps.is_grouped = True
        await self.values.regroup()

    async def regroup_few(self) -> None:
        """Who asks for values just after a GHAP was resolved need not wait for the job, while grouping is quick."""
        if self.ghaps.is_grouped:
            return
        count = await self.ground.store.read(lambda reader: tables.experience_count(reader, self.owner))
        if count <= _GROUPED_AT_ONCE:
            await self.regroup()

    # --- who calls

    async def who(
        self, caller: Caller, tool: str, arguments: Mapping[str, Any], conversation: ConversationId = NO_CONVERSATION
    ) -> tuple[Who, str]:
        """The agent that a call is for, and its project. Named by the call, by its connection, by what the client
        announced, or the newest window of the project."""
        named = conversation or caller.conversation
        announced = caller.services.get(Announced)
        note = announced.who(tool, arguments, named, caller.now()) if caller.is_agent else None
        if note is not None:
            return Who(note.conversation, note.agent_id), note.project_id
        project = "" if named else caller.project_id
        found = await self.ground.store.read(
            lambda reader: tables.newest_window(reader, self.owner, project_id=project, conversation=named)
        )
        if named:
            return Who(named), found[1] if found else await caller.services.get(Items).project_of(caller)
        if found is None or (caller.is_nowhere and not named):
            raise UsageError("No session is known here. Give `session_id`, or call it inside a session.")
        return Who(found[0]), found[1]
