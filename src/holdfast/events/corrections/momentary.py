"""What looks like a correction, and holds for this moment only: an answer ("no, that is fine", "no, the second one"),
and an order that waits ("don't commit yet"). In every language that `reading` reads. Pure.
"""

from __future__ import annotations

from holdfast.events.corrections.language import folded
from holdfast.patterns import lazy_pattern

_WAITS = lazy_pattern(
    r"\b(?:yet|(?:for|right|just|not) now|(?:for|at) the moment|this (?:time|once)|today(?!'s)|tonight|tomorrow(?!'s)"
    r"|noch nicht|noch kein\w*|vorerst|erst ?(?:ein)?mal|im moment|momentan|diesmal|furs erste|heute|morgen"
    r"|pas encore|encore (?:pas|rien)|(?:ne|n')\S*(?: \S+){0,3} pas(?: \S+){0,4} encore"
    r"|pour (?:l'instant|le moment|aujourd'hui)|cette fois|aujourd'hui|tout de suite"
    r"|todavia|aun(?= |[.!]*$)|por ahora|de momento|por el momento|hoy|manana|esta vez|ahora mismo"
    r"|non ancora|per (?:ora|adesso)|per il momento|oggi|domani|stavolta"
    r"|nog niet|nog geen|voorlopig|vandaag|deze keer|voor nu)\b"
)
_STANDS = lazy_pattern(
    r"\b(?:never|always|ever|every|each|any more|anymore|from now|(?:from|as of|starting|since) (?:today|now)"
    r"|going forward|in (?:the )?future|for the future|we|our"
    r"|nie|niemals|immer|stets|jede\w*|(?:ab|von) (?:jetzt|sofort|heute|nun|morgen)|kunftig|in zukunft|wir|uns\w*"
    r"|jamais|toujours|a partir|desormais|dorenavant|a l'avenir|dans le futur|on|nous"
    r"|nunca|jamas|siempre|desde (?:hoy|ahora|manana)|en adelante|en el futuro"
    r"|mai|sempre|d'ora|da (?:ora|oggi|adesso|domani)|in futuro|noi|nooit|altijd|vanaf|voortaan|wij)\b"
)
"""It says itself that it holds longer, or how things are done here."""
_CLAUSE = lazy_pattern(
    r"\b(?:because|since|when|if|unless|while|(?:that|which|who|what) (?:is|are|was|were|has|have|nobody|no one)"
    r"|weil|wenn|falls|damit"
    r"|(?:der|die|das|was) (?:noch|heute)|parce|quand|qui|porque|cuando|perche|quando|omdat|als)\b"
)
"""What stands behind it is a reason or describes something: "never merge what is not reviewed yet"."""

_NO = r"¡?(?:no+|nope|nah|nein|nee|non|nan|ne)[,.!:;]+ +(?:no+[,.!:]+ +)?"
_FINE = (
    r"(?:fine|ok(?:ay)?|good|great|alright|all right|right|enough|all|perfect|correct|it|cool|better|nice|done|wanted"
    r"|intended|expected|fair|everything|not (?:needed|necessary|required|important|urgent)|unnecessary)"
)
_WHICH = (
    r"(?:first|second|third|fourth|last|latter|former|other|left|right|upper|lower|top|bottom|next|previous|smaller"
    r"|bigger|simpler|shorter|longer|older|newer|1st|2nd|3rd|[1-9]|[a-e])"
)
_THING = r"(?: (?:one|ones|option|variant|version|approach|way|choice|suggestion|proposal))?"
_ANSWER = lazy_pattern(
    _NO
    + r"(?:(?:that|it|this|these|those|they|everything|all)(?:'s|'re| is| are| was| were| looks?| sounds?| works?)"
    + rf"(?: (?:all|just|totally|perfectly|really|quite|already|still|absolutely|what i)){{0,2}}(?: {_FINE})"
    + r"|(?:that|it|this) (?:works?|helps?|does it|will do|suffices)"
    + r"|(?:(?:i|we) (?:meant?|want|prefer|like|take) |(?:take|use|go with|go for|pick|keep) )?"
    + rf"(?:(?:the|option|number|variant|version) )?(?:{_WHICH}(?<!\ba){_THING}|(?:this|that|these|those) ones?|both"
    + r"|neither|none|all)"
    + r"|not (?:now|needed|necessary|today|that i know)|(?:leave|keep) (?:it|that|them|this)"
    + r"(?: (?:as (?:it |they )?(?:is|are|was)|alone|be|there|like (?:that|this)|that way|out|in))?"
    + r"|(?:i'm|i am|we're|we are) (?:good|fine|happy|done|ok(?:ay)?)|go (?:on|ahead)|don't bother|never ?mind"
    + r"|(?:das|es|die|der) (?:ist|sind|passt|reicht|geht|war|stimmt)(?: (?:so|schon|alles|gut|ok(?:ay)?|prima|richtig"
    + r"|in ordnung|genug|klar)){0,3}|(?:nimm |nehmen wir |lieber |ich meine? )?(?:den|die|das) "
    + r"(?:erste|zweite|dritte|letzte|andere|obere|untere)[nrs]?(?: \w+)?|lass(?: es| das)?(?: so)?"
    + r"|(?:ist )?nicht notig|passt(?: so| schon)?|alles gut|schon gut"
    + r"|c'est (?:bon|bien|parfait|ok(?:ay)?|correct|tout|suffisant)(?: comme ca)?|ca (?:va|marche|suffit|ira)"
    + r"|(?:prends |garde |plutot )?(?:le|la|l')\s?(?:premiere?|deuxieme|seconde?|troisieme|derniere?|autre)(?: \w+)?"
    + r"|laisse(?:-le|-la)?(?: comme ca)?|(?:ce n'est )?pas (?:la peine|besoin|necessaire)"
    + r"|(?:asi |eso |todo )?esta (?:todo )?bien(?: asi)?|(?:usa |mejor |toma )?(?:el|la|lo) "
    + r"(?:primer[oa]|segund[oa]|tercer[oa]|ultim[oa]|otr[oa])(?: \w+)?|dejal[oa](?: asi)?"
    + r"|no (?:hace falta|es necesario)|asi vale|va bene(?: cosi)?|(?:il|la) (?:prim|second|terz|ultim|altr)[oa]"
    + r"|het is (?:goed|prima)(?: zo)?|de (?:eerste|tweede|derde|laatste|andere))"
    + r"(?: (?:please|pls|then|thanks|thank you|for now|for me|by me|with me|as (?:it )?is|already|again|now|bitte|dann"
    + r"|danke|merci|gracias|por favor|grazie|bedankt|so))*"
    + r"(?:[.!]*$|[,;.!:]+ +|,? (?=but\b|aber\b|mais\b|pero\b))"
)
_LONGEST_READ = 400


def waits(sentence: str) -> bool:
    """Is it an order for now: "don't push yet", "noch nicht committen"?"""
    text = folded(sentence[:_LONGEST_READ])
    found = _WAITS.search(text)
    if not found or _STANDS.search(text):
        return False
    return not _CLAUSE.search(text, 0, found.start())


def behind_an_answer(sentence: str) -> str | None:
    """What stands behind a "no" that only answers: "but never touch the lock file" of "no, that's fine, but …", '' for
    nothing. None when the sentence is no such answer."""
    text = folded(sentence[:_LONGEST_READ])
    found = _ANSWER.match(text)
    if not found:
        return None
    words = len(text[found.end() :].split())
    return " ".join(sentence.split()[-words:]) if words else ""
