"""Finds the places in one text that hold secrets: keywords choose rules, rules propose places, shapes and allow-lists
decide. Every byte is walked over a bounded number of times, and every attempt is paid for in steps.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from . import keyed, kube, labelled, pem, scan
from .allow import AllowList
from .keys import KeyNames
from .marks import PLACEHOLDER
from .rules import RuleSet, SecretRule
from .runs import LetterRuns
from .shape import CHECKS, classes, decoded, entropy
from .steps import POOL, Breathes, Budget, judging

KEY_ID, COOKIE_ID, ENCODED_ID = "private-key", "cookie", "encoded-secret"
NAMED_IDS = {"password": "named-password", "token": "named-secret", "strong": "named-secret"}
LETTERS_AND_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
ALNUM = frozenset(LETTERS_AND_DIGITS)
# `\n`, `\x3d`, `=`, `%3D` and a terminal's colour code end in a letter and yet end a word.
ESCAPE_TAIL = re.compile(rb"(?:[0-9]{0,3}m|[nrtbf]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[0-9A-F]{2})")
ESCAPE_END = re.compile(rb"(?:\\[nrtbf0]|%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,12}m)\Z")
# From one line of base64 to the next: marks, a line break real or written as two characters, marks.
BETWEEN = rb"={0,3}[\"'+, \t]{0,24}(?:\\{1,4}r)?(?:\\{1,4}n)?[\"'+,) \t]{0,24}(?:\r?\n)?[ \t>#+]{0,48}[bru]?[\"']?"
BLOB = rb"(?:[A-Za-z0-9+/=_-]{28}|\[scrubbed:random-token\])"
LINE_AFTER, LINE_BEFORE = re.compile(BETWEEN + BLOB), re.compile(BLOB + BETWEEN + rb"\Z")
# A token that a terminal or an editor broke at the end of a line; the break may be written as two characters.
BREAK = rb"(?:\\{0,2}\r?\n|\\{1,2}(?:r\\{1,2})?n)[ \t>|+]{0,16}"
WRAP, WRAPPED = re.compile(BREAK), re.compile(rb"[A-Za-z0-9_.=+/~|:%-]{4,512}+" + BREAK)
TAIL = re.compile(BREAK + rb"([A-Za-z0-9_=+/-]{8,255})(?=[\s\"'`\\,;)]|\Z)")
WRAP_REACH = 600
MOST_BREAKS = 3
REACH = 1200
"""How far behind a keyword a match may end. So far inside what goes already, nothing can be found that goes further."""
DEEPEST = 2
HIDDEN_POOL = 512
FULL_STOP = 0x2E

SecretSpan = tuple[int, int, int, str]
SecretRun = tuple[int, SecretRule, int, int]


class TextScan(NamedTuple):
    """What one look at a text found: keywords in order, and the matches of the rules that have none."""

    hits: list[scan.WordHit]
    runs: list[SecretRun]


class Cuts(NamedTuple):
    """Places to cut, in order, never overlapping; and where the steps ran out, if they did."""

    spans: list[SecretSpan]
    stop: int | None
    used: int


class Places:
    def __init__(self, rules: RuleSet, allow: AllowList, fast: bool) -> None:
        self._fast = fast
        self._allow = allow
        self.names = KeyNames(rules.keys)
        self._scans = [(rank, rule) for rank, rule in enumerate(rules.rules) if not rule.keywords]
        by_word: dict[bytes, list[tuple[int, SecretRule]]] = {}
        for rank, rule in enumerate(rules.rules):
            for word in rule.keywords:
                by_word.setdefault(word, []).append((rank, rule))
        self._last = len(rules.rules)
        special = {*keyed.KEYWORDS, keyed.COOKIE, *pem.KEYWORDS, *pem.HEAD_WORDS, *kube.KEYWORDS}
        self.words = sorted(special | by_word.keys())
        self._rules_of = [by_word.get(word, []) for word in self.words]
        self._named = [word in keyed.KEYWORDS for word in self.words]
        self._cookie = [word == keyed.COOKIE for word in self.words]
        self._pem = [word in pem.KEYWORDS for word in self.words]
        self._head = [word in pem.HEAD_WORDS for word in self.words]
        self._kube = [word in kube.KEYWORDS for word in self.words]
        self._special = [
            any(kinds) for kinds in zip(self._named, self._cookie, self._pem, self._head, self._kube, strict=True)
        ]
        # Words of which every rule wants the beginning of a word: most of their hits are the ends of other words.
        self._at_edge = [
            not special and all(rule.left == "edge" and not rule.before for _, rule in by_word[word])
            for word, special in zip(self.words, self._special, strict=True)
        ]
        self._finder = scan.finder(self.words, fast)

    def look(self, data: bytes, folded: bytes, breathe: Breathes | None = None) -> TextScan:
        """One pass over a text: which keywords stand where, and what the rules without keywords match."""
        at_edge = self._at_edge
        hits: list[scan.WordHit] = []
        for piece in scan.in_order(self._finder, folded):
            hits += [
                hit
                for hit in piece
                if not at_edge[hit[0]] or not hit[1] or data[hit[1] - 1] not in ALNUM or edge(data, hit[1])
            ]
            if breathe is not None:
                breathe()
        return TextScan(hits, self._anonymous(data) if self._scans else [])

    def _anonymous(self, data: bytes) -> list[SecretRun]:
        """What the rules without keywords match, in order: looked for around long runs of letters and digits only."""
        found: list[SecretRun] = []
        for start, end in scan.long_runs(data):
            run, before = data[start:end], data[start - 1 : start]
            if not run.strip(run[:1]):  # a line of dashes
                continue
            for rank, rule in self._scans:
                if len(run) < rule.least or (rule.behind and (not before or before not in rule.behind)):
                    continue
                if rule.holds and not any(word in run for word in rule.holds):
                    continue
                low, high = max(0, start - rule.lead), min(len(data), end + 2)
                found += [(rank, rule, *match.span()) for match in scan.compiled(rule.regex).finditer(data, low, high)]
        return sorted(found, key=_start_of_run) if len(found) > 1 else found

    def find(
        self,
        data: bytes,
        pool: int = POOL,
        seen: TextScan | None = None,
        depth: int = 0,
        breathe: Breathes | None = None,
    ) -> Cuts:
        """`pool`: the steps that may be taken beyond the bytes' share. Keywords and runs have a budget each."""
        folded = data.lower()
        hits, runs = seen or self.look(data, folded, breathe)
        stops: list[int] = []
        by_word, by_run = Budget(pool, breathe), Budget(pool, breathe)
        known = merged(data, self._by_keyword(data, folded, hits, by_word, stops)) if hits else []
        if runs:
            scanned = self._by_scan(data, folded, runs, known, by_run, stops, depth)
            known = merged(data, [*known, *scanned])
        return Cuts(known, min(stops, default=None), max(by_word.used, by_run.used))

    def _by_keyword(
        self, data: bytes, folded: bytes, hits: list[scan.WordHit], budget: Budget, stops: list[int]
    ) -> Iterator[SecretSpan]:
        done: dict[int, int] = {}
        runs = LetterRuns(data)
        names_seen, cookie_end, body_end, kube_end, table_end, covered, private = -1, 0, 0, 0, 0, 0, False
        for index, start, end in hits:
            if budget.is_over(start):
                stops.append(start)
                break
            budget.used += 1
            private = private or self._pem[index]
            if covered - start > REACH:
                continue
            for rank, rule in self._rules_of[index]:
                if start >= done.get(rank, 0) and (place := self._attempt(rule, data, folded, start, runs, budget)):
                    done[rank] = place[1]
                    covered = max(covered, place[1])
                    yield *place, rank, rule.id
            if not self._special[index]:
                continue
            if self._named[index] and start > names_seen:
                low, high = keyed.name_at(data, start, end)
                names_seen = high
                if span := self._by_name(data, folded, low, high, runs, budget):
                    covered = max(covered, span[1])
                    yield span
                elif low >= table_end and (cells := self._elsewhere(data, low, high, budget)):
                    table_end = cells[-1][1]
                    yield from cells
            if self._cookie[index] and start >= cookie_end:
                cookie_end, values = keyed.cookies(data, start, budget)
                for low, high in values:
                    if not self._allow.covers(shown(data, low, high)):
                        yield low, high, self._last, COOKIE_ID
            if self._kube[index] and start >= kube_end:
                kube_end, values = kube.values(data, start, budget)
                for low, high in values:
                    if not self._allow.covers(shown(data, low, high)):
                        yield low, high, self._last, kube.ID
            if self._head[index] and start >= body_end:
                for low, high in pem.headless(data, start):
                    body_end = high
                    yield low, high, -1, KEY_ID
        if private:
            for low, high in pem.spans(data, budget.breathe):
                if PLACEHOLDER not in data[low:high] or pem.RUN.search(data, low, high):
                    yield low, high, -1, KEY_ID

    def _by_scan(
        self,
        data: bytes,
        folded: bytes,
        runs: list[SecretRun],
        known: list[SecretSpan],
        budget: Budget,
        stops: list[int],
        depth: int,
    ) -> Iterator[SecretSpan]:
        """The rules without keywords, on the whole text, except where something was found already."""
        starts = [low for low, _, _, _ in known]
        for rank, rule, low, high in runs:
            if budget.is_over(low):
                stops.append(low)
                break
            budget.used += 2
            if rule.before:
                front = data[max(0, low - rule.before[0]) : low]
                low -= len(front) - len(front.rstrip(LETTERS_AND_DIGITS))
            if tail := ESCAPE_TAIL.match(data, low) if data[low - 1 : low] in (b"\\", b"%", b"[") else None:
                low = tail.end()
            if data[low] in b"+-" and data[low - 1 : low] in (b"", b"\n"):  # a line of a diff
                low += 1
            at = bisect_right(starts, low) - 1
            if high - low > 512 or (at >= 0 and known[at][1] >= high) or not lonely(data, low, high):
                continue
            if self._accepts(rule, data, folded, low, high, budget):
                yield low, high, rank, rule.id
            elif depth < DEEPEST and self._hides(data[low:high], budget, depth):
                yield low, high, rank, ENCODED_ID

    def _hides(self, run: bytes, budget: Budget, depth: int) -> bool:
        """Is this base64 of a text that holds a secret?"""
        plain = decoded(run.decode("ascii", "replace").replace("-", "+").replace("_", "/"))
        budget.used += judging(len(run))
        if plain is None or not plain.isascii() or b"\x00" in plain:
            return False
        seen = self.look(plain, plain.lower())
        if not seen.hits:
            return False
        found = self.find(plain, HIDDEN_POOL, TextScan(seen.hits, []), depth + 1)
        budget.used += found.used
        return bool(found.spans)

    def _attempt(
        self, rule: SecretRule, data: bytes, folded: bytes, hit: int, runs: LetterRuns, budget: Budget
    ) -> tuple[int, int] | None:
        pattern = scan.compiled(rule.regex)
        budget.used += rule.cost
        match = pattern.match(data, hit) if not rule.before else _before(pattern, data, hit, rule.before)
        if match is None:
            if not rule.wraps or not (place := self._wrapped(rule, pattern, data, hit, budget)):
                return None
            low, high = place
        else:
            if rule.left == "edge" and not edge(data, match.start()):
                return None
            low, high = _secret(rule, match)
            if not self._accepts(rule, data, folded, low, high, budget):
                return None
            if rule.extend:
                high = runs.end(high)
        if rule.wraps and (tail := TAIL.match(data, high)) and _goes_on(data[low:high], tail[1]):
            high = tail.end(1)
        while data[high - 1] == FULL_STOP:
            high -= 1
        return low, high

    def _wrapped(
        self, rule: SecretRule, pattern: re.Pattern[bytes], data: bytes, hit: int, budget: Budget
    ) -> tuple[int, int] | None:
        """A token with line breaks inside: read on behind one break, behind two, behind three."""
        if WRAPPED.match(data, hit) is None or (rule.left == "edge" and not edge(data, hit)):
            return None
        piece = data[hit : hit + WRAP_REACH]
        budget.used += MOST_BREAKS
        breaks = list(islice(WRAP.finditer(piece), MOST_BREAKS + 1))
        for count in range(1, min(len(breaks), MOST_BREAKS) + 1):
            size = breaks[count].start() if count < len(breaks) else len(piece)
            whole = b"".join(piece[a:b] for a, b in _between(breaks[:count], size))
            match = pattern.match(whole)
            if match is None or match.end() <= breaks[0].start():
                continue
            low, high = _secret(rule, match)
            if self._accepts(rule, whole, whole.lower(), low, high, budget):
                return hit + _placed(low, breaks), hit + _placed(high - 1, breaks) + 1
        return None

    def _accepts(self, rule: SecretRule, data: bytes, folded: bytes, low: int, high: int, budget: Budget) -> bool:
        budget.used += judging(high - low)
        value = shown(data, low, high)
        if rule.check and not CHECKS[rule.check](value):
            return False
        if rule.entropy and entropy(value) < rule.entropy:
            return False
        if not rule.keywords and (self._allow.precedes(folded, low) or not edge(data, low)):
            return False
        return not self._allow.covers(value)

    def _elsewhere(self, data: bytes, start: int, end: int, budget: Budget) -> list[SecretSpan]:
        """Values that do not stand behind their name: before it in an object, or below it in a table."""
        following = data[end : end + 2].lstrip(b" \t\r")[:1]
        if following not in (b'"', b"'", b"\\", b"|", b",", b"\n", b";", b"") or not (
            kind := self.names.kind(name := shown(data, start, end))
        ):
            return []
        budget.used += 8
        before = labelled.value_before(data, start)
        found: list[SecretSpan] = []
        for low, high in [before] if before else labelled.column(data, start, end):
            budget.used += judging(high - low)
            value = shown(data, low, high)
            if keyed.fits(value, kind, "quoted", name) and not self._allow.covers(value):
                found.append((low, high, self._last, NAMED_IDS[kind]))
        return found

    def _by_name(
        self, data: bytes, folded: bytes, start: int, end: int, runs: LetterRuns, budget: Budget
    ) -> SecretSpan | None:
        found = keyed.value_after(data, self.names, start, end, budget)
        if found is None:
            return None
        low, high, kind = found
        if self._allow.covers(shown(data, low, high)) or self._allow.precedes(folded, low):
            return None
        if kind != "password":
            high = runs.end(high)
        while data[high - 1] == FULL_STOP:
            high -= 1
        return low, high, self._last, NAMED_IDS[kind]


