"""A title for a command line, as a person would write it, at most 100 characters: `Ran pytest: 3 failed, 42 passed`.

One phrase per kind of command (`phrases.py`); several commands are counted. Scrubbed marks stay as they are.
"""

from __future__ import annotations

from holdfast.shell import phrases
from holdfast.shell.outcome import Outcome
from holdfast.shell.recognise import ToolRun, recognise
from holdfast.shell.script import Command, Script
from holdfast.shell.tools import listed

LONGEST = 100
SIDE = listed(
    "cd pushd popd echo printf export set source . true false : sleep wait pwd unset alias shopt exit return clear "
    "[ [[ test local declare readonly trap ulimit umask read date"
)
"""Commands that are not what a line is about, unless nothing else is in it."""
_FILTERS = listed("tail head tee grep egrep rg sort uniq wc cut awk sed tr jq less cat column xargs nl rev fold yq xxd")
"""Behind a pipe these only shape the output of the command before."""


def describe(script: Script, outcome: Outcome | None = None, background: bool = False) -> str:
    """The title of a command line; `background` when the tool call itself was put there."""
    commands = _about(script)
    if not commands:
        return "Ran an empty command"
    main = _main(commands)
    if main is not None:
        return _cut(_of_run(main, outcome, background or main.command.background))
    if len(commands) == 1:
        return _cut(phrases.phrase(commands[0], script, background or commands[0].background))
    commit = next((command for command in commands if _git(command, "commit")), None)
    if commit is not None:
        others = [
            command for command in commands if command is not commit and not _git(command, "add", "status", "diff")
        ]
        pushed = " and pushed" if any(_git(command, "push") for command in others) else ""
        if not others or pushed:
            return _cut(phrases.phrase(commit, script, False).replace("Committed", "Committed" + pushed, 1))
    kinds = dict.fromkeys(phrases.phrase(command, script, False) for command in commands)
    if len(kinds) == 1:
        return _cut(next(iter(kinds)))
    if all(_git(command, "status", "diff", "log", "branch", "show") for command in commands):
        return _cut("Looked at git " + ", ".join(dict.fromkeys(phrases.word_of(command) for command in commands)))
    names = list(dict.fromkeys(phrases.short(command) for command in commands))
    ending = f": {outcome.verdict}" if outcome and outcome.verdict == "failed" else ""
    return _listed(len(commands), names, LONGEST - len(ending)) + ending


def _listed(count: int, names: list[str], room: int) -> str:
    """As many names as fit, then an ellipsis."""
    title = f"Ran {count} commands: "
    for at, name in enumerate(names):
        more = title + ("" if at == 0 else ", ") + name
        if len(more) > room - 3 and at:
            return title + ", …"
        title = more
    return phrases.cut(title, room)


def _about(script: Script) -> list[Command]:
    """The commands a line is about: not `cd`, not `| tail`, not what an `xargs` or a `bash -c` was written around."""
    top = script.top
    around = {command.parent for command in top if command.nesting[-1:] in (("shell",), ("eval",), ("xargs",))}
    outer = {id(script.commands[index]) for index in around if index is not None}
    found = [command for command in top if id(command) not in outer]
    piped = [
        command
        for command in found
        if not (command.position > 0 and command.program in _FILTERS and "xargs" not in command.nesting)
        and not (command.length > 1 and command.position < command.length - 1 and command.program in ("echo", "yes"))
    ]
    main = [command for command in piped if (command.program or command.path) and command.program not in SIDE]
    telling = [command for command in piped if command.program not in ("exit", "return", "true", "false", ":")]
    return main or telling[-1:] or piped[-1:] or found[-1:]


def _main(commands: list[Command]) -> ToolRun | None:
    """The run that a line is about: its test, else its build or check, when nothing else weighs as much."""
    runs = [run for run in map(recognise, commands) if run and run.kind not in ("vcs", "install", "deploy")]
    for kinds in (("test",), ("build", "types", "lint", "format", "server")):
        chosen = [run for run in runs if run.kind in kinds]
        if chosen:
            others = [command for command in commands if all(command is not run.command for run in runs)]
            alone = len(chosen) == 1 and not others
            return chosen[0] if alone or (kinds == ("test",) and len({run.tool for run in chosen}) == 1) else None
    return None


def titled(run: ToolRun, outcome: Outcome) -> str:
    """The title of one test, build or check with its outcome."""
    return _cut(_of_run(run, outcome, False))


def _of_run(run: ToolRun, outcome: Outcome | None, background: bool) -> str:
    if run.kind == "server" or background:
        what = "the server" if run.kind == "server" else run.tool
        where = " in the background" if background else ""
        command = " ".join((run.tool, *run.arguments))
        return f"Started {what}{where}: {command}" if run.kind == "server" else f"Started {run.label}{where}"
    title = f"Ran {run.label}{_where(run)}"
    if outcome is None:
        return title
    ending = outcome.summary or ("" if outcome.verdict == "unknown" else outcome.verdict)
    room = LONGEST - len(ending) - 2
    return f"{phrases.cut(title, room)}: {ending}" if ending else title


def _where(run: ToolRun) -> str:
    """The folder below in which it ran: `cd api && pytest`."""
    folder = run.command.directory or ""
    return "" if not folder or folder.startswith(("/", ".", "~")) else f" in {folder}"


def _git(command: Command, *words: str) -> bool:
    return command.program == "git" and phrases.word_of(command) in words


def _cut(title: str) -> str:
    return phrases.cut(title, LONGEST)
