"""What the user decided in talk, as a title: what the agent says of it, and the user's own words, marked as such.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.events.subjects import need
from holdfast.prose.closing import Statement
from holdfast.prose.one_line import one_line
from holdfast.prose.prompts.choices import choice_in, gives_a_reason
from holdfast.prose.prompts.pasted import own_words
from holdfast.prose.prompts.picked import picked, place_in
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.standing.worth import ASKED, THE_USER, USER_DECIDED
from holdfast.rooms.memory.summaries.by_rules.work import Work

_LONGEST_SAID, _LONGEST_QUESTION, _LONGEST_DEED, _LONGEST_WORDS = 110, 90, 150, 130
_LEAST_OF_A_QUESTION = 2
"""Telling words of a question with its answer: "Which?" and "A" say nothing."""
_LONGEST_OPTION = 90
_STATES = frozenset({"decision", "change", "answer", "finding"})


def chosen_by_user(work: Work, said: Sequence[Statement]) -> str:
    """'' when the user decided nothing."""
    words = choice_of(work)
    if not words:
        return ""
    quoted = _quoted(words)
    asked = matter_of(work)
    about = _telling(f"{words} {asked}")
    told = next((each.text for each in said if _says_it(each, about)), "")
    place = "" if told else place_in(words)
    if place:  # "the second one" says what was chosen only to whoever saw the list
        option = picked(place, work.answered)
        return f"{USER_DECIDED}“{quoted}”: {one_line(option, _LONGEST_OPTION)}" if option else ""
    title = f"{one_line(told, _LONGEST_SAID)}{THE_USER}{quoted}”" if told else f"{USER_DECIDED}“{quoted}”"
    if not told and 3 * len(_telling(asked) & _telling(title)) < 2 * len(_telling(asked)):
        return f"{title}{ASKED}{one_line(asked, _LONGEST_QUESTION)})"
    return title


def with_users_reason(work: Work, told: str) -> str:
    """What was done, with the user's own words where they decided it and say why."""
    words = choice_of(work)
    if not words or not gives_a_reason(words) or len(told) > _LONGEST_DEED or _telling(words) <= _telling(told):
        return told
    return f"{told}{THE_USER}{_quoted(words)}”"


def answered_by_user(work: Work) -> list[str]:
    """What the user answered to the client's own questions, each with its question; without those that name
    nothing."""
    found = [each for each in work.answers if len(_telling(f"{each.question} {each.words}")) >= _LEAST_OF_A_QUESTION]
    return [f"{USER_DECIDED}“{each.words}”{ASKED}{one_line(each.question, _LONGEST_QUESTION)})" for each in found]


def is_quoted(title: str, requests: Sequence[str]) -> bool:
    """Are the words that a title gives as the user's really the user's? A model may have written it."""
    _, _, words = title.partition("“")
    return any(words.partition("”")[0].rstrip("…") in _quoted(each, len(each)) for each in requests)


def _quoted(words: str, longest: int = _LONGEST_WORDS) -> str:
    return one_line(words.replace("“", "").replace("”", ""), longest)


def matter_of(work: Work) -> str:
    """What the user had asked before."""
    return work.question or work.context


def choice_of(work: Work) -> str:
    """The words with which the user decides in the last request; '' for none."""
    prompt = own_words(work.requests[-1]) if work.requests else ""
    return choice_in(prompt, asked=matter_of(work), answered=work.answered) if prompt else ""


def _says_it(each: Statement, about: frozenset[str]) -> bool:
    return each.kind in _STATES and each.weight >= 1.0 and not need(each.text) and bool(_telling(each.text) & about)


def _telling(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - general_terms()
