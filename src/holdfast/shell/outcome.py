"""The outcome of a test, a build or a check: passed, failed or unknown, with counts and the names of what failed first.

The event and its exit status come first. Where they say nothing about this run (`| tail`, `|| true`, `; echo`) the
tool's own summary decides; a word alone never does. Which commands are runs is left to `recognise.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from holdfast.shell import formats, tools, verdicts
from holdfast.shell.counts import Counts, added
from holdfast.shell.formats import compiled
from holdfast.shell.recognise import ToolRun
from holdfast.shell.sieve import candidates

RunVerdict = Literal["passed", "failed", "unknown"]
NAMES = 5
"""How many names of failures are kept."""
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_EXIT_LINE = re.compile(r"\AExit code (-?\d+)(?:\n|\Z)")
_TIMED_OUT = re.compile(r"^Command timed out after ", re.MULTILINE)
_TASK_MARK = re.compile(
    r"^(?:[\w@./-]{1,80}(?::[\w.-]{1,40}){1,3}: |[\w@./-]{1,80} [\w:-]{1,40}: |[\w.-]{1,80} {1,20}\| )", re.M
)
"""What a runner of many tasks writes before each line: `web:test: `, `packages/web test: `, `api  | `."""
_LONGEST = 100_000
"""Characters of an output that are read, from its end: that is where summaries stand."""
_RUN_OTHERS = tools.MAKES | tools.SCRIPTS | {"tox", "nox", "turbo", "nx"}
_WITH_FORMATS = frozenset[str]().union(
    *(each.tools for each in formats.TEST_FORMATS), *(each.tools for each in verdicts.ENDINGS)
)


def _runs_others(run: ToolRun) -> bool:
    """A script may swallow the status of what it runs: `"test": "jest || true"`."""
    first, word = (*run.tool.split(), "")[:2]
    return first in _RUN_OTHERS or word in tools.TASKS.get(first, ())


def _hides(run: ToolRun) -> bool:
    """Does it run others, or is nothing known of its output? Any format may stand in it then."""
    return _runs_others(run) or (run.kind != "deploy" and run.tool.split()[0] not in _WITH_FORMATS)


@dataclass(frozen=True, slots=True)
class Outcome:
    verdict: RunVerdict
    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    first_failures: tuple[str, ...] = ()
    summary: str = ""
    """A short phrase: `3 failed, 42 passed`, `2 errors`, `no tests ran`, `timed out`, `exit 2`."""


_NONE = Counts()


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the output itself says."""

    verdict: RunVerdict = "unknown"
    counts: Counts = _NONE
    names: tuple[str, ...] = ()
    nothing: bool = False
    """The summary says that no test ran."""


def read_outcome(
    run: ToolRun, output: str, failed: bool = False, exit_code: int | None = None, masked: bool | None = None
) -> Outcome:
    """`failed`: it came as PostToolUseFailure. `masked`: as the command line says, unless told otherwise."""
    text = _ANSI.sub("", output[-_LONGEST:]).replace("\r\n", "\n").replace("\r", "\n")
    if told := _EXIT_LINE.match(output):
        exit_code = int(told.group(1)) if exit_code is None else exit_code
        text = text[told.end() :] if len(output) <= _LONGEST else text
    seen = _seen(run, text)
    if seen.verdict == "unknown" and _runs_others(run):
        seen = _seen(run, _TASK_MARK.sub("", text))
    hidden = run.masked if masked is None else masked
    late = failed and _TIMED_OUT.search(text) is not None
    verdict = _verdict(run, seen, text, failed, hidden, late)
    counts = seen.counts.settled()
    return Outcome(
        verdict, counts.passed, counts.failed, counts.errors, counts.skipped,
        seen.names if verdict != "passed" else (),
        _phrase(verdict, counts, seen, late, exit_code if failed and not hidden else None),
    )  # fmt: skip


def _verdict(run: ToolRun, seen: _Seen, text: str, failed: bool, masked: bool, late: bool) -> RunVerdict:
    if failed and (late or not (masked or run.shared)):
        return "failed"
    if not failed and not masked:
        swallowed = _runs_others(run) and seen.verdict == "failed"
        return "unknown" if swallowed else "passed"
    status = _told_status(run, text)
    if status is not None:
        return "passed" if status == 0 else "failed"
    if seen.verdict == "unknown" and not failed and run.kind in ("lint", "types") and not text.strip():
        return "passed"
    return seen.verdict


def _told_status(run: ToolRun, text: str) -> int | None:
    """The status that `; echo "exit: $?"` printed."""
    before = run.command.told
    if before is None:
        return None
    found = re.findall(rf"^{re.escape(before)}(\d+)\b", text, re.MULTILINE)
    return int(found[-1]) if found else None


def _seen(run: ToolRun, text: str) -> _Seen:
    first = run.tool.split()[0]
    hiding = _hides(run)
    seen = _Seen()
    if run.kind == "test" or hiding:
        seen = _tests(first, text, hiding)
        if seen.verdict == "unknown" and (hiding or run.tool == "go test"):
            seen = _go(text, hiding)
    if seen.verdict == "unknown":
        seen = _ended(first, text, hiding, run.kind == "deploy")
    return seen


def _tests(tool: str, text: str, hiding: bool) -> _Seen:
    there = candidates(formats.LINES, text)
    present = [entry for entry in formats.TEST_FORMATS if entry.line in there]
    own = [entry for entry in present if tool in entry.tools]
    others = [entry for entry in present if tool not in entry.tools and not entry.only]
    for group in (own, others) if not hiding else (own + others,):
        found = [(match.start(), entry) for entry in group if (match := _last(compiled(entry.line), text))]
        if found:
            return _read(max(found, key=lambda pair: pair[0])[1], text)
    return _Seen()


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for match in pattern.finditer(text):
        found = match
    return found


