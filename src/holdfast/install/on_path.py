"""The command `holdfast` on PATH: a link in the user's folder of programs to the program in the home."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from holdfast.errors import HoldfastError
from holdfast.install import files, manifest
from holdfast.install.launching import command_script, is_current, write_program
from holdfast.install.model import Notice
from holdfast.paths import Home

CommandWay = Literal["make", "none", "taken", "found"]


@dataclass(frozen=True, slots=True)
class CommandPlan:
    """Where the link goes, and whether anything has to be done. `taken`: another program has that name there."""

    link: Path
    way: CommandWay
    script: str
    notice: Notice | None = None
    folders: tuple[Path, ...] = ()

    @property
    def nothing_to_do(self) -> bool:
        return self.way != "make"


def plan_command(home: Home, python: Path, environment: Mapping[str, str]) -> CommandPlan:
    """Nothing is needed when another installed `holdfast` (by uv or pipx) is on PATH and it is this very one."""
    script = command_script(python, home)
    folder, is_on_path = _folder(environment)
    link = folder / "holdfast"
    if _is_link_of(link, home):
        way: CommandWay = "none" if is_current(home, script) else "make"
    elif os.path.lexists(link):
        way = "found" if _starts(link, python) else "taken"
    else:
        way = "make"
    notice = None
    if way == "taken":
        notice = Notice("path", f"{link} is another program, so `holdfast` was not put there.", f"Use {home.command}.")
    elif not is_on_path and way != "found":
        line = f'export PATH="{_shown(folder, environment)}:$PATH"'
        notice = Notice(
            "path", f"{folder} is not on your PATH.", f"Add this line to your shell's start-up file:\n{line}"
        )
    return CommandPlan(link, way, script, notice, files.missing_folders(link) if way == "make" else ())


def write_command(home: Home, plan: CommandPlan) -> None:
    """Write the program into the home and link it. The record comes first, so that uninstall finds the link."""
    write_program(home, plan.script)
    if plan.way != "make":
        return
    with manifest.exclusive(home):
        record = manifest.load(home)
        manifest.save(home, record.with_link(plan.link, record.link_folders or plan.folders))
    try:
        for folder in plan.folders:
            folder.mkdir(exist_ok=True)
        if not os.path.lexists(plan.link):
            plan.link.symlink_to(home.command)
    except OSError as error:
        raise HoldfastError(f"{plan.link} cannot be made ({error.strerror}). Use {home.command} instead.") from error


def remove_command(home: Home) -> Path | None:
    """Remove the link, if it still leads to this home, and the folders that were made for it; the link that went."""
    record = manifest.load(home)
    if not record.link:
        return None
    link = Path(record.link)
    gone = _is_link_of(link, home)
    if gone:
        link.unlink(missing_ok=True)
        for folder in reversed(record.link_folders):
            try:
                Path(folder).rmdir()
            except OSError:
                break
    manifest.save(home, record.with_link(None, ()))
    return link if gone else None


def _folder(environment: Mapping[str, str]) -> tuple[Path, bool]:
    """The user's own folder of programs that is on PATH; else the usual one, which is not."""
    house = Path(environment.get("HOME") or Path.home())
    listed = [Path(part) for part in environment.get("PATH", "").split(os.pathsep) if part]
    for folder in (house / ".local" / "bin", house / "bin"):
        if folder in listed:
            return folder, True
    return house / ".local" / "bin", False


def _is_link_of(link: Path, home: Home) -> bool:
    try:
        return os.readlink(link) == str(home.command)
    except OSError:
        return False


def _starts(link: Path, python: Path) -> bool:
    """Is this the console script of the very installation that runs now (by uv or pipx)?"""
    beside = shutil.which("holdfast", path=str(python.parent))
    return beside is not None and files.target_of(link) == files.target_of(Path(beside))


def _shown(folder: Path, environment: Mapping[str, str]) -> str:
    house = environment.get("HOME")
    text = str(folder)
    return f"$HOME{text.removeprefix(house)}" if house and text.startswith(house + "/") else text
