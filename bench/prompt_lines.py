"""Which lines of earlier work are meant by a prompt of the stories, and by what it can be told.

    python -m bench.prompt_lines DIR ... --out FILE   replays recorded stories (`bench.story --keep`), notes every line
    python -m bench.prompt_lines --fit FILE           fits and tests, stories left out in turn, and says what was lost

A line is right if it says a fact that the prompt must be given or is about. Stories named by `--held` are no part of
the fit: it is tested on them at the end. What is seen is what `recall.sure` sees now, and more that might help.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.figures import parser_of
from bench.regression import weights_of
from bench.story import replay
from bench.story.given import Line
from bench.story.model import Fact, Story, Turn, load
from bench.story.play import Played

from holdfast.events.content import prompt_text
from holdfast.items import selection, tables
from holdfast.items.asked import MOST_GIVEN, Asked
from holdfast.items.catalogue import Catalogue
from holdfast.items.indexed import Page
from holdfast.items.model import Given, Item
from holdfast.items.standing_out import LIMITS, FittingWorks, seen_of
from holdfast.recall import Candidate, Hit, Query, find
from holdfast.recall.intent import Intent, read_intent
from holdfast.recall.lexical import Searcher
from holdfast.recall.sure import SURENESS
from holdfast.recall.tokens import names, says_little, telling_terms, terms
from holdfast.store.interface import Reader

LOWEST = 0.12
"""The fit of the lines that are noted."""
DAY_US = 86_400_000_000
OLD = ("fit", "share", "lead", "asks", "covered", "pairs", "said")
FEATURES = (
    *OLD, "hint", "memory", "prompt_terms", "said_weight", "of_line", "of_item", "rarest", "title", "telling", "names",
    "last_session", "days", "worth", "fitting", "first",
)  # fmt: skip
"""In the order of `_seen`: what is weighed now, then what might be."""
Row = dict[str, Any]


class _Noting:
    """Notes what fits each prompt while a story is replayed."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.rows: list[Row] = []
        self._played: Played | None = None
        self._for_prompt = selection.for_prompt
        self._play = replay._play

    async def play(self, talk: Any, events: Any, played: Played, moment: Any) -> None:
        self._played = played
        await self._play(talk, events, played, moment)

    def for_prompt(self, reader: Reader, catalogue: Catalogue, asked: Asked, tokens: int, most: int) -> list[Given]:
        given = self._for_prompt(reader, catalogue, asked, tokens, most)
        turns = self._played.session.turns if self._played else ()
        turn = next((each for each in turns if prompt_text(each.prompt) == asked.text), None)
        if turn is not None and asked.own:
            self.rows.append(self._note(reader, catalogue, asked, turn, given))
        return given

    def _note(self, reader: Reader, catalogue: Catalogue, asked: Asked, turn: Turn, given: Sequence[Given]) -> Row:
        intent = read_intent(asked.own, asked.now, asked.zone)
        said = tables.said_to(reader, asked.who)
        held = replace(LIMITS, floor=LOWEST, question_floor=LOWEST, hint_floor=LOWEST, asked_floor=LOWEST)
        there = replace(asked, limits=held)
        query = selection.query_of(catalogue, there, intent, said)
        found = selection.meant(reader, catalogue, there, query, intent)
        lines = selection.lines_of(reader, found.works, there, said)
        weights = {each.word: each.idf for each in Searcher(reader, query).lists().weights}
        of: dict[str, Item] = {item.id: item for work in found.works for item, _ in work}
        rows = [
            {"text": line.text, "right": self._right(line.text, turn), "seen": seen,
             "has": any(self._right(each, turn) for each in of[line.id].words().splitlines())}
            for line, seen in zip(lines, _seen(lines, found, intent, asked, weights), strict=True)
        ]  # fmt: skip
        must = [self.story.facts[name] for name in turn.given]
        assert self._played is not None
        brief = [line for block in self._played.blocks if block.hook == "brief" for line in block.items]
        missed = [fact for fact in must if not any(fact.words.found_in(line.said) for line in brief)]
        return {
            "story": self.story.name,
            "session": self._played.session.name,
            "prompt": asked.own,
            "wanted": bool(missed),
            "nothing": turn.nothing,
            "facts": [str(fact.words) for fact in missed],
            "lost": [self._lost(reader, catalogue, query, fact) for fact in missed],
            "judged": found.judged,
            "sort": intent.strength or ("question" if intent.question else "order"),
            "given": [[each.text, self._right(each.text, turn)] for each in given],
            "lines": rows,
        }

    def _lost(self, reader: Reader, catalogue: Catalogue, query: Query, fact: Fact) -> list[Any]:
        """The items that say a fact, with their fit, the best first: where it could have been found."""
        hits = {hit.id: hit for hit in find(reader, replace(query, floor=0.0, limit=500))}
        page = Page(500, project_id=query.project_ids[0])
        found: list[tuple[float, str, str, tuple[str, ...]]] = []
        for each in catalogue.page(reader, page, query.owners[0]):
            item = catalogue.item(reader, each.id, query.owners[0], each.family)
            said = item.words().splitlines() if item is not None and item.listed.sums_up else []
            if line := next((line for line in said if fact.words.found_in(line)), ""):
                hit = hits.get(each.id)
                found.append((hit.fit if hit else -1.0, line, each.title, hit.matched if hit else ()))
        found.sort(key=lambda each: each[0], reverse=True)
        return found[:3]

    def _right(self, line: str, turn: Turn) -> bool:
        facts = [self.story.facts[name] for name in (*turn.given, *turn.about)]
        return any(fact.words.found_in(Line(line, True).said) for fact in facts)


