"""Reading rule files: TOML or JSON in, rules out. A broken rule is named with file, line and key; the others hold."""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from holdfast.commandline.model import Act
from holdfast.events.event import EVENTS
from holdfast.judging.matching import Packs, Rule, packed
from holdfast.judging.model import RuleDecision
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

FOLDER = Path(__file__).with_name("built_in")
_LISTS = listed("programs any all none piped_from environment tools paths events efforts phases agents")
_NUMBERS = listed("least context_use heartbeat")
_TRUTHS = listed("dashes unsafe_sql spares_tests once")
_KEYS = (
    listed("id action reason instead words text not_text fed_text act unknown arguments") | _LISTS | _NUMBERS | _TRUTHS
)
ASKED = listed(
    "PreToolUse PostToolUse PostToolUseFailure SessionStart UserPromptSubmit Stop SubagentStart SubagentStop PreCompact"
)
"""Events at which rules are asked (`program.py`)."""
_TRIGGERS = (
    *("programs", "tools", "arguments", "paths", "events", "efforts", "phases", "agents", "context_use", "heartbeat"),
)
"""Keys that say when a rule is asked. One of them must be there."""
_ABOUT_PROGRAMS = ("words", "any", "all", "none", "text", "not_text", "fed_text", "piped_from", "least", "dashes")
_MOST = {"context_use": 100, "heartbeat": 100_000, "least": 1_000}
_DEEPEST = 8
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_HEADER = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(?:#.*)?\Z")


class _Wrong(ValueError):
    """What is wrong with a rule, and the key it is about."""

    def __init__(self, key: str, said: str) -> None:
        super().__init__(said)
        self.key = key


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
    """(rules, options with values by program, problems), each problem one sentence.

    Each table of the file is read on its own, so that an error in one leaves the others."""
    rules: list[Rule] = []
    values: dict[str, frozenset[str]] = {}
    problems: list[str] = []
    for line, header, piece in _tables(text):
        if scope != "built-in" and (deep := _too_deep(piece)):
            written = piece.splitlines()[deep - 1].partition("=")[0].strip()[:40] or header
            problems.append(_problem(name, line + deep - 1, written, "it is nested too deep."))
            continue
        try:
            told = tomllib.loads(piece)
        except (ValueError, RecursionError, MemoryError) as error:
            found = re.search(r"at line (\d+)", str(error))
            at = line + int(found[1]) - 1 if found else line
            written = piece.splitlines()[int(found[1]) - 1] if found and int(found[1]) <= piece.count("\n") + 1 else ""
            key = written.partition("=")[0].strip() or header
            said = f"this is not valid TOML ({str(error).partition(' (at')[0]})."
            whole = f"{name}, line {at}: {said} Nothing is read of this part; all other rules are in force."
            problems.append(_problem(name, at, key, said) if header == "rule" else whole)
            continue
        for program, said in told.pop("values", {}).items() if isinstance(told.get("values"), dict) else ():
            if isinstance(said, str):
                values[program] = frozenset(said.split())
            else:
                problems.append(
                    _problem(name, _line_of(piece, line, program), program, "it must be a text of options.")
                )
        entries = told.pop("rule", [])
        for entry in entries if isinstance(entries, list) else [entries]:
            try:
                rules.append(_rule(entry, f"{name}:{line}", scope))
            except _Wrong as error:
                problems.append(_problem(name, _line_of(piece, line, error.key), error.key, str(error)))
        problems += [
            _problem(name, _line_of(piece, line, key), key, "a file has [[rule]] and [values] only.") for key in told
        ]
    return rules, values, problems


def read_json(text: str, name: str, *, scope: str) -> tuple[list[Rule], dict[str, frozenset[str]], list[str]]:
    """The same of a file of JSON: a list of rules, or a table whose `rule` or `rules` is one."""
    rules: list[Rule] = []
    problems: list[str] = []
    try:
        told = json.loads(text)
    except json.JSONDecodeError as error:
        return [], {}, [_broken(name, error.lineno, f"this is not valid JSON ({error.msg}).")]
    except (ValueError, RecursionError, MemoryError):
        return [], {}, [_broken(name, 1, "this is not valid JSON.")]
    entries = told
    if isinstance(told, dict):
        entries = told.get("rule", told.get("rules", []))
        problems += [
            _problem(name, _line_of(text, 1, key), key, "a file has `rules` only.")
            for key in told
            if key not in ("rule", "rules")
        ]
    if not isinstance(entries, list):
        return [], {}, [*problems, _broken(name, 1, "its `rules` must be a list.")]
    at = 0
    for entry in entries:
        said = json.dumps(entry.get("id", "")) if isinstance(entry, dict) else ""
        found = text.find(said, at) if len(said) > 2 else -1
        at = max(at, found)
        line = text.count("\n", 0, at) + 1
        try:
            rules.append(_rule(entry, f"{name}:{line}", scope))
        except _Wrong as error:
            end = text.find("}", at)
            piece = text[at : end if end > 0 else len(text)]
            problems.append(_problem(name, _line_of(piece, line, error.key), error.key, str(error)))
    return rules, {}, problems


def _broken(name: str, line: int, said: str) -> str:
    return f"{name}, line {line}: {said} None of its rules is in force; the rules of other files are."


def twice(rules: Iterable[Rule]) -> list[str]:
    """Rules of people that have the id of another one: both hold, but a setting or a count is about both."""
    first: dict[str, Rule] = {}
    problems = []
    for rule in rules:
        if rule.scope == "built-in":
            continue
        name, _, line = rule.where.rpartition(":")
        other = first.setdefault(rule.id, rule)
        if other is not rule:
            problems.append(
                f"{name}, line {line}, id: {rule.id} is the id of {other.where}, too. Both are in force; give one "
                "another id, so that they can be counted and allowed apart."
            )
    return problems


def _problem(name: str, line: int, key: str, said: str) -> str:
    return f"{name}, line {line}, {key}: {said} This rule is not in force; the others are."


def _tables(text: str) -> Iterator[tuple[int, str, str]]:
    """The tables of a file, each with its first line and its name."""
    start, header, lines = 1, "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        match = _HEADER.match(line)
        if match and match[1] in ("rule", "values"):
            if any(each.strip() and not each.lstrip().startswith("#") for each in lines):
                yield start, header, "\n".join(lines)
            start, header, lines = number, match[1], []
        lines.append(line)
    if any(each.strip() and not each.lstrip().startswith("#") for each in lines):
        yield start, header, "\n".join(lines)


def _too_deep(piece: str) -> int:
    """The line of a table from which on brackets or dotted keys nest deeper than any rule needs; 0 when none does.

    The reader of TOML calls itself for each level."""
    depth = 0
    for number, line in enumerate(piece.splitlines(), 1):
        plain = _QUOTED.sub("", line).partition("#")[0]
        if plain.count(".") > _DEEPEST:
            return number
        for sign in plain:
            depth += (sign in "[{") - (sign in "]}")
            if depth > _DEEPEST:
                return number
    return 0


def _line_of(piece: str, first: int, key: str) -> int:
    pattern = re.compile(rf'\s*"?{re.escape(key)}"?\s*[=.]|.*"{re.escape(key)}"\s*:')
    return next((first + n for n, line in enumerate(piece.splitlines()) if pattern.match(line)), first)


def _rule(entry: Any, where: str, scope: str) -> Rule:
    if not isinstance(entry, dict):
        raise _Wrong("rule", "a rule is a table.")
    for key in sorted(set(entry) - _KEYS):
        raise _Wrong(key, f"it is no key of a rule. Keys are {', '.join(sorted(_KEYS))}.")
    for key in ("id", "action", "reason"):
        if not entry.get(key):
            raise _Wrong(key, "it is missing.")
        _text(entry, key)
    for key, choices in (
        ("action", get_args(RuleDecision)),
        ("act", get_args(Act)),
        ("unknown", get_args(RuleDecision)),
    ):
        if entry.get(key) not in (None, *choices):
            raise _Wrong(key, f"{entry[key]!r} is none of {', '.join(choices)}.")
    for key in ("text", "not_text", "fed_text") if scope == "project" else ():
        if key in entry:  # a pattern can be written so that it never ends
            raise _Wrong(key, "a project's rule has no regular expression; use `words`, `any`, `all` and `none`.")
    lists = {key: _words(entry, key) for key in _LISTS}
    if not lists["programs"] and (about := next((key for key in _ABOUT_PROGRAMS if entry.get(key)), "")):
        raise _Wrong(about, "it is about the words of a program; name the program in `programs`.")
    if not any(entry.get(key) for key in _TRIGGERS):
        raise _Wrong("id", f"it has no trigger and would match every call. Triggers are {', '.join(_TRIGGERS)}.")
    if lists["events"] and (unknown := [event for event in lists["events"] if event not in EVENTS]):
        raise _Wrong("events", f"{unknown[0]} is no event of the client.")
    if never := [event for event in lists["events"] if event not in ASKED]:
        raise _Wrong("events", f"no rule is asked at {never[0]}, only at {', '.join(sorted(ASKED))}.")
    return Rule(
        id=entry["id"],
        action=entry["action"],
        reason=entry["reason"],
        instead=_text(entry, "instead"),
        words=tuple(tuple(tuple(place.split("|")) for place in way.split()) for way in _ways(entry)),
        text=_pattern(entry, "text", scope),
        not_text=_pattern(entry, "not_text", scope),
        fed_text=_pattern(entry, "fed_text", scope),
        act=entry.get("act"),
        unknown=entry.get("unknown"),
        arguments=_arguments(entry),
        least=_number(entry, "least"),
        context_use=_number(entry, "context_use"),
        heartbeat=_number(entry, "heartbeat"),
        **(lists | {"events": lists["events"] or ("PreToolUse",)}),
        dashes=_truth(entry, "dashes"),
        unsafe_sql=bool(_truth(entry, "unsafe_sql")),
        spares_tests=bool(_truth(entry, "spares_tests")),
        once=bool(_truth(entry, "once")),
        where=where,
        scope=scope,
    )


def _text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise _Wrong(key, "it must be a text.")
    return value


def _words(entry: dict[str, Any], key: str) -> tuple[str, ...]:
    value = entry.get(key, "")
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    if not isinstance(value, str):
        raise _Wrong(key, "it must be a text or a list of texts.")
    return tuple(value.split())


def _number(entry: dict[str, Any], key: str) -> int:
    value = entry.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Wrong(key, "it must be a whole number.")
    if not 0 <= value <= _MOST[key]:
        raise _Wrong(key, f"{value} can never be; it must be between 0 and {_MOST[key]}.")
    return value


def _truth(entry: dict[str, Any], key: str) -> bool | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, bool):
        raise _Wrong(key, "it must be true or false.")
    return value


def _arguments(entry: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    value = entry.get("arguments", {})
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise _Wrong("arguments", "it must be a table of patterns, by the names of arguments.")
    return tuple(value.items())


def _ways(entry: dict[str, Any]) -> list[str]:
    said = entry.get("words", [])
    ways = [said] if isinstance(said, str) else said
    if not isinstance(ways, list) or not all(isinstance(way, str) and way for way in ways):
        raise _Wrong("words", "it must be a text or a list of texts.")
    return ways


def _pattern(entry: dict[str, Any], key: str, scope: str) -> re.Pattern[str] | None:
    """Somebody's own pattern is tried at once, because it may be wrong."""
    said = _text(entry, key)
    if said and scope == "built-in":
        return lazy_pattern(said)
    try:
        return re.compile(said) if said else None
    except re.error as error:
        raise _Wrong(key, f"it is no regular expression ({error}).") from error
