"""The items of a list that one program prints and another takes as its words: `find … | xargs rm`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.commandline.model import Arg, Run
from holdfast.commandline.reading import find_words

INPUT = Arg("$(input)", known=False)
EVERY_KEY = ("every key",)
"""Instead of the words of a `find`: the list of all that a store of keys has."""
EVERY_PROCESS = ("every process",)
"""The same for a list of all processes, or of all that a user has."""
EVERY_CONTAINER = ("every container",)
CHOSEN = ("chosen by a filter",)
"""The same for containers: all of them, or those that a filter has chosen."""
_NO_FILES = (EVERY_KEY, EVERY_PROCESS, EVERY_CONTAINER, CHOSEN)
_REMOVES = re.compile(r"\b(?:rm|unlink|shred|srm|wipe)\b")


def removes(command: Sequence[Arg]) -> bool:
    """Does a command with these words remove files?"""
    return command[0].text != "git" and any(_REMOVES.search(arg.text) for arg in command)


def lists_files(found: tuple[str, ...]) -> bool:
    """Are these the words of a `find`, or of what lists files as it does?"""
    return bool(found) and found not in _NO_FILES


def found_items(found: tuple[str, ...]) -> list[Arg]:
    """What a list made by these words of `find` stands for, as arguments."""
    first, last = find_words.starts(found)
    starts = found[first:last] or (".",)
    if not find_words.is_chosen(found):
        return [Arg(start, found_by=found) for start in starts]
    return [Arg(f"{start.rstrip('/')}/<found>", found_by=found) for start in starts]


def told(run: Run, words: Sequence[str], command: Sequence[Arg]) -> list[Arg]:
    """The items of a list whose text the line tells, and what stands for the rest where it does not tell all."""
    items = [Arg(each.strip()) for each in words if each.strip()]
    if not run.more_input:
        return items
    return [*(item for item in items if "$" not in item.text and "`" not in item.text), *not_told(run, command)]


def not_told(run: Run, command: Sequence[Arg]) -> list[Arg]:
    """What stands for the items of a list whose text is not known."""
    if run.found in (EVERY_KEY, EVERY_PROCESS):
        return [Arg(f"$({run.found[0]})", known=False)]
    if run.found == CHOSEN:
        return [Arg("chosen_by_filter")]
    if lists_files(run.found) and (removes(command) or not find_words.is_loose(run.found)):
        return found_items(run.found)
    return [INPUT]
