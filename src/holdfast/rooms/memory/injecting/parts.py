"""What a brief may say, in parts: a way to tell the work of a session, something it left open, or what the user said.

Parts of one session stand in one line, so that what is open is told with its subject and the id, the writer and the age
are told once. `value` says which parts are worth their tokens. Pure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from holdfast.events.subjects import ABOUT, need
from holdfast.events.tokens import count_tokens
from holdfast.ids import ItemId
from holdfast.items.words import WRITER_MARKS, line_tokens
from holdfast.prose import cues
from holdfast.prose.openness import leaves_open
from holdfast.prose.remarks import waits_for_somebody
from holdfast.prose.sentences import split_line
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.injecting import fitting, quoting
from holdfast.rooms.memory.model import Summary
from holdfast.rooms.memory.standing.threads import STILL_FAILS, Thread, pressing
from holdfast.rooms.memory.standing.worth import of_item

Kind = Literal["work", "open", "rule"]
OPEN = " — open: "
"""Before what is open, behind the work that left it open."""
_MOST_RESULTS = 4
"""Further results of a session that are tried behind the first."""
_USUAL = 25
"""Tokens of a line of usual length."""
_SHORTEST_TOLD = 25
_LEAST_PRESSING = (0, 1, 3)
_LONGEST_READ = 500
_SUBJECT = re.compile(r"((?: \((?:about|asked): [^()]*\))*)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    kind: Kind
    of: str
    """What it tells; of several parts that tell the same one is said."""
    item_id: ItemId
    line: str
    """As a line of its own."""
    words: str
    """Behind another part of the same session."""
    seen: Mapping[str, float]
    """What decides whether it is worth telling (`value.WEIGHTS`)."""
    whole: str = ""
    """The words of a thread, uncut."""
    joins: bool = False
    """The agent's words alone, so that more of them may stand behind: who reads words behind a quotation of the user
    would take them for the user's (SEC-8)."""

    @property
    def alone(self) -> int:
        """Tokens as a line of its own."""
        return _line_cost(self.line)

    @property
    def beside(self) -> int:
        """Tokens behind another part of the same session."""
        return _words_cost(self.words)


@lru_cache(maxsize=1_024)
def _line_cost(line: str) -> int:
    return line_tokens(line) + 1


@lru_cache(maxsize=1_024)
def _words_cost(words: str) -> int:
    return count_tokens(words) + 1


def of_work(lines: Sequence[tuple[Summary, str]], since: Mapping[str, int], branch: str) -> Iterator[Part]:
    """The ways to tell each piece of work: whole, cut, or cut with another result of the same session."""
    for rank, (summary, line) in enumerate(lines):
        later, content = since.get(summary.id, 0), summary.content
        beside = _result_beside(summary, line)
        for form in (*_forms(summary, line), *([beside] if beside else ())):
            seen = {
                "work": 1.0,
                "work.since": math.log1p(later),
                "work.tokens": math.log((line_tokens(form) + 1) / _USUAL),
                "work.newest": float(later == 0),
                "work.rank": math.log1p(rank),
                "work.worth": of_item(summary).value,
                "work.need": float(need(said_in(form)) == "must"),
                "work.branch": float(content.branch not in ("", branch)),
                "work.files": math.log1p(len(content.files)),
                "work.failed": float(content.outcome == "failed"),
            }
            of = f"{'result' if form is beside else 'work'} {summary.id}"
            yield Part("work", of, ItemId(summary.id), form, said_in(form), seen, joins=_is_agents_alone(form))


def _forms(summary: Summary, line: str) -> Iterator[str]:
    short = fitting.cut(line, leads=False)
    yield from dict.fromkeys((line, short))
    if not _is_agents_alone(short):
        return
    told = said_in(short).lower()
    results = [quoting.change_of(summary.content), *quoting.results(summary.content)]
    for result in dict.fromkeys(results[: _MOST_RESULTS + 1]):
        first = next(iter(split_line(result)), "").rstrip("….:").lower()
        longer = quoting.followed_by(short, result) if first and first not in told else short
        if longer not in (short, line) and len(longer) <= fitting.LONGEST_LINE:
            yield longer


def _result_beside(summary: Summary, line: str) -> str:
    """What the agent did, as a line of its own, where the line of the session gives the user's words; '' for none."""
    found, result = fitting.LINE.fullmatch(line), quoting.change_of(summary.content)
    if found is None or not result or WRITER_MARKS["agent"] in found["head"]:
        return ""
    _, facts = _SUBJECT.fullmatch(found["facts"]).groups()  # type: ignore[union-attr]  # it matches any text
    return fitting.within(f"{found['head']}{WRITER_MARKS['agent']}{result.rstrip('.')}.{facts}")