def _seen(
    lines: Sequence[Candidate], found: FittingWorks, intent: Intent, asked: Asked, weights: Mapping[str, float]
) -> Iterator[list[float]]:
    """What is seen of each line, in the order of `FEATURES`."""
    of: dict[str, tuple[Item, Hit]] = {item.id: (item, hit) for work in found.works for item, hit in work}
    own = [term for term in dict.fromkeys(terms(asked.own)) if term in telling_terms(asked.own)]
    total = sum(weights.get(term, 0.0) for term in own) or 1.0
    known = sorted((term for term in own if term in weights), key=lambda each: -weights[each])
    newest = max((hit.listener for _, hit in of.values()), default="", key=lambda who: max(
        hit.happened_at for _, hit in of.values() if hit.listener == who))  # fmt: skip
    ranked = sorted((line.score for line in lines), reverse=True)
    for line, old in zip(lines, seen_of(lines, found, intent, telling_terms(asked.own)), strict=True):
        item, hit = of[line.id]
        line_terms, item_terms = set(terms(line.text)), set(terms(item.words()))
        telling = {term for term in line_terms if not says_little(term)}
        shared = [term for term in own if term in line_terms]
        beyond = [term for term in own if term in item_terms]
        yield [
            *old,
            float(intent.strength == "hint"),
            float(intent.strength == "asks"),
            math.log(1 + len(own)),
            sum(weights.get(term, 0.0) for term in shared) / total,
            len(shared) / max(1, len(telling)),
            sum(weights.get(term, 0.0) for term in beyond) / total,
            sum(term in item_terms for term in known[:2]) / 2,
            sum(weights.get(term, 0.0) for term in own if term in set(terms(item.listed.title))) / total,
            float(min(4, len(beyond))),
            float(not names(asked.own).isdisjoint(item_terms)),
            float(hit.listener == newest),
            math.log(1 + max(0, asked.now - hit.happened_at) / DAY_US),
            item.listed.worth,
            math.log(len(lines)),
            float(line.score == ranked[0]),
        ]


def note(kept: Path, name: str) -> list[Row]:
    """Every prompt of one story, with the lines that fit it."""
    noting = _Noting(load(name))
    selection.for_prompt, replay._play = noting.for_prompt, noting.play

    replay.replay(kept, name)
    return noting.rows


# --- fitting


def _cases(rows: Sequence[Row], columns: Sequence[int]) -> Iterator[tuple[list[float], float]]:
    for row in rows:
        for line in row["lines"] if row["judged"] else ():
            yield [line["seen"][at] for at in columns], float(line["right"])


def _fold(rows: Sequence[Row], columns: Sequence[int]) -> Callable[[Sequence[float]], float]:
    cases = list(_cases(rows, columns))
    *weights, base = weights_of([seen for seen, _ in cases], [right for _, right in cases])
    return lambda seen: base + sum(weight * seen[at] for weight, at in zip(weights, columns, strict=True))


def _now(seen: Sequence[float]) -> float:
    return math.log(SURENESS.of(seen[:4]) / (1 - SURENESS.of(seen[:4])))


def _curve(rows: Sequence[Row], points: Mapping[int, float]) -> list[tuple[int, int, int, int]]:
    """Lines, right ones, prompts served and prompts about nothing that are given something, by how many lines."""
    best: list[tuple[float, bool, int]] = []
    for at, row in enumerate(rows):
        if row["judged"]:
            scored = sorted(((points[id(line)], line["right"]) for line in row["lines"]), reverse=True)[:MOST_GIVEN]
            best += [(score, right, at) for score, right in scored]
    best.sort(key=lambda each: -each[0])
    found, right, served, false = [], 0, set[int](), set[int]()
    for count, (_, is_right, at) in enumerate(best, 1):
        right += is_right
        served |= {at} if is_right and rows[at]["wanted"] else set()
        false |= {at} if rows[at]["nothing"] else set()
        found.append((count, right, len(served), len(false)))
    return found


