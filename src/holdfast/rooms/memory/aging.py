"""What ages, and into what: the decisions of retention. Pure.

The journal is whole while it may still be needed (recovery, the summaries of running work, `why`); then only those
entries stay from which something was made, in a light form; then they go. What was made of them stays much longer, and
summaries and memories stay for good.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

DAY_US = 86_400 * 1_000_000
LIGHT_MARK = '{"holdfast_light":'

_MADE_OF = frozenset({"UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"})
_FRAME = frozenset({"SessionStart", "SessionEnd", "PreCompact", "PostCompact", "SubagentStart"})
_LONGEST = {"prompt": 1_000, "last_assistant_message": 1_000, "error": 300, "reason": 100, "source": 40, "trigger": 40}
_LONGEST_INPUT = 160
_MOST_INPUTS = 4
_LIGHT_SHARE = 4
"""Reads and searches are kept this many times shorter than other observations."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How long what is kept; 0 is for ever. The meaning of each is told in `config.Retention`."""

    journal_whole_days: int = 14
    journal_days: int = 60
    journal_bytes: int = 512 * 1024 * 1024
    observation_days: int = 365


@dataclass(frozen=True, slots=True)
class Ages:
    """The moments before which something happens to what is older; 0 is never."""

    whole: int
    journal: int
    observations: int
    light_observations: int


def ages(policy: Policy, now: int) -> Ages:
    def ago(days: float) -> int:
        return max(0, int(now - days * DAY_US)) if days else 0

    return Ages(
        whole=ago(policy.journal_whole_days),
        journal=ago(policy.journal_days),
        observations=ago(policy.observation_days),
        light_observations=ago(policy.observation_days / _LIGHT_SHARE),
    )


def stays_light(event: str) -> bool:
    """Does an entry stay, in its light form, when the whole ones have gone? The others repeat what these tell."""
    return event in _MADE_OF or event in _FRAME


def light(payload: str) -> str:
    """The light form of a payload: what was asked and said, shortened; whose it was stands in the entry's columns."""
    try:
        whole = msgspec.json.decode(payload)
    except msgspec.MsgspecError:
        whole = {}
    kept: dict[str, Any] = {"holdfast_light": 1}
    if isinstance(whole, dict):
        for name, longest in _LONGEST.items():
            if isinstance(value := whole.get(name), str) and value:
                kept[name] = value[:longest]
        given = whole.get("tool_input")
        if isinstance(given, dict):
            texts = {name: value for name, value in given.items() if isinstance(value, str)}
            kept["tool_input"] = {name: texts[name][:_LONGEST_INPUT] for name in list(texts)[:_MOST_INPUTS]}
    return msgspec.json.encode(kept).decode()


def first_day_kept(days: Iterable[tuple[int, int]], most: int) -> int:
    """Of (day, bytes), the first day of those that fit into `most` bytes, counted from the newest; 0: all fit."""
    listed = sorted(days, reverse=True)
    total = 0
    for at, (_, size) in enumerate(listed):
        total += size
        if total > most:
            return listed[at - 1][0] if at else listed[0][0] + 1
    return 0
