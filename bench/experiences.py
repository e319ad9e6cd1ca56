"""Experiences with a known theme, written by rule from a seed: what a group should hold, and what is noise.

A theme is one cause, told in other words each time and about another part of a program each time: what it teaches holds
everywhere. Themes share the parts and the words that every experience has. Ten themes are written by hand; for large
sets more are made of words of their own. Noise is told once and never again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_PARTS = _listed(
    "cache uploader parser scheduler mailer importer gateway ledger router renderer indexer watcher billing signup"
    " webhook backup archive pricing catalogue inventory tokenizer compiler installer dashboard crawler replicator"
    " sampler queue formatter validator"
)
_CAUSES: tuple[tuple[str, ...], ...] = (
    (
        "tests share a fixture that keeps its state between them",
        "state leaks from one test into the next through a global",
        "isolation was missing, a global is mutated and the order of tests matters",
        "run alone the test passes, together a shared global breaks the isolation",
    ),
    (
        "the timeout was far too short for a slow network",
        "a slow connection runs into the timeout, which must be longer",
        "the network answers late and the timeout of one second ends it",
        "raising the timeout helped because the network is slow",
    ),
    (
        "the environment variable was not set in the container",
        "inside the container an environment variable is missing",
        "the container starts without the variable that the environment must have",
        "set the missing environment variable before the container starts",
    ),
    (
        "the migration had not been applied to the database",
        "a column is missing since the database waits for its migration",
        "run the migration first, the database schema was old",
        "the old schema lacked a column until the migration ran",
    ),
    (
        "two threads write at once and the lock was not taken",
        "a race: without the lock both threads write the same entry",
        "take the lock before writing, threads overwrite each other",
        "the race went away when every thread held the lock",
    ),
    (
        "bytes were decoded with the wrong encoding, latin-1 and not utf-8",
        "the file is utf-8 and was read with another encoding",
        "umlauts broke because the encoding was guessed as latin-1",
        "name the encoding utf-8 when the file is opened and decoded",
    ),
    (
        "the dependency was pinned to an old version without that function",
        "the function exists only in a newer version of the dependency",
        "upgrade the pinned dependency, its old version lacks the function",
        "the import failed since the pinned version is too old",
    ),
    (
        "times were compared across time zones, naive against aware",
        "a naive datetime met an aware one from another time zone",
        "make every datetime aware and in utc before comparing time zones",
        "daylight saving moved the naive datetime by an hour",
    ),
    (
        "the index was off by one at the end of the list",
        "the last element is skipped because the range ends one too early",
        "an off by one error: the range must include the end",
        "the loop stopped before the last element of the list",
    ),
    (
        "the path was relative and the working directory another one",
        "it only works from the root since paths are relative to the working directory",
        "use an absolute path, the working directory differs in production",
        "started from another directory the relative path leads nowhere",
    ),
)
_GOALS = (
    "Repair the {part}",
    "Make the {part} work again",
    "Find out why the {part} fails",
    "The {part} must pass its tests",
)
_ENDS = ("Learned the hard way.", "Check that first.", "Fixed and tested.", "It took an hour to see.", "")
_SYLLABLES = _listed("ba ce di fo gu ka le mi no pu ra se ti vo wu xa ye zo qui bra cle dro fli gra")
_JOINTS = _listed("when before because after without while since unless during although")


@dataclass(frozen=True, slots=True)
class Told:
    text: str
    theme: int
    """-1: noise."""


def experiences(count: int, noise: float = 0.25, seed: str = "") -> list[Told]:
    """So many experiences in a random order: themes of at least three, and noise."""
    dice = random.Random(f"{seed}{count}")
    told = [Told(_noise(dice), -1) for _ in range(int(count * noise))]
    size = max(3, min(60, count // 12))
    causes = list(_CAUSES)
    dice.shuffle(causes)
    theme = 0
    while len(told) < count:
        ways = causes[theme] if theme < len(causes) else _made_up(dice)
        for _ in range(min(size, count - len(told))):
            goal = dice.choice(_GOALS).format(part=dice.choice(_PARTS))
            told.append(Told(f"{goal}: {dice.choice(ways)}. {dice.choice(_ENDS)}", theme))
        theme += 1
    dice.shuffle(told)
    return told


def _word(dice: random.Random) -> str:
    return "".join(dice.choices(_SYLLABLES, k=3))


def _made_up(dice: random.Random) -> tuple[str, ...]:
    """Four ways to tell of a made-up cause: of its nine words each has six."""
    own = [_word(dice) for _ in range(9)]
    return tuple(
        f"{' '.join(dice.sample(own, 4))} {dice.choice(_JOINTS)} {' '.join(dice.sample(own, 2))}" for _ in range(4)
    )


def _noise(dice: random.Random) -> str:
    """Something that happened once: its own words among those that everything has."""
    words = [_word(dice) for _ in range(7)]
    return f"{dice.choice(_GOALS).format(part=words[0])}: {' '.join(words[1:])}. {dice.choice(_ENDS)}"
