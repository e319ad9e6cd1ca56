"""What runs came to: the event first, then the tool's own summary, and the outputs that earlier parsers misread."""

import pytest

from holdfast.shell import Outcome, parse, read_outcome, what
from tests.support.table import each_of

pytestmark = [pytest.mark.requirement("LRN-5"), pytest.mark.requirement("EVT-13")]


def read(command: str, output: str, *, failed: bool = False, exit_code: int | None = None) -> Outcome:
    return read_outcome(what(parse(command))[0], output, failed=failed, exit_code=exit_code)


@each_of(
    ("command", "output", "counts"),
    [
        ("pytest", "3 failed, 42 passed", (42, 3, None)),
        ("pytest", "42 passed, 3 failed in 1.20s", (42, 3, None)),
        ("pytest", "5 failed in 1.2s", (None, 5, None)),
        ("pytest", "1 error", (None, None, 1)),
        ("pytest", "no tests ran in 0.01s", (None, None, None)),
        ("npx jest", "Tests: 2 failed, 10 passed, 12 total", (10, 2, None)),
        ("python -m unittest", "FAILED (failures=1, errors=2)", (None, 1, 2)),
        ("cargo test", "test result: FAILED. 3 passed; 1 failed", (3, 1, None)),
        ("go test", "--- FAIL: TestX", (None, 1, None)),
        ("go test", "FAIL pkg 0.1s", (None, None, None)),
        ("gradle test", "BUILD FAILED", (None, None, None)),
        ("node --test", "# tests 5\n# pass 3\n# fail 2", (3, 2, None)),
        ("npx vitest", " Tests  1 failed | 9 passed (10)", (9, 1, None)),
    ],
)
@each_of("ending", [" | tail", " || true", "; echo done", " &"])
def test_what_earlier_parsers_misread(command: str, output: str, counts: tuple[int | None, ...], ending: str) -> None:
    outcome = read(command + ending, output + "\ndone\n" if "echo" in ending else output)
    assert outcome.verdict == "failed"
    assert (outcome.passed, outcome.failed, outcome.errors) == counts


@each_of(
    ("command", "output"),
    [
        ("pytest -s", "FAILED test_a\nERROR: no\n3 failed\n--- FAIL: x\nBUILD FAILED\n2 passed in 0.1s"),
        ("npx jest", "console.log\n  FAILED: Tests: 9 failed, 9 total\nTests:       2 passed, 2 total"),
        ("cargo test", "test says ... FAILED to connect\ntest result: ok. 3 passed; 0 failed; 0 ignored"),
        ("go test", "some log: FAIL\n--- FAIL: printed by a test\nok  \tpkg\t0.1s"),
        ("python -m unittest", "FAILED: printed\nRan 3 tests in 0.1s\n\nOK"),
        ("npm test", "FAIL is printed\n# fail 7\n  1 passing (4ms)\n"),
    ],
)
@each_of("ending", ["", " | tail", " || true"])
def test_passing_tests_may_print_failed(command: str, output: str, ending: str) -> None:
    outcome = read(command + ending, output)
    assert outcome.verdict == "passed"
    assert outcome.first_failures == ()


@each_of(
    ("command", "failed", "exit_code", "output", "verdict", "summary"),
    [
        ("pytest", False, None, "", "passed", "passed"),
        ("pytest", True, 1, "", "failed", "failed"),
        ("pytest", True, 4, "", "failed", "failed (exit 4)"),
        ("pytest", True, None, "Exit code 2\nsomething", "failed", "failed (exit 2)"),
        ("cd x && pytest", True, 1, "", "failed", "failed"),
        ("pytest", True, 143, "Exit code 143\nCommand timed out after 1s", "failed", "timed out"),
        ("pytest | tail", True, 143, "Exit code 143\nCommand timed out after 1s", "failed", "timed out"),
        ("pytest", False, None, "1 failed, 2 passed in 1s", "passed", "1 failed, 2 passed"),
        ("npm test", False, None, "Tests: 1 failed, 2 total", "unknown", "1 failed, 1 passed"),
        ("pytest && ./deploy", True, 1, "2 passed in 1s\nno route", "passed", "2 passed"),
        ("pytest && ./deploy", True, 1, "1 failed in 1s", "failed", "1 failed"),
        ("pytest && ./deploy", True, 1, "no route", "unknown", ""),
        ("pytest; ./deploy", True, 1, "2 passed in 1s", "passed", "2 passed"),
        ("pytest | tail", False, None, "nothing known", "unknown", ""),
        ("pytest | head -3", False, None, "FAILED\nFAIL\nERROR", "unknown", ""),
        ("set -o pipefail; pytest | tail", False, None, "", "passed", "passed"),
        ("set -o pipefail; pytest | tail", True, 1, "", "failed", "failed"),
        ('make test; echo "exit: $?"', False, None, "blah\nexit: 2\n", "failed", "failed"),
        ('make test; echo "exit: $?"', False, None, "blah\nexit: 0\n", "passed", "passed"),
        ("make test | tail; echo rc=${PIPESTATUS[0]}", False, None, "blah\nrc=1", "failed", "failed"),
        ("mypy src | tail", False, None, "", "passed", "passed"),
        ("pytest | tail", False, None, "", "unknown", ""),
        ("pytest &", False, None, "", "unknown", ""),
    ],
)
def test_the_event_comes_first_and_the_output_where_it_is_silent(
    command: str, failed: bool, exit_code: int | None, output: str, verdict: str, summary: str
) -> None:
    outcome = read(command, output, failed=failed, exit_code=exit_code)
    assert (outcome.verdict, outcome.summary) == (verdict, summary)


