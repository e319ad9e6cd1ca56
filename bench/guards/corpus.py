"""The commands with a verdict: our own (`corpus/`), and those of a file that is given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("corpus")
HELD_BACK = FOLDER / "held_back.jsonl"
"""A third of our own, which no rule was written by."""
SECOND = FOLDER / "held_back_second.jsonl"
"""Written later by somebody who never read a rule; only classes of its faults were told to those who write rules."""
LAST = FOLDER / "held_back_last.jsonl"
"""As the second, but nothing of it was told to anybody, and it was judged only when the rules were settled again."""
EVERYDAY = FOLDER / "held_back_everyday.jsonl"
"""Everyday lines and plain destruction, by a third hand that writes no rule; told as the second was."""
UNSEEN = FOLDER / "held_back_unseen.jsonl"
"""By the same hand, after all rules; nothing of it was told to anybody."""
LEFT_OUT = Path(__file__).with_name("left_out.jsonl")
"""Commands on whose label we changed our mind, with the date and the reason: they are not counted any more."""
PROJECT, HOME = "/home/dev/shop", "/home/dev"
"""How the commands name the project and the home."""
_NAMED = re.compile(f"{PROJECT}|{HOME}")


@dataclass(frozen=True, slots=True)
class Case:
    """One command and what should come of it."""

    command: str
    destructive: bool
    kind: str
    scene: str = "clean"
    needs_scene: bool = False
    """The label holds in its scene only."""

    def there(self, project: str, home: str) -> str:
        """The command as it is typed in a sandbox."""
        # In one pass: the sandbox of a project may lie below a folder that is named as the home.
        return _NAMED.sub(lambda found: project if found[0] == PROJECT else home, self.command)


def own() -> list[Case]:
    """All but what is held back."""
    paths = sorted(path for path in FOLDER.glob("*.jsonl") if path not in (HELD_BACK, SECOND, LAST, EVERYDAY, UNSEEN))
    return [case for path in paths for case in _read(path)]


def held_back() -> list[Case]:
    return list(_read(HELD_BACK))


def held_back_second() -> list[Case]:
    return list(_read(SECOND))


def held_back_last() -> list[Case]:
    return list(_read(LAST))


def held_back_everyday() -> list[Case]:
    return list(_read(EVERYDAY))


def held_back_unseen() -> list[Case]:
    return list(_read(UNSEEN))


def given(path: Path) -> list[Case]:
    """Lines with `command` and `expect` (deny, ask or allow); `from` is their class."""
    return [
        Case(row["command"], row["expect"] != "allow", str(row.get("from", "given")), "dirty") for row in _lines(path)
    ]


def _read(path: Path) -> Iterator[Case]:
    left_out = {row["command"] for row in _lines(LEFT_OUT)}
    for row in _lines(path):
        if row["command"] in left_out:
            continue
        scene = "clean" if row["scene"] == "any" else row["scene"]
        yield Case(row["command"], row["label"] == "destructive", row["class"], scene, row["needs_scene"])


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
