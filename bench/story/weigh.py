"""Fits the weights by which the brief chooses its parts, and tells what they reach on stories that were left out.

    python -m bench.story --keep DIR        plays the stories once
    python -m bench.story.weigh DIR         replays them, and fits `rooms/memory/injecting/value.py`

A part is wanted if its words state a fact that the story expects in that brief; one that states what must not be
there counts three times. Stories are left out a sixth at a time.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np
from bench.figures import parser_of
from bench.story import judge as judging
from bench.story import replay
from bench.story.given import Line
from bench.story.model import load
from bench.story.play import Played

from holdfast.rooms.memory.injecting import value, wording
from holdfast.rooms.memory.injecting.parts import Part

FOLDS, RIDGE, WRONG = 6, 3.0, 3.0
_STEPS, _DONE = 25, 1e-5

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Tried:
    """A part, and which facts its words state."""

    part: Part
    wanted: frozenset[str]
    unwanted: frozenset[str]
    """Facts that must not be in this brief, and words that may be given nowhere."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What one brief could say, and what it should."""

    wanted: frozenset[str]
    tokens: int
    tried: tuple[Tried, ...]


def briefs_of(kept: Path, name: str) -> list[Brief]:
    """Every brief of a story, replayed with the weights in use."""
    story, found, seen = load(name), list[Brief](), list[tuple[Sequence[Part], int]]()
    judge = judging.judge

    def watched(parts: Sequence[Part], tokens: int) -> list[Part]:
        seen.append((parts, tokens))
        return choose(parts, tokens)

    def judged(played: Played, *rest: Any) -> judging.Verdict:
        if seen:
            session = played.session
            parts, tokens = seen[0]
            never = (*story.never, *session.never)
            tried = []
            for part in parts:
                said = Line(part.line, is_item=True).said
                facts = {
                    key for key in (*session.brief, *session.not_in_brief) if story.facts[key].words.found_in(said)
                }
                wrong = facts & {*session.not_in_brief} | {str(words) for words in never if words.found_in(said)}
                tried.append(Tried(part, frozenset(facts & {*session.brief}), frozenset(wrong)))
            found.append(Brief(frozenset(session.brief), tokens, tuple(tried)))
            seen.clear()
        return judge(played, *rest)

    choose = value.choose
    with patch.object(value, "choose", watched), patch.object(replay, "judge", judged):
        replay.judged_again(kept, story)
    return found


def fitted(briefs: Iterable[Brief]) -> dict[str, float]:
    """A logistic regression with a ridge, by Newton's steps."""
    rows = [tried for brief in briefs for tried in brief.tried]
    names = sorted({name for row in rows for name in row.part.seen})
    amounts = np.array([[row.part.seen.get(name, 0.0) for name in names] for row in rows])
    wanted = np.array([float(bool(row.wanted) and not row.unwanted) for row in rows])
    counts = np.array([WRONG if row.unwanted else 1.0 for row in rows])
    weights, ridge = np.zeros(len(names)), np.eye(len(names)) * RIDGE
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-amounts @ weights))
        slope = amounts.T @ (counts * (likely - wanted)) + ridge @ weights
        bend = (amounts * (counts * likely * (1 - likely))[:, None]).T @ amounts + ridge
        step = np.linalg.solve(bend, slope)
        weights -= step
        if abs(step).max() < _DONE:
            break
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


def reached(briefs: Iterable[Brief], weights: Weights) -> tuple[int, int, int, list[int]]:
    """Facts that are told, facts that are wanted, facts that must not be told and are, and tokens of each brief."""
    told = wanted = wrong = 0
    tokens = []
    with patch.object(value, "WEIGHTS", weights):
        for brief in briefs:
            chosen = {id(part) for part in value.choose([each.part for each in brief.tried], brief.tokens)}
            said = [each for each in brief.tried if id(each.part) in chosen]
            told += len({key for each in said for key in each.wanted})
            wanted += len(brief.wanted)
            wrong += len({key for each in said for key in each.unwanted})
            tokens.append(sum(each.part.alone for each in said))
    return told, wanted, wrong, tokens


def left_out(stories: Mapping[str, Sequence[Brief]]) -> Iterator[tuple[str, tuple[int, int, int, list[int]]]]:
    """Each story, judged by weights that were fitted to others."""
    names = sorted(stories)
    for at in range(FOLDS):
        fold = names[at::FOLDS]
        weights = fitted(brief for name in names if name not in fold for brief in stories[name])
        yield from ((name, reached(stories[name], weights)) for name in fold)


def main() -> None:
    parser = parser_of(__doc__ or "", "python -m bench.story.weigh kept")
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m bench.story --keep` kept")
    chosen = parser.parse_args()
    kept = {name: place for folder in chosen.folders for place, name in replay.kept_stories(folder)}
    if not kept:
        sys.exit("No story is kept there: python -m bench.story --keep DIR")
    for name, place in kept.items():
        replay.mend_worktrees(place, load(name))
    with ProcessPoolExecutor() as pool:
        stories = dict(zip(kept, pool.map(briefs_of, kept.values(), kept), strict=True))
    print(f"at most {wording.TOKENS} tokens of lines")
    _print_figures("with the weights in use", lambda: _in_use(stories))
    _print_figures("with weights fitted to other stories", lambda: left_out(stories))
    for name, weight in fitted(brief for briefs in stories.values() for brief in briefs).items():
        print(f'    "{name}": {weight},')


def _in_use(stories: Mapping[str, Sequence[Brief]]) -> Iterator[tuple[str, tuple[int, int, int, list[int]]]]:
    return ((name, reached(briefs, value.WEIGHTS)) for name, briefs in stories.items())


def _print_figures(what: str, figures: Callable[[], Iterable[tuple[str, tuple[int, int, int, list[int]]]]]) -> None:
    told = wanted = wrong = 0
    tokens: list[int] = []
    for name, (here, of, bad, spent) in sorted(figures()):
        print(f"  {name:<14} {here} of {of} told, {bad} wrong, {median(spent):.0f} tokens")
        told, wanted, wrong, tokens = told + here, wanted + of, wrong + bad, tokens + spent
    share = 100 * told / max(1, wanted)
    print(f"{what}: {told} of {wanted} told ({share:.1f} %), {wrong} wrong, {median(tokens):.0f} tokens", flush=True)
    assert math.isfinite(share)


if __name__ == "__main__":
    main()
