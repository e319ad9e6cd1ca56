"""What is left of a summary after an item that it was made from is forgotten. Pure.

While the journal still has the sources, the summary is made again from them. Later the sources have aged out, and
making it again would destroy it. Then its lines stay, except those that may describe the forgotten item.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from holdfast.prose.one_line import one_line
from holdfast.rooms.memory.model import Observation, Prompt, SummaryContent
from holdfast.rooms.memory.standing.threads import SAYING
from holdfast.rooms.memory.standing.worth import is_users_choice
from holdfast.rooms.memory.summaries.by_rules.writing import ANSWERED, PASSED_AFTER, STILL_FAILS

_LONGEST_TITLE = 120
_TELLING = 100
"""Titles are cut when they become part of a line; so much of one is always there."""
_FIELDS = ("investigated", "done", "learned", "left_open", "said")
_QUOTED = 40
"""Characters of a sentence of an earlier request that stand in a line which quotes it, wherever it is cut."""
_SHORTEST = 8
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")


def _bare(text: str) -> str:
    """On one line, and without the marks that stand around a quotation."""
    return one_line(text.replace("“", "").replace("”", ""), len(text) + 1)


def _sentences(text: str) -> list[str]:
    return [part for each in _SENTENCE.split(text) if len(part := _bare(each)) > _SHORTEST]


@dataclass(frozen=True, slots=True)
class Gone:
    """What was forgotten of one conversation, and the summaries of the turns whose prompts were forgotten."""

    prompts: tuple[Prompt, ...] = ()
    observations: tuple[Observation, ...] = ()
    turns: tuple[SummaryContent, ...] = ()

    @property
    def files(self) -> set[str]:
        files = (*(each.files for each in self.observations), *(each.files for each in self.turns))
        return {path for each in files for path in each}

    @property
    def _lines(self) -> set[str]:
        lines = {line for turn in self.turns for name in _FIELDS for line in str(getattr(turn, name)).splitlines()}
        return lines | {turn.title for turn in self.turns if turn.title}

    @property
    def _traces(self) -> set[str]:
        titles = {one_line(each.title, _TELLING).rstrip("…") for each in self.observations}
        return {each for each in titles | self.files if each}

    def lines_without(self, lines: Iterable[str]) -> list[str]:
        """The lines that do not describe what was forgotten, and do not quote it."""
        whole, traces = self._lines, self._traces
        told = [each for each in whole if len(each) > _TELLING // 5]
        return [
            line
            for line in lines
            if line not in whole
            and not any(each in line for each in (*traces, *told))
            and not (is_users_choice(line) and self._asked_in(line))
        ]

    def names(self, title: str) -> bool:
        """Was this title made from what was forgotten?"""
        bare = title.rstrip("…")
        asked = [one_line(each.text, len(each.text) + 1) for each in self.prompts]
        if not self.lines_without([title]) or any(bare in each for each in (*asked, *self._lines)):
            return True
        return any(bare in each.title for each in self.observations) or self._asked_in(title)

    def _asked_in(self, line: str) -> bool:
        """Does it quote a sentence of a forgotten prompt?"""
        said = _bare(line)
        return any(part[:_QUOTED] in said for each in self.prompts for part in _sentences(each.text))


def aged(old: SummaryContent, fresh: SummaryContent | None, gone: Gone, *, unsaid: bool) -> SummaryContent | None:
    """The rest of a summary whose sources have aged out, all or in part; None when nothing is left.

    `fresh` is the summary of the sources that are still there. `unsaid` says that the agent's words answered a
    forgotten prompt.
    """
    kept = {name: gone.lines_without(str(getattr(old, name)).splitlines()) for name in _FIELDS}
    if unsaid:
        kept = {name: [line for line in lines if not _is_spoken(name, line)] for name, lines in kept.items()}
    for name in ("investigated", "done"):
        again = str(getattr(fresh, name)).splitlines() if fresh else []
        kept[name] += [line for line in again if line not in kept[name] and not _is_spoken(name, line)]
    files = (*(path for path in old.files if path not in gone.files), *(fresh.files if fresh else ()))
    request = fresh.request if fresh else ""
    if not request and not any(kept.values()):
        return None
    return SummaryContent(
        title=_title(old, fresh, gone, kept["done"], unsaid=unsaid),
        request=request,
        outcome=(fresh.outcome if fresh else "") or ("" if any(e.outcome for e in gone.observations) else old.outcome),
        files=tuple(dict.fromkeys(files)),
        branch=old.branch,
        runs=fresh.runs if fresh else (),
        investigated="\n".join(kept["investigated"]),
        done="\n".join(kept["done"]),
        learned="\n".join(kept["learned"]),
        left_open="\n".join(kept["left_open"]),
        said="\n".join(kept["said"]),
    )


def by_user(old: SummaryContent, fresh: SummaryContent | None, gone: Gone) -> SummaryContent:
    """The rest of a summary that a user wrote: title and text stay the user's; the other fields may describe what was
    forgotten.
    """
    files = tuple(path for path in old.files if path not in gone.files)
    done = gone.lines_without(old.done.splitlines())
    return SummaryContent(_title(old, fresh, gone, done), done="\n".join(done), outcome=old.outcome, files=files)


def spoken(content: SummaryContent) -> SummaryContent:
    """Only the lines of a summary that come from the agent's own words."""
    lines = {name: str(getattr(content, name)).splitlines() for name in _FIELDS}
    fields: dict[str, Any] = {name: "\n".join(line for line in lines[name] if _is_spoken(name, line)) for name in lines}
    return SummaryContent("", **fields)


def _title(
    old: SummaryContent, fresh: SummaryContent | None, gone: Gone, done: list[str], *, unsaid: bool = False
) -> str:
    bare = old.title.rstrip("…")
    said = unsaid and bare not in old.request and not any(bare in line for line in done)
    if not said and not gone.names(old.title):
        return old.title
    return fresh.title if fresh else one_line(next(iter(done), "Work without a request"), _LONGEST_TITLE)


def _is_spoken(field: str, line: str) -> bool:
    """Does this line come from the agent's words, and not from its actions?"""
    match field:
        case "done":
            return line.startswith(ANSWERED)
        case "learned":
            return PASSED_AFTER not in line
        case "left_open":
            return not line.startswith(STILL_FAILS) or SAYING in line
        case _:
            return field == "said"
