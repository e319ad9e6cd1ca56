"""What a line is about, where its own words do not say it: "No login yet." is told with what was built, "The message
came twice." with the title of the commit. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.events.subjects import ABOUT, about, need
from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.remarks import orders_a_deed
from holdfast.prose.sentences import split_line
from holdfast.prose.updates.deeds import OF_WORK
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.thread import telling
from holdfast.rooms.memory.standing.threads import OFFERED
from holdfast.rooms.memory.standing.worth import ASKED, TRACES, has_more_requests, is_users_choice
from holdfast.rooms.memory.summaries.by_rules.of_session import COMMITTED, REVERTED

_LONGEST = 60
_LONG = 170
"""Characters of a line that says enough by itself."""
_LEAST_TELLING, _MOST_OF_ITS_OWN = 2, 4
"""Telling words of a title or a request that names a matter."""
_KIND = lazy_pattern(r"(?:[a-z]{2,10}(?:\([^()]{1,40}\))?!?:\s+)(?=\S)")
"""What many commits begin with: "fix(api): "."""
_CAUSE = lazy_pattern(r"(?:cause|ursache|causa|root cause):\s+", re.IGNORECASE)
_PLEASE = lazy_pattern(r"\A(?:(?:please|pls|bitte|now|next|ok(?:ay)?)\b[,.:]?\s+){1,3}", re.IGNORECASE)
_BRACKETS = re.compile(r"[()]")


def with_commit(text: str, content: SummaryContent) -> str:
    """A line of work with the title of its commit, or of the one that was reverted, where it has no word of that."""
    lines = content.done.splitlines()
    if not text or ABOUT in text or ASKED in text or is_users_choice(text):
        return text
    reverted = _titles(lines, REVERTED)
    titles = reverted or _titles(lines, COMMITTED)
    if len(titles) != 1 or _words(titles[0]) & _words(text):
        return text
    is_one = reverted or not has_more_requests(content)
    if not is_one and not _words(titles[0]) & _words(f"{content.request} {content.learned}"):
        return text  # another request may have led to it
    return about(text, titles[0], _LONGEST)


def with_matter(line: str, title: str, request: str, done: Sequence[str]) -> str:
    """An open line with what the work was about, where it has no word of that."""
    if not line or ABOUT in line or line.endswith(("?", "？")) or line.startswith(OFFERED):
        return line
    if len(line) > _LONG or orders_a_deed(line) or cues.IDENTIFIER.search(line):
        return line  # it explains itself, or names a thing of its own
    first, *_ = split_line(title) or [title]
    first = "" if need(first) or is_users_choice(first) or first.startswith(TRACES) else _CAUSE.sub("", first)
    commits = [each for each in _titles(done, COMMITTED) if _words(each) & _words(f"{title} {request}")]
    named = [*commits, first, request]
    own = _words(line)
    if len(own) > _MOST_OF_ITS_OWN or any(own & _words(each) for each in named):
        return line
    named[-1] = asked if len(_words(asked := _first_sentence(request))) > _LEAST_TELLING else ""
    told = (each for each in named if each and len(_words(each)) >= _LEAST_TELLING)
    return about(line, _PLEASE.sub("", _BRACKETS.sub("", next(told, ""))), _LONGEST)


def _first_sentence(request: str) -> str:
    """What was asked for, without a greeting before it."""
    return next((each for each in split_line(request) if len(_words(each)) > _LEAST_TELLING), "")


def _titles(done: Sequence[str], lead: str) -> list[str]:
    """The titles of the commits, the last first."""
    found = (_without_kind(line.removeprefix(lead)) for line in reversed(done) if line.startswith(lead))
    return [each for each in found if len(_words(each)) >= _LEAST_TELLING]


def _without_kind(title: str) -> str:
    kind = _KIND.match(title)
    return _BRACKETS.sub("", title[kind.end() :] if kind else title)


def _words(text: str) -> frozenset[str]:
    words = telling(text) - general_terms() - OF_WORK
    return frozenset(word for word in words if not word.isdigit())
