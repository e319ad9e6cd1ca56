"""What a run includes, and whether a later run includes an earlier one: `pytest` includes `pytest tests/x.py`. Pure.

A run that passed settles every earlier failure that it includes (MEM-17). Where it is not sure that it does, it does
not.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from itertools import pairwise

from holdfast.shell.recognise import ToolRun
from holdfast.shell.tools import JVM, MAKES, RUN_VALUES, SCRIPTS, TASKS, listed

_NARROWING = listed(
    "-k -m -run --run -g --grep --fgrep --filter --tests --test --testNamePattern --testPathPattern -R -E --only"
    " --tag --tags -pl --projects --package --bin --example --env --select --case --workspace --project"
    " --ignore --ignore-glob --deselect --exclude"
)
"""Options with a value that let less run."""
_NARROWING_OF = {"cargo": frozenset({"-p"}), "tox": frozenset({"-e"}), "nox": frozenset({"-s"}),
                 "jest": frozenset({"-t"}), "vitest": frozenset({"-t"}), "bun": frozenset({"-t"})}  # fmt: skip
"""Options of one letter that do so for some tools only."""
_FLAGS = frozenset({"--lib", "--bins", "--doc", "--examples", "--changed", "--onlyChanged", "--findRelatedTests",
                    "-short"})  # fmt: skip
_PACKAGES = frozenset({"--filter", "-F", "-w", "--workspace", "--prefix", "-C", "--cwd", "--dir"})
"""Options of npm and its kin, before the script's name, that choose a package."""
_WORDS_OF_TOOLS = frozenset({"run", "watch", "check", "--", "."})
_NAMES_NOT_PATHS = frozenset({"cargo test", "cargo nextest", "ctest", "swift test", "zig test", "sbt", "tox", "nox",
                              "cabal test", "stack test", "meson test"})  # fmt: skip
"""Tools whose words are names of tests, crates or environments."""
_ONE_PACKAGE = frozenset({"go test", "go vet", "go build"})
"""Tools that take one folder without those below it, unless told `/...`."""
_ALIKE = {"py.test": "pytest", "cargo nextest": "cargo test", "cargo t": "cargo test", "cargo b": "cargo build",
          "cargo c": "cargo check", "npm t": "npm test", "npm tst": "npm test", "zig build test": "zig test",
          "sbt testOnly": "sbt test", "samu test": "ninja test"}  # fmt: skip
_GATHERING = MAKES | SCRIPTS | listed("tox nox turbo nx hatch pdm pixi lerna moon mise devbox composer ninja")
"""Tools that run others: their whole test is every test below the folder."""
_WHOLE = frozenset({"test", "tests", "check", "checks", "ci", "verify", "all", "t", "tst", "build", "lint"})
_OF_SCRIPTS = listed(
    "jest vitest mocha ava tap playwright cypress karma jasmine node tsx tsc eslint biome nx turbo lerna vue-tsc"
)
"""What the scripts of npm and its kin run: another language's tests are none of theirs."""
_BEFORE: dict[str, frozenset[str]] = {
    "test": frozenset(),
    **dict.fromkeys(("check", "verify"), frozenset({"test", "lint", "types"})),
    **dict.fromkeys(("build", "package", "install"), frozenset({"test", "lint", "types", "build"})),
}
"""The last task of Gradle or Maven → the kinds of work that it does on its way."""
_VARIANT = re.compile(r"test\w{1,40}UnitTest")
"""A task that is part of `test` in an Android project: `testDebugUnitTest`."""
_ON_DEVICES = re.compile(r"connected\w{0,60}")
"""Tasks that need a device: no other task runs them on its way."""
_SKIPS_TESTS = re.compile(
    r"-Dskip\w{0,20}Tests?(?:=true)?|-DskipITs(?:=true)?|-Dmaven\.test\.skip(?:=true)?|-x[a-z]\w*|-m|--dry-run"
)
_SOLUTION = re.compile(
    r"(?:^|(?<=/))[^/]*\.slnx?\Z|(?:^|(?<=/))(?P<name>[^/]+)(?P<file>/(?P=name)\.(?:cs|fs|vb)proj)\Z"
)
"""A file of .NET that stands for its folder: a solution, or the project that is called as its folder is. A filter of a
solution, or one of several projects in a folder, is less than that."""
_EVERYTHING = frozenset({"check", "checks", "ci", "verify", "all"})
_COMPILING = listed("cargo go dotnet gradle mvn swift zig sbt mix flutter dune cabal stack bazel bazelisk xcodebuild")
_LINE_NUMBER = re.compile(r"(?<=\.\w{2}):(\d+)(?::\d+)?\Z|(?<=\.\w{3}):(\d+)\Z")
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run includes."""

    kind: str
    tool: str
    paths: tuple[str, ...]
    """Relative to the project; '' is all of it. `=` before one: without what is below it."""
    narrowed: str = ""
    """Names of tests, packages or targets that it is limited to; '' for none."""


def scope_of(run: ToolRun, folder: str = "") -> Scope:
    """`folder` is where the command line begins, relative to the project."""
    tool = _ALIKE.get(run.tool, run.tool)
    where = _joined(folder, run.command.directory or "")
    words, limits = (_sent(run), []) if run.kind == "deploy" else _split(run)
    first, _, last = tool.partition(" ")
    if _gathers(tool):
        target = last.rsplit(" ", 1)[-1]
        limits += [target] if target and target not in _WHOLE else []
    if first in JVM and run.kind != "deploy":
        tool, words, limits = _of_jvm(run, tool, limits)
    if tool in _NAMES_NOT_PATHS or _gathers(tool) or run.kind in ("deploy", "vcs"):
        limits, words = [*limits, *(word for word in words if word != "all")], []
    paths = tuple(dict.fromkeys(_path(word, where, tool) for word in words)) or (_whole(where, tool),)
    return Scope(run.kind, tool, paths, " ".join(sorted(limits)))


def _gathers(tool: str) -> bool:
    """Does it run other tools, as a target or a task of the project's own?"""
    first, _, last = tool.partition(" ")
    return first in _GATHERING or last.partition(" ")[0] in TASKS.get(first, ())


