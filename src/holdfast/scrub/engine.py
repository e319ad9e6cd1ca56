"""The scrubber: takes secrets out of text and of decoded JSON before anything is written, within the steps an event
may take; what it did not reach is cut. Needs nothing but the standard library (see scan.py); does no I/O.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from . import keyed, scan
from .allow import AllowList
from .hidden import may_hide, without_hidden
from .marks import Cut, cut, left_out
from .places import NAMED_IDS, Places, TextScan, merged
from .rules import RuleSet, default_rules
from .runs import LetterRuns
from .steps import PER_BYTE, POOL, Breathes, Busy, Pool
from .walk import walk

UNSCRUBBED = "unscrubbed"
"""Stands among the ids of what was found when a text was cut because its steps had run out."""
SEPARATOR = "\n\x00\n"
LEAST = 8
PASSES = 8
NEAR = 4096
SHORT = 96
REMEMBERED = 8192
AT_ONCE = 4096


class Scrubbed(NamedTuple):
    """The text without secrets, and the ids of the rules that found them, in order."""

    text: str
    found: tuple[str, ...]


class Scrubber:
    def __init__(self, rules: RuleSet, allow: Iterable[str] = (), *, fast: bool | None = None) -> None:
        """`allow`: the user's own regular expressions or literals. `fast`: for tests that compare the two."""
        self._allow = AllowList(rules.allow, allow)
        self._places = Places(rules, self._allow, scan.FAST if fast is None else fast)
        self._clean: set[str] = set()
        self.quiet_names: set[str] = set()
        """Names of which no value goes because of them."""

    def text(
        self, text: str, seen: TextScan | None = None, pool: Pool | None = None, *, keep_lines: bool = False
    ) -> Scrubbed:
        """The text with every secret replaced by `[scrubbed:id]`. `seen`: what `suspects` saw in it already.
        `keep_lines`: what stands behind a secret of several lines keeps its line."""
        if len(text) < LEAST:
            return Scrubbed(text, ())
        left = pool.left if pool else POOL
        data = text.encode("utf-8", "surrogatepass")
        found: list[str] = []
        most = 0
        for number in range(PASSES):
            spans, stop, used = self._find(text, data, seen, left, pool.breathe if pool else None)
            if number and spans:
                spans = _behind_marks(data, spans)
            most = max(most, int(used - len(data) * PER_BYTE))
            if stop is not None and pool and pool.is_quick:
                raise Busy
            if stop is not None:
                stop = _boundary(data, stop, spans)
                spans = [span for span in spans if span[1] <= stop]
            elif not spans:
                break
            found += [name for _, _, name in spans]
            rest = b"" if stop is None else left_out(len(data) - stop)
            data, seen = cut(data[:stop], spans, keep_lines=keep_lines) + rest, None
            if stop is not None:
                found.append(UNSCRUBBED)
            text = data.decode("utf-8", "surrogatepass")
        if pool:
            pool.left = left - most
        if found:
            return Scrubbed(data.decode("utf-8", "surrogatepass"), tuple(found))
        if len(text) <= SHORT:
            self._remember([text])
        return Scrubbed(text, ())

    def value(self, value: object, breathe: Breathes | None = None) -> tuple[object, tuple[str, ...]]:
        """A decoded JSON value with every string scrubbed; the same object when nothing was found. `breathe` is called
        every few hundred steps, in a thread that lets others have the interpreter."""
        return walk(value, self, Pool(breathe=breathe))

    def quickly(self, value: object) -> tuple[object, tuple[str, ...]]:
        """The same within a few milliseconds, or `Busy`: for one who keeps others waiting."""
        return walk(value, self, Pool(quick=True))

    def spans(self, data: bytes, pool: Pool | None = None) -> list[Cut]:
        """Places to cut from UTF-8 data, in order, never overlapping."""
        found = self._places.find(data, pool.left if pool else POOL, breathe=pool.breathe if pool else None)
        return [(low, high, name) for low, high, _, name in found.spans]

    def suspects(self, texts: list[str], breathe: Breathes | None = None) -> dict[int, TextScan | None]:
        """The texts that hold a keyword, a long run or a hidden character, found in one pass: the rest is clean.

        One pass, because a search lets go of the interpreter, and getting it back from a busy writer takes ten times
        as long as the search. Short texts come again and again (keys, ids, paths): those known as clean are left out.
        """
        clean = self._clean
        fresh = [index for index, text in enumerate(texts) if len(text) > SHORT or text not in clean]
        parts: Sequence[str | bytes] = [texts[index] for index in fresh]
        joined = SEPARATOR.join([texts[index] for index in fresh])
        data = joined.encode("utf-8", "surrogatepass")
        if len(data) > len(joined):
            parts = [texts[index].encode("utf-8", "surrogatepass") for index in fresh]
        starts = list(accumulate([len(part) + len(SEPARATOR) for part in parts], initial=0))
        hits, runs = self._places.look(data, data.lower(), breathe)
        seen: dict[int, TextScan] = defaultdict(lambda: TextScan([], []))
        for low in range(0, len(hits), AT_ONCE):
            at, behind = 0, -1  # of the part that the last hit was in
            for word, start, end in hits[low : low + AT_ONCE]:
                if start >= behind:
                    part = bisect_right(starts, start)
                    at, behind = starts[part - 1], starts[part]
                    within = seen[fresh[part - 1]].hits
                within.append((word, start - at, end - at))
            if breathe is not None:
                breathe()
        for rank, rule, start, end in runs:
            at = starts[part := bisect_right(starts, start) - 1]
            seen[fresh[part]].runs.append((rank, rule, start - at, end - at))
        suspects: dict[int, TextScan | None] = dict(seen)
        if may_hide(data):
            hiding = [
                index for index in fresh if index not in suspects and without_hidden(texts[index], breathe) is not None
            ]
            suspects |= dict.fromkeys(hiding)
        self._remember([texts[index] for index in fresh if index not in suspects and len(texts[index]) <= SHORT])
        return suspects

    def is_telling(self, name: str) -> bool:
        """May a value go because of this name? Not because of most names; the short ones of these are remembered."""
        if self._places.names.kind(name):
            return True
        if len(name) <= SHORT:
            if len(self.quiet_names) >= REMEMBERED:
                self.quiet_names.clear()
            self.quiet_names.add(name)
        return False

    def named(self, name: str, value: str) -> str:
        """The id under which a value goes because of its name alone (a key of an object), or nothing."""
        kind = self._places.names.kind(name)
        if not kind or len(value) > 4096:
            return ""
        if self._allow.covers(value) or not keyed.fits_alone(value, kind, name):
            return ""
        return NAMED_IDS[kind]

    def _find(
        self, text: str, data: bytes, seen: TextScan | None, pool: int, breathe: Breathes | None
    ) -> tuple[list[Cut], int | None, int]:
        """What to cut, where the steps ran out, and how many were taken.

        A text with hidden characters is read with and without them.
        """
        spans, stop, used = self._places.find(data, pool, seen, breathe=breathe)
        plain = without_hidden(text, breathe) if may_hide(data) else None
        if plain is not None:
            inner = self._places.find(plain.data, pool, breathe=breathe)
            wider = [(*whole, rank, name) for low, high, rank, name in inner.spans if (whole := plain.whole(low, high))]
            spans = merged(data, [*spans, *wider])
            if inner.stop is not None:
                stop = min(plain.place(inner.stop), stop if stop is not None else len(data))
            used = max(used, inner.used)
        return [(low, high, name) for low, high, _, name in spans], stop, used

    def _remember(self, short: list[str]) -> None:
        """As clean: what is kept here holds no secret."""
        if len(self._clean) + len(short) > REMEMBERED:
            self._clean.clear()
        self._clean.update(short[:REMEMBERED])