def _read(entry: formats.Format, text: str) -> _Seen:
    matches = list(compiled(entry.line).finditer(text))
    if not entry.every:
        matches = matches[-1:]
    groups = [match.groupdict() for match in matches]
    counts = added(entry.count(group["counts"]) for group in groups if group.get("counts"))
    if entry.name == "tap lines":
        bad_ones = sum(bool(group["bad"]) for group in groups)
        counts = Counts(passed=len(groups) - bad_ones, failed=bad_ones)
    if entry.name == "unittest" and (ran := _last(compiled(r"^Ran (\d+) tests? in "), text)):
        counts = added((counts, Counts(total=int(ran.group(1)))))
    if entry.name in ("jest", "vitest") and not counts.bad:
        more = [
            int(found[-1])
            for pattern in (verdicts.SUITES_FAILED, verdicts.UNHANDLED)
            if (found := pattern.findall(text))
        ]
        counts = added((counts, Counts(errors=sum(more)))) if more else counts
    silent = entry.name == "unittest" and groups[-1].get("good")  # a bare "OK": nobody told how many
    nothing = counts.empty and (
        counts.total == 0 or (entry.name in ("pytest", "jest", "vitest", "unittest") and not silent)
    )
    # pytest leaves with 5 when everything was deselected, although its line holds no word of failure.
    bad = counts.bad or any(group.get("bad") for group in groups) or (nothing and entry.name == "pytest")
    bad = bad or (entry.name == "pytest" and verdicts.CUT_SHORT.search(text) is not None)
    names = _names(entry.names, text) if bad else ()
    return _Seen("failed" if bad else "passed", counts, names, nothing)


def _names(pattern: str, text: str) -> tuple[str, ...]:
    if not pattern:
        return ()
    found = (" ".join(name.split()).rstrip(":")[:200] for name in compiled(pattern).findall(text))
    return tuple(dict.fromkeys(name for name in found if name))[:NAMES]


def _go(text: str, hiding: bool) -> _Seen:
    """`go test`: a line per package, `--- FAIL: TestX` per test; a passing test may print either into its log."""
    packages = list(verdicts.GO_PACKAGE.finditer(text))
    ends = list(verdicts.GO_END.finditer(text))
    tests = verdicts.GO_TEST.findall(text)
    broken = [
        entry["name"] for entry in packages if entry["bad"] and "[" in entry.group() and "failed]" in entry.group()
    ]
    bad = any(entry["bad"] for entry in packages) or any(entry["bad"] for entry in ends[-1:])
    good = any(entry["good"] for entry in (*packages, *ends))
    failing = [name for word, name in tests if word == "FAIL"]
    if not (packages or (not hiding and (ends or failing))):
        return _Seen()
    verdict: RunVerdict = "failed" if bad or (failing and not good) else "passed"
    passing = sum(word == "PASS" for word, _ in tests)
    skipped = sum(word == "SKIP" for word, _ in tests)
    counts = Counts(
        passing or None, len(failing) if verdict == "failed" and failing else None, len(broken) or None, skipped or None
    )
    return _Seen(verdict, counts, tuple(dict.fromkeys((*failing, *broken)))[:NAMES] if verdict == "failed" else ())


def _ended(tool: str, text: str, hiding: bool, ships: bool) -> _Seen:
    best: tuple[int, _Seen] | None = None
    there = candidates(verdicts.LINES, text)
    for entry in verdicts.ENDINGS:
        if (tool not in entry.tools and (entry.ships or not hiding)) or (entry.ships and not ships):
            continue
        bad = list(compiled(entry.bad).finditer(text)) if entry.bad in there else []
        good = _last(compiled(entry.good), text) if entry.good in there else None
        for match, seen in ((bad[-1], _bad(entry, bad)) if bad else (None, None), (good, _Seen("passed"))):
            if match is None or seen is None:
                continue
            if best is None or _weight(match.start(), seen) > _weight(*best):
                best = (match.start(), seen)
    return best[1] if best else _Seen()


def _weight(at: int, seen: _Seen) -> tuple[bool, bool, int]:
    """Failures with a number over bare failures, those over good endings, then the later over the earlier."""
    return seen.verdict == "failed", bool(seen.counts.errors), at


def _bad(entry: verdicts.Ending, matches: list[re.Match[str]]) -> _Seen:
    number = matches[-1].groupdict().get("n")
    if number == "0":
        return _Seen("passed")
    if number:
        return _Seen("failed", Counts(errors=int(number)))
    return _Seen("failed", Counts(errors=len(matches)) if entry.each else Counts())


def _phrase(verdict: RunVerdict, counts: Counts, seen: _Seen, late: bool, exit_code: int | None) -> str:
    if late:
        return "timed out"
    if seen.nothing:
        return "no tests ran"
    words = [f"{counts.failed} failed"] if counts.failed else []
    words += [f"{counts.errors} error{'' if counts.errors == 1 else 's'}"] if counts.errors else []
    words += [f"{counts.passed} passed"] if counts.passed else []
    words += [f"{counts.skipped} skipped"] if counts.skipped else []
    if words:
        return ", ".join(words)
    if verdict == "failed" and exit_code not in (None, 0, 1):
        return f"failed (exit {exit_code})"
    return "" if verdict == "unknown" else verdict
