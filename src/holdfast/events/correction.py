"""A correction by the user: "no, I said …", "don't …", "always …", "we never …", "use X instead of Y" (MEM-31). Pure.

Recognised once, from what a person typed, and handed on as a value. Precision comes first: what is quoted, pasted,
asked, or only told about somebody else is none. Whether it holds beyond its session is for the user to confirm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["rule", "repair"]
"""`rule`: how things are done here. `repair`: what the agent got wrong just now."""

LONGEST = 400
_LONGEST_READ = 4_000
_MOST_SENTENCES = 40
_LONGEST_SENTENCE = 600
_PASTE = r">|\||\$ |% |# |\+|-{3}|@@|diff |at \S+\(|File \"|Traceback|\d{4}-\d\d-\d\d[T ]|\[\w+\]|\w+Error\b"
_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED = re.compile(rf"^[ \t]*+(?:{_PASTE}).*$", re.MULTILINE)
_SAID_BY_OTHERS = re.compile(r"\"[^\"\n]{3,}\"|“[^”\n]{3,}”|`[^`\n]*`|'[^'\n]{12,}'(?!\w)")
_TAGGED = re.compile(r"<([a-zA-Z][\w-]{0,63}+)[^<>]{0,300}+>.*?(?:</\1>|\Z)", re.DOTALL)
_PASTED_FROM = 30
"""Lines from which on a prompt is taken for a pasted text; its first and last paragraph are the person's."""
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+|;\s+|(?<!\s)\s+(?:—|–)\s+")

_VERB = (
    r"(?:use|using|add|adding|touch|touching|change|changing|commit|committing|push|pushing|run|running|write"
    r"|writing|create|creating"
    r"|delete|deleting|remove|removing|edit|editing|mock|mocking|call|calling|import|importing|rename|renaming"
    r"|refactor|refactoring"
    r"|put|putting|make|making|do|doing|skip|skipping|format|formatting|merge|merging|rebase|rebasing|install"
    r"|installing|upgrade"
    r"|rewrite|rewriting|introduce|introducing|keep|leave|store|log|hard-?code|commit|amend|force|squash|bump"
    r"|disable|ignore"
    r"|catch|swallow|assume|guess|invent|generate|modify|move|copy|include|return|throw|raise|deploy|test|start|stop"
    r"|ever|just"
    r"|go|ask|answer|explain|apologi[sz](?:e|ing)|summari[sz]e|comment|document|wrap|round|cast|parse|read|open|send|set"
    r"|reset|break)"
)
_NEGATED = re.compile(
    rf"(?:please |and |also |again[,:] |so |but |well,? |hey,? )*(?:do not|don't|dont|never|stop|avoid|quit) {_VERB}\b",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    rf"(?:please |and |also |so |but )*(?:always|from now on,?(?: please)?(?: always)?|in (?:the )?future,?(?:"
    rf" please)?) {_VERB}\b"
    r"|(?:from now on|going forward|in (?:the )?future)\b,? \S",
    re.IGNORECASE,
)
_WE = re.compile(
    rf"(?:(?:here|remember|no|nope|note|reminder|by the way|btw|fyi|please note)[,:]? )*(?:that )?(?:we|our team"
    rf"|this (?:repo|project|codebase|team))"
    rf" (?:never|always|don't|do not|must never|must not|only ever|no longer|only) {_VERB}\w*\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:no[,.]? |please |and |so |you should |just |rather )*(?:use|prefer|take|go with|write|call|run|say|return)"
    r" [^?]{2,80}"
    r"(?:\binstead of\b|\brather than\b|, ?not\b|\bnot the\b)",
    re.IGNORECASE,
)
_INSTEAD_LAST = re.compile(
    r"(?:no[,.]? |please |and |so |just )*(?:use|take|go with|write|call|run) [^?]{2,60}\binstead\b[.!]?\Z",
    re.IGNORECASE,
)
_REPAIR = re.compile(
    r"(?:no+|nope|nein|wrong)[,.!:]+ (?:that's|that is|it's|i|you|not|the|we|use|don't|do not|it)\b"
    r"|(?:no[,.]? )?(?:i|as i) (?:said|told you|asked(?: you)? (?:for|to)|meant|wrote|did(?: not|n't) (?:ask|say"
    r"|want|mean))\b"
    r"|that's not what i\b|that is not what i\b|you (?:forgot|ignored|misread|misunderstood|did it again|keep)\b"
    r"|not (?:what|like) (?:i|that)\b|wrong[,:] ",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,:] +")
_NOT_ONE = re.compile(
    r"\b(?:don't (?:know|think|understand|remember|see|care|mind|worry|get|have|want to|need|forget|hesitate|bother"
    r"|like it|find)"
    r"|do not (?:know|think|understand|remember|see|have|need|worry)|never mind|nevermind|always (?:wondered|thought"
    r"|wanted)"
    r"|no (?:worries|problem|idea|rush|need|hurry)|why (?:do|does|don't|did)|i never (?:knew|thought|saw))\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:why|what|when|where|who|how|can|could|would|should|is|are|does|do|did|will|shall|may|might|have|has|if"
    r"|whether)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Correction:
    """The user's own words, and what they are."""

    text: str
    kind: Kind


def correction_in(prompt: str) -> Correction | None:
    """The correction in a prompt that a person typed; None when there is none, or it is not sure."""
    if prompt.lstrip().startswith(("<", "/", "#!", "{", "[")) or "<command-name>" in prompt:
        return None
    for sentence in _sentences(prompt[:_LONGEST_READ]):
        kind = _kind(sentence)
        if kind:
            return Correction(sentence[:LONGEST], kind)
    return None


def _sentences(prompt: str) -> list[str]:
    text = _QUOTED.sub("\n", _FENCED.sub("\n", _TAGGED.sub("\n", prompt)))
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


def _kind(sentence: str) -> Kind | None:
    plain = _SAID_BY_OTHERS.sub("“…”", sentence[:_LONGEST_SENTENCE])
    if len(plain.split()) < 3 or plain.endswith("?") or _ASKS.match(plain) or _NOT_ONE.search(plain):
        return None
    if _NEGATED.match(plain) or _ALWAYS.match(plain) or _WE.match(plain):
        return "rule"
    if _INSTEAD.match(plain) or _INSTEAD_LAST.match(plain):
        return "rule"
    if any(_WE.match(part) for part in _CLAUSES.split(plain)[1:]):
        return "rule"  # "Totals are integers, we never use floats."
    return _after_no(plain) or ("repair" if _REPAIR.match(plain) else None)


_ONLY_NO = re.compile(r"(?:no+|nope|wrong|stop)[.!]*", re.IGNORECASE)
_NO_FIRST = re.compile(r"(?:no+|nope|wrong|stop)[,.!:]+ ", re.IGNORECASE)
_RULED = re.compile(
    r"\b(?:never|always|only ever|no longer|(?:must|may|should|shall|can) (?:not|never|only)|mustn't|must be"
    r"|are not|is not|do not|don't|isn't|aren't|instead)\b",
    re.IGNORECASE,
)
"""Behind a "no, …": how things are here."""
_NO = re.compile(
    r"(?:no+|nope|hey|stop|wait|ok(?:ay)?|and|but|please|thanks|good|great|nice|again|also|one more thing"
    r"|remember)[,.!:]* +",
    re.IGNORECASE,
)


def _after_no(plain: str) -> Kind | None:
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
