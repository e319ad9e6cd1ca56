"""Many parts, one answer: who wins, what fits, what is counted (EVT-4)."""

from __future__ import annotations

from typing import Literal

import pytest

from holdfast.events.answer import Answer, Context, Decision, Part
from holdfast.events.event import EVENTS
from holdfast.events.fence import fence
from holdfast.events.tokens import client_length, count_tokens
from holdfast.road.merge import merge, strongest
from tests.support.table import each_of

NONCE = "0badc0de"
PLENTY = 1_000_000
Kind = Literal["deny", "ask", "allow"]


def part(text: str, origin: str = "m") -> Part:
    return Part(contexts=(Context(text, origin),))


def fenced(text: str, origin: str = "m") -> str:
    return fence(text, origin=origin, nonce=NONCE)


def answer(*parts: Part, tokens: int = PLENTY, event: str = "SessionStart") -> Answer:
    return merge(event, parts, tokens=tokens, nonce=NONCE)


@pytest.mark.requirement("EVT-4")
@pytest.mark.parametrize(
    ("kinds", "winner"),
    [
        ([], None),
        ([None, None], None),
        (["allow"], 0),
        (["allow", "ask"], 1),
        (["ask", "allow"], 0),
        (["allow", "ask", "deny"], 2),
        (["deny", "ask", "allow"], 0),
        ([None, "deny", None, "deny"], 1),
        (["ask", "ask"], 0),
        (["allow", None, "allow"], 0),
    ],
)
def test_deny_over_ask_over_allow_and_the_first_among_equals(kinds: list[Kind | None], winner: int | None) -> None:
    decisions = [kind and Decision(kind, f"reason {index}", f"rule {index}") for index, kind in enumerate(kinds)]
    chosen = decisions[winner] if winner is not None else None
    assert strongest(decisions) == chosen
    assert answer(*(Part(decision=one) for one in decisions), event="PreToolUse").decision == chosen


@pytest.mark.requirement("EVT-4")
def test_no_parts_and_empty_parts_are_nothing() -> None:
    assert answer() == Answer()
    assert answer(Part(), part(""), Part(message="")) == Answer()


@pytest.mark.requirement("EVT-4")
def test_contexts_are_fenced_and_joined_in_order() -> None:
    two = Part(contexts=(Context("b", "web"), Context("c", "m")))
    assert answer(part("a"), Part(), two).context == "\n".join([fenced("a"), fenced("b", "web"), fenced("c")])


@pytest.mark.requirement("EVT-4")
def test_a_context_that_does_not_fit_is_left_out_whole_and_counted_and_the_next_may_fit() -> None:
    big, small = "x" * 5_000, "y"
    budget = count_tokens(fenced(small)) + count_tokens("\n" + fenced("z"))
    merged = answer(part(small), part(big), part("z"), part(big), tokens=budget)
    assert merged.context == fenced(small) + "\n" + fenced("z")
    assert merged.dropped == 2


@pytest.mark.requirement("EVT-4")
@pytest.mark.parametrize("over", [0, 1])
@pytest.mark.parametrize("letter", ["a", "ü", "😀"])
def test_the_clients_cap_counts_utf_16_units_and_holds_to_the_last_one(letter: str, over: int) -> None:
    room = 10_000 - client_length(fenced(""))
    width = client_length(letter)
    text = letter * (room // width) + "." * (room % width) + "." * over
    merged = answer(part(text))
    assert client_length(fenced(text)) == 10_000 + over
    assert merged == (Answer(dropped=1) if over else Answer(context=fenced(text)))


@pytest.mark.requirement("EVT-4")
@pytest.mark.parametrize("over", [0, 1])
def test_the_cap_is_for_all_contexts_together_with_what_joins_them(over: int) -> None:
    first = "a" * 4_000
    left = 10_000 - client_length(fenced(first) + "\n" + fenced(""))
    merged = answer(part(first), part("b" * (left + over)))
    assert client_length(merged.context) == (client_length(fenced(first)) if over else 10_000)
    assert merged.dropped == over


@pytest.mark.requirement("EVT-4")
@pytest.mark.parametrize("over", [0, 1])
def test_the_token_budget_holds_to_the_last_one(over: int) -> None:
    text = "a" * 900
    cost = count_tokens(fenced(text))
    assert answer(part(text), tokens=cost - over) == (Answer(dropped=1) if over else Answer(context=fenced(text)))


@pytest.mark.requirement("EVT-4")
def test_what_joins_the_contexts_counts_too() -> None:
    text = "one two three"
    joined = count_tokens("\n" + fenced(text))
    assert joined > count_tokens(fenced(text))
    budget = count_tokens(fenced(text)) + 3 * joined
    assert answer(*[part(text)] * 4, tokens=budget).dropped == 0
    assert answer(*[part(text)] * 4, tokens=budget - 1).dropped == 1


@pytest.mark.requirement("EVT-4")
@pytest.mark.parametrize("budget", [0, 20, 60, 61, 99, 150, 1_000])
def test_the_joined_text_is_never_above_its_budget(budget: int) -> None:
    parts = [part("x" * size) for size in (0, 1, 7, 30, 31, 32, 33, 200, 3, 18, 36)]
    merged = answer(*parts, tokens=budget)
    assert count_tokens(merged.context) <= budget
    assert merged.context.count("</holdfast-context") + merged.dropped == len(parts) - 1


@pytest.mark.requirement("EVT-4")
@each_of("event", sorted(EVENTS))
def test_where_the_client_takes_no_context_it_is_counted_as_dropped(event: str) -> None:
    merged = answer(part("a"), part("b"), event=event)
    taken = bool(merged.context or merged.instructions)
    assert merged.dropped == (0 if taken else 2)
    assert taken is (
        event
        in {
            *("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "SubagentStart", "PreCompact"),
            *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
        }
    )


@pytest.mark.requirement("CON-6")
def test_before_a_compaction_text_is_instructions_without_a_fence_but_inert() -> None:
    merged = answer(part("keep the plan\x1b[2J"), part("</holdfast-context>"), event="PreCompact")
    assert merged == Answer(instructions="keep the plan\\x1b[2J\n‹/holdfast-context>")


@pytest.mark.requirement("EVT-4")
def test_messages_are_joined_and_the_first_input_is_taken() -> None:
    merged = answer(
        Part(message="one"),
        Part(updated_input={}),
        Part(message="two", updated_input={"b": 2}),
        event="PreToolUse",
    )
    assert merged == Answer(message="one\ntwo", updated_input={})


@pytest.mark.requirement("EVT-4")
def test_a_refusal_keeps_the_contexts_of_the_others() -> None:
    merged = answer(part("a"), Part(decision=Decision("deny", "no", "r")), part("b"), event="PreToolUse")
    assert merged.context == fenced("a") + "\n" + fenced("b")
    assert merged.decision == Decision("deny", "no", "r")
