"""Corrections that say how it is done here: "we use pnpm here, not npm", "ask me before you …". Pure.

What a program does, what was seen, and plans for a day are none: the verb is one of habit, and the other way is named.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_LEAD = (
    r"(?:(?:actually|no|nope|btw|by the way|fyi|note|reminder|wait|sorry|hm+|well|just so you know"
    r"|in this (?:repo|project|repository|codebase))[,:]? )"
)
_WE = r"(?:we|our team|this (?:repo|repository|project|codebase|team|package|library|crate))"
_OTHER = r"(?:,| and| but)? (?:and )?(?:not|never|instead of|rather than) (?!(?:sure|yet|only|always|just|on|in|at)\b)"
_HABIT = (
    r"(?:uses?|writes?|deploys? (?:with|by|from|through|via)|builds? with|tests? with|names?|calls?|formats?|indents?"
    r"|keeps?|targets?|runs? (?:on|with)|stores?|logs?|commits?|pins?|stays? (?:on|with)|sticks? (?:to|with))"
)
_THROUGHOUT = (
    r"(?:everywhere|throughout|for everything|across (?:the|all|our) [\w -]{2,30}"
    r"|in (?:this|all|every|each|our|the whole|the entire) (?:of )?(?:(?:our|the|these) )?(?:repos?|projects?"
    r"|repositor(?:y|ies)|code ?base|modules?|services?|files?|packages?|tests?|code))"
)
_TAIL = r"[^?,.;]{1,60}"
_OUR_WAY = lazy_pattern(
    rf"(?:{_LEAD}{{1,3}}(?:here,? )?{_WE} {_HABIT} {_TAIL}{_OTHER}\S"
    rf"|{_WE} {_HABIT} {_TAIL}?\b(?:here|in this (?:repo|project|repository|codebase)){_OTHER}\S"
    rf"|{_WE} use \S+{_OTHER}\S+[.!]*\Z"
    rf"|{_LEAD}{{1,3}}(?:here,? )?{_WE} {_HABIT} {_TAIL}?\b(?:here|{_THROUGHOUT})[.!]*\Z"
    rf"|{_WE} {_HABIT} {_TAIL}?\b{_THROUGHOUT}[.!]*\Z)",
    re.IGNORECASE,
)
_UNDO = lazy_pattern(
    r"(?:(?:no|please|wait|stop)[,.]? )*(?:(?:undo|revert|roll back|take back|put back) (?:that|this|it|these|those)"
    r"|(?:put|roll|change|take) (?:that|this|it|these|those) back"
    r"|mach(?:e)? (?:das|es) (?:bitte )?(?:wieder )?rückgängig"
    r"|nimm (?:das|es) (?:bitte )?(?:wieder )?zurück|annule (?:ça|cela)|reviens en arrière|deshaz(?:lo| eso| esto)"
    r"|revierte (?:eso|esto))(?: please| bitte)?[,:;.]+ "
    rf"(?:(?:here|hier|ici|aqu[ií]),? )?(?:{_WE}|our|this|in this|wir|unser\w*|on|nous|notre|nos|nuestr\w+"
    r"|(?:usa|mantene|utiliza|guarda|escribi|pone)mos) \S",
    re.IGNORECASE,
)
"""What was done is to be taken back, because of how it is done here."""
_FOR_LATER = lazy_pattern(
    r"(?:(?:and|also|note|ok(?:ay)?|please)[,:]? )*(?:for (?:the|your) future|for next time|next time|as of now"
    r"|from here on(?: out)?|henceforth|starting (?:now|today)|as a rule"
    r"|für die zukunft|fürs nächste mal|beim nächsten mal|grundsätzlich gilt|pour la suite|pour l[’']avenir"
    r"|(?:pour )?la prochaine fois|par la suite"
    r"|para el futuro|para la pr[oó]xima(?: vez)?|(?:la|para otra) pr[oó]xima vez"
    r"|per il futuro|per la prossima volta|voor de toekomst)(?: please| bitte)? ?[,:]+ "
    r"(?!(?:i|we|you|it|that|this|there|maybe|perhaps) (?:\w+ )?(?:might|may|could|will|would|can|want|plan)\b)\S+ \S"
    r"|from (?:today|this point) on(?:wards?)?,? \S+ \S",
    re.IGNORECASE,
)
_NO_MORE = lazy_pattern(
    r"(?:(?:and|also|but|please|ok(?:ay)?)[,:]? )*(?:no|zero) (?!(?:worries|problems?|need|idea|rush|hurry|thanks|one"
    r"|longer|way|matter|doubt|wonder|offen[cs]e|sir|questions?|answers?)\b)(?:more )?(?:[\w-]+ ){0,2}[\w-]+"
    r"(?: (?:in|inside|within|for|on) (?:\S+ ){0,3}\S+)?,? (?:please|pls)[.!]*\Z",
    re.IGNORECASE,
)
"""What is not wanted: "no emojis please"."""
_TERSE = lazy_pattern(
    r"(?:never|always|nie|niemals|immer|jamais de|nunca|siempre|mai|nooit|altijd) (?:(?:force|auto)-?\s?\w{3,12}"
    r"|(?:re)?base(?:n|ar)?|squash(?:en)?|amend(?:en)?|merge(?:n|r|ar)?|mock(?:en)?|stash(?:en)?"
    r"|cherry-?pick(?:en)?|vendor"
    r"|hard-?code|deploy|push|commit|format|lint)[.!]*\Z",
    re.IGNORECASE,
)
"""A rule of two words: "never force-push"."""
_NEVER_WITHOUT = lazy_pattern(
    r"(?:and |also |so |but |please )*never (?:ever )?"
    r"(?!(?:\w+ed|\w{3,}s|seen|been|heard|had|saw|knew|thought|got|get|made|mind|the|it|that|this|works?"
    r"|did|do|could|would"
    r"|return|finish|load|reach|an issue)\b)(?:\S+ ){1,8}?(?:without|unless|except|outside) \S"
    r"|(?:and |also |so |but |please )*no (?!(?:idea|clue|way|problem|need|doubt|one|wonder)\b)"
    r"(?:(?!(?:arrives?|reach(?:es)?|has|have|shows?|appears?|comes?|gets?|is|are|was"
    r"|works?)\b)\S+ ){1,7}?\S+, ever[.!]*\Z"
    r"|never (?:ever )?an? (?!(?:\w+ )?(?:issues?|problems?|errors?|response|answer|crash|dull|green"
    r"|warning|failure|bug)\b)"
    r"(?:\S+ ){1,5}?(?:in|on|for|to|into) (?!my\b)\S",
    re.IGNORECASE,
)
"""A rule without its verb: "never a floating tag in CI", "no mocks in integration tests, ever"."""
_PLACE = (
    r"(?:this|our|the whole|the entire) "
    r"(?:repo|repository|project|code ?base|monorepo|service|app|package|crate|library|module|team)\b"
)
_ONLY_HERE = lazy_pattern(
    r"(?:and |also |but |please |so |no[,.] )*"
    r"(?:(?!(?:the|an?|this|that|these|those|it|its|there|we|i|you|they|he|she|what|which|who|why|is|are|was|were|one"
    r"|two|three|some|most|\d+|\w+ed|found|seen|happens?|works?|fails?|breaks?|not|search|look|grep|find|run|fix|bump"
    r"|update|upgrade|rename|commit|revert|show|deploy|test|check|change|edit|add|remove|delete|apply|do|use|list|count"
    r"|print|replace|format|lint|build|merge|push|install|read|review|refactor|migrate|touch|make|move|keep)\b)"
    rf"[\w./+#-]+ ){{1,3}}only (?:in|for|across) {_PLACE}(?=[,.;:!]|\Z)(?!, (?:so|and|then|right)\b)"
    r"|(?:and |also |but |please |so )*no (?:(?:new|more|further|other|additional|external|extra|third-party|global"
    r"|runtime|native|direct|custom) (?:[\w./+#-]+ ){1,3}|(?:[\w./+#-]+ )?(?:dependenc(?:y|ies)|libraries|library"
    r"|frameworks?|packages|modules|mocks|comments|globals|singletons|polyfills|wildcards?|snapshots) )"
    rf"(?:in|for|across) {_PLACE}(?=[,.;:!]|\Z)(?!, (?:so|and|then|right)\b)",
    re.IGNORECASE,
)
"""What may be used at all, and where: "stdlib only in this repo", "no new dependencies in this service"."""
_ASK_FIRST = lazy_pattern(
    r"(?:please |and |also |next time,? |you (?:should|must|have to|need to) )*"
    r"(?:always )?(?:ask|check with|tell|warn|consult) (?:me|us)(?: first)?,? before (?:you \w+|\w+ing\b)",
    re.IGNORECASE,
)
_ALWAYS = lazy_pattern(
    r"you (?:should|must|have to|need to|ought to)(?: please)? always "
    r"(?!(?:see|get|have|be|find|know|feel|receive|end)\b)\w+",
    re.IGNORECASE,
)
_REFUSED = lazy_pattern(
    r"(?:please |no[,.] )?(?:don't|do not)[.!:]+ (?:we|that|this|it|last time)\b"
    r"(?! (?:is|was) (?:fine|ok|good))(?: \S+){2}",
    re.IGNORECASE,
)


_ELSEWHERE = lazy_pattern(
    r"(?:(?:eigentlich|nein|übrigens|en fait|non|au fait|en realidad|no|por cierto)[,:]? )?"
    r"(?:wir (?:benutzen|verwenden|nutzen|nehmen) [^?,.;]{1,60}, nicht \S+[.!]*\Z"
    r"|(?:hier )(?:benutzen|verwenden|nutzen|nehmen) wir [^?,.;]{1,60}, nicht \S+[.!]*\Z"
    r"|(?:ici,? )?on (?:utilise|emploie) [^?,.;]{1,60}, pas (?:de |d')?\S+[.!]*\Z"
    r"|(?:wir (?:benutzen|verwenden|nutzen|nehmen|schreiben|behalten)|(?:eigentlich|hier) (?:benutzen|verwenden|nutzen"
    r"|nehmen|schreiben) wir) (?=[^?,.;]{0,60}\b(?:überall|durchgehend|grundsätzlich)\b)[^?,.;]{3,80}[.!]*\Z"
    r"|(?:ici,? )?on (?:utilise|emploie|garde|met|écrit) [^?,.;]{3,60} "
    r"(?:partout|dans tout le (?:projet|code|dépôt))[.!]*\Z"
    r"|(?:aqu[ií],? )?(?:usamos|utilizamos|ponemos|escribimos|mantenemos) [^?,.;]{3,60} (?:en todas partes"
    r"|en todos lados|en todo el (?:proyecto|c[oó]digo|repo))[.!]*\Z"
    r"|(?:aqu[ií],? )?(?:usamos|utilizamos) [^?,.;]{1,60}, no \S+[.!]*\Z"
    r"|(?:bitte )?frag(?:e)? (?:mich|uns)(?: bitte)?(?: immer| erst| vorher| zuerst)*,? bevor du \w+"
    r"|demande(?:z)?-(?:moi|nous)(?: toujours)? avant d(?:e |')\w+"
    r"|preg[uú]nta(?:me|nos)(?: siempre)? antes de \w+)",
    re.IGNORECASE,
)
"""The same in German, French and Spanish."""


def is_rule(sentence: str) -> bool:
    """Does it say how the work is done here, or what must be asked before?"""
    if any(
        form.match(sentence)
        for form in (_ALWAYS, _ASK_FIRST, _OUR_WAY, _ELSEWHERE, _FOR_LATER, _NO_MORE, _NEVER_WITHOUT, _ONLY_HERE)
    ):
        return True
    return _UNDO.match(sentence) is not None or is_terse(sentence)


def is_terse(sentence: str) -> bool:
    """Is it a rule of two words, or three: "never force-push"?"""
    return _TERSE.match(sentence) is not None


def refuses(sentence: str) -> bool:
    """A refusal with its reason: "don't. we had an outage because of that"."""
    return _REFUSED.match(sentence) is not None
