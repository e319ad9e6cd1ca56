"""Does the user decide something by what is typed: take one of what was offered ("grpc then", "no, drop it"), or say
what is to be used here ("we go with Postgres, because we need row level security")? Pure.

A question, thanks, a remark about what was told ("interesting, I did not know that") and a wish to hear more decide
nothing. Without an offer before it, only words that say a decision are one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.patterns import lazy_pattern
from holdfast.prose.prompts.replies import takes_one
from holdfast.recall.intent import read_intent
from holdfast.recall.tokens import general_terms, terms
from holdfast.shell.tools import listed

_LONGEST_READ = 1_200
_LONGEST_ANSWER = 6_000
_MOST_SENTENCES = 12
_WORD = lazy_pattern(r"[^\W_]{2,}|\d")
_ENDS = lazy_pattern(r"(?<=[.!?])\s+|\n+")
_LEAD = lazy_pattern(
    r"(?:(?:ok(?:ay)?|k|yes|yep|yeah|sure|fine|good|great|perfect|right|alright|agreed|then|so|hm+|well|cool|nah|no"
    r"|nope|thanks?|thx|and|but|actually|sounds good|makes sense|ja|nein|nee|gut|dann|also|vale|sí|si|bueno|entonces"
    r"|oui|non|bon|alors|d'accord|danke|merci|gracias|btw|by the way"
    r"|quick (?:question|one)|one more(?: thing)?|side (?:note|question)|wait|hey)\b[\s,.!:;–—-]*){1,4}",
    re.IGNORECASE,
)
_QUESTION = lazy_pattern(
    r"(?:what'?s?|how'?s?|why|which|when|where'?s?|who'?s?|whose|is|are|was|were|does|do you|did|can|could|would|should"
    r"|shall|will you"
    r"|any |was |wie|warum|wieso|welche\w*|wann|kannst|könntest|soll|sollte|gibt es|qué|cómo|por qué|cuál|puedes"
    r"|quel\w*|comment|pourquoi|peux|est-ce)\b",
    re.IGNORECASE,
)
_COMPARES = lazy_pattern(r"(?:[\w.#+-]{1,30}: )?\S{1,40} (?:vs\.?|versus) \S{1,40}(?: \S{1,30}){0,4}", re.IGNORECASE)
"""It asks for a difference: "java: orElse vs orElseGet"."""
_UNDECIDED = lazy_pattern(
    r"\b(?:not sure|don'?t know|no idea|undecided|not decided|maybe|perhaps|might|think (?:about|it over|so)|let me"
    r"|let us (?:see|think)|let's (?:see|think|talk|discuss|wait|look|try|start|do (?:it|that|this)|go\b(?! with| for))"
    r"|later|not now|another time|i(?:'ll| will) (?:ask|check|see|think|look|read|try|sleep|get back|let you)"
    r"|have to ask|need to ask|interesting|good to know|did(?: not|n't) know|i see\b|understood|helpful|makes me wonder"
    r"|never mind|forget it|(?:good|fair|great) (?:question|point)(?=[.! ]*\Z)"
    r"|weiß (?:ich )?nicht|vielleicht|später|mal sehen|überlege|quizás|tal vez|no sé|luego"
    r"|peut-être|je ne sais pas|plus tard)\b",
    re.IGNORECASE,
)
_TALK = lazy_pattern(
    r"(?:please |can you |could you |bitte |also |then )*(?:explain|show|tell|give|list|compare|describe"
    r"|elaborate|summari[sz]e"
    r"|draft|translate|help|continue|go on|say|repeat|walk|define|erkläre?|zeig|nenn|gib|explica|muestra|dime|explique"
    r"|montre|dis|review|investigate|debug|look (?:at|into|up)|find out"
    r"|check (?:if|whether|that|the)|write (?:up|an?|the)"
    r"|(?!for |to |with |by |let )[a-z]{2,12} me)\b"
    r"|.{0,200}\b(?:in |just )?(?:one|a|two|1|2) (?:short )?(?:sentences?|lines?|words?)[.!]*\Z"
    r"|.{0,200}\b(?:briefly|in short|eli5|tl;?dr|no prose|kurz)[.!]*\Z",
    re.IGNORECASE,
)
"""It asks for words, or for a look."""
_REMARK = lazy_pattern(
    r"(?:à (?:demain|bientôt|plus)|bonne (?:nuit|soirée|journée)|bis (?:morgen|später|dann|bald)|tschüss|ciao|servus"
    r"|hasta (?:mañana|luego|pronto)|até (?:amanhã|logo)|a domani|tot morgen|see (?:you|ya)"
    r"|good (?:night|evening|morning)|gute nacht|schönen (?:tag|abend|feierabend)|bye)\b"
    r"|(?:wow|haha\w{0,20}|lol|oh|ah+|nice|huh|ha|lovely|funny|sorry|phew|finally|whatever|meh|idk)\b"
    r"|(?:(?:i|we|they) (?:have |had )?(?:already |once )?)?(?:never )?(?:tried|used|evaluated|heard of|looked at)\b"
    r"|(?:my|our|the|an?|some) [\w-]{2,20} (?:prefers?|likes?|thinks?|suggests?|hates?|loves?)\b"
    r"|[^\s,;:]{2,40} (?:needs?|costs?|requires?|lacks?|scares?|(?:sounds?|would be|would)"
    r"(?! (?:do|be|right|fine|ok|okay|good|great|better|best)\b)) \S"
    r"|(?:nothing(?: \w{1,20})?, )?just (?:checking|looking|testing|saying|asking|kidding|curious)\b"
    r"|(?:it|that|this|they|he|she|you|there|these|those|das|es|esto|eso|c|ça)(?:'s|'re|'ll|'d|'est)?\b"
    r"(?!,? (?:but|aber))"
    r"|(?:i|ich|je)\b(?!(?:'d|'ll)?(?: \w{1,20}){0,1} (?:want|prefer|take|choose|pick|vote|use|go (?:with|for)|keep"
    r"|insist|need|nehme|will|möchte|prends|veux)\b)"
    r"|(?:(?!because|since|weil|porque|car )[^\s,;]{1,40} ){1,3}"
    r"(?:is|are|was|were|has|have|does|can|looks?|seems?|ist|sind|hat|es|son|est|sont) (?!(?:"
    r"fine|good|ok|okay|great|better|best|right|enough|it\b|what (?:we|i)|the (?:one|way)|gut|besser|mejor|mieux)\b)",
    re.IGNORECASE,
)
"""It says something of what was told ("postgres is huge"), or is about the user."""
_TAKES = lazy_pattern(
    r"(?:(?:let's|lets|we'll|we|please|just|then) ){0,2}(?:use|take|go (?:with|for)|keep|drop|skip|leave|remove|stick"
    r"|stay|pick|allow|forbid|(?:make|set|call|do|put) (?:it|that|them)"
    r"|nehmen|nimm|lass|weg|usa|toma|quita|deja|prends|garde|laisse)\b",
    re.IGNORECASE,
)
_SAYS_WHICH = lazy_pattern(
    rf"^{_TAKES.pattern}|\b(?:only|both|all|none|neither|without|nur|beide|keine|solo|ambos|seulement|aucun)\b",
    re.IGNORECASE,
)
_BECAUSE = lazy_pattern(
    r"\b(?:because|cause|since|so that|as we|weil|damit|denn|porque|ya que|para que|parce que|car|puisque)\b",
    re.IGNORECASE,
)
_REASON = lazy_pattern(
    r"\b(?:wants?|wanted|confirmed|signed off|requires?|needs?|asked for|insists?|told us|will|wollen|braucht|quiere"
    r"|veut|exige)\b",
    re.IGNORECASE,
)
_NEVER = lazy_pattern(
    r"\b(?:never|always|don't|do not|nie|niemals|immer|nunca|siempre|jamais|toujours)\b", re.IGNORECASE
)
"""A rule: it is told as one (MEM-31)."""
_CLAUSE = lazy_pattern(r"[,;:.–—]\s+(?=\S+(?: \S+){3})")
"""What follows says more than what was chosen."""
_DECIDES = lazy_pattern(
    r"(?:(?:i|we)(?:'ve| have)? (?:now |finally )?(?:decided|agreed|settled on|chosen|chose|opted|picked)\b"
    r"|(?:i|we)(?:'re| are|'m| am) (?:going with|going to (?:use|keep|drop|support|stay)|using|staying|keeping|dropping"
    r"|sticking|switching|moving)\b"
    r"|(?:i|we)(?:'ll| will) (?:use|go with|keep|stay|stick|drop|support|switch|take|store|host|ship|not)\b"
    r"|let(?:'s|s| us) (?:use|go with|go for|keep|drop|stay|stick|switch|support|take|store|host|not|never"
    r"|settle (?:on|for))\b"
    r"|(?:the )?decision\b[^:.]{0,40}(?: is\b|:)|decided:"
    r"|wir (?:haben (?:uns )?[^.;]{0,60}(?:entschieden|beschlossen|geeinigt)|nehmen|nutzen|verwenden|bleiben|behalten"
    r"|verzichten|steigen)\b|(?:lass uns|lasst uns) [^.;]{2,60}(?:nehmen|nutzen|verwenden|bleiben|behalten)\b"
    r"|hemos decidido|(?:vamos a|vamos con|usaremos|nos quedamos|usamos)\b"
    r"|(?:on|nous) (?:a décidé|avons décidé|part|partons|garde|gardons|prend|prenons|reste|restons|va utiliser)\b)",
    re.IGNORECASE,
)
_SETTLED = r"(?:decided|settled|(?:a )?done deal|beschlossen|entschieden|abgemacht|decidido|décidé|deciso|afgesproken)"
_CLOSES = lazy_pattern(
    rf"(?:.{{0,200}}[,;–—] ?)?(?:(?:that['’]?s|that is|it['’]?s|das ist|c'est|es) )?(?:all |now |then )?{_SETTLED}\W*"
    rf"|(?:.{{0,200}}\b(?:that['’]?s|that is) )?final\W*|{_SETTLED}: \S.*"
    r"|(?:[^,;:?]{1,40}, )?(?!(?:[\w'’-]+ ){0,5}?(?:what|how|who|where|why|as|like|that|whatever|which|when|such"
    r"|because|if|than|there|here|maybe|know|think|see|says?|sure|wonder|means?)\b)(?:[\w.+#'’-]+ ){1,5}it is"
    r"(?:,? then)?\W*",
    re.IGNORECASE,
)
""" "Thursdays it is.", "hashed, 7 days. Decided.": it ends the matter, whatever was asked before."""
_OPEN_STILL = lazy_pattern(
    r"n['’]t\b|\b(?:not|nothing|never|yet|been|was|were|until|once|nicht|noch|nichts|no|pas|non)\b", re.IGNORECASE
)
_OURS = lazy_pattern(r"\b(?:we|our|us|wir|unser\w*|nous|notre|nosotros|nuestr\w+)\b", re.IGNORECASE)
_OFFERED = lazy_pattern(
    r"\b(?:or|vs|versus|should|shall|which|do we|does it|(?:need|have) to|may|(?:ok|okay|fine|safe) (?:to|if)"
    r"|options?|prefer|oder|soll\w*|welche\w*|nehmen wir|o bien|cuál"
    r"|deberíamos|usamos|quel\w*|ou|devrait|devons|on prend)\b|\b(?:ou|o)\b",
    re.IGNORECASE,
)
_LOOKS_BACK = lazy_pattern(
    r"\b(?:why|did|was|were|who|when|have we|these days|currently|today|again|last time|at the moment|warum|wer|wann"
    r"|haben wir|derzeit|por qué|quién|pourquoi|qui)\b",
    re.IGNORECASE,
)
"""It asks how things are or were: nothing is offered."""
_PERSONAL = lazy_pattern(
    r"\bshould i (?:\w+ )?(?:learn|read|watch|eat|cook|buy|play|visit|wear|study|apply)\b|\b(?:tonight|dinner|lunch"
    r"|weekend|holiday|movie|career|heute abend|abendessen|esta noche|ce soir)\b",
    re.IGNORECASE,
)
"""It is about the user's own days, and not about the work."""
_HOW_IT_IS = lazy_pattern(
    r"(?:how(?! (?:should|shall|would)\b)|where|who|when|wie(?! soll)|wo|wer|wann|comment|où|cómo|dónde)\b",
    re.IGNORECASE,
)
_LEAST_OF_A_DECISION = 2


