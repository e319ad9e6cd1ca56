"""A correction by the user: "no, I said …", "don't …", "always …", "we never …", "use X instead of Y" (MEM-31). Pure.

Recognised once, from what a person typed, and handed on as a value. Precision comes first: what is quoted, pasted,
asked, or only told about somebody else is none. Whether it holds beyond its session is for the user to confirm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from holdfast.events.content import without_reminders
from holdfast.events.corrections import momentary, our_way
from holdfast.events.corrections.language import CorrectionKind
from holdfast.events.corrections.reading import kind_of
from holdfast.events.corrections.remember import asked_to_remember, asks_for_the_last, named_a_rule, remembered
from holdfast.patterns import lazy_pattern

__all__ = ["LONGEST", "Correction", "CorrectionKind", "correction_in", "corrections_in"]

LONGEST = 400
MOST = 5
"""Corrections of one prompt."""
_LONGEST_READ = 4_000
_LONGEST_TOLD, _MOST_OF_IT = 400, 0.6
"""The length of a prompt that only corrects, and the share of it that its corrections are."""
_MOST_SENTENCES = 40
_LONGEST_SENTENCE = 600
_PASTE = r">|\||\$ |% |# |\+|-{3}|@@|diff |at \S+\(|File \"|Traceback|\d{4}-\d\d-\d\d[T ]|\[\w+\]|\w+Error\b"
_FENCED = lazy_pattern(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED = lazy_pattern(rf"^[ \t]*+(?:{_PASTE}).*$", re.MULTILINE)
_SAID_BY_OTHERS = lazy_pattern(r"\"[^\"\n]{3,}\"|“[^”\n]{3,}”|`[^`\n]*`|'[^'\n]{12,}'(?!\w)")
_TAGGED = lazy_pattern(r"<([a-zA-Z][\w-]{0,63}+)[^<>]{0,300}+>.*?(?:</\1>|\Z)", re.DOTALL)
_PASTED_FROM = 30
"""Lines from which on a prompt is taken for a pasted text; its first and last paragraph are the person's."""
_ENDS = lazy_pattern(r"(?<=[.!?])\s+|\n+|;\s+|(?<!\s)\s+(?:—|–)\s+")

