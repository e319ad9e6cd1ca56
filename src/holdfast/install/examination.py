"""What the doctor looks at and what it says: a context gathered once, and one check's finding.

No checks here; they are in the modules `checks_…`, in the order of `doctor.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from holdfast.config import Sections
from holdfast.errors import HoldfastError
from holdfast.install import manifest, surroundings
from holdfast.install.manifest import Manifest
from holdfast.install.model import ClientInfo, InstallScope
from holdfast.install.settings import Ours
from holdfast.install.surroundings import InstallSource
from holdfast.paths import Home
from holdfast.store.migrate import Migration

CheckState = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One finding: a sentence of fact, a sentence of fix, and the repair where one is safe."""

    name: str
    state: CheckState
    sentence: str
    fix: str | None = None
    repair: Callable[[], None] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class DoctorContext:
    """Everything the checks may look at. `probe` asks the daemon for its status; None means no answer."""

    home: Home
    root: Path
    port: int
    client: ClientInfo
    python: Path
    hook: Path
    environment: Mapping[str, str] = field(repr=False)
    probe: Callable[[], dict[str, Any] | None]
    managed: Sequence[Path] | None = None
    now: Callable[[], float] = time.time
    low_disk: int = 200 * 1024 * 1024
    used: Collection[str] | None = None
    """The events that something listens to; None counts all of them."""
    port_is_kept: bool = True
    """config.toml names the port; else it is the daemon's, or that of the hooks."""
    client_was_named: bool = False
    """The user said which Claude Code to look at."""
    sections: Sections | None = None
    """The rooms' sections of the settings; None: those of the program, which are loaded for that."""
    migrations: Sequence[Migration] = ()
    """Those that this version knows."""
    without: Mapping[str, str] = field(default_factory=dict)
    """What is not done while the daemon is away, by room."""
    is_thorough: bool = True
    """Read every page of the store, however large it is."""

    @cached_property
    def status(self) -> dict[str, Any] | None:
        return self.probe()

    @cached_property
    def away_sentence(self) -> str | None:
        """Why the daemon has no store, as it wrote it down; None when it has one, or does not run."""
        if self.status is not None:
            return None
        try:
            return (self.home.logs / "last-error").read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    @cached_property
    def sources(self) -> tuple[InstallSource, ...]:
        return surroundings.read_sources(self.root, self.environment, self.managed)

    @cached_property
    def manifest(self) -> Manifest:
        try:
            return manifest.load(self.home)
        except HoldfastError:
            return Manifest()

    @cached_property
    def token(self) -> str | None:
        try:
            return self.home.token.read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    @cached_property
    def ours(self) -> Ours:
        """This home's hooks, also those with an earlier port."""
        ports = {self.port, *(entry.port for entry in self.manifest.files)} - {0}
        homes = {str(self.home.root), *(entry.home for entry in self.manifest.files)}
        return Ours(frozenset(homes), frozenset(ports), frozenset({self.token} if self.token else ()))

    def our_hooks(self, source: InstallSource) -> list[tuple[str, dict[str, Any]]]:
        return [(event, hook) for event, hook in source.hooks if isinstance(hook, dict) and hook in self.ours]

    @cached_property
    def installed(self) -> tuple[tuple[InstallScope, InstallSource], ...]:
        """The scopes whose settings hold our hooks and count for sessions in `root`."""
        scopes = {scope.value: scope for scope in InstallScope}
        return tuple((scopes[one.name], one) for one in self.sources if one.name in scopes and self.our_hooks(one))