def _of_jvm(run: ToolRun, tool: str, limits: list[str]) -> tuple[str, list[str], list[str]]:
    """(tool, the folder of its module, what it is limited to). Its other words are tasks: `mvn clean install`."""
    program, _, task = tool.partition(" ")
    if program == "sbt" and " " in task:  # sbt "testOnly *ASpec"
        task, _, named = task.partition(" ")
        limits = [*limits, named]
    pairs = list(pairwise(run.arguments))
    folder = ""
    if program == "gradle":
        folder = next((value for name, value in pairs if name in ("-p", "--project-dir")), "")
        module, _, task = task.strip(":").rpartition(":")
        folder = posixpath.join(folder, module.replace(":", "/"))
    if program == "mvn":
        folder = next((value for name, value in pairs if name in ("-f", "--file")), "")
        folder = posixpath.dirname(folder) if folder.endswith(".xml") else folder
    skips = [text for text in run.arguments if _SKIPS_TESTS.fullmatch(text)]
    skips += [f"-x {value}" for name, value in pairs if name in ("-x", "--exclude-task")]
    tool = f"{program} {task}"
    return _ALIKE.get(tool, tool), [folder] if folder else [], [*limits, *skips]


_ALONE = listed(
    "--install --yes -y --prod --force -f --auto-approve -auto-approve --wait --atomic --clean --verbose -v"
)
"""Options of deploys that take no value."""
_WHERE = listed(
    "-a --app --env --environment --stage --context --cluster --service --target -target --account --site --alias"
)
"""Options of deploys whose value says what is deployed, or where."""
_VARIABLE = re.compile(r"(?!\w*(?:TAG|VERSION|IMAGE|REV|SHA|BUILD|HASH)\w*=)[A-Z][A-Z0-9_]{1,30}=\S+")
"""`make deploy ENV=prod`. The next version is the same deploy."""


def _sent(run: ToolRun) -> list[str]:
    """What is deployed or published, and where: its words that are no option's value, and what says where. The next
    image is the same deploy."""
    pairs = zip(("", *run.arguments), run.arguments, strict=False)
    return [
        text
        for before, text in pairs
        if (not text.startswith("-") and "=" not in text and (not before.startswith("-") or before in _ALONE))
        or before in _WHERE
        or text.partition("=")[0] in _WHERE - {text}
    ] + [text for text in run.command.texts if _VARIABLE.fullmatch(text)]


