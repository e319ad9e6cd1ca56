"""The program behind package runners and containers: `uv run`, `npx`, `bundle exec`, `docker compose exec svc`. Pure.

Shell wrappers (`sudo`, `env`, `timeout 60`) are taken off before, by `wrappers.py`.
"""

from __future__ import annotations

from holdfast.patterns import lazy_pattern
from holdfast.shell import tools
from holdfast.shell.by_words import takes_names
from holdfast.shell.targets import of_target, options_off

_PYTHON = lazy_pattern(r"(python|pypy|py)[\d.]*\Z")
_SCRIPT_FILE = (".py", ".sh", ".js", ".mjs", ".ts", ".rb")


def unwrapped(program: str, arguments: list[str]) -> tuple[str, list[str]]:
    """The program behind package runners, and its arguments."""
    for _ in range(8):
        behind = _behind(program, arguments)
        if behind is None:
            break
        program, arguments = base(behind[0]), behind[1:]
    return program, arguments


def base(name: str) -> str:
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
        return _behind_python(options_off(arguments[1:], frozenset({"--source", "--rcfile", "--omit"}), keep="-m"))
    if program in ("docker", "podman", "docker-compose", "kubectl", "nerdctl", "podman-compose"):
        return _behind_container(arguments)
    if program in ("yarn", "pnpm", "bun"):
        rest = options_off(arguments, tools.SCRIPT_VALUES)
        if rest and rest[0] in _BY_NAME:
            return rest
    if program in tools.RUNNERS:
        heads = tools.RUNNERS[program]
        if program in ("node", "tsx") and "--test" in arguments:
            return None
        if heads:
            at = next((i for i, text in enumerate(arguments) if not text.startswith("-")), None)
            if at is None or arguments[at] not in heads:
                return None
            arguments = arguments[at + 1 :]
        rest = options_off(arguments, tools.RUNNER_VALUES)
        if program in tools.TASKS and rest and _is_task(rest[0]):
            return None
        while rest and "=" in rest[0] and program in ("cross-env", "dotenv"):
            rest = rest[1:]
        if program in ("node", "php", "ruby", "deno", "tsx", "sail", "lando") and not (
            rest and is_known(base(rest[0]))
        ):
            return None
        if program == "direnv":
            rest = rest[1:]
        return rest or None
    if "--" in arguments and not is_known(program) and not takes_names(program):
        behind = arguments[arguments.index("--") + 1 :]  # `acme run -- pytest`
        return behind if behind and is_known(base(behind[0])) else None
    return None


def _is_task(word: str) -> bool:
    """Is it a task of the project's own, and no program?"""
    return not is_known(base(word)) and not word.endswith(_SCRIPT_FILE) and of_target(word) is not None


def is_known(name: str) -> bool:
    """Does a table name this program?"""
    return any(name in each for each in _TABLES)


_BY_NAME = tools.PROGRAMS.keys() | tools.SUBCOMMANDS.keys()
_TABLES = (tools.PROGRAMS, tools.SUBCOMMANDS, tools.PAIRS, tools.MAKES, tools.SCRIPTS, tools.JVM)


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
            return arguments[at:] if is_known(base(text)) else None
    return None


def _behind_container(arguments: list[str]) -> list[str] | None:
    """`docker compose exec api pytest`, `kubectl exec pod -- pytest`: what runs inside, if we know it."""
    rest = options_off(arguments, tools.CONTAINER_VALUES)
    if rest[:1] == ["compose"]:
        rest = options_off(rest[1:], tools.CONTAINER_VALUES)
    if not rest or rest[0] not in tools.CONTAINERS:
        return None
    rest = options_off(rest[1:], tools.CONTAINER_VALUES)[1:]
    if rest[:1] == ["--"]:
        rest = rest[1:]
    return rest or None
