"""Claude Code's settings files: where each scope's is, what they say, and which hooks in them are ours.

Reads meaning only; the text with or without our hooks is made in `surgery.py`, written in `files.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from holdfast.errors import Refused
from holdfast.install import hooks as made
from holdfast.install import jsontext
from holdfast.install.jsontext import Node
from holdfast.install.model import InstallScope


def user_folder(environment: Mapping[str, str]) -> Path:
    """CLAUDE_CONFIG_DIR, else ~/.claude."""
    house = Path(environment.get("HOME") or Path.home())
    named = environment.get("CLAUDE_CONFIG_DIR")
    if not named:
        return house / ".claude"
    return house / named[2:] if named.startswith("~/") else Path(named).absolute()


def settings_file(scope: InstallScope, root: Path, environment: Mapping[str, str]) -> Path:
    """The file of a scope, for sessions in the project at `root`."""
    match scope:
        case InstallScope.USER:
            return user_folder(environment) / "settings.json"
        case InstallScope.PROJECT:
            return root / ".claude" / "settings.json"
        case InstallScope.LOCAL:
            return root / ".claude" / "settings.local.json"


def managed_files() -> tuple[Path, ...]:
    """Where an administrator's settings stand on this system."""
    folder = "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
    place = Path(folder)
    return (place / "managed-settings.json", *sorted(place.glob("managed-settings.d/*.json")))


@dataclass(frozen=True, slots=True)
class Ours:
    """What makes a hook this home's: its path in the command, its port or its token in the request."""

    homes: frozenset[str]
    ports: frozenset[int]
    tokens: frozenset[str] = field(default=frozenset(), repr=False)

    def __contains__(self, hook: object) -> bool:
        port = made.port_of(hook)
        if port is not None:
            return port in self.ports or made.token_of(hook) in self.tokens
        parts = made.command_parts(hook)
        return parts[2] in self.homes if parts else made.is_project_command(hook)


@dataclass(frozen=True, slots=True)
class SettingsPlace:
    """A hook in the tree. `effective` is false under a key that a later one of the same name overrules."""

    event: str
    hook: Node
    effective: bool


def decode(data: bytes, path: Path) -> str:
    """The file's text; refuses what is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise Refused(_sentence(path, line, column, "this is not UTF-8")) from error


def parse_settings(text: str, path: Path) -> Node | None:
    """The settings object; None for a blank file; refuses anything else with its place."""
    if not text.lstrip("\ufeff").strip(" \t\r\n"):
        return None
    try:
        root = jsontext.parse(text)
    except jsontext.NotJson as error:
        raise Refused(_sentence(path, error.line, error.column, error.reason)) from error
    if root.kind != "object":
        raise Refused(f"{path} holds JSON that is not an object. Nothing was changed; correct it first.")
    return root


def _sentence(path: Path, line: int, column: int, reason: str) -> str:
    return (
        f"{path} is not valid JSON at line {line}, column {column}: {reason}. "
        "Nothing was changed; correct the file and run the command again."
    )


def all_hooks(root: Node | None) -> Iterator[tuple[str, object]]:
    """Every hook that a settings object registers: event and plain value."""
    for place in places(root) if root else ():
        yield place.event, place.hook.value()


def places(root: Node) -> Iterator[SettingsPlace]:
    for table in (child.node for child in root.children if child.key == "hooks"):
        for event in table.children if table.kind == "object" else ():
            effective = table is root.get("hooks") and event.node is table.get(event.key)
            for group in event.node.children if event.node.kind == "array" else ():
                inner = group.node.get("hooks") if group.node.kind == "object" else None
                for hook in inner.children if inner and inner.kind == "array" else ():
                    yield SettingsPlace(event.key, hook.node, effective)
