"""How often each rule decided. Pure.

Built-in rules may share an id; what tells them apart is the reason that they give, and that is what is on record. Rules
with the same id and the same reason are one rule for more programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from holdfast.judging.matching import Rule

IN_CODE = tuple(
    Rule(id, action, reason)  # type: ignore[arg-type]
    for id, action, reason in (
        ("files.delete", "ask", "files are removed that git may not have, or that lie beyond the project"),
        ("files.overwrite", "ask", "files are written over that git may not have, or that lie beyond the project"),
        ("files.permissions", "ask", "owners or modes of a whole tree are changed"),
        ("files.discard", "ask", "changes of files are thrown away"),
        ("files.holdfast", "deny", "it belongs to holdfast: its rules, its records or what it keeps for undo"),
        ("files.client-settings", "ask", "it decides what the client may do, and which hooks run"),
        ("files.credentials", "deny", "it holds credentials"),
        ("files.startup", "ask", "it runs at every login"),
        ("files.git-internals", "ask", "it is inside `.git`: hooks and settings there run programs"),
        ("files.system", "deny", "it is part of the system"),
        ("guards.too-long", "ask", "the command is too long to be read whole"),
        ("guards.unknown", "allow", "what runs is computed at run time (`unknown` under `[guards]`)"),
    )
)
"""Decisions that no file of rules holds, because they need more than the words of a command."""


def told_apart(rules: Iterable[Rule]) -> list[Rule]:
    """Rules in the order of their files; those that say the same are one, with the programs of all."""
    found: dict[tuple[str, str, str, str], Rule] = {}
    for rule in (*rules, *IN_CODE):
        key = (rule.id, rule.said, rule.action, rule.scope)
        before = found.get(key)
        if before is None:
            found[key] = rule
        else:
            programs = tuple(dict.fromkeys((*before.programs, *rule.programs)))
            found[key] = replace(before, programs=programs, tools=tuple(dict.fromkeys((*before.tools, *rule.tools))))
    return list(found.values())


def counted(rules: Sequence[Rule], rows: Iterable[dict[str, Any]]) -> list[int]:
    """How often each of these rules decided, by rows of rule, reason and number."""
    numbers = [0] * len(rules)
    by_id: dict[str, list[int]] = {}
    for place, rule in enumerate(rules):
        by_id.setdefault(rule.id, []).append(place)
    for row in rows:
        places = by_id.get(str(row["rule"]))
        if places:
            numbers[_decided(rules, places, str(row["reason"]))] += int(row["n"])
    return numbers


def _decided(rules: Sequence[Rule], places: Sequence[int], reason: str) -> int:
    """The one of the rules with an id that gave this reason. What was added behind it (why it was not kept) is not
    looked at; a statement, and what is computed, is told in other words by the rule that reads it."""
    fitting = [place for place in places if reason.startswith(rules[place].said)]
    if fitting:
        return max(fitting, key=lambda place: len(rules[place].said))
    statement = reason.startswith(("the statement ", "it runs the statements of "))
    computed = reason.startswith("what `")
    for place in places:
        if (statement and rules[place].unsafe_sql) or (computed and rules[place].unknown is not None):
            return place
    return places[0]
