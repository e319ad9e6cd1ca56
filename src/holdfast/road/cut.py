"""Cutting long texts: before scrubbing (never through a secret), and for the journal (never without saying so).

Standard library only: the command client cuts too, before it spools.
"""

from __future__ import annotations

from typing import Any

_BOUNDARY = 4096

DROPPED_FIELDS = frozenset({"originalFile"})
"""Whole files that the client repeats in its answers (Edit, Write): what changed is in the patch beside them."""


def cut_unscrubbed(text: str, limit: int) -> tuple[str, int]:
    """`text` within `limit`, cut so that no secret is split or separated from its name, which would hide it from the
    scrubber.

    Cut at the end of a near line, else at white space, else away from any token of usual length.
    """
    if len(text) <= limit:
        return text, 0
    head, tail = text[: limit * 3 // 4], text[-(limit // 4) :]
    near = min(_BOUNDARY, len(head) // 2, len(tail) // 2)
    ends = (head.rfind(mark, len(head) - near) for mark in ("\n", " "))
    head = head[: next((at for at in ends if at >= 0), len(head) - near)]
    starts = (tail.find(mark, 0, near) for mark in ("\n", " "))
    tail = tail[next((at for at in starts if at >= 0), near) :]
    return _joined(head, tail, len(text))


def beginning(text: str, limit: int) -> str:
    """The first part of a text that is no JSON, not yet scrubbed: up to white space or a quote, or nothing."""
    if len(text) <= limit:
        return text
    return text[: max(text.rfind(mark, 0, limit) for mark in (" ", "\n", '"')) + 1]


def cut(text: str, limit: int) -> tuple[str, int]:
    """A scrubbed `text` within `limit`: its beginning and its end."""
    if len(text) <= limit:
        return text, 0
    return _joined(text[: limit * 3 // 4], text[-(limit // 4) :], len(text))


def _joined(head: str, tail: str, total: int) -> tuple[str, int]:
    gone = total - len(head) - len(tail)
    return f"{head}\n[… {gone} characters cut …]\n{tail}", gone


def cut_tree(payload: dict[str, Any], limit: int) -> tuple[dict[str, Any], int]:
    """A copy of the payload with its strings cut. Iterative, because the sender chooses the depth."""
    gone = 0
    copy: dict[str, Any] = {}
    stack: list[tuple[Any, Any]] = [(payload, copy)]
    while stack:
        source, target = stack.pop()
        pairs = source.items() if isinstance(source, dict) else enumerate(source)
        for key, value in pairs:
            kept: Any = value
            if isinstance(value, str):
                if key in DROPPED_FIELDS:
                    kept, lost = f"[… {len(value)} characters left out …]", len(value)
                else:
                    kept, lost = cut(value, limit)
                gone += lost
            elif isinstance(value, (dict, list)):
                kept = {} if isinstance(value, dict) else []
                stack.append((value, kept))
            if isinstance(target, dict):
                target[key] = kept
            else:
                target.append(kept)
    return copy, gone
