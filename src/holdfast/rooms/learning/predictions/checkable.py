"""Compares a prediction with a run: settled when it has a checkable form, else a match or a mismatch to be asked about.

Checkable forms, in any case: `test passes: X`, `test fails: X`, `tests pass`, `build passes`, `build fails: X`,
`lint passes`, `types pass`, `exit 0: COMMAND`, `exit 2: COMMAND`, `passes: COMMAND`, `fails: COMMAND`. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.patterns import lazy_pattern
from holdfast.rooms.learning.model import Compared
from holdfast.shell.outcome import Outcome, RunVerdict
from holdfast.shell.parse import parse
from holdfast.shell.recognise import ToolRun, what
from holdfast.shell.scope import covers, scope_of
from holdfast.shell.script import Script

_KIND = lazy_pattern(
    r"\s*(?P<kind>tests?|builds?|lint|linter|types?|type-?check|typecheck)\s+(?P<end>pass(?:es|ed)?|succeeds?|fails?|failed)"
    r"\s*(?::\s*(?P<what>\S[^\n]*))?[.\s]*",
    re.IGNORECASE,
)
_EXIT = lazy_pattern(r"\s*exit(?:s|\s+code|\s+status)?\s+(?P<code>\d{1,3})\s*:\s*(?P<what>\S[^\n]*)\s*", re.IGNORECASE)
_COMMAND = lazy_pattern(r"\s*(?P<end>passes|fails)\s*:\s*(?P<what>\S[^\n]*)\s*", re.IGNORECASE)
_KINDS = {"t": ("test",), "b": ("build",), "l": ("lint", "format"), "ty": ("types",)}
_FAILS = lazy_pattern(
    r"\b(?:will|should|must|would|going to|expect\w*(?: \w+){0,3} to|still|to) (?:still |continue to |again )?"
    r"(?:fail|break|error|crash|raise|time ?out|reject|be red)\b"
    r"|\b(?:fails?|breaks?|crash(?:es)?|errors?|raises?|red)\b"
    r"(?! (?:if|unless|before|without|no more|no longer|again))",
    re.IGNORECASE,
)
_NOT_FAILS = lazy_pattern(
    r"\b(?:not|n't|never|no longer|without|stops?|stop|instead of|no more|zero|no|fix(?:es|ed)?|resolv\w+|gone)\b"
    r"[^.;]{0,40}\b(?:fail\w*|break\w*|crash\w*|error\w*|rais\w+|time ?out\w*|red)\b",
    re.IGNORECASE,
)
_PASSES = lazy_pattern(
    r"\b(?:pass(?:es|ing|ed)?|green|succe\w+|work(?:s|ing)?|"
    r"fixe[sd]|fix|ok|clean|disappear\w*|gone|vanish\w*|go(?:es)? away)\b",
    re.IGNORECASE,
)
_NAMED = lazy_pattern(r"[\w./-]{0,100}\btest[\w./-]{0,100}\.\w{1,4}(?:::[\w\[\].:-]{1,100})?|\btest_\w+|\bTest[A-Z]\w+")
_TESTS = lazy_pattern(r"\btests?\b|\bspecs?\b|\bsuite\b", re.IGNORECASE)
_CHECKS = {"lint": lazy_pattern(r"\b(?:lint|ruff|eslint|clippy|flake8|warning)", re.IGNORECASE),
           "types": lazy_pattern(r"\b(?:types?|typed|mypy|tsc|pyright)\b", re.IGNORECASE),
           "build": lazy_pattern(r"\b(?:builds?|compil\w+|bundle)\b", re.IGNORECASE)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """A prediction that a run can settle by itself."""

    expects: RunVerdict
    kinds: tuple[str, ...] = ()
    """The kinds of run that settle it; empty: the run of `command`."""
    target: str = ""
    """The test, file or target that is meant; '' for any."""
    command: str = ""
    code: int | None = None
    """The exit code that is expected."""


def form_of(prediction: str) -> Form | None:
    """The checkable form of a prediction; None when it is free text."""
    if found := _EXIT.fullmatch(prediction):
        code = int(found["code"])
        return Form("failed" if code else "passed", command=_plain(found["what"]), code=code)
    if found := _KIND.fullmatch(prediction):
        word = found["kind"].lower()
        kinds = _KINDS["ty" if word.startswith("ty") else word[0]]
        ends: RunVerdict = "failed" if found["end"].lower().startswith("f") else "passed"
        return Form(ends, kinds, _plain(found["what"] or ""))
    if found := _COMMAND.fullmatch(prediction):
        ends = "failed" if found["end"].lower() == "fails" else "passed"
        return Form(ends, command=_plain(found["what"]))
    return None


def _plain(words: str) -> str:
    return words.strip().strip("`'\"").rstrip(".").strip()


def settle(form: Form, script: Script, run: ToolRun | None, outcome: Outcome, code: int | None) -> Compared:
    """What a run says of a checkable prediction; '' when it is about something else or says nothing sure."""
    if form.command:
        if not _is_command(form.command, script):
            return ""
        if form.code is not None and form.expects == "failed" and outcome.verdict == "failed":
            return "" if code is None else "match" if code == form.code else "mismatch"
    elif run is None or run.kind not in form.kinds:
        return ""
    if outcome.verdict == "unknown":
        return ""
    if form.target and run is not None:
        return _of_target(form, run, outcome)
    return "match" if outcome.verdict == form.expects else "mismatch"


def _of_target(form: Form, run: ToolRun, outcome: Outcome) -> Compared:
    """A named test among those that ran: it failed when it is among the failures, and passed when all did."""
    among = [name for name in outcome.first_failures if _same_test(name, form.target)]
    if among:
        return "match" if form.expects == "failed" else "mismatch"
    narrow = " ".join((*run.arguments, run.tool))
    if outcome.verdict == "passed":
        whole = not scope_of(run).narrowed
        if not (whole or _names(narrow, form.target)):
            return ""
        if whole and not _may_include(run, form.target):
            return ""
        return "match" if form.expects == "passed" else "mismatch"
    if _names(narrow, form.target):  # the run was about this one, and it failed
        return "match" if form.expects == "failed" else "mismatch"
    return ""


def _may_include(run: ToolRun, target: str) -> bool:
    """Can a run of these paths have included a test of this name? A bare name can be anywhere."""
    paths = scope_of(run).paths
    file = target.split("::")[0].lstrip("./")
    if "/" not in file and "." not in file:
        return "" in paths or any(_names(path, target) for path in paths) or all("/" not in path for path in paths)
    bare = [path.removeprefix("=") for path in paths]
    return any(not path or file == path or file.startswith(f"{path}/") or path.startswith(file) for path in bare)


def _same_test(name: str, target: str) -> bool:
    name, target = name.split("[")[0], target.split("[")[0].removeprefix("./")
    if name == target or name.endswith(tuple(f"{joint}{target}" for joint in ("::", "/", ".", " ", "> "))):
        return True
    return name.split("::")[0].endswith(target) and "::" not in target and "/" in name + target


def _names(words: str, target: str) -> bool:
    return target in words or target.rsplit("::", 1)[-1] in words


def _is_command(wanted: str, script: Script) -> bool:
    """Is this the command that ran: word for word, or a run that includes it?"""
    if _squeezed(wanted) == _squeezed(script.text) or _squeezed(wanted) in map(_squeezed, _lines(script)):
        return True
    expected, ran = what(parse(wanted)), what(script)
    return len(expected) == 1 and any(
        covers(scope_of(each), scope_of(expected[0])) and covers(scope_of(expected[0]), scope_of(each)) for each in ran
    )


def _squeezed(words: str) -> str:
    return " ".join(words.split())


def _lines(script: Script) -> list[str]:
    """The commands of a line as they would be typed alone."""
    return [" ".join((each.path or each.program, *each.texts)) for each in script.top]


def expects(prediction: str) -> RunVerdict:
    """What free words expect of a run. Most predictions are of a success."""
    if form := form_of(prediction):
        return form.expects
    if _FAILS.search(prediction) and not _NOT_FAILS.search(prediction) and not _PASSES.search(prediction):
        return "failed"
    return "passed"


def compare(prediction: str, run: ToolRun, outcome: Outcome) -> Compared:
    """What a run says of a prediction in free words; '' when the run is about something else."""
    if outcome.verdict == "unknown" or not _is_about(prediction, run):
        return ""
    return "match" if outcome.verdict == expects(prediction) else "mismatch"


def _is_about(prediction: str, run: ToolRun) -> bool:
    """A test is what most predictions are about; a build or a check only when the words are."""
    if run.kind == "test":
        meant = [found.lstrip("./") for found in _NAMED.findall(prediction)]
        where = scope_of(run)
        if meant and (where.narrowed or any(path.removeprefix("=") for path in where.paths)):
            ran = " ".join((*run.arguments, where.narrowed))
            return any(_names(ran, each) or _may_include(run, each) for each in meant)
        return bool(_TESTS.search(prediction)) or not any(found.search(prediction) for found in _CHECKS.values())
    kind = "lint" if run.kind == "format" else run.kind
    if kind in _CHECKS and _CHECKS[kind].search(prediction):
        return True
    return kind == "build" and not _TESTS.search(prediction)
