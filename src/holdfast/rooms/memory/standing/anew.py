"""When newer work says that what older work told is otherwise now, in other words (MEM-12): decided at the moment of
telling, and not stored. Pure.

The newer one wins: it stands in the older one's place. What was found stays found, and so do a person's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from holdfast.patterns import lazy_pattern
from holdfast.prose.closing import classify, says_how_it_is
from holdfast.prose.one_line import one_line
from holdfast.prose.prompts.faults import reports_a_fault
from holdfast.prose.sentences import split_line
from holdfast.prose.updates.states import may_say_a_state, other_state
from holdfast.prose.updates.withdrawn import may_withdraw, withdrawn
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory.model import Summary, SummaryContent
from holdfast.rooms.memory.standing.decided import took_other
from holdfast.rooms.memory.standing.newest import matter
from holdfast.rooms.memory.standing.thread import telling
from holdfast.rooms.memory.standing.worth import THE_USER, is_agents, looks_back, only_answers, says_result

SINCE_THEN = " — since then: "
_HAS_FIGURE = lazy_pattern(r"\d")
_LONGEST_NEWS = 140
_SAYS, _LEAST_NEWS, _SAME_MATTER = 1.0, 15, 2
_SORRY = lazy_pattern(
    r"(?:sorry|my (?:bad|mistake|fault|apologies)|apologies|i apologi[sz]e|entschuldigung|lo siento|perdón)\b",
    re.IGNORECASE,
)
_MOST_LINES = 14
"""Lines of what newer work says that are looked at."""


def told_otherwise(new: SummaryContent, old: SummaryContent) -> str:
    """The words of newer work by which what older work says first no longer holds; '' when it still does."""
    if looks_back(new) or new.title == old.title:
        return ""
    if words := took_other(new, old):
        return words
    if not _may_be_about(new, old):
        return ""
    is_cause = _is_cause(old)
    said = (other_state(line, old.title, only_turned=is_cause) for line in _said(new))
    return next((words for words in said if words), "")


@lru_cache(maxsize=4_096)
def _is_cause(content: SummaryContent) -> bool:
    """Was a fault looked into, and nothing made of it? What was found then stays found."""
    if content.files and content.outcome == "passed":
        return False
    return classify(content.title).kind == "finding" and reports_a_fault(content.request)


def newest_instead(old: Summary, later: Iterable[Summary]) -> Summary | None:
    """The newest of later work that took the place of older work; None when none did."""
    if old.written_by == "user":
        return None
    found = None
    for new in later:
        stands = found or old
        if (
            not new.replaced
            and new.happened_at > stands.happened_at
            and _is_other(new, stands)
            and told_otherwise(new.content, stands.content)
        ):
            found = new
    return found


def may_have_news(content: SummaryContent) -> bool:
    return _HAS_FIGURE.search(content.title) is not None


def with_news(old: Summary, later: Iterable[Summary]) -> Summary:
    """Older work with the sentence of later work that gives up a value of it: what else it says may still hold."""
    if old.written_by == "user":
        return old
    words = ""
    for new in later:
        if done_over(new, old):
            words = _outcome(new.content) or words
            continue
        if not may_have_news(old.content):
            continue
        if not new.replaced and new.happened_at > old.happened_at and _is_other(new, old):
            words = gives_up_value(new.content, old.content) or words
    return with_words(old, words) if words else old


def done_over(new: Summary, old: Summary) -> bool:
    """Is it a later turn of the same conversation that changed a file of an earlier one? What that one says was the
    state for a moment."""
    if new.conversation != old.conversation or not new.level == old.level == "turn":
        return False
    if new.happened_at <= old.happened_at or not says_result(new.content) or new.content.title == old.content.title:
        return False
    if set(new.content.files).isdisjoint(old.content.files):
        return False
    return len((_matter_of(new.content) & _matter_of(old.content)) - general_terms()) >= _SAME_MATTER


@lru_cache(maxsize=1_024)
def _matter_of(content: SummaryContent) -> frozenset[str]:
    words = telling(f"{content.request}\n{content.title}\n{content.learned}\n{content.said}")
    return frozenset(word for word in words if not word.isdigit())


def _outcome(content: SummaryContent) -> str:
    """What a turn says of how things are since then; '' when it says nothing of it."""
    learned = [each for each in content.learned.splitlines() if is_agents(each)]
    lines = [each for each in (content.title, *learned, *content.said.splitlines()) if not _SORRY.match(each)]
    lines = [each for each in lines if classify(each).kind not in ("check", "none", "open", "question")]
    says = (each for each in lines if classify(each).weight >= _SAYS)
    told = next((each for each in lines if says_how_it_is(each)), next(says, ""))
    first, *_ = split_line(told) or [told]
    return first if len(first) >= _LEAST_NEWS else told


def with_words(old: Summary, words: str) -> Summary:
    """Older work with the words that later work says of it."""
    said, mark, choice = old.content.title.partition(THE_USER)
    title = f"{said}{SINCE_THEN}{one_line(words, _LONGEST_NEWS)}{mark}{choice}"
    return replace(old, content=replace(old.content, title=title))


def said_beside(new: Summary, old: Summary) -> str:
    """The words by which newer work takes the place of older work, where its title does not say them: who reads the
    title alone would miss what holds now."""
    words = told_otherwise(new.content, old.content)
    return "" if words.rstrip("….!") in new.content.title else words


def gives_up_value(new: SummaryContent, old: SummaryContent) -> str:
    """The words of newer work that name a value of older work as given up; '' when none do."""
    if looks_back(new) or not _may_be_about(new, old):
        return ""
    told = (withdrawn(line, old.title) for line in _lines(new) if may_withdraw(line))
    return next((words for words in told if words and words not in old.title), "")


def _is_other(new: Summary, old: Summary) -> bool:
    """A session says what its turns say."""
    return new.conversation != old.conversation or (new.level == old.level == "turn")


def _may_be_about(new: SummaryContent, old: SummaryContent) -> bool:
    """Most pairs share no word: they are not read."""
    return not _words(new).isdisjoint(matter(old.title))


@lru_cache(maxsize=1_024)
def _words(content: SummaryContent) -> frozenset[str]:
    return frozenset(word for line in _lines(content) for word in matter(line)) - general_terms()


@lru_cache(maxsize=1_024)
def _lines(content: SummaryContent) -> tuple[str, ...]:
    """What it says, and what the user said who asked for more than an answer."""
    lines = [content.title, *(each for each in content.learned.splitlines() if is_agents(each))]
    lines += content.said.splitlines()[:_MOST_LINES]
    if not only_answers(content):
        lines.append(content.request)
    return tuple(each for each in dict.fromkeys(lines) if each)


@lru_cache(maxsize=1_024)
def _said(content: SummaryContent) -> tuple[str, ...]:
    return tuple(each for each in _lines(content) if may_say_a_state(each))
