"""Decisions of this room: which lines are said at a Read, and how found units are ranked. Pure."""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from holdfast.items.sources import ChangedWith
from holdfast.prose.one_line import one_line
from holdfast.source.links import is_test, is_test_file
from holdfast.source.model import FoundUnit, Frequencies, UnitRow
from holdfast.source.uses import Relation
from holdfast.source.words import asked_words, path_words

FILES_SAID = 3
"""Of each line; the others are counted."""
_NAMES_SAID = 3
_USES = 0.3
"""That the first test uses a file counts as much as a change together in so many of its commits. Chosen on three
packages and this repository, reported on three others: docs/decisions/0032-code-search.md."""
_LONGEST_NAME = 60
_LONGEST_PATH = 120
_LONGEST_LINE = 420
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:[.:#]{1,2}[A-Za-z_$][\w$]*)*")
_JOINT = re.compile(r"[.:#]+")
_PART = re.compile(r"[.;!?]\s|\n")
_ENDS = re.compile(
    r"\b(?:renam|remov|delet|drop|replac|extract|mov|inlin|merg|got rid|no longer|instead of)\w*", re.IGNORECASE
)
"""Wording for names that no longer exist."""
_MOST_NAMED, _LONGEST_TEXT = 20, 20_000
_NAMES_CODE = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z][A-Z]|[.:#]")
_TOKEN = re.compile(r"\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[A-Za-z_$][\w$]*|\d[\w.]*|[^\s\w]")
_SHINGLE = 5
_LOOKED_UP, _ENOUGH, _PAIRED = 6, 2, 3
"""Words by which candidates are looked up: at most, enough, and of the common ones, those that are paired."""
_MOST_MATCHED = 6_000
"""Units that have one of these words. More take longer than anybody waits."""
_NAME, _DOC = 12.0, 2.0
_SATURATED, _LENGTH, _USUAL = 2.0, 0.75, 60.0
"""The weights of name and documentation, BM25's k1 and b, and the words of a usual unit. Chosen with docstrings of nine
packages, reported on nine others: docs/decisions/0032-code-search.md."""
_MOST_TOKENS = 2_000


# --- at a Read


def in_range(units: Sequence[UnitRow], offset: int, limit: int) -> list[UnitRow]:
    """The units that a Read of some lines shows; all, when it reads the whole file."""
    if offset <= 0 and limit <= 0:
        return list(units)
    first = max(1, offset)
    last = first + (limit or 2_000) - 1
    return [unit for unit in units if unit.line <= last and unit.end_line >= first and unit.kind != "file"]


def said(path: str, relations: Sequence[Relation], beside: Sequence[ChangedWith] = ()) -> list[str]:
    """At most two lines about a file: its tests, and who uses it. Nothing when nobody does. `beside`: tests that
    changed with it."""
    own = _own_name(path)
    using = {each.path: each for each in tests_of(path, relations)}
    changed = {each.path: each for each in beside}
    tests = best_tests(path, list(using), beside)[:FILES_SAID]
    users = [each for each in relations if not each.is_test]
    lines = []
    if tests and not is_test(path):
        named = [
            _file(test, _tests_of(using[test]) if test in using else [_how_often(changed[test])]) for test in tests
        ]
        lines.append(_line(f"Tests of {_named(own)}", named, len(using.keys() - set(tests))))
    if users:
        named = [_file(each.path, each.names) for each in users[:FILES_SAID]]
        lines.append(_line(f"{_named(own)} is used in", named, len(users) - len(named)))
    return lines


def tests_of(path: str, relations: Sequence[Relation]) -> list[Relation]:
    """The tests that use a file: those that are named after it come first, then those that use most of it."""
    tests = (each for each in relations if is_test_file(each.path))
    return sorted(tests, key=lambda each: (not _has_name_of(path, each.path), -len(each.names), each.path))


def best_tests(path: str, using: Sequence[str], beside: Sequence[ChangedWith]) -> list[str]:
    """The tests that use a file, the best first, and those that changed with it, by what speaks for each. A test that
    uses the file and has its name comes before all."""
    points = {each.path: each.together / (each.of + 1) for each in beside}
    for place, test in enumerate(using):
        own = 1.0 if _has_name_of(path, test) else 0.0
        points[test] = points.get(test, 0.0) + _USES / (1 + place) + own
    return sorted(points, key=lambda test: -points[test])


def _has_name_of(path: str, test: str) -> bool:
    return posixpath.splitext(posixpath.basename(path))[0].lower() in posixpath.basename(test).lower()


def _how_often(test: ChangedWith) -> str:
    return f"changed with it in {test.together} of {test.of} commits"


def _tests_of(test: Relation) -> list[str]:
    """The tests in a file that use something; helpers of tests are left out."""
    found = dict.fromkeys(_test_name(user) for user in test.users())
    return [name for name in found if "test" in name.lower() or "spec" in name.lower()]


def _test_name(user: str) -> str:
    """A test without the functions inside it: `TestRates.test_half` for `TestRates.test_half.handler`."""
    parts = user.split(".")
    ends = (at for at, part in enumerate(parts, 1) if part.startswith("test"))
    return ".".join(parts[: next(ends, len(parts))])


def _own_name(path: str) -> str:
    """A file as it is spoken of: by its name; with its folder, where many files have that name."""
    folder, name = posixpath.split(path)
    is_common = posixpath.splitext(name)[0] in ("__init__", "__main__", "index", "mod", "main")
    return posixpath.join(posixpath.basename(folder), name) if is_common else name


def _line(begin: str, files: Sequence[str], more: int) -> str:
    rest = f", and {more} more file{'s' if more > 1 else ''}" if more > 0 else ""
    return one_line(f"{begin}: {', '.join(files)}", _LONGEST_LINE) + rest


def _file(path: str, names: Iterable[str]) -> str:
    few = [one_line(name, _LONGEST_NAME) for name in names]
    shown = ", ".join(few[:_NAMES_SAID]) + (", …" if len(few) > _NAMES_SAID else "")
    return f"{_named(path)} ({shown})" if shown else _named(path)


def _named(path: str) -> str:
    return one_line(path, _LONGEST_PATH)


# --- a search


def looked_up(asked: Sequence[str], known: Frequencies) -> list[tuple[str, ...]]:
    """What a candidate must have: one of the rarest words, as many of these as few units have. Where words are too
    common for that, two of them."""
    there = sorted((word for word in asked if word in known.of), key=lambda word: known.of[word])[:_LOOKED_UP]
    total, alone = 0, []
    for word in there:
        total += known.of[word]
        if total > _MOST_MATCHED:
            break
        alone.append((word,))
    common = there[len(alone) : len(alone) + _PAIRED]
    if len(alone) >= _ENOUGH or (alone and not common):
        return list(alone)
    return [*alone, *combinations(common, 2)] or [(word,) for word in common]


def ranked(text: str, found: Iterable[FoundUnit], known: Frequencies, limit: int) -> list[UnitRow]:
    """The best units for a question: BM25 over the fields of a unit, its own name first. A name that the question
    writes as code comes before all; tests come after what they test, unless tests are asked for."""
    asked = asked_words(text)
    weights = {word: _weight(known.of.get(word, 0), known.units) for word in asked}
    names = {re.split(r"[.:#]", name)[-1] for name in _IDENTIFIER.findall(text)}
    wants_tests = bool({"test", "spec"} & set(asked))
    scored = []
    for each in found:
        row = each.row
        score = _score(each, weights)
        if row.name and row.name in names and is_identifier(row.name, text):
            score += sum(weights.values()) * (_SATURATED + 1)
        if row.kind in ("file", "section"):
            score *= 0.75
        if is_test(row.path) and not wants_tests:
            score *= 0.7
        scored.append(row._replace(score=round(score, 4)))
    scored.sort(key=lambda row: (-row.score, row.path, row.line))
    return _one_each(scored)[:limit]


def _weight(units: int, of: int) -> float:
    return math.log(1 + (of - units + 0.5) / (units + 0.5)) if units <= of else 0.0


def _score(found: FoundUnit, weights: Mapping[str, float]) -> float:
    row = found.row
    fields = (
        (_NAME, asked_words(row.name)),
        (1.0, asked_words(row.container)),
        (1.0, path_words(row.path)),
        (_DOC, found.doc),
        (1.0, found.body),
    )
    often: dict[str, float] = {}
    for weight, words in fields:
        for word in words:
            if word in weights:
                often[word] = often.get(word, 0.0) + weight
    length = _SATURATED * (1 - _LENGTH + _LENGTH * (len(found.body) + len(found.doc)) / _USUAL)
    return sum(weights[word] * times * (_SATURATED + 1) / (times + length) for word, times in often.items())


def _one_each(rows: list[UnitRow]) -> list[UnitRow]:
    seen: dict[tuple[str, str, str], None] = {}
    kept = []
    for row in rows:
        key = (row.path, row.container, row.name) if row.name else (row.path, "", str(row.line))
        if key not in seen:
            seen[key] = None
            kept.append(row)
    return kept


def is_identifier(name: str, text: str) -> bool:
    """Is the name written in a text as code, rather than as a word of a sentence?"""
    return (
        _NAMES_CODE.search(name) is not None
        or f"`{name}" in text
        or f"{name}(" in text
        or f".{name}" in text
        or text.strip() == name
        or (name[:1].isupper() and f" {name}" in f" {text}" and not text.startswith(name))
    )


def named_in(text: str) -> list[str]:
    """The identifiers that a text writes as code, such as `round_vat` and `Invoice.total`, without what is before the
    last dot."""
    return list(_written_as_code(text))[:_MOST_NAMED]


def told_of(text: str) -> dict[str, set[str]]:
    """The same for a text that may be old: each with what stands before its last dot ('' for nothing), and without
    those that the text itself says were renamed or removed."""
    ended = {
        name for part in _PART.split(text[:_LONGEST_TEXT]) if _ENDS.search(part) for name in _written_as_code(part)
    }
    found = {name: of for name, of in _written_as_code(text).items() if name not in ended}
    return dict(list(found.items())[:_MOST_NAMED])


def _written_as_code(text: str) -> dict[str, set[str]]:
    """Names that look like code, or stand in code marks or before a bracket once. One pass: a prompt may be long."""
    text = text[:_LONGEST_TEXT]
    marked: set[str] = set()
    if "`" in text or "(" in text:
        for match in _IDENTIFIER.finditer(text):
            first, last = match.span()
            if text[last : last + 1] == "(" or text[first - 1 : first] == "`":
                marked.add(match[0])
    found: dict[str, set[str]] = {}
    for name in dict.fromkeys(_IDENTIFIER.findall(text)):
        if len(name) > 3 and (name in marked or _NAMES_CODE.search(name)):
            *of, own = _JOINT.split(name)
            if len(own) > 3:
                found.setdefault(own, set()).add(of[-1] if of else "")
    return found


# --- similar code


def likeness(one: str, other: str) -> float:
    """How alike two pieces of code are, from 0 to 1: half by their form, half by the words in their names."""
    first, second = _tokens(one), _tokens(other)
    if len(first) < _SHINGLE or len(second) < _SHINGLE:
        return 0.0
    form = _overlap(_shingles(first), _shingles(second))
    words = _overlap(set(asked_words(" ".join(first))), set(asked_words(" ".join(second))))
    return round((form + words) / 2, 3)


def _tokens(text: str) -> list[str]:
    return [match[0] for _, match in zip(range(_MOST_TOKENS), _TOKEN.finditer(text), strict=False)]


def _shingles(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    kinds = [_kind(token) for token in tokens]
    return {tuple(kinds[at : at + _SHINGLE]) for at in range(len(kinds) - _SHINGLE + 1)}


_WORDS_TEXT = """
if else elif for while return def fn func function class try except catch finally raise throw with async await yield
in not and or is None null nil true false True False new let const var switch case match break continue
"""
_WORDS = frozenset(_WORDS_TEXT.split())


def _kind(token: str) -> str:
    if token in _WORDS:
        return token
    first = token[0]
    if first in "\"'":
        return "s"
    if first.isdigit():
        return "n"
    return "i" if first.isalpha() or first in "_$" else token


def _overlap(
    first: set[object] | set[str] | set[tuple[str, ...]], second: set[object] | set[str] | set[tuple[str, ...]]
) -> float:
    union = len(first | second)
    return len(first & second) / union if union else 0.0
