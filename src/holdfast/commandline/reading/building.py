"""Builders and runners of tests: they compile a source file, or run it against what a test is given. Pure.

What such a file says to a database is no statement that the line runs: `cat > T.java … && ./gradlew test`.
"""

from __future__ import annotations

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

BUILT = "a build"
"""How a run was reached that stands in a source file which is only built or tested."""
MIGRATION = "a migration"
"""Such a file that only changes a database when a tool for migrations is called."""
_ALWAYS = listed(
    "javac kotlinc scalac groovyc rustc gcc g++ clang clang++ cc csc mcs ghc tsc pytest py.test unittest nose2 tox "
    "nox jest vitest mocha ava playwright cypress rspec minitest phpunit pest paratest behat prove ctest xcodebuild "
    "webpack vite rollup esbuild tsup swc vue-tsc coverage nextest"
)
_BY_WORD = listed(
    "gradle gradlew mvn mvnw sbt mill lein bazel bazelisk go cargo zig dotnet swift mix flutter dart npm pnpm yarn bun "
    "deno node rails rake bundle ng nx turbo stack cabal"
)
"""These build, test and run: what they are told says which."""
_BUILDS = lazy_pattern(
    r"(?i)(?:[\w.-]{0,60}:){0,8}(?:--test|tests?|t|build|check|clippy|vet|compile|assemble|verify|package|lint|typecheck|"
    r"tsc|spec|nextest|unit|testOnly|testQuick|(?-i:compile|assemble|test|build|bundle)(?-i:[A-Z])\w*)(?::[\w:.-]+)?\Z"
)
_RUNS = lazy_pattern(
    r"(?i)(?:[\w.-]{0,60}:){0,8}(?:run\w*|exec|start|serve|dev|boot\w*|runner|console|deploy\w*|publish\w*|release|"
    r"seed\w*|reset\w*|migrat\w*|flyway\w*|liquibase\w*|db|java|generate|tool)(?:[:.]\S*)?\Z"
)
_TASKS = listed("npm pnpm yarn bun nx turbo ng")
"""For these the word `run` only says that the name of a task follows."""
_LAUNCHERS = listed("npx pnpx bunx uvx uv poetry pdm hatch pipenv rye bundle pnpm yarn npm")
_LAUNCHES = listed("run exec x dlx")
_FAR = lazy_pattern(
    r"(?i)(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|sqlserver|cockroachdb|clickhouse)(?:\+\w{1,12})?:"
    r"(?:\w{1,12}:)?//(?:[^\s/@\"']{0,100}@)?"
    r"(?!localhost|127\.|\[?::1|0\.0\.0\.0|host\.docker\.internal|(?:db|postgres|mysql|redis|mongo)[:/])[\w-]"
)
"""The address of a database on another machine."""
_IN_MIGRATIONS = lazy_pattern(r"(?:\A|.*/)(?:migrations?|migrate|versions|alembic)/[^/]+\Z")
_LONGEST, _MOST = 200_000, 40


def how(run: Run, name: str, text: str) -> tuple[str, ...]:
    """What to say of a file of this name and text when this call reads it: `BUILT` where it is only built or tested,
    and names no database on another machine; `MIGRATION` where, besides, it is one and is not named in the call."""
    if not is_building(run) or len(text) > _LONGEST or _FAR.search(text) is not None:
        return ()
    return (BUILT, MIGRATION) if _IN_MIGRATIONS.match(name) and name not in run.texts else (BUILT,)


def is_building(run: Run) -> bool:
    """Does a call only build or test?"""
    if run.program in _ALWAYS:
        return True
    words = [text for text in run.texts[:_MOST] if not text.startswith("-") or text == "--test"]
    if run.program in _LAUNCHERS:
        launched = words[1:] if words[:1] and words[0] in _LAUNCHES else words
        if launched and launched[0] in _ALWAYS:
            return True
    if run.program not in _BY_WORD:
        return False
    if run.program in _TASKS and words[:1] in (["run"], ["run-script"]):
        words = words[1:]
    return bool(words) and _BUILDS.match(words[0]) is not None and not any(map(_RUNS.match, words))
