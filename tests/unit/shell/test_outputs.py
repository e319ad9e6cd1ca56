"""What runs came to, read from whole outputs: recorded ones of real tools, and formats written from documentation."""

import re
from pathlib import Path

import pytest

from holdfast.shell import Outcome, parse, read_outcome, what
from tests.support.table import each_of

pytestmark = [pytest.mark.requirement("LRN-5"), pytest.mark.requirement("EVT-13")]

OUTPUTS = Path(__file__).parents[2] / "data" / "outputs"


def read(command: str, output: str) -> Outcome:
    return read_outcome(what(parse(command))[0], output)


# file, command, verdict by the output alone, summary, first name
RECORDED = [
    ("pytest-pass", "pytest", "passed", "2 passed", ""),
    ("pytest-pass-s", "pytest -s", "passed", "2 passed", ""),
    ("pytest-pass-q", "pytest -q", "passed", "2 passed", ""),
    ("pytest-fail", "pytest", "failed", "2 failed, 4 passed, 2 skipped", "test_fail.py::test_login"),
    ("pytest-fail-q", "pytest -q", "failed", "2 failed, 2 passed, 2 skipped", "test_fail.py::test_login"),
    ("pytest-fail-x", "pytest -x", "failed", "1 failed, 1 passed", "test_fail.py::test_login"),
    ("pytest-fail-v", "pytest -v", "failed", "2 failed, 1 error, 3 passed, 2 skipped", "test_fail.py::test_login"),
    ("pytest-color", "pytest", "failed", "2 failed, 2 passed, 2 skipped", "test_fail.py::test_login"),
    ("pytest-error", "pytest", "failed", "1 error, 1 passed", "test_err.py::test_uses"),
    ("pytest-collect", "pytest", "failed", "1 error", "bad_test.py"),
    ("pytest-none", "pytest -k nothing", "failed", "no tests ran", ""),
    ("pytest-none-q", "pytest -q", "failed", "no tests ran", ""),
    ("unittest-pass", "python -m unittest", "passed", "1 passed, 1 skipped", ""),
    (
        "unittest-fail",
        "python -m unittest",
        "failed",
        "1 failed, 1 error, 1 passed, 1 skipped",
        "test_b (ut_fail.Login.test_b)",
    ),
    ("unittest-none", "python -m unittest", "passed", "no tests ran", ""),
    ("jest-pass", "npx jest", "passed", "2 passed", ""),
    ("jest-fail", "npx jest", "failed", "1 failed, 3 passed, 2 skipped", "login › redirects"),
    ("jest-none", "npx jest", "failed", "no tests ran", ""),
    ("vitest-pass", "npx vitest run", "passed", "1 passed", ""),
    ("vitest-fail", "npx vitest run", "failed", "1 failed, 2 passed, 1 skipped", "b.test.ts > login > redirects"),
    ("vitest-none", "npx vitest run", "failed", "no tests ran", ""),
    ("mocha-pass", "npx mocha", "passed", "1 passed, 1 skipped", ""),
    ("mocha-fail", "npx mocha", "failed", "1 failed, 2 passed, 1 skipped", "login redirects"),
    ("node-pass", "node --test", "passed", "1 passed, 1 skipped", ""),
    ("node-fail", "node --test", "failed", "1 failed, 2 passed, 1 skipped", "redirects"),
    ("node-fail-tap", "node --test", "failed", "1 failed, 1 passed", "redirects"),
    ("cargo-test-pass", "cargo test", "passed", "1 passed, 1 skipped", ""),
    ("cargo-test-fail", "cargo test", "failed", "1 failed, 1 passed, 1 skipped", "tests::redirects"),
    ("cargo-test-fail-all", "cargo test", "failed", "1 failed, 2 passed, 1 skipped", "tests::redirects"),
    ("cargo-test-compile", "cargo test", "failed", "1 error", ""),
    ("cargo-build-pass", "cargo build", "passed", "passed", ""),
    ("cargo-build-fail", "cargo build", "failed", "1 error", ""),
    ("cargo-check-fail", "cargo check", "failed", "1 error", ""),
    ("make-fail", "make", "failed", "1 error", ""),
    ("make-test-fail", "make test", "failed", "failed", ""),
    ("make-none", "make test", "failed", "failed", ""),
    ("make-ok", "make test", "unknown", "", ""),
    ("gcc-fail", "gcc a.c", "failed", "1 error", ""),
    ("gcc-link", "gcc a.c", "failed", "1 error", ""),
    ("gcc-warn", "gcc a.c", "unknown", "", ""),
    ("cmake-build-pass", "cmake --build b", "passed", "passed", ""),
    ("cmake-build-fail", "cmake --build b", "failed", "1 error", ""),
    ("ctest-pass", "ctest", "passed", "1 passed", ""),
    ("ctest-fail", "ctest", "failed", "1 failed, 1 passed", "broken"),
    ("mypy-pass", "mypy .", "passed", "passed", ""),
    ("mypy-fail", "mypy .", "failed", "1 error", ""),
    ("mypy-missing", "mypy .", "failed", "1 error", ""),
    ("ruff-pass", "ruff check", "passed", "passed", ""),
    ("ruff-fail", "ruff check", "failed", "2 errors", ""),
    ("ruff-fail-concise", "ruff check", "failed", "2 errors", ""),
    ("ruff-format-check", "ruff format --check", "failed", "1 error", ""),
    ("ruff-format-pass", "ruff format --check", "passed", "passed", ""),
    ("tsc-pass", "npx tsc", "passed", "passed", ""),
    ("tsc-fail", "npx tsc", "failed", "2 errors", ""),
    ("tsc-fail-pretty", "npx tsc", "failed", "2 errors", ""),
    ("eslint-pass", "npx eslint .", "passed", "passed", ""),
    ("eslint-warn", "npx eslint .", "passed", "passed", ""),
    ("eslint-fail", "npx eslint .", "failed", "1 error", ""),
]


