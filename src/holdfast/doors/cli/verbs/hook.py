"""hook: one hook event from stdin, for the plugin on a machine where `up` never ran."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from holdfast import hook as client
from holdfast.doors.cli.main import Call


@click.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.pass_obj
def hook(call: Call, words: tuple[str, ...]) -> None:
    """Take one hook event from stdin and print its answer. The plugin's hooks call it; people never need to.

    It leaves the program in the home, which the next events go to directly.

    \b
    Example:
      holdfast hook plugin SessionStart < event.json
    """
    from holdfast.install.launching import command_script, write_program

    python = Path(sys.executable)
    try:
        call.home.prepare()
        write_program(call.home, command_script(python, call.home))
    finally:
        script = str(Path(client.__file__).absolute())
        os.execv(python, [str(python), "-I", "-S", "-E", script, str(call.home.root), *words])
