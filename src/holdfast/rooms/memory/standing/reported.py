"""What the user reports of people and of how things went: "pedro is ok with the pairing", "the chamber was fine". It
settles what waited for them (MEM-18). Pure; each pattern is linear in its text."""

from __future__ import annotations

import re
from functools import cached_property

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.deeds import CAME_TO_NOTHING
from holdfast.recall.tokens import general_terms, time_terms
from holdfast.rooms.memory.standing.thread import COMMON, telling
from holdfast.rooms.memory.standing.waiting import UNTIL, Waiting, condition_words, found

_LONGEST_REQUEST = 400
_SENTENCE = lazy_pattern(r"(?<=[.!?？])\s+")
_CLAUSE_END = lazy_pattern(r"[.,;!] +|\n+")
NOT_SO = lazy_pattern(
    r"\b(?:not|never|nobody|no one|nicht|nie|kein\w*|pas|jamais|nunca|will|won't|should|must|asked|wants?|wanted|plans?"
    r"|tomorrow|next (?:week|month))\b|n't\b",
    re.IGNORECASE,
)
"""It tells what is not so, or not yet."""
_DID_IT = lazy_pattern(
    r"\b(?P<who>\w{3,20}) (?:has |have |just |already ){0,2}"
    r"(?!(?:is|has|will|wants|needs|said|says|saw|sees|asked|likes|hates|knows|thinks|about|with|for|and|that|this)\b)"
    r"\w{3,15} (?:it|them|those)\b",
    re.IGNORECASE,
)
_SOMEBODY_SAID = lazy_pattern(
    r"\b(?P<who>\w{2,20}) (?:has |have |had |just |finally |already |now |also ){0,3}"
    r"(?:answered|replied|said|says|decided|agreed|confirmed|responded|told (?:me|us)|chose|chosen|picked|wrote back"
    r"|ok'?d|oked|geantwortet|entschieden|gesagt|sagt|meint|a dit|a répondu|dijo|dice|respondió|disse|zegt|zei)\b"
    r"(?! (?:he|she|they) (?:will|needs?|must|has to|wants?)\b)",
    re.IGNORECASE,
)
_PERSON_DID = lazy_pattern(
    r"(?:ok,? |so |and |btw,? )?(?P<who>\w{2,20}) (?:has |have |just |finally |already |now ){0,2}"
    r"(?!(?:rejected|refused|declined|denied|vetoed|blocked|failed|asked|wanted|needed|delayed|postponed)\b)"
    r"(?:\w{2,15}ed|made|did|gave|sent)\b",
    re.IGNORECASE,
)
_QUOTED_BY = lazy_pattern(
    r"(?:^|[.;,!] +|\b(?:btw|and|y|e|et|und|en) )(?P<who>\w{2,20})"
    r"(?: (?:said|says|writes|answered|meint|sagt|finally))?"
    r"(?:['’]s (?:answer|reply|word|decision|verdict|take))?: +(?=\S)",
    re.IGNORECASE,
)
_BEGINS = lazy_pattern(r"\A|[.;,:!\n] {0,3}|\b(?:and|btw|ok|so|but|y|e|et|und|en) ", re.IGNORECASE)
"""Where a clause of a report begins."""
_TELLS_OF = lazy_pattern(
    r"(?:(?:dr|mr|mrs|ms)\.? )?(?!(?:and|but|btw|now|also|then|the|she|they|you|this|that)\b)(?P<who>\w{3,20})"
    r"(?! (?:\w{1,12} )?(?:not|never|no|non|niet|não|ainda|todavía|aún|encore|ancora|nog|noch|nicht|nie|pas|will"
    r"|should|must|may|might|asked|asks|still|needs?|cannot|has to|wants? to|away|sick|on (?:holiday|vacation|leave)"
    r"|rejects?|refuses?|denies|vetoes)\b)(?! \w{1,12}n't\b)"
    r" (?:(?:is|was|were|has|had|just|finally|already|now|also) ){0,3}(?!\w{1,15}ed\b)\w{2,20}\b"
    r"(?P<rest>[^;\n]{0,160})",
    re.IGNORECASE,
)
"""Deeds in the past tense are compared by what they were done to."""
_WELL = lazy_pattern(
    r"\b(?:is|was|were|are|went|looks?|worked|works|held|passed)\b(?: (?:all|very|totally|quite|now|out)){0,2} "
    r"(?:fine|ok|okay|good|great|well|clean|green|perfect|happy|through|in order|gut|in ordnung|bien|bene|goed)\b",
    re.IGNORECASE,
)
"""Something went as it should."""
_WORD = lazy_pattern(r"\w{2,20}")
_IS_SO = lazy_pattern(
    r"\b(?:over|out|done|through|finished|was|were|has|have|had|ran|said|gave|went|came|[a-z]{3,20}ed|hat|haben|ist|war"
    r"|wurden?|vorbei|fertig|está|tiene|ha|han|fue|[a-z]{3,20}[ai]d[oa]s?|est|a été|terminée?)\b"
    r"(?! (?:on|next|this|am|nächste|el|le) \w{3,10}\b$)",
    re.IGNORECASE,
)
"""It tells how something is by now."""
_NEARLY = 2
"""Words that a report shares with what waited, when it is about that."""


