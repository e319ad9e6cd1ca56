"""`holdfast status` and `holdfast search` as a person types them, with the daemon running: whole processes.

Each beside the same Python that starts and does nothing, in turn, so that what else the machine does weighs on both.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import daemon

_LIMIT = 100.0
_ROUNDS = 5
_WORDS = (("status",), ("search", "login", "redirect", "--project", "all"))


def measure(options: argparse.Namespace) -> Report:
    each = max(1, (10 if options.quick else options.runs) // _ROUNDS)
    rows = []
    with daemon() as stand:
        assert stand.home is not None
        environment = stand.home.environment

        def took(command: list[str]) -> float:
            began = time.perf_counter()
            subprocess.run(command, env=environment, capture_output=True, check=False)
            return (time.perf_counter() - began) * 1e3

        nothing = [sys.executable, "-I", "-c", "pass"]
        for words in _WORDS:
            command = [sys.executable, "-I", "-m", "holdfast.doors.cli", *words]
            took(command)
            pairs = [[(took(nothing), took(command)) for _ in range(each)] for _ in range(_ROUNDS)]
            ours = Sample.of(quantile(sorted(mine for _, mine in some), 0.5) for some in pairs)
            base = Sample.of(quantile(sorted(bare for bare, _ in some), 0.5) for some in pairs)
            rows.append(Row(f"holdfast {words[0]}, p50", "ms", ours, base, _LIMIT))
    note = f"{_ROUNDS * each} runs of each, in turn; the median of {_ROUNDS} rounds, in brackets their range."
    return Report("Words at a shell", "OPS-15", "`python -I -c pass`", rows, (note,))


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.words --runs 50", runs=(50, "runs of each"))
