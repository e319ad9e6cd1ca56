"""project: which projects there are, and tying one to the folder where it is now."""

from __future__ import annotations

from pathlib import Path

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import only_a_person
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import Refused
from holdfast.ids import now_us


@click.group()
def project() -> None:
    """List projects, and link a project to its new folder.

    A project is known by its folder (its git directory). When that moved, or came from another machine, sessions there
    begin without memory until the project is moved, too.

    \b
    Example:
      holdfast project move website ~/code/website
    """


@project.command("list")
@json_option
@click.pass_obj
def list_(call: Call, as_json: bool) -> None:
    """List the projects that have records, the last used first.

    \b
    Example:
      holdfast project list
    """
    found = call.client().post("/api/tools/project_list", {})
    if as_json:
        show.say_json(found)
        return
    if not found:
        show.tell("No project was seen yet.")
    for one in found:
        last = f", {show.ago(one['last'], now_us())}" if one["last"] else ""
        gone = "" if Path(one["place"]).exists() or ":" in one["place"] else "; that folder is not here"
        show.say(show.fill(f"{show.plain(one['name'])}  {show.many(one['sessions'], 'session')}{last}", "", "  "))
        show.say(show.fill(f"{show.plain(one['place'])}{gone}", "  ", "  "))


@project.command("move")
@click.argument("name", metavar="PROJECT")
@click.argument("to", metavar="FOLDER", type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def move(call: Call, name: str, to: Path, as_json: bool) -> None:
    """Link PROJECT (its name, its old folder or its id) to FOLDER.

    Sessions in FOLDER then get what PROJECT knew. Earlier records of FOLDER become a project of their own.

    \b
    Examples:
      holdfast project move website ~/code/website
      holdfast project move ~/old/shop .
    """
    only_a_person("project move", "move a project")
    folder = to.expanduser().absolute()
    if not folder.is_dir():
        raise Refused(f"{folder} is no folder. Nothing was changed.")
    moved = call.client().post("/api/tools/project_move", {"project": name, "to": str(folder)})
    if as_json:
        show.say_json(moved)
        return
    show.say(show.fill(f"{show.plain(moved['name'])} is at {show.plain(moved['place'])} now."))
    if moved["set_aside"]:
        aside = show.plain(moved["set_aside"])
        show.say(show.fill(f"What was recorded there before is kept as the project `{aside}`."))
