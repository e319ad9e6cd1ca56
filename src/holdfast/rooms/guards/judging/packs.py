"""Reading rule files: TOML in, rules out. A broken rule is named with its file, line and key; the others hold."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from holdfast.rooms.guards.judging.matching import Packs, Rule, packed
from holdfast.rooms.guards.model import Act, Decision
from holdfast.shell.tools import listed

FOLDER = Path(__file__).parents[1] / "packs"
_LISTS = ("any", "all", "none", "piped_from", "environment")
_KEYS = listed("id action reason instead programs words least dashes text not_text unsafe_sql act") | frozenset(_LISTS)


@functools.cache
def built_in() -> Packs:
    """The packs that come with holdfast. They are right: a test reads every one."""
    rules: list[Rule] = []
    values: dict[str, frozenset[str]] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        found, more, problems = read(file.read_text("utf-8"), file.name, scope="built-in")
        assert not problems, problems
        rules += found
        values |= more
    return packed(rules, values)


def with_more(packs: Packs, rules: Iterable[Rule]) -> Packs:
    return packed([*packs.rules, *rules], packs.values)


def read(text: str, name: str, *, scope: str) -> tuple[list[Rule], dict[str, frozenset[str]], list[str]]:
    """(rules, options with values by program, problems), each problem one sentence."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [], {}, [f"{name}: not valid TOML ({error}); none of its rules is in force."]
    problems: list[str] = []
    values: dict[str, frozenset[str]] = {}
    for program, said in (told.get("values") or {}).items():
        if isinstance(said, str):
            values[program] = frozenset(said.split())
        else:
            problems.append(f"{name}: values.{program} must be a text of options.")
    places = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "[[rule]]"]
    rules: list[Rule] = []
    listed = told.get("rule", [])
    for number, entry in enumerate(listed if isinstance(listed, list) else []):
        line = places[number] if number < len(places) else 0
        try:
            rules.append(_rule(entry, f"{name}:{line}", scope))
        except ValueError as error:
            problems.append(f"{name}, line {line}: {error} This rule is not in force; the others are.")
    return rules, values, problems


def _rule(entry: Any, where: str, scope: str) -> Rule:
    if not isinstance(entry, dict):
        raise ValueError("a rule is a table.")
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise ValueError(f"{unknown[0]} is no key of a rule. Keys are {', '.join(sorted(_KEYS))}.")
    for key in ("id", "action", "reason"):
        if not isinstance(entry.get(key), str) or not entry[key]:
            raise ValueError(f"{key} is missing.")
    if entry["action"] not in get_args(Decision):
        raise ValueError(f"action is {entry['action']!r}; it is one of {', '.join(get_args(Decision))}.")
    if entry.get("act") not in (None, *get_args(Act)):
        raise ValueError(f"act is {entry['act']!r}; it is one of {', '.join(get_args(Act))}.")
    return Rule(
        id=entry["id"],
        action=entry["action"],
        reason=entry["reason"],
        instead=_text(entry, "instead"),
        programs=tuple(_text(entry, "programs").split()),
        words=tuple(_way(way) for way in _ways(entry)),
        any=tuple(_text(entry, "any").split()),
        all=tuple(_text(entry, "all").split()),
        none=tuple(_text(entry, "none").split()),
        least=_number(entry, "least"),
        dashes=_truth(entry, "dashes"),
        text=_pattern(entry, "text"),
        not_text=_pattern(entry, "not_text"),
        unsafe_sql=bool(_truth(entry, "unsafe_sql")),
        piped_from=tuple(_text(entry, "piped_from").split()),
        environment=tuple(_text(entry, "environment").split()),
        act=entry.get("act"),
        where=where,
        scope=scope,
    )


def _text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"{key} must be a text.")
    return value


def _number(entry: dict[str, Any], key: str) -> int:
    value = entry.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{key} must be a whole number.")
    return value


def _truth(entry: dict[str, Any], key: str) -> bool | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false.")
    return value


def _ways(entry: dict[str, Any]) -> list[str]:
    said = entry.get("words", [])
    ways = [said] if isinstance(said, str) else said
    if not isinstance(ways, list) or not all(isinstance(way, str) and way for way in ways):
        raise ValueError("words must be a text or a list of texts.")
    return ways


def _way(way: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(place.split("|")) for place in way.split())


def _pattern(entry: dict[str, Any], key: str) -> re.Pattern[str] | None:
    said = _text(entry, key)
    try:
        return re.compile(said) if said else None
    except re.error as error:
        raise ValueError(f"{key} is no regular expression ({error}).") from error
