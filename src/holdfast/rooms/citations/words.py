"""Words: which reading fits a prompt best, and what the agent is told. Pure.

What came from a page or from another session stands inside a fence; outside it are only holdfast's own words, the URL
that the agent itself named, and times.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from holdfast.events.fence import fence, inert
from holdfast.events.tokens import count_tokens, fit_tokens
from holdfast.rooms.citations.model import Citation, PageReading, WebPage
from holdfast.rooms.citations.web.urls import FRESH

_WORD = re.compile(r"[^\W_]+")
_ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "ly", "s")
_COMMON = frozenset(
    _WORD.findall(
        "a an and any are as at be by can do does each for from give have how i in is it its list me of on or out "
        "page please say show tell that the their them there these this those to use used was what when where which "
        "who why will with you document documentation website site text content"
    )
)
_PROMPT_SHOWN = 600
_OTHERS_SHOWN = 12


# --- which reading


def best(prompt: str, readings: Sequence[PageReading]) -> PageReading:
    """The reading whose prompt is most like this one; of equals the newest (they come newest first)."""
    asked = _bag(prompt)
    return max(readings, key=lambda reading: (round(_likeness(asked, _bag(reading.prompt)), 6), reading.read_at))


def _bag(text: str) -> Counter[str]:
    words = _WORD.findall(text.lower())
    return Counter(_stem(word) for word in words if word not in _COMMON) or Counter(words)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """The cosine of two bags of words."""
    shared = sum(count * other[word] for word, count in one.items())
    return shared / (_length(one) * _length(other)) if shared else 0.0


def _length(bag: Counter[str]) -> float:
    return math.sqrt(sum(count * count for count in bag.values()))


# --- what is said


def hit(
    page: WebPage,
    citation: Citation,
    reading: PageReading,
    others: Sequence[PageReading],
    how: str,
    now_us: int,
    nonce: str,
) -> str:
    """The reason of a cache hit: the whole reading, and how to get another."""
    lines = [
        "Cache hit, not an error: this page was read before, and its origin has just proven that it has not changed.",
        "Use the reading below as the result of this WebFetch; there is no need to fetch the page again.",
        f"Page: {page.url}",
        *([f"Final URL: {citation.final_url}"] if citation.final_url != page.url else []),
        f"Read: {when(reading.read_at, now_us)}",
        f"Verified: {when(now_us, now_us)} ({how}), version {citation.version}",
    ]
    if citation.source != "webfetch":
        lines.append(
            f"It was taken over from {citation.source}, which did not compare the page before and after reading."
        )
    lines.append(
        f"If this reading does not answer your question, fetch {page.url}#{FRESH}-{nonce} to have the page read anew."
    )
    return "\n".join(
        [*lines, _asked(reading, others, now_us, nonce), fence(reading.text, origin="web page", nonce=nonce)]
    )


def offline(
    page: WebPage,
    citation: Citation,
    reading: PageReading,
    others: Sequence[PageReading],
    now_us: int,
    tokens: int,
    *,
    by_command: bool = False,
) -> str:
    """The context beside a failed fetch: what was read earlier, as far as it fits."""
    changed = citation.changed_at is not None
    lines = [
        "NOT VERIFIED: the fetch failed, and the origin could not confirm this. An earlier reading of the same page:",
        f"Page: {page.url}",
        f"Read: {when(reading.read_at, now_us)}; last verified {when(citation.verified_at, now_us)}",
        *(
            [f"The page was found changed {when(citation.changed_at or 0, now_us)}: this is its older text."]
            if changed
            else []
        ),
        f"Asked then: {_line(reading.prompt)}",
        *(f"Also read for: {_line(other.prompt)}" for other in others[:3]),
        "",
    ]
    head = inert("\n".join(lines))
    text = inert(reading.text)
    room = tokens - count_tokens(head)
    if count_tokens(text) > room:
        more = f"; `holdfast citations show {page.url}` prints all of it" if by_command else ""
        text = fit_tokens(text, room - 40) + f"\n[cut here{more}]"
    return head + text


def _asked(reading: PageReading, others: Sequence[PageReading], now_us: int, nonce: str) -> str:
    lines = [f"The reading below answers this prompt of an earlier session: {_line(reading.prompt)}"]
    lines += [
        f"Also read, {ago(other.read_at, now_us)}, for: {_line(other.prompt)}" for other in others[:_OTHERS_SHOWN]
    ]
    if len(others) > _OTHERS_SHOWN:
        lines.append(f"and for {len(others) - _OTHERS_SHOWN} more prompts")
    return fence("\n".join(lines), origin="citations", nonce=nonce)


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _PROMPT_SHOWN else line[:_PROMPT_SHOWN] + " …"


def when(at_us: int, now_us: int) -> str:
    moment = datetime.fromtimestamp(at_us / 1_000_000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC ({ago(at_us, now_us)})"


def ago(at_us: int, now_us: int) -> str:
    seconds = max(0, now_us - at_us) // 1_000_000
    for length, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = seconds // length
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
