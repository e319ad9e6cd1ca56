"""Plants a secret and private words in everything that a door takes, and looks for them afterwards.

What is planted follows from the declarations: JSON Schemas of tools and endpoints, recorded payloads. So a new tool or
event is covered without a word here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

SECRET = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"
PRIVATE = "Quokkasalary"
STAYS = "Askopsfirst"
WORDS = f"Deploys use {SECRET} for now. <private>The {PRIVATE} is five.</private> {STAYS}, please."
TRACES = (SECRET[-16:].lower().encode(), PRIVATE[3:].lower().encode())
"""Parts of the planted words: an index keeps words in small letters, and may share their beginnings."""

_REFERENCE = re.compile(
    r"(^|_)(ids?|project|session|window|cwd|folder|directory|path|paths|files?|url|by|around|old|new)$"
)
"""Names of fields that refer to something. A door refuses most planted ones, so they are planted one at a time."""


def planted_in(value: Any, leave: Container[str] = ()) -> Any:
    """A payload with the planted words in every text of it, but for the fields that are to be left as they are."""
    if isinstance(value, str):
        return f"{value} {WORDS}"
    if isinstance(value, dict):
        return {name: each if name in leave else planted_in(each, leave) for name, each in value.items()}
    return [planted_in(each, leave) for each in value] if isinstance(value, list) else value


class Known:
    """Values that doors have answered with, by their names: references for later calls."""

    def __init__(self) -> None:
        self._found: dict[str, list[Any]] = {}

    def learn(self, answer: Any, name: str = "") -> None:
        if isinstance(answer, dict):
            for key, value in answer.items():
                self.learn(value, key)
        elif isinstance(answer, list):
            for value in answer:
                self.learn(value, name)
        elif isinstance(answer, str) and 0 < len(answer) < 200:
            kept = self._found.setdefault(name, [])
            if answer not in kept:
                kept.append(answer)

    def values(self, name: str) -> list[Any]:
        """What may stand under a name: what was answered under it, then ids of every kind."""
        ids = [value for values in self._found.values() for value in values if re.fullmatch(r"[a-z][0-9a-f]{8}", value)]
        told = self._found.get(name, [])[-3:]
        return told if told and not name.endswith(("id", "ids")) else [*told, *dict.fromkeys(ids)][:12]


def calls_of(schema: Mapping[str, Any], known: Known, given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Arguments that fit a JSON Schema: the planted words in all texts, then in each field alone. What is `given` and
    what refers to something have values that a door may take, but for the field whose turn it is."""
    fields: dict[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    texts = {name: planted(each) for name, each in fields.items() if not _REFERENCE.search(name)}
    needed = [name for name in fields if _REFERENCE.search(name) and name in required and name not in given]
    base = texts | dict(given)
    if not needed:
        yield base
    for name in needed:
        is_list = fields[name].get("type") == "array"
        yield from (base | {name: [value] if is_list else value} for value in known.values(name))
    yield {name: planted(each) for name, each in fields.items()} | dict(given)
    for name in fields:
        alone = {other: value for other, value in base.items() if other in required or other in given}
        yield alone | {name: planted(fields[name])}


def planted(schema: Mapping[str, Any]) -> Any:
    """A value that fits a schema, with the planted words where a text may stand."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        kinds = sorted(schema["anyOf"], key=lambda each: each.get("type") != "string")
        return planted(kinds[0])
    match schema.get("type"):
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "array":
            return [planted(schema.get("items", {}))]
        case "object":
            inside = {name: planted(each) for name, each in schema.get("properties", {}).items()}
            return inside or {"category": WORDS, WORDS: WORDS}
        case "null":
            return None
    return WORDS[: schema.get("maxLength", len(WORDS))]


def traces_in(folder: Path) -> list[str]:
    """Files of a folder that hold a part of what was planted."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_bytes().lower()
            found += [f"{path.relative_to(folder)}: …{_around(text, trace)}…" for trace in TRACES if trace in text]
    return found


def _around(text: bytes, trace: bytes) -> str:
    at = text.find(trace)
    return text[max(0, at - 160) : at + 60].decode("utf-8", "replace")
