"""The values of this room. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdfast.judging.model import Excused, Finding, RuleDecision


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one call of a tool."""

    decision: RuleDecision = "allow"
    rule: str = ""
    reason: str = ""
    instead: str = ""
    kept: bool = False
    """It may run because the bytes it removes are kept before."""
    parts: tuple[str, ...] = ()
    """The programs that were read, for `guard test`."""
    findings: tuple[Finding, ...] = field(default=())
    excused: tuple[Excused, ...] = ()
    """What would have been refused, and why it was not, for `guard test`."""
