"""How the runs of a piece of work ended, and the lines about those that still fail (MEM-17). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdfast.items.words import one_line
from holdfast.rooms.memory.model import Ended, Observation, Run
from holdfast.rooms.memory.reading import cues
from holdfast.rooms.memory.reading.closing import Statement
from holdfast.rooms.memory.standing import threads
from holdfast.rooms.memory.standing.threads import FAILING, SAYING, STILL_FAILS
from holdfast.rooms.memory.standing.worth import PASSED_AFTER
from holdfast.shell.line import CHECKED

_LONGEST = 260


class Runs:
    """How the runs of a piece of work ended: a later run settles the earlier ones that it includes (MEM-17)."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self.last: list[Run] = []
        """The last of each run, in their order."""
        self.lessons: list[str] = []
        """What made a failing run pass."""
        self._edits: dict[int, list[Observation]] = {}
        for each in observations:
            if each.kind == "edit" and each.outcome != "failed":
                for edits in self._edits.values():
                    edits.append(each)
            for run in runs_of(each):
                self._take(run)

    @property
    def failing(self) -> list[Run]:
        return [run for run in self.last if run.outcome == "failed" and run.kind in FAILING]

    @property
    def shipped(self) -> bool:
        return any(run.outcome == "passed" and run.kind in ("push", "deploy") for run in self.last)

    @property
    def outcome(self) -> Ended:
        if self.failing:
            return "failed"
        return "passed" if any(run.outcome == "passed" and run.kind in CHECKED for run in self.last) else ""

    def _take(self, run: Run) -> None:
        if not run.outcome:
            return  # nobody knows, so it settles nothing
        edits: list[Observation] = []
        for old in [each for each in self.last if threads.includes(run, each)]:
            self.last.remove(old)
            edited = self._edits.pop(id(old), [])
            if old.outcome == "failed" and run.outcome == "passed" and edited:
                what = ", ".join(unique(edit.title.removeprefix("Edited ") for edit in edited)[:3])
                self.lessons.append(f"{one_line(old.title, 140)}{PASSED_AFTER}{one_line(what, 140)}")
            edits += [each for each in edited if each not in edits]
        self.last.append(run := replace(run))
        if run.outcome == "failed":
            self._edits[id(run)] = edits


def runs_of(observation: Observation) -> tuple[Run, ...]:
    """The runs of an observation; of one that an older version stored, what its title tells."""
    if observation.runs or observation.kind not in ("test", "build"):
        return observation.runs
    name = observation.title.partition(":")[0].removeprefix("Ran ")
    return (Run(observation.kind, name, observation.title, observation.outcome),)


def failures(
    failing: Sequence[Run], said: Sequence[Statement], unshipped: Sequence[Statement]
) -> tuple[list[str], list[Statement]]:
    """A line for each run that still fails, with the agent's words about it; and the statements that are said so."""
    sent = [run for run in failing if run.kind in ("push", "deploy")]
    told = [*unshipped, *_next_open(said, unshipped)]
    lines = [one_line(" ".join(each.text for each in told), _LONGEST)] if told else []
    for run in failing:
        if unshipped and run in sent:
            continue  # the words say it, and why
        about = next((each for each in said if each not in told and _is_red(each)), None)
        if about and run.kind not in ("push", "deploy"):
            told.append(about)
            lines.append(f"{STILL_FAILS}{run.title}{SAYING}{one_line(about.text, 200)}")
        elif run in sent or ":" in run.title:  # else it names no test and no error
            lines.append(f"{STILL_FAILS}{run.title}")
    return lines, told


def _next_open(said: Sequence[Statement], unshipped: Sequence[Statement]) -> list[Statement]:
    """What stands in the way, when the sentence behind says it: "Security must open the port first."."""
    at = said.index(unshipped[0]) + 1 if unshipped else len(said)
    return [each for each in said[at : at + 1] if each.kind == "open"]


def _is_red(statement: Statement) -> bool:
    """Do these words tell of something that fails, still?"""
    text = statement.text[:500]
    return (statement.kind == "open" and cues.FAILS.search(text) is not None) or cues.STILL_RED.search(text) is not None


def unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(line for line in lines if line))
