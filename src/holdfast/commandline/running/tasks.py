"""Tasks that a file of the project names: `npm run db:reset`, `make distclean`, `just wipe`, `composer reset`. Pure.

Says which files a call would read, and which command lines of such a file it runs. Reading them is left to others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_MOST_COMMANDS = 60
_DEEPEST = 6
USUAL = lazy_pattern(
    r"(?:test|tests|t|build|start|dev|lint|format|fmt|check|checks|typecheck|types|tsc|ci|watch|serve|preview|coverage|unit|"
    r"storybook|compile|bundle|generate|codegen|docs|help|install|run|bench|integration|all|fix|verify|prepare)(?:[:_-]\S*)?\Z"
)
"""Names of tasks that everybody has, and that nobody gives to something that destroys."""
_SCRIPTS = listed("npm pnpm yarn bun deno composer")
PACKAGES = listed("npm pnpm yarn bun")
_RUN_WORDS = listed("run run-script task rum urn")
_NO_SCRIPT = listed(
    "install i add ci remove rm uninstall un update up upgrade exec x dlx create init publish pack link unlink audit "
    "ls list outdated view info why config cache login logout whoami version dedupe prune rebuild doctor ping search "
    "set workspace workspaces import store patch root bin dist-tag owner access team token profile require show dump- "
    "autoload create-project self-update validate licenses fund explain query pkg fmt lint eval repl compile cache "
    "info global"
)
_FILES = {
    "make": ("GNUmakefile", "makefile", "Makefile"), "gmake": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", "Justfile", ".justfile"), "task": ("Taskfile.yml", "Taskfile.yaml"),
    "rake": ("Rakefile", "rakefile"), "composer": ("composer.json",), "deno": ("deno.json", "deno.jsonc"),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("package.json",)),
}  # fmt: skip
PROGRAMS = frozenset(_FILES)
_FOLDER = {"make": ("-C", "--directory"), "gmake": ("-C", "--directory"), "just": ("-d", "--working-directory"),
           "npm": ("--prefix",), "pnpm": ("-C", "--dir"), "yarn": ("--cwd",), "bun": ("--cwd",),
           "composer": ("-d", "--working-dir"), "task": ("-d", "--dir"), "rake": ()}  # fmt: skip
_FILE = {"make": ("-f", "--file", "--makefile"), "gmake": ("-f", "--file", "--makefile"), "just": ("-f", "--justfile"),
         "task": ("-t", "--taskfile"), "rake": ("-f", "--rakefile")}  # fmt: skip
_TRIES = listed(
    "-n --dry-run --just-print --recon --list --list-all -l --show --summary --dump --evaluate --question --help -T "
    "--tasks --describe -p --print-data-base --version -h"
)
"""Options with which nothing is run."""
_VALUES = listed("-j --jobs -w --workspace --filter -F -o -W -l --load-average -I --loglevel")


def wanted(run: Run) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(files that may name the tasks, names of the tasks) of a call; none when it runs no task."""
    if run.program not in PROGRAMS or _TRIES.intersection(run.texts):
        return (), ()
    folder, named, words = "", "", list[str]()
    texts, place = run.texts, 0
    while place < len(texts):
        text = texts[place]
        name, sign, value = text.partition("=")
        following = value if sign else texts[place + 1] if place + 1 < len(texts) else ""
        if text == "--":
            break
        if text.startswith("-"):
            if name in _FOLDER.get(run.program, ()):
                folder, place = following, place + (not sign)
            elif name in _FILE.get(run.program, ()):
                named, place = following, place + (not sign)
            elif text[:2] in _FILE.get(run.program, ()) and text[2:] and text[1] != "-":  # `-f-`, `-fx.mk`
                named = text[2:]
            elif text in _VALUES:
                place += 1
        elif not sign:
            words.append(text)
        place += 1
    if run.program in _SCRIPTS:
        words = _script_names(run.program, words)
        if not words:
            return (), ()
    elif run.program == "rake" and not words:
        return (), ()
    files = (named,) if named else _FILES[run.program]
    return tuple(f"{folder.rstrip('/')}/{file}" if folder else file for file in files), tuple(words[:8])


