"""What a clause says of a subject, as a value: where it is kept, by what it is made, what it is. Pure; every pattern is
linear in its text.

Two frames of one slot exclude each other: "stored in Postgres" and "stored on the disk" do, "stored in UTC" does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.settled import words_of
from holdfast.recall.tokens import terms, time_terms
from holdfast.shell.tools import listed

_GROUPS = {
    "keep": (
        r"kept|stored|saved|held|put|placed|located|archived|uploaded|written|backed up|copied|moved",
        r"lives?|lies?|lie|sits?|stays?|stay|lands?|moved|goes?|go",
    ),
    "host": (r"hosted|deployed|served|run", r"runs?|run"),
    "make": (r"built|made|done|rendered|generated|created|produced|powered|driven|handled", r"uses?|use"),
    "send": (r"sent|mailed|e-?mailed|posted|delivered|published|pushed", r"leaves?|leave|goes? out|go out"),
}
"""Verbs that say the same kind of thing: what is done with something, and what it does. "It lived in the cache" tells
how it was."""
_DONE_WITH = "|".join(done for done, _ in _GROUPS.values())
_DOES = "|".join(reversed([does for _, does in _GROUPS.values()]))
_PREPOSITION = (
    r"in|on|at|to|into|onto|under|inside|with|by|via|through|over|from|as|per|für|im|auf|mit|über|von|am|bei|an"
    r"|dans|sur"
    r"|par|avec|en|à|con|por|su|da|met|op|naar"
)
_PLACE = listed("in on at to into onto under inside im auf am an bei dans sur en à su op naar")
_MEANS = listed("with by via through over per mit über von par avec con por da met")
_WITH = listed("with mit avec con met")
_FIRST_WORDS = 4
_BETWEEN = r"(?: (?:now|all|always|only|still|first|currently|straight|out|jetzt|nun|désormais|maintenant|ahora))*"
_FORMS = frozenset(
    terms(
        "format form text html json xml csv yaml toml pdf svg png jpeg jpg webp avif gif markdown utf ascii base64 iso"
        " utc gmt cet time zone zeit timezone zeitzone cents euros dollars currency bytes seconds minutes metres paper"
        " a4 a5 a6 english german french spanish italian dutch colour color colors colours uppercase lowercase capitals"
    )
)
_MANNERS = frozenset(
    terms(
        "parallel order sequence turn transaction transactions batch batches bulk piece pieces part parts chunk chunks"
        " size full half pair pairs background advance total once quality resolution step steps row line lines loop"
    )
)
"""What stands behind a verb and its "in" or "at" is no place: the form that something has, and how it is done."""
_SOLE_NAME = lazy_pattern(
    r"`|(?:the |our |der |dem |le |la |el )?(?-i:[A-ZÀ-Þ])[\w.+#-]*|[\w.+#-]{2,30}(?=\Z| (?:as|for|in|on|at|to|since"
    r"|and|or|instead|now|today|als|für|pour|para)\b)",
    re.IGNORECASE,
)
_IS_SO_MUCH = lazy_pattern(
    r"(?:bit|little|lot|few|couple|third|quarter|half|second|minute|hour|day|week|month|year|bisschen|wenig|peu|poco)\b",
    re.IGNORECASE,
)
"""It says how much, how long or how late, and not what something is."""
_FRAME = lazy_pattern(
    rf"(?P<subject>[^.;:,]{{2,80}}?){_BETWEEN} (?:(?:is|are|get|gets|have been"
    rf"|has been){_BETWEEN} (?P<done>{_DONE_WITH}"
    rf"|[a-z-]{{3,20}}ed)|(?P<does>{_DOES})){_BETWEEN}(?: (?P<by>{_PREPOSITION})\b)? (?P<rest>[^.;:,]{{2,120}})",
    re.IGNORECASE,
)
_BRACKET = lazy_pattern(
    rf"(?P<subject>[^.;:,]{{2,80}}?) (?:wird|werden|ist|sind|liegt|liegen|läuft"
    rf"|laufen){_BETWEEN} (?P<by>{_PREPOSITION})"
    r" (?P<rest>[^.;:,]{2,100}?)(?: (?P<verb>(?:[a-zäöüß]{0,8}ge[a-zäöüß]{3,20}|[a-zäöüß]{3,20}iert"
    r"|ver[a-zäöüß]{3,20})))?"
    r"(?: und\b.*)?\Z",
    re.IGNORECASE,
)
"""German: "Termine werden jetzt in UTC gespeichert"."""
_ROMANCE = lazy_pattern(
    rf"(?P<subject>[^.;:,]{{2,80}}?) (?:est|sont|está|están|es|son|se|viene|vengono|è"
    rf"|sono){_BETWEEN} (?P<verb>[\wéè]{{3,20}}"
    rf"(?:é|ée|és|ées|ad[oa]s?|id[oa]s?|at[oaie]|ut[oaie]|an|en)){_BETWEEN} (?P<by>{_PREPOSITION})\b"
    rf" (?P<rest>[^.;:,]{{2,120}})",
    re.IGNORECASE,
)
_IDENTITY = lazy_pattern(
    rf"(?P<subject>[^.;:,]{{2,80}}?) (?:is|are|ist|sind|est|sont|es|son){_BETWEEN} (?:(?P<det>an?|the|eine?|une?"
    rf"|una?) "
    r"(?P<what>[^.;:,]{2,120})|(?P<name>(?-i:[A-Z`][\w.+#/`-]{1,30}\b|\d[\w.]*)[^.;:,]{0,100}))",
    re.IGNORECASE,
)
SO = ("is", "so")
_IS_SO = lazy_pattern(
    rf"(?P<subject>[^.;:,]{{2,80}}?) (?:is|are|have|has|ist|sind|est|sont|es"
    rf"|son){_BETWEEN} (?P<rest>[^.;:,]{{2,120}})",
    re.IGNORECASE,
)
"""How something is excludes nothing, unless its subject names the deed that the older tells."""
_SPAN = lazy_pattern(
    r"\b(?:\d{1,9}(?:[.,]\d{1,9})?|an?|one|two|three|four|five|six|seven|eight|nine|ten|half an?)"
    r" (?:second|minute|hour|day|week|month"
    r"|year|night|evening)s?\b|\b\d{1,2}:\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
    re.IGNORECASE,
)
_AT_A_TIME = lazy_pattern(
    r"(?:about |around |the )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|uhr|h|utc|o'clock))?(?= |\Z)|noon|midnight|night\b"
    r"|weekdays?\b|weekends?\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:first|last) (?:day|week))",
    re.IGNORECASE,
)
_MOVES = lazy_pattern(r"(?:goes?|go|leaves?|leave|sent|runs?|run|start(?:s|ed)?|mailed|posted)(?: out)?", re.IGNORECASE)
LITTLE = frozenset(
    terms(
        "now all our your the these those each every any we i it they that this new current since today then"
        " always also"
        " still only jetzt nun alle unsere die der das désormais ahora nos les los las from on of for"
    )
)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a clause says of a subject."""

    subject: frozenset[str]
    verb: frozenset[str]
    slot: tuple[str, str]
    """The kind of thing that is said; two of one kind exclude each other."""
    rest: frozenset[str]


