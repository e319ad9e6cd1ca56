"""When a later answer takes the place of an earlier one (MEM-12): "Redis or Postgres for the queue?" is asked twice,
and the newer answer counts. Pure.

Precision first: both are about one subject, and each names what it chose. An answer about another subject, a look-up
and an answer that tells how it was replace nothing; work in files is replaced by work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.patterns import lazy_pattern
from holdfast.prose.closing import classify
from holdfast.prose.one_line import one_line
from holdfast.prose.updates.settled import are_one
from holdfast.recall.tokens import terms
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.worth import looks_back, only_answers

_ASKS_A_CHOICE = lazy_pattern(
    r"\b(?:or|which|versus|vs|should (?:we|i|it|the|this)|shall (?:we|i)|do we (?:use|want|keep|need|go|take)"
    r"|what (?:should|shall|do|will) we|oder|welche[rsnm]?|soll(?:en|te|ten|t)? (?:wir|ich|die|der|das)"
    r"|(?:nehmen|nutzen|verwenden|behalten) wir|womit|worauf)\b",
    re.IGNORECASE,
)
_OF_THE_PAST = lazy_pattern(
    r"(?:so |and |but |also |und |aber )*(?:why|did|was|were|had|when|how come|who|warum|wieso|weshalb|wann|war|waren"
    r"|hatten|haben wir)\b",
    re.IGNORECASE,
)
_TELLS_HOW_IT_WAS = lazy_pattern(
    r"\b(?:used to|because|since|was|were|had been|weil|früher|war|waren)\b", re.IGNORECASE
)
_OPTIONS = lazy_pattern(
    r"(?P<one>[\w.+#/-]{1,40})(?:,)? (?:or|vs\.?|versus|oder) (?:(?:the|an?|to|use|with|by|in|on|rather|still|der|die"
    r"|das|mit|per|auf) ){0,2}(?P<other>[\w.+#/-]{1,40})",
    re.IGNORECASE,
)
_ASKING = frozenset(
    terms(
        "which what should shall use using used or versus vs better best keep want need take choose pick go with for we"
        " i do does it the a an our this that now still will be is are of in on to by at from as and then instead would"
        " rather decide decided decision answer agreed agree let lets yes no not one new old so"
        " oder welche welcher welches welchen soll sollen sollte wir ich nehmen nutzen verwenden behalten besser für"
        " mit der die das den dem ein eine im in auf zu von womit worauf nun jetzt es ist wird bleibt bleiben"
    )
)
_LONGEST_READ = 400
_SAME_SUBJECT = 0.6
_LONGEST_SAID = 200
_MOST_LINES = 8
_SHORT_QUESTION, _SHORT_ANSWER = 12, 5
"""Words of "Redis or Postgres for the queue" without a question mark, and of an answer that only names its choice."""


def may_replace(content: SummaryContent) -> bool:
    """May its words "no longer", "instead" say that older words do not hold? An answer that tells how it was may not:
    "it used to end early"."""
    return not only_answers(content) or not (_TELLS_HOW_IT_WAS.search(content.title) or looks_back(content))


def decided_anew(new: SummaryContent, old: SummaryContent) -> str:
    """The words of a later answer that chooses otherwise than an earlier answer or decision; '' when it does not."""
    if new.files or old.files or not chooses(new):
        return ""
    if not (chooses(old) or classify(old.title).kind == "decision"):
        return ""
    options = _options(new.request) | _options(old.request)
    ours = _subject(new.request, options)
    theirs = _subject(old.request if chooses(old) else old.title, options)
    chosen, before = _pick(new.title, options, ours | theirs), _pick(old.title, options, ours | theirs)
    if not chosen or not before or chosen == before:
        return ""
    if not _is_one_subject(ours, theirs, new, old, chosen):
        return ""
    return one_line(new.title, _LONGEST_SAID)


def took_other(new: SummaryContent, old: SummaryContent) -> str:
    """The words of later work that takes another of the options that were offered when an earlier answer chose; ''
    when it does not."""
    if not new.files or old.files or not chooses(old):
        return ""
    options = _options(old.request)
    subject = _subject(old.request, options)
    chosen = _pick(old.title, options, subject)
    if not options or not chosen or not subject:
        return ""
    for line in (new.title, *new.said.splitlines()[:_MOST_LINES]):
        words = frozenset(terms(line[:_LONGEST_READ]))
        others = [each for each in options - {chosen} if any(are_one(each, word) for word in words)]
        if others and chosen not in words and len(words & subject) >= _SAME_SUBJECT * len(subject):
            return one_line(line, _LONGEST_SAID)
    return ""


def chooses(content: SummaryContent) -> bool:
    """Was a choice asked for, and answered? A question that nobody answers is none."""
    if not asks_a_choice(content.request) or looks_back(content):
        return False
    return content.title.rstrip("…") not in content.request and not content.title.endswith(("?", "？"))


def asks_a_choice(request: str) -> bool:
    """Does the user ask what to take, and not what was taken in earlier days?"""
    request = request[:_LONGEST_READ]
    if _OF_THE_PAST.match(request) or not _ASKS_A_CHOICE.search(request):
        return False
    is_short = len(request.split()) <= _SHORT_QUESTION and _OPTIONS.search(request) is not None
    return is_short or request.endswith(("?", "？"))


def short_answer(request: str, said: Sequence[str]) -> str:
    """The first sentence of an answer that only names the choice ("Postgres."), with its reason behind it; '' when it
    is another kind of answer."""
    if not said or len(said[0].split()) > _SHORT_ANSWER or not asks_a_choice(request):
        return ""
    options = _options(request)
    named = [term for term in terms(said[0]) if term not in _ASKING and (term in options or not options)]
    if not named or said[0].endswith(("?", "？")) or classify(said[0]).kind not in ("answer", "decision", "change"):
        return ""
    reason = said[1] if len(said) > 1 and classify(said[1]).kind in ("answer", "decision", "finding") else ""
    return f"{said[0]} {reason}".strip() if len(said[0]) + len(reason) < _LONGEST_SAID else said[0]


def _options(request: str) -> frozenset[str]:
    found = _OPTIONS.finditer(request[:_LONGEST_READ])
    named = [term for each in found for part in (each["one"], each["other"]) for term in terms(part)]
    return frozenset(named) - _ASKING


def _subject(text: str, options: frozenset[str]) -> frozenset[str]:
    return frozenset(terms(text[:_LONGEST_READ])) - _ASKING - options


def _pick(title: str, options: frozenset[str], subject: frozenset[str]) -> str:
    """What an answer chose: the first of the options that it names, else its first word that is not of the subject."""
    words: Sequence[str] = [term for term in terms(title[:_LONGEST_READ]) if term not in _ASKING]
    if options:
        return next((word for word in words if word in options), "")
    return next((word for word in words if word not in subject), "")


def _is_one_subject(
    ours: frozenset[str], theirs: frozenset[str], new: SummaryContent, old: SummaryContent, chosen: str
) -> bool:
    shared = len(ours & theirs)
    mine, others = _options(new.request), _options(old.request)
    if not ours or not theirs:  # "Redis or Postgres?": nothing but what there is to choose from
        return not ours and not theirs and len(mine & others) > 1
    if shared < _SAME_SUBJECT * min(len(ours), len(theirs)):
        return False
    known = chosen in others or chosen in terms(old.title) or bool(mine & frozenset(terms(old.title)))
    return known or (shared > 1 and not mine and not others)
