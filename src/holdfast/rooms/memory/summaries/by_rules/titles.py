"""The title of a summary: the outcome (MEM-16), and never "yes please" or "Edited x" where anything better is
known. Pure.

Of a turn it is a passage of the closing words, else what the user chose, else what was committed, else the request. Of
a session it is the weightiest of its parts'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from holdfast.events.subjects import need, without_connective
from holdfast.patterns import lazy_pattern
from holdfast.prose import closing, cues
from holdfast.prose.closing import Statement
from holdfast.prose.cores import core, mended_in, what_holds
from holdfast.prose.one_line import one_line
from holdfast.prose.passages import LONGEST as LONGEST_TITLE
from holdfast.prose.passages import passage
from holdfast.prose.prompts.faults import reports_a_fault
from holdfast.prose.prompts.pasted import own_words
from holdfast.prose.prompts.replies import takes_back
from holdfast.prose.sentences import split_line
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing import decided
from holdfast.rooms.memory.standing.worth import (
    ANSWERED,
    FAILED,
    acted,
    is_agents,
    is_general,
    is_users_choice,
    repeats_memory,
    says_result,
)
from holdfast.rooms.memory.summaries.by_rules import of_session
from holdfast.rooms.memory.summaries.by_rules.chosen import answered_by_user, chosen_by_user, with_users_reason
from holdfast.rooms.memory.summaries.by_rules.ended import Runs
from holdfast.rooms.memory.summaries.by_rules.left_open import CHAT
from holdfast.rooms.memory.summaries.by_rules.work import Work

_TELLING_ANSWER = 7
"""Words of a sentence that says more than the title of a commit."""
_LEAST_ANSWER = 5
"""Words of a sentence that is told instead of what was asked."""
_SHORT_REPLY = 7
"""Words below which a request after another one is a reply to it."""
_OF_ITS_OWN = 3
"""Telling words of an order that needs no request before it."""
_ORDER = lazy_pattern(
    r"(?:please )?(?:add|write|remove|rename|make|create|implement|update|move|show|explain|find|check|run|test|deploy"
    r"|release|bump|build|document|support|handle|delete|split|extract|replace|migrate|upgrade)\b",
    re.IGNORECASE,
)
_LEAST_ALIKE = 40
_STOP = re.compile(r"(?<=[.!?])\s+")
_LETTERS = re.compile(r"\w{2,}")


def title_of(
    work: Work, said: Sequence[Statement], done: Sequence[str], before: Sequence[SummaryContent], ended: Runs
) -> str:
    told = _of_session(before, said) if before else _of_turn(work, said, done)
    return one_line(told or _fallback(work, said, done, before, ended), LONGEST_TITLE)


def _of_turn(work: Work, said: Sequence[Statement], done: Sequence[str]) -> str:
    acted = any(not line.startswith(ANSWERED) for line in done)
    if not acted:
        answer = decided.short_answer(main_request(work.requests), [each.text for each in said])
        if answer := answer or ("" if work.observations else chosen_by_user(work, said)):
            return answer
        if answered := answered_by_user(work):
            return answered[-1]
    shipped = [each for each in said if not cues.UNSHIPPED.search(each.text[:500])]  # that is told as open
    found = shipped or said
    if acted:
        found = [each for each in found if not cues.LIMITED.search(each.text[:500])] or found
    of_fault = reports_a_fault(f"{work.context} {main_request(work.requests)}".strip())
    top = closing.best(found, acted=acted, of_fault=of_fault) or (
        _named(found, main_request(work.requests)) if acted else None
    )
    told = passage(found, top, acted=acted) if top and top.kind != "open" else ""
    return with_users_reason(work, told) if told and acted else told


def _named(said: Sequence[Statement], request: str) -> Statement | None:
    """A sentence that says of what was asked for that it is so: "The red test is green."."""
    asked = _telling_words(request)
    told = [each for each in said if each.kind in ("check", "answer") and not cues.ASIDE.search(each.text[:300])]
    return next((each for each in told if len(asked & _telling_words(each.text)) > 1), None)


def _of_session(before: Sequence[SummaryContent], said: Sequence[Statement]) -> str:
    own = [part for part in before if not repeats_memory(part)] or before
    if not any(map(acted, own)):  # beside what nobody did, general knowledge says least
        own = [part for part in own if not is_general(part)] or own
    parts = of_session.standing_parts(of_session.main_parts(own))
    if len(parts) == 1 and parts[0].files and says_result(parts[0]):
        return parts[0].title
    found = [of_session.chosen(part, each) for part in parts for each in _results(part)]
    found += said if before[-1] in parts and not is_users_choice(before[-1].title) else ()
    found = [each for each in found if not cues.UNSHIPPED.search(each.text[:500])] or found
    top = max(reversed(found), key=lambda each: each.weight, default=None)
    if top is None or top.kind == "open" or top.weight < closing.TELLING:
        plain = [part.title for part in parts if acted(part) and says_result(part)]
        return plain[-1] if plain else ""  # plain words of what was done say more than what was asked
    named = next((part for part in reversed(parts) if _says(part.title, top.text) and says_result(part)), None)
    named = named or next((part for part in reversed(parts) if _found(part, top.text)), None)
    return _with_other_result(named, parts) if named else top.text


def _found(part: SummaryContent, sentence: str) -> bool:
    """Is it what a part found beside its outcome? Then its title tells more: the cause with what was done about it."""
    if not part.files or not says_result(part) or sentence not in part.learned.splitlines():
        return False
    return bool(set(terms(part.title)) & set(terms(sentence)) - general_terms())


def _with_other_result(named: SummaryContent, parts: Sequence[SummaryContent]) -> str:
    """The result that a session is named after, with its outcome in another turn, in their order: both whole, else
    the first sentence of each, as far as they fit into a line."""
    others = [part for part in parts if part.files and says_result(part) and not _says(named.title, part.title)]
    others = [part for part in others if part is not named and _stands_alone(part.title)]
    if not others or is_users_choice(named.title):
        return named.title
    other = max(reversed(others), key=lambda part: closing.classify(part.title).weight)
    if closing.classify(other.title).kind not in ("decision", "finding", "change", "answer"):
        return named.title
    pair = [part.title for part in parts if part is named or part is other]
    told = next((each for each in _pairs(named, other, pair) if sum(map(len, each)) < LONGEST_TITLE - 1), [named.title])
    return " ".join(each if each[-1:] in ".!?…" else f"{each}." for each in told)


def _pairs(named: SummaryContent, other: SummaryContent, pair: Sequence[str]) -> Iterable[Sequence[str]]:
    """Two results, from all that they say to what each says in short: a cause with what was done about it, and where
    the user took that back, with what was done then; where there is no room for causes, what was done for each."""
    is_first = pair[0] is named.title
    if of_session.takes_back(*((other, named) if is_first else (named, other))):
        then = [each for each in split_line(pair[1]) if not need(each)] or [pair[1]]
        before, *_ = split_line(pair[0]) or [pair[0]]
        holds = max(then, key=lambda each: closing.classify(each).weight)
        yield [before, holds]
        return
    yield pair
    yield [core(each, LONGEST_TITLE) for each in pair]
    first, *_ = split_line(other.title) or [other.title]
    if mended_in([first]) == 0 or mended_in(split_line(other.title)) < 0:
        own = core(named.title, LONGEST_TITLE)
        yield [own, first] if is_first else [first, own]
    if is_first:
        yield [core(named.title, LONGEST_TITLE), what_holds(other.title)]
        yield [what_holds(each) for each in pair]


def _stands_alone(title: str) -> bool:
    """Is it whole, and more than that something was committed, or could not be sent?"""
    return "…" not in title and not cues.BOOKKEEPING.search(title) and not cues.UNSHIPPED.search(title[:500])


def _says(title: str, sentence: str) -> bool:
    """Does a title say it, perhaps cut?"""
    begins = title.partition("…")[0] if "…" in title else ""
    return sentence in title or (len(begins) > _LEAST_ALIKE and sentence.startswith(begins))


def _fallback(
    work: Work, said: Sequence[Statement], done: Sequence[str], before: Sequence[SummaryContent], ended: Runs
) -> str:
    """Where the closing words do not state the outcome."""
    asked = _asked(work)
    if not before and work.context and takes_back(main_request(work.requests)):
        return f"Reverted, as the user wanted: {_telling(own_words(work.context))}"
    acted = [line for line in done if not line.startswith(ANSWERED)]
    committed = next((line for line in reversed(acted) if line.startswith("Committed: ")), "")
    answer = answer_in(said)
    if committed:
        return answer if len(answer.split()) >= _TELLING_ANSWER else committed.removeprefix("Committed: ")
    if unshipped := next((each.text for each in said if cues.UNSHIPPED.search(each.text[:500])), ""):
        return unshipped
    if ended.failing:
        return f"{ended.failing[-1].title}{FAILED}"
    if acted and not before and len(answer.split()) < _LEAST_ANSWER and (proposed := _proposed(work)):
        return proposed
    if acted:
        return (answer if len(answer.split()) >= _LEAST_ANSWER else "") or asked or acted[0]
    return answer or asked or main_request(work.requests) or "Work without a request"


def _proposed(work: Work) -> str:
    """What the agent had proposed, where the user only said yes to it and it was done with as few words; '' for
    anything else."""
    if not work.answered or not _ASSENTS.fullmatch(own_words(work.requests[-1]).strip()):
        return ""
    told = [each for each in closing.statements(work.answered[-_LONGEST_ANSWERED:]) if _PROPOSES.search(each.text)]
    told = [each for each in told if each.kind not in ("question", "none")]
    return f"As proposed: {without_connective(told[-1].text)}" if told else ""


_LONGEST_ANSWERED = 4_000
_ASSENTS = lazy_pattern(
    r"(?:(?:yes|yep|yeah|ok(?:ay)?|sure|right|agreed|fine|good|great|perfect|sounds good|makes sense|please|pls|thanks"
    r"|thx|go(?: ahead| for it)?|(?:please )?do(?: it| that| so| this)?|as (?:you )?(?:proposed|suggested|said)"
    r"|let['’]?s do (?:it|that)|ja|bitte|mach(?: das| es)?(?: so)?|genau|passt|oui|vas-y|d'accord|fais(?:-le)?"
    r"|sí|si|dale|hazlo|vale|va bene|fallo)\b[\s,.!👍]*){1,6}|👍",
    re.IGNORECASE,
)
_PROPOSES = lazy_pattern(
    r"\b(?:i['’]d(?! (?:need|like to know|have to ask|rather not))|i would(?! (?:need|have to ask))"
    r"|i (?:recommend|suggest|propose)|my (?:recommendation|suggestion|proposal|advice)|recommended:"
    r"|ich würde|ich empfehle|mein vorschlag|je (?:propose|recommande|prendrais|ferais)|propongo|recomiendo|yo haría"
    r"|consiglio|proporrei)\b",
    re.IGNORECASE,
)


def main_request(requests: Sequence[str]) -> str:
    """The request that names the subject: the first with more than a few words."""
    own = [own_words(text) for text in requests]
    return next((text for text in own if len(text.split()) >= 4), next((text for text in own if text), ""))


def answer_in(said: Sequence[Statement]) -> str:
    """The first sentence that answers something; '' when none does."""
    return next((each.text for each in said if each.weight >= 1.0 and each.kind != "open"), "")


def _results(part: SummaryContent) -> Iterable[Statement]:
    """The outcome of a part of a session, as sentences with their weight."""
    lines = [line for line in part.learned.splitlines() if is_agents(line)]
    own = [part.title] if says_result(part) else []
    return [closing.classify(line) for line in dict.fromkeys((*own, *lines)) if line]


def _asked(work: Work) -> str:
    """The request as a title: with its subject when it is a reply; '' when it names none."""
    asked = _telling(main_request(work.requests))
    words = len(asked.split())
    orders = _ORDER.match(asked) and len(_telling_words(asked)) >= _OF_ITS_OWN
    if work.context and words < _SHORT_REPLY and not orders and not cues.IDENTIFIER.search(asked):
        about = one_line(_telling(work.context), 100)
        return f"{about} — {asked}" if len(_telling_words(asked)) > 1 else about
    return asked if len(_telling_words(asked)) > 1 else ""


def names_a_subject(request: str) -> bool:
    return len(_telling_words(_telling(request))) > 2


def _telling(request: str) -> str:
    """The first sentence of a request that names its subject, and is not mere courtesy."""
    sentences = [each for line in request.splitlines() for each in _STOP.split(line.strip()) if each]
    matters = [each for each in sentences if not cues.COURTESY.search(each) and len(_telling_words(each)) >= 2]
    return next(iter(matters or sentences), "")


def _telling_words(sentence: str) -> set[str]:
    return {word for word in _LETTERS.findall(sentence.lower()) if word not in CHAT}
