"""The entry of the command line: the table of verbs, and the one door through which every error leaves.

A verb's module is loaded when it is called and not before, so that `--help` and `status` stay quick.
"""

from __future__ import annotations

import importlib
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast import __version__
from holdfast.doors.cli.table import ROOMS_FILE, VERBS, Rooms, read_rooms
from holdfast.errors import HoldfastError
from holdfast.paths import Home, resolved
from holdfast.visible import visible_lines

if TYPE_CHECKING:
    from holdfast.config import Sections
    from holdfast.doors.cli.client import Client

INTERRUPTED = 130
UNEXPECTED = 70


@dataclass(slots=True)
class Call:
    """One call of the command line: the home it is about, and what rooms declare."""

    home: Home
    rooms: Rooms = field(default_factory=read_rooms)
    _clients: list[Client] = field(default_factory=list)

    def client(self, patience: float = 0.0) -> Client:
        """The daemon, for a command that needs it: one that does not run is started, and one that runs older code
        than is installed is replaced when the command is done."""
        from holdfast.doors.cli.client import PATIENCE, Client

        self._clients.append(Client(self.home, patience or PATIENCE, may_start=True))
        return self._clients[-1]

    def sections(self) -> Sections:
        """The rooms' sections of the settings."""
        from holdfast.sections import made

        return {name: made(name, fields) for name, fields in self.rooms["settings"].items()}

    @property
    def is_outdated(self) -> bool:
        return any(client.is_outdated for client in self._clients)


class LazyGroup(click.Group):
    """A group whose commands are named in tables and loaded one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*VERBS, *_rooms(ctx)["verbs"]]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load(cmd_name, _rooms(ctx)) if cmd_name in self.list_commands(ctx) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Click proposes commands that it has loaded, and of these none is."""
        name, names = args[0], self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(name, names, n=1)
            ctx.fail(f"No such command '{name}'." + (f" Did you mean '{near[0]}'?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, verb in VERBS.items():
            sections.setdefault(verb.section, []).append((name, verb.summary))
        for name, declared in _rooms(ctx)["verbs"].items():
            sections.setdefault(declared["section"], []).append((name, declared["summary"]))
        for section, listed in sections.items():
            with formatter.section(section):
                formatter.write_dl(listed)


def _rooms(ctx: click.Context) -> Rooms:
    call = ctx.find_root().obj
    return call.rooms if isinstance(call, Call) else read_rooms()


def load(name: str, rooms: Rooms | None = None) -> click.Command:
    """The command of a verb."""
    rooms = read_rooms() if rooms is None else rooms
    if name not in VERBS:
        from holdfast.doors.cli.generated import command

        return command(name, rooms["verbs"][name])
    verb = VERBS[name]
    found = getattr(importlib.import_module(f"holdfast.doors.cli.verbs.{verb.module}"), verb.attribute)
    made = found if isinstance(found, click.Command) else found(rooms)
    assert isinstance(made, click.Command)
    return made


def _version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from holdfast.build import identity

        click.echo(f"holdfast {__version__} (build {identity()})")
        context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V", "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version."
)
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=True),
    metavar="DIR",
    help="Use this home directory instead of HOLDFAST_HOME.",
)
@click.pass_obj
def program(call: Call, home: Path | None) -> None:
    """One local daemon behind every Claude Code hook.

    \b
    Begin with:  holdfast up
    Then look:   holdfast status

    Ends with 0 when all is done, 1 when a check failed or nothing was found, 2 after wrong usage, 3 when the daemon
    could not be reached, 4 when it was refused, 70 after something unexpected (a report was written).
    """
    if home is not None:
        call.home = Home(resolved(home))


def main(arguments: Sequence[str] | None = None, rooms: Path = ROOMS_FILE) -> int:
    """Run one command. Whatever goes wrong leaves here, as a sentence and an exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in words
    try:
        call = Call(Home.default(), read_rooms(rooms))
    except HoldfastError as error:
        return _leave(str(error), error.exit_code, as_json)
    try:
        result: Any = program.main(args=words, prog_name="holdfast", standalone_mode=False, obj=call)
        if call.is_outdated:
            _hand_over(call.home)
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


def _hand_over(home: Home) -> None:
    """The installed code is newer than the daemon: put it in its place (OPS-11)."""
    from holdfast.doors.cli.control import restart

    try:
        restart(home)
        print("holdfast: The installed code changed, so the daemon was replaced by it.", file=sys.stderr)
    except HoldfastError as error:
        print(visible_lines(f"holdfast: The installed code changed. {error}"), file=sys.stderr)


def _leave(sentence: str, code: int, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"error": sentence, "exit_code": code}), file=sys.stderr)
    else:
        from holdfast.doors.cli import show

        show.tell_wrapped(f"holdfast: {sentence}")
    return code


if __name__ == "__main__":
    sys.exit(main())
