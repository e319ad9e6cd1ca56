"""The summaries that test runners write, one entry per format: what its line looks like and how it counts. Data only.

A format is known by the whole shape of its line, never by a word: passing tests may print FAILED as they like.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from holdfast.shell.counts import Counts, numbers_first, words_first
from holdfast.shell.tools import listed

Counting = Callable[[str], Counts]


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compiled at its first use: one output needs few of them, and the daemon's start none."""
    return re.compile(pattern, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Format:
    """How one tool ends its output."""

    name: str
    tools: frozenset[str]
    """First words of the tools that write it; a runner that hides them (make, npm) is tried with every format."""
    line: str
    """A pattern of the summary line. Its groups `good` and `bad` settle the verdict; `counts` holds the numbers."""
    count: Counting = numbers_first
    every: bool = False
    """Several summaries add up (one per crate or module); otherwise the last one stands."""
    only: bool = False
    """Too short a line to be believed from any tool but its own."""
    names: str = ""
    """A pattern of where the names of what failed stand."""


def _format(
    name: str,
    tools: str,
    line: str,
    *,
    count: Counting = numbers_first,
    every: bool = False,
    only: bool = False,
    names: str = "",
) -> Format:
    return Format(name, listed(tools), line, count, every, only, names)


def _unittest(text: str) -> Counts:
    plain = text.replace("expected failures", "xfailed").replace("unexpected successes", "failures")
    return words_first(plain)


_PYTEST_WORD = r"\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed)"
_ANY = r"[^\n]*"
_AVA_ERRORS = r"uncaught exceptions?|unhandled rejections?"
_UNITTEST = "unittest python manage.py green trial django-admin"
_UNITTEST_NAMES = r"^(?:FAIL|ERROR): (\S+(?: \([^)\n]+\))?)"

TEST_FORMATS: tuple[Format, ...] = (
    _format(
        "pytest", "pytest py.test tox nox",
        rf"^=*[ ]*(?:(?P<counts>{_PYTEST_WORD}(?:, {_PYTEST_WORD})*)|(?P<bad>no tests (?:ran|collected)))"
        rf"(?: \(\d+ deselected\))?(?: in [\d.]+ ?s{_ANY})?[ ]*=*$",
        names=r"^(?:FAILED|ERROR) ([^\s:][^\s]*(?:::\S+|\.py))",
    ),
    _format(
        "unittest", _UNITTEST,
        r"^(?:Ran \d+ tests? in [^\n]*\n\n?)?(?:(?P<good>OK)|(?P<bad>FAILED)) "
        r"\((?P<counts>[a-z ]+=\d+(?:, [a-z ]+=\d+)*)\)$",
        count=_unittest, names=_UNITTEST_NAMES,
    ),
    _format(
        "unittest", _UNITTEST, r"^Ran \d+ tests? in [^\n]*\n\n?(?:(?P<good>OK)|(?P<bad>FAILED|NO TESTS RAN))$",
        names=_UNITTEST_NAMES,
    ),
    _format("unittest", _UNITTEST, r"^(?:(?P<good>OK)|(?P<bad>FAILED|NO TESTS RAN))$", only=True,
            names=_UNITTEST_NAMES),
    _format(
        "jest", "jest react-scripts ng",
        r"^(?:Tests:[ ]+(?P<counts>(?:\d+ [a-z]+, )*\d+ total)|"
        r"No tests found, exiting with code (?:(?P<bad>1)|(?P<good>0)))$",
        names=r"^[ ]{2}● ((?!Console$)\S[^\n]*)$",
    ),
    _format(
        "vitest", "vitest",
        r"^[ ]*(?:Tests[ ]{2,}(?:no tests|(?P<counts>\d+ [a-z]+(?: \| \d+ [a-z]+)*) \(\d+\))|"
        r"No test files found, exiting with code (?:(?P<bad>1)|(?P<good>0)))$",
        names=r"^ FAIL[ ]+(\S[^\n]*)$",
    ),
    _format(
        "mocha", "mocha cypress",
        r"^[ ]+(?P<counts>\d+ passing(?: \([^)\n]*\))?(?:\n[ ]+\d+ (?:pending|failing))*)$",
        names=r"^[ ]{2}\d+\) (\S[^\n]*(?:\n[ ]{4,}\S[^\n]*:$)?)",
    ),
    _format(
        "node", "node tsx",
        r"^(?:#|ℹ) tests \d+\n(?P<counts>(?:(?:#|ℹ) [a-z]+ \d+\n?)+)",
        count=lambda text: numbers_first(re.sub(r"(?:#|ℹ) ([a-z]+) (\d+)", r"\2 \1", text).replace("suites", "of")),
        names=r"^(?:not ok \d+ - |✖ )(?!failing tests)([^\n(#]+?)(?: \([\d.]+ms\))?$",
    ),
    _format(
        "cargo", "cargo",
        r"^test result: (?:(?P<good>ok)|(?P<bad>FAILED))\. (?P<counts>\d+ passed; \d+ failed(?:; \d+ ignored)?)",
        every=True, names=r"^test (\S+) \.\.\. FAILED",
    ),
    _format(
        "nextest", "cargo nextest cargo-nextest",
        r"^[ ]+Summary \[[^\]\n]*\][ ]+(?P<counts>\d+(?:/\d+)? tests? run: [^\n]+)$",
        count=lambda text: numbers_first(text.split(":", 1)[-1].replace("(", ", (")),
        names=r"^[ ]+FAIL \[[^\]\n]*\] (?:\([^)\n]*\) )?(\S+ \S+)",
    ),
    _format(
        "gotestsum", "gotestsum",
        r"^DONE (?P<counts>\d+ tests?(?:, \d+ (?:skipped|failures?|errors?))*) in [\d.]+m?s$",
        names=r"^=== FAIL: (\S+ \S+) \(",
    ),
    _format("ctest", "ctest", r"^\d+% tests passed, (?P<counts>\d+ tests failed out of \d+)$",
            count=lambda text: Counts(failed=int(text.split()[0]), total=int(text.split()[-1])),
            names=r"^[ \t]+\d+ - (\S+) \("),
    _format(
        "maven", "mvn mvnw mvnd",
        r"^(?:\[(?:INFO|ERROR|WARNING)\] )?(?P<counts>Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$",
        count=words_first, every=True, names=r"^\[ERROR\][ ]{3}(\w[\w.$]*?(?:\.\w+|:\w+)?)(?::\d+| »)",
    ),
    _format(
        "gradle", "gradle gradlew", r"^(?P<counts>\d+ tests? completed(?:, \d+ (?:failed|skipped))*)$",
        names=r"^(\S+ > [^\n]+) FAILED$",
    ),
    _format(
        "dotnet", "dotnet",
        r"^(?:(?P<good>Passed)|(?P<bad>Failed))![ ]+- (?P<counts>Failed:[ ]+\d+, Passed:[ ]+\d+, Skipped:[ ]+\d+)",
        count=words_first, every=True, names=r"^[ ]+Failed (\S+) \[",
    ),
    _format(
        "rspec", "rspec rails rake",
        r"^(?P<counts>\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors?[^\n]*)?)$",
        names=r"^rspec (\S+) #",
    ),
    _format(
        "minitest", "rails rake minitest ruby",
        r"^(?P<counts>\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ (?:skips|pendings)[^\n]*)$",
        names=r"^(?:Failure|Error):\n(\S+)",
    ),
    _format("phpunit", "phpunit paratest artisan php composer",
            r"^(?P<good>OK) \((?P<counts>\d+ tests?), \d+ assertions?\)$"),
    _format(
        "phpunit", "phpunit paratest artisan php composer",
        r"^(?P<counts>Tests: \d+, Assertions: \d+(?:, [A-Za-z ]+: \d+)*)\.$", count=words_first,
        names=r"^\d+\) (\S+::\S+)",
    ),
    _format("pest", "pest artisan", r"^[ ]+Tests:[ ]+(?P<counts>\d+ [a-z]+(?:, \d+ [a-z]+)*) \(\d+ assertions\)$",
            names=r"^[ ]+FAILED[ ]+(\S[^\n]*?)(?:[ ]{2,}[^\n]*)?$"),
    _format("exunit", "mix bats", r"^(?P<counts>(?:\d+ doctests?, )?\d+ tests?, \d+ failures?(?:, \d+ [a-z]+)*)$",
            names=r"^[ ]+\d+\) (?:test )?(\S[^\n]*?) \([\w.]+\)$"),
    _format("xctest", "swift xcodebuild",
            r"^[ \t]*Executed (?P<counts>\d+ tests?, with (?:\d+ tests? skipped and )?\d+ failures?)",
            names=r"^[^\n]* error: -?\[?([\w. ]+?)\]? : "),
    _format("deno", "deno",
            r"^(?:(?P<good>ok)|(?P<bad>FAILED)) \| (?P<counts>\d+ passed[^|\n]*(?:\| \d+ [a-z]+[^|\n]*)*)",
            names=r"^(\S[^\n]*) \.\.\. FAILED"),
    _format("bun", "bun", r"^[ ]*(?P<counts>\d+ pass\n(?:[ ]*\d+ (?:skip|todo)\n)*[ ]*\d+ fail)$",
            names=r"^(?:✗|\(fail\)) (\S[^\n]*?)(?: \[[^\]\n]*\])?$"),
    _format("playwright", "playwright",
            r"^(?P<counts>(?:[ ]{2}\d+ (?:failed|flaky|interrupted|skipped|did not run)\n"
            r"(?:[ ]{4}[^\n]*\n){0,200}){0,6}"
            r"[ ]{2}\d+ passed)",
            names=r"^[ ]{4}(\[\w+\] › [^\n]+?)[ ─]*$"),
    _format("cucumber", "cucumber behave", r"^\d+ scenarios? (?P<counts>\([^)\n]*\))$"),
    _format("behave", "behave", r"^(?P<counts>\d+ scenarios? passed, \d+ failed, \d+ skipped)",
            count=lambda text: numbers_first(re.sub(r" scenarios?", "", text))),
    _format("json", "jest vitest react-scripts",
            r"^\{\"num\w{1,40}\":[^\n]*\"success\":(?:(?P<good>true)|(?P<bad>false))", only=True),
    _format("json", "mocha", r"^[ ]{4}\"failures\": (?:(?P<good>0)|(?P<bad>[1-9]\d*)),$", only=True),
    _format("json", "rspec", r"\"summary_line\":\"(?P<counts>\d+ examples?, \d+ failures?[^\"\n]*)\"", only=True),
    _format(
        "json", "go",
        r"^\{\"Time\":\"[^\"\n]*\",\"Action\":\"(?:(?P<bad>fail)|(?P<good>pass|skip))\",\"Package\":\"[^\"\n]*\","
        r"\"Elapsed\":",
        every=True, only=True,
    ),
    _format(
        "ava", "ava",
        r"^[ ]{2}(?P<counts>\d+ (?:tests? (?:passed|failed|skipped|todo)|hooks? failed|uncaught exceptions?|"
        r"unhandled rejections?)(?:\n[ ]{2}\d+ [a-z ]+)*)$",
        count=lambda text: numbers_first(re.sub(r"(?:tests?|hooks?) ", "", re.sub(_AVA_ERRORS, "errors", text))),
        names=r"^[ ]{2}✘ (?:\[fail\]: )?(\S[^\n]*)$",
    ),
    _format(
        "jasmine", "jasmine karma",
        r"^(?:(?P<counts>\d+ specs?, \d+ failures?(?:, \d+ pending specs?)?)|(?P<bad>Incomplete: [^\n]*))$",
        count=lambda text: numbers_first(re.sub(r"(\d) specs?\b", r"\1 total", text)),
        names=r"^\d+\) (\S[^\n]*)\n[ ]{2}Message:",
    ),
    _format(
        "tap lines", "bats tap prove vitest mocha node ava perl",
        r"^[ ]*(?:(?P<bad>not ok)|(?P<good>ok)) \d+\b(?![^\n]*# (?:TODO|todo))", every=True, only=True,
        names=r"^[ ]*not ok \d+ (?:- )?([^\n#]+)",
    ),
    _format("tap", "tap bats prove", r"^Result: (?:(?P<good>PASS)|(?P<bad>FAIL))$", names=r"^not ok \d+ -? ?([^\n]*)"),
    _format("testthat", "Rscript R", r"^\[ (?P<counts>FAIL \d+ \| WARN \d+ \| SKIP \d+ \| PASS \d+) \]",
            count=lambda text: numbers_first(re.sub(r"([A-Z]+) (\d+)", r"\2 \1", text)),
            names=r"^── (?:Failure|Error) \(([^)\n]+)\)"),
    _format("julia", "julia",
            r"^[ ]*(?:(?P<good>Testing \S+ tests passed)|(?P<bad>ERROR: (?:Package \S+ errored during testing|"
            r"LoadError: Some tests did not pass: (?P<counts>\d+ passed, \d+ failed, \d+ errored)))[^\n]*)",
            count=lambda text: numbers_first(text.replace("errored", "errors")),
            names=r"^(\S[^\n]*): (?:Test Failed|Error During Test) at "),
    _format("scalatest", "sbt mill gradle mvn",
            r"^(?:\[info\] )?Tests: (?P<counts>succeeded \d+, failed \d+, canceled \d+, ignored \d+)",
            count=lambda text: numbers_first(re.sub(r"([a-z]+) (\d+)", r"\2 \1", text)), every=True),
    _format("sbt", "sbt mill", r"^\[(?:info|error)\] (?:(?P<good>Passed)|(?P<bad>Failed|Error)): "
            r"(?P<counts>Total \d+, Failed \d+, Errors \d+, Passed \d+)",
            count=lambda text: numbers_first(re.sub(r"([A-Z][a-z]+) (\d+)", r"\2 \1", text)), every=True),
    _format("bazel", "bazel bazelisk",
            r"^Executed \d+ out of \d+ tests?: (?P<counts>\d+ [^\n]*?)\.?$",
            count=lambda text: numbers_first(re.sub(r"(\d+) tests? ", r"\1 ", text).replace("fails", "failed"))),
    _format("dart", "flutter dart", r"^(?:\d\d:\d\d \+(?P<counts>\d+(?: ~\d+)?(?: -\d+)?): )?"
            r"(?:(?P<good>All tests passed!)|(?P<bad>Some tests failed\.))",
            count=lambda text: Counts(
                passed=int(text.split()[0]),
                failed=next((int(each[1:]) for each in text.split() if each[0] == "-"), None))),
    _format("gtest", "ctest", r"^\[  (?:(?P<good>PASSED)|(?P<bad>FAILED))  \] (?P<counts>\d+ tests?)\b",
            count=lambda text: Counts()),
    _format("catch2", "ctest", r"^(?:(?P<good>All tests passed) \(|test cases:[ ]+\d+ \| (?P<counts>\d+ [^\n]*))",
            count=lambda text: numbers_first(text)),
    _format("ginkgo", "ginkgo go", r"^(?:(?P<good>SUCCESS!)|(?P<bad>FAIL!)) -- (?P<counts>\d+ Passed \| \d+ Failed)"),
    _format("busted", "busted", r"^(?P<counts>\d+ success(?:es)? / \d+ failures? / \d+ errors? / \d+ pending)",
            count=lambda text: numbers_first(re.sub(r"success(?:es)?", "passed", text))),
    _format("forge", "forge", r"^Ran \d+ test suites? [^\n]*: (?P<counts>\d+ tests passed, \d+ failed, \d+ skipped)",
            count=lambda text: numbers_first(text.replace("tests passed", "passed"))),
    _format("robot", "robot pabot", r"^(?P<counts>\d+ tests?, \d+ passed, \d+ failed)", every=False),
    _format("dbt", "dbt", r"^(?:\d\d:\d\d:\d\d[ ]+)?Done\. (?P<counts>PASS=\d+ WARN=\d+ ERROR=\d+ SKIP=\d+[^\n]*)",
            count=words_first),
    _format("tasty", "cabal stack zig", r"^(?:(?P<good>All \d+ tests passed)|(?P<bad>\d+ out of \d+ tests failed))"),
    _format("tox", "tox", r"^[ ]{2}(?:(?P<good>congratulations :\))|(?P<bad>evaluation failed :\())"),
    _format("nox", "nox", r"^nox > Session \S+ (?:was )?(?:(?P<good>successful)|(?P<bad>failed))", every=True),
)  # fmt: skip

LINES = tuple(entry.line for entry in TEST_FORMATS)
