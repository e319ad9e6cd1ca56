"""Which Claude Code is installed, and which hook events and hook types that version knows.

The table is data (`client_events.toml`), measured on real clients; nothing here guesses beyond it.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from holdfast.install.asking import NoAnswer, ask
from holdfast.install.model import ClientInfo

Version = tuple[int, int, int]
USUAL_PLACES = (".local/bin/claude", ".claude/local/claude")
SECONDS = 10.0
"""It tells its version in 50 ms (2.1.325); a loaded machine takes longer."""


def find_client(path: str | None, environment: Mapping[str, str]) -> ClientInfo:
    """The client named by `path`, else the first on PATH, else in its usual places; asked for its version."""
    found = _locate(path, environment)
    if found is None:
        return ClientInfo(problem=f"there is no program {path}" if path else "no Claude Code was found (PATH)")
    try:
        answer = ask([str(found), "--version"], environment, SECONDS)
    except NoAnswer as error:
        return ClientInfo(found, problem=f"`{found} --version` {error}")
    version = parse_version(answer.output)
    if answer.code or version is None:
        return ClientInfo(found, problem=f"`{found} --version` gave no version")
    return ClientInfo(found, version)


def _locate(path: str | None, environment: Mapping[str, str]) -> Path | None:
    if path:
        named = shutil.which(path, path=environment.get("PATH", ""))
        return Path(named).absolute() if named else None
    on_path = shutil.which("claude", path=environment.get("PATH", ""))
    if on_path:
        return Path(on_path).absolute()
    house = environment.get("HOME")
    places = [Path(house) / place for place in USUAL_PLACES] if house else []
    return next((place for place in places if shutil.which(str(place))), None)


def parse_version(text: str) -> Version | None:
    """`2.1.325 (Claude Code)` → (2, 1, 325)."""
    match = re.search(r"(?<![\d.])(\d{1,4})\.(\d{1,4})\.(\d{1,6})", text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


@dataclass(frozen=True, slots=True)
class _Table:
    http_since: Version
    tolerant_since: Version
    rows: tuple[tuple[Version, tuple[str, ...]], ...]


@cache
def _table() -> _Table:
    raw = tomllib.loads(resources.files(__package__).joinpath("client_events.toml").read_text("utf-8"))
    rows = sorted((_version(row["version"]), tuple(row["events"])) for row in raw["since"])
    tolerant = _version(raw["unknown_events_in_settings_since"])
    return _Table(_version(raw["http_since"]), tolerant, tuple(rows))


def _version(text: str) -> Version:
    version = parse_version(text)
    if version is None:
        raise ValueError(f"client_events.toml: {text!r} is not a version")
    return version


def known_events(client: ClientInfo) -> tuple[str, ...]:
    """The events this client surely knows; for an unknown version, those of the oldest one measured."""
    rows = _table().rows
    version = client.version or rows[0][0]
    return tuple(event for since, events in rows if since <= version for event in events)


def accepts_http(client: ClientInfo) -> bool:
    """Whether this client surely runs hooks of type http."""
    return client.version is not None and client.version >= _table().http_since


def drops_all_for_unknown(client: ClientInfo) -> bool:
    """Whether one event it does not know makes this client run no hook of the file at all."""
    return client.version is not None and client.version < _table().tolerant_since
