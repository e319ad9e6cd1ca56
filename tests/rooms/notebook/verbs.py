"""How results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.prose.one_line import one_line


def listed(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    for note in result:
        about = f"{note['file']}: " if note["file"] else ""
        yield f"{note['id']}  {one_line(about + note['text'], max(20, width - 11))}"