_PARTS = lazy_pattern(r":\s+|,\s+(?:so|and|also|und|y|et)\s+")
_NAME = lazy_pattern(r"[^\W_][\w.+#-]{0,40}")
_SHORT_REPLY = 2
"""Words of a reply that must name what it takes."""
_COMMON = listed(
    "the and for are with that this you can use not but all any our what which how who why when where should would or"
    " is it in on of to a an as be do then only just please"
    " der die das und oder wie was el la los las un una y o de en le les des et ou"
)


def offers_a_choice(request: str, answered: str) -> bool:
    """Was there something to decide before: did the user ask which, or what we do, or did the agent end with such a
    question?"""
    asked = request[:_LONGEST_READ].rstrip()
    if _PERSONAL.search(asked):
        return False
    if asked.endswith(("?", "？")) and (
        _OFFERED.search(asked) or (_OURS.search(asked) and not _LOOKS_BACK.search(asked))
    ):
        return True
    last = answered[-_LONGEST_ANSWER:].rstrip(" *_`\n")
    return last.endswith(("?", "？")) and _OFFERED.search(last[-400:]) is not None


def asks_which(request: str) -> bool:
    """Is it asked what to take, of some options or at all? Not how it is or was, and nothing of the user's own days."""
    asked = request[:_LONGEST_READ].rstrip()
    is_open = asked.endswith(("?", "？")) and _OFFERED.search(asked) is not None
    return is_open and not (_HOW_IT_IS.match(asked) or _LOOKS_BACK.search(asked) or _PERSONAL.search(asked))


