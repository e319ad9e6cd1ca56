"""Which predictions a run settles, and what free words expect."""

from __future__ import annotations

import pytest

from holdfast.rooms.learning.predictions.checkable import compare, expects, form_of, settle
from holdfast.shell import parse, read_outcome, what

FAILED = "FAILED tests/test_auth.py::test_login - KeyError\n1 failed, 41 passed in 1s"
PASSED = "42 passed in 1s"


def settled(prediction: str, command: str, output: str = "", *, failed: bool = False, code: int | None = None) -> str:
    form = form_of(prediction)
    assert form is not None, prediction
    script = parse(command)
    runs = what(script)
    if not runs:
        from holdfast.shell import Outcome

        return settle(form, script, None, Outcome("failed" if failed else "passed"), code)
    return settle(form, script, runs[0], read_outcome(runs[0], output, failed=failed), code)


@pytest.mark.requirement("LRN-7")
def test_a_checkable_prediction_is_settled_by_the_run_that_it_is_about() -> None:
    for prediction, command, output, failed, code, expected in (
        ("tests pass", "pytest", PASSED, False, None, "match"),
        ("Tests pass.", "npm test", FAILED, True, 1, "mismatch"),
        ("tests fail", "pytest", FAILED, True, 1, "match"),
        ("test passes: tests/test_auth.py", "pytest tests/test_auth.py", PASSED, False, None, "match"),
        ("test passes: tests/test_auth.py", "pytest", PASSED, False, None, "match"),
        ("test passes: tests/test_auth.py", "pytest tests/test_other.py", PASSED, False, None, ""),
        ("test passes: test_login", "pytest", FAILED, True, 1, "mismatch"),
        ("test passes: test_logout", "pytest", FAILED, True, 1, ""),
        ("test fails: tests/test_auth.py::test_login", "pytest", FAILED, True, 1, "match"),
        ("test passes: `test_login`", "pytest -k test_login", PASSED, False, None, "match"),
        ("build passes", "cargo build", "    Finished dev", False, None, "match"),
        ("build passes", "pytest", PASSED, False, None, ""),
        ("types pass", "mypy src", "Found 3 errors in 1 file", True, 1, "mismatch"),
        ("lint passes", "ruff check .", "All checks passed!", False, None, "match"),
        ("exit 0: make test", "make  test", "", False, None, "match"),
        ("exit 0: make test", "cd x && make test", "", False, None, "match"),
        ("exit 0: ./verify.sh", "./other.sh", "", False, None, ""),
        ("exit 2: ./verify.sh", "./verify.sh", "", True, 2, "match"),
        ("exit 2: ./verify.sh", "./verify.sh", "", True, 1, "mismatch"),
        ("exit 2: ./verify.sh", "./verify.sh", "", False, None, "mismatch"),
        ("passes: pytest tests", "pytest tests", PASSED, False, None, "match"),
        ("fails: npm run build", "npm run build", "", True, 1, "match"),
    ):
        found = settled(prediction, command, output, failed=failed, code=code)
        assert found == expected, (prediction, command, failed, found)
    for free in ("The test will pass", "tests pass after the fix of the cache", "it works", ""):
        assert form_of(free) is None, free


@pytest.mark.requirement("LRN-7")
def test_free_words_are_compared_with_runs_that_they_are_about() -> None:
    for words, verdict in (
        ("Test will pass after the timeout fix", "passed"),
        ("The suite should be green", "passed"),
        ("The test will still fail with a KeyError", "failed"),
        ("I expect pytest to fail", "failed"),
        ("The crash will be gone", "passed"),
        ("No errors any more", "passed"),
        ("It no longer fails", "passed"),
        ("All tests pass and nothing breaks", "passed"),
        ("The migration raises an IntegrityError", "failed"),
    ):
        assert expects(words) == verdict, words
    run = what(parse("ruff check ."))[0]
    outcome = read_outcome(run, "Found 1 error.", failed=True)
    assert compare("The tests will pass", run, outcome) == ""
    assert compare("ruff reports nothing", run, outcome) == "mismatch"
    narrow = what(parse("pytest tests/test_other.py"))[0]
    passed = read_outcome(narrow, PASSED)
    assert compare("test_auth.py passes", narrow, passed) == ""
    assert compare("It works", narrow, passed) == "match"
