"""Words in an item, in its context, and in its neighbours."""

from __future__ import annotations

import pytest

from holdfast.ids import ListenerId
from holdfast.recall.lexical import ASKED, CANDIDATES, LONGEST_QUESTION, best, choose, pairs, question_terms, sentences
from holdfast.recall.score import ScoredRow, Weight, score, weight

ASKED_FOR = [Weight("login", 3.0, 0.05), Weight("token", 2.0, 0.1)]


def row(seq: int, words: str, session: str = "s", position: int | None = None) -> ScoredRow:
    return ScoredRow.of(seq, ListenerId(session), seq if position is None else position, words)


def values(*rows: ScoredRow) -> dict[int, float]:
    return {seq: round(found.score, 3) for seq, found in score(rows, ASKED_FOR).items()}


@pytest.mark.requirement("MEM-7")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("login token", "login other"),  # more of the question
        ("login other", "token other"),  # the rarer word
        ("login other", "other ~login"),  # its own word before its context's
        ("login login other", "login other other"),  # more than once
        ("login", "login " + "other " * 40),  # short before long
        ("other ~login", "other other"),
    ],
)
def test_order(better: str, worse: str) -> None:
    found = values(row(1, better, ""), row(2, worse, ""))
    assert found[1] > found[2]


def test_what_stands_just_before_counts() -> None:
    found = values(row(1, "login"), *(row(seq, "other") for seq in range(2, 7)))
    assert found[1] > max(found[2], found[3])
    assert min(found[2], found[3]) > found[4] == found[6] == float("-inf")


@pytest.mark.requirement("MEM-29")
def test_in_coding_work_half_of_the_question_outweighs_standing_beside_all_of_it() -> None:
    lengths = ["other " * 60, "other", "other " * 25, "other other"]
    far = [row(10 + at, words, f"f{at}") for at, words in enumerate(lengths)]
    found = score([row(1, "login token other"), row(2, "other " * 9), row(3, "other login", "b"), *far], ASKED_FOR)
    assert found[1].score > found[3].score > found[2].score


@pytest.mark.requirement("MEM-29")
def test_words_that_stand_side_by_side_in_both_count_more() -> None:
    rows = [row(1, "login token other", ""), row(2, "login other token", ""), row(3, "token login other", "")]
    found = score(rows, ASKED_FOR, pairs=[("login", "token")])
    assert [found[seq].pairs for seq in (1, 2, 3)] == [1, 0, 0]
    assert found[1].score > found[2].score == pytest.approx(values(*rows)[2])


def test_pairs_are_the_words_of_a_question_that_items_have() -> None:
    weights = [Weight("login", 3.0, 0.05), Weight("token", 2.0, 0.1), Weight("lost", 5.0, 0.0)]
    assert pairs("Login tokens, login tokens and lost tokens", weights) == [("login", "token"), ("token", "login")]


def test_an_item_that_only_asks_comes_after_one_that_answers() -> None:
    found = values(row(1, "login token ~monday _q", ""), row(2, "login token ~monday", ""))
    assert found[2] > found[1]


def test_more_of_the_question_is_never_worse() -> None:
    words = [f"w{number}" for number in range(8)]
    asked = [Weight(word, 4.0, 0.01) for word in words]
    for filler in ("", " other" * 3, " other" * 60):
        rows = [row(count, " ".join(words[:count]) + filler, "") for count in range(1, 9)]
        found = score([*rows, row(99, "other " * 9, "")], asked)
        assert [found[count].score for count in range(1, 9)] == sorted(found[count].score for count in range(1, 9))


def test_neighbours_of_other_sessions_do_not() -> None:
    found = values(row(1, "login", "a", 1), row(2, "other", "b", 2), row(3, "other", "", 2))
    assert found[2] == found[3] == float("-inf")


def test_coverage_and_matched() -> None:
    found = score([row(1, "login"), row(2, "other ~token")], ASKED_FOR)
    assert (found[1].coverage, found[1].own, found[1].matched) == (0.6, 0.6, ("login",))
    assert (found[2].coverage, found[2].own, found[2].matched) == (1.0, 0.0, ("login", "token"))


def test_nothing_asked_or_nothing_there() -> None:
    assert score([], ASKED_FOR) == {}
    assert score([row(1, "login")], []) == {}


@pytest.mark.parametrize(("found", "items", "share"), [(0, 0, 0.0), (0, 100, 0.0), (5, 100, 0.05), (200, 100, 1.0)])
def test_weight(found: float, items: float, share: float) -> None:
    made = weight("w", found, items)
    assert made.share == share
    assert made.idf > 0
    assert made.idf <= weight("w", 0, max(items, found, 1)).idf


def test_common_words_are_left_out_if_there_are_others() -> None:
    rare, common = Weight("rare", 5.0, 0.01), Weight("common", 0.5, 0.6)
    assert choose([rare, common], 1_000) == [rare]
    assert choose([common], 1_000) == [common]
    assert choose([rare, common], 5) == [rare, common]


def test_long_questions_are_cut() -> None:
    many = [Weight(f"w{number}", float(number), 0.1) for number in range(40)] + [Weight("nowhere", 9.0, 0.0)]
    kept = choose(many, 1_000)
    assert len(kept) == ASKED + 1
    assert {"nowhere", "w39"} <= {each.word for each in kept}
    text = " ".join(f"thing{number}" for number in range(500)) + " login login"
    assert len(question_terms(text)) == LONGEST_QUESTION
    assert "login" in question_terms(text)


def test_sentences() -> None:
    assert sentences("Fix the login test. Then, in src/a.py: rename it!\n\nThe end") == [
        {"fix", "login", "test"},
        {"src", "py", "a_py"},
        {"renam"},
        {"end"},
    ]
    assert sentences("") == sentences("the. of.") == []


def test_best_candidates() -> None:
    assert best({}) == []
    assert best({1: 10.0, 2: 10.0, 3: 1.0}) == [2, 1]
    assert len(best(dict.fromkeys(range(1_000), 1.0))) == CANDIDATES
