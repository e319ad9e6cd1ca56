"""Groups of experiences: found among noise from five texts on, with ids that stay."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

import pytest

from holdfast.rooms.learning.values import clusters
from holdfast.rooms.learning.values.clusters import grouped, neighbours, with_old_ids
from holdfast.rooms.learning.values.vectors import distance_of_sentence, terms_of, vector, weights

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
def test_texts_of_few_common_words_cost_no_more_than_a_bounded_look_each(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    chance = random.Random(1)
    made = [chance.sample(WORDS[:100], 50) for _ in range(300)]
    worth = weights(made)

    class Counted(list[tuple[int, float]]):
        def __iter__(self) -> Iterator[tuple[int, float]]:
            looked.append(len(self))
            return super().__iter__()

    monkeypatch.setattr(clusters, "defaultdict", lambda kind: defaultdict(Counted if kind is list else kind))
    neighbours([vector(text, worth) for text in made], 0.3)
    assert sum(looked) <= 300 * 3_000
