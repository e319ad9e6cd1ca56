"""The manifest of requirements and the tests that prove them, checked in both directions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_CITED = re.compile(r"""mark\.requirement\(\s*["']([A-Z]{3}-\d+)["']""")


def manifest() -> dict[str, dict[str, Any]]:
    groups = tomllib.loads((ROOT / "docs" / "requirements.toml").read_text("utf-8"))
    return {name: line for group in groups.values() for name, line in group.items()}


def cited() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in _CITED.findall(path.read_text("utf-8")):
            found.setdefault(name, []).append(path.name)
    return found


def test_what_is_done_has_a_test_or_a_benchmark() -> None:
    tests = cited()
    unproven = [
        name
        for name, line in manifest().items()
        if line["done"] and name not in tests and not (ROOT / line.get("by", "nothing")).is_file()
    ]
    assert unproven == []


def test_no_test_cites_an_id_that_nobody_asked_for() -> None:
    unknown = {name: files for name, files in cited().items() if name not in manifest()}
    assert unknown == {}


def test_ids_stand_in_their_groups() -> None:
    groups = tomllib.loads((ROOT / "docs" / "requirements.toml").read_text("utf-8"))
    strays = [name for group, lines in groups.items() for name in lines if not name.startswith(f"{group}-")]
    assert strays == []