_STATES = (
    "know think understand remember see care mind worry get have want need forget hesitate bother like find panic you"
    " we they i it the even be seem seems look feel yet a an of in on to so that this all"
)
_NO_ORDER = rf"(?!(?:{'|'.join(_STATES.split())})\b)"
_VERB = rf"{_NO_ORDER}[a-z][a-z-]{{1,24}}"
"""Any verb but those that describe a state: "don't vendor it" orders something, "I don't know" does not."""
_PRESENT = rf"(?!(?:\w{{2,}}ed|seen|been|heard|had|saw|knew|thought|got|made|gave|took|came|went|said|told)\b){_VERB}"
"""As a rule is said, and not a story: "we never answer by mail", not "we never answered"."""
_BASE = rf"(?!\w+[^\Wsui]s\b){_PRESENT}"
"""As an order is given: "always fails on CI" describes a fault."""
_FAULT = r"(?:crash|fail|hang|leak|freez|race|deadlock|timeout|error|exception|panic)"
_NEGATED = lazy_pattern(
    rf"(?:please |and |also |again[,:] |so |but |well,? |hey,? |you (?:should|must) )*(?:(?:do not|don't) {_VERB}"
    rf"|never {_BASE}"
    rf"|(?:stop|quit) (?!{_FAULT})\w+ing|avoid (?!(?:the|this|that|it|these|those|duplicates?|double|extra)\b"
    rf"|(?:an? )?(?:\w+ )?{_FAULT})\w+)\b",
    re.IGNORECASE,
)
_ALWAYS = lazy_pattern(
    rf"(?:please |and |also |so |but )*(?:always|from now on,?(?: please)?(?: always)?|in (?:the )?future,?(?:"
    rf" please)?) {_BASE}\b"
    r"|(?:from now on|going forward|in (?:the )?future)\b,? "
    r"(?!(?:versions?|releases?)\b|\S+ (?:might|may|could|will)\b)\S"
    r"|(?:use|write|run|keep|make|put|call|ask|prefer) [^?]{2,80}\b(?:from now on|going forward)[.!]*\Z"
    r"|prefer [^?,]{2,40} over \S",
    re.IGNORECASE,
)
_WE = lazy_pattern(
    rf"(?:(?:here|remember|no|nope|note|reminder|by the way|btw|fyi|please note)[,:]? )*(?:that )?(?:we|our team"
    rf"|this (?:repo|repository|project|codebase|team|library|crate|package))"
    rf" (?:(?:don't|do not|must not) {_VERB}|(?:never|always|must never|only ever|no longer|only) {_PRESENT})\b",
    re.IGNORECASE,
)
_HERE = lazy_pattern(
    r"(?:(?:no|and|also|remember|note|please)[,:]? )*(?:the |our |all )?[\w -]{2,40}? (?:is|are|stays?|(?:must|should)"
    r" be) always [^?,]{2,60}?(?:\bhere\b|\bin this (?:repo|repository|project|codebase)\b|, ?(?:never|not|no)\b)",
    re.IGNORECASE,
)
"""How things are here: "amounts are always integer cents here, never floats"."""
_INSTEAD = lazy_pattern(
    r"(?:no[,.]? |please |and |so |you should |just |rather )*(?:use|prefer|take|go with|write|call|run|say|return)"
    r" [^?]{2,80}"
    r"(?:\binstead of\b|\brather than\b|, ?not\b|\bnot the\b)",
    re.IGNORECASE,
)
_INSTEAD_LAST = lazy_pattern(
    r"(?:no[,.]? |please |and |so |just )*(?:use|take|go with|write|call|run) [^?]{2,60}\binstead\b[.!]?\Z",
    re.IGNORECASE,
)
_REPAIR = lazy_pattern(
    r"(?:no+|nope|nein|wrong)[,.!: ]+(?:no+[,.!:]+ )?(?:(?:that's|that is|it's|i|you|not|the|we|use|don't|do not|it"
    r"|that|those|these|this)\b|(?:keep|revert|undo|leave|put|make|only|just|take|move|rename|restore|remove|change)"
    r"(?= (?:\S+ ){2}\S))"
    r"|(?:no[,.]? )?(?:i|we)(?: have|'ve)? already (?:said|told you)(?=[,:] \S| (?:that|the|it|this)\b)"
    r"|(?:no[,.]? )?(?:i|as i) (?:said(?! to (?!you))|told you|asked(?: you)? (?:for|to)|meant|wrote|did(?: not|n't)"
    r" (?:ask|say|want|mean))\b"
    r"|(?:that's|that is|this is|it's) (?:plain |just |still )?wrong[,:] \S+ \S"
    r"|we(?: have|'ve)? already (?:discussed|agreed|decided|settled|said|talked about) (?:on )?(?:this|that|it)\b"
    r"|that's not what i\b|that is not what i\b|you (?:forgot|ignored|misread|misunderstood|did it again|keep)\b"
    r"|not (?:what|like) (?:i|that)\b|wrong(?: \w+)?[,:] ",
    re.IGNORECASE,
)
_SPELT = {
    "pls": "please", "plz": "please", "plese": "please", "pleas": "please", "plase": "please",
    "dont": "don't", "dotn": "don't", "don,t": "don't", "do'nt": "don't", "dnt": "don't", "didnt": "didn't",
    "doesnt": "doesn't", "isnt": "isn't", "arent": "aren't", "mustnt": "mustn't", "thats": "that's",
    "u": "you", "ur": "your", "wer": "we", "nevr": "never", "neve": "never", "nver": "never", "neverever": "never",
    "allways": "always", "alway": "always", "alwasy": "always", "allwys": "always", "alwys": "always",
    "formnowon": "from now on", "fromnowon": "from now on", "fromnow,on": "from now on", "insted": "instead",
    "instaed": "instead", "insteadof": "instead of", "insead": "instead", "isaid": "i said", "isad": "i said",
    "imeant": "i meant", "iment": "i meant", "stahp": "stop", "shoud": "should", "shuld": "should",
}  # fmt: skip
_SLOPPY = lazy_pattern(
    r"\b(?:"
    + "|".join(sorted((word for word in _SPELT if word not in ("neverever", "formnowon", "isad", "iment")), key=len))
    + r"|never ever|fo?rm now on|i sad|i ment)\b",
    re.IGNORECASE,
)
_AND = lazy_pattern(
    r",? (?:and|und|y|et) (?:also |auch |además |tambien |también |aussi )?(?=(?:please |pls |bitte )?(?:never|always"
    r"|don't|dont|do not|don’t|avoid|stop|nie|niemals|immer|nicht|keine?n?|nunca|siempre|no|jamais|toujours|ne|n')\b)",
    re.IGNORECASE,
)
_CLAUSES = lazy_pattern(r"[,:] +")
_BEHAVES = r"(?:show|display|render|reload|redirect|emit|crash|throw|flash|scroll|refetch|re-?render|highlight)"
_OF_A_PROGRAM = lazy_pattern(
    rf"(?:please |and |also )*(?:(?:do not|don't|never) {_BEHAVES} (?!me\b|us\b|to me\b)"
    rf"|(?:stop|avoid) {_BEHAVES}(?:t?ing|ing)? (?!me\b|us\b)|avoid \w)"
    r"[^?]{0,200}\b(?:when|if|while|after|on|during|twice|for guests|to guests)\b",
    re.IGNORECASE,
)
"""What a program is to do, and not how to work on it: "Don't show the banner when the flag is off"."""
_REPORTED = lazy_pattern(
    r"(?<!i )(?<!we )\bexpected\b.{1,120}?\b(?:got|but|was|actual|received|found|returned|saw)\b"
    r"|\b(?:shows?|showed|returns?|returned|prints?|printed|outputs?|yields?|gives?|gave|says?) .{1,80}?\b(?:instead of"
    r"|but should|rather than)\b|[=!]==? ?\S|\bgot \S{1,40},? (?:but )?(?:expected|wanted|instead)\b"
    r"|^[^,;:.]{1,60} (?:is|are) (?:broken|failing|not working)\b"
    r"|^(?!(?:[^:]{0,60} )?(?:i|we) (?:\w+ )?(?:said|told|wrote|say)\b)(?:[^,:;]{0,40} )?(?:reviews?"
    r"|reviewer|comment(?:s|ed)?"
    r"|says?|said|wrote|writes|slack|linter|ticket|docs|readme|kommentar|schreibt|sagt|meint)\b[^:;]{0,40}: "
    r"|^(?:\S{1,20} )?wrong (?:output|result|value|total|count|status|exit code|order|type|answer|number|sum)s?\b"
    r"|\bi(?: actually| really| just)? meant to\b"
    r"|\((?:from|says|said by|quoted from|according to|see|aus|laut|von) [^()]{1,80}\)\W*\Z"
    r"|\((?:ticket|issue|bug|story|task|#)[^()]{0,40}\d[^()]{0,20}\)",
    re.IGNORECASE,
)
"""What a program printed, what was meant to be asked, and words with their source: no correction of the agent."""
_OTHERS = lazy_pattern(
    r"\b(?:reviews?|review(?:er|ed)|comment(?:s|ed)?|feedback|remarks?|linter?s?|output|logs?|errors?|warnings?"
    r"|ticket|issue|read ?me|docs|documentation|guidelines?|message|mail|email|slack|wrote|writes|says?|said|told me"
    r"|complains?|reports?|prints?|got|see|quote|prs?|pull request|customer|colleague|boss|stack ?trace|spec"
    r"|kommentare?|anmerkung(?:en)?|rückmeldung(?:en)?|hinweise?|schrieb|schreibt|sagte?|meint|meldet|ausgabe"
    r"|protokoll|fehlermeldung|nachricht|kunde|kollege|kollegin|ergebnis)\b",
    re.IGNORECASE,
)
"""Somebody else's words: what stands below a line that names them and ends with a colon is theirs."""
_OWN = lazy_pattern(r"\b(?:i|we)(?: have|'ve)?(?: already)? (?:said|told|wrote|agreed|mean)\b", re.IGNORECASE)
_LONGEST_HEAD = 300
_ITEM = lazy_pattern(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+")
_NOT_ONE = lazy_pattern(
    r"\b(?:don't (?:know|think|understand|remember|see|care|mind|worry|get|have|want to|need|forget|hesitate|bother"
    r"|like it|find)"
    r"|do not (?:know|think|understand|remember|see|have|need|worry)|never mind|nevermind|always (?:wondered|thought"
    r"|wanted)"
    r"|no (?:worries|problem|idea|rush|need|hurry)|why (?:do|does|don't|did)|i never (?:knew|thought|saw)"
    r"|was (?:fine|ok(?:ay)?|good|working|green)|you (?:were|are) right|you're right|my (?:bad|mistake|fault))\b",
    re.IGNORECASE,
)
_ASKS = lazy_pattern(
    r"(?:why|what|when|where|who|how|can|could|would|should|is|are|does|do(?! not\b)|did|will|shall|may|might|have|has"
    r"|if|whether)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Correction:
    """The user's own words, and what they are."""

    text: str
    kind: CorrectionKind


def correction_in(prompt: str) -> Correction | None:
    """The first correction in a prompt that a person typed; None when there is none, or it is not sure."""
    return next(_found(prompt), None)


def corrections_in(prompt: str) -> list[Correction]:
    """All of them: two rules in one prompt are two."""
    return list({each.text: each for each in islice(_found(prompt), MOST)}.values())


def only_corrects(prompt: str) -> bool:
    """Is a prompt little more than a correction? It tells the agent something, and asks for nothing."""
    if len(prompt) > _LONGEST_TOLD:
        return False
    told = sum(len(each.text) for each in corrections_in(prompt))
    return told >= _MOST_OF_IT * len(prompt.strip()) > 0


def _found(prompt: str) -> Iterator[Correction]:
    prompt = without_reminders(prompt)
    if prompt.lstrip().startswith(("<", "/", "#!", "{", "[")) or "<command-name>" in prompt:
        return
    sentences = _sentences(prompt[:_LONGEST_READ])
    for at, sentence in enumerate(sentences):
        kind = _kind(sentence)
        if not kind and (wanted := _remembered(sentences, at)):
            yield Correction(_whole(wanted, sentences[at + 1 : at + 2])[:LONGEST], "rule")
        elif kind == "rule" and (parts := _rules_of(sentence)):
            yield from (Correction(part[:LONGEST], "rule") for part in parts)
        elif kind == "rule":
            yield Correction(_whole(sentence, sentences[at + 1 : at + 2])[:LONGEST], kind)
        elif kind:
            yield Correction(sentence[:LONGEST], kind)


def _remembered(sentences: list[str], at: int) -> str:
    """What the user asks to be remembered in this sentence, or of it in the next; or what is called a rule."""
    sentence = sentences[at]
    if len(sentence) > _LONGEST_SENTENCE or _REPORTED.search(sentence):
        return ""
    if named := named_a_rule(sentences, at):
        return named
    is_wanted = at + 1 < len(sentences) and asks_for_the_last(sentences[at + 1])
    return remembered(sentence) if is_wanted else asked_to_remember(sentence)


_NO_ALONE = lazy_pattern(r"¡?(?:no+n?|nope|wrong|stop|nein|nee|falsch|faux|mal)[.!]+ (?=(?:\S+ ){2}\S)", re.IGNORECASE)
_SECOND_HALF = lazy_pattern(
    r"(?!(?:please|pls|bitte|can|could|and|also|then|now|so|but|ok(?:ay)?|thanks|the|i|you|we|it|that|this|these|those"
    r"|they|he|she|there|maybe|why|what|if|or)\b)"
    r"(?!.*(?:n't|\b(?:is|are|was|were|be|fail\w*|help\w*|sure|works?|worked|breaks?|broke|broken|seems?|looks?|runs?"
    r"|does|do|did|has|have|had|can|will|would|should|ist|sind|war|waren|wird|geht|läuft|hilft|schlägt|hat|est|sont"
    r"|es|son|está|green|red|ready|done|now|today|yet|still|again|heute|jetzt|noch|wieder))\b)"
    r"(?!(?:only|not|never|always)\b)[\w-]+(?: [\w-]+)? "
    r"(?:only|never|always|not|nowhere|everywhere|except|nur|nie|immer|nicht|überall|seulement"
    r"|jamais|toujours|partout|sólo|solo|nunca|siempre)\b[^?]*|only (?:the|in|for|on|with) [\w-]+[.!]*",
    re.IGNORECASE,
)
_LONGEST_HALF, _LONGEST_WAY = 6, 14
_FORBIDS = lazy_pattern(
    r"\b(?:never|don't|do not|must not|no longer|stop|avoid|nie|niemals|nicht|keine?n?|jamais|pas|nunca|no|mai|non"
    r"|nooit|niet|geen)\b",
    re.IGNORECASE,
)
_OTHER_WAY = lazy_pattern(
    r"(?:(?:use|prefer|write|call|name|stick to|go with)|(?:nimm|nutze?|verwende|schreibe?|nenne?|benenne)"
    r"|(?:utilise|préfère|écris|nomme|mets)|(?:usa|utiliza|prefiere|escribe|pon)|(?:usa|scrivi|chiama)"
    r"|(?:gebruik|schrijf|noem)) (?!(?:it|that|this|these|those|das|dies\w*|ça|ceci|esto|questo|dit|dat)\b)"
    r"(?!.*\b(?:now|today|this time|for the moment|jetzt|heute|diesmal|maintenant|ahora|ora|nu)\b)[^?]+",
    re.IGNORECASE,
)


def _whole(rule: str, after: list[str]) -> str:
    """A rule without a "no." of its own before it, and with its second half: "Cents everywhere, always. Euros only in
    the view", "We never mock the database. Use the container"."""
    half = next((each for each in after if len(each.split()) <= _LONGEST_HALF and _SECOND_HALF.fullmatch(each)), "")
    if not half and after and _FORBIDS.search(_well_spelt(rule)):
        half = next((each for each in after if len(each.split()) <= _LONGEST_WAY and _OTHER_WAY.fullmatch(each)), "")
    bare = _NO_ALONE.sub("", rule, count=1)
    if not half or _kind(half) is not None:
        return bare
    return f"{bare if bare.endswith(('.', '!')) else f'{bare}.'} {half}"


def _rules_of(sentence: str) -> list[str]:
    """The parts of "never … and always …", if each is a rule of its own; else none."""
    parts = [part.strip(" ,") for part in _AND.split(sentence)]
    return parts if len(parts) > 1 and all(_kind(part) == "rule" for part in parts) else []


def _announces_others(line: str) -> bool:
    if len(line) > _LONGEST_HEAD or not line.rstrip().endswith(":"):
        return False
    return _OTHERS.search(line) is not None and not _OWN.search(line)


def _without_others(text: str) -> str:
    """Without the list or the paragraph below a line such as "Review comments from Anna:"."""
    kept: list[str] = []
    state: Literal["", "announced", "list", "paragraph"] = ""
    for line in text.splitlines():
        is_item = _ITEM.match(line) is not None
        if state == "announced" and line.strip():
            state = "list" if is_item else "paragraph"
        if (state == "list" and line.strip() and not is_item and not line[0].isspace()) or (
            state == "paragraph" and not line.strip()
        ):
            state = ""
        if not state:
            kept.append(line)
            state = "announced" if _announces_others(line) else ""
    return "\n".join(kept)


def _sentences(prompt: str) -> list[str]:
    text = _QUOTED.sub("\n", _FENCED.sub("\n", _TAGGED.sub("\n", prompt)))
    text = _without_others(text) if ":" in text and "\n" in text else text
    if text.count("\n") > _PASTED_FROM:
        paragraphs = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
        text = (
            "\n".join((paragraphs[0], paragraphs[-1])) if len(paragraphs) > 1 else paragraphs[0] if paragraphs else ""
        )
        text = text if text.count("\n") <= _PASTED_FROM else ""
    found = [" ".join(part.split()).strip(" -*•") for part in _ENDS.split(text)]
    found = [part for part in found if part][:_MOST_SENTENCES]
    if len(found) > 1 and _ONLY_NO.fullmatch(found[0]):
        found[:2] = [f"{found[0]} {found[1]}"]
    return found


def _kind(sentence: str) -> CorrectionKind | None:
    said = _SAID_BY_OTHERS.sub("“…”", sentence[:_LONGEST_SENTENCE])
    if said.endswith("?") or (len(said.split()) < 3 and not our_way.is_terse(said)):
        return None
    if _REPORTED.search(sentence[:_LONGEST_SENTENCE]) or momentary.waits(said):
        return None
    if (behind := momentary.behind_an_answer(said)) is not None:
        return _kind(behind)
    return _in_english(_well_spelt(said)) or kind_of(said)


def _well_spelt(text: str) -> str:
    """As typed in a hurry, with the words that matter spelt as usual: "pls dont" is "please don't"."""
    plain = text.replace("’", "'").replace("´", "'")
    return _SLOPPY.sub(lambda found: _SPELT.get(found[0].lower().replace(" ", ""), found[0]), plain)


def _in_english(plain: str) -> CorrectionKind | None:
    if _ASKS.match(plain) or _NOT_ONE.search(plain) or _OF_A_PROGRAM.match(plain):
        return None
    if _NEGATED.match(plain) or _ALWAYS.match(plain) or _WE.match(plain):
        return "rule"
    if _INSTEAD.match(plain) or _INSTEAD_LAST.match(plain) or _HERE.match(plain) or our_way.is_rule(plain):
        return "rule"
    if any(_WE.match(part) for part in _CLAUSES.split(plain)[1:]):
        return "rule"  # "Totals are integers, we never use floats."
    return _after_no(plain) or ("repair" if _REPAIR.match(plain) or our_way.refuses(plain) else None)


_ONLY_NO = lazy_pattern(
    r"¡?(?:no+n?|nope|wrong|stop|nein|nee|falsch|faux|mal|(?:please )?(?:don['’]?t|do not))[.!]*", re.IGNORECASE
)
_NO_FIRST = lazy_pattern(r"(?:no+|nope|wrong|stop|remember|reminder|important)[,.!:]+ ", re.IGNORECASE)
_RULED = lazy_pattern(
    r"\b(?:never|always|only ever|no longer|(?:must|may|should|shall|can) (?:not|never|only)|mustn't|must be"
    r"|are not|is not|do not|don't|isn't|aren't|instead)\b",
    re.IGNORECASE,
)
"""Behind a "no, …": how things are here."""
_NO = lazy_pattern(
    r"(?:no+|nope|hey|stop|wait|ok(?:ay)?|and|but|please|thanks|thx|good|great|nice|cool|perfect|again|also|oh|ah"
    r"|btw|by the way|fyi|note|p\.?s\.?|(?:one|another)(?: more)? thing|remember|reminder|important|better)[,.!:]* +",
    re.IGNORECASE,
)


def _after_no(plain: str) -> CorrectionKind | None:
    """What stands behind "no, …", "ok, but …": "No, we never mock the database."."""
    rest = plain
    for _ in range(4):
        found = _NO.match(rest)
        if not found:
            break
        rest = rest[found.end() :]
    if rest == plain or len(rest.split()) < 3:
        return None
    if rest != plain and _NO_FIRST.match(plain) and _RULED.search(rest):
        return "rule"
    matched = (
        _NEGATED.match(rest)
        or _ALWAYS.match(rest)
        or _WE.match(rest)
        or _INSTEAD.match(rest)
        or _INSTEAD_LAST.match(rest)
    )
    return "rule" if matched else None
