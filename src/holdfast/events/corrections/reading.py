"""Reads a correction in German, Spanish, French, Italian or Dutch, by the same shapes as in English
(`events.correction`). Pure.

A rule is an order not to do something, a word such as "always" before an order, or "we never …". A repair is a "no"
with what is right, or words such as "I said". What is asked, told of a program, or courtesy is neither.
"""

from __future__ import annotations

from holdfast.events.corrections.dutch import DUTCH
from holdfast.events.corrections.french import FRENCH
from holdfast.events.corrections.german import GERMAN
from holdfast.events.corrections.italian import ITALIAN
from holdfast.events.corrections.language import CorrectionKind, Language, folded
from holdfast.events.corrections.spanish import SPANISH
from holdfast.patterns import lazy_pattern

LANGUAGES = (GERMAN, SPANISH, FRENCH, ITALIAN, DUTCH)
_MOST_LEADS = 4
_WORDS = lazy_pattern(r"[a-z]+")
_ENGLISH_WORDS = (
    "the of is are were to and it this that with for we you they i my your our not from by be have has do does"
)
_OTHER_WORDS = """
el la los las un una de del en que para por con mi tu lo al y se su antes cada esta este
der die das den dem ein eine einen und mit fur auf im ist nicht bitte wir ich du zu von vor bei nur als wie
le les des du et est une au aux ce cette dans sur avec pour pas ne je on nous sans
il lo gli per che non della nel sono e con i
het een en van voor op niet dat die te bij naar wij aan
"""
_ENGLISH, _OTHERS = frozenset(_ENGLISH_WORDS.split()), frozenset(_OTHER_WORDS.split())


def is_english(text: str) -> bool:
    """Do its small words speak for English? "No classes of this kind are left" is no Spanish order."""
    words = _WORDS.findall(text)
    english = sum(word in _ENGLISH for word in words)
    return english > sum(word in _OTHERS for word in words)


def kind_of(sentence: str) -> CorrectionKind | None:
    """What a sentence in one of these languages corrects, if it does."""
    text = folded(sentence).lstrip("¡")
    if is_english(text):
        return None
    words = frozenset(_WORDS.findall(text))
    found = (_in(language, text) for language in LANGUAGES if not language.hints.isdisjoint(words))
    return next((kind for kind in found if kind), None)


def _in(language: Language, text: str) -> CorrectionKind | None:
    if language.asks.match(text) or language.neither.search(text):
        return None
    rest = text
    if language.rule.match(rest):
        return "rule"
    for _ in range(_MOST_LEADS):
        lead = language.lead.match(rest)
        if not lead:
            break
        rest = rest[lead.end() :]
        if language.rule.match(rest):
            return "rule"
    said_no = language.no.match(text)
    if rest != text and not said_no and language.asks.match(rest):
        return None
    if language.inside.search(text):
        return "rule"
    if language.repair.match(text) or language.repair.match(rest):
        return "repair"
    reminded = said_no or language.reminds.match(text)
    if reminded and language.ruled.search(text, reminded.end()) and len(rest.split()) > 2:
        return "rule"
    return "repair" if said_no and language.wrong.match(text[said_no.end() :]) else None