def test_the_caller_may_say_that_the_status_is_hidden() -> None:
    run = what(parse("pytest"))[0]
    assert read_outcome(run, "1 failed in 1s").verdict == "passed"
    assert read_outcome(run, "1 failed in 1s", masked=True).verdict == "failed"


def test_a_passed_run_names_no_failures_although_its_output_holds_some() -> None:
    text = "FAILED inner.py::test_a\n1 failed, 2 passed in 1s"
    assert read("pytest", text).first_failures == ()
    assert read("pytest | cat", text).first_failures == ("inner.py::test_a",)


def test_no_more_than_five_names_and_each_once() -> None:
    lines = "".join(f"FAILED t.py::test_{number}\n" for number in (0, 0, 1, 2, 3, 4, 5, 6))
    outcome = read("pytest", lines + "7 failed in 1s", failed=True, exit_code=1)
    assert outcome.first_failures == tuple(f"t.py::test_{number}" for number in range(5))


def test_a_long_output_is_read_from_its_end() -> None:
    outcome = read("pytest | cat", "9 failed in 1s\n" + "noise 3 passed\n" * 100_000 + "1 failed, 2 passed in 3s\n")
    assert outcome.summary == "1 failed, 2 passed"
    assert read("pytest | cat", "x" * 3_000_000).verdict == "unknown"


@pytest.mark.requirement("MEM-17")
@each_of(
    ("command", "output", "verdict", "summary"),
    [
        ("python manage.py test", "OK", "passed", "passed"),
        ("python manage.py test", "NO TESTS RAN", "failed", "no tests ran"),
        ('Rscript -e "devtools::test()"', "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 12 ]", "failed", "1 failed, 12 passed"),
        ("julia -e 'using Pkg; Pkg.test()'", "     Testing Shop tests passed", "passed", "passed"),
        ("perl t/a.t", "ok 1 - loads\nnot ok 2 - parses dates\n1..2", "failed", "1 failed, 1 passed"),
        ("sbt test", "[info] Tests: succeeded 4, failed 1, canceled 0, ignored 0", "failed", "1 failed, 4 passed"),
        (
            "bazel test //...",
            "Executed 3 out of 3 tests: 2 tests pass and 1 fails locally.",
            "failed",
            "1 failed, 2 passed",
        ),
        ("flutter test", "00:05 +12 -1: Some tests failed.", "failed", "1 failed, 12 passed"),
        ("dbt test", "12:00:01  Done. PASS=5 WARN=0 ERROR=1 SKIP=0 TOTAL=6", "failed", "1 error, 5 passed"),
        ("turbo run test", "web:test: Tests:       1 failed, 4 passed, 5 total", "failed", "1 failed, 4 passed"),
        ("hatch run test", "=== 4 passed in 1s ===", "passed", "4 passed"),
        ("gleam test", "5 tests, 0 failures", "passed", "5 passed"),
        ("helm upgrade --install api .", "Error: UPGRADE FAILED: timed out", "failed", "failed"),
        ("terraform apply", "Apply complete! Resources: 2 added, 0 changed", "passed", "passed"),
        ("kubectl rollout status deploy/api", "error: deployment exceeded its progress deadline", "failed", "failed"),
        ("fly deploy", "Error: failed to fetch an image", "failed", "failed"),
        ("npm publish", "+ shop@1.2.3", "passed", "passed"),
        ("ansible-playbook site.yml", "web1 : ok=4 changed=1 unreachable=0    failed=1", "failed", "failed"),
        ("gcloud run deploy api", "Deploying...", "unknown", ""),
    ],
)
def test_where_the_status_is_hidden_the_output_tells(command: str, output: str, verdict: str, summary: str) -> None:
    found = read(f"{command} | tail", output)
    assert (found.verdict, found.summary) == (verdict, summary)
