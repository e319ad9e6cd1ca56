"""Does a sentence wait for somebody, or is it only a remark? "Only Petra can renew it." waits. "I didn't change the
admin page, it has no cache." tells what was left alone, "Nothing is sent until the reader presses Publish." how
something behaves, and "the socket was not yet connected" what was found: nobody has to act. Pure.

When in doubt it is a remark: a thread that nobody can do anything about takes the place of one that matters.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_LONGEST_READ = 500
_DEED = (
    r"(?:re-?)?(?:issue|renew|approve|sign|grant|revoke|rotate|unlock|merge|release|publish|restart|reset|purge|deploy"
    r"|upload|install|confirm|decide|answer|send|order|pay|provide|enable|restore|review|replay|import|load"
    r"|open (?:the|ports?)|add|copy|set|change|fix|update|run|test|check|delete|raise|extend|buy|book|call|ask"
    r"|give|tell|clean|flash|roll|migrate|start|stop|connect|plug|swap|replace|create|write|move|assign|accept|verify|process"
    r"|power-cycle|name|make (?:the|an?|us)|say|choose|pick|measure|playtest|visit|drive|talk|bring|fetch|print|solder"
    r"|mount|finish|prepare|schedule|agree|negotiate|translate|proofread|record|draw|upgrade|unblock|whitelist"
    r"|transfer|register|apply|submit)"
)
"""What a person does about something that is stuck."""
_SOME = (
    r"(?:somebody|someone|ops|security|support|legal|finance|accounting|marketing|(?-i:IT|HR|QA)"
    r"|the (?:[\w-]{1,30} ){0,2}?(?:team|lead|owner|vendor|supplier|customer|provider|admins?|administrators?|dba"
    r"|maintainers?|manager|office|department|designers?|lawyers?|bank|lab|agency|partner|boss))"
)
_NAMED = r"(?-i:[A-Z][a-zà-ÿ]{2,20})"
_STUCK = lazy_pattern(
    rf"\bonly (?:{_SOME}|{_NAMED}|you|s?he|they|(?:some|any)(?:body|one) with [\w' ]{{1,40}}?) "
    rf"(?:can|may|could|is able to|is allowed to|has access|have access|knows|has the|have the)\b"
    rf"|\b(?:{_NAMED} (?:still )?(?:has to|needs to|will have to)|{_NAMED}(?<!s) must)(?: \w{{1,20}}){{0,2}}? {_DEED}\b"
    r"(?![^.]{0,80}\b(?:every|each|so|because|when|whenever|which|until|before it|twice)\b)"
    rf"|\b(?:{_SOME}|you)(?: (?:with|from|in|at|who)(?: [\w'/-]{{1,30}}){{1,5}}?)?(?:['’]ll)? "
    rf"(?:must|has to|have to|needs to|need to|will (?:have|need) to|still has to|still have to)"
    rf"(?: \w{{1,20}}){{0,2}}? {_DEED}\b"
    rf"|\b(?:must|has to|have to|needs to|need to) be (?:\w{{1,20}} )?[\w-]{{3,20}}(?: \w{{1,20}}){{0,3}}? by (?:hand"
    rf"|{_SOME}|{_NAMED})"
    rf"|\b(?:{_NAMED}(?<!s)|{_SOME}) should (?:say|decide|choose|tell (?:us|me)|confirm|answer)\b"
    rf"|\b{_NAMED} (?:still )?(?:holds|owns|has) the (?:\w{{1,20}} )?(?:locks?|keys?|tokens?|access|password)\b"
    r"|(?<!\bthat )(?<!\bwhich )(?<!\bwho )(?<!\bif )(?<!\bwhen )"
    rf"\b(?:{_SOME}|{_NAMED}|nobody|no one) (?:has not|have not|hasn't|haven't|did not|didn't|has) (?:yet )?"
    r"(?:answered|approved|signed|confirmed|opened|merged|replied|enabled|granted|sent|delivered|reviewed|paid|decided"
    r"|provided|tested|answer|approve|sign|reply|confirm)\b(?=[^.]{0,60}\byet\b|[^.]{0,80}$)"
    rf"|\buntil (?:{_SOME}|{_NAMED}|you)(?: (?:with|from|in|at|who)(?: [\w'/-]{{1,30}}){{1,6}}?)? (?:\w{{1,20}} )?"
    rf"{_DEED}(?:s|es|d|ed)?\b"
    rf"|\b(?:goes|go) (?:live|out) (?:only )?(?:when|once|after|as soon as) (?:{_SOME}|{_NAMED}|you)\b"
    rf"|\b(?:is|are|stays?|remains?) (?:still )?(?:for|up to) (?:{_SOME}|{_NAMED})"
    r"(?: (?:from|in|at|of) [\w' -]{1,40}?)? to (?:say|decide|choose|answer|approve|confirm|settle|tell|judge|agree)\b"
    rf"|\b(?:is|are) (?:still )?up to (?:{_SOME}|{_NAMED})\b|\b(?:is|are) {_NAMED}['’]s (?:call|decision|to)\b"
    rf"|(?:\A|(?<=[.;] ))(?:[A-Za-z]{{3,20}}ing\b[^.;,]{{0,40}}|that|this|the rest) (?:is|are) (?:still )?for"
    rf" (?:{_SOME}|{_NAMED})(?=[.,;])"
    rf"|\b(?:is|are) (?:now |still )?with (?:{_SOME}|our (?:lawyers?|designers?|lab|bank|printer|agency|customer))[.,;]"
    r"|\bstill (?:runs?|running|serves?|ships?|on) (?:[\w-]{1,20} )?v?\d+\.\d"
    r"|\b(?:is|are) (?:still |currently )?(?:paused|on hold|frozen|halted|postponed)\b|\b(?:is|are) still (?:off|wrong"
    r"|down|out of date|outdated|stale|unpaid|unsigned|disabled|locked|commented out|hard-?coded|stubbed|mocked|skipped"
    r"|an? (?:stub|placeholder|mock|dummy))\b"
    rf"|\b{_NAMED}(?:, [^,.;]{{2,40}},)? (?:ainda |todavía |aún |encore |ancora |nog )?(?:precisa|tem (?:de|que)|deve"
    r"|tiene que|debe|ha de|doit|moet|musi|måste|skal)(?: [\w-]{1,20}){0,2}? [a-zà-ÿ-]{3,20}\b"
    r"|\bnur (?:(?:die|der|das|jemand|wer) )?[\w-]{2,40}(?: mit [\w-]{2,30})? (?:kann|darf|hat)\b"
    r"|\bmuss (?:(?:die|der|das|jemand|noch) )?(?-i:[A-ZÄÖÜ][\wäöüß-]{2,30}) (?:noch |erst |wieder ){0,2}"
    r"\w{3,20}(?:en|ern|eln)\b"
    r"|(?-i:[A-ZÄÖÜ][\wäöüß-]{2,30}) (?:muss|müssen) (?:[\wäöüß-]{1,30} ){1,5}?(?:erneuern|freigeben|unterschreiben"
    r"|ausstellen|entscheiden|bestätigen|prüfen|einspielen|mergen|schicken|senden|liefern|starten|öffnen|ausrollen"
    r"|bezahlen|genehmigen|zurücksetzen|umstellen)\b",
    re.IGNORECASE,
)
"""A person or a role has to do something, or a machine has an old version."""
_ORDER = lazy_pattern(rf"{_DEED}\b", re.IGNORECASE)
_WHO_IS_NONE = lazy_pattern(
    r"\b(?:nobody|no one|none|you don't|you do not|there is no need to)\b[^.;]{0,20}\b(?:has|have|need)", re.IGNORECASE
)
_DUE = lazy_pattern(
    r"\b(?:must|has to|have to|needs? to) (?:be )?(?:\w{1,20} ){1,4}?(?:before|by) (?:the (?:release|launch|rollout"
    r"|deploy\w*|demo|audit|go-?live|weekend|end|next|\d)|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day|we |it goes"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|\d)",
    re.IGNORECASE,
)
"""It is due at a time of people, not of code."""

_ADAPTS = (
    r"(?:be )?(?:chang|updat|upgrad|migrat|adapt|switch|adjust|renam|regenerat|re-?build|rebuilt|re-?install|re-?deploy"
    r"|re-?index|re-?train|re-?generat|move(?:d)? to|replac)\w*"
)
_ADAPT = lazy_pattern(
    rf"\b(?:will (?:also |then )?(?:need|have) to|(?:still )?(?:needs?|has|have) to"
    rf"|must) (?:also )?{_ADAPTS}",
    re.IGNORECASE,
)
"""Somebody has to do it once, after the change: "Clients that show a page count will need to change."."""
_ONCE = lazy_pattern(
    r"\b(?:must|has to|have to|needs? to|muss|müssen) (?:still |first |soon )?be (?:\w{1,20}ly )?(?:renewed|rotated"
    r"|revoked"
    r"|re-?(?:issued|run|sent|imported|baked|built|printed|flashed|calibrated|indexed|generated|deployed|trained|signed"
    r"|created|uploaded|played|processed|labell?ed|certified|wired|soldered)|re-[a-z]{3,20}(?:ed|t|n)|approved"
    r"|signed(?! (?:in|up|out))"
    r"|ordered|bought|paid"
    r"|migrated|backfilled|deployed|released|merged|flashed|rolled out|published|reviewed|confirmed|decided|translated"
    r"|cleaned up|swapped|announced|notarized|notarised)\b",
    re.IGNORECASE,
)
"""What is done once, by people."""
_PEOPLE = (
    r"(?:users?|customers?|clients?|callers?|admins?|administrators?|operators?|members?|guests?|owners?|editors?"
    r"|reviewers?|developers?|people|visitors?|players?|drivers?|patients?|students?|teachers?|employees?|managers?"
    r"|subscribers?|tenants?|sellers?|buyers?|senders?|readers?|browsers?|devices?|servers?|apps?|plugins?|requests?)"
)
_FROM_THEN_ON = lazy_pattern(
    r"\b(?:with|for|on|in|per|at|before|after|by|from) (?:each|every)\b|\b(?:each|every) time\b|\balways\b"
    r"|\bas (?:before|usual|always|ever|intended|designed)\b|\bafter all\b"
    r"|\bper (?:request|call|user|customer|key|file|row|page|line|order|session|tenant|device|day|run)\b"
    r"|\b(?:bei|mit|für|in|vor|nach|pro) (?:jede[rmns]?)\b|\b(?:immer|weiterhin|wie bisher|wie zuvor)\b"
    r"|\b(?:à|pour|avec) chaque\b|\b(?:con|en|para) cada\b|\b(?:toujours|siempre)\b",
    re.IGNORECASE,
)
"""It holds from then on, each time."""
_OF_SOME = lazy_pattern(
    r"(?:\A|[;,:—–] (?:and |but |while )?|\b(?:and|but|while) )(?:(?:anything|everything|anyone|everyone|everybody"
    rf"|whoever|any|each|every)\b|(?:all )?{_PEOPLE} (?:without|with|who|that|whose|on|in|from|of|for|at)\b"
    r"|an? (?:[\w-]{1,30} ){1,2}(?:that|which|who|whose|without|with|above|over|below|under)\b"
    rf"|(?:all )?(?:{_PEOPLE}|[a-z][\w-]{{1,30}}s) (?:above|over|below|under|older|larger|bigger|smaller|outside|beyond"
    r"|without)\b)"
    r"[^.;,]{0,60}?\b(?:(?:still )?(?:needs?|requires?|must)|(?:still )?(?:has|have) to|will (?:need|have) to)\b",
    re.IGNORECASE,
)
"""It is said of all of a kind: "anything above still needs a second person"."""
_OF_THE_PROGRAM = lazy_pattern(
    r"(?:\A|[;,:—–] (?:and |but )?(?:after that |afterwards |then )?)(?:the |a |an )?"
    rf"{_PEOPLE} (?:still )?(?:has to|have to|needs? to|must|needs?) (?:(?:click|tap|press|type|choose|select"
    rf"|scroll|log in"
    r"|sign in|start (?:over|again))\b"
    r"|(?:send|pass|set|call|use|include|enter|supply|retry|poll|authenticate|confirm|open|give|provide|add|declare"
    r"|register|accept|repeat|scan|pay|wait|an?\b)"
    r"(?![^.;]{0,80}\b(?:the new|this|these|those|your|our|before|until|by|first|again|yet)\b)(?![^.;]{0,20} the\b))",
    re.IGNORECASE,
)
"""How those who use the program go about it."""

_EACH_TIME = lazy_pattern(
    r"\b(?:has to|have to|must|needs? to) [\w-]{2,20} (?:an? |any )[^.;]{0,40}?\b(?:within|otherwise|or else|before"
    r"|after|when)\b",
    re.IGNORECASE,
)
"""It is done to any of them: "The lead has to confirm a swap within 24 hours."."""
_OBLIGES = lazy_pattern(
    r"\b(?:needs?|requires?|must|(?:has|have) to|muss|müssen|braucht|brauchen|doit|doivent|debe|deben)\b", re.IGNORECASE
)
_UNFINISHED = lazy_pattern(
    r"\b(?:yet|not (?:been|tested|run|done)|(?:has|have|did|could) not|untested|missing|todo"
    r"|(?<!that )(?<!which )(?<!who )(?:fails?|failing)|broken|noch"
    r"|pas encore|todavía|needs? (?:an? |the |another )?(?:[\w-]{1,20} )?(?:restart|reboot|(?:re)?deploy(?:ment)?"
    r"|rebuild|release"
    r"|reload|re-?import|backfill|migration|update|upgrade|review|fix|tests?|decision))\b|n't\b",
    re.IGNORECASE,
)
"""It is work that somebody has to finish, of whatever kind of things."""
_GENERAL = lazy_pattern(
    r"\A(?:an? )|\b(?:when|whenever|if|each|every|any|always|automatically|unless"
    r"|so that)\b",
    re.IGNORECASE,
)

_LEFT = lazy_pattern(
    r"(?:[\w' ]{1,30}[:,] )?(?:i|we) (?:(?:did not|didn't|have not|haven't|never) (?:yet )?(?:touch|chang|alter|edit"
    r"|modif|renam|mov|remov|add|introduc|rewr|refactor|reformat|delet|drop|tun|rais|lower|replac|chang|open"
    r"|commit|creat|push)\w{0,6}\b|(?:left|kept) (?:\S{1,60} ){1,10}?(?:alone|untouched|unchanged|as (?:it|they|is)"
    r"|in place|out)\b)",
    re.IGNORECASE,
)
"""What the agent did not do because it was not asked to."""
_SKIPPED = lazy_pattern(
    r"(?:[\w' ]{1,30}[:,] )?(?:i|we) (?:did not|didn't|have not|haven't) (?:yet )?\w{2,20}\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_HARMLESS = lazy_pattern(
    r"(?:,|;|:|—|–|\bbecause|\bsince|\bas)\s+(?:it|they|that|which|there|nothing|nobody|none|its|the \w+|both|all)\b"
    r"[^.]{0,60}?\b(?:no|not|n't|isn't|aren't|nobody|never|nothing|already|own|unaffected|unchanged|generated|fine|same"
    r"|works?|dead|deprecated|unused|reads?|fits?|changed|affected|trivial|intended|enough|covered)\b",
    re.IGNORECASE,
)
"""The reason why it need not be done."""
_DEFERRED = lazy_pattern(
    r"\b(?:for now|for later|until|still|yet|so (?:it|they|the|that|you|we)|must|has to|have to|needs?|later|next"
    r"|to production|to prod)\b",
    re.IGNORECASE,
)
_OTHERWISE = lazy_pattern(
    r"\b(?:un(?:touched|changed|affected|modified))[.!]?\Z"
    r"|\b(?:has|have|was|were|is|are)(?: not|n['’]t) (?:been )?(?:touched|changed|altered|modified)[.!]?\Z"
    r"|\bnicht \w{3,30}, (?:sie|er|es|das) (?:ist|sind|wird|braucht)\b[^.]{0,40}\b(?:nicht|keine?n?|schon|bereits)\b"
    r"|\b(?:nicht|noch nicht) (?:angefasst|geändert|verändert|berührt|umbenannt|entfernt)\b",
    re.IGNORECASE,
)
_TAPPED = lazy_pattern(
    r"\b(?:until|till|bis|before) (?:(?:the|a|an|your|each|every|der|die|das) )?(?:[\w-]{1,30} ){0,2}?(?:press|click"
    r"|tap|open|scroll|select|choos|clos|drag|hit|typ|enter|log|sign (?:in|up|out)|submit|leav|join|call|read|writ|send"
    r"|return|releas|pass|finish|end|expir|arriv|fir|connect|acknowledg|reach|complet|succeed|is|are|has|have|no|all"
    r"|both|it|they|shut|flush|commit|resum|reload|refresh|restart)(?:es|s|ed|e|ing|hes)?\b",
    re.IGNORECASE,
)
"""What a user of the program, or the program itself, does."""
_USAGE = lazy_pattern(
    r"\b(?:can|may|could) still\b"
    r"|\byou(?:['’]ll| will)? (?:have to|must|need to) (?:pass|use|call|set|specify|give|write|wrap|import) [`-]",
    re.IGNORECASE,
)
"""How the program is used."""
_QUOTED = lazy_pattern(
    r"(?<!\w)(?:'[^'\n]{1,80}'|\"[^\"\n]{1,120}\"|“[^”\n]{1,120}”|‘[^’\n]{1,80}’|«[^»\n]{1,120}»)(?!\w)"
)
_ASIDE = lazy_pattern(
    r"\b(?:when|whenever|if|while|because|unless|although|though|as long as|as soon as|wenn|weil|während|obwohl|falls)"
    r"\b[^,;:.—–]{0,200}",
    re.IGNORECASE,
)
_WAS = lazy_pattern(
    r"(?:^|(?<=[,;:] ))(?!i |we )[^,;:]{0,80}\b(?:was|were|had|wasn't|weren't|hadn't)\b[^,;:]{0,60}\b(?:yet|still)\b"
    r"[^,;:]*",
    re.IGNORECASE,
)
"""How it was before."""
_AT_RUN_TIME = lazy_pattern(
    r"\b(?:is|are) (?:not yet|still (?:not|un))\s?(?:known|visible|ready|initiali[sz]ed|connected|mounted|defined"
    r"|hydrated|attached|parsed|resolved|populated|registered|subscribed|rendered|drawn|flushed|allocated)\b",
    re.IGNORECASE,
)


_STAYS_SO = lazy_pattern(
    r"\b(?:so|and|therefore|which is why) (?:i|we) (?:left|kept) (?:it|them|that|this|those|these) (?:alone|untouched"
    r"|unchanged|in place|out|as (?:it|they) (?:is|are|was|were))[.!]?\Z"
    r"|\A(?:there (?:is|are) )?no [^.;:,—–]{2,60}(?:[;:,]| [—–]) (?:that|this|it|they|which) (?:would|is|are|was|were"
    r"|needs?|requires?|costs?)\b"
    r"|\A[^:.;]{2,60}: (?:(?:that |it )?is )?(?:out of scope|not possible|(?:the|its|their|there) [^.;]{0,60}?"
    r"\b(?:has|have|is|are) no\b)"
    r"|\bstays? as (?:it|they) (?:is|are|was|were)\b|\b(?:keeps?|kept) (?:it|them|theirs|the old \w+)[.;,!]"
    r"|\b(?:nothing|nobody|no one|we|i|you) (?:can(?:not|'t)?|could(?: not|n't)?) (?:take|call|get|bring|undo|fetch)"
    r"(?: \w{1,20}){0,3}? back\b"
    r"|\A(?:i|we) (?:did not|didn't|have not|haven't) (?:run|ran|try|tried|test|tested|check|checked) [^.;]{0,40}?"
    r"\b(?:under|as|with|on|from|for) (?:another|an? (?:second|third|different|other)|any other|other)\b",
    re.IGNORECASE,
)
"""A limit, a thing of others, or what nobody can change."""
_UNFINISHED_YET = lazy_pattern(
    r"\b(?:yet|until|still|for now|for later|todo|must|has to|have to|needs? to|should|later|next"
    r"|production|prod)\b",
    re.IGNORECASE,
)
_REASONED = lazy_pattern(r"[;,:—–]|\b(?:because|since|as)\b", re.IGNORECASE)


def waits_for_somebody(text: str) -> bool:
    """Does it say who must act, or by when?"""
    text = text[:_LONGEST_READ]
    if _WHO_IS_NONE.search(text) or _USAGE.search(text) or is_standing(text):
        return False
    if _STUCK.search(text) or _DUE.search(text):
        return True
    return bool(_ADAPT.search(text) or _ONCE.search(text)) and not _GENERAL.search(text)


def is_standing(text: str) -> bool:
    """Does it say how something works from now on? "Anything above still needs a second person." leaves nothing to do;
    "Clients that show a page count will need to change." does."""
    text = text[:_LONGEST_READ]
    if not _OBLIGES.search(text) or _UNFINISHED.search(text):
        return False
    if _FROM_THEN_ON.search(text) or _EACH_TIME.search(text):
        return True
    if _ADAPT.search(text) or _ONCE.search(text):
        return False
    return _OF_SOME.search(text) is not None or _OF_THE_PROGRAM.search(text) is not None


def is_remark(text: str) -> bool:
    """Does it only say what was left alone, or how something behaves?"""
    text = text[:_LONGEST_READ]
    return is_left_alone(text) or _USAGE.search(text) is not None or bool(_TAPPED.search(text) and "still" not in text)


def is_left_alone(text: str) -> bool:
    """Does it say what the agent did not do, and that nobody waits for it?"""
    text = text[:_LONGEST_READ]
    left = _LEFT.match(text)
    if left is not None:
        return _DEFERRED.search(text, left.end()) is None
    if _OTHERWISE.search(text):
        return _DEFERRED.search(text) is None
    skipped = _SKIPPED.match(text)
    return bool(skipped and _HARMLESS.search(skipped["rest"]) and not _DEFERRED.search(skipped["rest"]))


def is_fact(text: str) -> bool:
    """Does it say, also under a heading such as "Not done", what stays so, with its reason? Nobody has to act."""
    text = text[:_LONGEST_READ]
    if waits_for_somebody(text) or _UNFINISHED_YET.search(text):
        return False
    return _STAYS_SO.search(text) is not None or (is_left_alone(text) and _REASONED.search(text) is not None)


def stated(text: str) -> str:
    """What a sentence says to be so now: without quotes, without clauses that tell when or why, without how it was."""
    bare = _QUOTED.sub("…", text[:_LONGEST_READ]) + text[_LONGEST_READ:]
    return _AT_RUN_TIME.sub("", _ASIDE.sub("", _WAS.sub("", bare)))


def orders_a_deed(text: str) -> bool:
    """Does it begin with what is to be done: "Rotate the keys."?"""
    return _ORDER.match(text) is not None
