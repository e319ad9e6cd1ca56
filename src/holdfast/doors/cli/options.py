"""Options that several verbs share, so that they are called and explained alike everywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any, TypeVar

import click

from holdfast.errors import HoldfastError, Refused

F = TypeVar("F", bound=Callable[..., Any])


def json_option(function: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(function)


def yes_option(function: F) -> F:
    return click.option("-y", "--yes", is_flag=True, help="Do not ask.")(function)


def scope_option(function: F) -> F:
    return click.option(
        "--scope",
        type=click.Choice(["user", "project", "local"]),
        help="Whose settings: yours, the project's (committed), or yours for this project. "
        "Without it: where the hooks are already, else user.",
    )(function)


def events_option(function: F) -> F:
    return click.option(
        "--events",
        type=click.Choice(["used", "all"]),
        help="Which events to register: those that holdfast uses, or all that the client has (the journal then has "
        "more, and each costs the session its time). Without it: as before, else used.",
    )(function)


def with_options(command: click.Command, *options: click.Option) -> click.Command:
    """The command with further options, which follow from what rooms declare. `--json` stays the last one."""
    made = copy(command)
    made.params = [*command.params[:-1], *options, command.params[-1]]
    return made


def guard_option(function: F) -> F:
    return click.option(
        "--guard-command/--no-guard-command",
        default=None,
        help="Register PreToolUse as a command: guards then hold even when the daemon was away, because the hook "
        "starts it, and judges by itself when it does not answer in time; each tool call takes about 10 ms longer. "
        "Without it: as before, else http.",
    )(function)


def client_option(function: F) -> F:
    return click.option(
        "--client", metavar="PATH", help="The Claude Code to install for, when it is not the one on PATH."
    )(function)


def diff_option(function: F) -> F:
    return click.option("--diff", "with_diff", is_flag=True, help="Show every line that will change.")(function)


def consent(question: str, *, yes: bool, as_json: bool) -> None:
    """Go on only with the user's word."""
    if yes:
        return
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused("Nothing was changed: there is no terminal to ask on. Add --yes to go ahead.")
    if not click.confirm(question, default=True):
        raise Refused("Nothing was changed.")


def project_root() -> Path:
    """The project that the command was called in: the nearest folder with `.git`, else the current one."""
    try:
        here = Path.cwd()
    except OSError as error:
        raise HoldfastError("The folder you are in is no longer there. Go to another one and call again.") from error
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
