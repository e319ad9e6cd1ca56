"""The scrubber: takes secrets out of text and of decoded JSON before anything is written.
Keywords choose rules, rules propose places, shapes and allow-lists decide; what goes leaves its rule's id.
Needs nothing but the standard library (see scan.py); does no I/O.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from . import keyed, pem, scan
from .allow import AllowList
from .keys import Names
from .marks import PLACEHOLDER, Cut, cut
from .rules import Rule, RuleSet, default_rules
from .shape import CHECKS, entropy
from .walk import walk

KEY_ID, COOKIE_ID = "private-key", "cookie"
NAMED_IDS = {"password": "named-password", "token": "named-secret", "strong": "named-secret"}
TOKEN_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.~%-")
ALNUM = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
# `\n`, `\x3d`, `=`, `%3D` and a terminal's colour code end in a letter and yet end a word.
ESCAPE_TAIL = re.compile(rb"(?:[nrtbf]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[0-9A-F]{2}|[0-9]{0,3}m)")
ESCAPE_END = re.compile(rb"(?:\\[nrtbf0]|%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,12}m)\Z")
# From one line of base64 to the next: marks, a line break real or written as two characters, marks.
BETWEEN = rb"={0,3}[\"'+, \t]{0,24}(?:\\{1,4}r)?(?:\\{1,4}n|\r?\n)?[ \t>#+]{0,48}b?[\"']?"
BLOB = rb"(?:[A-Za-z0-9+/=_-]{28}|\[scrubbed:random-token\])"
LINE_AFTER, LINE_BEFORE = re.compile(BETWEEN + BLOB), re.compile(BLOB + BETWEEN + rb"\Z")
SEPARATOR = b"\n\x00\n"
LEAST = 8
SHORTEST_SCAN = 32
PASSES = 8
REACH = 512
FULL_STOP = 0x2E

SHORT = 96
REMEMBERED = 8192

Span = tuple[int, int, int, str]
Run = tuple[int, Rule, int, int]


class Scrubbed(NamedTuple):
    """The text without secrets, and the ids of the rules that found them, in order."""

    text: str
    found: tuple[str, ...]


class Seen(NamedTuple):
    """What one look at a text found: keywords in order, and the matches of the rules that have none."""

    hits: list[scan.Hit]
    runs: list[Run]


class Scrubber:
    def __init__(self, rules: RuleSet, allow: Iterable[str] = (), *, fast: bool | None = None) -> None:
        """`allow`: the user's own regular expressions or literals. `fast`: for tests that compare the two."""
        self._fast = scan.FAST if fast is None else fast
        self._names = Names(rules.keys)
        self._allow = AllowList(rules.allow, allow)
        self._scans = [(rank, rule) for rank, rule in enumerate(rules.rules) if not rule.keywords]
        by_word: dict[bytes, list[tuple[int, Rule]]] = {}
        for rank, rule in enumerate(rules.rules):
            for word in rule.keywords:
                by_word.setdefault(word, []).append((rank, rule))
        self._last = len(rules.rules)
        special = {*keyed.KEYWORDS, keyed.COOKIE, *pem.KEYWORDS, *pem.HEAD_WORDS}
        self._words = sorted(special | by_word.keys())
        self._rules_of = [by_word.get(word, []) for word in self._words]
        self._named = [word in keyed.KEYWORDS for word in self._words]
        self._cookie = [word == keyed.COOKIE for word in self._words]
        self._pem = [word in pem.KEYWORDS for word in self._words]
        self._head = [word in pem.HEAD_WORDS for word in self._words]
        self._finder = scan.finder(self._words, self._fast)
        self._clean: set[str] = set()

    def text(self, text: str, seen: Seen | None = None) -> Scrubbed:
        """The text with every secret replaced by `[scrubbed:id]`. `seen`: what `suspects` saw in it already."""
        if len(text) < LEAST:
            return Scrubbed(text, ())
        data = text.encode("utf-8", "surrogatepass")
        found: list[str] = []
        for _ in range(PASSES):
            spans = self.spans(data, seen)
            if not spans:
                break
            found += [name for _, _, name in spans]
            data, seen = cut(data, spans), None
        if found:
            return Scrubbed(data.decode("utf-8", "surrogatepass"), tuple(found))
        self._remember(text)
        return Scrubbed(text, ())

    def value(self, value: object) -> tuple[object, tuple[str, ...]]:
        """A decoded JSON value with every string scrubbed; the same object when nothing was found."""
        return walk(value, self)

    def suspects(self, texts: list[str]) -> dict[int, Seen]:
        """The texts that hold a keyword or a long run, found in one pass over all: the rest is clean.

        One pass, because a search lets go of the interpreter, and getting it back from a busy writer takes ten times
        as long as the search. Short texts come again and again (keys, ids, paths): those known as clean are left out.
        """
        clean = self._clean
        fresh = [index for index, text in enumerate(texts) if len(text) > SHORT or text not in clean]
        parts = [texts[index].encode("utf-8", "surrogatepass") for index in fresh]
        starts = list(accumulate((len(part) + len(SEPARATOR) for part in parts), initial=0))
        hits, runs = self._look(data := SEPARATOR.join(parts), data.lower())
        suspects: dict[int, Seen] = defaultdict(lambda: Seen([], []))
        for word, start, end in hits:
            at = starts[part := bisect_right(starts, start) - 1]
            suspects[fresh[part]].hits.append((word, start - at, end - at))
        for rank, rule, start, end in runs:
            at = starts[part := bisect_right(starts, start) - 1]
            suspects[fresh[part]].runs.append((rank, rule, start - at, end - at))
        for index in fresh:
            if index not in suspects:
                self._remember(texts[index])
        return suspects

    def _look(self, data: bytes, folded: bytes) -> Seen:
        hits = sorted(self._finder.hits(folded), key=_by_start)
        matches = ((rank, rule, scan.everywhere(rule.regex, data, self._fast)) for rank, rule in self._scans)
        return Seen(hits, [(rank, rule, *place) for rank, rule, places in matches for place in places])

    def _remember(self, text: str) -> None:
        """As clean: what is kept here holds no secret."""
        if len(text) <= SHORT:
            if len(self._clean) >= REMEMBERED:
                self._clean.clear()
            self._clean.add(text)

    def named(self, name: str, value: str) -> str:
        """The id under which a value goes because of its name alone (a key of an object), or nothing."""
        kind = self._names.kind(name)
        if not kind or len(value) > 4096 or any(space in value for space in " \t\n"):
            return ""
        if self._allow.covers(value) or not keyed.fits(value, kind, "quoted"):
            return ""
        return NAMED_IDS[kind]

    def spans(self, data: bytes, seen: Seen | None = None) -> list[Cut]:
        """Places to cut from UTF-8 data, in order, never overlapping."""
        folded = data.lower()
        hits, runs = seen or self._look(data, folded)
        known = _merged(data, self._by_keyword(data, folded, hits)) if hits else []
        found = _merged(data, [*known, *self._by_scan(data, folded, runs, known)]) if runs else known
        return [(low, high, name) for low, high, _, name in found]

    def _by_keyword(self, data: bytes, folded: bytes, hits: list[scan.Hit]) -> Iterator[Span]:
        done: dict[int, int] = {}
        names_seen, cookie_end, body_end, private = -1, 0, 0, False
        for index, start, end in hits:
            for rank, rule in self._rules_of[index]:
                if start >= done.get(rank, 0) and (place := self._attempt(rule, data, folded, start)):
                    done[rank] = place[1]
                    yield *place, rank, rule.id
            if self._named[index] and start > names_seen:
                low, high = keyed.name_at(data, start, end)
                names_seen = high
                if span := self._by_name(data, folded, low, high):
                    yield span
            if self._cookie[index] and start >= cookie_end:
                cookie_end, values = keyed.cookies(data, start)
                for low, high in values:
                    if not self._allow.covers(_shown(data, low, high)):
                        yield low, high, self._last, COOKIE_ID
            if self._pem[index]:
                private = True
            if self._head[index] and start >= body_end:
                for low, high in pem.headless(data, start):
                    body_end = high
                    yield low, high, -1, KEY_ID
        if private:
            for low, high in pem.spans(data):
                if PLACEHOLDER not in data[low:high] or pem.RUN.search(data, low, high):
                    yield low, high, -1, KEY_ID

    def _by_scan(self, data: bytes, folded: bytes, runs: list[Run], known: list[Span]) -> Iterator[Span]:
        """The rules without keywords, on the whole text, except where something was found already."""
        starts = [low for low, _, _, _ in known]
        for rank, rule, low, high in runs:
            if tail := ESCAPE_TAIL.match(data, low) if data[low - 1 : low] in (b"\\", b"%", b"[") else None:
                low = tail.end()
            if data[low] in b"+-" and data[low - 1 : low] in (b"", b"\n"):  # a line of a diff
                low += 1
            at = bisect_right(starts, low) - 1
            if high - low > 512 or (at >= 0 and known[at][1] >= high):
                continue
            if self._accepts(rule, data, folded, low, high) and _lonely(data, low, high):
                yield low, high, rank, rule.id

    def _attempt(self, rule: Rule, data: bytes, folded: bytes, hit: int) -> tuple[int, int] | None:
        pattern = scan.compiled(rule.regex)
        match = pattern.match(data, hit) if not rule.before else _around(pattern, data, hit, rule.before)
        if match is None or (rule.left == "edge" and not _edge(data, match.start())):
            return None
        group = rule.secret if rule.secret >= 0 else match.lastindex or 0
        low, high = match.span(group)
        if not self._accepts(rule, data, folded, low, high):
            return None
        while rule.extend and high < len(data) and data[high] in TOKEN_BYTES:
            high += 1
        while data[high - 1] == FULL_STOP:
            high -= 1
        return low, high

    def _accepts(self, rule: Rule, data: bytes, folded: bytes, low: int, high: int) -> bool:
        value = _shown(data, low, high)
        if rule.check and not CHECKS[rule.check](value):
            return False
        if rule.entropy and entropy(value) < rule.entropy:
            return False
        if not rule.keywords and (self._allow.precedes(folded, low) or not _edge(data, low)):
            return False
        return not self._allow.covers(value)

    def _by_name(self, data: bytes, folded: bytes, start: int, end: int) -> Span | None:
        found = keyed.value_after(data, self._names, start, end)
        if found is None:
            return None
        low, high, kind = found
        if self._allow.covers(_shown(data, low, high)) or self._allow.precedes(folded, low):
            return None
        while kind != "password" and high < len(data) and data[high] in TOKEN_BYTES:
            high += 1
        while data[high - 1] == FULL_STOP:
            high -= 1
        return low, high, self._last, NAMED_IDS[kind]