def choice_in(prompt: str, *, asked: str = "", answered: str = "") -> str:
    """The words with which the user decides; '' when nothing is decided. `asked` is what the user had asked before, and
    `answered` what the agent said to it."""
    parts = [each.strip() for each in _ENDS.split(prompt[:_LONGEST_READ].strip()) if each.strip()][:_MOST_SENTENCES]
    told = [part for part in parts if not asks(part) and not _UNDECIDED.search(part) and not _wants_words(part)]
    if _PERSONAL.search(f"{asked[:_LONGEST_READ]} {prompt[:_LONGEST_READ]}"):
        return ""
    if len(told) < len(parts) and read_intent(prompt[:_LONGEST_READ], 0).strength == "asks":
        return ""  # who asks how it was tells why, and decides nothing
    names = _names(f"{asked[:_LONGEST_READ]} {answered[-_LONGEST_ANSWER:]}")
    if asked and (closed := _together(parts, told, [part for part in told if _closes(part)])):
        return closed if frozenset(terms(closed)) - _SAYS_NO_MORE else ""
    if asked and offers_a_choice(asked, answered):
        found = [part for part in told if _takes(part, names, is_short=len(prompt.split()) <= _SHORT_REPLY)]
        if len(told) < len(parts):  # something was asked as well: "no prose, bullets" is about the answer
            found = [part for part in found if names & _names(_bare(part)) or _SAYS_WHICH.search(_bare(part))]
    elif (
        asked.endswith(("?", "？"))
        and len(told) == len(parts)
        and (found := [part for part in told if _settles(part, names)])
    ):
        pass
    else:
        found = [] if len(told) < len(parts) else [part for part in told if _decides(part)]
        return _together(parts, found, found)
    return _together(parts, told, found)


