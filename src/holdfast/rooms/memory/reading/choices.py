"""Does the user decide something by what is typed: take one of what was offered ("grpc then", "no, drop it"), or say
what is to be used here ("we go with Postgres, because we need row level security")? Pure.

A question, thanks, a remark about what was told ("interesting, I did not know that") and a wish to hear more decide
nothing. Without an offer before it, only words that say a decision are one.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.reading.replies import takes_one

_LONGEST_READ = 1_200
_LONGEST_ANSWER = 6_000
_MOST_SENTENCES = 12
_WORD = lazy_pattern(r"[^\W_]{2,}|\d")
_ENDS = lazy_pattern(r"(?<=[.!?])\s+|\n+")
_LEAD = lazy_pattern(
    r"(?:(?:ok(?:ay)?|k|yes|yep|yeah|sure|fine|good|great|perfect|right|alright|agreed|then|so|hm+|well|cool|nah|no"
    r"|nope|thanks?|thx|and|but|actually|sounds good|makes sense|ja|nein|nee|gut|dann|also|vale|sí|si|bueno|entonces"
    r"|oui|non|bon|alors|d'accord|danke|merci|gracias)\b[\s,.!:;–—-]*){1,4}",
    re.IGNORECASE,
)
_QUESTION = lazy_pattern(
    r"(?:what|how|why|which|when|where|who|whose|is|are|was|were|does|do you|did|can|could|would|should|shall|will you"
    r"|any |was |wie|warum|wieso|welche\w*|wann|kannst|könntest|soll|sollte|gibt es|qué|cómo|por qué|cuál|puedes"
    r"|quel\w*|comment|pourquoi|peux|est-ce)\b",
    re.IGNORECASE,
)
_UNDECIDED = lazy_pattern(
    r"\b(?:not sure|don'?t know|no idea|undecided|not decided|maybe|perhaps|might|think (?:about|it over|so)|let me"
    r"|let us (?:see|think)|let's (?:see|think|talk|discuss|wait|look|try|start|do (?:it|that|this)|go\b(?! with| for))"
    r"|later|not now|another time|i(?:'ll| will) (?:ask|check|see|think|look|read|try|sleep|get back|let you)"
    r"|have to ask|need to ask|interesting|good to know|did(?: not|n't) know|i see\b|understood|helpful|makes me wonder"
    r"|never mind|forget it|weiß (?:ich )?nicht|vielleicht|später|mal sehen|überlege|quizás|tal vez|no sé|luego"
    r"|peut-être|je ne sais pas|plus tard)\b",
    re.IGNORECASE,
)
_TALK = lazy_pattern(
    r"(?:please |can you |could you |bitte )*(?:explain|show|tell|give|list|compare|describe|elaborate|summari[sz]e"
    r"|draft|translate|help|continue|go on|say|repeat|walk|define|erkläre?|zeig|nenn|gib|explica|muestra|dime|explique"
    r"|montre|dis)\b",
    re.IGNORECASE,
)
"""It asks for words."""
_REMARK = lazy_pattern(
    r"(?:wow|haha\w{0,20}|lol|oh|ah+|nice|huh|ha|lovely|funny|sorry)\b"
    r"|(?:it|that|this|they|he|she|you|there|these|those|das|es|esto|eso|c|ça)(?:'s|'re|'ll|'d|'est)?\b"
    r"(?!,? (?:but|aber))"
    r"|(?:i|ich|je)(?:'m|'ve| am| have| had| was| did| think| thought| guess| know| knew| like| love| read| heard| saw"
    r"| bin| habe| glaube)\b"
    r"|(?:\S{1,40} ){1,3}(?:is|are|was|were|has|have|does|can|looks?|seems?|ist|sind|hat|es|son|est|sont) (?!(?:fine|good|ok"
    r"|okay|great|better|best|right|enough|it\b|what (?:we|i)|the (?:one|way)|gut|besser|mejor|mieux)\b)",
    re.IGNORECASE,
)
"""It says something of what was told ("postgres is huge"), or tells of the user."""
_REASON = lazy_pattern(
    r"\b(?:because|cause|since|so that|as we|wants?|wanted|confirmed|signed off|requires?|needs?|asked for|insists?"
    r"|told us|weil|damit|denn|will|wollen|braucht|porque|ya que|para que|quiere|parce que|car|puisque|veut|exige)\b",
    re.IGNORECASE,
)
_DECIDES = lazy_pattern(
    r"(?:(?:i|we)(?:'ve| have)? (?:now |finally )?(?:decided|agreed|settled on|chosen|chose|opted|picked)\b"
    r"|(?:i|we)(?:'re| are|'m| am) (?:going with|going to (?:use|keep|drop|support|stay)|using|staying|keeping|dropping"
    r"|sticking|switching|moving)\b"
    r"|(?:i|we)(?:'ll| will) (?:use|go with|keep|stay|stick|drop|support|switch|take|store|host|ship|not)\b"
    r"|let(?:'s|s| us) (?:use|go with|go for|keep|drop|stay|stick|switch|support|take|store|host|not|never|settle)\b"
    r"|(?:the )?decision(?: is|:)|decided:"
    r"|wir (?:haben (?:uns )?[^.;]{0,60}(?:entschieden|beschlossen|geeinigt)|nehmen|nutzen|verwenden|bleiben|behalten"
    r"|verzichten|steigen)\b|(?:lass uns|lasst uns) [^.;]{2,60}(?:nehmen|nutzen|verwenden|bleiben|behalten)\b"
    r"|hemos decidido|(?:vamos a|vamos con|usaremos|nos quedamos|usamos)\b"
    r"|(?:on|nous) (?:a décidé|avons décidé|part|partons|garde|gardons|prend|prenons|reste|restons|va utiliser)\b)",
    re.IGNORECASE,
)
_HOW_IT_IS_HERE = lazy_pattern(r"(?:we|our|wir|unser\w*|nous|notre|nosotros|nuestr\w+)\b", re.IGNORECASE)
_OFFERED = lazy_pattern(
    r"\b(?:or|vs|versus|should|shall|which|do we|does it|options?|prefer|oder|soll\w*|welche\w*|nehmen wir|o bien|cuál"
    r"|deberíamos|usamos|quel\w*|ou|devrait|devons|on prend)\b|\b(?:ou|o)\b",
    re.IGNORECASE,
)
_PERSONAL = lazy_pattern(
    r"\bshould i (?:\w+ )?(?:learn|read|watch|eat|cook|buy|play|visit|wear|study|apply)\b|\b(?:tonight|dinner|lunch"
    r"|weekend|holiday|movie|career|heute abend|abendessen|esta noche|ce soir)\b",
    re.IGNORECASE,
)
"""It is about the user's own days, and not about the work."""
_LEAST_OF_A_DECISION = 2


