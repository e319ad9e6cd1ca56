"""What a short reply of the user decides: "take that one" takes what was said, "nah undo that" takes back what was
done; and the answer that says what holds after it: "Reverted. Only the header is sticky." Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from holdfast.patterns import lazy_pattern
from holdfast.prose.cues import TRIED
from holdfast.prose.sentences import Sentence

_LEAD = (
    r"(?:(?:nah|no+|nope|nein|nee|non|ne|hm+|ok(?:ay)?|please|actually|sorry|bitte|doch|wait|stop|mm|oh|ach|lieber)"
    r"[,.!… ]{1,4}){0,3}"
)
_UNDO = lazy_pattern(
    rf"{_LEAD}(?:(?:please|can you|could you|let's|lets|just) )?(?:(?:drop|scrap) (?:(?:that|it|this|them|these|those)"
    r"(?=[.!,;]|$| (?:again|please|pls|altogether|entirely|completely|then)\b)(?!, (?:next|in|at|on|to|near)\b)"
    r"|your (?:last )?changes?|the (?:last )?changes?)"
    r"|(?:drop|scrap)(?=[.!,]|$)|(?:undo|revert)(?: (?:that|it|this|them"
    r"|these|those|your|the last|the change|please|again)\b|[.!,]|$)"
    r"|roll (?:that|it|this|them) back|back (?:that|it|this) out|(?:put|change|set|turn) (?:that|it|this|them) back"
    r"|take (?:that|it|this) (?:back|out)(?: again)?\b|go back to how"
    r"|mach(?:e)? (?:das|es|die) (?:bitte )?(?:wieder )?rückgängig|nimm (?:das|es) (?:bitte )?(?:wieder )?zurück"
    r"|(?:das )?(?:bitte )?(?:wieder )?(?:rückgängig|zurücknehmen|zurückdrehen)|deshaz\w*|deshacer?\w*|revi[eé]rt\w*"
    r"|annule\w*|remets)",
    re.IGNORECASE,
)
_LONGEST_ORDER = 160
_REVERTED = lazy_pattern(
    r"(?:(?:ok(?:ay)?|done|sure|yes)[,.!:] )?(?:(?:i|we|it|that|this)(?:'ve|'s| have| has| is| was)? (?:been |now )?)?"
    r"(?:reverted|undone|undid|rolled (?:\w+ )?back|backed (?:\w+ )?out|(?:put|changed|taken|took) (?:\w+ )?back"
    r"|back to (?:how|what|the)|(?:wieder )?rückgängig gemacht|zurückgenommen|zurückgedreht|deshecho|revertido"
    r"|annulé)\b",
    re.IGNORECASE,
)
_SHORT = 5
"""Words of a sentence that only says that something was taken back."""


def takes_back(prompt: str) -> bool:
    """Does the user want what was just done to be undone?"""
    return _UNDO.match(prompt.strip()[:_LONGEST_ORDER]) is not None


_DEFERS = lazy_pattern(
    r"\b(?:gotta|have to|has to|need to|must|will|i'?ll|let me|should|going to|gonna|want to) (?:first )?"
    r"(?:ask|check with|talk (?:to|with)|speak (?:to|with)|clear (?:that|it|this) with|find out|think about|sleep on)\b"
    r"|\bwe(?:'?ll)? wait(?=[.,;!]|\Z)|(?:\A|[.,;!] )(?:ok(?:ay)? )?i (?:ask|check with)"
    r" (?!it\b|that\b|you\b)[\w'-]{2,20}(?: [\w'-]{2,20})?(?=[.,;!]|\Z)"
    r"|\A(?:e-?mail|message|ticket) to (?!users?\b|admins?\b|customers?\b)\w{2,20} is (?:out|sent)(?=[.,;!]|\Z)"
    r"|\b(?:no idea|(?:don'?t|do not) know|not sure)(?: yet)?[,.!]"
    r"|\bmuss (?:ich )?(?:erst )?(?:\S+ ){0,4}?(?:fragen|klären|nachfragen|abklären)\b"
    r"|\bdevo (?:prima )?(?:chiedere|sentire|parlarne)\b"
    r"|\bmoet (?:ik )?(?:eerst )?(?:\S+ ){0,4}?(?:vragen|navragen|overleggen)\b"
    r"|\btengo que (?:preguntar|consultar|hablar)\w*|\bje dois (?:demander|voir avec)\b"
    r"|\btenho de (?:perguntar|falar)\b",
    re.IGNORECASE,
)
_INFORMS = lazy_pattern(
    r"(?:[^.,;!?\n]{0,60}[.,;!] |(?:ok(?:ay)?|right|good|hm+|yes|yep|thx|thanks) )?(?:i )?(?:just |already )?"
    r"(?:pinged|mailed|e-?mailed|messaged|texted|told|asked|called|wrote(?: to)?) [\w@'-]{2,30}"
    r"(?: (?:about|for) (?:it|that|this))?[.!]*",
    re.IGNORECASE,
)
"""Somebody was told of it, and has not acted yet: "ok told matteo"."""
_LONGEST_DEFERRED = 400


def defers(prompt: str) -> bool:
    """Does the user put a matter off: somebody else must be asked, or was only told of it, or it must be thought
    about?"""
    text = prompt.strip()[:_LONGEST_DEFERRED]
    return _DEFERS.search(text) is not None or _INFORMS.fullmatch(text) is not None


_TAKE = lazy_pattern(
    rf"{_LEAD}(?:(?:yes|yep|ja|good|fine|perfect|great|then|so|alright|sí|oui|dann)[,.! ]{{1,3}}){{0,2}}"
    r"(?:(?:please|let's|lets|we(?:'ll)?|i'd|just) )?(?:(?:take|use|go with|go for|pick|choose|stick with"
    r"|settle on|nimm|nehmen wir|nehmt|bleib(?:en wir)? bei|toma|usa|usemos|prends|on prend|va pour)"
    r" (?!(?:an?|care|time|notes?|over|another|more|less|ein\w*|un|une)\b)[^\s,;:]+(?: [^\s,;:]+){0,2}"
    r"|keep (?:it|that|this|them|both|(?:that|this|the) \S+)|make it (?:the \S+(?: \S+)?|\d\S*(?: \S+)?)"
    r"|lass uns (?:\S+ ){1,2}nehmen"
    r"|(?:the |option |number )?(?:first|second|third|fourth|former|latter|last|[a-d1-9])(?: one| option)?"
    r"|(?:den|die|das) (?:erste|zweite|dritte|letzte)[ns]?)(?:,? (?:then|please|pls|dann|bitte))?[.! ]*\Z",
    re.IGNORECASE,
)
_LONGEST_CHOICE = 6
_OFFERS = lazy_pattern(
    r"\b(?:or|either|versus|vs|which|options?|alternatives?|choices?|choose|both|two ways|oder|entweder|welche[rsnm]?"
    r"|alternativen?|beide[ns]?|cuál|cuáles|opción|opciones|o bien|quel(?:le)?s?|ou|soit)\b",
    re.IGNORECASE,
)
_LONGEST_OFFER = 4_000


def takes_one(prompt: str) -> bool:
    """Does the user choose from what was said: "take that one", "the second"? "take a look at it" chooses nothing."""
    text = prompt.strip()[:_LONGEST_ORDER]
    return len(text.split()) <= _LONGEST_CHOICE and not text.endswith("?") and _TAKE.match(text) is not None


def offers(told: str) -> bool:
    """Is there something to choose from?"""
    return _OFFERS.search(told[:_LONGEST_OFFER]) is not None


def tells_of_revert(text: str) -> bool:
    return _REVERTED.match(text) is not None and TRIED.search(text) is None


def with_what_holds(found: Sequence[Sentence]) -> list[Sentence]:
    """What was taken back is a decision; "Reverted." is told with the sentence that says what holds now."""
    told: list[Sentence] = []
    for each in found:
        last = told[-1] if told else None
        if last and last.block == each.block and len(last.text.split()) < _SHORT and tells_of_revert(last.text):
            told[-1] = replace(last, text=f"{last.text} {each.text}", role="decision")
        elif not each.role and tells_of_revert(each.text) and len(each.text.split()) >= _SHORT:
            told.append(replace(each, role="decision"))
        else:
            told.append(each)
    return told
