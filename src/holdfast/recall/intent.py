"""Reads from a prompt whether it asks for memory, and of which time. Pure.

"What was the cause last time?" asks for what was found; "fix it again" hardly does; "what did we do yesterday?" asks
for a time and names no subject. Clock and time zone are the caller's: a day is a day of the user.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal

from holdfast.patterns import lazy_pattern
from holdfast.recall.asks_abroad import ASKS_ABROAD
from holdfast.recall.state_asked import AskedState, state_asked
from holdfast.recall.time_asked import names_weekday, time_asked, without_time
from holdfast.recall.tokens import general_terms, terms, time_terms
from holdfast.recall.values import END_OF_TIME

Strength = Literal["", "hint", "asks"]
"""`hint`: it speaks of something that happened before. `asks`: it wants to be told of it."""

LONG = 30
"""Words of a long prompt."""
LONGEST_READ = 2_000
"""Characters of a prompt that are read for intent: its request stands at the beginning or the end."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a prompt wants of memory."""

    strength: Strength = ""
    since: int = 0
    until: int = END_OF_TIME
    overview: bool = False
    """It asks what was done in that time, whatever it was about."""
    many: bool = False
    """It asks for more than a few items."""
    question: bool = False
    """It asks something, whatever it is about."""
    ours: bool = False
    """It asks about what is ours: of all that is known only this project's history can answer that."""
    before: tuple[int, int] | None = None
    """It names its day by the weekday: where nothing is found on it, that of the week before may be meant."""
    state: AskedState = ""
    """It asks how things stand, and names neither a subject nor a time."""

    @property
    def has_time(self) -> bool:
        return bool(self.since) or self.until < END_OF_TIME


_GREETING = lazy_pattern(
    r"(?:(?:hi|hello|hey|morning|good (?:morning|afternoon|evening)|welcome back|i(?:'m| am) back|back again|ok(?:ay)?"
    r"|thanks|thank you|great|perfect|nice)\b[^.!?\n]{0,30}[.!\n]\s*){1,3}(?=\S)",
    re.IGNORECASE,
)


def without_greeting(prompt: str) -> str:
    """A prompt without the courtesy before what it is about."""
    found = _GREETING.match(prompt.lstrip())
    return prompt.lstrip()[found.end() :] if found else prompt


