"""Splits a command line into the parts that can pass or fail, each with its own verdict (MEM-24). Pure.

`pytest && git commit -m …` is a test and a commit. The event's status is that of the whole line; the tools' own words
say which part it belongs to. What nobody can tell stays without a verdict.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace

from holdfast.patterns import lazy_pattern
from holdfast.rooms.memory.model import Ended, RecordedRun
from holdfast.shell import phrases
from holdfast.shell.describe import SIDE, titled
from holdfast.shell.line import CHECKED, LONGEST_OUTPUT, Line
from holdfast.shell.outcome import Outcome
from holdfast.shell.recognise import ToolRun, recognise
from holdfast.shell.scope import scope_of
from holdfast.shell.script import Command, Script

MOST_RUNS = 8
_ONLY_FAILED = ": failed"
_NOTHING_RAN = "no tests ran"
"""As `shell.outcome` says it."""
_SENT = frozenset({"git push", "gh pr create", "gh pr merge", "gh pr ready", "glab mr create", "glab mr merge"})
_MOST_NAMED, _LONGEST_NAMES = 2, 100
"""Tests that are named where a run failed, and the characters they may take."""
_TELLING = frozenset({"test", "build", "lint", "types", "deploy"})
"""Kinds whose failure is news (MEM-17); a formatter that rewrites is none."""
_GIT_FAILED = lazy_pattern(
    r"^(?:fatal: |error: failed to push| ! \[(?:remote )?rejected\]|remote: (?:error|rejected)|error: )"
    r"|^(?:nothing to commit|no changes added to commit)|pre-?(?:commit|push) hook"
    r"|\b(?:commit|push) (?:aborted|rejected|declined)|^(?:pull request create failed: |GraphQL: |HTTP [45]\d\d)",
    re.MULTILINE | re.IGNORECASE,
)
_PUSH_FAILED = lazy_pattern(
    r"^(?:error: failed to push| ! \[(?:remote )?rejected\])|pre-?push hook|\bpush (?:aborted|rejected|declined)",
    re.MULTILINE | re.IGNORECASE,
)
_REFUSED = lazy_pattern(
    r"^(?:error: failed to push| ! \[(?:remote )?(?:rejected|failure)\])"
    r"|^(?:remote: |ERROR: )[^\n]{0,200}?\b(?:rejected|refused|denied|declined|not allowed|protected branch"
    r"|forbidden)\b",
    re.MULTILINE | re.IGNORECASE,
)
"""The other side did not take what was sent."""
_PUSHED = lazy_pattern(
    r"^[ \t]{0,8}(?:[+*]? ?\w{7,64}\.{2,3}\w{7,64}| ?\* \[new (?:branch|tag)\])[ \t]{1,99}\S{1,300}[ \t]{1,99}->"
    r"|^Everything up-to-date|^https://\S{1,200}/(?:pull|merge_requests)/\d",
    re.MULTILINE,
)
_COMMITTED = lazy_pattern(r"^\[[^\]\n]+ (?:\(root-commit\) )?[0-9a-f]{7,}\]", re.MULTILINE)

_REVERTS = lazy_pattern(r"^\[[^\]\n]+ [0-9a-f]{7,}\] Revert \"(.{1,200})\"$", re.MULTILINE)


def runs_of(line: Line, folder: str = "") -> tuple[tuple[RecordedRun, ...], Outcome | None]:
    """The parts of a line that can pass or fail, and the outcome of the one that the line is about."""
    found: list[tuple[Command, RecordedRun]] = []
    checked = {id(command): (known, outcome) for command, known, outcome in line.runs}
    script, failed = line.script, line.failed
    for command in script.top if not line.pending else ():
        if id(command) in checked:
            known, outcome = checked[id(command)]
            found.append((command, _checked(known, outcome, folder)))
            continue
        other = recognise(command)
        if other and (run := _of_git(other, command, script, line.output[-LONGEST_OUTPUT:], failed)):
            found.append((command, run))
    main = line.main
    if failed and len(found) > 1:
        found = _attributed(found, line.output[-LONGEST_OUTPUT:])
    return _settled(found[:MOST_RUNS], failed, script), main[1] if main else None


def _attributed(found: Sequence[tuple[Command, RecordedRun]], output: str) -> list[tuple[Command, RecordedRun]]:
    """Of a chain that failed, what came before a part that evidently ran has passed. A check that stands before other
    parts and only "failed", without a count or a name, may not be the one that did: nobody can tell."""
    told = list(found)
    for at in range(len(told) - 1, 0, -1):
        command, run = told[at]
        before, earlier = told[at - 1]
        if command.before != "&&":
            continue
        if run.outcome == "passed" or (run.kind == "push" and _PUSH_FAILED.search(output)):
            told[at - 1] = (before, replace(earlier, title=_without_verdict(earlier.title), outcome="passed"))
        elif earlier.outcome == "failed" and earlier.title.endswith(_ONLY_FAILED):
            told[at - 1] = (before, replace(earlier, title=_without_verdict(earlier.title), outcome=""))
    return told


def _without_verdict(title: str) -> str:
    """A run's title without a failure that is not its own."""
    name, _, verdict = title.partition(": ")
    return name if "fail" in verdict or "error" in verdict else title


