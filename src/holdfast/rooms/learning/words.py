"""What an agent is told by this room, in which words. Pure.

Every text names the exact call that comes next, by what there is in the session: a tool, or a command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import rules
from holdfast.rooms.learning.model import ROOT_CAUSES, Compared, Ghap
from holdfast.shell.outcome import Outcome
from holdfast.shell.recognise import ToolRun
from holdfast.times import age

_FIELD = 300
_DOMAIN_OF_KIND = {
    "test": "testing",
    "types": "refactoring",
    "lint": "refactoring",
    "format": "refactoring",
    "build": "configuration",
    "install": "configuration",
    "deploy": "integration",
}
_KINDS = {"test": "Test", "build": "Build", "lint": "Lint", "types": "Type check", "format": "Format check"}


@dataclass(frozen=True, slots=True)
class CallWays:
    """How an agent can call this room in its session."""

    tools: bool = True
    command: bool = False

    @property
    def is_any(self) -> bool:
        """Is there a way at all? What names a call that does not exist is not said (MEM-28)."""
        return self.tools or self.command

    def call(self, tool: str, verb: str, arguments: Sequence[tuple[str, str]], first: str = "") -> str:
        """One call with these arguments; `first` is the argument that stands without a name on the command line."""
        if self.command and not self.tools:
            parts = [value if name == first else f"--{name.replace('_', '-')} {value}" for name, value in arguments]
            return f"`holdfast ghap {verb} {' '.join(parts)}`"
        return f"{tool}({', '.join(f'{name}={value}' for name, value in arguments)})"


def domain_of(kind: str) -> str:
    """The domain of a failure, by the kind of run."""
    return _DOMAIN_OF_KIND.get(kind, "debugging")


def run_in_words(run: ToolRun | None, outcome: Outcome, command: str = "") -> str:
    """`Test failed: pytest tests/test_auth.py (1 failed, 41 passed)`."""
    kind = _KINDS.get(run.kind, "Command") if run else "Command"
    what = one_line(run.label if run else command, 120)
    numbers = f" ({outcome.summary})" if outcome.summary and outcome.summary != outcome.verdict else ""
    return f"{kind} {outcome.verdict}: {what}{numbers}"


def offer(ghap: Ghap, reach: CallWays, now: int) -> str:
    """A GHAP that an earlier session left."""
    left = age(now, ghap.left_at or ghap.updated_at)
    given = f'"{rules.named(ghap)}"' if reach.tools or not reach.command else rules.named(ghap)
    adopt = reach.call("adopt_ghap", "adopt", [("id", given)], "id")
    abandon = reach.call("abandon_ghap", "abandon", [("id", given), ("reason", '"…"')], "id")
    return "\n".join(
        (
            f"An earlier session left a hypothesis unresolved ({rules.named(ghap)}, {left}).",
            f"Goal: {one_line(ghap.goal, _FIELD)}",
            f"Hypothesis: {one_line(ghap.hypothesis, _FIELD)}",
            f"To go on with it: {adopt}. To give it up: {abandon}.",
        )
    )


def check_in(ghap: Ghap, calls: int, reach: CallWays) -> str:
    """The reminder every few tool calls."""
    update = reach.call("update_ghap", "update", [("hypothesis", '"…"'), ("prediction", '"…"')])
    return "\n".join(
        (
            f"GHAP check-in, {calls} tool calls since the last one ({rules.named(ghap)}):",
            f"Goal: {one_line(ghap.goal, _FIELD)}",
            f"Hypothesis: {one_line(ghap.hypothesis, _FIELD)}",
            f"Prediction: {one_line(ghap.prediction, _FIELD)}",
            f"Does the hypothesis still hold? If it changed: {update}.",
        )
    )


def outcome(ghap: Ghap, said: str, compared: Compared, reach: CallWays) -> str:
    """A run that the prediction can be compared with. What the last run showed already is said in one line."""
    if compared == ghap.captured:
        held = "holds" if compared == "match" else "does not hold"
        word = "confirmed" if compared == "match" else "falsified"
        why = [] if compared == "match" else [("surprise", '"…"'), ("root_cause", '"…"')]
        answers = [("outcome", f'"{word}"'), *why, ("lesson", '"…"')]
        resolve = reach.call("resolve_ghap", "resolve", answers, "outcome")
        update = reach.call("update_ghap", "update", [("hypothesis", '"…"'), ("prediction", '"…"')])
        return f"{said}. Your prediction still {held} ({rules.named(ghap)}): {resolve}, or {update}."
    lines = [f"{said}. Your prediction was: “{one_line(ghap.prediction, _FIELD)}”."]
    if compared == "match":
        call = reach.call("resolve_ghap", "resolve", [("outcome", '"confirmed"'), ("lesson", '"…"')], "outcome")
        lines.append(f"It came true. Does this confirm your hypothesis? If it does: {call}.")
    else:
        lines += ["This falsifies your hypothesis.", *_questions(ghap, reach)]
    return "\n".join(lines)


def settled(ghap: Ghap, said: str, compared: Compared, reach: CallWays) -> str:
    """A run settled the GHAP by itself."""
    lines = [f"{said}. Your prediction was: “{one_line(ghap.prediction, _FIELD)}”."]
    if compared == "match":
        lines.append(f"It came true: {rules.named(ghap)} is resolved as confirmed (gold, captured automatically).")
    else:
        lines.append(
            f"It did not: your hypothesis is falsified, and {rules.named(ghap)} is resolved so (gold, captured "
            "automatically)."
        )
        lines += _questions(ghap, reach)
    return "\n".join(lines)


def _questions(ghap: Ghap, reach: CallWays) -> tuple[str, ...]:
    answers = [("outcome", '"falsified"'), ("surprise", '"…"'), ("root_cause", '"…"'), ("lesson", '"…"')]
    call = reach.call("resolve_ghap", "resolve", answers, "outcome")
    return (
        "1. What surprised you?",
        f"2. What was the root cause? (one of: {', '.join(ROOT_CAUSES)})",
        "3. What did you learn?",
        f"Answer with {call}.",
    )


def premortem(said: str, domain: str, before: Sequence[str], reach: CallWays) -> str:
    """A failure without a GHAP: what went wrong before, and the offer to start one."""
    names = ("goal", "hypothesis", "action", "prediction", "strategy")
    blank = "…" if reach.tools else '"…"'
    start = reach.call("start_ghap", "start", [*((name, blank) for name in names), ("domain", f'"{domain}"')], "goal")
    lines = [f"{said}."]
    if before:
        lines += [f"What went wrong before in {domain}:", *before]
    if reach.is_any:
        lines.append(f"To track it: {start}.")
    return "\n".join(lines)


def went_wrong(ghap: Ghap, now: int) -> str:
    """One falsified experience, in a line."""
    cause = ghap.cause or ghap.root_cause.replace("-", " ")
    told = ghap.lesson or ghap.surprise or ghap.goal
    root = f" (root cause: {one_line(cause, 100)})" if cause else ""
    return f"- [{rules.named(ghap)}] {one_line(told, 160)}{root}, {age(now, ghap.resolved_at)}"


def flaky(tests: Sequence[tuple[str, int]]) -> str:
    """Tests that are known to fail without a reason in the code."""
    named = ", ".join(f"{one_line(test, 120)} ({times}×)" for test, times in tests[:3])
    return f"Known to be flaky here, passed and failed without a change between: {named}."
