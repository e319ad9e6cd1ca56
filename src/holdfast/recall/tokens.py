"""Turns text into terms. Items and questions use the same function, so that their terms match.

Words are folded and stemmed. Identifiers, paths and file names are kept whole and in parts. Scripts without spaces
become pairs of characters. `score` decides what a term is worth.
"""

from __future__ import annotations

import functools
import re
import threading
import unicodedata
from collections.abc import Iterator

import Stemmer

from holdfast.patterns import lazy_pattern
from holdfast.recall.words import BASE, GENERAL, STOP, TIMES

LONGEST_TERM = 48
MOST_TERMS = 1_500
"""Of one text; the rest of a longer text is not indexed."""

_own = threading.local()  # a stemmer serves one thread at a time

# A run of word characters, with the joints of identifiers, paths and addresses inside it.
_RUN = lazy_pattern(r"\w(?:[\w'’./\\:@+-]*\w)?")
_JOINT = lazy_pattern(r"[^\w]+|_+")
_CAMEL = lazy_pattern(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z]{2})(?=[0-9])|(?<=[0-9])(?=[A-Za-z]{2})"
)
_ACCENTS = lazy_pattern(r"[\u0300-\u036f]+")
_POSSESSIVE = lazy_pattern(r"['’]s$|['’]$")
_OPAQUE = lazy_pattern(r"(?=.*[0-9])[0-9a-f]{12,}|[0-9]{9,}")
# Scripts written without spaces: CJK ideographs, kana, Thai, Lao, Khmer, Burmese; Hangul has spaces but long endings.
_DENSE = lazy_pattern(r"[぀-ヿ㐀-䶿一-鿿豈-﫿가-힣฀-໿က-႟ក-៿𠀀-𯿿]+")


def terms(text: str) -> list[str]:
    """The terms of a text in order, as often as they occur, without stop words."""
    found: list[str] = []
    for run in _RUN.finditer(_fold(text)):
        found += _run_terms(run[0])
        if len(found) >= MOST_TERMS:
            return found[:MOST_TERMS]
    return found


def unique(found: list[str]) -> list[str]:
    return list(dict.fromkeys(found))


_LEAST_DIGITS = 3
"""Digits of a number that names something, such as 429 or 2031."""


@functools.cache
def general_terms() -> frozenset[str]:
    """Terms that occur in any conversation and any request."""
    return frozenset(term for word in GENERAL for term in terms(word))


def says_little(term: str) -> bool:
    """Is it a word of any conversation, or a small number? "at 10 on ward 3" shares both with anything."""
    return term in general_terms() or (term.isdigit() and len(term) < _LEAST_DIGITS)


@functools.cache
def time_terms() -> frozenset[str]:
    """Terms that name a time."""
    return frozenset(term for word in TIMES for term in terms(word))


def _fold(text: str) -> str:
    """One form of each character, without accents. Case stays, because it separates the words of an identifier."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", text))


@functools.lru_cache(maxsize=65_536)
def _run_terms(run: str) -> tuple[str, ...]:
    """The terms of one run of characters."""
    if not run.isascii() and _DENSE.search(run):
        return tuple(_dense(run))
    low = run.lower()
    if low in STOP:
        return ()
    if low.isalpha() and (low == run or run.istitle() or run.isupper()):
        return (_word(low),)
    pieces = [piece for piece in _JOINT.split(_POSSESSIVE.sub("", run)) if piece]
    parts = [part.lower() for piece in pieces for part in _CAMEL.split(piece) if part]
    found = [_word(part) for part in parts if part not in STOP and (len(part) > 1 or part.isdigit())]
    if len(parts) > 1 and "'" not in run and "’" not in run:
        # Separators are written as one and the same, so that auth.test, auth_test and authTest meet.
        found += [whole[:LONGEST_TERM] for whole in _wholes(run, parts)]
    return tuple(found)


def _wholes(run: str, parts: list[str]) -> Iterator[str]:
    """An identifier as one term; of a path, its file name and its last two parts."""
    if "/" in run or "\\" in run:
        name = re.split(r"[/\\]", run)[-1]
        inner = [part.lower() for piece in _JOINT.split(name) if piece for part in _CAMEL.split(piece) if part]
        if len(inner) > 1:
            yield "_".join(inner)
    elif len(parts) <= 6 and not (run.count("-") == len(parts) - 1 and run.replace("-", "").isalpha()):
        yield "_".join(parts)


def _word(word: str) -> str:
    if _OPAQUE.fullmatch(word) or not word.isalpha():
        return word[:LONGEST_TERM]
    stemmer = getattr(_own, "stemmer", None)
    if stemmer is None:
        stemmer = _own.stemmer = Stemmer.Stemmer("english", 0)
    return str(stemmer.stemWord(BASE.get(word, word)))[:LONGEST_TERM]


def _dense(run: str) -> Iterator[str]:
    """Pairs of neighbouring characters; the text between such scripts is split as any words."""
    at = 0
    for match in _DENSE.finditer(run):
        if match.start() > at:
            yield from _run_terms(run[at : match.start()].strip("'’./\\:@+-_") or " ")
        text = match[0]
        yield from (text[i : i + 2] for i in range(max(1, len(text) - 1)))
        at = match.end()
    if at < len(run):
        yield from _run_terms(run[at:].strip("'’./\\:@+-_") or " ")
