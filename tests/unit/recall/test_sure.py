"""How sure it is that a prompt means a piece of work, by how that work stands beside the others."""

from __future__ import annotations

import pytest

from holdfast.recall.sure import SURENESS, SharedWords, Standing, Sureness, clear, enough, features


def given(
    works: list[tuple[float, float]], rival: float = 0.0, asks: bool = True, limits: Sureness = SURENESS
) -> list[int]:
    """Which of these (fit, score) are given."""
    least = 0.0 if asks else limits.words.order
    return clear(features([Standing(*each) for each in works], rival, asks), limits, least=least)


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("MEM-29")
def test_what_stands_out_is_given_alone_and_what_is_one_of_many_is_not() -> None:
    for what, works, rival, asks, expected in (
        ("nothing fits", [], 0.0, True, []),
        ("far ahead", [(0.5, 1.0), (0.5, 0.1)], 0.0, True, [0]),
        ("far ahead, though an order", [(0.5, 1.0), (0.3, 0.1)], 0.0, False, [0]),
        ("two fit well, and equally", [(0.7, 1.0), (0.7, 0.95)], 0.0, True, [0, 1]),
        ("an order that fits a little, as other work does", [(0.1, 1.0), (0.1, 0.95)], 0.0, False, []),
        ("the same, asked", [(0.1, 1.0), (0.1, 0.95)], 0.0, True, [0]),
        ("an order behind what does not fit", [(0.4, 0.3)], 1.0, False, []),
        ("a better one without that", [(0.5, 0.3)], 0.0, False, [0]),
    ):
        assert given(works, rival, asks) == expected, what


@pytest.mark.requirement("MEM-7")
def test_it_is_surer_of_what_fits_better_is_further_ahead_and_is_asked_for() -> None:
    def first(fit: float, next_score: float, rival: float, asks: bool) -> float:
        return SURENESS.of(features([Standing(fit, 1.0), Standing(0.3, next_score)], rival, asks)[0])

    middle = first(0.4, 0.5, 0.6, False)
    assert first(0.6, 0.5, 0.6, False) > middle
    assert first(0.4, 0.5, 0.5, False) > middle > first(0.4, 0.5, 0.9, False)
    assert first(0.4, 0.5, 0.6, True) > middle
    assert first(0.4, 0.5, 0.6, False) == first(0.4, 0.1, 0.6, False), "the nearest counts, whether it fits or not"


def test_who_asks_for_all_is_given_each_that_is_as_sure_as_a_first_must_be() -> None:
    limits = Sureness(first=0.2, further=0.3)
    sure = [0.9, limits.first, limits.further, 0.05]
    assert enough(sure, limits) == [0, 2]
    assert enough(sure, limits, many=True) == [0, 2, 1]


def test_scores_of_nothing_are_no_lead() -> None:
    nothing = Standing(0.0, 0.0)
    assert features([nothing, nothing], 0.0, False)[0][:2] == (0.0, features([nothing], 0.0, False)[0][1])


@pytest.mark.requirement("MEM-22")
@pytest.mark.requirement("MEM-29")
def test_words_are_shared_by_more_than_chance_where_much_is_shared_and_side_by_side() -> None:
    def likely(fit: float, covered: float, pairs: int) -> float:
        return SURENESS.words.of(features([Standing(fit, 1.0, covered, pairs)], 0.0, False)[0])

    middle = likely(0.4, 0.3, 1)
    assert likely(0.5, 0.3, 1) > middle
    assert likely(0.4, 0.5, 1) > middle
    assert likely(0.4, 0.3, 2) > middle
    assert likely(0.4, 0.3, 3) == likely(0.4, 0.3, 9), "more pairs than three say no more"
    seen = features([Standing(0.9, 1.0, 0.02, 0), Standing(0.9, 0.9, 0.9, 3)], 0.0, False)
    strict = Sureness(words=SharedWords(base=-9.0))
    assert clear(seen, strict) == [0, 1], "a question is given what stands out"
    assert clear(seen, strict, least=0.005) == [1], "an order only what it also has words in common with"


@pytest.mark.requirement("MEM-22")
def test_an_order_is_given_a_line_that_says_what_it_is_about_or_work_that_surely_fits() -> None:
    def is_given(fit: float, said: float, *, order: bool) -> bool:
        return clear(features([Standing(fit, 1.0, 0.4, 1, said)], 0.0, False), SURENESS, order=order) == [0]

    assert is_given(0.45, 0.2, order=True)
    assert not is_given(0.45, 0.1, order=True), "it shares words with what the line leaves out"
    assert is_given(0.45, 0.0, order=False), "a question is asked of what was"
    assert is_given(0.6, 0.0, order=True)
