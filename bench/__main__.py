"""The benchmarks, one after the other, or those that are named; their figures go into docs/figures.md.

Each can also be run by itself (`python -m bench.road`). A section of the page stays as it is until its benchmark is run
again. Those that need LoCoMo's file (`--locomo PATH`) or have no section are only listed without it.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench import (
    agents,
    assemble,
    clusters,
    code,
    command,
    commits,
    edits,
    events,
    floor,
    growth,
    indexing,
    left_out,
    memory,
    predictions,
    price,
    recall,
    recorded,
    remedies,
    road,
    start,
    takeover,
    terminal,
    tokens,
    uses,
    widening,
)
from bench.compaction import handler
from bench.compaction import measure as compaction
from bench.compaction.voices import SECOND
from bench.figures import Report, machine, parser_of
from bench.guards import __main__ as guards

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "docs" / "figures.md"
README = FOLDER.parent / "README.md"
_OPEN, _CLOSE = "<!-- figures -->", "<!-- end -->"
_SECTION = re.compile(r"^<!-- ([\w.]+) -->\n(.*?)(?=^<!-- [\w.]+ -->\n)", re.MULTILINE | re.DOTALL)
OTHERS = (
    *("weights", "scrub", "shell", "citations", "crowd", "soak", "story", "story.replay", "cases", "rpc", "fleet"),
    *("cochange", "outcomes", "learning_steps"),
)
"""Benchmarks without a section."""
NEED_LOCOMO = ("recall", "floor")
NEED_RELEASES = ("uses",)
QUOTED = {
    ("road", "p50, 100,000 events stored, ms"): (
        "Time until a hook is answered, with 100,000 events stored: half are quicker than (ms)",
        "a web server that reads the event and answers nothing",
    ),
    ("road", "p99, 100,000 events stored, ms"): ("The same: 99 of 100 are quicker than (ms)", "the same server"),
    ("price", "more for the session, s"): ("How much longer a session with 20 tool calls takes (s)", ""),
    ("start", "cold start to the first answer, s"): (
        "From the daemon's start to its first answer (s)",
        "loading the web server alone",
    ),
    ("start", "idle memory (PSS) of supervisor and worker, MB"): (
        "Memory of the daemon at rest (MB)",
        "the web server alone",
    ),
    ("memory", "100,000: recall, the largest project, p99, ms"): (
        "Finding what fits a prompt among 100,000 stored items: 99 of 100 are quicker than (ms)",
        "a daemon that has stored nothing",
    ),
    ("recall", "no model: R@10, %"): (
        "Questions of the public set LoCoMo whose answer is among the first ten found, without a model (%)",
        "SQLite's own word search",
    ),
    ("left_out", "no model: given what it is about, %"): (
        "Prompts about earlier work that are given that work, in recorded sessions (%)",
        "",
    ),
}
"""What the README shows: (benchmark, figure) → the figure in whole words, and what its baseline is, if it is shown."""

Measure = Callable[[argparse.Namespace], Report]
RUNS: dict[str, tuple[Measure, dict[str, Any]]] = {
    "road": (road.measure, {"rounds": 20, "stored": 100_000}),
    "events": (events.measure, {"turns": 200, "stored": 20_000}),
    "command": (command.measure, {"runs": 400}),
    "terminal": (terminal.measure, {"runs": 100}),
    "price": (price.measure, {"runs": 7, "turns": 20}),
    "start": (start.measure, {"runs": 15, "idle": 5.0}),
    "agents": (agents.measure, {"seconds": 60.0, "agents": 200, "rate": 2000.0}),
    "memory": (memory.measure, {"most": 1_000_000, "rounds": 5, "prompts": 200}),
    "recall": (recall.measure, {}),
    "recorded": (recorded.measure, {}),
    "left_out": (left_out.measure, {"write": False}),
    "commits": (commits.measure, {"docs": Path("/usr/share/doc")}),
    "floor": (floor.measure, {}),
    "takeover": (takeover.measure, {"sessions": 2_000}),
    "growth": (growth.measure, {"events": 100_000, "days": 5}),
    "tokens": (tokens.measure, {"pieces": 200}),
    "guards": (guards.measure, {}),
    "predictions": (predictions.measure, {}),
    "remedies": (remedies.measure, {"bugs": 80, "seed": "barley", "wrong": False}),
    "code": (code.measure, {}),
    "indexing": (indexing.measure, {}),
    "assemble": (assemble.measure, {"experiences": 10_000, "functions": 100_000, "rounds": 200}),
    "edits": (edits.measure, {"repositories": [FOLDER.parent], "most": 5_000, "steps": 60}),
    "uses": (uses.measure, {}),
    "widening": (widening.measure, {}),
    "clusters": (clusters.measure, {"largest": 10_000}),
    "compaction": (compaction.measure, {"sessions": 30, "voice": SECOND, "held_out": False}),
    "compaction.handler": (handler.measure, {"calls": 300, "messages": 5_000}),
}


def about(name: str) -> str:
    """The first sentence of a benchmark, without importing it."""
    module = FOLDER.joinpath(*name.split("."))
    path = module.with_suffix(".py")
    path = path if path.exists() else module / "__main__.py"
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())


def sections(page: str) -> dict[str, str]:
    """The sections of a page, by the name of their benchmark."""
    return {found[1]: found[2].strip() for found in _SECTION.finditer(page)}


def page(known: Mapping[str, str]) -> str:
    """The page of figures, written by no hand."""
    table = ["| run | what it measures |", "|---|---|"]
    table += [f"| `python -m bench.{name}` | {about(name)} |" for name in (*RUNS, *OTHERS)]
    parts = [
        "# Figures",
        "Written by `python -m bench`; do not edit. Every figure stands beside its baseline from the same run: on "
        "another machine the milliseconds differ, the ratios less. A figure is the median of several rounds, in "
        "brackets the lowest and the highest of them.",
        *(f"<!-- {name} -->\n{known[name]}" for name in RUNS if name in known),
        "<!-- list -->\n## The benchmarks",
        "\n".join(table),
    ]
    return "\n\n".join(parts) + "\n"


def quoted(known: Mapping[str, str]) -> str:
    """The rows of `QUOTED`, as the README shows them: without the spread, and with the targets that are missed."""
    rows = ["| figure | holdfast | for comparison | target |", "|---|---|---|---|"]
    for (section, figure), (words, compared) in QUOTED.items():
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in known[section].splitlines()]
        _, own, base, _, target, met = next(row for row in cells if row[0] == figure)
        beside = f"{base.partition(' ')[0]}: {compared}" if compared else ""
        rows.append(
            f"| {words} | {own.partition(' ')[0]} | {beside} | {target}{', missed' if met == '**no**' else ''} |"
        )
    return "\n".join(rows)


def quote(known: Mapping[str, str]) -> None:
    """Put those rows into the README, between its marks."""
    text = README.read_text("utf-8")
    before, rest = text.split(_OPEN)
    README.write_text(f"{before}{_OPEN}\n{quoted(known)}\n{_CLOSE}{rest.split(_CLOSE)[1]}", "utf-8")


def main() -> None:
    parser = parser_of(__doc__ or "", "python -m bench road memory --locomo locomo10.json --model arctic-embed-s")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(RUNS)} (default: all)")
    parser.add_argument("--locomo", dest="path", type=Path, help="LoCoMo's JSON file, for recall and floor")
    parser.add_argument("--model", type=Path, help="a folder with a sentence model, for recall, recorded and floor")
    parser.add_argument("--given", type=Path, help="a table of commands with verdicts, for guards")
    parser.add_argument("--salt", default="", help="any word: other mutations of commands, for guards")
    parser.add_argument("--verdicts", action="store_true", help="no times of guards: the machine is busy")
    parser.add_argument(
        "--packages", dest="folders", nargs="*", type=Path, default=[], help="packages to index, for code and indexing"
    )
    parser.add_argument("--releases", type=Path, help="source archives in a folder per package, for edits and uses")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in RUNS]
    if unknown:
        parser.error(f"There is no benchmark {unknown[0]!r} with a section.")
    facts, reports = machine(), {}
    without = {*(() if chosen.path else NEED_LOCOMO), *(() if chosen.releases else NEED_RELEASES)}
    for name in chosen.names or [each for each in RUNS if each not in without]:
        measure, settings = RUNS[name]
        if name in NEED_LOCOMO and not chosen.path:
            parser.error(f"{name} needs --locomo PATH.")
        if name in NEED_RELEASES and not chosen.releases:
            parser.error(f"{name} needs --releases DIR.")
        print(f"{name} …", file=sys.stderr, flush=True)
        facts = machine()
        shared = ("quick", "path", "model", "given", "salt", "verdicts", "folders", "releases")
        given = {each: getattr(chosen, each) for each in shared} | {"only": ""}
        reports[name] = measure(argparse.Namespace(**given, **settings))
        if not chosen.json:
            print(reports[name].text(), "\n", flush=True)
        if not chosen.quick:
            known = sections(PAGE.read_text("utf-8")) | {name: f"{reports[name].text().rstrip()}\n\n{facts}"}
            PAGE.write_text(page(known), "utf-8")
            quote(known)
    if chosen.json:
        print(json.dumps({"machine": facts, "reports": {name: r.value() for name, r in reports.items()}}, indent=2))
    sys.exit(any(row.met is False for report in reports.values() for row in report.rows))


if __name__ == "__main__":
    main()
