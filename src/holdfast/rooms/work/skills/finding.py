"""Finds the file of a skill or command by its name, and reads it once.

The client looks in the project's `.claude`, in the user's configuration, and in plugins (`plugin:name`); so do we.
What was read is kept until its file changes or the client says that its configuration did.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from holdfast.project_file import contents
from holdfast.rooms.work.model import SkillConfig
from holdfast.rooms.work.skills.reading import LARGEST, read_skill

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
        path = next((str(place) for place in places(name, folder, root, config_dir) if _is_file(place)), "")
        state, side = _state(path), _state(_beside(path))
        found = read_skill(name, path, _text(path).decode("utf-8", "replace"), _text(_beside(path)))
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = (path, state, side, found)
        return found


def places(name: str, folder: str, root: str, config_dir: str) -> Iterator[Path]:
    """The files that may hold a skill or command, the nearest first."""
    parts = name.split(":")
    if not all(_NAME.match(part) for part in parts) or len(parts) > 4:
        return
    for base in [*(base / ".claude" for base in _upwards(folder, root)), *([Path(config_dir)] if config_dir else [])]:
        yield base / "skills" / name / "SKILL.md"
        yield base / "skills" / parts[-1] / "SKILL.md"
        yield base.joinpath("commands", *parts).with_suffix(".md")
    if len(parts) > 1 and config_dir:
        plugins = Path(config_dir, "plugins")
        for pattern in (f"marketplaces/*/plugins/{parts[0]}", f"marketplaces/{parts[0]}", f"cache/*/{parts[0]}/*"):
            for base in sorted(plugins.glob(pattern))[-_MOST_FOLDERS:]:
                yield base / "skills" / parts[-1] / "SKILL.md"
                yield base / "commands" / f"{parts[-1]}.md"


def _upwards(folder: str, root: str) -> Iterator[Path]:
    """From a folder up to the project's root."""
    if root and (not folder or not _is_inside(folder, root)):
        folder = root
    here = Path(folder) if folder else None
    for _ in range(_MOST_FOLDERS):
        if here is None:
            return
        yield here
        if str(here) == root or here == here.parent:
            return
        here = here.parent


def _is_inside(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root.rstrip("/") + "/")


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
