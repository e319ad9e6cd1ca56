"""Which words of an SQL text stand where a table stands."""

from __future__ import annotations

import re

from holdfast.store.lex import rewrite

_TOKEN = re.compile(r"[a-z_][a-z0-9_]*|[(),;.]")
_BEFORE_A_TABLE = frozenset({"from", "join", "into", "update", "table", "references", "on", "exists"})
"""`on`: CREATE INDEX … ON. `exists`: IF NOT EXISTS."""
_ENDS_A_LIST = frozenset(
    {"where", "group", "order", "limit", "having", "union", "except", "intersect", "returning", "set", "on", "using"}
)
"""The words after which a comma no longer stands between tables."""


def spoken(sql: str) -> set[str]:
    """The words of a text that stand where a table stands: after such a word, in a list after FROM, or before a dot."""
    tokens = _TOKEN.findall(re.sub(r"'[^']*'", "''", rewrite(sql).lower()))
    found, in_list = set(), [False]
    for at, token in enumerate(tokens):
        before, after = tokens[at - 1] if at else "", tokens[at + 1] if at + 1 < len(tokens) else ""
        follows = before in _BEFORE_A_TABLE or (in_list[-1] and before in (",", "("))
        match token:
            case "(":
                in_list.append(follows)
            case ")":
                in_list = in_list[:-1] or [False]
            case ";":
                in_list = [False]
            case "," | ".":
                pass
            case _:
                if token == "from" or token in _ENDS_A_LIST:
                    in_list[-1] = token == "from"
                if follows or after == ".":
                    found.add(token)
    return found