def of_threads(lines: Sequence[tuple[Summary, Thread, str]], since: Mapping[str, int]) -> Iterator[Part]:
    """The ways to tell each open thread: whole or cut."""
    for rank, (summary, thread, line) in enumerate(lines):
        later = math.log1p(since.get(summary.id, 0))
        text = thread.line[:_LONGEST_READ]
        need_of_word = pressing(thread)
        short = fitting.cut(line, leads=True)
        for form in (line, short) if short != line and leaves_open(said_in(short)) else (line,):
            seen = {
                "open": 1.0,
                "open.since": later,
                "open.tokens": math.log((line_tokens(form) + 1) / _USUAL),
                "open.rank": math.log1p(rank),
                "open.waits": float(waits_for_somebody(text)),
                "open.need": float(need(thread.line) == "must"),
                "open.sentences": math.log1p(len(split_line(thread.line))),
                "open.unshipped.since": later * (cues.UNSHIPPED.search(text) is not None),
            }
            seen |= {f"open.{level}": float(need_of_word == level) for level in _LEAST_PRESSING}
            seen |= {f"open.{level}.since": later * (need_of_word == level) for level in (0, 2, 3)}
            of = f"open {summary.id} {thread.line}"
            joins = _is_agents_alone(form)
            yield Part("open", of, ItemId(summary.id), form, _behind(said_in(form)), seen, thread.line, joins)


def of_rules(lines: Sequence[tuple[ItemId, str]], since: Mapping[str, int]) -> Iterator[Part]:
    """What the user said in other sessions and nobody confirmed."""
    for item_id, line in lines:
        later = since.get(item_id, 0)
        seen = {"rule": 1.0, "rule.since": math.log1p(later), "rule.newest": float(later == 0)}
        yield Part("rule", f"rule {item_id}", item_id, line, line, seen)


def said_in(line: str) -> str:
    """The words of a line, without its id, its writer and its remarks."""
    found = fitting.LINE.fullmatch(line)
    return found["said"] if found else line


def _is_agents_alone(line: str) -> bool:
    found = fitting.LINE.fullmatch(line)
    return found is not None and WRITER_MARKS["agent"] in found["head"] and "“" not in found["said"]


def _behind(words: str) -> str:
    """What is open, behind the work that left it open: that says what it is about."""
    bare, _, _ = words.partition(ABOUT)
    if bare.startswith(STILL_FAILS):
        return f" — {bare[0].lower()}{bare[1:]}"
    return f"{OPEN}{bare}"


def _fits_beside(part: Part, line: Sequence[Part]) -> bool:
    """Is it of the same session, and is there room for it in the line?"""
    same = line[0].item_id == part.item_id and line[0].joins and part.joins
    return same and _length(line) + len(part.words) <= fitting.LONGEST_LINE


def _length(parts: Sequence[Part]) -> int:
    return len(parts[0].line) + sum(len(each.words) for each in parts[1:])


def grouped(chosen: Iterable[Part]) -> list[list[Part]]:
    """The parts of each line: first the work of sessions with what they left open, then what else is open, then rules,
    which stand by themselves."""
    lines: list[list[Part]] = []
    for part in sorted(chosen, key=lambda each: _ORDER.index(each.kind)):
        home = next((line for line in lines if _fits_beside(part, line)), None)
        if home is None:
            lines.append([part])
        else:
            home.append(part)
    return lines


_ORDER: tuple[Kind, ...] = ("work", "open", "rule")


def in_lines(chosen: Iterable[Part]) -> tuple[list[tuple[ItemId, str]], list[tuple[ItemId, str]]]:
    """The lines of sessions whose work is told, with what they left open, and lines of what else is open."""
    lines = grouped(chosen)
    work = [(line[0].item_id, _joined(line)) for line in lines if line[0].kind == "work"]
    told = [text for _, text in work]
    left: list[tuple[ItemId, str]] = []
    for line in (each for each in lines if each[0].kind == "open"):
        text = _joined(line, "\n".join(told))
        told.append(text)
        left.append((line[0].item_id, text))
    return work, left


def _joined(parts: Sequence[Part], above: str = "") -> str:
    """One line of several parts; `above` are lines that the reader has read."""
    found = fitting.LINE.fullmatch(parts[0].line)
    if found is None:
        return parts[0].line
    said = _unsaid(found["said"].rstrip(), above) or found["said"].rstrip()
    subject, facts = _SUBJECT.fullmatch(found["facts"]).groups()  # type: ignore[union-attr]  # it matches any text
    told = f"{above}\n{said}"
    subject = "" if subject and subject in above else subject
    for part in parts[1:]:
        lead = OPEN if part.words.startswith(OPEN) else ""
        words = _unsaid(part.words.removeprefix(lead), told)
        matter = _other_matter(part, f"{said}{subject}")
        subject += f"{lead}{words}{matter}" if words else ""
    return f"{found['head']}{said}{subject}{facts}"


def _other_matter(part: Part, said: str) -> str:
    """What an open line is about, where the work that it stands behind is about something else."""
    _, mark, subject = part.whole.partition(ABOUT)
    own = frozenset(terms(subject)) - general_terms()
    return f"{mark}{subject}" if own and own.isdisjoint(terms(said)) else ""


def _unsaid(words: str, told: str) -> str:
    """What is open, without the sentences that were told: who reads both knows what it is about. Short ones stay;
    '' when all of it was told."""
    sentences = split_line(words)
    fresh = [each for each in sentences if len(each) < _SHORTEST_TOLD or each.rstrip(".") not in told]
    return " ".join(fresh)
