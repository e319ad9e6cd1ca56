"""What stays of a summary when something that it was made from is forgotten. Pure.

While the journal is whole, a summary is simply made anew. Later that would destroy it: what it was made from has aged
out. Then its lines stay, but for those that may tell of what was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from holdfast.items.words import one_line
from holdfast.rooms.memory.model import Observation, Prompt, SummaryContent
from holdfast.rooms.memory.summaries.by_rules import ANSWERED, PASSED_AFTER, STILL_FAILS

_LONGEST_TITLE = 120
_TELLING = 100
"""Titles are cut when they become part of a line; so much of one is always there."""
_FIELDS = ("investigated", "done", "learned", "left_open", "said")


@dataclass(frozen=True, slots=True)
class Gone:
    """What was forgotten of one conversation, and the summaries of the turns that went with their prompts."""

    prompts: tuple[Prompt, ...] = ()
    observations: tuple[Observation, ...] = ()
    turns: tuple[SummaryContent, ...] = ()

    @property
    def files(self) -> set[str]:
        files = (*(each.files for each in self.observations), *(each.files for each in self.turns))
        return {path for each in files for path in each}

    @property
    def _lines(self) -> set[str]:
        return {line for content in self.turns for name in _FIELDS for line in str(getattr(content, name)).splitlines()}

    @property
    def _traces(self) -> set[str]:
        titles = {one_line(each.title, _TELLING).rstrip("…") for each in self.observations}
        return {each for each in titles | self.files if each}

    def untold(self, lines: Iterable[str]) -> list[str]:
        """Those of these lines that tell of nothing of it."""
        whole, traces = self._lines, self._traces
        return [line for line in lines if line not in whole and not any(each in line for each in traces)]

    def names(self, title: str) -> bool:
        """Was this title made of it?"""
        bare = title.rstrip("…")
        asked = [one_line(each.text, len(each.text) + 1) for each in self.prompts]
        return not self.untold([title]) or any(bare in each or bare.startswith(f"{each}:") for each in asked)


def aged(old: SummaryContent, fresh: SummaryContent | None, gone: Gone, *, unsaid: bool) -> SummaryContent | None:
    """A summary whose sources are there no longer, or in part; `fresh` is what they still give. `unsaid`: the agent's
    words answered what was forgotten. None when nothing is left to tell."""
    told = {name: gone.untold(str(getattr(old, name)).splitlines()) for name in _FIELDS}
    if unsaid:
        told = {name: [line for line in lines if not _is_spoken(name, line)] for name, lines in told.items()}
    for name in ("investigated", "done"):
        again = str(getattr(fresh, name)).splitlines() if fresh else []
        told[name] += [line for line in again if line not in told[name] and not _is_spoken(name, line)]
    files = (*(path for path in old.files if path not in gone.files), *(fresh.files if fresh else ()))
    request = fresh.request if fresh else ""
    if not request and not any(told.values()):
        return None
    return SummaryContent(
        title=_title(old, fresh, gone, told["done"]),
        request=request,
        outcome=(fresh.outcome if fresh else "") or ("" if any(e.outcome for e in gone.observations) else old.outcome),
        files=tuple(dict.fromkeys(files)),
        **{name: "\n".join(lines) for name, lines in told.items()},
    )


def by_user(old: SummaryContent, fresh: SummaryContent | None, gone: Gone) -> SummaryContent:
    """A summary that a user wrote: title and text are the user's, the rest may tell of what was forgotten."""
    files = tuple(path for path in old.files if path not in gone.files)
    done = gone.untold(old.done.splitlines())
    return SummaryContent(_title(old, fresh, gone, done), done="\n".join(done), outcome=old.outcome, files=files)


def spoken(content: SummaryContent) -> SummaryContent:
    """Of a summary, the lines that the agent said."""
    lines = {name: str(getattr(content, name)).splitlines() for name in _FIELDS}
    told: dict[str, Any] = {name: "\n".join(line for line in lines[name] if _is_spoken(name, line)) for name in lines}
    return SummaryContent("", **told)


def _title(old: SummaryContent, fresh: SummaryContent | None, gone: Gone, done: list[str]) -> str:
    if not gone.names(old.title):
        return old.title
    return fresh.title if fresh else one_line(next(iter(done), "Work without a request"), _LONGEST_TITLE)


def _is_spoken(field: str, line: str) -> bool:
    """Is this a line of what the agent said, and not of what it did?"""
    match field:
        case "done":
            return line.startswith(ANSWERED)
        case "learned":
            return PASSED_AFTER not in line
        case "left_open":
            return not line.startswith(STILL_FAILS)
        case _:
            return field == "said"
