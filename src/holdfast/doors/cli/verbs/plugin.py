"""plugin: a copy of the Claude Code plugin, with a local marketplace to install it from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--no-hooks", is_flag=True, help="Leave hooks and tools to the settings: only the skill, commands, pane.")
@json_option
@click.pass_obj
def plugin(call: Call, folder: Path, no_hooks: bool, as_json: bool) -> None:
    """Write the Claude Code plugin and a local marketplace to DIR, and say how to install it.

    The plugin works without `holdfast install`. Beside hooks in the settings its own hooks stay silent; --no-hooks
    leaves them out, which is quicker.

    \b
    Examples:
      holdfast plugin ~/holdfast-plugin
      holdfast plugin ~/holdfast-plugin --no-hooks --json
    """
    from holdfast.install.plugin import MARKETPLACE, NAME, write_copy

    target = folder.expanduser().absolute()
    made = write_copy(target, with_hooks=not no_hooks)
    commands = [
        f"claude plugin marketplace add {shlex.quote(str(target))}",
        f"claude plugin install {NAME}@{MARKETPLACE}",
    ]
    if as_json:
        show.say_json({"plugin": str(made), "marketplace": str(target), "hooks": not no_hooks, "commands": commands})
        return
    show.say(f"The plugin is in {made}. To install it:")
    for command in commands:
        show.say(f"  {command}")
