"""Does a sentence mention something that was tried, or suspected, and did not work or was not it? Pure.

Some phrases say it alone: "made no difference", "reverted", "turns out it was not". A word for failing says it only
beside a word for an attempt, because a bug also fails, hangs and loses things. Linear in the sentence.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_NOT = r"(?:n't|n’t| not| never)"
_IT = r"(?:it|that|this|them|these|those|everything)"
_CAUSE = r"(?:cause|culprit|reason|problem|issue|bottleneck|source|answer|solution|fix|way|bug|explanation|case|leak)"
_EFFECT = (
    r"(?:help|work|fix|solve|cure|change|matter|budge|resolve|improve|stick|scale|fly|pan out|take effect"
    r"|do (?:it|much)|make (?:a|any|much) (?:difference|dent)|do (?:anything|the trick)|cut it|get (?:us|me|it|the)"
    r"|break the|go anywhere)"
)
_SPEAKER = r"(?:^|[,;:] ?|\b(?:i|we|i've|we've|and|then|so|had to|have|was|were|been|got) )"
"""Who acts is the one who speaks: "the old code threw it away" mentions no attempt."""
_BEFORE = r"^\W*(?:(?:nope|no|well|sadly|unfortunately|also|and|so|but|even|just|simply|alas|hmm|first|then)[, ]+)*"

_NO_EFFECT = (
    rf"(?:did|does|do|could|would|wo|will|ca|can|has|have|had){_NOT} (?:really |actually |even |seem to |appear to )?"
    rf"{_EFFECT}(?:ed)?(?! the (?:public|api|behaviou?r|meaning|shape))",
    r"(?:no|zero|little|hardly any|without(?: any)?|not the slightest)"
    r" (?:difference|effect|improvement|luck|joy|dice|avail|gain|impact|success|help|use)",
    r"(?:makes?|made|making|see|saw|with) no (?:change|odds|progress)",
    r"(?:is|was|were|proved) (?:therefore )?no (?:use|good|help|better|solution|alternative|option|fix)",
    r"(?:is|was|were|'s)(?:n't| not) (?:enough|the answer|an? (?:option|solution|alternative|fix)|usable|worth)",
    r"(?:do|does|did|doing|bought|buys?|brings?|brought|gained|gains?|changes?|changed|fix(?:es|ed)|solv(?:es|ed)"
    r"|achieved|told|tells) (?:us |me |it )?(?:absolutely |exactly )?nothing",
    r"nothing (?:changed|came of|helped|worked|gained)|nowhere(?! else)|in vain|to no avail|futile|pointless|useless",
    r"unusable|waste of time|wasted|no amount of|(?:neither|none of|nothing|not) .{0,60}\bhelped|neither .{2,80} nor",
    r"neither helped|left .{0,60}(?:untouched|unchanged|as (?:it|they) (?:was|were))",
    r"fail(?:s|ed) (?:too|again|as well|all the same|the same way|exactly as|just as)",
)
_TAKEN_BACK = (
    rf"{_SPEAKER}(?:have |then |therefore |just |quickly |finally |promptly )?"
    r"(?:revert(?:ed|ing)|undid|undone|undo|back(?:ed|ing) (?:\w+ )?out|roll(?:ed|ing) (?:.{1,40} )?back"
    r"|scrapp(?:ed|ing)|ditch(?:ed|ing)|shelv(?:ed|ing)|discard(?:ed|ing)|abandon(?:ed|ing)|bin(?:ned|ning)"
    r"|gave up|giving up|given up|walked .{1,30} back|unwound|backtracked"
    r"|restored the (?:snapshot|backup|old|original))",
    rf"{_SPEAKER}(?:took|take|pulled|pull|ripped|rip|put|threw|thrown)"
    rf" (?:{_IT}|(?:my|the|our) [\w ]{{2,30}}) (?:back|away|(?:back )?out)",
    rf"{_SPEAKER}(?:went|go|gone|going) back to",
    r"drop(?:ped|ping)? (?:the|that|this|my) (?:idea|attempt|plan|approach|experiment)|remov(?:ed|ing) my",
    r"it(?:'s| is|s) gone|(?:that|this|it|which)(?:'s| is) out|out again$|no longer worth",
)
_NOT_IT = (
    rf"turn(?:s|ed) out .{{0,60}}\b(?:is|was|were|did|does|had)?{_NOT}",
    r"turned out (?:to be )?(?:too |im|un|wrong|useless|slower|worse|harmless|broken|incompatible)\w*",
    r"(?:is|was|were|'s|are)(?:n't|n’t| not) (?:actually |really |even )?"
    rf"(?:it|the {_CAUSE}|to blame|at fault|involved|related|responsible)",
    r"not it either|^not the \w+|is(?:n't| not)$|red herring|false (?:lead|start|alarm|trail)|wild goose",
    r"rabbit hole|blind alley|dead[- ]end|cul-de-sac|non-?starter|lost cause|barking up|bad idea|was a mistake",
    r"wrong (?:approach|lead|track|path|tree|place|direction|guess|turn|hypothesis|idea)|misdiagnosed|misled",
    r"(?:my|our|the|this|that) (?:first |initial |original )?(?:guess|theory|hypothesis|hunch|suspicion|assumption)\b"
    r".{0,60}\b(?:was|is|did|does|turned|fell|fail(?:s|ed)|wrong)",
    r"(?:suspect(?:ed)?|blam(?:ed|ing)|assumed|thought|looked like|seemed|figured|had been my)\b.{0,120}"
    r"\b(?:but|it is(?:n't| not)|it isn't|wrongly|yet|however|wasn't|was not)",
    r"rul(?:ed|ing) (?:\w+ ){0,4}out|exclud(?:ed|ing) (?:the|that|this|it)|eliminat(?:ed|ing) (?:the|that|this|it) as",
    rf"(?<=[:,;–—] )not the {_CAUSE}|innocent|exonerat\w+|nothing to do with",
)
_WARNED = (
    r"(?:do|did)(?:n't| not) (?:try|retry|bother|repeat|go down|do) (?:that|this|it|with|again)|never again|not worth",
    r"no point (?:in|to)|off the table|won't fly|no way to|impossible|not (?:an option|viable|feasible|possible)",
    r"(?:can't|cannot|can not|could not|couldn't) (?:be used|use|be done|be made to work|do (?:that|this|it))",
    r"(?:been|went|gone) down (?:the|that|this) road|already tried|tried (?:that|this|it) (?:already|before)",
    r"made (?:it|things|matters|everything|the [\w ]{2,40}) (?:worse|slower|flakier|harder)|backfired",
    r"rejected the (?:idea|approach|plan)",
)
_ATTEMPT = (
    rf"{_BEFORE}(?!(?:no|some|any|every)?thing|during|string|missing|remaining|pending|looking|reading|running|checking"
    r"|being)[a-z]{2,}ing",
    rf"{_BEFORE}(?!failed|broken|blocked|need)(?:[a-z]{{3,}}ed|tried|took|set|put|ran|gave|went|built)",
    r"(?:i|we|i've|we've)(?: have| had| also| first| then| even)*"
    r" (?:tried|gave|went|put|set|ran|built|[a-z]{3,}ed)",
    r"(?:tried|attempt(?:ed|ing)?|experiment(?:ed|ing)?)(?=.{0,200}\b(?:but|yet|and|only to|without))",
    r"even (?:with|after|when)|despite|whatever|no matter|after (?:\w+ ){0,3}\w+ing|same after|^with|first attempt",
    r"(?:the|that|this|my|our|a|an|its) (?:[\w'’./-]+ ){0,3}(?:upgrade|downgrade|work-?around|shim|patch|hack|approach"
    r"|change|fix|attempt|idea|trick|switch|fork|wrapper|rewrite|refactoring|route|experiment|option|flag|override)",
    r"instead of .{2,80} (?:is|was|burns|costs|takes)|go(?:ing|es) through",
)
_FAILURE = (
    r"same (?:\w+ ){0,3}(?:error|failures?|crash|result|symptoms?|problem|outcome|trace|timeout|behaviou?r|bug|plan"
    r"|message|exception|hang|thing|story|picture|numbers?|way|\w+error|\w+exception)",
    r"identical (?:\w+ ){0,2}(?:error|failure|trace|crash|result|stack)|(?:exactly )?as before|all the same",
    r"still (?:the same|red|broken|wrong|there|slow|time[sd]?|get|see|flak\w+|throws?|errors?|occurs?|reproduc\w+"
    r"|(?:fail|hang|crash|leak|happen|deadlock)\w*)",
    r"(?:kept|keeps|continu(?:ed|es) to) (?:fail|crash|hang|tim|leak|break|drop|los|throw|return)\w*|persist(?:s|ed)",
    r"came back|is back|comes back|fail(?:s|ed|ing|ure)?|br(?:eaks?|oke|oken)|crash(?:es|ed|ing)?|hangs?|hung",
    r"deadlock(?:s|ed)?|loses?|lost|mangl(?:es|ed)|corrupt(?:s|ed)|swallow(?:s|ed)|regress(?:es|ed|ion)",
    r"ignored|silently dropped|drops? (?:the )?\w+|overwritten|wiped|blocked|reject(?:s|ed)|refus(?:es|ed)",
    r"never (?:gets|got|is|was) \w+|hides? the|(?:only|just) (?:move|delay|hide|shift|mask|help)\w*|delays? the",
    r"worse|slower|flakier|stuck|unable|untouched|too (?:slow|fragile|brittle|expensive|invasive|heavy|risky|many)",
    r"burns|explod(?:es|ed)|blew up|fell over|chok(?:es|ed)|times? out|timed out|rate limit|out of memory|dangling",
    r"never (?:finishes|returns|comes)|nothing$",
)
_GOES_WELL = r"so that|i'll|i will|now (?:pass|work|green)\w*|pass(?:es)? now|works now|fixed (?:it|that|this|the)"


def _any(*cues: str) -> re.Pattern[str]:
    return lazy_pattern(rf"(?<!\w)(?:{'|'.join(cues)})(?!\w)", re.IGNORECASE)


_ALONE = _any(*_NO_EFFECT, *_TAKEN_BACK, *_NOT_IT, *_WARNED)
_WHY = lazy_pattern(r" (?:because|since) ")
_IS_ATTEMPT, _IS_FAILURE, _IS_GOOD = _any(*_ATTEMPT), _any(*_FAILURE), _any(_GOES_WELL)


def is_dead_end(sentence: str) -> bool:
    said = sentence.strip(" .!*_`\"'()")
    if _ALONE.search(said):
        return True
    done = _WHY.split(said, maxsplit=1)[0]  # the reason for a choice may be that something else failed
    return bool(_IS_FAILURE.search(done) and _IS_ATTEMPT.search(done) and not _IS_GOOD.search(said))
