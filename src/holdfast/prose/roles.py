"""What the words under a heading or behind a label are: "Root cause", "What I changed", "Tried", "Next steps". Pure.

A clear label decides; under a vague one ("Summary", "Note") the words themselves do.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from holdfast.patterns import lazy_pattern

Role = Literal[
    "files", "tried", "open", "proposal", "advice", "check", "decision", "finding", "change", "result", "confirmed",
    "note", "",
]  # fmt: skip


def _any(*words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(words), re.IGNORECASE)


_BEFORE = lazy_pattern(
    r"(?:(?:the|my|our|actual|actually|real|true|underlying|main|likely|probable|key|short|quick|step|die|der|das"
    r"|eigentliche|tatsächliche)\s+)+",
    re.IGNORECASE,
)
_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("confirmed", _any(r"(?:got it|understood|noted|verstanden|alles klar|acknowledged|will do|notiert|ok(?:ay)?)\b")),
    ("tried", _any(r"(?:also )?(?:considered|alternatives? (?:considered|rejected)|not (?:chosen|taken)|why not)\b"
                   r"|(?:what |things )?(?:i )?(?:have )?(?:also |first )?tried\b|what (?:did(?: not|n't)|does(?: not"
                   r"|n't)) (?:work|help)|(?:did(?: not|n't)|does not) (?:help|work)|dead.?ends?|ruled out|failed"
                   r" (?:attempts?|approach)|(?:first |earlier |previous )?attempts?\b|rejected|discarded|abandoned"
                   r"|what it (?:was not|wasn't)|not used|not the (?:cause|reason|problem)"
                   r"|red herrings?|(?:zuerst )?(?:versucht|ausprobiert"
                   r"|probiert)|verworfen|half nicht|sackgasse|ausgeschlossen")),
    ("files", _any(r"files?\b|(?:changed|modified|touched|edited|new) files?|dateien\b")),
    ("open", _any(r"(?:next|todo|to.?do|remaining|open|follow.?up|not (?:done|yet|part|run|\w{2,15}ed)\b"
                  r"|un(?:tested|verified|tried)\b|limits?\b"
                  r"|limitations?\b|risks?\b|(?:[\w ]{1,10} )?(?:things (?:to|worth|you should) (?:know|note|watch"
                  r"|keep|remember)|thing (?:to|worth|you should) watch)\w*\b|left|outstanding|caveat|still"
                  r"|pending|block(?:ed|ers?)|known (?:issue|limit)"
                  r"|what(?:'s| is) (?:left|missing|next|open)|action (?:needed|required)|you (?:need|have) to"
                  r"|noch (?:offen|zu|nicht)|offen|nicht (?:erledigt|gemacht|enthalten)|nächste"
                  r"|ausstehend|fehlt|pend(?:e|ie)nte|em aberto|abierto|(?:queda|quedan) (?:por|pendiente)|faltan?\b"
                  r"|reste\b|à faire|en attente|da fare|in sospeso|aperto\b|openstaand|nog te doen"
                  r"|do zrobienia|otwarte)")),
    ("proposal", _any("option|alternative|suggestion|idea|proposal|possible|vorschl|möglich")),
    ("advice", _any("recommend|advice|my (?:take|view)|empfehlung")),
    ("check", _any(r"tests?\b|testing|verif|valid|check|proof|how to (?:test|run)|geprüft|prüfung|überprüf")),
    ("decision", _any("decision|decided|agreed|approach|design|choice|rationale|entscheidung|entschieden|beschluss")),
    ("finding", _any(r"found\b(?! it)|root cause|cause|why|finding|diagnos|problem|what (?:was|went|is) wrong"
                     r"|what's wrong"
                     r"|what (?:i|we)(?:'ve| have)? (?:found|saw|see|noticed|discovered|learned|learnt)\b|symptoms?\b"
                     r"|what it (?:was|is)(?! not\b|n't\b)|before(?: (?:this|that|the (?:change|fix)))?\Z|vorher\b"
                     r"|was (?:ich|wir) (?:gefunden|gesehen)\b"
                     r"|antes\b|avant\b|motivo|raison\b|oorzaak|przyczyn"
                     "|what happened|explanation"
                     "|culprit|reason|issue|analysis|ursache|fehlerursache|befund|grund|gründe|auslöser|schuld|causa|warum")),
    ("change", _any(r"fix|changes?|what (?:i|we|changed)\b|solution|implement|lösung|änderung|behoben|umsetzung"
                    r"|geändert|corre[cçz]\w{1,4}n?[eo]?\b|solu[cç]\w{1,3}\b|oplossing|poprawk|arreglo"
                    r"|was (?:ich|wir|sich) |(?:now|after|nachher|jetzt|ahora|después|après|maintenant)\b")),
    ("result", _any("what was|result|summary|done|outcome|what's new|ergebnis|zusammenfassung|erledigt|status"
                    "|update|highlights?|tl;? ?dr|in short|short version|bottom line|upshot|recap|overview"
                    "|long story short|kurz(?:fassung|version|um)?\\b|fazit|en bref|resumen")),
    ("note", _any("note|hinweis|fyi|heads.?up|important|warning|caution|achtung|wichtig"
                  r"|(?:[\w ]{1,10} )?thing (?:to|worth|you should) (?:know|note|keep|remember)\w*\b")),
)  # fmt: skip
_LAST = lazy_pattern(r".*[.!?][ \t]+(?=\S)", re.DOTALL)
"""What stands before the last sentence of a heading: "You're right! Understood"."""
_REASONS = lazy_pattern(r"(?:the )?(?:reasons?|why|rationale|explanation|gründe|warum)\b", re.IGNORECASE)
_WEIGHED = lazy_pattern(r"(?:also )?(?:considered|alternative|not (?:chosen|taken)|why not)", re.IGNORECASE)
"""It was thought of, and not tried."""
_UNTRIED = lazy_pattern(
    r"(?:not (?:tried|tested|covered|measured|verified|checked|included)|un(?:tested|tried))\b", re.IGNORECASE
)
"""It says more than that something is open: without it "More augmentation." reads as if somebody waited for it."""
_USUAL: dict[Role, str] = {"finding": "Cause", "decision": "Decision"}
_LONGEST_LABEL, _LONGEST_PLAIN = 80, 3
_PLAIN: frozenset[Role] = frozenset({"finding", "change", "decision", "open", "tried", "note", "result"})


@lru_cache(maxsize=1_024)
def role_of(label: str) -> Role:
    """What stands under a heading or behind a label; '' when it does not say."""
    bare = _LAST.sub("", label[:_LONGEST_LABEL].strip(), count=1)
    bare = _BEFORE.sub("", bare, count=1) if _BEFORE.match(bare) else bare
    return next((role for role, pattern in _ROLES if bare and pattern.match(bare)), "")


def is_label(words: str) -> bool:
    """Are these words before a colon a label, even if they are not in bold? "TestPages still fails" is none."""
    return len(words.split()) <= _LONGEST_PLAIN and role_of(words) in _PLAIN


_ONLY_OPEN = lazy_pattern(
    r"(?:still |noch )?(?:open|offen|todo|to ?do|next|remaining|left(?: open)?|outstanding|pending|ausstehend"
    r"|next steps?|nächste schritte?|follow.?ups?|open (?:points?|questions?|items?|threads?|issues?)"
    r"|offene (?:punkte|fragen))(?: steps?| work)?",
    re.IGNORECASE,
)
_OPEN_LABEL = lazy_pattern(r"(?P<label>[\w'’ -]{2,28}?)(?::|[ \t][—–-])[ \t]+(?=\S)")


def without_open_label(text: str) -> str:
    """An open thread without a label that says no more than that it is open: it stands among the open threads."""
    found = _OPEN_LABEL.match(text)
    if found is None or not _ONLY_OPEN.fullmatch(found["label"].strip()):
        return text
    rest = text[found.end() :]
    word = rest.split(" ", 1)[0]
    return rest[0].upper() + rest[1:] if word.isalpha() and word.islower() else rest


def label_for(role: Role, label: str, *, inline: bool) -> str:
    """The label that words carry which do not say themselves what they are; '' for none."""
    match role:
        case "tried":
            return label if _WEIGHED.match(label) else "Tried without success"
        case "finding" | "decision":
            return "" if _REASONS.match(label) else label if inline and " " not in label else _USUAL[role]
        case "open":
            return label if inline or _UNTRIED.match(label) else ""
        case _:
            return ""
