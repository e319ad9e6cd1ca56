"""The text of a settings file with our hooks in it, and without them: everything else keeps its characters.

Pure: text in, text out. Each result is compared in meaning with what it came from before anyone may write it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from pathlib import Path

from holdfast.errors import Refused
from holdfast.install import jsontext
from holdfast.install.hooks import is_holdfast
from holdfast.install.jsontext import Node, TextEdit
from holdfast.install.model import Hook
from holdfast.install.settings import all_hooks, parse_settings, places


@dataclass(frozen=True, slots=True)
class Merged:
    """A settings text with exactly the wanted hooks of ours in it."""

    text: str
    added: tuple[str, ...]
    replaced: tuple[str, ...]
    removed: tuple[str, ...]


def merge(text: str | None, wanted: Mapping[str, Hook], ours: Container[object], path: Path) -> Merged:
    """Add what is missing, replace in place what changed, take out what is no longer wanted."""
    root = parse_settings(text, path) if text is not None else None
    if text is None or root is None:
        return Merged(_fresh(text or "", wanted), tuple(wanted), (), ())
    style = jsontext.style_of(text, root)
    seen: set[str] = set()
    doomed: set[int] = set()
    edits: list[TextEdit] = []
    replaced: list[str] = []
    removed: list[str] = []
    for place in places(root):
        hook = place.hook.value()
        if hook not in ours:
            continue
        if place.event not in wanted or place.event in seen or not place.effective:
            doomed.add(place.hook.start)
            removed.append(place.event)
            continue
        seen.add(place.event)
        if hook != wanted[place.event]:
            new = jsontext.dump(wanted[place.event], style)
            edits.append(TextEdit(place.hook.start, place.hook.end, new))
            replaced.append(place.event)
    edits += _removals(root, doomed, lambda keys: "" if _sole_reason(keys, wanted) else None)
    after = _insert(
        jsontext.apply_edits(text, edits),
        {event: wanted[event] for event in wanted if event not in seen},
        path,
    )
    _verify(text, after, ours, path)
    added = tuple(event for event in wanted if event not in seen)
    return Merged(after, added, tuple(replaced), tuple(dict.fromkeys(removed)))


def _sole_reason(keys: tuple[str, ...], wanted: Mapping[str, Hook]) -> bool:
    """Containers that the second step fills again stay, so that they keep their place."""
    return bool(wanted) if len(keys) < 2 else keys[1] in wanted


def _fresh(blank: str, wanted: Mapping[str, Hook]) -> str:
    mark = "\ufeff" if blank.startswith("\ufeff") else ""
    return mark + _insert("{}\n", wanted, Path("settings.json"))


def _insert(text: str, missing: Mapping[str, Hook], path: Path) -> str:
    root = parse_settings(text, path)
    if root is None or not missing:
        return text
    style = jsontext.style_of(text, root)
    groups = {event: jsontext.dump({"hooks": [hook]}, style) for event, hook in missing.items()}
    table = root.get("hooks")
    if table is None:
        indent = jsontext.child_indent(text, style, root)
        members = [f'"{event}":{style.gap}[{group}]' for event, group in groups.items()]
        inside = jsontext.interior(style, indent + style.unit, members)
        piece = f'"hooks":{style.gap}{{{inside}}}'
        return jsontext.apply_edits(text, [jsontext.append(text, style, root, [piece])])
    if table.kind != "object":
        raise Refused(f'{path}: "hooks" is not an object. Nothing was changed; correct it first.')
    edits: list[TextEdit] = []
    new: list[str] = []
    for event, group in groups.items():
        array = table.get(event)
        if array is None:
            new.append(f'"{event}":{style.gap}[{group}]')
        elif array.kind != "array":
            raise Refused(f'{path}: "hooks.{event}" is not an array. Nothing was changed; correct it first.')
        else:
            edits.append(jsontext.append(text, style, array, [group]))
    if new:
        edits.append(jsontext.append(text, style, table, new))
    return jsontext.apply_edits(text, edits)


def strip(text: str, ours: Container[object], original: str | None, path: Path) -> str | None:
    """The text without ours; None when the file would hold nothing and there was none before.

    `original` says which containers were there, empty, before us: those stay as they were.
    """
    root = parse_settings(text, path)
    doomed = {place.hook.start for place in places(root) if place.hook.value() in ours} if root else set()
    if root is None or not doomed:
        return text
    reference = _without_any_holdfast(original, path)
    before = parse_settings(reference, path) if reference is not None else None

    def empty(keys: tuple[str, ...]) -> str | None:
        node = before
        for key in keys:
            node = node.get(key) if node else None
        if node is None or reference is None:
            return None
        return "" if node.children else reference[node.start + 1 : node.end - 1]

    after = jsontext.apply_edits(text, _removals(root, doomed, empty))
    _verify(text, after, ours, path)
    stripped = parse_settings(after, path)
    if before is None and reference == original and stripped is not None and not stripped.children:
        return original
    return after


def same_meaning(text: str, other: str, path: Path) -> bool:
    """Whether two texts differ in nothing but layout and the order of keys: Claude Code's own commands change both."""
    one, two = parse_settings(text, path), parse_settings(other, path)
    return one is not None and two is not None and _plain(one) == _plain(two)


