"""Does a sentence leave something open? "The release waits for legal." does; "The worker waits for the lock now." tells
how the code works, and leaves nothing open. Pure.

Words such as "still to do" leave something open wherever they stand. Others ("waits for", "pending", "remaining",
"later", "blocked by") speak of work only beside a piece of work or a person; beside code they describe its behaviour.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose.remarks import (
    is_fact,
    is_left_alone,
    is_remark,
    is_standing,
    stated,
    waits_for_somebody,
)

_LONGEST_READ = 500


def _any(*words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(words), re.IGNORECASE)


_PERSON = (
    r"(?:somebody|someone|nobody|ops|security|support|legal|finance|accounting|they|you|us|people"
    r"|the (?:\w+ )?(?:team|customer|supplier|client|vendor|admins?|dba|owner|provider|user|maintainers?|utility))"
)
_WORK = (
    r"(?:releases?|prs?|pull requests?|merges?|deploys?|deployments?|rollouts?|migrations?|tickets?|issues?|tasks?|rest"
    r"|fix(?:es)?|changes?|upgrades?|reviews?|launch|imports?|backfills?|steps?|work|points?|questions?|items?"
    r"|endpoints?|parts?|translations?|docs|cleanup|refactoring)"
)
_GRANTED = (
    r"(?:approval|review|answer|reply|decision|sign-?off|feedback|confirmation|permission|access|credentials|consent"
    r"|licen[cs]e|contract|invoice|file|files|export|data|go-?ahead)"
)
_ELSEWHERE = (
    r"(?:staging|production|prod|the live|customers?|users|the (?:\w+ )?(?:servers?|clusters?|fleet|pipeline|site"
    r"|hosts?|runners?|nodes?|devices?|mirrors?|replicas?|instances?))"
)
"""Where a change arrives later than in the code."""
_CONTRACT = (
    r"(?:apis?|behaviou?r|interfaces?|semantics|formats?|signatures?|meaning|schemas?|contracts?|protocols?|defaults?"
    r"|names?|outputs?|layouts?|logic|types?|wire|ui|exit codes?|messages?|(?:error )?codes?|headers?"
    r"|urls?|routes?|columns?)"
)
_OF_ALL = (
    r"(?:(?:everything|anything|nothing) (?:else|outside|beyond|other)"
    r"|(?:the |any |our )?(?:other|existing|public) [\w./-]{1,40})"
)
_REASSURED = rf"any\b|(?:the |our |its |their )?(?:[\w-]{{1,30}} ){{0,2}}?{_CONTRACT}\b|{_OF_ALL}|its\b|how\b|what\b"
"""What was not changed, said as a promise: nobody waits for it."""
_UNDECIDED = (
    r"\b(?:i|we|you|nobody|no one) (?:can(?:not|'t|’t)|could(?: not|n't|n’t)|did(?: not|n't|n’t)|have(?: not|n't|n’t)"
    r"|(?:am|are|was|were) (?:not able|unable) to|has) (?:yet )?decided?\b(?! (?:against|for|in favou?r))|\bundecided\b"
    r"|\b(?:is|are|was|were) (?:still )?not (?:yet )?decided\b|\bno decision (?:yet|so far)\b"
    r"|\b(?:unentschieden|nicht entschieden)\b|\bpas (?:encore )?décidé|\b(?:sin|por) decidir\b"
    r"|\bno (?:he|hemos|está|se ha) decidido\b|決められ(?:ない|ません)|未定|决定不了|尚未决定"
)
"""Nobody has decided: the opposite of a decision, in its words."""
_SHIPPED = r"(?:merged|deployed|released|shipped|published|uploaded|submitted|rolled out|tagged|live)"
_NOT_BEFORE = (
    r"\b(?:must|may|should|can|shall)(?: ?not|n't|n’t) (?:yet )?(?:be )?(?:merged?|deployed?|released?|shipp?e?d?"
    r"|published?|pushed?|rolled out|sent|switched (?:on|off)|enabled|activated|used|go (?:live|out|in))\b[^.;]{0,40}?"
    r"\b(?:before|until|till|unless|as long as)\b"
    r"|\b(?:i|we) (?:have|had) no access to (?:that|this|the|their|its|any)\b"
)
"""Something may not be done before something else is."""
_HELD = (
    rf"\b(?:not|isn['’]t|aren['’]t|nothing|none|nobody|no one)\b[^.;:,]{{0,40}}?\b{_SHIPPED}\b[^.;]{{0,20}}?"
    r"\b(?:before|until|till|as long as) (?!(?:the|a|an|it|its|all|every|each) )|(?:\A|(?<=[.:] )|\b(?:is"
    r"|are) )not (?:yet )?(?:been )?"
    r"(?:deployed|released|shipped|published|uploaded|submitted|rolled out)(?= (?:yet|because|since)\b|[.,;]|\Z)"
)
"""Work is held back, or did not reach those it is for: "It isn't released before the audit is over."."""
_SIGNED = lazy_pattern(
    r"\b(?:before|until) (?!(?:the |an? |each |every |all |both )?(?:s?he|they|it|we|users?|customers?|clients?"
    r"|visitors?|guests?|players?|you|moderators?|hosts?|banks?|managers?|admins?|administrators?|owners?|authors?"
    r"|reviewers?|members?|persons?|people|someone|somebody)\b)(?:[\w'’-]{1,20} ){1,5}?(?:has"
    r"|have) (?:signed|approved|agreed|answered"
    r"|decided|granted|renewed|extended|reviewed)\b",
    re.IGNORECASE,
)
"""It ends once, by a deed of people."""
_SURELY = _any(
    _UNDECIDED,
    _NOT_BEFORE,
    _HELD,
    r"\b(?:fixme|still (?:needs?|fails?|failing|to|open|missing|broken|unclear|have to|has to|uses?|red|flaky"
    r"|waits?|waiting|pending|blocked|with)|not yet|unresolved"
    rf"|(?:haven't|have not)(?! (?:changed|touched|altered|renamed|removed|broken|edited) (?:{_REASSURED}))"
    r"|(?:haven't|have not|didn't|did not) (?:[\w'`./-]{1,40} ){1,8}?yet"
    r"|has not been|hasn't|still un(?:explained|solved|known|resolved|clear|fixed|answered|finished|documented|reviewed"
    r"|merged|signed|paid|verified|confirmed|translated|handled|supported)"
    r"|need(?:s)? your|not covered"
    r"|(?:is|are) not (?:yet )?(?:loaded|imported|migrated|enabled|deployed|released|merged|rotated|installed"
    r"|published|sent|live|rolled out|applied|pushed|wired|translated|documented|upgraded|in production)"
    r"(?! (?:when|if|unless|by|while|until|because|before|after|for each|on every|automatically|here\b))"
    r"|not (?:\w+ ){1,5}yet|yet to be \w+|(?:no|nobody|nothing)\b[^.;:]{1,40}\byet"
    r"|(?<!\bit )(?<!\bthey )(?:must|has to|have to|needs? to) (?:\w+ ){1,7}first(?! [a-z])"
    r"|(?:must|has to|have to|needs? to) be (?:\w+ ){1,6}again"
    r"|(?:would|'d) (?:still )?like (?:somebody|someone) to|(?:please )?have (?:somebody|someone) \w{3,}"
    r"|(?:nobody|no one) has (?:run|tried|tested|checked|reviewed|seen|looked at|measured|verified)"
    r"|(?:nobody|no one) (?:here )?has (?:access|the key|the password|an account)"
    r"|(?:somebody|someone|jemand) (?:else )?(?:should|ought to|sollte)"
    rf"|until {_PERSON}(?: \w+){{1,6}}"
    r"|needs? an? (?:test |trial |dry )?run (?:on|in|against|with)"
    r"|needs? an? (?:\w+ )?(?:restart|reboot|(?:re)?deploy(?:ment)?|rebuild|release|reload|re-?import|backfill)"
    rf"|(?<!\bthat )(?<!\bwhich )(?<!\bif ){_PERSON}(?: else)?(?: (?:with|who|from|in|at|on)(?: [\w'/-]+){{1,5}})? "
    r"(?:must|has to|have to|needs? to"
    r"|has (?:not )?(?:yet|enabled|approved|answered))"
    r"|not tested|untested|did not (?:test|run|verify)|didn't (?:test|run|verify|get to)|needs? (?:a|an"
    r"|to be) (?:decision|review|follow|migration|update|test))\b",
    r"\b(?:i|we) (?:did not|didn't|have not|haven't) (?:yet )?(?:test|run|verify|touch|change|update|migrate|deploy|fix"
    r"|remove|rename|regenerate|check|convert|document|add|write|merge|push|release|publish|restart|port|cover|rebuild"
    r"|backport|rotate|enable|disable|delete|backfill|reindex|upgrade|get to|look (?:at|into))\b"
    rf"(?! (?:{_REASSURED}))",
    r"\b(?:left|skipped|parked|deferred|postponed) (?:\S{1,60} ){1,8}?for (?:later|now)\b",
    r"\b(?-i:(?!(?:The|It|This|That|Each|Every|One|Who|What|Nobody|Nothing|He|She)\b)[A-ZÀ-Þ][a-zà-ÿ]{2,20})"
    r"(?:'s \w{2,20})? (?:has|needs) to "
    r"(?:say|tell (?:us|me)|decide|choose|agree|approve|confirm|grant|sign|renew|reply)\b",
    r"\b(?:will|would|is going to|are going to) (?:\w+ ){0,2}?(?:break|lose|stop|fail|crash|disappear|no longer)\b"
    r"[^.;]{0,60}\b(?:with|at|after|on|in|by) (?:the |our |your )?next (?:\w+ )?"
    r"(?:deploy(?:ment)?|release|upgrade|update|migration|restart|rollout|version|sync|run)\b",
    r"(?:\A|[:,;] )(?:once|as soon as) (?:you|somebody|someone|ops|they) (?:give|send|tell|provide|share|have|add|grant"
    r"|set|confirm)s?\b[^.;?]{0,60}\b(?:i|we) (?:can|will|could|am able to)\b"
    r"|(?:\A|[:,;] )(?:i|we) (?:can|will) (?:continue"
    r"|go on|proceed|finish)\b[^.;?]{0,40}\b(?:once|as soon as|when)\b"
    r"|(?:\A|[:,;] )(?:sobald|wenn) (?:du|ihr|sie|jemand)\b[^.;?]{0,60}\bkann ich\b"
    r"|(?:\A|[:,;] )dès que (?:tu|vous|j)\b[^.;?]{0,60}"
    r"\bje (?:peux|pourrai|continue)|(?:\A|[:,;] )en cuanto (?:me|tenga|des)\b[^.;?]{0,60}\b(?:puedo|podré|sigo)\b",
    r"\bstill owes?\b|\bawait(?:s|ing) (?:review|approval|an? (?:answer|decision|reply)|the|your)\b"
    r"|\b(?:translations?|tests?|docs?|documentation|changelog|review|approval|screenshots?|migration)\b[^.;:]{0,30} "
    r"(?:is|are) (?:still )?missing\b(?! (?:from|in|when|if|because))",
    rf"\b(?:i|we) left (?!{_REASSURED})(?:\S{{1,60}} ){{1,6}}(?:alone|untouched|as (?:it|they) (?:is|are))\b",
    r"\bstill (?!accept|support|allow|understand|honou?r)(?:\w+ ){1,4}?"
    r"(?:old|previous|outdated|stale|former|unpatched)\b(?! (?:day|date|week|month|year|hour|minute|second|night)s?\b)"
    r"|\bstill (?:on|at) (?:version |release )?v?\d",
    rf"\b{_ELSEWHERE}\b[^.;:]{{0,30}}\bstill (?:has|have|runs?|serves?|shows?|gets?|sees?|points?|sends?|reads?)\b",
    r"\b(?:(?<!\d )(?-i:TODO)|(?<!\w )todos?(?=:)|to do)\b(?! (?:list|app|item|page|api|entr|with|so|this|it|comments?"
    r"|markers?|tags?|lines?|notes?))|\bfollow.?ups?\b",
    r"\b(?:noch (?:offen|nicht|zu)|steh(?:t|en) (?:\S{1,60} ){0,4}?noch (?:\S{1,60} ){0,4}?aus"
    r"|(?:wird|werden) noch benötigt"
    r"|(?:ist|sind|bleib(?:t|en)) (?:\S{1,60} ){0,3}?(?:offen|ungeklärt|unerledigt)"
    r"|wart(?:et|en) (?:\S{1,60} ){0,2}?noch auf"
    r"|steh(?:t|en) (?:\S{1,60} ){0,4}?aus(?=[.!]?$)|steh(?:t|en) noch an|nicht (?:getestet|geprüft|ausgeführt|deployt"
    r"|umgestellt|migriert|ausgerollt)|offen (?:ist|sind|bleib(?:t|en))|fehl(?:t|en) noch"
    r"|(?:muss|müssen|musst) (?:[\wäöüß-]{1,30} ){0,5}?noch"
    r"|(?:kann|muss) (?:nur )?jemand|reste à|pas encore|il (?:faut|faudra|manque) encore|(?:doit|doivent) encore"
    r"|todavía|pendiente|falta|ainda|manca|nog niet"
    r"|осталось|ещё не)\b",
    r"还需要|尚未|未完成|まだ",
)
_PERHAPS = _any(
    rf"\b{_WORK}\b[^.;:]{{0,30}}\b(?:waits?|waiting|pending|blocked|outstanding|remains?|(?:comes?|follows?) later)\b",
    rf"\bwait(?:s|ing)? (?:for|on|until)\b[^.;:]{{0,40}}\b(?:{_GRANTED}|{_PERSON}|your)\b"
    r"(?! (?:that|which) (?:never|does not|doesn't|nobody|no one|is never)\b)",
    rf"\b(?:{_GRANTED}s?) waits?\b",
    r"\b(?:we|i am|i'm|we are|we're) (?:waiting|blocked)\b"
    r"|(?:^|: )(?:(?:blocked|waiting) (?:by|for|on|until)|(?:pending|remaining|outstanding):)",
    r"\bthis waits?\b|\bit waits? (?:for|on) (?!the \w+ (?:event|lock|ack|response|signal|promise|query|page|server)\b)"
    rf"[^.;:]{{0,30}}\b(?:{_GRANTED}|{_PERSON})\b",
    rf"\b(?:remaining|outstanding|pending) {_WORK}\b",
    r"\bremains? (?:to be|to do|open|undone|untested|unclear|unsolved|broken|red)\b",
    r"\b(?:comes?|follows?|postponed|deferred|will (?:be )?\w+|should (?:be )?\w+|to be \w+)(?: \w+){0,2} later\b",
    r"\bfor later\b(?! (?:use|reference|processing|reads?|calls?))|(?:^|: |we |i |you )(?:can |could )?(?:do|fix|add)"
    r"[^.;]{0,30} later\b",
    r"\b(?:is|are|what's|nothing|much|lot) left to \w+|\bleft to (?:do|be)\b|\bnext steps?(?: is| are| would|:|$|\.)",
    r"\b(?:could not|couldn't|was unable|unable to)\b|\b(?:i|we) (?:was|were|am|are)(?: not|n't) able to\b"
    r"|\b(?:i|we) (?:had|have) no (?:way|chance|time|means) (?:to|of)\b",
)
_HINT = lazy_pattern(
    r"wait|pending|block|outstanding|remain|later|left to|next step|could not|couldn't|unable|able to|no (?:way"
    r"|chance|time|means)",
    re.IGNORECASE,
)
"""One of these is in every text that `_PERHAPS` finds something in: most sentences have none."""
_IS_HOW_IT_WORKS = lazy_pattern(
    r"\b(?:no|nothing|none)\b[^.;]{0,30}\b(?:is|are) left\b|\binstead of \w+ing\b|\bnothing (?:is )?left to do\b",
    re.IGNORECASE,
)
_ON_PURPOSE = lazy_pattern(
    r"\b(?:on purpose|deliberately|by design|stays? supported|for compatibility|so that (?:we|it|both|they)"
    r"|so (?:we|it|both|they) (?:can(?! not)|accepts?|supports?|keeps? working|stays?))\b",
    re.IGNORECASE,
)
_NOW = lazy_pattern(r"\bnow\b", re.IGNORECASE)
_PAST_FAILURE = lazy_pattern(
    r"\b(?:because|since|as|(?<!\bi )was|were|cause|reason|bug)\b.*"
    r"\b(?:could not|couldn't|was unable|unable to|hasn't|later)\b"
    r"|\blater\b.*\bfailed\b|\b(?:could not|couldn't|was unable|unable to)\b.*\bnow\b",
    re.IGNORECASE,
)


_ASKS_FIRST = _any(
    rf"\b(?:{_PERSON}|(?-i:[A-Z][a-zà-ÿ]{{2,20}})(?<!s))\b[^.;]{{0,40}}\b(?:wants?|wanted|plans?|planned|prefers?|has"
    r"|have|needs?|would like|going) to "
    r"(?:ask|check|decide|discuss|confirm|talk|clarify|think|try|wait|approve|agree|look|see|verify|test)\b"
    r"[^.;]{0,60}\b(?:first|before)\b",
    r"\b(?:du|ihr|sie|wir|kunde|chef(?:in)?|team)\b[^.;]{0,30}\b(?:wolltes?t?|willst|will|wollen|möchtes?t?|musst"
    r"|muss)\b"
    r"[^.;]{0,30}\b(?:erst|zuerst|vorher|noch)\b[^.;]{0,60}"
    r"\b(?:fragen|klären|abstimmen|prüfen|entscheiden|besprechen|nachsehen|testen)\b",
)
"""Somebody wants to ask or decide first: what was proposed waits for that."""


def waits_for_a_word(text: str) -> bool:
    """Does something wait until somebody has asked or decided? "You said you want to ask the baker first" does."""
    text = text[:_LONGEST_READ]
    return _ASKS_FIRST.search(text) is not None and not _NOTHING.search(text)


_IS_UNDECIDED = _any(_UNDECIDED)


def is_undecided(text: str) -> bool:
    """Does it say that nobody has decided yet?"""
    return _IS_UNDECIDED.search(text[:_LONGEST_READ]) is not None


_NOTHING = _any(
    r"\b(?:nothing|none|nobody|no one|no (?:[\w-]{1,30} ){0,3}?[\w-]{1,30})(?: [\w'/-]{1,30}){0,4}? "
    r"(?:to do|left|pending|outstanding|needed|required|necessary|remains?|remaining|open|blocked|missing"
    r"|(?:has|have|had|needs?|needed) (?:to\b|an?\b))(?! by\b| for\b)[^.;,:]{0,60}",
    r"\b(?:no|nothing) (?:else|more|further)\b[^.;,:]{0,60}",
    r"\bthere (?:is|are) no (?:remaining|outstanding|pending|open|known|further|more|need)\b[^.;,:]{0,60}",
    r"\b(?:do|does|did)(?: not|n't|n’t) (?:need|have) (?:to|an?)\b[^.;,:]{0,80}",
    r"\b(?:nichts|niemand|keine?[rnms]?)\b[^.;,:]{0,60}\b(?:offen|aus|zu tun|nötig|übrig|erforderlich|fehlt|fehlen|tun"
    r"|getan werden)\b[^.;,:]{0,20}|\bnicht (?:nötig|erforderlich|notwendig)\b"
    r"|\boffen (?:ist|sind|bleibt) (?:nichts|keine)\b",
)
"""Nothing is open, nobody has to do anything. "Nobody has tested it yet" is open."""
_AFTER_ALL = _any(r"\b(?:yet|until|unless|still|noch nicht|bis|first)\b")


_HANDED_ON = _any(
    rf"[;,:—–] (?:and |but )?(?:that|this|it|they|those|these) waits? (?:for|on|until) (?:{_PERSON}|your"
    rf"|(?:the |an? )?(?:\w{{1,20}} )?{_GRANTED}|(?-i:[A-Z][a-zà-ÿ]{{2,20}})(?<!s))\b",
    rf"[;,:—–] (?:and |but )?(?:{_PERSON}|(?-i:[A-Z][a-zà-ÿ]{{2,20}})(?<!s)) (?:must|has to|have to|needs? to|will) do "
    r"(?:that|it|this|so)\b",
)
"""What was left is somebody else's to do."""


