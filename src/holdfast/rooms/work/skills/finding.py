"""Finds the file of a skill or command by its name, and reads it once.

The client looks in the project's `.claude`, in the user's configuration, and in plugins (`plugin:name`); so do we.
What was read is kept until its file changes or the client says that its configuration did.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct, field

from holdfast.project_file import contents
from holdfast.rooms.work.model import SkillConfig
from holdfast.rooms.work.skills.reading import LARGEST, read_skill
from holdfast.worktree_paths import is_within

BESIDE = "effort.toml"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\Z")
_MOST_FOLDERS = 20
_MOST_KNOWN = 200
_State = tuple[int, int]


class Skills:
    """The skills that were read."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], tuple[str, _State, _State, SkillConfig]] = {}

    def drop(self) -> None:
        """The client's configuration changed: read everything again."""
        self._known.clear()

    def config(self, skill: str, folder: str, root: str, config_dir: str) -> SkillConfig:
        """What a skill says. One that has no file says nothing. Reads files; not for the event loop."""
        name = skill.strip().removeprefix("/")
        key = (name, folder or root, config_dir)
        known = self._known.get(key)
        if known and known[0] and (_state(known[0]), _state(_beside(known[0]))) == known[1:3]:
            return known[3]
        place = next((each for each in places(name, folder, root, config_dir) if each.is_there), NOWHERE)
        path = str(place.path) if place.path else ""
        state, side = _state(path), _state(_beside(path))
        beside = _text(_beside(path)) if place.holds(Path(_beside(path))) else b""
        text = _text(path).decode("utf-8", "replace")
        found = read_skill(name, path, text, beside, from_repository=bool(place.bound))
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = (path, state, side, found)
        return found


@dataclass(frozen=True, slots=True)
class SkillPlace:
    """A file that may hold a skill."""

    path: Path | None
    bound: str = ""
    """The repository's folder, which the file must not lead out of; '' for the user's own files and plugins."""

    @property
    def is_there(self) -> bool:
        return self.path is not None and _is_file(self.path) and self.holds(self.path)

    def holds(self, path: Path) -> bool:
        """May this file be read here? A repository's link could name any file of the user."""
        return not self.bound or is_within(os.path.realpath(path), os.path.realpath(self.bound))


NOWHERE = SkillPlace(None)


def places(name: str, folder: str, root: str, config_dir: str) -> Iterator[SkillPlace]:
    """The files that may hold a skill or command, the nearest first. `plugin:skill` is the plugin's before it is
    anybody else's."""
    parts = name.split(":")
    if not all(_NAME.match(part) for part in parts) or len(parts) > 4:
        return
    if len(parts) > 1 and config_dir:
        for base in _plugins(parts[0], config_dir):
            yield SkillPlace(base / "skills" / parts[-1] / "SKILL.md")
            yield SkillPlace(base / "commands" / f"{parts[-1]}.md")
    own = os.path.realpath(config_dir) if config_dir else ""
    near = [(base / ".claude", root or str(base)) for base in _upwards(folder, root)]
    for base, bound in [*near, *([(Path(config_dir), "")] if config_dir else [])]:
        bound = "" if os.path.realpath(base) == own else bound  # the user's home may be the project
        yield SkillPlace(base / "skills" / name / "SKILL.md", bound)
        yield SkillPlace(base / "skills" / parts[-1] / "SKILL.md", bound)
        yield SkillPlace(base.joinpath("commands", *parts).with_suffix(".md"), bound)


def _plugins(name: str, config_dir: str) -> list[Path]:
    """Where a plugin is installed, as the client notes it (2.1.325); else where it keeps copies, the newest first."""
    folder = Path(config_dir, "plugins")
    try:
        noted = msgspec.json.decode(contents(str(folder / "installed_plugins.json"))[1], type=_Installed)
    except (OSError, ValueError):
        noted = _Installed()
    entries = [each for key, listed in noted.plugins.items() if key.partition("@")[0] == name for each in listed]
    found = [Path(each.path) for each in reversed(entries) if os.path.isabs(each.path)]
    copies = [path for path in folder.glob(f"cache/*/{name}/*") if path.is_dir()]
    copies.sort(key=lambda path: _state(str(path)), reverse=True)
    return [*found, *copies, *folder.glob(f"marketplaces/*/plugins/{name}")][:_MOST_FOLDERS]


class _Entry(Struct):
    path: str = field(default="", name="installPath")


class _Installed(Struct):
    """The client's `installed_plugins.json`."""

    plugins: dict[str, list[_Entry]] = field(default_factory=dict)


def _upwards(folder: str, root: str) -> Iterator[Path]:
    """From a folder up to the project's root."""
    if root and (not folder or not is_within(folder, root)):
        folder = root
    here = Path(folder) if folder else None
    for _ in range(_MOST_FOLDERS):
        if here is None:
            return
        yield here
        if str(here) == root or here == here.parent:
            return
        here = here.parent


def config_dir_of(transcript: str) -> str:
    """The client's configuration directory, as the path of a transcript tells (`DIR/projects/NAME/ID.jsonl`)."""
    parts = transcript.split("/projects/")
    return "/projects/".join(parts[:-1]) if len(parts) > 1 else ""


def _beside(path: str) -> str:
    return os.path.join(os.path.dirname(path), BESIDE) if path.endswith("/SKILL.md") else path and f"{path[:-3]}.toml"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _state(path: str) -> _State:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def _text(path: str) -> bytes:
    try:
        return contents(path)[1][:LARGEST] if path else b""
    except (OSError, ValueError):
        return b""
