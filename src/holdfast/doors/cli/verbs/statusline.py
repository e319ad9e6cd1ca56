"""statusline: the line under Claude Code's prompt; and putting it into the settings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from holdfast import statusline as client
from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call


@click.command()
@click.option("--on", "wanted", flag_value="on", help="Put it into your settings, around a status line that is there.")
@click.option("--off", "wanted", flag_value="off", help="Take it out again; the one that was there before stays.")
@click.pass_obj
def statusline(call: Call, wanted: str | None) -> None:
    """Print the status line for the JSON on stdin, as Claude Code gives it.

    It shows how full the context window is, rate limits that run out, and what was recalled. The settings call a
    quicker form of it; this one is for trying it out.

    \b
    Examples:
      holdfast statusline --on
      holdfast statusline < input.json
    """
    script = Path(client.__file__).absolute()
    if wanted is None:
        os.execv(sys.executable, [sys.executable, "-I", "-S", "-E", str(script), str(call.home.root)])
    from holdfast.doors.cli.control import check_home
    from holdfast.install import files
    from holdfast.install.model import InstallScope
    from holdfast.install.settings import decode, settings_file
    from holdfast.install.status_line import with_ours, without_ours
    from holdfast.install.touched import take_down

    path = settings_file(InstallScope.USER, Path.cwd(), os.environ)
    found = files.read(path)
    text = None if found.data is None else decode(found.data, path)
    after: str | None
    if wanted == "on":
        after = with_ours(text, Path(sys.executable), script, call.home.root, path)
    else:
        after = without_ours(text, path) if text is not None else None
    if after is not None and after != text:
        if wanted == "on":
            check_home(call.home)
            take_down(call.home, path)
        files.write(path, after.encode("utf-8"), found.mode)
    show.say(f"The status line is {wanted} in {path}.")