def _together(parts: Sequence[str], told: Sequence[str], found: Sequence[str]) -> str:
    """The sentences about the first that decides, as they stand beside it: the user's words are told whole, and none
    is left out between them."""
    if not found:
        return ""
    first = last = parts.index(found[0])
    while first and parts[first - 1] in told:
        first -= 1
    while last + 1 < len(parts) and parts[last + 1] in told:
        last += 1
    return " ".join(parts[first : last + 1])


def asks(part: str) -> bool:
    """Is it a question, with its mark or without?"""
    bare = _bare(part)
    return part.endswith(("?", "？")) or _QUESTION.match(bare) is not None or _COMPARES.fullmatch(bare) is not None


def _wants_words(part: str) -> bool:
    return _TALK.match(part) is not None or _TALK.match(_bare(part)) is not None


def _bare(part: str) -> str:
    return part[lead.end() :] if (lead := _LEAD.match(part)) else part


def _names(text: str) -> frozenset[str]:
    return frozenset(each.rstrip(".-") for each in _NAME.findall(text.lower())) - _COMMON


_MEANS_IT = lazy_pattern(r"\b(?:it|that|this|them|those|these|one|ones|es|das|lo|la|ça)\b|, ", re.IGNORECASE)
"""It speaks of what was said before, or says more than a name: "regex for an ipv4 address" asks for something new."""


