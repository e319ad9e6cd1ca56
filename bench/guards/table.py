"""Judges a table of commands, without a folder and without undo: `python -m bench.guards.table FILE ...`.

A line is JSON with `command` and `label` (`destructive` or `innocent`). Every line that is judged otherwise is printed.
`first_sight/` holds tables by hands that read no rule; what was told of each stands in the README.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path

from bench.guards.corpus import HOME
from bench.guards.judging import Room
from bench.guards.scenes import at_home


async def judge(path: Path) -> str:
    """The figures of one table, with a line for each difference before them."""
    lines = []
    counts = {"destructive": 0, "innocent": 0}
    differing = {"destructive": 0, "innocent": 0}
    with tempfile.TemporaryDirectory() as folder, at_home(HOME):
        room = Room(Path(folder), undo=False)
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            said = await room.judge(row["command"])
            label = row["label"]
            counts[label] += 1
            if said.refused != (label == "destructive"):
                differing[label] += 1
                lines.append(f"{label}, {said.decision or 'passed'} {said.rule}: {row['command']!r}")
    caught = counts["destructive"] - differing["destructive"]
    refused = differing["innocent"]
    lines.append(f"{path.name}: caught {caught} of {counts['destructive']}, refused {refused} of {counts['innocent']}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.guards.table",
        description=(__doc__ or "").split("\n")[0],
        epilog="example: python -m bench.guards.table bench/guards/first_sight/four.jsonl",
    )
    parser.add_argument("table", nargs="+", type=Path, help="files of JSON lines with `command` and `label`")
    for path in parser.parse_args().table:
        print(asyncio.run(judge(path)))


if __name__ == "__main__":
    main()
