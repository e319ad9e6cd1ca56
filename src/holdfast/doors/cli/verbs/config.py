"""config: the settings in force and where each comes from; whether the files say anything that cannot be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option, project_root
from holdfast.paths import Home
from holdfast.project_file import contents, dotted, toml_table

if TYPE_CHECKING:
    from holdfast.config import Sections, SettingKey


@click.group()
def config() -> None:
    """Show and check the settings.

    There is one file for the user, `config.toml` in the home, one per project, `.holdfast.toml` at its root, and a
    variable for every key; the later wins.

    \b
    Example:
      holdfast config show
    """


@config.command("show")
@json_option
@click.pass_obj
def show_(call: Call, as_json: bool) -> None:
    """Show every key, its value, and where that comes from.

    \b
    Example:
      holdfast config show --json
    """
    listed = list(settings(call.home, call.sections()))
    if as_json:
        show.say_json(listed)
        return
    rows = [(one["key"], _text(one["value"]), one["origin"]) for one in listed]
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    if sum(widths) + 4 <= show.width():
        for line in show.table(("key", "value", "from"), rows):
            show.say(line)
        return
    for key, value, origin in rows:
        come = "" if origin == "default" else f"  ({origin})"
        show.say(show.fill(f"{value}{come}", f"{key} = ", "    "))


@config.command()
@json_option
@click.pass_obj
def path(call: Call, as_json: bool) -> None:
    """Print the path of the user's settings file, whether it is there or not.

    \b
    Example:
      $EDITOR "$(holdfast config path)"
    """
    if as_json:
        show.say_json({"user": str(call.home.config), "project": str(_project_file())})
    else:
        show.say(str(call.home.config))


@config.command()
@json_option
@click.pass_obj
def check(call: Call, as_json: bool) -> int:
    """Check the settings files and variables.

    Names every fault, and exits with 1 when a value is not allowed or a key is unknown.

    \b
    Example:
      holdfast config check
    """
    from holdfast.config import load

    complaints: list[str] = []
    loaded = load(
        call.home.config, _project_file(), rooms=call.sections(), fault=lambda error: complaints.append(str(error))
    )
    complaints += [f"{name} is unknown (or not a project's to set) and does nothing." for name in loaded.unknown]
    if as_json:
        show.say_json({"valid": not complaints, "complaints": complaints})
    else:
        for line in complaints or ["The configuration is valid."]:
            show.say(show.plain(line))
    return 1 if complaints else 0


def settings(home: Home, rooms: Sections) -> Iterator[dict[str, Any]]:
    """Every key with its value in force and its origin."""
    from holdfast.config import keys, load
    from holdfast.store.mask import mask

    project = _project_file()
    now = load(home.config, project, rooms=rooms)
    in_user, in_project = _said(home.config), _said(project)

    def origin_of(key: SettingKey) -> str:
        if key.switch and in_project.get(key.name) is False:
            return str(project)
        if os.environ.get(key.environment):
            return key.environment
        if key.in_project and not key.switch and key.name in in_project:
            return str(project)
        return str(home.config) if key.name in in_user else ""

    known = list(keys(rooms))
    for key in known:
        value = now.value(key.name)
        others = (each for each in known if each is not key and each.means == key.means)
        origin = next(filter(None, map(origin_of, (key, *others))), "default")
        shown = mask(value) if key.name == "store.url" and value else value
        yield {"key": key.name, "value": list(shown) if isinstance(shown, tuple) else shown, "origin": origin}


def _project_file() -> Path:
    from holdfast.config import PROJECT_FILE

    return project_root() / PROJECT_FILE


def _said(file: Path) -> dict[str, Any]:
    """What a settings file that `load` has found readable says, by dotted names."""
    return dict(dotted(toml_table(contents(file)[1]))) if file.exists() else {}


def _text(value: Any) -> str:
    """As the file would say it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return show.plain(str(value)) or "-"
