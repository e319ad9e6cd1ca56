"""A prompt, where it was asked, and what its own words ask for or report. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from holdfast.items.alike import matter_of
from holdfast.items.indexed import FileFacts
from holdfast.items.model import Listener
from holdfast.items.standing_out import BY_VECTOR, LIMITS, Limits
from holdfast.patterns import lazy_pattern
from holdfast.prose.typed import typed
from holdfast.recall.search import Near
from holdfast.recall.tokens import general_terms, telling_terms, terms

MOST_GIVEN, MOST_ASKED_FOR = 3, 8
"""Items that a prompt is given, and that one is given which asks for all of them."""
_DECIDED = lazy_pattern(
    r"\b(?:decid\w*|decisions?|agree\w*|rules?|polic(?:y|ies)|conventions?|prefer\w*|allowed|supposed to|(?:did"
    r"|do) i (?:say|want)"
    r"|i (?:said|told|wanted|asked))\b",
    re.IGNORECASE,
)
_WHY = lazy_pattern(
    r"\b(?:why|how come|reasons?|cause[ds]?|what went wrong|what was (?:it|that)"
    r"|what (?:was|were)\b[^.?!]{0,30}\b(?:bug|problem|issue|fault|error|trouble)"
    r"|was (?:it|that|this) (?:our|a|the) (?:bug|fault|mistake)|warum|wieso|weshalb|ursache|grund|pourquoi|raison"
    r"|por qu[eé]|motivo|causa|come mai|perch[eé]|waarom|oorzaak)\b",
    re.IGNORECASE,
)
LONGEST_ASKED = 2_000
_REPORTS = lazy_pattern(
    r"\b(?:has|have) (?:now |just |finally )?(?:been )?(\w+(?:ed|en|nt|ne))\b|\bworks? (?:again|now)\b"
    r"|\b(?:is|are) (?:now )?(done|live|out|fixed|merged|deployed|released|back|solved|rotated|loaded|there)\b",
    re.IGNORECASE,
)
"""Somebody tells that something is done."""
_WISHES = lazy_pattern(
    r"\b(?:make sure|ensure|check|verify|see|once|when|if|until|unless|after|before|as soon as|whether|wait|so that"
    r"|should|must|(?:has|have|want|need\w*) to)\b[^.;,:!\n]*\Z",
    re.IGNORECASE,
)
"""The clause before the report asks for it, or waits for it."""
_LONGEST_REPORT, _SAME_MATTER = 300, 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt, and where it was asked."""

    text: str
    owner: str
    project_id: str
    who: Listener
    now: int
    files: FileFacts | None = None
    """What happened to the files that items name; None: not known."""
    zone: tzinfo | None = None
    """Where the user's days begin; None: this machine's zone."""
    near: Near | None = None
    direction: Any = None
    """The sentence model's view of the prompt, if there is a model."""
    branch: str = ""
    """The branch that is checked out where it was asked; '' outside git."""
    limits: Limits | None = None
    """None: the usual ones (`held_to`)."""
    kinds: tuple[str, ...] = ()
    """Of these kinds only; empty: all that may be given unasked."""
    again: bool = False
    """What this agent was given before is told again: somebody asks for it."""
    on_request: bool = False
    """And so is what is only kept from those who did not ask (`Indexed.as_told`)."""
    short: bool = False
    """Lines without quotations."""

    @property
    def held_to(self) -> Limits:
        """What an item must reach to be given."""
        return self.limits or (LIMITS if self.direction is None else BY_VECTOR)

    @property
    def own(self) -> str:
        """The user's own words: what was pasted does not say what the prompt is about."""
        return typed(self.text)

    @property
    def told_by_words(self) -> frozenset[str]:
        """The words that say what it is about; none where a sentence model knows that."""
        return telling_terms(self.own) if self.direction is None else frozenset()


def asks_why(prompt: str) -> bool:
    """Does a prompt ask for a cause or a reason?"""
    return _WHY.search(prompt[:LONGEST_ASKED]) is not None


def asks_what_was_decided(prompt: str) -> bool:
    """Does a prompt ask what was decided or said? The user's own words answer that, too."""
    return _DECIDED.search(prompt[:LONGEST_ASKED]) is not None


def is_settled_by(prompt: str, line: str) -> bool:
    """Does a prompt report as done what a line says is not? "ops have rotated the secret" makes old news of it."""
    if len(prompt) > _LONGEST_REPORT or "?" in prompt:
        return False
    reports = [found for found in _REPORTS.finditer(prompt) if not _WISHES.search(prompt[: found.start()])]
    done = [found[1] or found[2] or "" for found in reports]
    report, told = matter_of(prompt), matter_of(line)
    if not done or report.denials or len((report.words & told.words) - general_terms()) < _SAME_MATTER:
        return False
    return told.is_open or (bool(told.denials) and not told.words.isdisjoint(terms(" ".join(done))))
