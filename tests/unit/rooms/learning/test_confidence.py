"""What is promised of confidence, as a table: praise never lowers it, showing moves nothing, old evidence fades."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from holdfast.ids import ConversationId, EntryId, ItemId
from holdfast.rooms.learning import confidence
from holdfast.rooms.learning.model import LearnedValue, Remedy
from holdfast.times import DAY_US

START = 1_790_000_000_000_000


def remedy(learned: str = "seen", good: float = 0.0, bad: float = 0.0) -> Remedy:
    return Remedy(
        ItemId("1"), "p", ConversationId("s"), EntryId("e"), "problem", "", "", "solution", "[]", "test", "pytest",
        learned, good, bad, 0, 0, 0, 0, START, "agent", START,
    )  # fmt: skip


@pytest.mark.requirement("CON-11")
def test_the_promises_of_confidence() -> None:
    moments = [START, START + DAY_US, START + 90 * DAY_US, START + 2_000 * DAY_US]
    evidence = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0), (40.0, 2.0), (2.0, 40.0)]
    for learned, (good, bad), at, later in itertools.product(confidence.PRIORS, evidence, moments, moments):
        old = remedy(learned, good, bad)
        seen = confidence.of_remedy(old, max(at, later))
        assert 0 < seen < 1
        now = max(at, later)
        for praise in ("worked", "helpful"):
            assert confidence.of_remedy(confidence.with_evidence(old, praise, at), now) > seen, praise
        for blame in ("failed", "not helpful"):
            assert confidence.of_remedy(confidence.with_evidence(old, blame, at), now) < seen, blame
        assert confidence.of_remedy(replace(old, shown=old.shown + 99), now) == seen, "being shown is no evidence"
    order = [confidence.estimate(learned, 0, 0, 0) for learned in ("gold", "silver", "seen", "bronze", "abandoned")]
    assert order == sorted(order, reverse=True)
    one, hundred = (confidence.estimate("seen", n * 2.0, 0, 0) for n in (1, 100))
    assert one < hundred < 1
    fresh, faded = (confidence.estimate("seen", 0, 10.0, days * DAY_US) for days in (0, 3_000))
    assert fresh < faded < confidence.estimate("seen", 0, 0, 0) + 1e-3, "what is old returns to where it began"


@pytest.mark.requirement("CON-11")
def test_use_and_success_are_counted_apart_and_outdated_is_taken_back_by_praise() -> None:
    worked = confidence.with_evidence(remedy(), "worked", START)
    failed = confidence.with_evidence(worked, "failed", START)
    assert (worked.used, worked.worked, failed.used, failed.worked) == (1, 1, 2, 1)
    gone = confidence.with_feedback(failed, "outdated", START)
    assert confidence.of_remedy(gone, START) < confidence.of_remedy(failed, START)
    assert confidence.with_feedback(gone, "helpful", START).outdated == 0


def test_values_are_ranked_a_persons_first_then_by_support_and_nearness() -> None:
    def value(name: str, support: int, distance: float, trust: str = "agent", age: int = 0) -> LearnedValue:
        at = START - age * DAY_US
        return LearnedValue(ItemId(name), "", name, "full", "c", distance, 0.5, support, trust, trust, at)  # type: ignore[arg-type]

    values = [value("few", 3, 0.1), value("many", 9, 0.4), value("mine", 1, 0.5, "user"), value("old", 9, 0.4, age=900)]
    assert [each.id for each in confidence.ranked(values, START)] == ["mine", "many", "old", "few"]
