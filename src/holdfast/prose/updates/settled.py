"""Does a sentence say that something was done, and what kind of thing? "Paula ha fusionado la PR" says that something
was merged, "the token is new" that something was renewed. Pure.

What has to be done and what was done are compared by the kind of deed (`deeds`), or by the verb itself ("must be
re-baked", "is re-baked"), and by the words that say what it was done to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.deeds import (
    CAME_TO_NOTHING,
    DEEDS,
    DONE,
    FIGURE,
    MEANING,
    NOT_YET,
    NOTHING_ELSE,
    OF_WORK,
    THINGS,
)
from holdfast.recall.tokens import general_terms, terms, time_terms

ANY = "any"
"""The deed of a sentence that only says "done"."""
_LONGEST_READ = 400
_LEAST_SHARED = 4
"""Letters that two words have in common when one is short for the other: "cert" and "certificate"."""
_DENIED = lazy_pattern(r"(?:\b(?:not|never|nicht|nie|kein\w*|pas|nunca)|n't)(?: \w{1,20}){0,2} \Z", re.IGNORECASE)
_SENTENCE = lazy_pattern(
    r"(?<=[.!?;\n])\s+|\n|(?<=\w),\s+(?=(?:ship|publish|deploy|go|please|now|can|then|so|und|jetzt)\b)"
)
_CLAUSE_ENDS = lazy_pattern(
    r"[,;:] | [—–-] | (?:to|into|because|so|since|by|via|using|with|until|after|and|but|weil|und|per|pero|y|mais|et)\b"
)
_PASSIVE = lazy_pattern(
    r"\b(?:is|are|was|were|been|ist|sind|wurden?|est|sont|était|está|están|fue|fueron)(?: [\w']{1,20}){0,3} \Z",
    re.IGNORECASE,
)
_BE = lazy_pattern(r"(?:is|are|ist|sind|est|sont|está|están|got v?\d[\d.]*)\b", re.IGNORECASE)
_NEEDED_VERB = lazy_pattern(
    r"(?:\b(?:must|has to|have to|needs? to|still to|yet to|should|will have to|will need to)(?: \w{1,20}ly)?(?: be)? "
    r"|\b(?:(?:has|have|is|are|was|were)(?: not|n't)|not yet|not) (?:yet )?(?:been )?|\A(?=\S+ (?:the|an?|all|our"
    r"|both|each|every|this|that|these|those|\d|`)))(?P<verb>[a-z][a-z-]{3,30})",
    re.IGNORECASE,
)
_DONE_VERB = lazy_pattern(
    r"\b(?P<verb>[a-z][a-z-]{2,28}ed)\b|\b(?P<made>rebuilt|redone|reset|bound|shut|read|wrote|written|chose|chosen|drew"
    r"|drawn|spoke|spoken|built|sold|taught|drove|driven|rewrote|rewritten)\b",
    re.IGNORECASE,
)
_BASES = {
    "wrote": "write", "written": "write", "chose": "choose", "chosen": "choose", "drew": "draw", "drawn": "draw",
    "spoke": "speak", "spoken": "speak", "built": "build", "rebuilt": "rebuild", "sold": "sell", "taught": "teach",
    "drove": "drive", "driven": "drive", "rewrote": "rewrite", "rewritten": "rewrite",
}  # fmt: skip
"""Verbs whose past has another stem: "somebody must write it", "Ada wrote it"."""
_PARTICIPLE = lazy_pattern(
    r"\b(?:(?:ab|an|auf|aus|ein|um|zu|nach|weg|los|hoch|neu|frei|über|unter|wieder)?ge[a-zäöüß]{3,20}(?:t|en)"
    r"|(?:ver|be|er|ent|zer)[a-zäöüß]{3,20}t|[a-z]{3,20}iert)\b",
    re.IGNORECASE,
)
"""German: "muss noch gestrichen werden", "ist gestrichen"."""
_INFINITIVE = lazy_pattern(r"\b(?P<stem>[a-zñçéèêáíóú]{3,18})(?:ar|er|ir)\b", re.IGNORECASE)
_ROMANCE = lazy_pattern(r"\b(?P<stem>[a-zñçèéêáíóú]{3,18}?)(?:ad[oa]s?|id[oa]s?|ée?s?)(?!\w)", re.IGNORECASE)
"""Spanish, Portuguese, Italian and French: "migrar" and "migrados", "corriger" and "corrigée"."""
_LABELLED = lazy_pattern(
    r"\b(?!(?:version|release|on|to|at|in|from|by|the|of|is|are|about|and|all)\b)(?P<word>[a-zäöü]{2,20}) "
    r"#?(?P<number>\d{1,6})(?![\w:]|\.\d)",
    re.IGNORECASE,
)
"""Which of several: "rack 4", "ticket 212"."""


@dataclass(frozen=True, slots=True)
class ToldDeed:
    """What a sentence says was done."""

    kinds: frozenset[str]
    words: frozenset[str]
    """What it was done to, and by whom; empty when the sentence names nothing."""
    near: frozenset[str] = frozenset()
    """Those of the clause with the verb."""
    behind: frozenset[str] = frozenset()
    """Those that stand behind the verb: not who did it."""
    labels: frozenset[tuple[str, str]] = frozenset()
    """Which of several: the 4 of "rack 4"."""
    ahead: frozenset[str] = frozenset()
    """Where nobody is said to have done it: those before the verb, all of them are what it was done to."""
    clause: frozenset[str] = frozenset()
    """Those between the commas around the verb: "ran it last night, took 4 minutes" names nothing."""


def deeds_needed(line: str) -> frozenset[str]:
    """The kinds of deeds that a thread waits for; a verb that is of no known kind stands for itself."""
    text = line[:_LONGEST_READ]
    known = frozenset(kind for kind, (needed, _) in DEEDS.items() if needed.search(text))
    verbs = [found["verb"] for found in _NEEDED_VERB.finditer(text)]
    verbs = [verb for verb in verbs if not any(needed.search(verb) for needed, _ in DEEDS.values())]
    stems = [found["stem"] for found in _INFINITIVE.finditer(text)]
    return known | _named(verbs) | _named(_PARTICIPLE.findall(text)) | frozenset(f"={stem.lower()}-" for stem in stems)


def needs_words(line: str) -> frozenset[str]:
    """The words of a thread that say what is to be done, and not to what."""
    text = line[:_LONGEST_READ]
    return words_of(" ".join(found[0] for needed, _ in DEEDS.values() for found in needed.finditer(text))) - THINGS


def _named(verbs: list[str]) -> frozenset[str]:
    bases = (_BASES.get(verb.lower(), verb) for verb in verbs)
    return frozenset(f"={term}" for verb in bases for term in terms(verb.replace("-", "")))


def deeds_told(text: str) -> tuple[ToldDeed, ...]:
    """What the sentences of a text say was done; nothing for a question, an order or what is not done yet."""
    return tuple(deed for deed in all_deeds(text) if any(not kind.startswith("=") for kind in deed.kinds))


@lru_cache(maxsize=2_048)
def all_deeds(text: str, *, figures: bool = False) -> tuple[ToldDeed, ...]:
    """Also those of no known kind. `figures`: who names a figure has measured it."""
    found = (_told(each, figures=figures) for each in _SENTENCE.split(text[: 4 * _LONGEST_READ])[:20])
    return tuple(deed for deed in found if deed)


def _told(sentence: str, *, figures: bool) -> ToldDeed | None:
    text = sentence.strip()[:_LONGEST_READ]
    if not text or text.endswith(("?", "？")):
        return None
    found = {
        kind: match
        for kind, (_, done) in DEEDS.items()
        if (match := done.search(text)) and not _DENIED.search(text[: match.start()])
    }
    for match in _ROMANCE.finditer(text):
        found.setdefault(f"={match['stem'].lower()}-", match)
    if figures and (figure := FIGURE.search(text)):
        found.setdefault("measure", figure)
    for match in (*_DONE_VERB.finditer(text), *_PARTICIPLE.finditer(text)):
        is_known = any(done.search(match[0]) for _, done in DEEDS.values())
        if not is_known and not _DENIED.search(text[: match.start()]):
            found |= dict.fromkeys(_named([match[0]]), match)
    only_done = DONE.search(text)
    if not found and not only_done:
        return None
    matches = [match for match in (*found.values(), only_done) if match]
    first = min(match.start() for match in matches)
    if NOT_YET.search(text[:first]) and not (only_done and only_done.start() == first):
        return None
    if CAME_TO_NOTHING.search(text, first):
        return None
    kinds = frozenset(found) | ({ANY} if only_done else frozenset())
    known = [match for kind, match in found.items() if not kind.startswith("=")]
    said = " ".join(match.group() for match in (*(known or matches), only_done) if match)
    general = NOTHING_ELSE | OF_WORK | (frozenset(terms(said)) - THINGS)
    last = max(match.end() for match in (*known, only_done) if match) if known or only_done else first
    begins = [text[: match.start()] for match in known or matches if _BE.match(match[0])]
    begins += [text[: match.start()] for match in known or matches if _PASSIVE.search(text[: match.start()])]
    ahead = words_of(_last_clause(min(begins, key=len))) - general if begins else frozenset[str]()
    end = _CLAUSE_ENDS.search(text, last)
    behind = text[last : end.start() if end else len(text)]
    near = words_of(f"{_last_clause(text[:last])} {behind}") - general
    comma = text.find(", ", last)
    clause = words_of(text[text.rfind(", ", 0, first) + 1 : comma if comma >= 0 else len(text)]) - general
    clause -= time_terms()
    if things_of(text):  # "PR 88" is any pull request
        clause = frozenset(word for word in clause if not word.replace("_", "").isdigit())
    return ToldDeed(kinds, words_of(text) - general, near, words_of(behind) - general, labels_of(text), ahead, clause)


def _last_clause(text: str) -> str:
    """What stands behind the last comma, or behind the last "and" that joins two clauses: "the icon is new and the
    release is out"."""
    clause = text.rpartition(", ")[2]
    parts = _JOINS.split(clause)
    return parts[-1] if len(parts) > 1 and _VERB.search(" ".join(parts[:-1])) else clause


