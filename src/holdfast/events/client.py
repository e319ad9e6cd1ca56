"""Which program an event came from, as it says itself (EVT-16). What nobody said is unknown, and not guessed.

Claude Code gives its hooks `AI_AGENT=claude-code_2-1-325_harness` (2.1.325), and each line of a transcript its version.
"""

from __future__ import annotations

import re

from msgspec import Struct

CLAUDE_CODE = "claude-code"
UNKNOWN = "unknown"

_SAID = re.compile(r"([A-Za-z][A-Za-z0-9.+ -]{0,63}?)(?:_(\d{1,6}(?:-\d{1,6}){1,3})(?:_[A-Za-z0-9_.-]{0,64})?)?")


class ClientName(Struct, frozen=True):
    """A program and its version, where it is known."""

    name: str
    version: str | None = None


def client_named(said: str) -> ClientName | None:
    """What `AI_AGENT` means; None when it says nothing that could be a name."""
    found = _SAID.fullmatch(said)
    return ClientName(found[1], found[2].replace("-", ".") if found[2] else None) if found else None


def agent_of_transcript(version: str) -> str:
    """What Claude Code of this version would have said."""
    return f"{CLAUDE_CODE}_{version.replace('.', '-')}_transcript" if version else ""