def _split(run: ToolRun) -> tuple[list[str], list[str]]:
    """(what stands behind a tool and is no option, what its options limit it to)."""
    words: list[str] = []
    limits: list[str] = []
    before = ""
    first = run.tool.split(" ")[0]
    narrowing = _NARROWING | _NARROWING_OF.get(first, frozenset())
    if first in SCRIPTS:
        texts = run.command.texts
        chosen = [f"{last} {text}" for last, text in pairwise(texts) if last in _PACKAGES]
        limits += [*chosen, *(text for text in texts if text.partition("=")[0] in _PACKAGES and "=" in text)]
    for text in run.arguments:
        name, sign, value = text.partition("=")
        if before in narrowing:
            limits.append(f"{before} {text}")
            before = ""
        elif text.startswith("-") and sign and (name in narrowing or name == "-Dtest"):
            limits.append(f"{name} {value}")
        elif text in _FLAGS:
            limits.append(text)
        elif text.startswith("-"):
            before = text if text in narrowing or text in RUN_VALUES else ""
        elif before:
            before = ""
        elif text not in _WORDS_OF_TOOLS:
            words.append(text)
    return words, limits


def _path(word: str, where: str, tool: str) -> str:
    below = word.endswith("/...")
    plain = word.removesuffix("...").rstrip("/") if below else word
    if tool.startswith("dotnet "):
        plain = _SOLUTION.sub(lambda found: found["name"] or "", plain).rstrip("/") or "."
    if tool == "unittest" and _MODULE.fullmatch(plain):
        plain = plain.replace(".", "/")
    plain = _LINE_NUMBER.sub(r"/\1\2", plain).replace("::", "/")
    path = _joined(where, plain or ".")
    return path if below or tool not in _ONE_PACKAGE else f"={path}"


def _whole(where: str, tool: str) -> str:
    return f"={where}" if tool in _ONE_PACKAGE else where


def _joined(folder: str, path: str) -> str:
    together = posixpath.normpath(posixpath.join(folder, path))
    return "" if together in (".", "/") else together.removeprefix("./")


def covers(later: Scope, earlier: Scope) -> bool:
    """Did the later run include all that the earlier one ran?"""
    if not _same_work(later, earlier):
        return False
    return all(any(_includes(whole, part) for whole in later.paths) for part in earlier.paths)


def _same_work(later: Scope, earlier: Scope) -> bool:
    first, other = later.tool.split(" ")[0], earlier.tool.split(" ")[0]
    if later.tool == earlier.tool and later.kind == earlier.kind:
        if later.kind == "vcs":
            return True  # a push that went through took everything with it
        return later.narrowed in ("", earlier.narrowed)
    if later.narrowed:
        return False
    if first in JVM and first == other:
        return _on_its_way(later.tool, earlier)
    if _gathers(later.tool):
        same = later.kind == earlier.kind and later.kind != "deploy"
        return same or (later.tool.rsplit(" ", 1)[-1] in _EVERYTHING and earlier.kind not in ("deploy", "vcs"))
    if _gathers(earlier.tool):
        is_its_own = other not in SCRIPTS or first in _OF_SCRIPTS | SCRIPTS
        return is_its_own and later.kind == earlier.kind == "test" and not _chooses_more_than_names(earlier)
    return later.kind == "test" and earlier.kind == "build" and first == other and first in _COMPILING


def _on_its_way(later: str, earlier: Scope) -> bool:
    """Does this task of Gradle, Maven or sbt do the earlier one's work on its way?"""
    task = later.partition(" ")[2]
    word = earlier.tool.partition(" ")[2]
    if task not in _BEFORE or earlier.kind == "deploy" or _ON_DEVICES.fullmatch(word):
        return False
    if task in ("install", "package") and not later.startswith("mvn"):
        return False  # of Gradle they pack, and test nothing
    return earlier.kind in _BEFORE[task] or _VARIANT.fullmatch(word) is not None


def _chooses_more_than_names(script: Scope) -> bool:
    """Is a script another one than `test`, or of another package? `npm test -- cart` is a part of what `jest` runs."""
    first, _, last = script.tool.partition(" ")
    is_test = first in SCRIPTS and last.rsplit(" ", 1)[-1] in _WHOLE
    return any(word.startswith("-") or not is_test for word in script.narrowed.split())


def _includes(whole: str, part: str) -> bool:
    if whole.startswith("="):
        return part == whole or (part.startswith(f"{whole[1:]}/") and part.endswith(".go"))
    bare = part.removeprefix("=")
    return not whole or bare == whole or bare.startswith(f"{whole}/")
