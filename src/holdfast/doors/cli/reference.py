"""The reference pages, written from the program itself: commands, settings, events; and the hooks of the plugin.

`python -m holdfast.doors.cli.reference` writes them; with `--check` it exits 1 when a page says something else.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

from holdfast.config import keys
from holdfast.doors.cli.generated import command as generated
from holdfast.doors.cli.main import load
from holdfast.doors.cli.main import program as root_command
from holdfast.doors.cli.table import ROOMS_FILE, VERBS, Rooms
from holdfast.doors.descriptions import openapi, openrpc
from holdfast.doors.mcp import listed
from holdfast.doors.rooms_table import rooms_table, rooms_text
from holdfast.events.answer import BLOCKABLE_EVENTS
from holdfast.events.steps import OnEvent, Program, used_events
from holdfast.install.plugin import HOOKS_FILE, hooks_text
from holdfast.program import HOUSE_TOOLS, PROGRAM, ROOMS
from holdfast.rooms.gather import gather
from holdfast.rooms.room import Room

FOLDER = Path("docs") / "reference"
PLUGIN = Path("plugin")
_NOTE = "<!-- Written by `python -m holdfast.doors.cli.reference`; change the program, not this page. -->"

EXIT_CODES = (
    (0, "done"),
    (1, "a check failed, or nothing was found"),
    (2, "wrong usage, or a setting that does not fit"),
    (3, "the daemon could not be reached or started"),
    (4, "refused: you said no, or nobody could be asked"),
    (70, "something unexpected; a report was written"),
    (130, "interrupted with Ctrl-C"),
)


def commands_page(rooms: Sequence[Room] = ROOMS) -> str:
    """Every verb: its words, options and examples."""
    return _page("Commands", _commands(rooms_table(gather(rooms), PROGRAM)))


def _commands(of_rooms: Rooms) -> Iterator[str]:
    yield "Every command takes `--help`; where it prints data it takes `--json`. `holdfast --home DIR …` uses"
    yield "this home instead of `HOLDFAST_HOME`. Colours are used on a terminal only, and not when `NO_COLOR` is set."
    yield ""
    yield "| exit code | means |"
    yield "|---|---|"
    for code, meaning in EXIT_CODES:
        yield f"| {code} | {meaning} |"
    root = click.Context(root_command, info_name="holdfast")
    for name in VERBS:
        yield from _command(load(name, of_rooms), f"holdfast {name}", root, name)
    for name, declared in of_rooms["verbs"].items():
        yield from _command(generated(name, declared), f"holdfast {name}", root, name)


def _command(command: click.Command, title: str, parent: click.Context, name: str) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield ""
    yield f"## `{title}`"
    yield ""
    yield from _help(command)
    options = [one for one in command.params if isinstance(one, click.Option)]
    records = [record for one in options if (record := one.get_help_record(context))]
    yield ""
    yield "```"
    yield " ".join([title, *command.collect_usage_pieces(context)])
    yield "```"
    if records:
        yield ""
        yield "| option | means |"
        yield "|---|---|"
        for option, meaning in records:
            yield f"| `{_cell(option)}` | {_cell(meaning)} |"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            child = command.get_command(context, below)
            assert child is not None
            yield from _command(child, f"{title} {below}", context, below)


def _help(command: click.Command) -> Iterator[str]:
    """The help text; what click keeps as it is (`\\b`) becomes a block of code."""
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    for number, paragraph in enumerate(paragraphs):
        if number:
            yield ""
        lines = paragraph.splitlines()
        if lines[0] == "\b":
            yield lines[1]
            yield ""
            yield "```sh"
            yield from (line.strip() for line in lines[2:])
            yield "```"
        else:
            yield from lines


def configuration_page(rooms: Sequence[Room] = ROOMS) -> str:
    """Every key: what it means, its default, its variable."""
    return _page("Configuration", _configuration(rooms))


def _configuration(rooms: Sequence[Room]) -> Iterator[str]:
    yield "The user's settings are `config.toml` in the home; a project's are `.holdfast.toml` at its root. A variable"
    yield "of the environment overrides both. An unknown key is named by `holdfast config check` and ignored; a"
    yield "value that does not fit is an error that names file, key and reason. Only the keys marked so may be set by a"
    yield "project, because a cloned repository is not trusted. `holdfast restart` takes up a changed file; the daemon"
    yield "sees a changed variable after `holdfast stop` and `holdfast start`."
    yield ""
    yield "| key | kind | default | variable | project | meaning |"
    yield "|---|---|---|---|---|---|"
    for key in keys(rooms):
        cells = (
            f"`{key.name}`",
            _kind(key.kind),
            _default(key.default),
            f"`{key.environment}`",
            "off only" if key.switch else "yes" if key.in_project else "",
            key.description,
        )
        yield f"| {' | '.join(map(_cell, cells))} |"


def _kind(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(f"`{word}`" for word in get_args(kind))
    if get_origin(kind) is tuple:
        return "list of texts"
    return {int: "whole number", float: "number", str: "text", bool: "true or false"}.get(kind, str(kind))


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if value in ("", (), []):
        return "none"
    return f"`{json.dumps(list(value), ensure_ascii=False)}`" if isinstance(value, tuple | list) else f"`{value}`"


def events_page(program: Program = PROGRAM) -> str:
    """What happens on every event."""
    return _page("Events", _events(program))


def _events(program: Program) -> Iterator[str]:
    yield f"What holdfast does on each of Claude Code's {len(program)} hook events, in the order of a session's life."
    yield "Every event is scrubbed and kept in the journal once, also those without a step. An event of a newer client"
    yield "is kept and answered with `{}`. The steps of an event run side by side, each within its time."
    yield ""
    yield "| event | steps | may say no | context, tokens | time, s | on failure |"
    yield "|---|---|---|---|---|---|"
    for name, on_event in program.items():
        yield f"| {' | '.join(map(_cell, _event(name, on_event)))} |"


def _event(name: str, on_event: OnEvent) -> tuple[str, ...]:
    denying = name in BLOCKABLE_EVENTS and any(step.may_deny for step in on_event.steps)
    steps = [_step(step) for step in on_event.steps]
    if on_event.recovers:
        steps.append("afterwards: compare the transcript")
    return (
        f"`{name}`",
        "; ".join(["journal", *steps]),
        "yes" if denying else "no",
        str(on_event.tokens) if on_event.tokens else "-",
        f"{max(step.seconds for step in on_event.steps):g}" if on_event.steps else "-",
        "the step is dropped, the rest is answered" if on_event.steps else "answered with `{}`",
    )


def _step(step: Any) -> str:
    tools = f" ({', '.join(sorted(step.tools))})" if step.tools else ""
    return f"`{step.name}`{tools}"


def tools_page(rooms: Sequence[Room] = ROOMS) -> str:
    """What an agent is offered by MCP."""
    return _page("Tools for agents", _tools(rooms))


def _tools(rooms: Sequence[Room]) -> Iterator[str]:
    declared = gather(rooms, HOUSE_TOOLS)
    yield "What an agent is offered by MCP ([how to](../how-to/mcp.md)). People have more: `holdfast call` lists all."
    yield ""
    yield "| tool | changes something | what it does |"
    yield "|---|---|---|"
    for tool in listed(declared.tools, declared.kinds):
        changes = "yes" if declared.tools[tool["name"]].changes else ""
        yield f"| `{tool['name']}` | {changes} | {_cell(tool['description'])} |"


def pages(rooms: Sequence[Room] = ROOMS, program: Program = PROGRAM) -> dict[Path, str]:
    """All that is generated from rooms and program, by file."""
    return {
        FOLDER / "commands.md": commands_page(rooms),
        FOLDER / "configuration.md": configuration_page(rooms),
        FOLDER / "events.md": events_page(program),
        FOLDER / "tools.md": tools_page(rooms),
        FOLDER / "openapi.json": _json(openapi(gather(rooms, HOUSE_TOOLS))),
        FOLDER / "openrpc.json": _json(openrpc(gather(rooms, HOUSE_TOOLS))),
        PLUGIN / HOOKS_FILE: hooks_text(used_events(program)),
        PLUGIN / "evals" / "mocks" / "plugin_holdfast_holdfast" / "_tools.json": _tools_listed(rooms),
    }


def _tools_listed(rooms: Sequence[Room]) -> str:
    """The tools that agents are offered, for the stand-in of the tool server in the plugin's evals."""
    declared = gather(rooms, HOUSE_TOOLS)
    return json.dumps({"tools": listed(declared.tools, declared.kinds)}, indent=1) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _page(title: str, lines: Iterator[str]) -> str:
    return "\n".join([_NOTE, "", f"# {title}", "", *lines]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def differing(root: Path = Path()) -> list[Path]:
    """The generated files that do not say what the program does: the pages below `root`, and the table of the rooms."""
    wrong = [file for file, text in pages().items() if not _same(root / file, text)]
    return wrong + ([] if _same(ROOMS_FILE, rooms_text(gather(ROOMS), PROGRAM)) else [ROOMS_FILE])


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text


def main(words: Sequence[str]) -> int:
    """Write the pages below the current folder, and the table of verbs beside the command line; or check them."""
    wrong = differing()
    if "--check" in words:
        for file in wrong:
            print(f"{file} differs; run `python -m holdfast.doors.cli.reference`.", file=sys.stderr)
        return 1 if wrong else 0
    texts = {**pages(), ROOMS_FILE: rooms_text(gather(ROOMS), PROGRAM)}
    for file in wrong:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(texts[file], "utf-8")
        print(f"wrote {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