def frames_of(clause: str) -> Iterator[Frame]:
    for pattern in (_FRAME, _BRACKET, _ROMANCE):
        if found := pattern.match(clause):
            named = found.groupdict()
            verb = (named.get("verb") or named.get("done") or named.get("does") or "").lower()
            by = (found["by"] or "").lower()
            if by in _WITH and not _SOLE_NAME.match(found["rest"]):
                continue  # "with rounded corners" says what it has, and not by what it is made
            is_when = by in _PLACE and _AT_A_TIME.match(found["rest"]) is not None
            slot = ("when", "") if is_when else (_group(verb, by), _kind(by, found["rest"]))
            yield _framed(found["subject"], verb, slot, found["rest"])
            if not is_when and _MOVES.match(verb) and _SPAN.search(clause, found.end("subject")):
                yield _framed(found["subject"], verb, ("when", ""), found["rest"])
    if found := _IDENTITY.match(clause):
        slot = ("is", "a") if found["det"] else ("is", _shape(found["name"]))
        if found["what"] is None or not _IS_SO_MUCH.match(found["what"]):
            yield _framed(found["subject"], "", slot, found["what"] or found["name"])
    if found := _IS_SO.match(clause):
        yield _framed(found["subject"], "", SO, found["rest"])


def _framed(subject: str, verb: str, slot: tuple[str, str], rest: str) -> Frame:
    return Frame(subject_of(subject), words_of(verb), slot, words_of(rest) - LITTLE)


def subject_of(text: str) -> frozenset[str]:
    return words_of(text) - LITTLE - time_terms()


def _group(verb: str, by: str) -> str:
    for name, verbs in _GROUPS.items():
        if any(re.fullmatch(each, verb) for each in verbs):
            return "make" if name == "host" and _kind(by) == "means" else name
    return " ".join(terms(verb)) or "lies"


def _kind(by: str, rest: str = "") -> str:
    """A place, a form, a manner, or by what it is done: "stored in Postgres", "in UTC" and "in one transaction" do not
    exclude each other."""
    if by not in _PLACE:
        return "means" if by in _MEANS else by
    words = words_of(" ".join(rest.split()[:_FIRST_WORDS]))
    return "form" if words & _FORMS else "manner" if words & _MANNERS else "place"


def _shape(name: str) -> str:
    """Names of one kind look alike: a file, a figure, a product."""
    first = name.split(" ")[0].strip("`")
    return "figure" if first[:1].isdigit() else "code" if re.search(r"[./_]\w", first) else "name"
