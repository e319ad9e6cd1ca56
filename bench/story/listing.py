"""The list of every line that was given, for a judge: the verdicts of the last reading stay with the lines that are the
same, and every other line is marked as not yet judged. Pure.

Ids differ from run to run, so that a line is known by its session, its hook and its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bench.figures import Report
from bench.story.judge import Given

NOT_JUDGED = "not yet judged"
MISSED = "missed: "
"""Before an expectation that was not met, in a report."""
_ID = re.compile(r"\[[a-z][0-9a-f]{8}\] ")
_CELL = re.compile(r"(?<!\\)\|")
Key = tuple[str, str, str]


def verdicts(page: str) -> dict[Key, str]:
    """The verdicts on an earlier page, by session, hook and words. A page whose table has no verdicts has none."""
    found: dict[Key, str] = {}
    is_judged = False
    for line in page.splitlines():
        cells = [cell.strip() for cell in _CELL.split(line.strip().strip("|"))] if line.startswith("|") else []
        if len(cells) != 5:
            continue
        if cells[0] == "session":
            is_judged = cells[4] == "verdict"
        elif is_judged and cells[4].strip("-") and cells[4] != NOT_JUDGED:
            found[_key(cells[0], cells[1], cells[2].replace("\\|", "|"))] = cells[4]
    return found


def _key(session: str, hook: str, text: str) -> Key:
    return session, hook, " ".join(_ID.sub("", text).split())


PLAYED = "`python -m bench.story --judged bench/story/lines.md` played"
REPLAYED = "`python -m bench.story.replay KEPT --judged bench/story/lines.md` replayed"


def page(lines: Sequence[Given], report: Report, sessions: int, projects: int, before: str, how: str = PLAYED) -> str:
    """The page: the figures, what was missed, and the lines with the verdicts of the page before."""
    known = verdicts(before)
    rows = [_row(line, known.get(_key(line.session, line.hook, line.text), NOT_JUDGED)) for line in lines]
    new = sum(row.endswith(f"| {NOT_JUDGED} |") for row in rows)
    missed = [each.removeprefix(MISSED) for each in report.notes if each.startswith(MISSED)]
    figures = [f"| {each.what}, {each.unit} | {each.ours.median:,.1f} |" for each in report.rows]
    return "\n".join(
        [
            "# Every line that the stories were given",
            "",
            f"{how} all {sessions} sessions of {projects} projects and wrote this page. A judge who wrote none of",
            "memory's rules reads it. A verdict that stands here was given to the same words of the same session in an"
            " earlier reading.",
            "",
            f"**{len(rows)} lines, of which {new} are {NOT_JUDGED}.**",
            "",
            "| | |",
            "|---|---|",
            *figures,
            "",
            "## Expectations that were missed",
            "",
            *([f"* {each}" for each in missed] or ["None."]),
            "",
            "## The lines",
            "",
            "| session | hook | line | about | verdict |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _row(line: Given, verdict: str) -> str:
    text = f"{line.text} (forbidden: {'; '.join(line.faults)})" if line.faults else line.text
    cells: Sequence[str] = (line.session, line.hook, text, "yes" if line.about else "", verdict)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
