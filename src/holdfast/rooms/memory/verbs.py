"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast import layout
from holdfast.layout import plain

_SESSION = 8
"""Characters of a session's id; `search --session` takes the whole one, which --json has."""
_ERROR = 60


def costs(result: list[dict[str, Any]], width: int) -> list[str]:
    headings = ("time", "summary", "project", "session", "model", "in", "out", "US$", "error")
    return layout.table(headings, map(_call, result), right=frozenset({5, 6, 7}), columns=width)


def _call(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        layout.local_minute(one["time"]),
        one["summary"],
        plain(one["project"]),
        one["session"][:_SESSION],
        plain(one["model"]),
        str(one["input_tokens"]),
        str(one["output_tokens"]),
        f"{one['usd']:.4f}",
        layout.cut(plain(one["error"] or ""), _ERROR),
    )


def given(gives: Mapping[str, bool]) -> str:
    """What is given unasked and what is not."""
    on = [name.replace("_", " ") for name, is_on in gives.items() if is_on]
    rest = [name.replace("_", " ") for name, is_on in gives.items() if not is_on]
    if not on:
        return "nothing is given unasked"
    return f"gives {', '.join(on)}" + (f"; {', '.join(rest)} off" if rest else "")


def spending(summaries: dict[str, Any]) -> str:
    """What the model that writes summaries has cost, today against what is allowed, and since ever."""
    today, total = summaries["today"], summaries["total"]
    in_all = f"in all {total['calls']} calls and {_dollars(total['usd'])} (`holdfast costs`)"
    if not summaries["model"]:
        return f"no model writes them; {in_all}"
    calls = f"{today['calls']} of {summaries['allowed_calls']} calls"
    spent = f"{_dollars(today['usd'])} of {_dollars(summaries['allowed_usd'])}"
    return f"by {plain(summaries['model'])}, today {calls} and {spent}; {in_all}"


def _dollars(usd: float) -> str:
    return f"${usd:.2f}" if usd == round(usd, 2) else f"${usd:.4f}"