def _checked(known: ToolRun, outcome: Outcome, folder: str) -> RecordedRun:
    ended: Ended = "" if outcome.verdict == "unknown" or _ran_nothing(outcome) else outcome.verdict
    if known.by_words:  # of its words nobody can tell which are files
        counted = f": {outcome.summary}" if any(sign.isdigit() for sign in outcome.summary) else ""
        return RecordedRun(
            known.kind,
            known.tool,
            f"Ran {known.tool}{counted}",
            ended,
            (folder,),
            phrases.cut(" ".join(known.arguments), 80),
        )
    scope = scope_of(known, folder)
    title = f"{titled(known, outcome)}{_named(outcome)}" if ended == "failed" else titled(known, outcome)
    return RecordedRun(known.kind, scope.tool, title, ended, scope.paths, scope.narrowed)


def _named(outcome: Outcome) -> str:
    """The first tests that failed, as far as they fit: a count alone does not say where to go on."""
    first, *others = (*map(_without_folder, outcome.first_failures), "")[:_MOST_NAMED]
    if not first:
        return ""
    names = phrases.cut(first, _LONGEST_NAMES)
    for other in filter(None, others):
        names = f"{names}, {other}" if len(names) + len(other) < _LONGEST_NAMES else names
    return f" ({names})"


def _without_folder(test: str) -> str:
    """ "tests/test_a.py::test_x" as "test_a.py::test_x"."""
    file, mark, name = test.partition("::")
    return f"{posixpath.basename(file)}{mark}{name}" if mark else test


def _ran_nothing(outcome: Outcome) -> bool:
    """A test file that is not there is no failing test."""
    return outcome.summary == _NOTHING_RAN and not (outcome.failed or outcome.errors)


def _of_git(known: ToolRun, command: Command, script: Script, output: str, failed: bool) -> RecordedRun | None:
    if known.tool == "git revert":
        return _reverted(command, output, failed)
    if (known.tool != "git commit" and known.tool not in _SENT) or "--dry-run" in command.texts:
        return None
    kind, good = ("push", _PUSHED) if known.tool in _SENT else ("commit", _COMMITTED)
    ended = _git_ended(command, output, failed, good)
    if kind == "commit" and ended == "failed" and command.shared and _PUSH_FAILED.search(output):
        ended = "passed"  # the push behind it is what failed
    title = phrases.phrase(command, script, False)
    if kind == "push" and ended == "failed":
        title = _sent(known, command)
    narrowed = scope_of(known).narrowed if known.tool.startswith("git ") else ""  # of a pull request they are its text
    return RecordedRun(kind, known.tool, title, ended, narrowed=narrowed)


