"""Which commands of a line are tests, builds, linters, type checkers, installs, version control or servers.

By the table in `tools.py`, behind package runners (`uv run`, `npx`, `bundle exec`, `docker compose exec svc`).
The outcome is left to `outcome.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.patterns import lazy_pattern
from holdfast.shell import tools
from holdfast.shell.by_words import INTERPRETERS, by_words
from holdfast.shell.package_runners import is_known, unwrapped
from holdfast.shell.script import Command, Script
from holdfast.shell.targets import NamedTool, of_jvm, of_make, of_script, of_task, options_off
from holdfast.shell.tools import WorkKind

_RUBY_TEST = lazy_pattern(r"(?:_test|\btest_\w+)\.rb\Z")
_ASKS = frozenset({"--version", "-V", "--help", "-h", "version", "help"})
_REHEARSES = tools.listed(
    "--dry-run --dryrun --collect-only --co --listTests --list-tests --just-print --recon --noop --what-if -WhatIf"
    " --simulate"
)
"""Options with which nothing is done, or no test is run."""
_REHEARSES_OF = {"make": "-n", "gmake": "-n", "just": "-n", "git push": "-n", "ctest": "-N", "rsync": "-n"}
_REHEARSAL_OFF = frozenset({"--dry-run=none", "--dry-run=false", "--dryrun=false"})


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One piece of work of a known kind."""

    kind: WorkKind
    tool: str
    """What a person would call it: `pytest`, `cargo test`, `npm run build`, `make test`."""
    command: Command
    arguments: tuple[str, ...] = ()
    """What stands behind the tool's name."""
    by_words: bool = False
    """No table names it: its own words say what it does."""

    @property
    def masked(self) -> bool:
        """The line may end with 0 although this failed."""
        return self.command.masked

    @property
    def shared(self) -> bool:
        """The line may fail although this passed."""
        return self.command.shared

    @property
    def label(self) -> str:
        """The tool and its targets, without options."""
        pairs = zip(("", *self.arguments), self.arguments, strict=False)
        words = [text for before, text in pairs if text and not text.startswith("-") and before not in tools.RUN_VALUES]
        return " ".join((self.tool, *words))


def what(script: Script) -> tuple[ToolRun, ...]:
    """The known pieces of work of a line, in order; what stands in substitutions and functions is not counted."""
    found = (recognise(command) for command in script.top)
    return tuple(run for run in found if run)


def main_run(script: Script) -> ToolRun | None:
    """The run whose outcome a line is about: its first test, else its first build or check."""
    runs = what(script)
    for kinds in (("test",), ("build", "types", "lint", "format")):
        for run in runs:
            if run.kind in kinds:
                return run
    return None


def recognise(command: Command) -> ToolRun | None:
    """The known piece of work that a command is. Every room asks for the same few commands: the answer is kept while
    the command is (compared by identity, because its value is deep)."""
    found = _known_runs.get(id(command))
    if found is not None and found[0] is command:
        return found[1]
    run = _recognised(command)
    if len(_known_runs) >= _MOST_KNOWN:
        _known_runs.clear()
    _known_runs[id(command)] = (command, run)
    return run


_MOST_KNOWN = 128
_known_runs: dict[int, tuple[Command, ToolRun | None]] = {}


def _recognised(command: Command) -> ToolRun | None:
    program, arguments = unwrapped(command.program, list(command.texts))
    if not program or (arguments and arguments[0] in _ASKS) or _rehearses(program, arguments):
        return None
    if named := _named(program, arguments):
        return ToolRun(named[0], named[1], command, tuple(named[2]))
    if is_known(program) and program not in INTERPRETERS:
        return None
    said = by_words(program, command.path if program == command.program else program, arguments)
    return ToolRun(said[0], said[1], command, tuple(said[2]), by_words=True) if said else None