_ORDER: dict[Strength, int] = {"": 0, "hint": 1, "asks": 2}
_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+|\n+")
_WE = r"(?:we|you|i|they|u)"
_PAST = r"(?:did|didn'?t|had|hadn'?t|have|haven'?t|was|wasn'?t|were|weren'?t)"
_REMIND = r"remind\s+me(?!\s+(?:to|tomorrow|later|next|every|in\s+\d|at\s+\d|(?:on|by)\s+\w+\s+to)\b)"
"""Of something that was: a reminder for later is another thing."""
_ASKS = lazy_pattern(
    rf"""
    \b(?:
      (?:last|previous|first)\ time | back\ then | in\ the\ past | (?:previously|formerly|earlier)\b(?!\ than)
    | {_PAST}(?:\s+\w+ly)?\s+{_WE}\b
    | (?:why|how|when|where|what|which|who)\s+(?:exactly\s+|else\s+|again\s+)?(?:did|was|were|had|have)\b(?!\s+to\b)
    | was\s+there | were\s+there | has\s+there
    | (?:was|were|did|had)\s+(?:that|this|it|they|people|some(?:body|one)|any(?:body|one)|the\s+\w+|our\s+\w+)
        \s[^.?!\n]{{2,80}}\?
    | (?:do|can|could)\s+(?:you|we|u)\s+(?:still\s+)?(?:remember|recall)
    | {_REMIND} | remember\s+(?:when|how|why|what|that|the)
    | (?:have|has|had|did)\s+(?:\w+\s+){{0,3}}(?:before|already|ever)\b
    | what\s+(?:has\s+|had\s+)?caused\b
    | what(?:'?s|\ is|\ was|\ were)?\s+(?:behind\b
        | the\s+(?:story|history|background|deal|cause|reason|fix|outcome|result|decision|conclusion|verdict
            |root\ cause))
    | who\s+(?:wanted|decided|chose|picked|set|said|ordered|(?:asked|wished)\s+for)\b
    | (?:asks|asked|asking|wants\s+to\s+know|wonders?|wondering)\s*(?::|,?\s+(?:why|what|which|who|about)\b)
    | what\s+(?:do|should|can|shall)\s+(?:i|we)\s+(?:answer|reply|tell|say)\b
    | (?:seen|met|had|hit|done|tried|fixed|solved|discussed|decided|talked|agreed)\s+(?:\w+\s+){{0,4}}
        (?:before|already|once|earlier)\b
    | i\s+(?:thought|believed?|remember|recall)\s+(?:that\s+)?(?:we|you|i|there|it)\b
    | (?:we|you|i)\s+(?:once|already|decided|agreed|settled|concluded|used\ to|talked\ about|discussed|left|said|had)\b
    | known\s+(?:issue|problem|bug)|\bknown\s*\?
    | all\s+the\s+times | every\s+time\s+(?:we|you|i)
    | pick\s+up\s+where | where\s+(?:were|was|are)\s+(?:we|i) | where\s+(?:we|i)\s+(?:were|left|stopped)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TELLS_OF_BEFORE = lazy_pattern(
    r"(?<=[\w,)\"'`])\s+(?:which|who|when|where)\s+(?:was|were|had|have)\b|\b(?:previously|formerly|earlier)\b",
    re.IGNORECASE,
)
"""In a statement."""
_HINTS = lazy_pattern(
    r"\b(?:again|previously|formerly|earlier|anymore|any\s+more|still|once\s+more|as\s+before"
    r"|like\s+before|used\s+to|no\s+longer|came\s+back|is\s+back|"
    r"keeps?\s+\w+ing|another|instead\s+of|rather\s+than|these\s+days|since\s+(?:the|that|we)|why\s+(?:do"
    r"|does|is|are)\s+(?:we|our|there|it|the)|"
    r"do\s+we\s+(?:have|use|still|ever))\b",
    re.IGNORECASE,
)
_THEN_ASKS = lazy_pattern(
    r"[,;:–—]\s+(?:(?:so|and|but|or)\s+)?(?:what|which|why|how|where|when|who|is|are|do|does|should|shall"
    r"|can|could|would"
    r"|will|any)\b",
    re.IGNORECASE,
)
"""A question behind something that was told."""
_DOER = lazy_pattern(rf"\b{_WE}\b", re.IGNORECASE)
_PROPOSES = lazy_pattern(
    r"\b(?:(?:should|shall|could|can)\s+we|why\s+(?:don'?t|do\s+not)\s+we|what\s+if\s+we|how\s+about)\b[^?]{0,200}\?",
    re.IGNORECASE,
)
"""Of what happens again something is proposed: was that tried before?"""
_ASKED = lazy_pattern(
    r"[?？](?=[\s\"')\]*`?!]|$)"
    r"|(?:\A|[.!\n][^\S\n]{0,8}|[,;:] (?=what'?s the |why |who ))"
    r"(?:(?:and|so|but|ok(?:ay)?|btw|hm+|also|then|or)[,\s]{1,4})?"
    r"(?:(?:to|for|on|with|by|from|at|in|of|auf|für|mit|von|bei|an|seit|ab|de|con|à|por) )?"
    r"(?:what'?s?(?! (?:i|we|you|they|he|she|it|(?:is |are |does )?(?:the |a )?(?:difference|best|right|proper|fastest"
    r"|point|meaning|syntax|way))\b)|why|which(?! (?:is|was|are|were|means|makes|can|we|you|i|it)\b)"
    r"|who(?:'?s|m)?|where'?s|how (?:long|often|much|many|far|big|old|come"
    r"|(?:do|does|did|is|are|was|were)(?! (?:i|you|one|u)\b))"
    r"|(?:does|did|was) (?:the|our|we|it|that|this|there)"
    r"|wieso|warum|weshalb|welche[rsnm]?|wer|wen|wem|wozu|woran|wann|pourquoi|quel(?:le)?s?|por qu[eé]"
    r"|cu[aá]l(?:es)?|qui[eé]n)\b(?! (?:about|not)\b)",
    re.IGNORECASE,
)
"""With its mark, or without it where a sentence or a clause begins as a question does: many leave the mark out. "How do
I" and "what's the difference" ask for general knowledge as often."""
_OURS = lazy_pattern(
    r"\b(?:we|our|ours|us|wir|uns|unser\w{0,2}|nous|notre|nos|nuestr[oa]s?|nosotros|noi|nostr[oaie])\b", re.IGNORECASE
)
_WISHES = lazy_pattern(
    r"\b(?:can|could|should|shall|may|will|would|let'?s|können|könnten|sollen|sollten|wollen|pouvons|podemos)"
    r"\s+(?:we|you|wir|nous)?\b",
    re.IGNORECASE,
)
"""Something is wanted: "can we warn them?" asks for work."""
_ORDERS = lazy_pattern(
    r"\s{0,8}(?:(?:please|now|ok(?:ay)?|then|and|also|next)[,:]? )*(?:add|write|rename|migrate|make|fix|create|update"
    r"|remove|change|move|implement|build|commit|merge|push|deploy|release|test|refactor|delete|drop|set|put|use|run"
    r"|bump|upgrade|port|split|extract|mark|document|baue?|schreib\w{0,2}|mach\w{0,2}|füge?)\b",
    re.IGNORECASE,
)
_OVERVIEW = lazy_pattern(
    rf"""
    \bwhat\s+(?:all\s+)?(?:did|have|had|were|was)\s+{_WE}\s+(?:been\s+)?(?:do|done|doing|work(?:ed|ing)?(?:\s+on)?|chang(?:e|ed|ing)|up\s+to|achieve[d]?|
        finish(?:ed)?|get\s+done|accomplish(?:ed)?|busy\s+with)\b
  | \bwhat(?:'s|\s+(?:has|have|all))?\s+changed\b
  | \b(?:any|some)thing\s+(?:that\s+)?{_WE}\s+(?:did|finished|changed|fixed|worked\s+on|got\s+done)\b
  | \bwhat\s+did\s+i\s+(?:ask|tell|want)\b
  | \bwhat\s+(?:has\s+)?(?:happened|was\s+(?:done|going\s+on|changed|worked\s+on))\b
  | \bwhere\s+(?:were|was)\s+(?:we|i)\b | \bwhere\s+did\s+(?:we|i|you)\s+(?:stop|leave\s+off|get\s+to|end)\b
  | \b(?:recap|sum(?:mary|marise|marize)?(?:\s+up)?|overview|catch\s+me\s+up|bring\s+me\s+up|{_REMIND})\b
  | \bwhat\s+was\s+(?:i|the\s+last\s+thing)\b
  | \b(?:everything|all|all\s+that)\s+(?:we|you|i)\s+(?:did|changed|finished|worked\s+on|have\s+done|got\s+done)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MANY = lazy_pattern(
    r"\b(?:everything|all\s+(?:the|of|our|that|those|we|times|places|decisions|sessions)|every\s+time"
    r"|list|complete\s+history|"
    r"whole\s+history|which\s+(?:ones|all)|each\s+time)\b",
    re.IGNORECASE,
)


def read_intent(text: str, now: int, zone: tzinfo | None = None) -> Intent:
    """What a prompt wants of memory. `now` in microseconds; without a zone, days are those of this machine's."""
    if len(text) > LONGEST_READ:
        text = f"{text[: LONGEST_READ // 2]}\n{text[-LONGEST_READ // 2 :]}"
    parts = [part for part in _SENTENCE.split(text) if part.strip()]
    if len(text.split()) > LONG:
        # A long prompt tells and orders much; it asks for memory where it asks.
        parts = [part for part in parts if part.rstrip().endswith("?")]
    found = [_of_sentence(part, now, zone) for part in parts]
    strongest = max(found, key=lambda each: (_ORDER[each.strength], each.has_time), default=Intent())
    is_question = bool(_ASKED.search(text)) or strongest.strength == "asks"
    return replace(strongest, question=is_question, ours=is_question and any(map(_is_ours, parts)))


def _of_sentence(short: str, now: int, zone: tzinfo | None) -> Intent:
    asks = bool(_ASKS.search(_without_relative(short)) or ASKS_ABROAD.search(short.replace("’", "'")))
    today = datetime.fromtimestamp(now / 1_000_000, zone).date()
    span, past = time_asked(short, today)
    state = state_asked(short)
    overview = state == "last" or bool(_OVERVIEW.search(short))
    if span is not None and not overview and (asks or (past and "?" in short)):
        overview = not _names_a_subject(without_time(short, today))
    if span is not None and not (asks or overview) and _is_of_a_report(short, today):
        span = None  # "it hung last night, should we retry?" asks what is known of it, and not what was done then
    if span is not None and not (past or asks or overview):
        span = None  # "deploy it on Monday" is a plan
    if span is None:
        hints = _HINTS.search(short) is not None
        asks = asks or bool(state) or (hints and _PROPOSES.search(short) is not None)
        strength: Strength = "asks" if asks else "hint" if hints or _is_ours(short) else ""
        return Intent(strength, many=asks and bool(_MANY.search(short)), state=state)
    first, after = span
    since = _start(first, zone) if first > date.min else 0
    strength = "asks" if asks or overview or "?" in short else "hint"
    until = min(_start(after, zone), now)
    open_now: AskedState = "open" if state == "open" else ""
    before = None
    if names_weekday(short, today):
        before = _start(first - timedelta(days=7), zone), _start(first - timedelta(days=6), zone)
    return Intent(strength, since, until, overview, bool(_MANY.search(short)), before=before, state=open_now)


def _without_relative(sentence: str) -> str:
    """A sentence without what only looks like a question: "systems which have no shell", "previously it returned 1".
    Where somebody asks, or speaks of what we did, nothing is taken away."""
    if "?" in sentence or _DOER.search(sentence):
        return sentence
    return _TELLS_OF_BEFORE.sub(" ", sentence)


def _is_of_a_report(sentence: str, today: date) -> bool:
    """Does the time stand in what a sentence tells before it asks? What we did then is another matter."""
    asked = next(iter(reversed(list(_THEN_ASKS.finditer(sentence)))), None) if "?" in sentence else None
    if asked is None or _DOER.search(sentence[: asked.start()]):
        return False
    return time_asked(sentence[asked.start() :], today)[0] is None


def _names_a_subject(sentence: str) -> bool:
    """Does it say what it is about? Words of any conversation do not."""
    return not general_terms() | time_terms() >= set(terms(sentence))


def _is_ours(sentence: str) -> bool:
    """Is it a question about what is ours? The repository may answer it, or what was said of it before."""
    if _ASKED.search(sentence) is None or _OURS.search(sentence) is None:
        return False
    return _WISHES.search(sentence) is None and _ORDERS.match(sentence) is None


def _start(day: date, zone: tzinfo | None) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()) * 1_000_000