def _merged(data: bytes, proposed: Iterable[Span]) -> list[Span]:
    """In order; where two overlap, the union under the name of the first in rank."""
    merged: list[Span] = []
    for low, high, rank, name in sorted(span for span in proposed if span[0] < span[1]):
        low, high = _whole_characters(data, low, high)
        if merged and low < merged[-1][1]:
            first = merged[-1]
            merged[-1] = (first[0], max(first[1], high), *min((first[2], first[3]), (rank, name)))
        else:
            merged.append((low, high, rank, name))
    return merged


def _around(pattern: re.Pattern[bytes], data: bytes, hit: int, before: int) -> re.Match[bytes] | None:
    """The match that covers the keyword at `hit`, not an earlier one that ends before it."""
    match = pattern.search(data, max(0, hit - before), hit + REACH)
    while match is not None and match.end() <= hit:
        match = pattern.search(data, match.end(), hit + REACH)
    return match


def _by_start(hit: scan.Hit) -> int:
    return hit[1]


def _shown(data: bytes, low: int, high: int) -> str:
    return data[low:high].decode("utf-8", "replace")


def _edge(data: bytes, start: int) -> bool:
    if not start or data[start - 1] not in ALNUM:
        return True
    return ESCAPE_END.search(data, max(0, start - 16), start) is not None


def _lonely(data: bytes, low: int, high: int) -> bool:
    """Neither one line among lines of base64 (a picture, a certificate) nor part of a path or an address."""
    if data[low - 1 : low] in (b"/", b".", b"@") or data[high : high + 1] in (b"(", b"/", b"@"):
        return False
    if data[high : high + 1] == b"." and data[high + 1 : high + 2].isalnum():
        return False
    return not (LINE_AFTER.match(data, high) or LINE_BEFORE.search(data, max(0, low - 120), low))


def _whole_characters(data: bytes, low: int, high: int) -> tuple[int, int]:
    """UTF-8 continuation bytes stay with their first byte."""
    while low and 0x80 <= data[low] < 0xC0:
        low -= 1
    while high < len(data) and 0x80 <= data[high] < 0xC0:
        high += 1
    return low, high


@lru_cache(maxsize=8)
def _default(allow: tuple[str, ...]) -> Scrubber:
    return Scrubber(default_rules(), allow)


def default_scrubber(allow: Iterable[str] = ()) -> Scrubber:
    """The scrubber with the rules that ship with holdfast; made once per allow-list."""
    return _default(tuple(allow))
