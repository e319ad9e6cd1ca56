"""When a newer sentence says another value of the same thing: "The API limit is 250 requests per minute now." replaces
"The API limit is 100 requests per minute.". Pure.

Precision first: both sentences are about the same subject, the newer names nothing that the older does not, each has
one value of the same kind (a rate, a time, a day, a size, a name), and these differ. Only a sentence that says how it
is now replaces another; how it was stays as it was told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.settled import are_one, words_of
from holdfast.recall.tokens import terms
from holdfast.shell.tools import listed

_LONGEST_READ = 400
_MOST_SENTENCES = 6
_NOW = lazy_pattern(
    r"\b(?:now|from now on|as of|since (?:today|yesterday|monday|this)|instead|no longer|not any ?more|any ?more"
    r"|(?:was|were|is|are|has been|have been|i|we|they|ops|been) (?:now )?(?:moved|raised|lowered|changed|increased"
    r"|reduced"
    r"|decreased|set|switched|bumped|cut|extended|shortened|doubled|halved|upgraded|downgraded|renamed|shifted|limited)"
    r"|(?:moved|raised|lowered|increased|reduced|bumped|changed|switched|shifted|cut|extended"
    r"|upgraded) (?:[\w./`-]{1,40} "
    r"){0,5}?(?:from|to|by)"
    r"|jetzt|nun|ab (?:jetzt|sofort|heute)|künftig|auf \d[\w.,:/ ]{0,20}? (?:erhöht|gesenkt|verschoben|geändert"
    r"|gesetzt)"
    r"|erhöht|gesenkt|angehoben|verschoben|umgestellt|désormais|maintenant|passée? à|dorénavant|ahora"
    r"|a partir de (?:ahora|hoy)"
    r"|adesso|agora)\b",
    re.IGNORECASE,
)
"""It says how it is since a change."""
_WAS = lazy_pattern(
    r"\b(?:from|instead of|rather than|was|were|not|no longer|than|over|previously|before|statt|von|au lieu de"
    r"|en lugar de)"
    r" (?:the |an? |only |about |in |on |at |to )?\Z",
    re.IGNORECASE,
)
"""Before a value that held before."""
_REASON = lazy_pattern(
    r"[,;:]? (?:because|since (?!today|yesterday|monday|this)|so (?:that|the|it|we)|as (?:the|we|it)|which|weil"
    r"|damit|car|porque"
    r"|due to)\b.*|; .*|\(.*?\)|(?:, |— |– )(?:and )?(?:not|no longer)\b.*| (?:instead of|rather than)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ`0-9])|\n")
_UNITS = {
    "ms": "ms", "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "sekunden": "s", "secondes": "s",
    "segundos": "s", "min": "min", "mins": "min", "minute": "min", "minutes": "min", "minuten": "min", "minutos": "min",
    "h": "h", "hour": "h", "hours": "h", "stunde": "h", "stunden": "h", "heures": "h", "horas": "h", "day": "d",
    "days": "d", "tag": "d", "tage": "d", "tagen": "d", "jours": "d", "días": "d", "week": "w", "weeks": "w",
    "wochen": "w", "month": "mo", "months": "mo", "monate": "mo", "year": "y", "years": "y", "jahre": "y",
}  # fmt: skip
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_SECONDS = {"ms": 0.001, "s": 1, "min": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_FIGURES = {
    word: at
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for at, word in enumerate(words.split())
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90,
     "zwanzig": 20, "dreißig": 30, "sechzig": 60, "neunzig": 90}  # fmt: skip
_IN_WORDS = lazy_pattern(rf"\b(?:{'|'.join(_FIGURES)})(?= [a-zà-ÿ]{{3,}})(?! of\b)", re.IGNORECASE)
"""A number in words, before what is counted: "two hours", and not "the one that fails"."""
_DAYS = {
    name: at
    for at, names in enumerate(
        ("monday mon montag lundi lunes", "tuesday dienstag mardi martes", "wednesday mittwoch mercredi miércoles",
         "thursday donnerstag jeudi jueves", "friday freitag vendredi viernes", "saturday samstag samedi sábado",
         "sunday sonntag dimanche domingo")
    )
    for name in names.split()
}  # fmt: skip
_VALUES = lazy_pattern(
    "|".join(
        (
            rf"(?P<rate>\d[\d.,]*) ?(?:[a-zà-ÿ]{{2,20}} )?(?:per|/|an?|pro|par|por) ?(?P<per>{_UNIT})\b",
            r"(?P<time>(?:[01]?\d|2[0-3])[:.h][0-5]\d)(?! ?%)(?: ?(?:am|pm|uhr|utc|cet|h)\b)?"
            r"|(?P<clock>\d{1,2} ?(?:am|pm|uhr))\b",
            rf"(?:\b(?:on|every|each|am|jeden|le|el|cada) )?\b(?P<day>{'|'.join(_DAYS)})s?\b",
            rf"(?P<span>\d[\d.,]*) ?(?P<unit>{_UNIT})\b",
            r"(?P<size>\d[\d.,]*) ?(?P<bytes>[kmgt]i?b|bytes?)\b",
            r"(?P<money>\d[\d.,]*) ?(?P<coin>€|\$|£|eur|usd|chf|gbp|euros?|dollars?|cents?)(?!\w)"
            r"|(?P<sign>[€$£]) ?(?P<sum>\d[\d.,]*)",
            r"(?P<share>\d[\d.,]*) ?(?:%|percent|prozent)",
            r"\b(?P<label>version|port|node|python|postgres(?:ql)?|java|go|ruby|php|release|level|channel|room"
            r"|build) v?(?P<named>\d[\w.]*)",
            r"(?P<count>\b\d[\d.,]*) (?P<noun>[a-zà-ÿ]{3,20})\b",
            r"(?<=[ =:])(?P<bare>\d[\d.,]*)(?![\w.:]*\w)",
        )
    ),
    re.IGNORECASE,
)
"""What can be said of something, with its kind."""
_SENT = lazy_pattern(
    r"\b(?P<verb>sent|posted|mailed|e-?mailed|delivered|goes?|go|written|exported|published|pushed|uploaded|sends?"
    r"|posts?"
    r"|gehen|geht|geschickt|gesendet)(?P<how>(?: (?:out|all|straight))?(?: (?:by|via|to|into|as|per|an|auf"
    r"|nach) (?:the |a )?[\w#@.-]{2,30}){1,2})",
    re.IGNORECASE,
)
"""By which way something goes out: a value, too."""
_MEANS = lazy_pattern(
    r"(?P<head>[^.;,:]{3,80}?) (?P<by>with|via|using|through|by|in|on|at|to|from|is|are|mit|über|auf|avec|con|ist"
    r"|sind) "
    r"(?P<tail>(?!(?:on|in|at|to|with|by|via|auf|mit) )`?[\w.+#/@-]{2,40}`?(?-i: [A-Z][\w.-]{1,30})?)"
    r"(?= now\b| instead\b| jetzt\b| ?[.,;:!]|\Z| (?:because"
    r"|since|which|so|for now|from now)\b)",
    re.IGNORECASE,
)
_USES = lazy_pattern(
    r"\b(?:use|uses|using|nutzen|verwenden|nutzt|verwendet) (?P<tail>`?[\w.+#/@-]{2,40}`?) (?P<by>for|to|as|für"
    r"|als) (?P<head>[^.;,:]{3,80})",
    re.IGNORECASE,
)
_BY_MEANS = frozenset(
    {"with", "via", "using", "through", "mit", "über", "avec", "con", "for", "to do", "für", "als", "as"}
)
_ARRANGED = lazy_pattern(
    r"\b(?:sorted|grouped|ordered|keyed|indexed|rounded|sharded|partitioned|ranked|matched|identified|named|called"
    r"|numbered|spelled|counted|measured|formatted|encoded)\Z",
    re.IGNORECASE,
)
"""By what something is arranged, there is one answer."""
_PLACES = frozenset({"in", "on", "at", "auf"})
_STATE = frozenset({"is", "are", "ist", "sind"})
_NAME = lazy_pattern(r"`.+`|.*[A-Z0-9_./#@].*")
_NO_VALUE = listed(
    "the a an it this that now not done fine ready gone there here open live back green red set used still also only"
    " both all one two out off on up down true false better worse faster slower"
)
_SETTING = frozenset(
    terms(
        "now is are was were be been set moved move moves raised raise lowered changed change changes increased reduced"
        " decreased switched bumped cut extended shortened limited run runs running ran start starts has have had may"
        " can must should allows allowed up to at per every each from on in it the new old value use"
        " uses used instead i we they ops only about utc cet gmt sent posted goes go send post jetzt nun ist sind wird"
        " auf von erhöht gesenkt verschoben läuft laufen désormais maintenant ahora est son es today takes take took"
        " lasts last kept keeps keep lives live"
    )
)
_CLAUSE = lazy_pattern(r"[,;] (?:and |but |und |aber )?| (?:and|but|und|aber) (?=(?:the|an?|die|der|das|ein|eine) )")
_SHORT = 9
"""Words of a sentence that says one thing of one subject."""


@dataclass(frozen=True, slots=True)
class StatedValue:
    kind: tuple[str, str]
    value: str
    held_before: bool
    """It is named as what no longer holds."""


def may_say_a_value(text: str) -> bool:
    """Does it say of anything how it is now?"""
    return _NOW.search(text[:_LONGEST_READ]) is not None


def revalued(new: str, old: str, *, is_change: bool = False) -> str:
    """The sentence of `new` by which a value of `old` no longer holds; '' when it still does. `is_change`: the newer
    work changed the same thing, whatever its words."""
    first = _one(old)
    if not first:
        return ""
    for sentence in _sentences(new):
        if not is_change and not _NOW.search(sentence):
            continue
        clauses = dict.fromkeys((sentence, *_CLAUSE.split(sentence)))
        if is_change and not _ADDS.search(sentence) and (_arranged(sentence, first) or _retold(sentence, first)):
            return sentence
        if any(_other_value(each, first, is_change=is_change) or _other_name(each, first) for each in clauses):
            return sentence
    return ""


def _sentences(text: str) -> list[str]:
    found = (each.strip() for each in _SENTENCE.split(text[:_LONGEST_READ])[:_MOST_SENTENCES])
    return [each for each in found if each and not each.endswith(("?", "？"))]


def _one(old: str) -> str:
    """The sentence of an older title, when it says one thing: a report of much is not replaced by one value."""
    found = _sentences(old)
    return found[0] if len(found) == 1 else ""


_SAYS_ITS_KIND = frozenset(terms("day date time hour limit minimum maximum number size value"))
"""Words that name the kind of a value, and not what has it: "Tuesday is release day"."""


def _other_value(new: str, old: str, *, is_change: bool) -> bool:
    before, after = list(_values(old)), list(_values(new))
    kinds = {each.kind for each in after if not each.held_before}
    ours, theirs = _subject(new), _subject(old)
    same = _is_one_subject(ours, theirs, new, old)
    if not same and is_change:  # work on the same file need not name all of it again
        bare = ours - _SAYS_ITS_KIND
        kinds = {each for each in kinds if each[0] in ("day", "label")} if bare and bare <= theirs else set()
    elif not same:
        return False
    for kind in kinds:
        was = {each.value for each in before if each.kind == kind}
        now = {each.value for each in after if each.kind == kind and not each.held_before}
        if len(was) == len(now) == 1 and was != now:
            return True
    return False


def in_figures(sentence: str) -> str:
    """ "two hours" as "2 hours"."""
    return _IN_WORDS.sub(lambda found: str(_FIGURES[found[0].lower()]), sentence)


def _values(sentence: str) -> Iterator[StatedValue]:
    for found in _VALUES.finditer(sentence := in_figures(sentence)):
        kind, value = _read(found)
        yield StatedValue(kind, value, _WAS.search(sentence[: found.start()]) is not None)


def _read(found: re.Match[str]) -> tuple[tuple[str, str], str]:
    named = {name: words.lower() for name, words in found.groupdict().items() if words}
    number = next(
        (
            named[name].replace(",", "")
            for name in ("rate", "span", "size", "money", "sum", "share", "count", "bare")
            if name in named
        ),
        "",
    )
    if "rate" in named:
        return ("rate", _UNITS[named["per"]]), number
    if "time" in named or "clock" in named:
        return ("time", ""), named.get("time", named.get("clock", "")).replace(".", ":").replace("h", ":")
    if "day" in named:
        return ("day", ""), str(_DAYS[named["day"]])
    if "span" in named:
        return ("span", ""), _span(number, _UNITS[named["unit"]])
    if "size" in named:
        return ("size", ""), f"{number} {named['bytes']}"
    if "money" in named or "sum" in named:
        return ("money", ""), number
    if "share" in named:
        return ("share", ""), number
    if "label" in named:
        return ("label", named["label"]), named["named"]
    if "count" in named:
        return ("count", " ".join(terms(named["noun"]))), number
    return ("bare", ""), number


def _span(number: str, unit: str) -> str:
    """60 minutes are an hour."""
    plain = number.rstrip(".")
    if unit in _SECONDS and plain.replace(".", "", 1).isdigit():
        return f"{float(plain) * _SECONDS[unit]:g} s"
    return f"{number} {unit}"


def _subject(sentence: str) -> frozenset[str]:
    """What a sentence is about: its words without values, reasons and the verbs that set a value."""
    bare = _VALUES.sub(" ", _SENT.sub(" ", _REASON.sub(" ", in_figures(sentence))))
    return words_of(bare) - _SETTING


def _is_one_subject(ours: frozenset[str], theirs: frozenset[str], new: str, old: str) -> bool:
    """Does the newer one name nothing that the older does not? "The timeout of the billing service" is not that of all
    services. A single word is enough where both say no more."""
    if not ours or not ours <= theirs:
        return False
    if len(ours & theirs) > 1:
        return True
    return ours == theirs and max(len(_REASON.sub("", each).split()) for each in (new, old)) <= _SHORT


_ADDS = lazy_pattern(r"\b(?:also|too|as well|another|both|in addition|auch|zusätzlich|aussi|también)\b", re.IGNORECASE)
_SAYS_HOW = lazy_pattern(
    r"(?P<head>[^.;,:]{3,60}? (?:is|are|ist|sind|werden|wird|est|sont|son) (?P<verb>\w{4,14})) (?P<how>[^.;:]{3,80})",
    re.IGNORECASE,
)
_BE = listed("is are was were be been has have had not ist sind wird werden est sont es son")
_LEAST_TAIL, _MOST_NEW, _LEAST_SAME = 2, 4, 0.5
"""Words behind a value that both have; words of the value; the share of a sentence that both have."""


def _arranged(new: str, old: str) -> bool:
    """Do both say how the same thing is named, rounded or sorted? There is one answer."""
    after, before = _SAYS_HOW.match(_REASON.sub("", new)), _SAYS_HOW.match(_REASON.sub("", old))
    if after is None or before is None or not _ARRANGED.search(after["verb"]):
        return False
    heads = [words_of(each["head"]) for each in (after, before)]
    hows = [words_of(each["how"]) - _SETTING for each in (after, before)]
    return heads[0] == heads[1] and bool(hows[0] and hows[1]) and not (hows[0] <= hows[1] or hows[1] <= hows[0])


def _retold(new: str, old: str) -> bool:
    """Is it the same sentence with another value in it: "asks for tabs in all files", "asks for two spaces in all
    files"? Without an end that both have, a second field of a form reads so, too."""
    ours, theirs = (_REASON.sub("", each).rstrip(".! ").lower().split() for each in (new, old))
    ahead = next((at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), 0)
    pairs = enumerate(zip(reversed(ours[ahead:]), reversed(theirs[ahead:]), strict=False))
    behind = next((at for at, (one, other) in pairs if one != other), 0)
    values = [each[ahead : len(each) - behind] for each in (ours, theirs)]
    is_short = all(0 < len(each) <= _MOST_NEW for each in values)
    is_same = ahead + behind >= _LEAST_SAME * max(len(ours), len(theirs))
    says_it = ahead >= _LEAST_TAIL and ours[ahead - 1] not in _BE  # behind "is" stands what is said, and no value
    is_by_one = "by" in ours[:ahead] and behind > 0  # one answer, too
    return says_it and is_short and is_same and (behind >= _LEAST_TAIL or is_by_one)