class Reported:
    """The reports of one request, worked out once."""

    def __init__(self, request: str, title: str) -> None:
        self._request, self._title = request[:_LONGEST_REQUEST], title

    def settles(self, thread: Waiting) -> bool:
        """Does the user tell that what it waits for is so; or that it went well?"""
        return self._is_met(thread) or self._went_well(thread)

    def answers(self, thread: Waiting) -> int:
        """How many words of the thread the user names who tells what somebody said, or did, whom it names; 0 for
        none of that. Somebody for whom several things wait has said which they speak of."""
        if not (self._tells_what_somebody_said(thread) or self._tells_of_who_must_act(thread)):
            return 0
        said = self._said_by(thread.people) & (thread.led_by | thread.telling)
        return 1 + len(said - general_terms())

    def _is_met(self, thread: Waiting) -> bool:
        """Is it so now until which it waits: "until staging has been quiet for 24 h", "staging was quiet for 24h"?"""
        for sentence in self._sentences if thread.conditions else ():
            if NOT_SO.search(sentence) or CAME_TO_NOTHING.search(sentence) or UNTIL.search(sentence):
                continue
            if _IS_SO.search(sentence):
                words = condition_words(sentence)
                if any(found(each, words) == each for each in thread.conditions):
                    return True
        return False

    def did_it(self, thread: Waiting) -> bool:
        """Does the user say of somebody whom the thread names that they did it: "kemal flew it"?"""
        for sentence in self._sentences:
            is_so = not (NOT_SO.search(sentence) or CAME_TO_NOTHING.search(sentence))
            if is_so and any(telling(each["who"]) & thread.names for each in _DID_IT.finditer(sentence)):
                return True
        return False

    @cached_property
    def _sentences(self) -> list[str]:
        return [each for each in _SENTENCE.split(self._request) if not each.endswith(("?", "？"))]

    def _tells_what_somebody_said(self, thread: Waiting) -> bool:
        """Does the user name something of the thread, too: "magda answered: keep the older one", "oskar: recordings
        only as a list"? Deeds are compared by what they were done to."""
        who = self._speakers & thread.people if self._speakers else None
        if not who:
            return any(
                name in thread.people and words <= thread.led_by | thread.telling for name, words in self._deeds_of
            )
        return bool(self._said_by(who) & (thread.led_by | thread.telling))

    def _said_by(self, names: frozenset[str]) -> frozenset[str]:
        """The words of what they said: what the user tells before speaks of something else."""
        sentences = self._sentences
        speaks = (at for at, each in enumerate(sentences) if names & set(_WORD.findall(each.lower())))
        told = telling(" ".join((*sentences[next(speaks, len(sentences)) :], self._title)))
        return told - {word for name in names for word in telling(name)}

    def _tells_of_who_must_act(self, thread: Waiting) -> bool:
        """Is something told of the one who must act: "ingrid was at nordhof, both joined"? It is about the thread if
        it names more of it."""
        if not thread.is_awaited:
            return False
        for sentence in self._sentences:
            for begin in () if CAME_TO_NOTHING.search(sentence) else _BEGINS.finditer(sentence):
                told = _TELLS_OF.match(sentence, begin.end())
                if told is None or told["who"].lower() not in thread.people:
                    continue
                known = (thread.led_by | thread.telling) - general_terms() - telling(told["who"])
                if known & telling(told["rest"]) or _WELL.search(told[0]):
                    return True
        return False

    def _went_well(self, thread: Waiting) -> bool:
        if thread.kind != "left":
            return False
        for sentence in self._sentences:
            if _WELL.search(sentence) and not CAME_TO_NOTHING.search(sentence):
                shared = (telling(sentence) & thread.telling) - general_terms()
                if sum(not word.isdigit() for word in shared) >= _NEARLY:
                    return True
        return False

    @cached_property
    def _deeds_of(self) -> list[tuple[str, frozenset[str]]]:
        """Who did something, as the user tells, and to what: "femke closed her campaign", "nils made the realm
        today"."""
        deeds: list[tuple[str, frozenset[str]]] = []
        for clause in _CLAUSE_END.split(self._request):
            did = _PERSON_DID.match(clause)
            if did is None or clause.endswith(("?", "？")) or NOT_SO.search(clause) or CAME_TO_NOTHING.search(clause):
                continue
            words = telling(clause[did.end() :]) - general_terms() - time_terms()
            if words:
                deeds.append((did["who"].lower(), words))
        return deeds

    @cached_property
    def _speakers(self) -> frozenset[str]:
        """Those of whom the user tells what they said, in small letters."""
        names: set[str] = set()
        for sentence in self._sentences:
            if CAME_TO_NOTHING.search(sentence):
                continue
            names |= {each["who"].lower() for each in _QUOTED_BY.finditer(sentence)}
            said = (each for each in _SOMEBODY_SAID.finditer(sentence) if not NOT_SO.search(sentence[: each.end()]))
            names |= {each["who"].lower() for each in said}
        return frozenset(names) - COMMON
