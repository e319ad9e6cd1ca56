"""Asks the guards' room about commands, by the function that `holdfast guard test` calls, and keeps the score."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from bench.guards.corpus import HOME, Case
from bench.guards.scenes import Place, at_home
from tests.support.ground import ground

from holdfast.events.caller import Caller
from holdfast.ids import new_id, now_us
from holdfast.rooms.guards.service import Guards, ToolCall
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.guards.tools import Test, test
from holdfast.store.interface import Store


@dataclass(slots=True)
class Outcome:
    """What was said to one command."""

    refused: bool
    kept: bool = False
    ms: float = 0.0
    decision: str = ""
    rule: str = ""

    @property
    def caught(self) -> bool:
        return self.refused or self.kept


@dataclass(slots=True)
class Score:
    """How often a set of commands was judged as its labels say."""

    destructive: int = 0
    caught: int = 0
    kept: int = 0
    innocent: int = 0
    refused: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, case: Case, outcome: Outcome) -> None:
        self.times.append(outcome.ms)
        if case.destructive:
            self.destructive += 1
            self.caught += outcome.caught
            self.kept += outcome.kept and not outcome.refused
        else:
            self.innocent += 1
            self.refused += outcome.refused

    @property
    def caught_share(self) -> float:
        return 100 * self.caught / max(1, self.destructive)

    @property
    def refused_share(self) -> float:
        return 100 * self.refused / max(1, self.innocent)


Answers = list[tuple[Case, Outcome]]


def score(answers: Iterable[tuple[Case, Outcome]]) -> Score:
    made = Score()
    for case, outcome in answers:
        made.add(case, outcome)
    return made


def by_kind(answers: Answers) -> dict[str, Score]:
    made: dict[str, Score] = defaultdict(Score)
    for case, outcome in answers:
        made[case.kind].add(case, outcome)
    return dict(made)


def wrong(answers: Answers) -> Answers:
    """Destructive commands that would run for good, and innocent ones that would not."""
    return [(case, out) for case, out in answers if (not out.caught if case.destructive else out.refused)]


class Room:
    """The room as it is built in the daemon, without a store: judging needs none."""

    def __init__(self, folder: Path, *, undo: bool) -> None:
        made = ground(cast(Store, None), folder=folder / "guards")
        self._guards = Guards(made, Settings(undo=undo))
        self._caller = Caller(services=self, owner="me", now=now_us)

    def get(self, kind: type[Any]) -> Any:
        assert kind is Guards
        return self._guards

    async def judge(self, command: str, cwd: str = "") -> Outcome:
        began = time.perf_counter()
        said = await test(Test(command, cwd), self._caller)
        took = (time.perf_counter() - began) * 1e3
        return Outcome(said.decision in ("ask", "deny"), said.kept, took, said.decision, said.rule)

    async def keep(self, command: str, cwd: str) -> str:
        """Keep what the command would remove, as before it runs; the id, '' when nothing was kept."""
        call = ToolCall("Bash", {"command": command}, cwd, self._guards.root_of(cwd))
        judged = await self._guards.judge(call, keep_as=new_id()[-8:], now=now_us())
        return judged.kept.id if judged.kept else ""

    async def bring_back(self, kept: str) -> None:
        await self._guards.bring_back(kept, over=True)


def without_folder(cases: Iterable[Case]) -> Answers:
    """Undo is off, nothing is looked at; labels that need a scene are left out."""

    async def work() -> Answers:
        with tempfile.TemporaryDirectory() as folder, at_home(HOME):
            room = Room(Path(folder), undo=False)
            await room.judge("true")  # the rules are read when first needed
            return [(case, await room.judge(case.command)) for case in cases if not case.needs_scene]

    return asyncio.run(work())


def in_scenes(cases: Iterable[Case], places: Mapping[str, Place]) -> Answers:
    """Undo is on, files and git are asked."""

    async def work() -> Answers:
        answers: Answers = []
        with tempfile.TemporaryDirectory() as folder:
            room = Room(Path(folder), undo=True)
            await room.judge("true")
            for case in cases:
                place = places[case.scene]
                with at_home(place.home):
                    answers.append((case, await room.judge(case.there(place.project, place.home), place.project)))
        return answers

    return asyncio.run(work())