def _other_name(new: str, old: str) -> bool:
    """Do both say by what, where or what something is, with another name?"""
    for pattern in (_MEANS, _USES):
        after, before = pattern.search(_REASON.sub("", new)), pattern.search(_REASON.sub("", old))
        if after and before and _answer_one_question(after["by"], before["by"]) and _are_names(after, before):
            return True
    return False


def _answer_one_question(ours: str, theirs: str) -> bool:
    """Do both say where, or the same in one word: "is queued in", "is on"?"""
    return ours.lower() == theirs.lower() or {ours.lower(), theirs.lower()} <= _PLACES


def _are_names(after: re.Match[str], before: re.Match[str]) -> bool:
    ours, theirs = after["tail"], before["tail"]
    if ours.lower() == theirs.lower() or {ours.lower(), theirs.lower()} & _NO_VALUE:
        return False
    by = "with" if _ARRANGED.search(after["head"]) and after["by"] == "by" else after["by"].lower()
    if by not in _BY_MEANS and by not in _STATE and not (_NAME.fullmatch(ours) and _NAME.fullmatch(theirs)):
        return False
    heads = [words_of(each["head"]) - _HEADLESS for each in (after, before)]
    if heads[0] != heads[1] and {after["by"].lower(), before["by"].lower()} <= _PLACES:
        heads = [each - _PUT for each in heads]
    least = 1 if by in _STATE or by in _BY_MEANS else 2
    return len(heads[0]) >= least and _are_same(*heads)


def _are_same(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """ "The mail queue" and "mails are queued" are of one thing."""
    return len(ours) == len(theirs) and all(any(are_one(one, other) for other in theirs) for one in ours)


_PUT = frozenset(terms("put kept keep stored store saved held hosted placed live lives lie lies run runs"))
"""They say no more of a place than that something is there."""
_HEADLESS = frozenset(terms("now the a an is are was were we i it our all jetzt die der das wird werden"))