_UNCOVERED = _any(
    r"\b(?:i|we) (?:did not|didn't|have not|haven't) (?:yet )?(?:add|added|write|written|include|included) (?:an? "
    r"|any |the )?"
    r"(?:[\w-]{1,30} )?(?:tests?|docs|documentation|changelog|migrations?|translations?|benchmarks?)\b"
    r"(?![^.;]{0,80}\b(?:because|since|as|already|unchanged|you asked|no need)\b)"
)
"""Work that belongs to the change and is not done."""


_QUOTED_WORDS = lazy_pattern(r"`[^`\n]{0,200} [^`\n]{0,200}`|[“][^”\n]{3,300}[”]")
"""What a tool or somebody else says: the agent leaves nothing open with it."""


def leaves_open(text: str) -> bool:
    text = _QUOTED_WORDS.sub("`…`", text[:_LONGEST_READ])
    if _HANDED_ON.search(text) or _UNCOVERED.search(text):
        return True
    if is_standing(text) or is_fact(text):
        return False
    if is_left_alone(text) and not waits_for_somebody(text):
        return False
    closed = _NOTHING.search(text)  # "No restart is needed, but the docs still need an update."
    if closed and not _AFTER_ALL.search(closed[0]):
        text = f"{text[: closed.start()]}{text[closed.end() :]}"
    if _is_past(text) or _ON_PURPOSE.search(text):
        return False
    if waits_for_somebody(text) or _SIGNED.search(text):
        return True
    if is_remark(text):
        return False
    text = stated(text)
    if _SURELY.search(text):
        return True
    if not _HINT.search(text) or _NOW.search(text) or _IS_HOW_IT_WORKS.search(text):
        return False
    return _PERHAPS.search(text) is not None


def _is_past(text: str) -> bool:
    """ "It failed because the worker could not open the file" tells a cause, and leaves nothing open."""
    return _PAST_FAILURE.search(text) is not None
