"""Who may overrule whom (SEC-8). Pure.

A person's words outrank an agent's, and an agent's those of tools, of the repository and of the web. Words of a
lower rank can object, but they hide nothing.
"""

from __future__ import annotations

from holdfast.items.indexed import Trust

_RANK: dict[str, int] = {"user": 3, "agent": 2, "tool": 1, "repository": 1, "web": 0}


def outranks(older: Trust, newer: Trust) -> bool:
    """Do older words stay in force when newer words contradict them?"""
    return _RANK[older] > _RANK[newer]


def may_replace(by: str, old: Trust, heir: Trust | None) -> bool:
    """May `by` (`user`, `agent` or `rules`) say that words no longer hold, and that an heir, if any, took their place?

    A person may say so of anything. An agent may not by itself put lower words in the place of its own. For rules, the
    rank of the heir counts."""
    if by == "user":
        return True
    author = _RANK["agent"] if by == "agent" else _RANK["user"] if heir else -1
    return min(author, author if heir is None else _RANK[heir]) >= _RANK[old]
