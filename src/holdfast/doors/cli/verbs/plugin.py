"""plugin: a copy of the Claude Code plugin, with a local marketplace to install it from."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import client_option, json_option
from holdfast.errors import HoldfastError, UsageError


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--install", "do_install", is_flag=True, help="Install it with Claude Code, from a copy in the home.")
@click.option("--no-hooks", is_flag=True, help="Leave hooks and tools to the settings: only the skill, commands, pane.")
@client_option
@json_option
@click.pass_obj
def plugin(
    call: Call, folder: Path | None, do_install: bool, no_hooks: bool, client: str | None, as_json: bool
) -> None:
    """Write the Claude Code plugin and a local marketplace to DIR; or install it with --install.

    The plugin works without `holdfast install`. Beside hooks in the settings its own hooks stay silent; --no-hooks
    leaves them out, which is quicker, and --install does so where your settings have hooks.

    \b
    Examples:
      holdfast plugin --install
      holdfast plugin ~/holdfast-plugin
    """
    from holdfast.install.plugin import MARKETPLACE, NAME, write_copy

    if do_install == (folder is not None):
        raise UsageError("Name a folder to write the plugin to, or use --install to install it with Claude Code.")
    if do_install:
        _install(call, client, as_json)
        return
    assert folder is not None
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


def _install(call: Call, client: str | None, as_json: bool) -> None:
    from holdfast.doors.cli.control import check_home
    from holdfast.install import find_client
    from holdfast.install.launching import command_script, write_program
    from holdfast.install.plugin_client import FULL_NAME, folder_of, has_hooks_in_settings, install_plugin

    check_home(call.home)
    write_program(call.home, command_script(Path(sys.executable), call.home))
    environment = dict(os.environ)
    own = not has_hooks_in_settings(call.home)
    refused = install_plugin(call.home, find_client(client, environment), environment)
    if refused:
        raise HoldfastError(f"{refused.sentence} {refused.fix}")
    if as_json:
        show.say_json({"plugin": FULL_NAME, "folder": str(folder_of(call.home)), "hooks": own})
        return
    hooks = "its own hooks and tools" if own else "your settings for hooks and tools"
    show.say(f"The plugin {FULL_NAME} is installed, with {hooks}. New sessions of Claude Code have it.")
    show.say("`holdfast uninstall` takes it out again.")
