"""Lines of this room. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.items.words import WRITER_MARKS
from holdfast.prose.one_line import one_line
from holdfast.rooms.commits.model import Commit, Partner
from holdfast.times import age

SHORT_HASH = 10
_LONGEST_PATH = 160
_LONGEST_LINE = 300
_SHOWN_FILES = 2


def together(path: str, partners: Sequence[Partner]) -> str:
    """The line at a Read."""
    named = ", ".join(
        f"{one_line(each.path, _LONGEST_PATH)} ({each.together} of {each.of} commits)" for each in partners
    )
    return f"Usually changes together with {one_line(path, _LONGEST_PATH)}: {named}."


def line(commit: Commit, now: int) -> str:
    """A commit as an agent reads it in an assembled context."""
    files = [change.path for change in commit.changes[:_SHOWN_FILES]]
    more = commit.file_count - len(files)
    told = f"; {', '.join(files)}{f' and {more} more' if more > 0 else ''}" if files else ""
    facts = f"({one_line(commit.author, 40)}, {age(now, commit.happened_at)}{one_line(told, _LONGEST_PATH)})"
    return f"[{commit.hash[:SHORT_HASH]}] {WRITER_MARKS['repository']}{one_line(commit.subject, _LONGEST_LINE)} {facts}"