def _takes(part: str, names: frozenset[str], *, is_short: bool) -> bool:
    """Does the user say which, after a choice was offered? "grpc then", "no caching" and "clear it, but keep a hash"
    do: they order or name something, and report nothing."""
    bare = _bare(part)
    if takes_one(part) or _DECIDES.match(bare):
        return True
    if not _WORD.search(bare) or _REMARK.match(bare):
        return False
    if bool(names & _names(bare)) or _SAYS_WHICH.search(bare):
        return True
    return bare != part or (not is_short and _MEANS_IT.search(bare) is not None)


def _settles(part: str, names: frozenset[str]) -> bool:
    """Does it answer any other question with what was named there, and say more ("5, the line in Rostock is bad"), or
    order what happens to it ("skip dark mode for the pilot")?"""
    bare = _bare(part)
    first = _names(bare[: match.start()] if (match := _CLAUSE.search(bare)) else "")
    if first and first <= names and not _REMARK.match(bare):
        return True
    takes = _TAKES.match(bare)
    return takes is not None and (takes[0].endswith((" it", " that", " them")) or bool(names & _names(bare)))


def _closes(part: str) -> bool:
    return _CLOSES.fullmatch(part) is not None and _OPEN_STILL.search(part) is None


_SAYS_NO_MORE = frozenset(terms("it is then decided settled final deal beschlossen entschieden abgemacht"))


def _decides(part: str) -> bool:
    bare = _bare(part)
    if len(frozenset(terms(bare)) - general_terms()) < _LEAST_OF_A_DECISION:
        return False
    if any(_DECIDES.match(each) for each in (bare, *_PARTS.split(bare))):
        return True
    is_rule = _NEVER.search(bare) is not None
    return not is_rule and _OURS.match(bare) is not None and _BECAUSE.search(bare) is not None


def gives_a_reason(words: str) -> bool:
    """Do the words of a choice say more than what was chosen?"""
    text = words[:_LONGEST_READ]
    return any(pattern.search(text) for pattern in (_BECAUSE, _REASON, _CLAUSE))
