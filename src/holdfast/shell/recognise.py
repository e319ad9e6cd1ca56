"""Which commands of a line are tests, builds, linters, type checkers, installs, version control or servers.

By the table in `tools.py`, behind package runners (`uv run`, `npx`, `bundle exec`, `docker compose exec svc`).
What came of them is left to `outcome.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.patterns import lazy_pattern
from holdfast.shell import tools
from holdfast.shell.script import Command, Script
from holdfast.shell.tools import Kind

_PYTHON = lazy_pattern(r"(python|pypy|py)[\d.]*\Z")
_TARGETS = tuple(
    (kind, lazy_pattern(rf"(?:.*[:_./-])?{pattern}(?:[:_./-].*)?\Z", re.IGNORECASE)) for kind, pattern in tools.TARGETS
)
_RUBY_TEST = lazy_pattern(r"(?:_test|\btest_\w+)\.rb\Z")
_ASKS = frozenset({"--version", "-V", "--help", "-h", "version", "help"})


@dataclass(frozen=True, slots=True)
class Run:
    """One piece of work of a known kind."""

    kind: Kind
    tool: str
    """What a person would call it: `pytest`, `cargo test`, `npm run build`, `make test`."""
    command: Command
    arguments: tuple[str, ...] = ()
    """What stands behind the tool's name."""

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


def what(script: Script) -> tuple[Run, ...]:
    """The known pieces of work of a line, in order; what stands in substitutions and functions is not counted."""
    found = (recognise(command) for command in script.top)
    return tuple(run for run in found if run)


def main_run(script: Script) -> Run | None:
    """The run whose outcome a line is about: its first test, else its first build or check."""
    runs = what(script)
    for kinds in (("test",), ("build", "types", "lint", "format")):
        for run in runs:
            if run.kind in kinds:
                return run
    return None


def recognise(command: Command) -> Run | None:
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
_known_runs: dict[int, tuple[Command, Run | None]] = {}


def _recognised(command: Command) -> Run | None:
    program, arguments = unwrapped(command.program, list(command.texts))
    if not program or (arguments and arguments[0] in _ASKS):
        return None
    named = _named(program, arguments)
    if named is None:
        return None
    kind, tool, rest = named
    return Run(kind, tool, command, tuple(rest))


def unwrapped(program: str, arguments: list[str]) -> tuple[str, list[str]]:
    """The program behind package runners, and its arguments."""
    for _ in range(8):
        behind = _behind(program, arguments)
        if behind is None:
            break
        program, arguments = _base(behind[0]), behind[1:]
    return program, arguments


def _base(name: str) -> str:
    plain = name.rstrip("/").rsplit("/", 1)[-1]
    # `npx jest@29`, `uvx ruff@latest`
    plain = plain.split("@", 1)[0] or plain
    for ending in (".exe", ".cmd", ".bat", ".js", ".mjs", ".cjs"):
        plain = plain.removesuffix(ending)
    return plain


def _behind(program: str, arguments: list[str]) -> list[str] | None:
    if _PYTHON.match(program):
        return _behind_python(arguments)
    if program == "coverage" and arguments[:1] == ["run"]:
        return _behind_python(_options_off(arguments[1:], frozenset({"--source", "--rcfile", "--omit"}), keep="-m"))
    if program in ("docker", "podman", "docker-compose", "kubectl", "nerdctl", "podman-compose"):
        return _behind_container(arguments)
    if program in tools.RUNNERS:
        heads = tools.RUNNERS[program]
        if program == "node" and "--test" in arguments:
            return None
        if heads:
            at = next((i for i, text in enumerate(arguments) if not text.startswith("-")), None)
            if at is None or arguments[at] not in heads:
                return None
            arguments = arguments[at + 1 :]
        rest = _options_off(arguments, tools.RUNNER_VALUES)
        while rest and "=" in rest[0] and program in ("cross-env", "dotenv"):
            rest = rest[1:]
        if program in ("node", "php", "ruby", "deno", "tsx") and not (rest and _known(_base(rest[0]))):
            return None
        if program == "direnv":
            rest = rest[1:]
        return rest or None
    return None


def _known(name: str) -> bool:
    return name in tools.PROGRAMS or name in tools.SUBCOMMANDS


def _behind_python(arguments: list[str]) -> list[str] | None:
    for at, text in enumerate(arguments):
        if text == "-m":
            behind = arguments[at + 1 :]
            return ["python-build", *behind[1:]] if behind[:1] == ["build"] else behind or None
        if text in ("-W", "-X"):
            continue
        if text == "-c":
            return None
        if not text.startswith("-") and arguments[at - 1 : at] not in (["-W"], ["-X"]):
            return arguments[at:] if _known(_base(text)) else None
    return None


def _behind_container(arguments: list[str]) -> list[str] | None:
    """`docker compose exec api pytest`, `kubectl exec pod -- pytest`: what runs inside, if we know it."""
    rest = _options_off(arguments, tools.CONTAINER_VALUES)
    if rest[:1] == ["compose"]:
        rest = _options_off(rest[1:], tools.CONTAINER_VALUES)
    if not rest or rest[0] not in tools.CONTAINERS:
        return None
    rest = _options_off(rest[1:], tools.CONTAINER_VALUES)[1:]
    if rest[:1] == ["--"]:
        rest = rest[1:]
    return rest or None


