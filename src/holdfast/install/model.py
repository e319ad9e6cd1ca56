"""The values of an installation: what is planned, what was done, what was found. No behaviour, no files.

Fields that can hold the token are kept out of `repr`, so that no traceback or log shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

from holdfast.paths import Home

HookKind = Literal["http", "command"]
Hook = dict[str, object]
ChangeWay = Literal["create", "edit", "mode", "record", "none", "restore", "clean", "delete", "gone"]


class InstallScope(StrEnum):
    """Whose settings: the user's, the project's (committed), or the user's for this project."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """The Claude Code found on this machine, or why none was."""

    path: Path | None = None
    version: tuple[int, int, int] | None = None
    problem: str | None = None

    @property
    def name(self) -> str:
        version = ".".join(map(str, self.version)) if self.version else "of unknown version"
        return f"Claude Code {version}" if self.path or self.version else "no Claude Code found"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should know before saying yes, and what to do about it."""

    about: str
    sentence: str
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class FileChange:
    """One settings file: its bytes and mode now, and what they become. `after` None means the file goes."""

    scope: InstallScope
    path: Path
    before: bytes | None = field(repr=False)
    after: bytes | None = field(repr=False)
    mode_before: int | None
    mode_after: int | None
    original: bytes | None = field(repr=False)
    original_mode: int | None
    way: ChangeWay
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """All that an install would do; nothing of it is done yet."""

    scope: InstallScope
    root: Path
    home: Home
    port: int
    client: ClientInfo
    hooks: dict[str, Hook] = field(repr=False)
    change: FileChange
    launcher: str | None
    notices: tuple[Notice, ...]
    token: str = field(repr=False)
    all_events: bool = False
    program: str = ""
    """The text of the program in the home that hooks and PATH rely on."""

    @property
    def nothing_to_do(self) -> bool:
        return self.change.way == "none"

    def events(self, kind: HookKind) -> tuple[str, ...]:
        return tuple(event for event, hook in self.hooks.items() if hook["type"] == kind)


@dataclass(frozen=True, slots=True)
class UninstallPlan:
    """All that an uninstall would do."""

    home: Home
    changes: tuple[FileChange, ...]
    notices: tuple[Notice, ...] = ()
    keeps: tuple[str, ...] = ()
    link: Path | None = None
    """The link to our command in a folder on PATH."""
    server: str | None = None
    """The Claude Code with which our tools are registered."""
    plugin: str | None = None
    """The Claude Code with which our plugin was installed."""
    service: Path | None = None
    """The file of the user service."""
    is_whole: bool = True
    """Not only one scope's."""

    @property
    def nothing_to_do(self) -> bool:
        return not (self.changes or self.link or self.server or self.plugin or self.service)


@dataclass(frozen=True, slots=True)
class FileReceipt:
    """What happened to one file."""

    scope: InstallScope
    path: Path
    outcome: str
    sha256_before: str | None
    sha256_after: str | None
    mode: int | None
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InstallReceipt:
    """What was done, to be kept and printed."""

    action: Literal["install", "uninstall"]
    time: str
    version: str
    files: tuple[FileReceipt, ...]
    notes: tuple[str, ...] = ()
    path: Path | None = None