def offers_a_choice(request: str, answered: str) -> bool:
    """Was there something to decide before: did the user ask which, or did the agent end with a question?"""
    if _PERSONAL.search(request[:_LONGEST_READ]):
        return False
    asked = request[:_LONGEST_READ].rstrip()
    if asked.endswith(("?", "？")) and _OFFERED.search(asked):
        return True
    last = answered[-_LONGEST_ANSWER:].rstrip(" *_`\n")
    return last.endswith(("?", "？")) and _OFFERED.search(last[-400:]) is not None


def choice_in(prompt: str, *, offered: bool) -> str:
    """The words with which the user decides; '' when nothing is decided. `offered`: there was something to choose from
    before."""
    parts = [each.strip() for each in _ENDS.split(prompt[:_LONGEST_READ].strip()) if each.strip()][:_MOST_SENTENCES]
    asks = any(_asks(part) for part in parts)
    told = [part for part in parts if not _asks(part) and not _UNDECIDED.search(part) and not _TALK.match(part)]
    if offered:
        found = [part for part in told if _takes(part)]
        return " ".join(told[told.index(found[0]) :]) if found else ""
    if asks or _PERSONAL.search(prompt[:_LONGEST_READ]):
        return ""
    found = [part for part in told if _decides(part)]
    return " ".join(found)


def _asks(part: str) -> bool:
    bare = _LEAD.sub("", part, count=1) if _LEAD.match(part) else part
    return part.endswith(("?", "？")) or _QUESTION.match(bare) is not None


def _takes(part: str) -> bool:
    """Does the user say which, after a choice was offered? "grpc then", "no caching" and "clear it, but keep a hash"
    do: they order or name something, and tell of nothing."""
    if takes_one(part):
        return True
    lead = _LEAD.match(part)
    bare = part[lead.end() :] if lead else part
    if _DECIDES.match(bare):
        return True
    return bool(_WORD.search(bare)) and not _REMARK.match(bare)


def _decides(part: str) -> bool:
    bare = part[lead.end() :] if (lead := _LEAD.match(part)) else part
    if not _is_telling(bare, _LEAST_OF_A_DECISION):
        return False
    said = _DECIDES.match(bare) is not None
    return said or (_HOW_IT_IS_HERE.match(bare) is not None and _REASON.search(bare) is not None)


def gives_a_reason(words: str) -> bool:
    return _REASON.search(words[:_LONGEST_READ]) is not None


def _is_telling(text: str, least: int) -> bool:
    return len(frozenset(terms(text)) - general_terms()) >= least or any(letter.isdigit() for letter in text)
