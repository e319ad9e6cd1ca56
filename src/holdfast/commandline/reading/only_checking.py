"""Calls that compile or check a file, and do not run it: `node --check x.js`, `uv run ruff check x.py`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.commandline.inline import programs
from holdfast.commandline.model import Arg, Run
from holdfast.commandline.reading import names
from holdfast.shell.tools import listed

_OPTIONS = {
    "node": re.compile(r"-c\Z|--check\Z"),
    "perl": re.compile(r"-[wWtT]*c[wWtT]*\Z"),
    "ruby": re.compile(r"-[wW]*c[wW]*\Z"),
    "php": re.compile(r"-l\Z|--syntax-check\Z"),
}
"""By language, the options with which an interpreter only checks."""
_OWN = {"deno": listed("check lint fmt"), "bun": frozenset[str]()}
"""Programs of a language that check by a word of their own, and not by the option."""
_RUNS_ANYWAY = re.compile(r"\b(?:BEGIN|UNITCHECK|CHECK)\b")
"""Blocks of Perl that run while a file is checked."""
_LAUNCHERS = {
    "npx": "", "bunx": "", "pnpx": "", "uvx": "", "pnpm": "dlx exec", "yarn": "dlx exec run", "npm": "exec x",
    "bun": "x", "pipx": "run", "uv": "run", "poetry": "run", "pdm": "run", "hatch": "run", "rye": "run",
    "pipenv": "run", "bundle": "exec", "mise": "exec x", "devbox": "run",
}  # fmt: skip
"""Programs that start a tool of the project, with the words in front of it."""
_VALUES = listed("-p --package --with --from --spec --python --extra --group --directory --project -C --dir --cwd")
_DEEPEST = 4


def only_checks(run: Run, looks: frozenset[str], text: str = "") -> bool:
    """Does a call check a file of this text, and not run it? `looks` are the programs that only look at files."""
    program, args = run.program, list(run.args)
    for _ in range(_DEEPEST):
        started = _started(program, args)
        if started is None:
            break
        program, args = started
        if program in looks:
            return True
    options = [arg.text for arg in args[: _first_operand(args)]]
    if (own := _OWN.get(program)) is not None:
        return bool(args) and args[0].text in own
    kind = programs.language(program)
    pattern = _OPTIONS.get(kind or "")
    if pattern is None or not any(map(pattern.match, options)):
        return False
    return not (kind == "perl" and _RUNS_ANYWAY.search(text) is not None)


def _started(program: str, args: Sequence[Arg]) -> tuple[str, list[Arg]] | None:
    """The tool that a launcher or `python -m` starts, with its words."""
    if programs.language(program) == "python":
        module = list(names.module(args))
        return (module[0].text, module[1:]) if module else None
    if program not in _LAUNCHERS:
        return None
    rest = _operands(args)
    verbs = _LAUNCHERS[program].split()
    if verbs and not (rest and rest[0].text in verbs):
        return None
    rest = _operands(rest[1:]) if verbs else rest
    return (names.plain_name(rest[0].text.partition("@")[0]), rest[1:]) if rest else None


def _operands(args: Sequence[Arg]) -> list[Arg]:
    """What stands behind the options at the beginning."""
    place = 0
    while place < len(args) and args[place].text.startswith("-"):
        place += 2 if args[place].text in _VALUES else 1
    return list(args[place:])


def _first_operand(args: Sequence[Arg]) -> int:
    return next((place for place, arg in enumerate(args) if not arg.text.startswith("-")), len(args))


def imports(text: str, name: str) -> bool:
    """May an inline program of Python run the file of this name: does it import it, or start anything?"""
    if _STARTS.search(text):
        return True
    stem = name.rpartition("/")[2].removesuffix(".py")
    named = [match[0] for match in _IMPORTS.finditer(text)]
    return any(re.search(rf"\b{re.escape(stem)}\b", each) for each in named) or stem in ("__init__", "__main__")


_STARTS = re.compile(
    r"\b(?:exec|eval|runpy|importlib|__import__|subprocess|system|popen|Popen|spec_from_file_location)\b"
)
_IMPORTS = re.compile(r"\b(?:import|from)\s[^\n;]{1,300}")
