"""The answer to a call that was judged: one for the daemon and for a hook that judges alone. Pure."""

from __future__ import annotations

from holdfast.events.answer import Context, Part, ask, refuse
from holdfast.rooms.guards.answering import words
from holdfast.rooms.guards.model import Verdict
from holdfast.undo.model import Kept

ORIGIN = "guards"


def answer(verdict: Verdict, kept: Kept | None) -> Part:
    """A question or a refusal comes first: that a part of the line is kept allows no other part of it."""
    if verdict.decision in ("ask", "deny"):
        said = words.refusal(verdict)
        if kept is not None:
            said += f" {words.kept_if_it_runs(kept)}"
        return Part(decision=refuse(verdict.rule, said) if verdict.decision == "deny" else ask(verdict.rule, said))
    warned = [words.refusal(verdict)] if verdict.decision == "warn" else []
    told = [words.kept(kept)] if kept is not None else []
    return Part(contexts=tuple(Context(each, ORIGIN) for each in (*warned, *told)))