@each_of(("name", "command", "verdict", "summary", "first"), RECORDED, ids=[row[0] for row in RECORDED])
def test_recorded_output_decides_when_the_status_is_hidden(
    name: str, command: str, verdict: str, summary: str, first: str
) -> None:
    outcome = read(f"{command} 2>&1 | tail -200", (OUTPUTS / f"{name}.txt").read_text("utf-8"))
    assert (outcome.verdict, outcome.summary) == (verdict, summary)
    assert (*outcome.first_failures, "")[0] == first


@each_of(("name", "command", "verdict", "summary", "first"), RECORDED, ids=[row[0] for row in RECORDED])
def test_recorded_output_behind_a_script_reads_the_same(
    name: str, command: str, verdict: str, summary: str, first: str
) -> None:
    """`npm test` hides which tool runs, so every format is tried; silence then says nothing."""
    text = (OUTPUTS / f"{name}.txt").read_text("utf-8")
    outcome = read("npm test | cat", text)
    assert (outcome.verdict, outcome.summary) == ((verdict, summary) if text.strip() else ("unknown", ""))


def test_every_recorded_output_is_in_the_table_and_names_no_machine() -> None:
    recorded = {path.stem for path in OUTPUTS.glob("*.txt")}
    assert recorded == {row[0] for row in RECORDED}
    for path in OUTPUTS.glob("*.txt"):
        folders = set(re.findall(r"(?<![\w.])/(?:home|root|Users|work)/?\w*", path.read_text("utf-8")))
        assert folders <= {"/home/dev"}, path


