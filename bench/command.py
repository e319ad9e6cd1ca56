"""The command client: one hook event from stdin, by a running daemon, to stdout; its whole life as a process.

Compared with a bare interpreter (`python -I -S -c pass`), in turn, each with the same streams. Both are started by
posix_spawn, so that what starting costs the starter is small and the same for both.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import Stand, daemon
from tests.support.daemon import HOOK
from tests.support.payloads import load

_LIMIT = 1.3
_ROUNDS = 10


class Launcher:
    """Starts a process with the event on stdin, and waits for its end."""

    def __init__(self, stand: Stand, body: Path) -> None:
        assert stand.home is not None
        self._environment = stand.home.environment
        self._body = str(body)

    def run(self, command: list[str]) -> tuple[float, bytes]:
        """The milliseconds it lived, and what it said."""
        took, _, said = self.weigh(command)
        return took, said

    def weigh(self, command: list[str]) -> tuple[float, float, bytes]:
        """The milliseconds it lived, those that a processor worked for it, and what it said."""
        reading, writing = os.pipe()
        streams = [(os.POSIX_SPAWN_OPEN, 0, self._body, os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, writing, 1)]
        began = time.perf_counter()
        pid = os.posix_spawn(command[0], command, self._environment, file_actions=streams)
        os.close(writing)
        said = os.read(reading, 65_536)
        _, status, used = os.wait4(pid, 0)
        took = (time.perf_counter() - began) * 1e3
        os.close(reading)
        if status:
            raise ChildProcessError(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
        return took, (used.ru_utime + used.ru_stime) * 1e3, said


def measure(options: argparse.Namespace) -> Report:
    each = (40 if options.quick else options.runs) // _ROUNDS
    ours: list[list[float]] = []
    base: list[list[float]] = []
    with daemon() as stand, tempfile.TemporaryDirectory(prefix="hf") as folder:
        assert stand.home is not None
        body = Path(folder, "event.json")
        body.write_text(json.dumps(load("UserPromptSubmit")), "utf-8")
        launcher = Launcher(stand, body)
        client = [sys.executable, "-I", "-S", "-E", str(HOOK), str(stand.home.home.root)]
        nothing = [sys.executable, "-I", "-S", "-c", "pass"]
        for command in (client, nothing) * 5:
            launcher.run(command)
        for _ in range(_ROUNDS):
            ours.append([])
            base.append([])
            for _ in range(each):
                base[-1].append(launcher.run(nothing)[0])
                took, said = launcher.run(client)
                if not said.startswith(b"{"):
                    raise ValueError(f"the client answered {said[:200]!r}")
                ours[-1].append(took)
    # Each client with the interpreter that ran just before it: what else the machine does weighs on both.
    pairs = [[a / b for a, b in zip(mine, other, strict=True)] for mine, other in zip(ours, base, strict=True)]
    rows = [
        Row("client over interpreter, pair by pair", "×", _sample(pairs, 0.5), None, _LIMIT),
        Row("p50", "ms", _sample(ours, 0.5), _sample(base, 0.5)),
        Row("p90", "ms", _sample(ours, 0.9), _sample(base, 0.9)),
    ]
    return Report(
        "The command client",
        "PRF-3",
        "`python -I -S -c pass`",
        rows,
        (f"{_ROUNDS * each} runs of each, in turn; the median of {_ROUNDS} rounds, in brackets their range.",),
    )


def _sample(rounds: list[list[float]], share: float) -> Sample:
    return Sample.of(quantile(sorted(values), share) for values in rounds)


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.command --runs 400", runs=(400, "runs of each"))
