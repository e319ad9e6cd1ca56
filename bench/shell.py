"""Reading shell commands: the first use (import and memory), then the time per command beside `shlex.split`.

Compared on the same commands in the same run. `shlex.split` only splits words; it is the floor, not an equal.

    python -m bench.shell [--quick] [--json]
"""

from __future__ import annotations

import argparse
import random
import shlex
import subprocess
import sys
import time
from collections.abc import Callable

from bench.figures import Report, Row, Sample, main

from holdfast.shell import describe, files_touched, main_run, parse, read_outcome

COMMANDS = {
    "one program": "git status",
    "a test behind cd, a runner and a pipe": "cd api && CI=1 uv run pytest -q tests/test_auth.py 2>&1 | tail -20",
    "a chain of five": "git add -A && ruff check . && mypy src && pytest -q || true; echo done",
    "a commit with a heredoc": "git add -A && git commit -m \"$(cat <<'EOF'\nfix: redirect\n\nWhy it broke.\nEOF\n)\"",
    "a shell in a shell": "find . -name '*.py' | xargs -I{} bash -c 'grep -n TODO {} || true'",
    "a loop with branches": 'for f in src/*.py; do if grep -q x "$f"; then sed -i s/x/y/ "$f"; fi; done',
}
_FIRST_USE = """
import time
from pathlib import Path
began = time.perf_counter()
from holdfast.shell import parse
ready = time.perf_counter() - began

def kilobytes():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))

before = kilobytes()
began = time.perf_counter()
parse("git status")
took = time.perf_counter() - began
print(ready * 1000, took * 1000, (kilobytes() - before) / 1024)
"""
# Not ru_maxrss: it is a peak that a child inherits from its parent, so the difference would read as nothing.


def first_use() -> tuple[float, float, float]:
    """In a fresh interpreter: milliseconds of the import, then milliseconds and megabytes of the first `parse`."""
    done = subprocess.run([sys.executable, "-c", _FIRST_USE], check=True, capture_output=True, text=True)
    ready, took, more = done.stdout.split()
    return float(ready), float(took), float(more)


def microseconds(work: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) / times * 1e6


def everything(command: str) -> str:
    """What the memory asks of one command: all of it."""
    script = parse(command)
    run = main_run(script)
    outcome = read_outcome(run, "3 failed, 42 passed in 1.20s\n") if run else None
    files_touched(script)
    return describe(script, outcome)


def measure(options: argparse.Namespace) -> Report:
    rounds, times = (3, 50) if options.quick else (options.rounds, options.times)
    first = [first_use() for _ in range(rounds)]
    rows = [
        Row("import of holdfast.shell, without the grammar", "ms", Sample.of(ready for ready, _, _ in first)),
        Row("first parse, the grammar's import included", "ms", Sample.of(took for _, took, _ in first)),
        Row("memory that the first parse adds (PSS)", "MB", Sample.of(more for _, _, more in first)),
    ]
    for name, command in COMMANDS.items():
        ours, base = [], []
        for _ in range(rounds):
            base.append(microseconds(lambda command=command: shlex.split(command), times))  # type: ignore[misc]
            ours.append(microseconds(lambda command=command: parse(command), times))  # type: ignore[misc]
        rows.append(Row(f"parse: {name}", "µs", Sample.of(ours), Sample.of(base)))
    line = COMMANDS["a test behind cd, a runner and a pipe"]
    whole = [microseconds(lambda: everything(line), times) for _ in range(rounds)]
    rows.append(Row("parse, recognise, outcome, files and title of that test", "µs", Sample.of(whole)))
    rows.extend(_odd(rounds))
    return Report("Reading shell commands", "LRN-5, MEM-4", "shlex.split of the same command, in the same run", rows)


def _odd(rounds: int) -> list[Row]:
    draw = random.Random(7)
    texts = {
        "1 MB of garbage": "".join(draw.choices("ab $(){}[]<>|&;'\"`\\\n#=-*~!", k=1_000_000)),
        "10,000 nested brackets": "(" * 10_000 + "ls" + ")" * 10_000,
    }
    rows = []
    for name, text in texts.items():
        took = [microseconds(lambda text=text: parse(text), 1) / 1000 for _ in range(rounds)]  # type: ignore[misc]
        rows.append(Row(f"parse: {name}", "ms", Sample.of(took)))
    run = main_run(parse("npm test | cat"))
    assert run is not None
    output = "." * 15_000 + "\n" + "  1 failed\n    x\n" * 900
    took = [microseconds(lambda: read_outcome(run, output), 1) / 1000 for _ in range(rounds)]
    rows.append(Row("outcome of 30,000 odd characters, every format tried", "ms", Sample.of(took)))
    return rows


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.shell --quick",
        rounds=(7, "rounds per figure"),
        times=(400, "parses per round"),
    )