def _script_names(program: str, words: Sequence[str]) -> list[str]:
    if words[:1] and words[0] in _RUN_WORDS:
        return list(words[1:2])
    if words[:1] and words[0] in _LIFE_CYCLE:
        return _LIFE_CYCLE[words[0]].split()
    if program in ("npm", "deno"):
        return []
    return list(words[:1]) if words and words[0] not in _NO_SCRIPT else []


_LIFE_CYCLE = {
    **dict.fromkeys(("t", "tst", "test"), "test"), "start": "start", "stop": "stop", "restart": "restart",
    **dict.fromkeys(("i", "install", "ci"), "install prepare"), "publish": "publish prepare", "pack": "prepare",
}  # fmt: skip
"""Words for which a package's scripts run by their names alone."""


def are_usual(program: str, names: Sequence[str]) -> bool:
    """Are these tasks that everybody has? A file that is not of this line or conversation is not read for them."""
    return program in _SCRIPTS and all(USUAL.match(name) for name in names)


def set_by(run: Run) -> str | None:
    """The text of a package.json with the scripts that `npm pkg set scripts.x=…` sets; None: it sets none."""
    if run.program not in PACKAGES or run.texts[:2] != ("pkg", "set"):
        return None
    pairs = (text.removeprefix("scripts.").partition("=") for text in run.texts[2:] if text.startswith("scripts."))
    return msgspec.json.encode({"scripts": {name: value for name, _, value in pairs}}).decode()


def commands(program: str, text: str, names: Sequence[str]) -> list[str]:
    """The command lines that a file gives to these tasks, and to those that they begin with."""
    return list(_READERS.get(program, _from_scripts)(text, names))[:_MOST_COMMANDS]


def are_words(program: str, text: str) -> bool:
    """Is it no such file, but the texts of a program that writes into one? Each may be what a task runs."""
    return program in _SCRIPTS and not text.lstrip().startswith(("{", "[", "//", "/*"))


def _from_scripts(text: str, names: Sequence[str]) -> Iterator[str]:
    """`scripts` of package.json and composer.json, `tasks` of deno.json."""
    if are_words("npm", text):
        yield from text.splitlines()
        return
    try:
        told = msgspec.json.decode(text)
    except msgspec.MsgspecError:
        return
    scripts = (told.get("scripts") or told.get("tasks")) if isinstance(told, dict) else None
    if not isinstance(scripts, dict):
        return
    waiting, seen = [(name, 0) for name in names], set[str]()
    while waiting:
        name, depth = waiting.pop(0)
        if name in seen or depth > _DEEPEST:
            continue
        seen.add(name)
        for each in (f"pre{name}", name, f"post{name}"):
            lines = scripts.get(each)
            for line in lines if isinstance(lines, list) else [lines]:
                if isinstance(line, str):
                    yield re.sub(r"\A@(?=php|composer)", "", line)
                    inner = re.findall(
                        r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:-\S+\s+)*([\w:.-]+)|(?:\A|\s)@([\w:-]+)", line
                    )
                    waiting += [(a or b, depth + 1) for a, b in inner[:20]]


_SET = lazy_pattern(r"(?:export\s+)?([A-Za-z_][\w.]*)\s*(?::|::|\?)?=\s*(.*)\Z")
_USE = lazy_pattern(r"\$[({]([A-Za-z_][\w.]*)[)}]|\$\$")


def _from_makefile(text: str, names: Sequence[str]) -> Iterator[str]:
    """Recipes of these targets and of what they need."""
    values = {"RM": "rm -f", "CURDIR": "."}
    recipes: dict[str, list[str]] = {}
    needs: dict[str, list[str]] = {}
    here: list[str] = []
    default = ""
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for target in here:
                if len(steps := recipes.setdefault(target, [])) < _MOST_COMMANDS:
                    steps.append(line.strip())
        elif match := _SET.match(line):
            values[match[1]] = match[2].partition(" #")[0].strip()
        elif ":" in line and line[:1] not in "# ":
            head, _, rest = line.partition(":")
            wanted, _, recipe = rest.lstrip(":").partition(";")
            here = head.split()[:_MOST_COMMANDS]
            default = default or ("" if line.startswith(".") else here[0] if here else "")
            for target in here:
                known = needs.setdefault(target, [])
                known += wanted.partition("#")[0].split()[: _MOST_COMMANDS - len(known)]
                if recipe:
                    recipes.setdefault(target, []).append(recipe.strip())
        elif line.strip() and not line.startswith("#"):
            here = []
    for target in _with_needs(list(names) or [default], needs):
        for line in recipes.get(target, ()):
            yield _filled(line.lstrip("@-+ "), values)


