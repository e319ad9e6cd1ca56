"""import: take in an export, or take over what other tools have kept."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import UsageError
from holdfast.paths import claude_config_dir

_PATIENCE = 600.0
_POLL = 0.25
_LINES = 500
_BYTES = 4 * 1024 * 1024
_BAR = 30


class _OrFile(click.Group):
    """A word that is none of the commands is the file to take in."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            return "file", self.commands["file"], args
        return super().resolve_command(ctx, args)


@click.group("import", cls=_OrFile, subcommand_metavar="FILE | COMMAND [ARGS]...")
def take() -> None:
    """Take in an export, or take over what other tools have kept.

    Taking the same twice changes nothing, and what was forgotten stays forgotten.

    \b
    Examples:
      holdfast import memories.jsonl
      holdfast import claude
      holdfast import claude-mem ~/.claude-mem/claude-mem.db
      holdfast import sdd-cache .claude/sdd-cache
    """


@take.command("file")
@click.argument("file", type=click.File("rb"))
@json_option
@click.pass_obj
def take_file(call: Call, file: IO[bytes], as_json: bool) -> int:
    """Take in FILE, which `holdfast export` has written (- reads standard input). The word `file` may be left out.

    \b
    Example:
      holdfast import file memories.jsonl
    """
    client = Client(call.home, patience=_PATIENCE)
    new: Counter[str] = Counter()
    read = done = 0
    total = Path(file.name).stat().st_size if file.name not in ("-", "<stdin>") else 0
    whole = False
    with _Bar(as_json) as bar:
        for lines in _parts(file):
            if not read and '"holdfast_export"' not in lines[0]:
                raise UsageError(f"{file.name} is no export of holdfast: its first line does not say so.")
            whole = lines[-1].startswith('{"end"')
            new.update(client.post("/api/import", {"lines": lines})["new"])
            read += len(lines)
            done += sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
            bar.show(done, total, f"{read} records")
    if as_json:
        show.say_json({"records": max(0, read - 2), "new": dict(new), "whole": whole})
    else:
        show.say(f"Took in {_counted(new)}.")
        if not whole:
            show.tell("The file has no end line: it may have been cut off. What it held was taken in.")
    return 0


def _parts(file: IO[bytes]) -> Iterator[list[str]]:
    lines: list[str] = []
    size = 0
    for raw in file:
        line = raw.decode("utf-8", "replace").strip()
        if not line:
            continue
        lines.append(line)
        size += len(raw)
        if len(lines) >= _LINES or size >= _BYTES:
            yield lines
            lines, size = [], 0
    if lines:
        yield lines


@take.command("claude")
@click.argument(
    "folder", metavar="[DIR]", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False
)
@json_option
@click.pass_obj
def claude(call: Call, folder: Path | None, as_json: bool) -> int:
    """Take over the sessions that Claude Code has recorded: all projects, or those under DIR.

    The daemon reads the transcripts; Ctrl-C pauses it, and calling it again goes on where it was.

    \b
    Examples:
      holdfast import claude
      holdfast import claude ~/.claude/projects/-home-me-website
    """
    client = Client(call.home, patience=_PATIENCE)
    root = (folder or claude_config_dir()).expanduser().absolute()
    before = client.get("/api/import/claude")["events"]
    progress = client.post("/api/import/claude", {"path": str(root)})
    try:
        with _Bar(as_json) as bar:
            while progress["waiting"]:
                at = f"{progress['files_done']} of {progress['files']} transcripts"
                bar.show(progress["bytes_done"], progress["bytes"], at)
                time.sleep(_POLL)
                progress = client.get("/api/import/claude")
    except KeyboardInterrupt:
        progress = client.delete("/api/import/claude")
        show.tell(f"Paused: {progress['files_done']} of {progress['files']} transcripts. Call it again to go on.")
        return 130
    told = {"transcripts": progress["files"], "events": progress["events"] - before}
    if as_json:
        show.say_json(told)
    else:
        show.say(f"Took over {told['events']} events; {told['transcripts']} transcripts are read. Summaries follow.")
    return 0


@take.command("claude-mem")
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
@click.pass_obj
def claude_mem(call: Call, path: Path, as_json: bool) -> int:
    """Take over a claude-mem database: sessions, prompts, observations, summaries. PATH is only read.

    Its projects have a name and no place: they go to the project of that name, if there is just one.

    \b
    Example:
      holdfast import claude-mem ~/.claude-mem/claude-mem.db
    """
    client = Client(call.home, patience=_PATIENCE)
    new: Counter[str] = Counter()
    step: dict[str, Any] = {"path": str(path.absolute()), "table": "", "after": 0}
    read = 0
    with _Bar(as_json) as bar:
        while True:
            taken = client.post("/api/import/claude-mem", step)
            new.update(taken["new"])
            read += taken["rows"]
            bar.show(read, taken["total"], f"{read} rows")
            if not taken["table"]:
                break
            step |= {"table": taken["table"], "after": taken["after"]}
    if as_json:
        show.say_json({"rows": read, "new": dict(new)})
    else:
        show.say(f"Took over {_counted(new)} from {read} rows.")
    return 0


@take.command("sdd-cache")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
@click.pass_obj
def sdd_cache(call: Call, folder: Path, as_json: bool) -> int:
    """Take over the web pages that the sdd-cache hooks have kept.

    They belong to the project that DIR lies in. Each is proven fresh by its origin before it is used.

    \b
    Example:
      holdfast import sdd-cache .claude/sdd-cache
    """
    taken = Client(call.home).post("/api/tools/citations_import", {"directory": str(folder.absolute())})
    if as_json:
        show.say_json(taken)
        return 0
    show.say(f"Took over {taken['pages']} pages.")
    for line in taken["left_out"]:
        show.say(f"left out: {show.plain(line)}")
    return 0


def _counted(new: Counter[str]) -> str:
    names = {"summary": "summaries", "memory": "memories", "model_summary": "summaries by a model"}
    told = [f"{count} {names.get(kind, kind.replace('_', ' ') + 's')}" for kind, count in new.items() if count]
    return ", ".join(told) or "nothing new"


class _Bar:
    """A bar on a terminal's stderr; elsewhere nothing."""

    def __init__(self, as_json: bool) -> None:
        self._shown = show.is_terminal(sys.stderr) and not as_json

    def __enter__(self) -> _Bar:
        return self

    def show(self, done: int, total: int, text: str) -> None:
        if self._shown:
            share = min(1.0, done / total) if total else 0.0
            full = int(share * _BAR)
            sys.stderr.write(f"\r\x1b[K[{'#' * full}{'.' * (_BAR - full)}] {share:4.0%}  {show.plain(text)}")
            sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