# Written from the tools' documentation and sources, not recorded.
DOCUMENTED = [
    (
        "go test ./...",
        "--- FAIL: TestX (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.com/a\t0.1s\nFAIL\n",
        "failed",
        "1 failed",
        "TestX",
    ),
    ("go test ./...", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t(cached)\n", "passed", "passed", ""),
    (
        "go test ./...",
        "ok  \texample.com/a\t0.1s\nFAIL\texample.com/b [build failed]\nFAIL\n",
        "failed",
        "1 error",
        "example.com/b",
    ),
    (
        "go test -v .",
        "--- PASS: TestA (0.0s)\n--- SKIP: TestB (0.0s)\nPASS\nok  \tx\t0.1s\n",
        "passed",
        "1 passed, 1 skipped",
        "",
    ),
    ("go build ./...", "# example.com/a\n./a.go:3:2: undefined: x\n", "failed", "1 error", ""),
    (
        "gradle test",
        "LoginTest > redirects() FAILED\n    at x\n\n12 tests completed, 1 failed, 2 skipped\n\nBUILD FAILED in 3s\n",
        "failed",
        "1 failed, 9 passed, 2 skipped",
        "LoginTest > redirects()",
    ),
    ("gradle build", "BUILD SUCCESSFUL in 3s\n7 actionable tasks: 7 executed\n", "passed", "passed", ""),
    ("gradle build", "FAILURE: Build failed with an exception.\n\nBUILD FAILED in 1s\n", "failed", "failed", ""),
    (
        "mvn verify",
        "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in LoginTest\n"
        "[ERROR] Failures: \n[ERROR]   LoginTest.redirects:12 expected: <a>\n[INFO] \n"
        "[ERROR] Tests run: 10, Failures: 1, Errors: 1, Skipped: 2\n[INFO] BUILD FAILURE\n",
        "failed",
        "1 failed, 1 error, 6 passed, 2 skipped",
        "LoginTest.redirects",
    ),
    ("mvn package", "[INFO] BUILD SUCCESS\n", "passed", "passed", ""),
    (
        "dotnet test",
        "  Failed Login.Redirects [5 ms]\nFailed!  - Failed:     1, Passed:     9, Skipped:     0, Total:    10\n",
        "failed",
        "1 failed, 9 passed",
        "Login.Redirects",
    ),
    (
        "dotnet test",
        "Passed!  - Failed:     0, Passed:    10, Skipped:     1, Total:    11\n",
        "passed",
        "10 passed, 1 skipped",
        "",
    ),
    ("dotnet build", "Build FAILED.\n\n    0 Warning(s)\n    2 Error(s)\n", "failed", "2 errors", ""),
    ("dotnet build", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)\n", "passed", "passed", ""),
    (
        "rspec",
        "10 examples, 1 failure, 2 pending\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:3 # Login redirects\n",
        "failed",
        "1 failed, 7 passed, 2 skipped",
        "./spec/a_spec.rb:3",
    ),
    ("rspec", "10 examples, 0 failures\n", "passed", "10 passed", ""),
    (
        "rails test",
        "12 runs, 30 assertions, 1 failures, 1 errors, 2 skips\n",
        "failed",
        "1 failed, 1 error, 8 passed, 2 skipped",
        "",
    ),
    ("phpunit", "OK (12 tests, 30 assertions)\n", "passed", "12 passed", ""),
    (
        "phpunit",
        "1) LoginTest::testRedirect\n\nFAILURES!\nTests: 12, Assertions: 30, Failures: 1, Errors: 1, Skipped: 1.\n",
        "failed",
        "1 failed, 1 error, 9 passed, 1 skipped",
        "LoginTest::testRedirect",
    ),
    (
        "mix test",
        "  1) test redirects (LoginTest)\n     x\n\n2 doctests, 12 tests, 1 failure, 1 skipped\n",
        "failed",
        "1 failed, 12 passed, 1 skipped",
        "redirects",
    ),
    (
        "swift test",
        "Executed 12 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds\n",
        "failed",
        "1 failed, 11 passed",
        "",
    ),
    (
        "deno test",
        "login ... FAILED (5ms)\n\nFAILED | 9 passed | 1 failed (12ms)\n",
        "failed",
        "1 failed, 9 passed",
        "login",
    ),
    (
        "bun test",
        "(fail) login > redirects [0.1ms]\n\n 9 pass\n 1 fail\n 12 expect() calls\n",
        "failed",
        "1 failed, 9 passed",
        "login > redirects",
    ),
    (
        "npx playwright test",
        "  1 failed\n    [chromium] › a.spec.ts:3:1 › login ─────\n  2 skipped\n  9 passed (3.2s)\n",
        "failed",
        "1 failed, 9 passed, 2 skipped",
        "[chromium] › a.spec.ts:3:1 › login",
    ),
    (
        "cargo nextest run",
        "     Summary [   0.1s] 10 tests run: 9 passed, 1 failed, 2 skipped\n        FAIL [   0.0s] demo tests::x\n",
        "failed",
        "1 failed, 9 passed, 2 skipped",
        "demo tests::x",
    ),
    ("tox", "  py311: FAIL code 1 (1.2 seconds)\n  evaluation failed :( (1.3 seconds)\n", "failed", "failed", ""),
    (
        "tox",
        "42 passed in 1.2s\n  py311: OK (1.2 seconds)\n  congratulations :) (1.3 seconds)\n",
        "passed",
        "passed",
        "",
    ),
    ("nox", "nox > Session lint was successful.\nnox > Session tests failed.\n", "failed", "failed", ""),
    ("pyright", "a.py:1:1 - error: no\n3 errors, 1 warning, 0 informations\n", "failed", "3 errors", ""),
    ("pyright", "0 errors, 0 warnings, 0 informations\n", "passed", "passed", ""),
    ("golangci-lint run", "a.go:1:1: x (govet)\n2 issues:\n* govet: 2\n", "failed", "2 errors", ""),
    ("golangci-lint run", "0 issues.\n", "passed", "passed", ""),
    (
        "pre-commit run -a",
        "ruff.....................................Passed\nmypy.....................................Failed\n",
        "failed",
        "1 error",
        "",
    ),
    ("ruff check --fix", "Found 2 errors (2 fixed, 0 remaining).\n", "passed", "passed", ""),
    ("ruff check --fix", "Found 3 errors (2 fixed, 1 remaining).\n", "failed", "1 error", ""),
    ("npx webpack", "webpack 5.1.0 compiled with 2 errors in 10 ms\n", "failed", "2 errors", ""),
    ("npx vite build", "✓ built in 1.2s\n", "passed", "passed", ""),
    ("docker build .", 'ERROR: failed to solve: process "/bin/sh -c x" did not complete\n', "failed", "failed", ""),
    ("terraform validate", "Success! The configuration is valid.\n", "passed", "passed", ""),
    ("terraform plan", "╷\n│ Error: Missing\n", "failed", "failed", ""),
    ("just test", "error: Recipe `test` failed on line 3 with exit code 1\n", "failed", "failed", ""),
    ("npm run build", "npm error Lifecycle script `build` failed with error:\n", "failed", "failed", ""),
]


@each_of(("command", "output", "verdict", "summary", "first"), DOCUMENTED)
def test_documented_formats(command: str, output: str, verdict: str, summary: str, first: str) -> None:
    outcome = read(f"{command} | cat", output)
    assert (outcome.verdict, outcome.summary) == (verdict, summary)
    assert (*outcome.first_failures, "")[0] == first