def _with_needs(names: Sequence[str], needs: dict[str, list[str]]) -> list[str]:
    found = dict.fromkeys(names[:_MOST_COMMANDS])
    waiting = list(found)
    while waiting and len(found) < _MOST_COMMANDS:
        new = [name for name in needs.get(waiting.pop(), ()) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return list(found)


def _filled(line: str, values: dict[str, str], depth: int = 0) -> str:
    """A recipe with the makefile's variables filled in; one that it does not set is a variable of the shell."""

    def one(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        value = values.get(match[1])
        if value is None:
            return f"${{{match[1]}}}"
        return _filled(value, values, depth + 1) if depth < _DEEPEST else value

    return _USE.sub(one, line)[:2_000]


_JUST_NAME = lazy_pattern(r"@?([A-Za-z_][\w-]*)")
_JUST_SET = lazy_pattern(r"(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*['\"]?([^'\"]*)['\"]?\s*\Z")
_JUST_USE = lazy_pattern(r"\{\{\s*([\w-]+)\s*\}\}")


def _from_justfile(text: str, names: Sequence[str]) -> Iterator[str]:
    values: dict[str, str] = {}
    recipes: dict[str, list[str]] = {}
    needs: dict[str, list[str]] = {}
    here = default = ""
    for line in text.splitlines():
        if line[:1] in (" ", "\t"):
            recipes.setdefault(here, []).append(line.strip().lstrip("@-"))
        elif match := _JUST_SET.match(line):
            values[match[1]] = match[2]
        elif ":" in line and ":=" not in line and (match := _JUST_NAME.match(line)):
            here = match[1]
            default = default or here
            needs[here] = re.findall(r"[A-Za-z_][\w-]*", line.partition(":")[2].partition("#")[0])[:_MOST_COMMANDS]
        elif line.strip():
            here = ""
    for name in _with_needs(list(names) or [default], needs):
        for line in recipes.get(name, ()):
            yield _JUST_USE.sub(lambda match: values.get(match[1], f"${match[1].replace('-', '_')}"), line)


def _from_taskfile(text: str, names: Sequence[str]) -> Iterator[str]:
    """`cmds` of a task, by their layout: two blanks for a task, deeper for its commands."""
    here = ""
    in_commands = False
    for line in text.splitlines():
        if match := re.match(r"  ([\w:.-]+):\s*(.*)\Z", line):
            here, in_commands = match[1], False
            if match[2] and here in names:
                yield match[2].strip("'\" ")
        elif here in names and (match := re.match(r"\s{4,}cmds?:\s*(.*)\Z", line)):
            in_commands = True
            if match[1]:
                yield match[1].strip("'\"[] ")
        elif here in names and in_commands and (match := re.match(r"\s+-\s+(?:cmd:\s*)?(.*)\Z", line)):
            yield match[1].strip("'\" ")


_RAKE_TASK = lazy_pattern(r"\s*task\s*\(?\s*:?['\"]?([\w:]+)")
_RAKE_RUN = lazy_pattern(r"\b(?:sh|system|exec|ruby)\s*\(?\s*(?:'([^'\n]*)'|\"([^\"\n]*)\")|`([^`\n]*)`")
_RAKE_REMOVE = lazy_pattern(
    r"\b(?:rm_rf|rm_r|remove_dir|FileUtils\.rm_rf|rm_f|rm)\s*\(?\s*(?:'([^'\n]*)'|\"([^\"\n]*)\")"
)


def _from_rakefile(text: str, names: Sequence[str]) -> Iterator[str]:
    here = ""
    wanted = {name.rpartition(":")[2] for name in names}
    for line in text.splitlines():
        if match := _RAKE_TASK.match(line):
            here = match[1].rpartition(":")[2]
        if here in wanted:
            yield from (a or b or c for a, b, c in _RAKE_RUN.findall(line))
            yield from (f"rm -rf {a or b}" for a, b in _RAKE_REMOVE.findall(line))


_READERS: dict[str, Callable[[str, Sequence[str]], Iterator[str]]] = {
    "make": _from_makefile, "gmake": _from_makefile, "just": _from_justfile, "task": _from_taskfile,
    "rake": _from_rakefile,
}  # fmt: skip
