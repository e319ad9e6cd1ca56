"""The values of this package. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from holdfast.commandline.model import Act, Deed, Run

RuleDecision = Literal["allow", "warn", "ask", "deny"]
STRICTNESS: dict[RuleDecision, int] = {"allow": 0, "warn": 1, "ask": 2, "deny": 3}


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that matched one run."""

    rule: str
    decision: RuleDecision
    reason: str
    instead: str = ""
    command: str = ""
    act: Act | None = None
    targets: tuple[str, ...] = ()
    """Absolute paths that it is about; empty when they are not known."""
    place: str = ""
    """Where the target lies (`places.Kind`)."""
    path: str = ""
    """The target as it reads from the beginning of the line; absolute where that is known."""
    through: bool = False
    """It is written with a slash at its end: of a link, what it leads to is meant."""
    deed: Deed | None = None
    run: Run | None = None
    message: bool = False
    """A rule's own words, which are said as they stand."""


@dataclass(frozen=True, slots=True)
class Excused:
    """A finding that does not count, with the excuse that let it pass."""

    name: str
    says: str
    finding: Finding
