"""completion: the script that teaches a shell the verbs and options; click writes it."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from holdfast.doors.cli import show


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    Examples:
      holdfast completion bash >> ~/.bashrc
      holdfast completion zsh >> ~/.zshrc
      holdfast completion fish > ~/.config/fish/completions/holdfast.fish
    """
    from holdfast.doors.cli.main import program

    kind = get_completion_class(shell)
    assert kind is not None
    show.say(kind(program, {}, "holdfast", "_HOLDFAST_COMPLETE").source().strip())
