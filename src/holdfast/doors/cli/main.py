"""The entry of the command line: the table of verbs, and the one door through which every error leaves.

A verb's module is loaded when it is called and not before, so that `--help` and `status` stay quick.
"""

from __future__ import annotations

import importlib
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click

from holdfast import __version__
from holdfast.doors.cli.visible import visible_lines
from holdfast.errors import HoldfastError
from holdfast.paths import Home, resolved

INTERRUPTED = 130
UNEXPECTED = 70


class Verb(NamedTuple):
    """Where a verb lives, and the sentence `--help` shows without loading it."""

    module: str
    attribute: str
    summary: str


VERBS: dict[str, Verb] = {
    "up": Verb("up", "up", "Install the hooks, start the daemon, and prove that both work."),
    "status": Verb("status", "status", "Show the daemon, its store, and what became of every event."),
    "start": Verb("daemon", "start", "Start the daemon."),
    "stop": Verb("daemon", "stop", "Stop the daemon; events that arrive meanwhile are kept."),
    "restart": Verb("daemon", "restart", "Replace the daemon by a new one, without losing an event."),
    "logs": Verb("logs", "logs", "Show the daemon's log."),
    "doctor": Verb("doctor", "doctor", "Examine everything that can be wrong, each with its fix."),
    "journal": Verb("journal", "journal", "Show what arrived: every event, once, scrubbed."),
    "install": Verb("install", "install", "Put the hooks into Claude Code's settings."),
    "uninstall": Verb("uninstall", "uninstall", "Take the hooks out of the settings again."),
    "search": Verb("memory", "search", "Find earlier work: ids and titles."),
    "timeline": Verb("memory", "timeline", "Show what stands around an id or a time."),
    "show": Verb("memory", "show_items", "Show all that is kept under an id."),
    "why": Verb("memory", "why", "Explain a kept thing: its origin, its showings."),
    "remember": Verb("memory", "remember", "Keep a decision, a fact or a preference."),
    "edit": Verb("memory", "edit", "Correct a kept thing."),
    "supersede": Verb("memory", "supersede", "Mark a kept thing as no longer true."),
    "forget": Verb("forget", "forget", "Remove things everywhere, so that they never come back."),
    "export": Verb("export", "export", "Write what is kept as JSON Lines."),
    "costs": Verb("costs", "costs", "Show what a model's summaries have cost, call by call."),
    "call": Verb("call", "call", "Call any of the rooms' tools."),
    "mcp": Verb("mcp", "mcp", "Serve MCP by stdio, as a relay to the daemon."),
    "citations": Verb("citations", "citations", "Show and forget the web pages whose readings are kept."),
    "import": Verb("take", "take", "Take in an export, or take over what other tools have kept."),
    "model": Verb("model", "model", "Choose the optional sentence model of recall."),
    "reindex": Verb("reindex", "reindex", "Make the search index anew from what is kept."),
    "backup": Verb("backup", "backup", "Copy the whole store into one file."),
    "config": Verb("config", "config", "Show and check the settings."),
    "completion": Verb("completion", "completion", "Print the completion script for a shell."),
}
"""Every verb, in the order of `--help`."""


@dataclass(slots=True)
class Call:
    """One call of the command line: the home it speaks of."""

    home: Home


class LazyGroup(click.Group):
    """A group whose commands are named in `VERBS` and loaded one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load(cmd_name) if cmd_name in VERBS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])


def load(name: str) -> click.Command:
    """The command of a verb."""
    verb = VERBS[name]
    command = getattr(importlib.import_module(f"holdfast.doors.cli.verbs.{verb.module}"), verb.attribute)
    assert isinstance(command, click.Command)
    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="holdfast", message="%(prog)s %(version)s")
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=True),
    metavar="DIR",
    help="The home to speak of, instead of HOLDFAST_HOME or the usual place.",
)
@click.pass_obj
def program(call: Call, home: Path | None) -> None:
    """One local daemon behind every Claude Code hook.

    \b
    Begin with:  holdfast up
    Then look:   holdfast status
    """
    if home is not None:
        call.home = Home(resolved(home))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Whatever goes wrong leaves here, as a sentence and an exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in words
    try:
        call = Call(Home.default())
    except HoldfastError as error:
        return _leave(str(error), error.exit_code, as_json)
    try:
        result: Any = program.main(args=words, prog_name="holdfast", standalone_mode=False, obj=call)
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        if as_json:
            return _leave(error.format_message(), error.exit_code, as_json)
        page = io.StringIO()
        error.show(page)
        sys.stderr.write(visible_lines(page.getvalue()))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _leave("Interrupted.", INTERRUPTED, as_json)
    except HoldfastError as error:
        return _leave(str(error), error.exit_code, as_json)
    except Exception as error:
        from holdfast.doors.cli.report import write_report

        return _leave(write_report(call.home, words, error), UNEXPECTED, as_json)


def _leave(sentence: str, code: int, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"error": sentence, "exit_code": code}), file=sys.stderr)
    else:
        print(visible_lines(f"holdfast: {sentence}"), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
