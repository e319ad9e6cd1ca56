"""run: the client under supervision, so that it can be started again with a hand-over when its window is full."""

from __future__ import annotations

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.errors import UsageError


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[--] COMMAND...")
@click.pass_obj
def run(call: Call, command: tuple[str, ...]) -> int:
    """Run Claude Code, and start it again with a hand-over when its context window is full.

    With `on_auto_compact = "restart"` in the configuration a window that is full, or that its agent has handed over,
    ends the client and starts it again with the same options; the new session gets the hand-over. Keys, signals and
    the exit code are passed through. Without a command it runs `claude`.

    \b
    Example:
      holdfast run -- claude --model opus
    """
    from holdfast.doors.cli.supervising import ClientSupervisor

    words = command[1:] if command[:1] == ("--",) else command
    try:
        return ClientSupervisor(
            words or ("claude",), call.home.restarts, lambda text: show.tell(f"holdfast: {text}")
        ).run()
    except FileNotFoundError as error:
        raise UsageError(f"{error.filename} was not found. Name the client: `holdfast run -- claude`.") from error