def _plain(root: Node) -> str:
    return json.dumps(root.value(), sort_keys=True)


class _AnyHoldfast:
    """The hooks of every home."""

    def __contains__(self, hook: object) -> bool:
        return is_holdfast(hook)


def _without_any_holdfast(original: str | None, path: Path) -> str | None:
    """A file that two homes share: what the other one made, and took away since, is no reason to keep anything."""
    root = parse_settings(original, path) if original is not None else None
    if original is None or root is None or not any(is_holdfast(hook) for _, hook in all_hooks(root)):
        return original
    return strip(original, _AnyHoldfast(), None, path)


def _removals(root: Node, doomed: set[int], empty: Callable[[tuple[str, ...]], str | None]) -> list[TextEdit]:
    """Edits that take the doomed hooks out, and what held nothing else unless `empty` keeps it."""
    edits: list[TextEdit] = []
    gone_tables: set[int] = set()
    for number, table in enumerate(root.children):
        if table.key != "hooks" or table.node.kind != "object":
            continue
        inside: list[TextEdit] = []
        gone_events: set[int] = set()
        for index, event in enumerate(table.node.children):
            kept = _event_removals(event.node, doomed, empty(("hooks", event.key)))
            if kept is None:
                gone_events.add(index)
            else:
                inside += kept
        stay = empty(("hooks",))
        if gone_events and len(gone_events) == len(table.node.children) and stay is None:
            gone_tables.add(number)
        else:
            edits += inside + (jsontext.remove(table.node, frozenset(gone_events), stay or "") if gone_events else [])
    if gone_tables:
        edits += jsontext.remove(root, frozenset(gone_tables), empty(()) or "")
    return edits


def _event_removals(array: Node, doomed: set[int], stay: str | None) -> list[TextEdit] | None:
    """Edits inside one event's array, or None when the whole member goes."""
    edits: list[TextEdit] = []
    gone: set[int] = set()
    for index, group in enumerate(array.children if array.kind == "array" else ()):
        inner = group.node.get("hooks") if group.node.kind == "object" else None
        mine = {i for i, hook in enumerate(inner.children) if hook.start in doomed} if inner else set()
        if inner and mine and len(mine) == len(inner.children):
            gone.add(index)
        elif inner and mine:
            edits += jsontext.remove(inner, frozenset(mine), "")
    if not gone:
        return edits
    if len(gone) == len(array.children) and stay is None:
        return None
    return edits + jsontext.remove(array, frozenset(gone), stay or "")


def _verify(before: str, after: str, ours: Container[object], path: Path) -> None:
    """A last look: what others wrote means what it did. A difference is our bug, and nothing is written."""
    if _foreign(parse_settings(before, path), ours) != _foreign(parse_settings(after, path), ours):
        raise AssertionError(f"the edit of {path} would have changed settings of others")


def _foreign(root: Node | None, ours: Container[object]) -> object:
    value = root.value() if root else {}
    table = value.get("hooks") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(table, dict):
        return value
    events: dict[str, object] = {}
    for event, groups in table.items():
        kept = [_foreign_group(group, ours) for group in groups] if isinstance(groups, list) else groups
        left = [group for group in kept if group is not None] if isinstance(kept, list) else kept
        if left:
            events[event] = left
    return {**value, "hooks": events} if events else {k: v for k, v in value.items() if k != "hooks"}


def _foreign_group(group: object, ours: Container[object]) -> object:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(group, dict) or not isinstance(hooks, list):
        return group
    left = [hook for hook in hooks if hook not in ours]
    return {**group, "hooks": left} if left or not hooks else None
