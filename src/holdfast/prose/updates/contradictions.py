"""When newer words say that older ones no longer hold: "no longer", "instead of", "switched from X to Y". Pure.

Precision first: the older words must say the given-up thing of a subject that the newer words name too. Only words
without any subject ("use uv instead of pip") speak of all. Who may replace whom is decided by rank (`items.ranks`).
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms, unique

_CLAUSE = r"(?P<old>[^.;,:!?\n]{2,80})"
_TO_BUT = r"(?P<old>[^.;,:!?\n]{2,80}?)(?= (?:but|mais|sino|sondern|mas|ma|maar)\b|[.;,:!?\n]|\Z)"
"""A clause, without what holds instead: "plus par wkhtmltopdf mais par WeasyPrint"."""
_MOVED = r"\b(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|went|going)"
_GONE = (
    r"(?:gone|dropped|deprecated|retired|obsolete|abolished|reverted|undone|rolled back|backed out|abgeschafft"
    r"|zurückgenommen|zurückgerollt|rückgängig gemacht|abandonnée?s?|annulée?s?|retirée?s?|abandonad[oa]s?"
    r"|revertid[oa]s?|retirad[oa]s?)"
)


def _patterns(*written: str) -> tuple[re.Pattern[str], ...]:
    return tuple(lazy_pattern(each, re.IGNORECASE) for each in written)


_GIVEN_UP = _patterns(
    rf"{_MOVED} (?:[\w-]+ ){{0,4}}?(?:over )?from {_CLAUSE}? (?:over )?to\b",
    rf"\breplac(?:ed|es|ing) {_CLAUSE}? (?:with|by)\b",
    rf"\b(?:swapped|exchanged|traded) {_CLAUSE}? for\b",
    rf"\b(?:dropped|ditched|abandoned) {_CLAUSE}? (?:in favou?r of|for(?! now| good| later| the)) ",
    rf"\b(?:remplac|reempla[cz]|sustitu|substitu|sostitu)\w{{1,6}} {_CLAUSE}? (?:par|por|con|da)\b",
    rf"\b(?:habe|haben|hat|wurden?|wird|werden|ist|sind) (?:ich |wir )?{_CLAUSE}? (?:durch|gegen) [^.;,:!?\n]{{2,40}}? "
    r"(?:ersetzt|ausgetauscht|getauscht|abgelöst)\b",
    rf"\b(?:instead of|rather than|in place of|as opposed to) {_CLAUSE}",
    rf"\b(?:(?:an)?statt|anstelle (?:von|der|des)|au lieu d(?:e |')|plutôt qu(?:e |')|en (?:lugar|vez) de|em vez de"
    rf"|invece (?:di|che)|in plaats van) ?{_CLAUSE}",
    rf"\b(?:replaces|supersedes) {_CLAUSE}",
    rf", (?:and )?not {_CLAUSE}",
)
"""They name what is given up."""
_DENIED = _patterns(
    rf"\bno longer (?:be |being )?{_TO_BUT}",
    rf"(?:\b(?:not|never)|n['’]t) {_CLAUSE}? any ?(?:more|longer)\b",
    rf"\b(?:nicht (?:mehr|länger|laenger)|ya no|já não|niet (?:meer|langer)) {_TO_BUT}",
    rf"\b(?:non|nicht|keine?[nmrs]?|geen|niet) (?:\w{{1,20}} ){{0,4}}?(?:più|mehr|länger|meer|langer) {_TO_BUT}",
    rf"\b(?:nutz|verwend|brauch)\w{{1,4}} keine?[nmrs]? {_CLAUSE}? mehr\b",
    rf"(?:\bne |\bn['’])\w{{1,20}} plus {_TO_BUT}",
    rf"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bget )\bused to (?:be |have )?{_CLAUSE}",
    rf"\b(?:stopped(?= \w+ing\b)|dropped|abandoned|retired|gave up(?: on)?|got rid of) {_CLAUSE}",
    rf"\b(?:deja(?:mos|ron) de|dej[oóé] de|cessé d(?:e |')) ?{_CLAUSE}",
    rf"(?P<old>[^.;,:!?\n]{{2,60}}?) (?:is|are|was|were|has been|have been) {_GONE}\b",
)
"""They deny what held before."""
_TAKEN_BACK = lazy_pattern(
    rf"(?:\A|[.;\n] *)(?:(?:i|we|i've|we've|so|then|ich habe|wir haben|j'ai|he|hemos) )?"
    rf"(?:(?:rolled back|reverted|backed out|undid|took back|annulé|retiré|revertido|retirado|deshecho) (?!to\b)"
    rf"{_CLAUSE}|(?P<what>[^.;,:!?\n]{{2,60}}?) (?:wieder )?(?:zurückgenommen|zurückgerollt|rückgängig gemacht))",
    re.IGNORECASE,
)
"""They take back a change by the name of what it made."""
_SAID_OF = lazy_pattern(
    r"\b(?:use[sd]?|using|via|with|through|by|on|in|at|to|from|per|as|into|prefer\w*|default\w*|runs?|is|are|was|were"
    r"|always|must|should|requires?|mit|über|per|auf|für|nutzt|verwendet|ist|sind|avec|par|sur|pour|con|por|para)\b",
    re.IGNORECASE,
)
"""Before it stands what a sentence is about, after it what it says of that."""
_BY_MEANS_OF = lazy_pattern(
    r"\b(?:use[sd]?|using|via|with|through|by|on|prefer\w*|mit|nutz(?:t|en)|verwende[nt]|avec|utilis(?:e|ons|ent)|con"
    r"|usa(?:mos|n)?)[ ]+(?:the |an? |our )?(?P<means>[^.;,:!?\n]{1,80})",
    re.IGNORECASE,
)
_ANYONE = (
    r"(?:(?:we|i|please|always|just|now|so|and|then|have|has|'ve|the team|from now on|ich|wir|nous|on|j'ai|avons|hemos"
    r"|he|se ha),? +)*"
)
_OF_ALL = lazy_pattern(
    rf"{_ANYONE}(?:(?:use|using|prefer|take|pick|choose|go with|want) +(?P<what>[^.;,:!?\n]{{1,60}}?))?[ ,]*",
    re.IGNORECASE,
)
_NARROWS = lazy_pattern(
    r"\b(?:for|in|on|at|when\w*|if|only|where|unless|during|inside|within|while|as|from|to|with|für|im|bei|nur|pour"
    r"|dans|para|en)\b",
    re.IGNORECASE,
)
_MADE_OF = lazy_pattern(r"\ban? [\w-]+ in [\w-]+", re.IGNORECASE)
"""A table in Postgres: what it is, not where it holds."""
_REASON = lazy_pattern(
    r",? (?:because|since|as (?:it|they|the|we)|so that|weil|da|denn|parce que|car|puisque|porque|ya que|perché)\b.*",
    re.IGNORECASE,
)
_ENDS = lazy_pattern(r"[.;!?\n]")
_OF_ANY = frozenset(terms("use using support need want have do make run keep it we any them now for"))
"""They say of anything that it was, and not how."""
_FORMER = frozenset(terms("old legacy former previous"))
_ARTICLES = frozenset(terms("der die das den dem le la les el los las il lo i gli de het"))
_LONGEST_READ = 2_000
_SHORT = 8
"""Terms of a memory that is about one thing."""
_LONGEST_WHAT = 4
"""Words that name the thing to use instead."""


def gives_up(new: str) -> bool:
    """Do these words say of anything that it no longer holds?"""
    return any(pattern.search(new) for pattern in (*_GIVEN_UP, *_DENIED, _TAKEN_BACK))


def given_up(new: str, old: str) -> str:
    """The words of `new` by which `old` no longer holds; '' when it still does."""
    new, old = new[:_LONGEST_READ], old[:_LONGEST_READ]
    known = set(terms(old))
    for found in _TAKEN_BACK.finditer(new):
        taken = _without_articles(found["old"] or found["what"])
        if taken and taken == _without_articles(old)[: len(taken)]:
            return " ".join(found[0].split()).strip(" ,.;")
    for patterns, is_denied in ((_GIVEN_UP, False), (_DENIED, True)):
        for pattern in patterns:
            for found in pattern.finditer(new):
                named = set(terms(found["old"])) - _FORMER
                if not named & known:
                    continue
                if _is_of_it(found, named, known, old, is_denied) or (not is_denied and _is_of_all(found, named, old)):
                    return " ".join(found[0].split()).strip(" ,")
    return ""


def _without_articles(text: str) -> list[str]:
    return [term for term in unique(terms(text)) if term not in _ARTICLES]


def _is_of_it(found: re.Match[str], named: set[str], known: set[str], old: str, is_denied: bool) -> bool:
    """Do both speak of one subject, and does the older one say of it what is given up?"""
    if len(named & known) * 2 < len(named):
        return False
    if is_denied and named - known - _OF_ANY:
        return False  # "Orders are no longer sent twice" does not deny that they are sent
    new = found.string
    around = set(terms(f"{new[: found.start('old')]} {new[found.end('old') :]}"))
    if len((around | named) & known) * 3 < len(known):
        return False
    start = max((end.end() for end in _ENDS.finditer(new, 0, found.start())), default=0)
    if is_denied and len(named) >= 2 and named <= known and not terms(new[start : found.start()]):
        return True  # "We stopped vendoring the protobuf files" names its subject itself
    if not around & known:
        return False
    said = _SAID_OF.search(old)
    return is_denied or said is None or bool(named & set(terms(old[said.end() :])))


def _is_of_all(found: re.Match[str], named: set[str], old: str) -> bool:
    """Do the newer words speak of no subject, and is the older text a short one of doing something by that means?"""
    if len(set(terms(old))) > _SHORT:
        return False
    new = found.string
    start = max((end.end() for end in _ENDS.finditer(new, 0, found.start())), default=0)
    end = _ENDS.search(new, found.end())
    before = _OF_ALL.fullmatch(new[start : found.start()].lstrip())
    after = _REASON.sub("", _MADE_OF.sub("", new[found.end() : end.start() if end else len(new)]))
    if before is None or _NARROWS.search(after) or "," in after:
        return False
    if before["what"] and (_NARROWS.search(before["what"]) or len(before["what"].split()) > _LONGEST_WHAT):
        return False
    means = (_NARROWS.split(each["means"], maxsplit=1)[0] for each in _BY_MEANS_OF.finditer(old))
    return any(set(terms(each)) == named for each in means)
