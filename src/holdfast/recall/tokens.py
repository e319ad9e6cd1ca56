"""Turns text into terms. Items and questions use the same function, so that their terms match.

Words are folded and stemmed. Identifiers, paths and file names are kept in parts, and whole as one word of all their
letters. Scripts without spaces become pairs of characters. `score` decides what a term is worth.
"""

from __future__ import annotations

import functools
import re
import threading
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

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
# A pair of them that is nothing but grammar: Japanese in hiragana, and what asks; in Chinese and Korean, particles and
# endings. Two of any sentences share such pairs. A Korean word may be made of the letters of endings (a log, a limit, a
# map), so pairs count as they stand in endings.
_GRAMMAR = lazy_pattern(
    r"[ぁ-ゖーゝゞ何誰]{1,2}|[的了吗呢吧啊么什怎为我你他她它们这那个是不在有和就都也要会能把被可以请还没哪谁很给让跟]{1,2}"
    r"|[은는이가을를의에서로와과도만하해한했할요고면줘왜그저것거뭐]|습니|니[다까]|[합입됩]니|[했었았있없겠됐]습|[어아해세네지까]요|하[는고면지게기]"
    r"|한다|할[까지게]|해[서도줘야]|어[떻서도]|떻게|에[서게는도]|으[로면]|이[다고는것]|것[은이을도]|[그저]것|거기|뭐[가를지]|[했었았겠][다어지고]"
    r"|[있없][어는다고지이]|이었|지만|면서|까지|로[는도]|[와과]는|[는은]지|을까"
)
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


_NO_PART = "ie"
_MOST_PARTS = 6
"""Of an identifier; a longer run of joined words is none."""
_LEAST_DIGITS = 3
"""Digits of a number that names something, such as 429 or 2031."""


@functools.cache
def general_terms() -> frozenset[str]:
    """Terms that occur in any conversation and any request."""
    return frozenset(term for word in GENERAL for term in terms(word))


def says_little(term: str) -> bool:
    """Is it a word of any conversation, or a small number? "at 10 on ward 3" shares both with anything."""
    if not term.isascii() and _GRAMMAR.fullmatch(term):
        return True
    return term in general_terms() or (term.isdigit() and len(term) < _LEAST_DIGITS)


def telling_terms(text: str) -> frozenset[str]:
    """The terms that say what a text is about: those of any conversation, small numbers and times do not."""
    return frozenset(term for term in terms(text) if not says_little(term)) - time_terms()


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
    if _is_plain(run):
        return (_word(low),)
    pieces = [_humps(piece) for piece in _JOINT.split(_POSSESSIVE.sub("", run))]
    parts = [part for piece in pieces for part in piece]
    found = [_word(part) for part in parts if part not in STOP and (len(part) > 1 or part.isdigit())]
    # A single letter belongs to what follows, too: oauth in OAuthClient.
    found += [
        _word(one + two) for piece in pieces for one, two in pairwise(piece) if len(one) == 1 and (one + two).isalpha()
    ]
    return tuple(found) + tuple(whole for whole in _wholes(run) if whole not in found)


def _is_plain(run: str) -> bool:
    """A word, also in capitals (README, IDs)."""
    return run.isalpha() and (run.islower() or run.istitle() or run.removesuffix("s").isupper())


def _humps(piece: str) -> list[str]:
    """The parts of refreshToken. Names such as iPhone and eBay begin with one that is none."""
    found = [part.lower() for part in _CAMEL.split(piece) if part]
    if len(found) > 1 and piece[0] in _NO_PART and found[0] == piece[0] and found[1].isalpha():
        found[:2] = [found[0] + found[1]]
    return found


def names(text: str) -> frozenset[str]:
    """The identifiers of a text, each as one word: `reconcile.py` is "reconcilepi", as a stem."""
    runs = (part for run in _RUN.finditer(_fold(text)) for part in _DENSE.split(run[0]))
    return frozenset(whole for run in runs for whole in _wholes(run))


@functools.lru_cache(maxsize=65_536)
def _wholes(run: str) -> tuple[str, ...]:
    """An identifier as one word, and of a path its file name. So auth.test, auth_test and authTest meet, and GitHub and
    github do."""
    run = _POSSESSIVE.sub("", run)
    if _is_plain(run) or "'" in run or "’" in run:
        return ()
    name = re.split(r"[/\\]", run)[-1]
    pieces = [humps for piece in _JOINT.split(name) if (humps := _humps(piece))]
    parts = sum(map(len, pieces))
    is_whole = name == run
    is_prose = is_whole and run.count("-") == parts - 1 and run.replace("-", "").isalpha()
    if parts < 2 or is_prose or (is_whole and parts > _MOST_PARTS):
        return ()
    return (_word(_joined(["".join(humps) for humps in pieces])),)


def _joined(pieces: list[str]) -> str:
    """Pieces as one word. Numbers stay apart, and so do single letters: 1.2 is not 12, and a.py is not the stem of
    "api"."""
    whole = pieces[0]
    for one, two in pairwise(pieces):
        apart = len(one) == 1 or len(two) == 1 or (one[-1].isdigit() and two[0].isdigit())
        whole += f"_{two}" if apart else two
    return whole


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
