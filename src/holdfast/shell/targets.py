"""What the tasks of a project's own do, by their names: targets of make, scripts of npm, tasks of gradle. Pure."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.shell import tools
from holdfast.shell.tools import WorkKind

NamedTool = tuple[WorkKind, str, list[str]]
"""The kind of work, the tool's name with its word, and what stands behind them."""
_TARGETS = tuple(
    (kind, lazy_pattern(rf"(?:.*[:_./-])?{pattern}(?:[:_./-].*)?\Z", re.IGNORECASE)) for kind, pattern in tools.TARGETS
)
_TARGET_OPTIONS = frozenset({"-t", "--target", "--targets"})
_HUMPS = lazy_pattern(r"[A-Z]?[a-z]+")


def of_target(name: str) -> WorkKind | None:
    """What a target does, by its name."""
    return next((kind for kind, pattern in _TARGETS if pattern.match(name)), None)


def of_script(program: str, arguments: list[str]) -> NamedTool | None:
    rest = options_off(arguments, tools.SCRIPT_VALUES)
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
        behind = options_off(behind, frozenset({"--filter", "-w", "--workspace"}))
        if not behind:
            return None
        kind = of_target(behind[0])
        return (kind, f"{program} run {behind[0]}", behind[1:]) if kind else None
    if program in ("yarn", "pnpm", "bun"):
        kind = of_target(word)
        return (kind, f"{program} {word}", behind) if kind else None
    return None


_JVM_VALUES = tools.listed("-x --exclude-task -p --project-dir --tests -pl --projects -f --file -P --activate-profiles")
"""Options of Gradle and Maven that take the next word; it is no task."""


def of_jvm(program: str, arguments: list[str]) -> NamedTool | None:
    plain = program.removesuffix("w") if program in ("gradlew", "mvnw") else program
    pairs = zip(("", *arguments), arguments, strict=False)
    tasks = [text for before, text in pairs if not text.startswith("-") and before not in _JVM_VALUES]
    kinds: dict[WorkKind, str] = {}
    for task in tasks:
        kind = tools.JVM_TARGETS.get(task.rsplit(":", 1)[-1]) or tools.JVM_TARGETS.get(task) or _by_humps(task)
        if kind:
            kinds.setdefault(kind, task)
    # `mvn clean package` also tests; the test is what a reader asks for.
    for kind in ("deploy", "test", "build", "lint", "format", "server"):
        if kind in kinds:
            return kind, f"{plain} {kinds[kind]}", [text for text in arguments if text != kinds[kind]]
    return None


def of_make(program: str, arguments: list[str]) -> NamedTool | None:
    rest: list[str] = []
    values = {"-C", "-f", "-j", "--directory", "--file", "--justfile", "-d"}
    for at, text in enumerate(arguments):
        before = arguments[at - 1] if at else ""
        if text.startswith("-") or "=" in text or (before in values and not (before == "-j" and not text.isdigit())):
            continue
        rest.append(text.lstrip("+"))
    if not rest:
        return ("build", program, arguments) if program in ("make", "gmake") else None
    for target in rest:
        if kind := of_target(target):
            return kind, f"{program} {target}", [text for text in rest if text != target]
    return None


def _by_humps(task: str) -> WorkKind | None:
    """`connectedDebugAndroidTest` tests, `compileTestJava` builds: the first word that says so."""
    words = [word.lower() for word in _HUMPS.findall((re.split(r"[:/]", task.split(" ", 1)[0]) or [""])[-1])]
    first = tools.JVM_WORDS.get(words[0]) if words else None
    return first or next((kind for word in reversed(words) if (kind := tools.JVM_WORDS.get(word))), None)


def of_task(program: str, arguments: list[str]) -> NamedTool | None:
    """`turbo run test --filter=web`, `nx run-many -t test`, `hatch run cov:test`; of several tasks the test."""
    at = next((place for place, text in enumerate(arguments) if not text.startswith("-")), None)
    if at is None or arguments[at] not in tools.TASKS.get(program, ()):
        return None
    behind = arguments[at + 1 :]
    named = [text.partition("=")[2] for text in behind if text.partition("=")[0] in _TARGET_OPTIONS and "=" in text]
    words = [text for text in (*named, *behind) if text and not text.startswith("-") and "=" not in text]
    found = [(kind, word) for word in words for kind in [of_target(word.lstrip("+:"))] if kind]
    kind, word = next((each for each in found if each[0] == "test"), found[0] if found else (None, ""))
    return (kind, f"{program} {arguments[at]} {word}", [text for text in behind if text != word]) if kind else None


def options_off(arguments: list[str], values: frozenset[str], keep: str = "") -> list[str]:
    """What stands behind the options; those in `values` take the next word."""
    at = 0
    while at < len(arguments) and arguments[at].startswith("-") and arguments[at] != keep:
        if arguments[at] == "--":
            return arguments[at + 1 :]
        at += 2 if arguments[at] in values else 1
    return arguments[at:]