def _options_off(arguments: list[str], values: frozenset[str], keep: str = "") -> list[str]:
    at = 0
    while at < len(arguments) and arguments[at].startswith("-") and arguments[at] != keep:
        if arguments[at] == "--":
            return arguments[at + 1 :]
        at += 2 if arguments[at] in values else 1
    return arguments[at:]


def _named(program: str, arguments: list[str]) -> tuple[Kind, str, list[str]] | None:
    """The kind of work, the tool's name with its word, and what stands behind them."""
    if program in tools.SCRIPTS:
        return _script(program, arguments)
    if program in tools.JVM:
        return _jvm(program, arguments)
    if program in tools.MAKES:
        return _make(program, arguments)
    if program == "node" and "--test" in arguments:
        return "test", "node --test", [text for text in arguments if text != "--test"]
    if program == "ruby" and any(_RUBY_TEST.search(text) for text in arguments):
        return "test", "ruby", arguments
    if program == "cmake":
        return ("build", "cmake --build", arguments[1:]) if "--build" in arguments else ("build", "cmake", arguments)
    if program.startswith("pip") and not program[3:].strip("0123456789."):
        program = "pip"
    words = [text for text in arguments if not text.startswith("-")]
    if program == "uv" and words[:1] == ["pip"]:
        return ("install", "uv pip install", words[2:]) if words[1:2] == ["install"] else None
    if program in tools.SUBCOMMANDS:
        return _by_word(program, arguments)
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


def _by_word(program: str, arguments: list[str]) -> tuple[Kind, str, list[str]] | None:
    kinds = tools.SUBCOMMANDS[program]
    at = next((i for i, text in enumerate(arguments) if not text.startswith(("-", "+")) or text in kinds), None)
    if at is None:
        return None
    word = arguments[at]
    kind = kinds.get(word)
    if kind is None:
        return None
    if program == "go" and word == "mod" and arguments[at + 1 : at + 2] not in (["tidy"], ["download"]):
        return None
    return kind, f"{program} {word}", arguments[at + 1 :]


def of_target(name: str) -> Kind | None:
    """What a target does, by its name."""
    return next((kind for kind, pattern in _TARGETS if pattern.match(name)), None)


def _script(program: str, arguments: list[str]) -> tuple[Kind, str, list[str]] | None:
    rest = _options_off(
        arguments, frozenset({"--prefix", "-C", "--filter", "-F", "-w", "--workspace", "--cwd", "--dir"})
    )
    if rest[:1] == ["workspace"] and len(rest) > 2:
        rest = rest[2:]
    if not rest:
        return ("install", f"{program} install", []) if program == "yarn" else None
    word, behind = rest[0], rest[1:]
    if word in ("install", "i", "ci", "add", "remove", "uninstall", "update", "upgrade"):
        return "install", f"{program} {'install' if word == 'i' else word}", behind
    if word in ("test", "t", "tst"):
        return "test", f"{program} test", behind
    if word == "publish":
        return "deploy", f"{program} publish", behind
    if word == "start" or (word == "build" and program == "bun"):
        return ("server" if word == "start" else "build"), f"{program} {word}", behind
    if word in ("run", "run-script", "rum"):
        behind = _options_off(behind, frozenset({"--filter", "-w", "--workspace"}))
        if not behind:
            return None
        kind = of_target(behind[0])
        return (kind, f"{program} run {behind[0]}", behind[1:]) if kind else None
    if program in ("yarn", "pnpm", "bun"):
        if _known(word):
            return _named(word, behind)
        kind = of_target(word)
        return (kind, f"{program} {word}", behind) if kind else None
    return None


def _jvm(program: str, arguments: list[str]) -> tuple[Kind, str, list[str]] | None:
    plain = program.removesuffix("w") if program in ("gradlew", "mvnw") else program
    tasks = [text for text in arguments if not text.startswith("-")]
    kinds: dict[Kind, str] = {}
    for task in tasks:
        kind = tools.JVM_TARGETS.get(task.rsplit(":", 1)[-1]) or tools.JVM_TARGETS.get(task)
        if kind:
            kinds.setdefault(kind, task)
    # `mvn clean package` also tests; the test is what a reader asks for.
    for kind in ("test", "build", "lint", "format", "server"):
        if kind in kinds:
            return kind, f"{plain} {kinds[kind]}", [text for text in arguments if text != kinds[kind]]
    return None


def _make(program: str, arguments: list[str]) -> tuple[Kind, str, list[str]] | None:
    rest: list[str] = []
    values = {"-C", "-f", "-j", "--directory", "--file", "--justfile", "-d"}
    for at, text in enumerate(arguments):
        before = arguments[at - 1] if at else ""
        if text.startswith("-") or "=" in text or (before in values and not (before == "-j" and not text.isdigit())):
            continue
        rest.append(text)
    if not rest:
        return ("build", program, arguments) if program in ("make", "gmake") else None
    for target in rest:
        if kind := of_target(target):
            return kind, f"{program} {target}", [text for text in rest if text != target]
    return None
