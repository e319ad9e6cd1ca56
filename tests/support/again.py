"""Runs the tests that failed beside others once more, alone (`make test`), and names those that passed then.

Such a test is not in order: it depends on time or on its neighbours. The run is green, and these lines are its last.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FAILED = Path(".pytest_cache") / "v" / "cache" / "lastfailed"
AGAIN = ("-m", "pytest", "--last-failed", "--last-failed-no-failures", "none")


def failed_before(page: Path = FAILED) -> list[str]:
    """The tests that failed in the run before."""
    try:
        return sorted(json.loads(page.read_text("utf-8")))
    except FileNotFoundError:
        return []


def verdict(before: Sequence[str], left: Sequence[str]) -> str:
    """What a person must know after both runs."""
    alone = [test for test in before if test not in left]
    if not alone:
        return ""
    number = "1 test" if len(alone) == 1 else f"{len(alone)} tests"
    return "\n".join(["", f"{number} failed beside others and passed alone:", *(f"  {test}" for test in alone)])


def main() -> int:
    before = failed_before()
    code = subprocess.run((sys.executable, *AGAIN), check=False).returncode
    print(verdict(before, failed_before()), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