def _start_of_run(run: SecretRun) -> int:
    return run[2]


def merged(data: bytes, proposed: Iterable[SecretSpan]) -> list[SecretSpan]:
    """In order; where two overlap, the union under the name of the first in rank."""
    spans: list[SecretSpan] = []
    for low, high, rank, name in sorted(span for span in proposed if span[0] < span[1]):
        low, high = _whole_characters(data, low, high)
        if spans and low < spans[-1][1]:
            first = spans[-1]
            spans[-1] = (first[0], max(first[1], high), *min((first[2], first[3]), (rank, name)))
        else:
            spans.append((low, high, rank, name))
    return spans


def _before(pattern: re.Pattern[bytes], data: bytes, hit: int, distances: tuple[int, ...]) -> re.Match[bytes] | None:
    """The match that begins at one of these distances before the keyword."""
    for distance in distances:
        if hit >= distance and (match := pattern.match(data, hit - distance)):
            return match
    return None


def _secret(rule: SecretRule, match: re.Match[bytes]) -> tuple[int, int]:
    return match.span(rule.secret if rule.secret >= 0 else match.lastindex or 0)


def _goes_on(token: bytes, tail: bytes) -> bool:
    """Is what stands on the next line the rest of a token? Then it is as random, and no other of its kind."""
    value = tail.decode("ascii")
    lower, upper, digit, _ = classes(value)
    return min(lower, upper) >= 2 and digit >= 1 and tail[:3] != token[:3] and CHECKS["key-like"](value)


def _between(breaks: list[re.Match[bytes]], size: int) -> Iterator[tuple[int, int]]:
    at = 0
    for one in breaks:
        yield at, one.start()
        at = one.end()
    yield at, size


def _placed(at: int, breaks: list[re.Match[bytes]]) -> int:
    """Where a place of the joined text lies in the broken one."""
    for one in breaks:
        if at < one.start():
            break
        at += one.end() - one.start()
    return at


def shown(data: bytes, low: int, high: int) -> str:
    return data[low:high].decode("utf-8", "replace")


def edge(data: bytes, start: int) -> bool:
    """Does a word begin here?"""
    if not start or data[start - 1] not in ALNUM:
        return True
    front = data[max(0, start - 16) : start]
    return (b"\\" in front or b"%" in front or b"[" in front) and ESCAPE_END.search(front) is not None


def lonely(data: bytes, low: int, high: int) -> bool:
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