def _at_recall(curve: Sequence[tuple[int, int, int, int]], served: int) -> str:
    for count, right, found, false in curve:
        if found >= served:
            return f"{found} served by {count} lines, {100 * right / count:.1f} % right, {false} at nothing"
    return f"never {served}"


def fit(rows: Sequence[Row], held: Sequence[str]) -> None:
    known = [row for row in rows if row["story"] not in held]
    test = [row for row in rows if row["story"] in held]
    for some, label in ((known, "known"), (test, "held out")):
        given = [each for row in some for each in row["given"]]
        print(f"{label}: {len(some)} prompts, {len(given)} lines given, {sum(right for _, right in given)} right")
        print("  facts that no brief told:", ", ".join(f"{name} {n}" for name, n in _lost(some).most_common()))
    sets: dict[str, tuple[str, ...] | None] = {"as it is now": None, "the same, fitted": OLD, "all": FEATURES}
    sets |= {f"and {name}": (*OLD, name) for name in FEATURES[len(OLD) :]}
    for label, chosen in sets.items():
        print(f"{label:<18}", " | ".join(_tested(known, chosen)))
    for label, chosen in list(sets.items())[:3]:
        of = _now if chosen is None else _fold(known, [FEATURES.index(each) for each in chosen])
        points = {id(line): of(line["seen"]) for row in test for line in row["lines"]}
        curve = _curve(test, points)
        print(f"held out, {label:<18}", " | ".join(_at_recall(curve, served) for served in (20, 25, 30)))


def _lost(rows: Sequence[Row]) -> Counter[str]:
    """Where the prompts stand that must be given a fact which no brief told."""
    found: Counter[str] = Counter()
    for row in rows:
        if not row["wanted"]:
            continue
        best = max((item[0] for items in row["lost"] for item in items), default=None)
        if any(right for _, right in row["given"]):
            found["given"] += 1
        elif any(line["right"] for line in row["lines"]):
            found["a right line fits and is not given"] += 1
        elif any(line["has"] for line in row["lines"]):
            found["the right work is told by another line"] += 1
        elif best is None:
            found["nothing says it"] += 1
        else:
            found["shares too few words" if best < LOWEST else "replaced, settled or known"] += 1
    return found


def _tested(rows: Sequence[Row], chosen: Sequence[str] | None) -> list[str]:
    points: dict[int, float] = {}
    for name in {row["story"] for row in rows}:
        own, others = ([row for row in rows if (row["story"] == name) is is_own] for is_own in (True, False))
        of = _now if chosen is None else _fold(others, [FEATURES.index(each) for each in chosen])
        points |= {id(line): of(line["seen"]) for row in own for line in row["lines"]}
    curve = _curve(rows, points)
    return [_at_recall(curve, served) for served in (80, 100, 115)]


def main() -> None:
    parser = parser_of(__doc__ or "", "python -m bench.prompt_lines kept --out lines.json")
    parser.add_argument("folders", nargs="*", type=Path, help="what `python -m bench.story --keep` kept")
    parser.add_argument("--out", type=Path, help="where the lines are noted")
    parser.add_argument("--project", action="append", help="only this story (may be repeated)")
    parser.add_argument("--held", action="append", default=[], help="a story that is no part of the fit")
    parser.add_argument("--fit", type=Path, help="fit and test what was noted")
    chosen = parser.parse_args()
    if chosen.fit:
        fit(json.loads(chosen.fit.read_text("utf-8")), chosen.held)
        return
    stories = {
        name: kept
        for folder in chosen.folders
        for kept, name in replay.kept_stories(folder)
        if not chosen.project or name in chosen.project
    }
    if not stories or chosen.out is None:
        sys.exit("Name a folder that keeps recorded stories, and --out.")
    for name, kept in stories.items():
        replay.mend_worktrees(kept, load(name))
    with ProcessPoolExecutor(2, max_tasks_per_child=1) as pool:
        rows = [row for found in pool.map(note, stories.values(), stories) for row in found]
    chosen.out.write_text(json.dumps(rows, indent=1), "utf-8")
    print(f"{len(rows)} prompts, {sum(len(row['lines']) for row in rows)} lines")


if __name__ == "__main__":
    main()
