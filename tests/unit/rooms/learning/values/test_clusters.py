"""Groups of experiences: found among noise from five texts on, with ids that stay."""

from __future__ import annotations

import random

import pytest
from bench.clusters import judged
from bench.experiences import experiences

from holdfast.rooms.learning.values import clusters
from holdfast.rooms.learning.values.clusters import grouped, with_old_ids
from holdfast.rooms.learning.values.vectors import Vector, distance_of_sentence, terms_of, vector, weights

THEMES = (
    "flaky cache test isolation fixture shared eviction random suite",
    "docker image layer build context copy registry tag slow",
    "timezone daylight saving offset utc parse calendar date",
    "memory leak worker pool connection close descriptor socket",
)
SYLLABLES = ("ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "zo")
WORDS = [f"{a}{b}{c}x" for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]


def texts(per_theme: int, noise: int, seed: int = 1) -> tuple[list[str], list[int]]:
    chance = random.Random(seed)
    made = [
        (" ".join(chance.sample(theme.split(), 5) + chance.sample(WORDS, 3)), number)
        for number, theme in enumerate(THEMES)
        for _ in range(per_theme)
    ]
    made += [(" ".join(chance.sample(WORDS, 8)), -1) for _ in range(noise)]
    chance.shuffle(made)
    return [text for text, _ in made], [label for _, label in made]


@pytest.mark.requirement("LRN-10")
def test_themes_are_found_among_noise_and_noise_gives_nothing() -> None:
    for per_theme, noise, groups in ((5, 0, 4), (5, 10, 4), (25, 100, 4), (0, 5, 0), (0, 20, 0), (0, 300, 0)):
        made, labels = texts(per_theme, noise)
        worth = weights([terms_of(text) for text in made])
        found = grouped([vector(terms_of(text), worth) for text in made])
        assert len(found) == groups, (per_theme, noise, len(found))
        for group in found:
            assert len({labels[number] for number in group.members}) == 1
            assert len(group.members) >= 0.8 * per_theme
    three = [THEMES[0], f"{THEMES[0]} today", f"again {THEMES[0]}", THEMES[1], THEMES[2]]
    worth = weights([terms_of(text) for text in three])
    assert [group.members for group in grouped([vector(terms_of(text), worth) for text in three])] == [(0, 1, 2)]


@pytest.mark.requirement("LRN-10")
def test_ids_stay_with_their_members() -> None:
    old = {"a": {"1", "2", "3"}, "b": {"7", "8", "9"}}
    for groups, named in (
        ([{"1", "2", "3", "4", "5"}, {"7", "8", "9"}], ["a", "b"]),
        ([{"1", "2"}, {"x", "y", "z"}], ["a", ""]),
        ([{"1", "2", "7", "8", "9"}], ["b"]),
        ([{"1", "2", "3"}, {"3", "x", "y", "z", "w", "v"}], ["a", ""]),
        ([], []),
    ):
        assert with_old_ids(groups, old) == named, groups


@pytest.mark.requirement("LRN-10")
def test_a_sentence_is_near_when_it_says_what_the_group_says() -> None:
    made, labels = texts(10, 0)
    worth = weights([terms_of(text) for text in made])
    found = grouped([vector(terms_of(text), worth) for text in made])
    [group] = [each for each in found if labels[each.members[0]] == 0]
    most = group.mean + 0.5 * group.deviation
    assert distance_of_sentence(terms_of("flaky cache tests share a fixture: isolation"), group.centre) <= most
    assert distance_of_sentence(terms_of("bake the bread with rye flour"), group.centre) > most
    assert distance_of_sentence([], group.centre) == 1.0


@pytest.mark.requirement("SEC-7")
def test_a_text_is_compared_with_a_bounded_number_of_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = [0]
    plain = clusters._Heap.likeness

    def counted(heap: clusters._Heap, vector: Vector) -> float:
        looked[0] += 1
        return plain(heap, vector)

    monkeypatch.setattr(clusters._Heap, "likeness", counted)
    chance = random.Random(1)
    made = [chance.sample(WORDS[:400], 12) for _ in range(600)]
    worth = weights(made)
    grouped([vector(text, worth) for text in made])
    passes = 4  # begin, merge, place twice
    assert looked[0] <= passes * 600 * clusters._MOST_LOOKED_AT
    assert looked[0] < passes * 600 * 600 / 4, "not each with each"


@pytest.mark.requirement("LRN-10")
def test_what_shares_a_word_with_something_is_no_chain_to_everything() -> None:
    told = experiences(200)
    found = [terms_of(each.text) for each in told]
    worth = weights(found)
    groups = grouped([vector(each, worth) for each in found])
    precision, recall, noise = judged(told, [set(group.members) for group in groups])
    assert precision >= 0.95
    assert recall >= 0.6
    assert noise <= 0.05
