"""Commands that people type, with a daemon that runs: their whole life as a process.

Compared with a bare interpreter (`python -I -S -c pass`), in turn. Started by posix_spawn, as in `bench.command`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from bench.command import Launcher
from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import daemon
from tests.support.payloads import load

_COMMANDS = {"status": ("status",), "search": ("search", "login"), "--help": ("--help",)}
_ROUNDS = 10


def measure(options: argparse.Namespace) -> Report:
    each = (20 if options.quick else options.runs) // _ROUNDS
    start = [sys.executable, "-m", "holdfast.doors.cli"]
    nothing = [sys.executable, "-I", "-S", "-c", "pass"]
    took: dict[str, list[list[float]]] = {name: [] for name in _COMMANDS}
    base: list[list[float]] = []
    with daemon() as stand, tempfile.TemporaryDirectory(prefix="hf") as folder:
        assert stand.home is not None
        body = Path(folder, "event.json")
        prompt = load("UserPromptSubmit") | {"prompt": "Why does the login redirect go wrong?", "cwd": str(Path.cwd())}
        body.write_text(json.dumps(prompt), "utf-8")
        stand.home.post("UserPromptSubmit", prompt)
        launcher = Launcher(stand, body)
        for words in _COMMANDS.values():
            launcher.run([*start, *words])
        for _ in range(_ROUNDS):
            base.append([])
            for rounds in took.values():
                rounds.append([])
            for _ in range(each):
                base[-1].append(launcher.run(nothing)[0])
                for name, words in _COMMANDS.items():
                    took[name][-1].append(launcher.run([*start, *words])[0])
    bare = Sample.of(quantile(sorted(values), 0.5) for values in base)
    rows = []
    for name, rounds in took.items():
        pairs = [[a / b for a, b in zip(mine, other, strict=True)] for mine, other in zip(rounds, base, strict=True)]
        rows += [
            Row(f"`holdfast {name}` over interpreter, pair by pair", "×", _median(pairs), None),
            Row(f"`holdfast {name}`, p50", "ms", _median(rounds), bare),
        ]
    how = f"{_ROUNDS * each} runs of each, in turn; the median of {_ROUNDS} rounds, in brackets their range."
    return Report("Commands that people type", "HSE-9", "`python -I -S -c pass`", rows, (how,))


def _median(rounds: list[list[float]]) -> Sample:
    return Sample.of(quantile(sorted(values), 0.5) for values in rounds)


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.terminal --runs 100", runs=(100, "runs of each"))
