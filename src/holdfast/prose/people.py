"""Which people the user speaks of, and which sentence of the agent waits for one of them. Pure.

"Marek has to answer those with 409" may tell how a program works. It waits for somebody when the user spoke of Marek as
of a person ("marek says some visits arrive twice"), and the agent writes the name as a name. So no list of deeds is
needed.
Each pattern is linear in its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import time_terms
from holdfast.shell.tools import listed

_LONGEST_READ = 600
_MOST_NAMES = 12
_NAME = r"(?P<who>[^\W\d_]{3,20})"
_NAME_TOO = r"(?P<other>[^\W\d_]{3,20})"
_SPEAKS = lazy_pattern(
    rf"(?<![\w@/.-]){_NAME}(?:(?: from| at| in) [\w&-]{{1,20}})? (?:(?:just|also|still|already|only|again|now) )?"
    r"(?:says?|said|reckons?|thinks?|wants?|wanted|told|tells|asks?|asked|answers?|answered|replied|wrote|mailed"
    r"|complain(?:s|ed)|reports?|reported|signs?|approves?|decides?|decided|agrees?|agreed|promised|insists?|(?:has|have)"
    r" to (?:tell|say|sign|decide|approve|check|confirm|answer|look)|must (?:tell|say|sign|decide|approve|confirm)"
    r"|will (?:tell|say|decide|ask|know|look|check)"
    r"|is (?:away|sick|on (?:holiday|vacation|leave|parental|paternity|maternity))"
    r"|is (?:off|out|back)(?= (?:until|till|on|next|this|today|tomorrow|for|from)\b|[.,;!]|\s*\Z)"
    r"|is (?:(?:ok|fine|happy) with|at a customer)"
    r"|sagt|meint|will wissen|entscheidet|muss (?:sagen|entscheiden|unterschreiben)|fragt"
    r"|dice|dijo|quiere|pregunta|decide|tiene que|va a|dit|demande|veut|décide|doit)(?!\w)",
    re.IGNORECASE,
)
_SPOKEN_TO = lazy_pattern(
    r"(?<!\w)(?:ask(?:ed)?|tell|told|e?-?mail(?:ed)?|call(?:ed)?|phoned?|ping(?:ed)?|text(?:ed)?|wrote to"
    r"|talk to|check with|put it to|that one's for|it's for|wait(?:ing)? (?:for|on)|frage?|gefragt|schreibe?"
    r"|pregunt(?:o|a|é|aré) a"
    rf"|pregúntal[eo] a|escrib[oeí](?:le)? a|hablo con|demander? à) {_NAME}(?!\w)"
    rf"|(?<!\w)(?:until|till|before|once|as soon as|hasta que|en cuanto|cuando|bis|sobald|dès que) {_NAME_TOO}"
    r" (?:has|have|is|says|signs|decides|answers|tenga|diga|firme|hat|ist|sagt|aura|dit|signe)(?!\w)",
    re.IGNORECASE,
)
_HIS = lazy_pattern(
    r"(?<!\w)(?P<who>[A-ZÀ-Þ][^\W\d_]{2,19})['’]s?"
    r" (?:answer|reply|sign-?off|approval|call|decision|idea|list|mail|opinion|word)(?!\w)"
)
_NOBODY = listed(
    "it its this that these those they them there she her him his who what which someone somebody everyone"
    " everybody anyone anybody nobody one none you your mine people users customers clients the and but not for"
    " with from then than let just now here also pytest jest cargo docker postgres redis github gitlab jenkins"
    " linter compiler test tests build log logs error console terminal server client browser page docs readme"
    " spec doc api cli mypy ruff eslint claude model agent git code file script function service tool output"
    " when where why how yes please make sure before after until once everything nothing something anything"
    " user all both each again ihm ihr ihnen uns mir dir mich dich euch sie les lui eux moi toi nos que quien"
    " como codex copilot cursor gemini gpt chatgpt opus sonnet haiku sentry datadog grafana prometheus kubectl"
    " terraform helm aws gcp azure slack jira npm pip nobody's support legal first about back apart more less our ours"
    " their another twice next off ahead if whether because never ever even may can will das dass nicht tomorrow"
    " january february march april june july august september october november december"
    " production staging approval review feedback deploy dont doesnt wont cant didnt isnt"
)
_BEFORE = lazy_pattern(
    r"(?:\b(?:the|an?|this|that|my|our|your|his|her|their|each|every|der|die|das|el|la|le|un|una)|`) ?\Z", re.IGNORECASE
)


def people_in(requests: Iterable[str]) -> frozenset[str]:
    """The names of those whom the user speaks of as of people, in small letters."""
    names: dict[str, None] = {}
    for request in requests:
        text = request[:_LONGEST_READ]
        for pattern in (_SPEAKS, _SPOKEN_TO, _HIS):
            for found in pattern.finditer(text):
                part = "who" if found["who"] else "other"
                who, before = found[part].lower(), text[max(0, found.start(part) - 8) : found.start(part)]
                if pattern is _SPOKEN_TO:
                    before = text[max(0, found.start() - 8) : found.start()]  # "the phone doesnt", "a call back"
                is_thing = _BEFORE.search(before) is not None  # "the linter says"
                if who not in _NOBODY and who not in time_terms() and not is_thing:
                    names.setdefault(who)
    return frozenset(list(names)[:_MOST_NAMES])


def spoken_to(request: str) -> str:
    """Whom the user asks or tells something: "that one's for Ingrid"; '' for nobody."""
    text = request[:_LONGEST_READ]
    found = next(
        (each for each in _SPOKEN_TO.finditer(text) if each["who"] and each["who"].lower() in people_in([text])), None
    )
    return found["who"][:1].upper() + found["who"][1:] if found else ""


_MUST = (
    r"(?:still )?(?:has to|must|needs? to|should|will have to|would have to|is to|muss|müsste|soll(?:te)?"
    r"|doit|tiene que|debe)"
)
_DEPENDS = (
    r"(?:depends? on|wait(?:s|ing)? (?:for|on)|until|once|as soon as|up to|hangs on|open (?:for|with)|asks?"
    r"|needs?|before"
    r"|hängt (?:davon ab|von|an)|wartet auf|bis|sobald|hasta|depende de|falta|en espera de|a la espera de|pendiente de"
    r"|esper(?:a|an|o|amos)|attend|dépend de|dès que)"
)
_THEIRS = r"['’]s (?:answer|reply|sign-?off|approval|ok|okay|word|call|decision|go|go-?ahead|yes|feedback|review)"
_DONE = lazy_pattern(
    r"\b(?:has|have) (?:now |already )?(?:signed|approved|answered|confirmed|agreed|decided|replied)\b"
    r"|\b(?:signed off|approved it|confirmed it)\b",
    re.IGNORECASE,
)


_UNTIL = lazy_pattern(r"\b(?:until|once|as soon as|before|when|bis|sobald|hasta que|cuando|dès que)\b", re.IGNORECASE)


def waits_for(text: str, names: frozenset[str]) -> bool:
    """Does this sentence of the agent wait for one of these people?"""
    text = text[:_LONGEST_READ]
    low = text.lower()
    named = [name for name in names if name.title() in text]  # who writes with care writes no thing so
    if not named or text.endswith(("?", "？")) or (_DONE.search(text) and not _UNTIL.search(text)):
        return False
    return any(
        re.search(
            rf"(?<!\w){name}(?!\w)(?:{_THEIRS}| (?:\w{{1,12}} )?{_MUST}(?!\w))"
            rf"|(?<!\w){_DEPENDS},? (?:[\w'’,]{{1,12}} ){{0,4}}{name}(?!\w)"
            rf"|(?<!\w){_MUST} (?:[\w'’]{{1,15}} ){{1,4}}{name}(?!\w)|(?<!\w)only {name}(?!\w)",
            low,
        )
        for name in map(re.escape, named)
    )
