"""Does a later request answer what an agent asked, or give what it lacked, in other words? "get rid of bulk_load"
answers the offer to delete it, "the url is https://…" gives the URL that was missing (MEM-18). Pure; each pattern is
linear in its text.

A deed of the same kind is enough where it names one thing by a name of code, or nothing but what the thread names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.settled import ToldDeed, are_one, deeds_needed, needs_words
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory.standing.thread import telling
from holdfast.rooms.memory.standing.waiting import Waiting

_LONGEST_REQUEST = 400
_MOST_PARTS = 12
_PART_ENDS = lazy_pattern(r"(?<=[.!?？])\s+|[;\n]+|, ")
_TELLS_HOW_IT_IS = lazy_pattern(
    r"\b(?:was|were|did|has|have|had|could|yet|still|why|how|what|when|war|wurde|hat|noch|warum|wie|été|encore"
    r"|pourquoi|ha|fue|todavía|por qué)\b",
    re.IGNORECASE,
)
"""No order: "why was bulk_load removed", "we have not removed it yet"."""
_KEEPS = lazy_pattern(
    r"(?:\A|[ ,])(?:(?:keep|retain|hold on to|leave|behalte[nt]?|behalt|lass(?:t|en)?|gardez?|garde|conservez?|laissez?"
    r"|mantén|mantener|conserva|deja) (?P<what>[^.;,!?\n]{2,60})"
    r"|(?P<that>[^.;,!?\n]{2,60}?) (?:(?:must |has to |should )?stays?|bleib(?:t|en)|reste(?:nt)?|se quedan?)\b)",
    re.IGNORECASE,
)
_ENDED = frozenset({"remove", "change"})
"""Who keeps a thing answers whether to remove or change it, and not whether to add to it."""
_GIVES = lazy_pattern(
    r"(?:\A|[.;,!\n] *|\b(?:and|und|et|y) )(?:(?:here(?:'s| is| are)|hier (?:ist|sind)|voici|aquí (?:está|va)) )?"
    r"(?P<what>[^.;,:=!?\n]{2,50}?)(?: (?:is|are|should be|lautet|ist|sind|est|sont|es|son|será)| ?[:=]) "
    r"(?:called |named |in |at |under |im |in der |dans |en )?(?P<value>https?://\S+|[`\"'“]\S[^`\"'”\n]{0,80}"
    r"|[\w.+@/-]{0,40}[\d_/@][\w.+@/-]{0,80}|(?-i:[A-Z][\w.-]+))",
    re.IGNORECASE,
)
"""It gives a value by its name."""
_ASKS_WHICH = lazy_pattern(
    r"(?:(?:and|so) )?¿?(?:(?:for|in|at|by|from|to|with) )?(?:which|what|who|where|when|how (?:many|much|long|often|big"
    r"|large)|welche[rsnm]?|was|wer|wo|wann|wie (?:viele?|lange|oft|groß)|quel(?:le)?s?|que|qui|où|quand|combien|qué"
    r"|cuál(?:es)?|cuánt[oa]s?|dónde|cuándo|quién)\b",
    re.IGNORECASE,
)
_TAKES = lazy_pattern(
    r"\b(?:use|take|pick|choose|go with|stick (?:to|with)|make it|set|nimm|nehmt|nutze?|verwende|setze?|utilise[rz]?"
    r"|prends|prenez|mets|usa|usad|usen|toma|pon|elige)\b",
    re.IGNORECASE,
)
_ASKS_TO_TAKE = lazy_pattern(
    r"\b(?:use[sd]?|take|pick|choose|be|have|set|go|nutzen|verwenden|nehmen|haben|sein|utiliser|prendre|avoir|usar|tomar"
    r"|tener|llevar)\b",
    re.IGNORECASE,
)
_PRONOUN = lazy_pattern(r"\b(?:it|they|them|this|that|es|sie|ihn|il|elle|ils|elles|lo|la|los|las)\b", re.IGNORECASE)
_VALUE = lazy_pattern(
    r"`[^`\n]{1,60}`|\b[A-Z][\w./+-]{1,40}|(?<![\w./+-])[\w./+-]{0,40}\d[\w./+-]{0,40}"
    r"|\b\w{1,40}[_/]\w[\w/]{0,40}"
)
_YES_OR_NO = lazy_pattern(r"(?<!\w)(?:yes|no|nope|yep|yeah|ja|nein|oui|non|sí|si)(?!\w)", re.IGNORECASE)
_LONGEST_YES = 6
"""Words of a part that says yes or no to one of several questions: "drafts no"."""


class Replies:
    """What one request answers and gives, worked out once. `told` are the agent's lines after it."""

    def __init__(self, request: str, told: Sequence[str]) -> None:
        self._request, self._told = request[:_LONGEST_REQUEST], told

    def answers(self, thread: Waiting, done: Iterable[ToldDeed]) -> bool:
        """Does it answer a question or an offer? `done` is what the agent says it did."""
        if thread.needs and (self._orders(thread) or self._keeps(thread) or any(_did(each, thread) for each in done)):
            return True
        return self._says_which(thread) or self._says_yes_or_no(thread)

    def names_some(self, thread: Waiting) -> bool:
        """Does it name anything of the question?"""
        return any(not each.isdigit() for each in telling(self._request) & thread.telling)

    @cached_property
    def given(self) -> tuple[ToldDeed, ...]:
        """What the user gives the value of, as something that has come."""
        found = (telling(each["what"]) for each in _GIVES.finditer(self._request))
        return tuple(ToldDeed(frozenset({"get"}), words, words, clause=words) for words in found if words)

    @cached_property
    def _parts(self) -> list[str]:
        parts = [each.strip() for each in _PART_ENDS.split(self._request)[:_MOST_PARTS]]
        return [each for each in parts if each and not each.endswith(("?", "？"))]

    def _orders(self, thread: Waiting) -> bool:
        """Is a deed of that kind ordered, or forbidden, for what the thread names?"""
        needs = {kind for kind in thread.needs if not kind.startswith("=")}
        for part in self._parts:
            if needs & deeds_needed(part) and not _TELLS_HOW_IT_IS.search(part):
                words = telling(part)
                if thread.is_named_by(words) or _are_all_of(words - needs_words(part), thread):
                    return True
        return False

    def _keeps(self, thread: Waiting) -> bool:
        if not thread.needs & _ENDED:
            return False
        for part in self._parts:
            found = _KEEPS.search(part)
            words = telling(found["what"] or found["that"]) if found else frozenset[str]()
            if words and (thread.is_named_by(words) or _are_all_of(words, thread)):
                return True
        return False

    def _says_which(self, thread: Waiting) -> bool:
        """Is the value named that was asked for: by its name, or of what the question is about?"""
        if not _ASKS_WHICH.match(thread.asks):
            return False
        if any(_are_all_of(each.words, thread) for each in self.given):
            return True
        if not _ASKS_TO_TAKE.search(thread.asks):
            return False
        about = thread.telling | thread.led_by | (thread.matter if _PRONOUN.search(thread.asks) else frozenset())
        for part in self._parts:
            if _TAKES.search(part) and about & telling(part) and self._values & (telling(part) - about):
                return True
        return False

    @cached_property
    def _values(self) -> frozenset[str]:
        """The words of names and numbers, as the user or the agent writes them."""
        texts = (self._request, *self._told)
        return frozenset(word for text in texts for each in _VALUE.finditer(text) for word in telling(each[0]))

    def _says_yes_or_no(self, thread: Waiting) -> bool:
        if _ASKS_WHICH.match(thread.asks):
            return False
        for part in self._parts:
            if len(part.split()) <= _LONGEST_YES and _YES_OR_NO.search(part):
                words = telling(_YES_OR_NO.sub(" ", part))
                if _are_all_of(words, thread):
                    return True
        return False


def _did(deed: ToldDeed, thread: Waiting) -> bool:
    """Is a deed of that kind told of one thing that the thread names by its name?"""
    kinds = {kind for kind in deed.kinds & thread.needs if not kind.startswith("=")}
    return bool(kinds) and (thread.is_named_by(deed.words) or _are_all_of(deed.words, thread))


def _are_all_of(words: frozenset[str], thread: Waiting) -> bool:
    """Do words name nothing but what the thread names, and anything at all?"""
    named = words - (general_terms() - thread.telling)
    return bool(named) and all(any(are_one(ours, theirs) for theirs in thread.telling) for ours in named)