def _behind_marks(data: bytes, spans: list[Cut]) -> list[Cut]:
    """Spans that begin right behind a mark, to the end of their run: without that, a run of one token after the other
    would lose one of them in each pass."""
    runs = LetterRuns(data)
    wider: list[Cut] = []
    for low, high, name in spans:
        if wider and high <= wider[-1][1]:
            continue
        low = max(low, wider[-1][1]) if wider else low
        wider.append((low, max(high, runs.end(high)) if data[low - 1 : low] == b"]" else high, name))
    return wider


def _boundary(data: bytes, stop: int, spans: list[Cut]) -> int:
    """Where to cut so that no secret is halved: at the end of a line near, else at white space, however far."""
    low = max(0, stop - NEAR)
    at = max(data.rfind(b"\n", low, stop), data.rfind(b"\r", low, stop))
    if at < 0:
        at = max(0, *(data.rfind(space, 0, stop) for space in (b" ", b"\t", b"\n")))
    while at and 0x80 <= data[at] < 0xC0:
        at -= 1
    for begin, end, _ in reversed(spans):
        if end <= at:
            break
        at = min(at, begin)
    return at


@lru_cache(maxsize=8)
def _default(allow: tuple[str, ...]) -> Scrubber:
    return Scrubber(default_rules(), allow)


def default_scrubber(allow: Iterable[str] = ()) -> Scrubber:
    """The scrubber with the rules that ship with holdfast; made once per allow-list."""
    return _default(tuple(allow))