def _rehearses(program: str, arguments: list[str]) -> bool:
    """Does it only say what would be done? That passes where the real thing fails, and proves nothing."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    word = _REHEARSES_OF.get(f"{program} {_git_word(arguments)}" if program == "git" else program, "")
    return any(
        (text.partition("=")[0] in _REHEARSES and text not in _REHEARSAL_OFF) or (word and text == word) for text in own
    )


def _named(program: str, arguments: list[str]) -> NamedTool | None:
    """The kind of work, the tool's name with its word, and what stands behind them."""
    if program in tools.SCRIPTS:
        return of_script(program, arguments)
    if program in tools.JVM:
        return of_jvm(program, arguments)
    if program in tools.MAKES:
        return of_make(program, arguments)
    if program in ("node", "tsx") and "--test" in arguments:
        return "test", f"{program} --test", [text for text in arguments if text != "--test"]
    if program == "ruby" and any(_RUBY_TEST.search(text) for text in arguments):
        return "test", "ruby", arguments
    if program == "cmake":
        return ("build", "cmake --build", arguments[1:]) if "--build" in arguments else ("build", "cmake", arguments)
    if program.startswith("pip") and not program[3:].strip("0123456789."):
        program = "pip"
    words = [text for text in arguments if not text.startswith("-")]
    if program == "uv" and words[:1] == ["pip"]:
        return ("install", "uv pip install", words[2:]) if words[1:2] == ["install"] else None
    if program == "vercel" and not words:
        return "deploy", "vercel", arguments
    chosen = of_task(program, arguments) or _by_pair(program, arguments)
    if chosen or (program in tools.SUBCOMMANDS and program not in tools.PROGRAMS):
        return chosen or _by_word(program, arguments)
    if program in tools.SUBCOMMANDS and (
        word := next((text for text in arguments if text in tools.SUBCOMMANDS[program]), "")
    ):
        return tools.SUBCOMMANDS[program][word], f"{program} {word}", _behind_word(arguments, word)
    kind = tools.PROGRAMS.get(program)
    if kind is None:
        return None
    if program == "ruff" and words[:1] == ["format"]:
        return "format", "ruff format", _behind_word(arguments, "format")
    if program in ("ruff", "biome", "pre-commit", "git", "hg", "svn", "jj") and words:
        word = _git_word(arguments) if program == "git" else words[0]
        return (kind, f"{program} {word}", _behind_word(arguments, word)) if word else None
    return kind, program, arguments


def _git_word(arguments: list[str]) -> str:
    at = 0
    while at < len(arguments):
        if arguments[at] in ("-C", "-c", "--git-dir", "--work-tree", "--namespace"):
            at += 2
        elif arguments[at].startswith("-"):
            at += 1
        else:
            return arguments[at]
    return ""


def _behind_word(arguments: list[str], word: str) -> list[str]:
    return arguments[arguments.index(word) + 1 :] if word in arguments else arguments


def _by_word(program: str, arguments: list[str]) -> NamedTool | None:
    kinds = tools.SUBCOMMANDS[program]
    words = [i for i, text in enumerate(arguments) if not text.startswith(("-", "+")) or text in kinds]
    while words and arguments[words[0]] not in kinds and words[0] and arguments[words[0] - 1].startswith("-"):
        words.pop(0)  # it may be the value of an option: `helm -n prod upgrade`
    if not words or arguments[words[0]] not in kinds:
        return None
    at = words[0]
    word, kind = arguments[at], kinds[arguments[at]]
    if program == "go" and word == "mod" and arguments[at + 1 : at + 2] not in (["tidy"], ["download"]):
        return None
    return kind, f"{program} {word}", arguments[at + 1 :]


def _by_pair(program: str, arguments: list[str]) -> NamedTool | None:
    """`gh pr create`, `gcloud run deploy`: two words say what it does."""
    kinds = tools.PAIRS.get(program)
    if kinds is None:
        return None
    values = tools.CONTAINER_VALUES | tools.RUN_VALUES
    rest = options_off(arguments, values)
    second = options_off(rest[1:], values)
    if rest and second and (kind := kinds.get(f"{rest[0]}/{second[0]}")):
        return kind, f"{program} {rest[0]} {second[0]}", second[1:]
    alone = kinds.get(f"{rest[0]}/") if rest else None
    return (alone, f"{program} {rest[0]}", rest[1:]) if alone else None
