"""What failed beside others and passes alone is named at the end of `make test`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.again import verdict
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
TESTS = """
from pathlib import Path

def test_flaky():
    seen = Path("seen")
    was_there = seen.exists()
    seen.touch()
    assert was_there

def test_broken():
    assert not Path("broken").exists()
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (sys.executable, *words),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 2,
        check=False,
    )


@pytest.mark.requirement("HSE-7")
@pytest.mark.parametrize("is_broken", [False, True])
def test_the_second_run_says_what_passed_only_alone(tmp_path: Path, is_broken: bool) -> None:
    (tmp_path / "test_some.py").write_text(TESTS, "utf-8")
    if is_broken:
        (tmp_path / "broken").touch()
    assert run(tmp_path, "-m", "pytest", "-q").returncode == 1
    again = run(tmp_path, "-m", "tests.support.again")
    assert again.returncode == int(is_broken), again.stdout + again.stderr
    said = again.stdout.splitlines()[-2:]
    assert said == ["1 test failed beside others and passed alone:", "  test_some.py::test_flaky"]


def test_nothing_is_said_when_all_fail_again() -> None:
    assert verdict(["a", "b"], ["a", "b"]) == verdict([], []) == ""
    assert verdict(["a", "b"], []).splitlines()[1] == "2 tests failed beside others and passed alone:"
