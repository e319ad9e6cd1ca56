"""All benchmarks of the road, one after the other; their figures go into docs/figures.md.

Each can also be run by itself (`python -m bench.road`). Those with tables of their own are only listed.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Callable
from pathlib import Path

from bench import agents, command, road, start
from bench.figures import Report, machine, parser_of

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "docs" / "figures.md"
README = FOLDER.parent / "README.md"
_OPEN, _CLOSE = "<!-- figures -->", "<!-- end -->"
OTHERS = ("scrub", "shell", "citations", "recall", "floor", "recall_latency", "growth")
"""Benchmarks that print tables of their own."""

RUNS: dict[str, tuple[Callable[[argparse.Namespace], Report], dict[str, float]]] = {
    "road": (road.measure, {"rounds": 20, "stored": 100_000}),
    "command": (command.measure, {"runs": 400}),
    "start": (start.measure, {"runs": 15, "idle": 5.0}),
    "agents": (agents.measure, {"seconds": 60.0, "agents": 200, "rate": 2000.0}),
}


def about(name: str) -> str:
    """The first sentence of a benchmark, without importing it."""
    text = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())


def page(facts: str, reports: dict[str, Report]) -> str:
    """The page of figures, written by no hand."""
    present = [name for name in OTHERS if (FOLDER / f"{name}.py").exists()]
    table = ["| run | what it measures |", "|---|---|"]
    table += [f"| `python -m bench.{name}` | {about(name)} |" for name in (*reports, *present)]
    parts = [
        "# Figures",
        "Written by `python -m bench`; do not edit. Every figure stands beside its baseline from the same run: on "
        "another machine the milliseconds differ, the ratios less. A figure is the median of several rounds, in "
        "brackets the lowest and the highest of them.",
        facts,
        *(report.text().rstrip() for report in reports.values()),
        "## The benchmarks",
        "\n".join(table),
    ]
    return "\n\n".join(parts) + "\n"


def quoted(figures: str) -> str:
    """The rows with a target, as the README shows them."""
    rows = [line for line in figures.splitlines() if line.startswith("|") and ("| ≤" in line or "| ≥" in line)]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    head = ["| figure | holdfast | baseline | target |", "|---|---|---|---|"]
    return "\n".join([*head, *(f"| {name} | {own} | {base} | {target} |" for name, own, base, _, target, _ in cells)])


def quote(figures: str) -> None:
    """Put those rows into the README, between its marks."""
    text = README.read_text("utf-8")
    before, rest = text.split(_OPEN)
    README.write_text(f"{before}{_OPEN}\n{quoted(figures)}\n{_CLOSE}{rest.split(_CLOSE)[1]}", "utf-8")


def main() -> None:
    parser = parser_of(__doc__ or "", "python -m bench --quick")
    chosen = parser.parse_args()
    facts = machine()
    reports: dict[str, Report] = {}
    for name, (measure, settings) in RUNS.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        reports[name] = measure(argparse.Namespace(quick=chosen.quick, **settings))
        if not chosen.json:
            print(reports[name].text(), "\n", flush=True)
    if chosen.json:
        print(json.dumps({"machine": facts, "reports": {name: r.value() for name, r in reports.items()}}, indent=2))
    if not chosen.quick:
        PAGE.write_text(page(facts, reports), "utf-8")
        quote(PAGE.read_text("utf-8"))
    sys.exit(any(row.met is False for report in reports.values() for row in report.rows))


if __name__ == "__main__":
    main()
