"""When a newer sentence says that something is in another state: it is kept elsewhere, done by other means, gone, back,
switched on. Pure; every pattern is linear in its text.

Precision first. "Scans live in the bucket now." replaces "Scans are kept on the local disk.": both say the same kind of
thing of the same subject, and the newer says that it is so since a change. "Scans are checked for viruses now." says
another kind of thing, "new scans live in the bucket" is about fewer, "the bucket has a copy, too" adds something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.frames import LITTLE, SO, Frame, frames_of, subject_of
from holdfast.prose.updates.opposites import DOWN, MISSING, OPPOSITES, STATE_WORDS, STILL
from holdfast.prose.updates.settled import labels_of, words_of
from holdfast.recall.tokens import general_terms, terms, time_terms

_LONGEST_READ = 400
_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+|\n")
_LEAD = lazy_pattern(
    r"(?:(?:decision|decided|done|result|change|fixed|fait|erledigt|hecho|entscheidung|as agreed|ok(?:ay)?|so|and"
    r"|but)"
    r" ?[:,] )|(?:(?:i|we|you)(?: have|'ve)? (?:decided|agreed) (?:that|to) )",
    re.IGNORECASE,
)
_CLAUSE = lazy_pattern(
    r"[;:—–] ?|, (?:and |but |so |und |aber |et |y )?| (?:because|since(?! (?:today|yesterday|this|last|monday"
    r"|then|noon"
    r"|\d))|so that|weil|denn|damit|parce que|car|porque|which|who|while|whereas) ",
    re.IGNORECASE,
)
SINCE_A_CHANGE = lazy_pattern(
    r"(?<!until )(?<!till )(?<!up to )(?<!right )\b(?:now|from (?:now on|today|tonight)|as of|by now|meanwhile"
    r"|instead"
    r"|no longer|not any ?more|any ?more|since (?:today|yesterday|this (?:morning|week)|last \w+|monday|noon"
    r"|\d[\d:.]*)"
    r"|jetzt|nun|ab (?:jetzt|sofort|heute)|seit (?:heute|gestern)|nicht mehr|künftig|désormais|maintenant"
    r"|dorénavant|depuis (?:aujourd'hui|hier)|ahora|ya no|desde (?:hoy|ayer)|adesso|d'ora in poi|non più|voortaan"
    r"|agora|a partir de (?:ahora|hoy|agora))\b",
    re.IGNORECASE,
)
"""It says how it is since a change."""
_ADDS = lazy_pattern(
    r"\b(?:also|too|first|zuerst|d'abord|primero"
    r"|as well|in addition|besides|beside|both|either|another|a copy|additionally|auch|zusätzlich"
    r"|außerdem|aussi|également|también|además|anche|ook)\b",
    re.IGNORECASE,
)
"""What held before still holds."""
_UNSURE = lazy_pattern(
    r"\b(?:should|must|could|would|may|might|will|shall|wants?|plans?|going to|needs? to|has to|have to|if|unless"
    r"|when"
    r"|only for|except|not yet|soll(?:te)?|könnte|wird|wenn|falls|noch nicht|devrait|si|debería|cuando|quand)\b",
    re.IGNORECASE,
)
"""It is planned, or holds in some cases only."""
_LEADS_TO_SOME = lazy_pattern(
    r"(?:in|for|on|at|under|with|within|during|while|inside|outside|für|bei|im|in der|auf|unter|pour|dans|sur|chez|para"
    r"|en|per|nel|voor|bij) (?P<where>[^.;:,]{2,80})\Z",
    re.IGNORECASE,
)
"""What a sentence says before its subject of where that holds: "In tests, sessions are kept in memory"."""
_WHERE = lazy_pattern(r"\b(?:in|at|for|under|im|bei|für|auf|unter) (?P<where>[^.;:,]{2,60})", re.IGNORECASE)
_EVERY = lazy_pattern(r"\b(?:all|every\w*|both|any\w*|alle\w*|jede\w*|tous|toutes|todos|todas)\b", re.IGNORECASE)
PLACES = (
    frozenset(terms("production prod live prd")),
    frozenset(terms("staging stage test testing qa uat preview sandbox dev development demo canary beta pilot")),
)
"""Kinds of places where work runs: what is so on staging says nothing of production."""
_LEAST_SHARED = 2
_FIGURE = lazy_pattern(r"\d")


def other_state(new: str, old: str, *, only_turned: bool = False) -> str:
    """The sentence of `new` by which what `old` says first no longer holds; '' when it still does. `only_turned`: only
    what was off, gone or broken can have changed."""
    first = _first(old)
    frames = () if only_turned else _frames(first)
    if not frames and not _states(first):
        return ""
    for sentence in _sentences(new):
        if _replaces(sentence, first, frames) or _is_gone(sentence, first, frames) or _is_turned(sentence, first):
            return sentence
    return ""


def is_down(text: str) -> bool:
    """Does its first sentence say that something does not work?"""
    return any(at == DOWN for at, _ in _states(_first(text)))


def may_say_a_state(new: str) -> bool:
    """Can it say of anything that it is in another state now?"""
    text = new[: 4 * _LONGEST_READ]
    return bool(SINCE_A_CHANGE.search(text) or _SAYS_GONE.search(text) or any(_says(text)))


@lru_cache(maxsize=4_096)
def _sentences(text: str) -> tuple[str, ...]:
    found = (each.strip() for each in _SENTENCE.split(text[: 4 * _LONGEST_READ])[:12])
    return tuple(each[:_LONGEST_READ] for each in found if each and not each.endswith(("?", "？")))


def _first(old: str) -> str:
    found = _sentences(old)
    return found[0] if found else ""


def _clauses(sentence: str) -> list[str]:
    bare = sentence.rstrip(" .!")
    if lead := _LEAD.match(bare):
        bare = bare[lead.end() :]
    return [part.strip() for part in _CLAUSE.split(bare) if part and part.strip()]


@lru_cache(maxsize=4_096)
def _frames(sentence: str) -> tuple[Frame, ...]:
    """The frames of the clause that a sentence begins with."""
    clauses = _clauses(sentence)
    return tuple(frames_of(clauses[0])) if clauses else ()


def _replaces(sentence: str, old: str, frames: tuple[Frame, ...]) -> bool:
    """Does it say the same kind of thing of the same subject, otherwise, and since a change?"""
    if not frames or not SINCE_A_CHANGE.search(sentence) or _ADDS.search(sentence):
        return False
    known = words_of(old)
    clauses = _clauses(sentence)
    if _is_of_some(clauses, known):
        return False
    for clause in clauses:
        if _UNSURE.search(clause):
            continue
        for ours in frames_of(clause):
            if any(_excludes(ours, theirs, words_of(clause)) for theirs in frames):
                return True
    return False


def _is_of_some(clauses: list[str], known: frozenset[str]) -> bool:
    """Is it said of a place or a case that the older does not name: "In tests, …", "… on staging now"?"""
    if any(words_of(clause) & place - known for clause in clauses for place in PLACES[1:]):
        return True
    leads = (found["where"] for clause in clauses[:-1] if (found := _LEADS_TO_SOME.match(clause)))
    return any(words_of(where) - known - LITTLE - time_terms() for where in leads)


def _is_elsewhere(new: str, old: str) -> bool:
    """Do what stands behind two states name other places: "works in Firefox", "does not work in Safari"?"""
    ours, theirs = (
        frozenset(word for found in _WHERE.finditer(text) for word in words_of(found["where"])) - LITTLE - time_terms()
        for text in (new, old)
    )
    if not ours or not theirs or _EVERY.search(new) or _EVERY.search(old):
        return False
    return bool(ours - theirs) and bool(theirs - ours)


def _excludes(ours: Frame, theirs: Frame, said: frozenset[str]) -> bool:
    if not ours.subject or not _is_one(ours, theirs):
        return False
    names_deed = bool(theirs.verb & ours.subject - theirs.subject)  # "Tickets are numbered by", "Ticket numbers are"
    if not names_deed and (ours.slot != theirs.slot or ours.slot == SO):
        return False
    return bool(ours.rest - theirs.rest - theirs.subject) and not theirs.rest <= said


def _is_one(ours: Frame, theirs: Frame) -> bool:
    """Does the newer one name nothing more? A common word is a subject where the verb is the same, too."""
    subject = ours.subject
    if not subject <= theirs.subject | theirs.verb:
        return False
    telling = subject - general_terms()
    if subject == theirs.subject:
        return bool(telling or (ours.verb and ours.verb == theirs.verb))
    return len(subject) >= _LEAST_SHARED and bool(telling)


_GONE = lazy_pattern(
    r"(?P<what>[^.;:,]{3,60}?) (?:is|are) (?:now |all |both )?(?:gone|out|removed|dropped|retired|history|deleted"
    r"|switched off|turned off)(?: (?:again|now|altogether|for good|everywhere|entirely|completely|too))*\Z"
    r"|(?:(?:i|we)(?:'ve| have)? )?(?:removed|dropped|deleted|retired|got rid of) (?P<which>[^.;:,]{3,60}?)"
    r"(?: (?:again|altogether|for good|everywhere|entirely|completely))*\Z",
    re.IGNORECASE,
)


_AND = lazy_pattern(r",? (?:and|or|und|et|y|e|en) ", re.IGNORECASE)
_BY = (
    r"\b(?:by|with|via|using|through|in|on|mit|über|durch|par|avec|con|por) (?:the |our |der |dem |le |la |el )?{}"
    r"(?![\w-])"
)


def _is_means(thing: str, old: str) -> bool:
    """Does the older say that something is done by this thing, which has a name: "enforced by ESLint"?"""
    name = thing.strip(" `").removeprefix("the ").removeprefix("The ")
    if " " in name or not (_NAME.fullmatch(name) or name[:1].isupper() or name.lower() not in general_terms()):
        return False
    return len(name) > _SHORTEST_NAME and re.search(_BY.format(re.escape(name)), old, re.IGNORECASE) is not None


def _is_whole_subject(thing: str, frames: tuple[Frame, ...]) -> bool:
    """Is it all that the older speaks of: "Tailwind and its config are deleted", "Tailwind is set up"?"""
    about = subject_of(thing)
    is_one = bool(about - general_terms()) and not _SOME.match(thing)
    return is_one and any(about == frame.subject for frame in frames)


_SOME = lazy_pattern(r"\W*(?:an?|one|two|three|some|\d+|old|eine?|une?) ", re.IGNORECASE)
_SHORTEST_NAME = 2
_SAYS_GONE = lazy_pattern(
    r"\b(?:gone|out|removed|dropped|retired|history|deleted|switched off|turned off|got rid of)\b", re.IGNORECASE
)


def _is_gone(sentence: str, old: str, frames: tuple[Frame, ...]) -> bool:
    """Does it say that what the older is about is gone?"""
    if not frames:
        return False
    for clause in _clauses(sentence):
        found = _GONE.match(clause)
        thing = subject_of(found["what"] or found["which"]) if found else frozenset[str]()
        telling = thing - general_terms()
        parts = _AND.split(found["what"] or found["which"] or "" if found else "")
        if telling and any(_is_means(part, old) or _is_whole_subject(part, frames) for part in parts):
            return True
        for frame in frames if telling else ():
            about = frame.subject | frame.verb
            if thing <= about and thing & frame.subject and len(thing) >= _LEAST_SHARED:
                return True
            if thing <= frame.rest and len(thing) >= _LEAST_SHARED and 2 * len(thing) >= len(frame.rest):
                return True
    return False


_NAME = lazy_pattern(r"`[^`]{2,40}`|\b\w+[_/][\w/]*|\b\w+\.\w{1,5}\b|\b[a-z]+[A-Z]\w*|\b[A-Za-z]+\d\w*")


@lru_cache(maxsize=4_096)
def _states(sentence: str) -> tuple[tuple[int, str], ...]:
    """The pairs of which a clause says the first, each with the clause."""
    return tuple(
        (at, clause)
        for clause in _clauses(sentence)
        for at, (was, _) in enumerate(OPPOSITES)
        if was.search(clause) and not _UNSURE.search(clause)
    )


def _says(text: str) -> Iterator[bool]:
    return (is_now.search(text) is not None for _, is_now in OPPOSITES[:-1])


def _is_turned(sentence: str, old: str) -> bool:
    """Does it say the opposite of the same thing?"""
    found = _states(old)
    if not found or any(word == ours and number != theirs for word, number in labels_of(sentence)
                        for ours, theirs in labels_of(old)):  # fmt: skip
        return False
    names = _names(old)
    known = words_of(old)
    for clause in _clauses(sentence):
        if _UNSURE.search(clause) or (_ADDS.search(clause) and at_last(clause)):
            continue
        for at, was in found:
            is_now = OPPOSITES[at][1].search(clause)
            if is_now is None or OPPOSITES[at][0].search(clause):
                continue
            if at == STILL and not SINCE_A_CHANGE.search(sentence):
                continue
            was_said = OPPOSITES[at][0].search(was)
            if was_said and _is_elsewhere(clause[is_now.start() :], was[was_said.start() :]):
                continue
            if at == STILL and was_said and not _says_it_of(clause, was[was_said.end() :]):
                continue
            about = words_of(clause) - STATE_WORDS - LITTLE
            said = about if about - general_terms() else words_of(sentence) - STATE_WORDS - LITTLE
            shared = said & known - STATE_WORDS
            if at == MISSING and not subject_of(was) - STATE_WORDS <= words_of(clause):
                continue
            telling = {each for each in shared if not each.isdigit()} - general_terms()
            subject = subject_of(clause[: is_now.start()]) - STATE_WORDS
            if subject and not subject & known:
                continue
            whole = subject_of(was) - STATE_WORDS
            if len(whole) >= _LEAST_SHARED and whole <= words_of(clause):
                return True
            if telling & names or len(telling) >= _LEAST_SHARED or (telling and subject and subject <= subject_of(was)):
                return True
    return False


def _says_it_of(clause: str, was: str) -> bool:
    """Does it say anew what was still so: of the same thing, or with another figure?"""
    still = words_of(was)
    return bool(still & words_of(clause)) or bool(_FIGURE.search(was) and _FIGURE.search(clause))


def at_last(clause: str) -> bool:
    return clause.rstrip(".! ").lower().endswith(("too", "as well"))


@lru_cache(maxsize=4_096)
def _names(text: str) -> frozenset[str]:
    """The words of names of code, files and folders, where they are no common words."""
    found = frozenset(word for each in _NAME.finditer(text) for word in terms(each[0]))
    return found - general_terms()
