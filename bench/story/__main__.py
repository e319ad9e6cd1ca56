"""What memory says, judged by stories: 750 sessions of forty-four made-up projects, played by the real client.

Reports which expectations were met, which lines were forbidden, and how many of the lines given were about the matter.
`--lines FILE` writes every line that was given, for a reader. Real tools in real repositories; a scripted API on
loopback, and a daemon whose clock moves with the story. Needs npm and git, as the client's tests do.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bench.figures import Report, Row, Sample, machine, parser_of
from bench.story.judge import Given, Verdict
from bench.story.listing import MISSED, page
from bench.story.model import load, names
from bench.story.play import Mismatch, Stopped
from bench.story.run import play_all

MET, ABOUT, BRIEF = 95.0, 65.0, 250.0


def report(verdict: Verdict, sessions: int) -> Report:
    met = len(verdict.expectations) - len(verdict.missed)
    items = [line for line in verdict.lines if line.is_item]
    about = sum(line.about for line in items)
    asked = [line for line in items if not line.hook.startswith("brief")]
    share = 100 * about / len(items) if items else 100.0
    share_asked = 100 * sum(line.about for line in asked) / len(asked) if asked else 100.0
    middle = statistics.median(verdict.brief_tokens) if verdict.brief_tokens else 0.0
    rows = [
        _row(
            f"expectations met, of {len(verdict.expectations)}", "%", 100 * met / max(1, len(verdict.expectations)), MET
        ),
        _row("forbidden lines", "lines", len(verdict.forbidden), 0, at_least=False),
        _row("lines given", "lines", len(items)),
        _row("lines about the matter", "%", share, ABOUT),
        _row("lines at prompts and files about the matter", "%", share_asked, ABOUT),
        _row("brief, median", "tokens", middle, BRIEF, at_least=False),
        _row("all that was given", "tokens", verdict.tokens),
    ]
    notes = [f"{MISSED}{each}" for each in verdict.missed]
    notes += [
        f"forbidden: {line.session}, {line.hook} ({'; '.join(line.faults)}): {line.text}" for line in verdict.forbidden
    ]
    return Report(f"What memory says in {sessions} sessions", "MEM-16 to MEM-31", "none", rows, notes)


def _row(what: str, unit: str, value: float, limit: float | None = None, *, at_least: bool = True) -> Row:
    return Row(what, unit, Sample.one(value), limit=limit, at_least=at_least)


def write_lines(path: Path, lines: Sequence[Given]) -> None:
    """Every line that was given, as a table for a reader."""
    rows = ["| session | hook | line | about | faults |", "|---|---|---|---|---|"]
    for line in lines:
        cells = (line.session, line.hook, line.text, "yes" if line.about else "", "; ".join(line.faults))
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    path.write_text("\n".join(rows) + "\n", "utf-8")


def main() -> None:
    parser = parser_of(__doc__ or "", "python -m bench.story --project tallybook --lines lines.md")
    parser.add_argument("--project", action="append", choices=names(), help="only this story (may be repeated)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the homes and repositories there")
    parser.add_argument("--lines", type=Path, metavar="FILE", help="write every line that was given, for a reader")
    parser.add_argument(
        "--judged",
        type=Path,
        metavar="PAGE",
        help="write the page anew for a judge: verdicts stay with lines that are the same",
    )
    parser.add_argument("--worlds", type=int, default=2, help="how many homes are played side by side (default 2)")
    chosen: argparse.Namespace = parser.parse_args()
    facts = machine()
    stories = [load(name) for name in chosen.project or names()]
    try:
        verdict = play_all(stories, chosen.keep, chosen.worlds)
    except Mismatch as error:
        sys.exit(f"The story does not play as it is written. {error}")
    except (KeyboardInterrupt, Stopped):
        sys.exit("Stopped; nothing is left running.")
    if chosen.lines:
        write_lines(chosen.lines, verdict.lines)
    sessions = sum(len(story.sessions) for story in stories)
    made = report(verdict, sessions)
    if chosen.judged:
        before = chosen.judged.read_text("utf-8") if chosen.judged.exists() else ""
        chosen.judged.write_text(page(verdict.lines, made, sessions, len(stories), before), "utf-8")
    if chosen.json:
        lines = [asdict(line) for line in verdict.lines]
        print(json.dumps({"machine": facts, "report": made.value(), "lines": lines}, indent=2))
    else:
        print(f"{facts}\n\n{made.text()}")
    sys.exit(any(row.met is False for row in made.rows))


if __name__ == "__main__":
    main()