_JOINS = lazy_pattern(r" (?:and|und|et|y|e|en) ", re.IGNORECASE)
_VERB = lazy_pattern(
    r"\b(?:is|are|was|were|has|have|did|ist|sind|war|hat|est|sont|a|es|está|están|ha)\b", re.IGNORECASE
)


def words_of(text: str) -> frozenset[str]:
    """The terms of a text; things that are often waited for as they are called in English."""
    return frozenset(MEANING.get(term, term) for term in terms(text))


_HANDED_ON = {
    "pull request": lazy_pattern(r"\b(?:prs?|mrs?|pull[ -]requests?|merge[ -]requests?)\b", re.IGNORECASE),
    "ticket": lazy_pattern(r"\b(?:tickets?|issues?)\b", re.IGNORECASE),
}


def things_of(text: str) -> frozenset[str]:
    """What work is handed on in, as far as a text names it."""
    return frozenset(name for name, pattern in _HANDED_ON.items() if pattern.search(text[:_LONGEST_READ]))


def labels_of(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((found["word"].lower(), found["number"]) for found in _LABELLED.finditer(text[:_LONGEST_READ]))


def is_done(
    deed: ToldDeed,
    needed: frozenset[str],
    about: frozenset[str],
    least: int = 1,
    labels: frozenset[tuple[str, str]] = frozenset(),
) -> bool:
    """Does a deed settle what needs such deeds and is about these words? `least`: so many words both must name.

    "Fixed the typo in the README of the import" is not about the import, "the fan in rack 2 was swapped" not about the
    one in rack 4: a deed that names something else it was done to settles only what names all the rest of it, too.
    "c'est mergé" names nothing: see `names_nothing`."""
    same = deed.kinds & needed
    if not same and ANY not in deed.kinds:
        return False
    if not deed.words:
        return False
    unknown = [ours for ours in deed.words - about if not any(are_one(ours, theirs) for theirs in about)]
    shared = len(deed.words) - len(unknown)
    others = frozenset(each for each in unknown if each in deed.near and not each.replace("_", "").isdigit())
    if any(word == ours and number != theirs for word, number in deed.labels for ours, theirs in labels):
        return False
    others -= general_terms() | time_terms()
    done_to = others & (deed.behind | deed.ahead)
    if done_to and not about <= deed.words:
        return False
    if same and shared == 1 and len(others) > 1:
        return False
    return shared >= (least if same else max(2, least)) or (not same and shared == len(deed.words) > 0 and least == 1)


def came_to_nothing(sentence: str) -> bool:
    """Does it say that what was done failed: "I tested it and it hangs"?"""
    text = sentence.strip()[:_LONGEST_READ]
    starts = [match.start() for _, done in DEEDS.values() if (match := done.search(text))]
    return bool(starts) and CAME_TO_NOTHING.search(text, min(starts)) is not None


def names_nothing(deed: ToldDeed, needed: frozenset[str]) -> bool:
    """Is it of a kind that is needed, without a word of what it was done to? It settles what alone waits for it."""
    return not deed.clause and bool(deed.kinds & needed)


def are_one(one: str, other: str) -> bool:
    """Are they one word, or one the beginning of the other: "cert" and "certificate"?"""
    return one == other or (
        min(len(one), len(other)) >= _LEAST_SHARED and (one.startswith(other) or other.startswith(one))
    )
