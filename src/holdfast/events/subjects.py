"""Does a sentence say what it is about? "It waits for the event now." does not, "An inline script now sets it." does
not either; "It is safe to retry uploads, because S3 is idempotent." does. Pure.

A sentence that is shown alone must carry its subject. Two facts of grammar decide: a sentence that begins with a
pronoun, a connective or a bare verb goes on from the one before; and an object pronoun in the first clause cannot mean
that clause's own subject, so it means something outside of the sentence. In a later clause it can mean something
inside. Every pattern is linear in its text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from holdfast.patterns import lazy_pattern

Need = Literal["", "better", "must"]
"""`better`: it goes on from the sentence before, and can stand alone without its first word. `must`: alone it says
nothing."""
_LONGEST_READ = 300
_LONGEST_TOPIC, _SURELY_A_TOPIC = 4, 2
_LEAST_OF_A_REPLY = 3
"""Words behind a "no, …" that say something."""


def _words(*written: str) -> str:
    return "|".join("|".join(each.split()) for each in written)


_BE = _words("is are was were isn't aren't wasn't weren't be been")
_AUXILIARY = _words(
    _BE.replace("|", " "),
    "has have had does do did can could may might must will would should shall won't can't cannot doesn't don't didn't"
    " couldn't wouldn't shouldn't hasn't haven't hadn't",
)
_ADVERB = _words(
    "now still also too only just already always never not yet again then often usually simply currently actually"
    " really even mostly"
)
_DETERMINER = _words("the a an its their our your my his her each every all any no both some this that these those")
_PREPOSITION = _words(
    "through by in on with via from at to for under over as after before during since until because between inside"
    " within without per against into"
)
_SUBORDINATE = _words(
    "if when whenever while since because after before although though once unless as until where whereas"
)
_TOLD_AS = lazy_pattern(
    r"(?:root cause|the cause|causes?|reasons?|the reason|fix|fixed|decision|decided|result|results|findings?|notes?|"
    r"nota bene|nb|summary|problem|the problem|issue|bug|solution|answer|todo|to do|next|next steps?|open|still open|"
    r"not done(?: yet)?|not tested(?: yet)?|remaining|left|caveat|warning|update|status|done|changed?|changes|"
    r"conclusion|outcome|explanation|follow-?ups?|why|how|what|in short|the fix|the trick|the catch|important|"
    r"ursache|lösung|entscheidung|cause|décision|causa|nota)",
    re.IGNORECASE,
)
_LABEL = lazy_pattern(r"([^\s:][^:.!?\n]{0,40}?):\s+(?=\S)")

_CONNECTIVE = lazy_pattern(
    r"(?:but|however|and|also|or|so(?! far\b| that\b| \w+ that\b)|then|therefore|thus|hence|otherwise|besides|moreover"
    r"|additionally|furthermore|likewise|meanwhile|in addition|on top of that|as a result|for that reason|in that case"
    r"|because of (?:that|this)|aber|und|mais|et|pero|y|ma|maar|но|и)\b,?\s+",
    re.IGNORECASE,
)
_CHOSEN = lazy_pattern(r"(?:i|we) (?:chose|decided|picked|kept|opted|did so|went)\b|the reason\b", re.IGNORECASE)
_SUBJECT = lazy_pattern(
    r"(?:it(?:'s)?|this|that(?:'s)?|they(?:'re)?|these|those|he|she|which(?= (?:is|was|are|were|means|made)))\b(?!-)",
    re.IGNORECASE,
)
_OTHERS = lazy_pattern(
    rf"(?:both|neither|none|each|all|some|either|others?|another|one|several|most)\s+(?:{_AUXILIARY}|{_ADVERB}"
    r"|pass|fail|work|use|need|run|come|go|take|give|keep|read|write|break|wait)\b"
    r"|same\b|the (?:same|former|latter)\b(?!.{0,120}\bas\b)|(?:half|most|some|all|none|one|two|each|many) of them\b"
    r"|the (?:first|second|third|last|other|new|old|next) ones?\b|the (?:others?|rest)\b(?! (?:of|[a-z-]+))",
    re.IGNORECASE,
)
_FOREIGN = lazy_pattern(
    r"(?:es (?:ist|war|hat|lag|liegt|wird|wurde|geht|kommt|läuft|braucht|fehlt|funktioniert)"
    r"|(?:das|dies|dieser?|diese) (?:ist|war|hat|liegt|lag|wird|wurde|kommt|kam|geht)"
    r"|cela|ça|c'est|c'était|il (?:est|était|a|faut|manque)|elle (?:est|était|a)"
    r"|esto|eso|isso|isto|questo (?:è|era)|dit (?:is|was)|dat (?:is|was)|het (?:is|was|heeft|werkt)"
    r"|er (?:ist|war|wird|wurde|hat)|это|он|она|оно|они)\b",
    re.IGNORECASE,
)
_EMPTY_IT = lazy_pattern(
    rf"(?:it|this)(?:'s| {_BE.replace('|', '| ')}| would be| will be| may be| might be| seems?| seemed| appears?"
    r"| appeared| turns? out| turned out| takes?| took| costs?| helps?| helped| makes? sense| became| remains?)\b"
    r"(?P<told>(?:(?!\b(?:because|since|so|and|but|when|while|if|as)\b)[^.;:]){0,80}?)"
    r"\b(?:to|that|why|how|whether)\s+(?P<matter>[^.;]{3,})",
    re.IGNORECASE,
)
"""An "it" that stands for what follows: "It is safe to retry uploads"."""
_POINTED = lazy_pattern(
    r"(?:this|that|these|those) (?P<noun>[\w./`-]+)(?P<next>(?: [\w./`()-]+)?)",
    re.IGNORECASE,
)
_HERE = lazy_pattern(
    r"(?:repo(?:sitory)?|project|codebase|branch|machine|library|crate|package|module's|service|app|application|team"
    r"|release|version|company|worktree|folder|session)s?\b",
    re.IGNORECASE,
)
"""What is meant needs no sentence before: this repository."""
_WHEN = lazy_pattern(r"(?:week|month|year|sprint|time|morning)\Z", re.IGNORECASE)
_NAME = lazy_pattern(
    r"`[^`]+`|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z]\w*[a-z]\w*[A-Z]\w*|\b[\w.-]+/[\w./-]+|\b\w+\.\w{1,5}\b|\w+\(\)"
    r"|--\w[\w-]*"
)
_BARE_VERB = lazy_pattern(
    rf"(?:(?:{_ADVERB})\s+)*+(?:(?:uses|returns|handles|fails|works|needs|requires|waits|depends|affects|applies|keeps"
    r"|takes|gives|gets|makes|adds|removes|skips|rejects|accepts|validates|expires|throws|raises|sends|supports|allows"
    r"|avoids|prevents|happens|seems|appears|remains|stays|belongs|contains|includes|lives)"
    r"(?= (?:a|an|the|its|their|it|them|this|that|every|each|only|now|when|if|on|for|to|with|without|instead|again|too"
    r"|fine|nothing|no|none|null|nil|true|false|in|as|by|from|under|at|after|during|once|because)\b| [\w-]+[._/(]\w)"
    r"|(?:calls|reads|writes|runs|checks|logs|stores|caches|retries|sets|resets|breaks|crashes|hangs|leaks|starts|stops"
    r"|causes|means|looks|matches)(?= (?:a|an|the|its|it|them|this|every|each|only|nothing|no|none|null|nil)\b)"
    r"|(?:broken|needed|required|possible|reproducible|deprecated|affected|flaky|slow|red)"
    r"(?= (?:on|in|with|for|by|under|since|until|again|too|now)\b)"
    rf"|(?!do\b|don't\b)(?:{_AUXILIARY})(?-i: [a-z]))",
    re.IGNORECASE,
)
_UNDONE = lazy_pattern(
    rf"(?:(?:not|never|still)(?:\s+(?:{_ADVERB}))*+\s+(?:\w+ed|\w+[ia]ble|done|run|built|written|sent|shown|known"
    r"|open|missing|there|here|in place|ready|live|out|sure|clear|possible|to (?:do|be)|with|on|in|for|from|waiting"
    r"|pending|broken|red|flaky)|untested|unverified|unclear|pending|todo)\b(?!\s*:)",
    re.IGNORECASE,
)
_DID_NOT = lazy_pattern(
    r"i (?:have not|haven't|did not|didn't|could not|couldn't|have|did|left|changed|stopped|kept)\b"
    r"(?P<rest>[^.;]*)",
    re.IGNORECASE,
)
_DID_IT = lazy_pattern(
    r"\b(?:\w{1,40}(?:ed|t)|made|wrote|split|cut|put|ran|did|took) (?:it|them|this|that|so|all of (?:it|them))\b[^.;]*",
    re.IGNORECASE,
)
"""A past action on a thing that is not named: "Fixed it."."""
_ELIDED = lazy_pattern(
    rf"(?!\S+(?: \S+){{0,2}} it is\b)(?:[^\s.;:,]+ ){{1,5}}?(?:(?:{_AUXILIARY})(?: not)? ?(?:[.;,—]|\Z)"
    r"|(?:(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|must) not"
    r"|isn't|aren't|wasn't|weren't|do|does|did|has|have|can|could|will|would|should|must) ?:)"
    r"|there (?:is|are|was|were) (?:\d+|one|two|three|four|five|six|several|some|none|more)(?: of them)?"
    r" ?(?:[:.;,]|\Z)",
    re.IGNORECASE,
)
"""The verb is left out, because the sentence before has it: "2018 is not: the file is cut off."."""
_REPLY = lazy_pattern(
    r"(?:yes|no|yep|nope|right|correct|exactly|neither|not (?:that i know|really|quite|yet|any ?more)|i think so"
    r"|as far as i know)"
    r"(?:[,.:;!—-]+\s*|\Z)",
    re.IGNORECASE,
)
_PHRASE = lazy_pattern(rf"(?:{_PREPOSITION})\s", re.IGNORECASE)
_CLAUSE_AFTER = lazy_pattern(
    rf",\s+(?!(?:{_PREPOSITION}|{_SUBORDINATE}|and|or|but|not)\b)"
    rf"(?:(?:{_DETERMINER}|it|we|i|you|they|there|nothing|nobody|only)\s+\S+\s+\S+|\S+\s+(?:{_AUXILIARY})\b"
    r"|[\w./`()-]+\s+\w+(?:s|ed)\b|\S+(?:\s+[^\s,;:]+){3})",
    re.IGNORECASE,
)
_FIRST_CLAUSE = lazy_pattern(
    r"[,;:.!?—–](?=\s|\Z)|\s\(|\b(?:because|so that|which|who|whose"
    r"|that(?! (?:too|as well|either|again|now|still)\b)(?= \w)|when|while|if|unless|until|where|since|although|though"
    r"|but|and then|as soon as|before|after|and|as|than|what|wherever|whenever|how|whom|those (?:who|that|which|of)"
    r"|so (?=it|they|the|that|we|you|an?\b)|without \w+ing|by \w+ing|instead of \w+ing)\b",
    re.IGNORECASE,
)
_OBJECT = lazy_pattern(
    r"(?<!\bmake )(?<!\bmakes )(?<!\bmade )(?<!\bfind )(?<!\bfound )(?<![`%])\b(?:it|them|him)\b"
    r"(?! (?:easy|easier|possible|impossible|hard|harder|clear|clearer|safe)\b)"
    rf"|\b(?:this|that|these|those)\b(?=\s*(?:\Z|too\b|as well\b|either\b|(?:{_AUXILIARY})\b|still\b|now\b|again\b))"
    r"|\bthere\s*\Z",
    re.IGNORECASE,
)
_NOUN_AFTER = lazy_pattern(
    rf"\b(?!(?:{_PREPOSITION}|{_DETERMINER}|of|and|or)\b)[\w.()`-]+ (?:the|a|an|no|one|two|only) \w", re.IGNORECASE
)
"""A noun that no preposition leads to: "For Safari the polyfill stays."."""
_HAS_AUXILIARY = lazy_pattern(rf"\b(?:{_AUXILIARY})\b", re.IGNORECASE)
_SUBORDINATE_FIRST = lazy_pattern(rf"(?:{_SUBORDINATE})\b", re.IGNORECASE)
_IS_WHY = lazy_pattern(r"(?:this|that)(?:'s| is| was) why\b", re.IGNORECASE)
_SAYS_WHAT = lazy_pattern(r"that (?:the|a|an|our|both|every|all|no|`)|those (?:who|that|of)\b", re.IGNORECASE)
_PRONOUN = lazy_pattern(r"\b(?:it|they|this|that|he|she|these|those)\b", re.IGNORECASE)
_NO_NOUN = lazy_pattern(rf"{_AUXILIARY}|{_ADVERB}", re.IGNORECASE)
_ANNOUNCES = lazy_pattern(
    r"\b(?:said|say|told you|repeat|wrote|mentioned|noted|know) (?:it|this|that)\b", re.IGNORECASE
)
_CONTENT = lazy_pattern(r"[\w'-]{3,}")


@lru_cache(maxsize=4_096)
def need(sentence: str) -> Need:
    """What a sentence needs to be understood alone."""
    text = sentence[:_LONGEST_READ].strip().strip("\"'“(").strip()
    reply = _REPLY.match(text)
    if reply:
        rest = text[reply.end() :]
        return "must" if len(rest.split()) < _LEAST_OF_A_REPLY or _of_clause(rest) == "must" else "better"
    label = _LABEL.match(text)
    if label and _TOLD_AS.fullmatch(label[1]):
        text = text[label.end() :]
    elif label and _is_topic(label[1]) and not _ELIDED.match(text):
        return ""
    return _of_clause(text)


_PAST_VERB = lazy_pattern(r"\S \w{3,15}ed (?:the|an?|it|its|our|my|to|by|on|in|with|for|at)\b", re.IGNORECASE)


def _is_topic(words: str) -> bool:
    """Is it the name of something, such as "hero.png" or "The old importer", and no clause?"""
    if len(words.split()) > _LONGEST_TOPIC or _SUBJECT.match(words) or _CONNECTIVE.match(words):
        return False
    if _PAST_VERB.search(words):
        return False  # "`main` refused the push: it is protected" names what happened
    return len(words.split()) <= _SURELY_A_TOPIC or _HAS_AUXILIARY.search(words) is None


def _of_clause(text: str) -> Need:
    if _FOREIGN.match(text) or _OTHERS.match(text) or _ELIDED.match(text):
        return "must"
    joined = _CONNECTIVE.match(text)
    if joined:
        return "must" if _lacks(text[joined.end() :]) else "better"
    if _lacks(text):
        return "must"
    return "better" if _CHOSEN.match(text) else ""


_THEREAFTER = lazy_pattern(
    r"(?:after|before|until|till|since|with|without|besides|despite|apart from|instead of) (?:that|this|then|it|them)"
    r"(?=,| (?:the|an?|our|its|their|no|all|every|each|we|you|i|it|they|he|she|nothing|nobody|everything)\b| `)",
    re.IGNORECASE,
)
""" "After that a plain restart is enough.": after what?"""


def _lacks(text: str) -> bool:
    if _THEREAFTER.match(text):
        return True
    if _SUBJECT.match(text):
        return not _stands_for_itself(text)
    if _BARE_VERB.match(text) and not text.rstrip().endswith(("?", "？")):
        return True
    if _UNDONE.match(text) or _DID_IT.fullmatch(text.rstrip(" .!")):
        return True
    left = _DID_NOT.match(text)
    if left and len(_CONTENT.findall(left["rest"])) < 2:
        return True
    begins = _SUBORDINATE_FIRST.match(text)
    after = _CLAUSE_AFTER.search(text)
    if begins and after:  # "If it fails, the job runs again", "When a job fails, it runs again": one means the other
        first, rest = text[: after.start()], text[after.start() :].lstrip(", ")
        return _SUBJECT.match(rest) is not None and _PRONOUN.search(first) is not None
    if _PHRASE.match(text) and not after:
        return not _has_verb_of_its_own(text)
    return _has_open_object(text)


def _stands_for_itself(text: str) -> bool:
    """Is it "It is safe to retry uploads", "this repository has no CI", "That the cache was shared explains it"?"""
    empty = _EMPTY_IT.match(text)
    if empty:
        return len(_CONTENT.findall(empty["matter"])) >= 2
    if _IS_WHY.match(text):
        return False
    if _SAYS_WHAT.match(text):
        return True
    pointed = _POINTED.match(text)
    if pointed is None or _NO_NOUN.fullmatch(pointed["noun"]):
        return False
    if _WHEN.match(pointed["noun"]):
        return not _lacks(text[pointed.end("noun") :].lstrip(" ,"))
    if _HERE.match(pointed["noun"]) or _HERE.match(pointed["next"].strip()):
        return True
    return _NAME.search(f"{pointed['noun']}{pointed['next']}") is not None


def _has_verb_of_its_own(text: str) -> bool:
    """Does a sentence without a comma that begins with a preposition have a verb? "In main the flag is gone."."""
    clause = re.split(r"[;:.](?:\s|\Z)", text, maxsplit=1)[0]
    if re.match(r"(?:because|if|when|whenever|while|although|though|where|unless|once)\b", clause, re.IGNORECASE):
        return False
    if clause.lower().startswith("to ") and "," in clause:
        return True
    return _NOUN_AFTER.search(clause) is not None or _HAS_AUXILIARY.search(clause) is not None


def _has_open_object(text: str) -> bool:
    """Is there a pronoun in the first clause that means something outside of the sentence?"""
    end = _FIRST_CLAUSE.search(text, 1)
    clause = text[: end.start()].rstrip() if end else text.rstrip()
    if ":" in text and _ANNOUNCES.search(clause):
        return False  # "I said it before: money is in cents"
    if len(clause.split()) < 2:
        return False
    return _OBJECT.search(clause) is not None


def without_connective(sentence: str) -> str:
    """A sentence without the word that ties it to the one before."""
    found = _CONNECTIVE.match(sentence)
    rest = sentence[found.end() :] if found else ""
    if not found or not rest:
        return sentence
    return rest if _NAME.match(rest) else rest[0].upper() + rest[1:]


ABOUT = " (about: "
"""Before what a sentence without a subject is about."""


def about(sentence: str, subject: str, longest: int = 60) -> str:
    """A sentence with a few words of the one that says what it is about."""
    return f"{sentence}{ABOUT}{_cut(subject.partition(ABOUT)[0], longest).rstrip('.')})" if subject else sentence


def _cut(text: str, longest: int) -> str:
    flat = " ".join(text.split())
    if len(flat) <= longest:
        return flat
    part = flat[: longest - 1]
    return f"{part[: part.rfind(' ')] if ' ' in part[longest // 2 :] else part}".rstrip(" ,;:") + "…"


_CUT_OFF = lazy_pattern(
    r"(?P<who>(?:[^\s.;:,]{1,60} ){0,4}?[^\s.;:,]{1,60}) "
    r"(?P<verb>is|are|was|were|has|have|had|can|could|will|would|should|must)"
    r"(?P<not> not|n't)? ?(?P<rest>[:;.,—].*|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_FORMS = {"is": "is|are|was|were", "has": "has|have|had"}
_FORM_OF = {form: kind for kind, forms in _FORMS.items() for form in forms.split("|")}


def completed(sentence: str, before: str) -> str:
    """ "2018 is not: the file is cut off." behind "2019 is loaded." says "2018 is not loaded: the file is cut off."; ''
    when nothing can be filled in."""
    found = _CUT_OFF.match(sentence[:_LONGEST_READ])
    if found is None or (found["rest"].startswith(":") and not found["not"]):
        return ""
    verb = found["verb"].lower()
    forms = _FORMS.get(_FORM_OF.get(verb, ""), verb)
    said = re.search(rf"\b(?:{forms})(?: now| already)? (?!not\b)([a-z]{{3,}}[^.;,:]{{0,40}})", before[:_LONGEST_READ])
    if said is None:
        return ""
    what = said[1].strip().removesuffix(" now").removesuffix(" already")
    return f"{found['who']} {found['verb']}{found['not'] or ''} {what}{sentence[found.start('rest') :]}"
