"""Commands that people type, with a daemon that runs: their whole life as a process.

Wall and processor time, beside the same interpreter that does nothing (`python -c pass`), in turn. Started by
posix_spawn, as in `bench.command`.
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
_BARE = "python -c pass"


def measure(options: argparse.Namespace) -> Report:
    each = (20 if options.quick else options.runs) // _ROUNDS
    start = [sys.executable, "-m", "holdfast.doors.cli"]
    commands = {name: [*start, *words] for name, words in _COMMANDS.items()} | {_BARE: [sys.executable, "-c", "pass"]}
    lived: dict[str, list[list[float]]] = {name: [] for name in commands}
    worked: dict[str, list[list[float]]] = {name: [] for name in commands}
    with daemon() as stand, tempfile.TemporaryDirectory(prefix="hf") as folder:
        assert stand.home is not None
        body = Path(folder, "event.json")
        prompt = load("UserPromptSubmit") | {"prompt": "Why does the login redirect go wrong?", "cwd": str(Path.cwd())}
        body.write_text(json.dumps(prompt), "utf-8")
        stand.home.post("UserPromptSubmit", prompt)
        launcher = Launcher(stand, body)
        for command in commands.values():
            launcher.run(command)
        for _ in range(_ROUNDS):
            for rounds in (*lived.values(), *worked.values()):
                rounds.append([])
            for _ in range(each):
                for name, command in commands.items():
                    took, processor, _ = launcher.weigh(command)
                    lived[name][-1].append(took)
                    worked[name][-1].append(processor)
    rows = [row for name in _COMMANDS for row in _rows(name, lived, worked)]
    how = f"{_ROUNDS * each} runs of each, in turn; the median of {_ROUNDS} rounds, in brackets their range."
    return Report("Commands that people type", "HSE-9", f"`{_BARE}`", rows, (how,))


def _rows(name: str, lived: dict[str, list[list[float]]], worked: dict[str, list[list[float]]]) -> list[Row]:
    """Each run of a command beside the interpreter of its turn: what else the machine does weighs on both."""
    return [
        Row(f"`holdfast {name}` over interpreter, pair by pair", "×", _median(_pairs(name, lived)), None),
        Row(f"`holdfast {name}`, p50", "ms", _median(lived[name]), _median(lived[_BARE])),
        Row(f"`holdfast {name}`, processor time, pair by pair", "×", _median(_pairs(name, worked)), None),
        Row(f"`holdfast {name}`, processor time, p50", "ms", _median(worked[name]), _median(worked[_BARE])),
    ]


def _pairs(name: str, rounds: dict[str, list[list[float]]]) -> list[list[float]]:
    both = zip(rounds[name], rounds[_BARE], strict=True)
    return [[a / b for a, b in zip(mine, other, strict=True)] for mine, other in both]


def _median(rounds: list[list[float]]) -> Sample:
    return Sample.of(quantile(sorted(values), 0.5) for values in rounds)


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.terminal --runs 100", runs=(100, "runs of each"))