def _reverted(command: Command, output: str, failed: bool) -> RecordedRun | None:
    """A commit that takes another one back; git names that one."""
    named = _REVERTS.search(output)
    if named is None or _git_ended(command, output, failed, _COMMITTED) != "passed":
        return None
    return RecordedRun("commit", "git revert", f"Reverted: {phrases.cut(named[1], 80)}", "passed")


def _sent(known: ToolRun, command: Command) -> str:
    """What was sent: a push with its words, a pull request without them (they are its text)."""
    words = phrases.words_of(command)[1:] if known.tool == "git push" else ()
    return phrases.cut(" ".join((known.tool, *words)), 100)


def _git_ended(command: Command, output: str, failed: bool, good: re.Pattern[str]) -> Ended:
    if good is _PUSHED and _REFUSED.search(output) and not good.search(output):
        return "failed"  # also where a pipe or a `;` hides the exit code
    if not failed and not command.masked:
        return "passed"
    if failed and not (command.masked or command.shared):
        return "failed"
    if good.search(output):
        return "passed"
    return "failed" if _GIT_FAILED.search(output) else ""


def _settled(found: Sequence[tuple[Command, RecordedRun]], failed: bool, script: Script) -> tuple[RecordedRun, ...]:
    """What the chain itself says: after a failure behind `&&` nothing ran; the one that is left over failed."""
    runs: list[RecordedRun] = []
    stopped = False
    for command, run in found:
        if command.before == "&&" and (stopped or (runs and runs[-1].outcome == "failed")):
            stopped = True
            continue  # it never ran
        stopped = False
        runs.append(run)
    others = sum(1 for each in script.top if each.program and not _is_aside(each)) - len(found)
    unknown = [at for at, run in enumerate(runs) if not run.outcome and not run.title.endswith(_NOTHING_RAN)]
    chained = all(command.before in ("", "&&") and not command.masked for command, _ in found)
    if failed and chained and not others and len(unknown) == 1 and not any(run.outcome == "failed" for run in runs):
        runs[unknown[0]] = replace(runs[unknown[0]], outcome="failed")
    elif failed and chained and _ends_with_deploy(found, runs, script):
        # It failed, or a part before it did and it never ran: nothing went out in either case.
        runs[-1] = replace(runs[-1], title=runs[-1].title.partition(": ")[0], outcome="failed")
    return tuple(runs)


def _ends_with_deploy(
    found: Sequence[tuple[Command, RecordedRun]], runs: Sequence[RecordedRun], script: Script
) -> bool:
    """Is the last part of a chain a deploy, and did no check before it say that it failed?"""
    is_last = bool(found and runs) and found[-1][1] is runs[-1] and script.top[-1] is found[-1][0]
    return is_last and runs[-1].kind == "deploy" and all(run.outcome != "failed" for run in runs)


def _is_aside(command: Command) -> bool:
    return command.program in SIDE or (command.program == "git" and command.texts[:1] == ("add",))


def ended(runs: Sequence[RecordedRun], *, failed: bool = False) -> Ended:
    """The outcome of a line: failed when a part of it did; passed when it checked something, and all of that passed. A
    line that failed has not passed, though no part is known to be the one: '' then."""
    if any(run.outcome == "failed" and (run.kind in _TELLING or run.kind in ("push", "commit")) for run in runs):
        return "failed"
    checked = [run for run in runs if run.kind in CHECKED]
    return "passed" if checked and not failed and all(run.outcome == "passed" for run in checked) else ""


def title_of(runs: Sequence[RecordedRun]) -> str:
    """All parts of a line in one title: `Ran pytest: 42 passed; committed: fix login; push failed`."""
    said = [_said(run) for run in runs]
    return "; ".join([said[0], *(text[:1].lower() + text[1:] for text in said[1:])]) if said else ""


def _said(run: RecordedRun) -> str:
    if run.outcome != "failed" or run.kind not in ("push", "commit"):
        return run.title
    return f"{run.title} failed" if run.kind == "push" else f"Commit failed: {run.title.partition(': ')[2]}"
