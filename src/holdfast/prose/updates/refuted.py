"""When somebody says that an explanation was wrong: "so it was not the line endings". Pure; linear in its text."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import general_terms, terms

_LONGEST_READ = 1_200
_WAS_NOT = lazy_pattern(
    # "Nothing that is not in the cache" refutes nothing.
    r"(?:\b(?:it|this)|(?<![\w`)] )\bthat|\b(?:so|and|but|then) that"
    r"|\bthe (?:\w{1,15} )?(?:cause|reason|problem|culprit|issue|bug)) (?:(?:was|is)(?: not|n't|n’t)"
    r"|(?:never )?wasn't) (?:actually |really |only |just )?(?:about |because of |due to |from |caused by )?"
    r"(?:the |an? |our |its |your )?(?P<what>[^.;:,!?\n]{3,60})"
    r"|\b(?:es|das) (?:war|lag|ist) (?:also |doch |gar )?nicht (?:an (?:der|den|dem) |am |die |der |das |wegen )?"
    r"(?P<was>[^.;:,!?\n]{3,60})"
    r"|\bno era(?:n)? (?:por )?(?:el |la |los |las )?(?P<era>[^.;:,!?\n]{3,60})"
    r"|\bce n'était pas (?:le |la |les |l')?(?P<etait>[^.;:,!?\n]{3,60})"
    r"|\bnon era(?:no)? (?:il |la |lo |i |le |gli )?(?P<erano>[^.;:,!?\n]{3,60})"
    r"|\bhet (?:was|lag) niet (?:aan )?(?:de |het )?(?P<lag>[^.;:,!?\n]{3,60})",
    re.IGNORECASE,
)
_EXPLAINS = lazy_pattern(
    r"\b(?:cause|because|reason|due to|likely|probably|presumably|my best|explanation|suspect\w*|causa|ursache|weil"
    r"|vermutlich|wahrscheinlich|porque|parce que|oorzaak|perché|explains?)\b",
    re.IGNORECASE,
)
_NAMED_FIRST = lazy_pattern(
    r"(?:\A|[.!?:\n][^\S\n]{0,4}|\b(?:so|but|then|and) )(?:the |an? |our )?"
    r"(?P<named>(?!(?:if|whether|when|because|since)\b)[^.;:,!?\n]{2,50}?) "
    r"(?:was real\b[^.;:!?\n]{0,12}\b(?:it|that) )?(?:was not|wasn't|wasn’t) "
    r"(?:it(?=[.;,!]|\Z)|(?:actually |really )?the (?:actual |real )?(?:cause|reason|problem|culprit)(?=[.;,!]|\Z))",
    re.IGNORECASE,
)
"""It says outright what was not the cause: "`SameSite` wasn't it", "the N+1 was real, but it wasn't the cause"."""
_EXPLANATION = r"(?:diagnosis|explanation|theory|suspicion|hypothesis)"
_ADMITS = lazy_pattern(
    rf"\b(?:my|the) (?:first|earlier|previous|original|initial) {_EXPLANATION}\b"
    r"(?:(?!\b(?:that|shows?)\b)[^.;:!?\n]){0,40}? (?:was|turned out to be) (?:just |simply |plain )?"
    r"(?:wrong|mistaken|incorrect)\b"
    rf"|\bmy {_EXPLANATION} (?:from|of) [^.;:,!?\n]{{0,30}} was wrong\b|\bmy {_EXPLANATION} was wrong\b"
    r"|\bwiderlegt meine (?:erste|ursprüngliche|frühere) (?:diagnose|vermutung|erklärung|analyse)\b"
    r"|\bmeine (?:erste|ursprüngliche|frühere) (?:diagnose|vermutung|erklärung|analyse) war falsch\b"
    r"|\bmi primera? (?:diagnóstico|explicación|sospecha) (?:era|estaba|fue) (?:equivocad|incorrect|erróne)[oa]\b"
    r"|\bmon premier diagnostic était faux\b|\bma première (?:explication|hypothèse) était fausse\b",
    re.IGNORECASE,
)


def refutes(text: str) -> bool:
    """Do these words say of anything that it was not the cause?"""
    text = text[:_LONGEST_READ]
    return any(form.search(text) for form in (_WAS_NOT, _NAMED_FIRST, _ADMITS))


def admits(text: str) -> str:
    """The words by which the agent says that what it had found before was wrong, without naming it; '' for none."""
    found = _ADMITS.search(text[:_LONGEST_READ])
    return " ".join(found[0].split()) if found else ""


def refuted(new: str, old: str) -> str:
    """The words of `new` by which the explanation `old` was wrong; '' when they do not speak of it."""
    if not _EXPLAINS.search(old[:_LONGEST_READ]):
        return ""
    known = set(terms(old[:_LONGEST_READ]))
    for found in _WAS_NOT.finditer(new[:_LONGEST_READ]):
        what = next(words for words in found.groupdict().values() if words)
        named = set(terms(what)) - general_terms() or set(terms(what))
        if named <= known and (len(named) > 1 or not named <= general_terms()):
            return " ".join(found[0].split())
    return ""


def denied(new: str, old: str) -> str:
    """The words of an agent by which what it had found of a fault was not the cause; '' when it says nothing of it."""
    known = set(terms(old[:_LONGEST_READ]))
    for found in _NAMED_FIRST.finditer(new[:_LONGEST_READ]):
        named = set(terms(found["named"])) - general_terms()
        if named and named <= known:
            return " ".join(found[0].split()).lstrip(".!?: ")
    return ""
