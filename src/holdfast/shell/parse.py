"""Reads a shell command line into its simple commands, by tree-sitter's bash grammar. Never raises.

Follows substitutions, functions, heredocs, `bash -c`, `eval`, `xargs` and `find -exec` down to a bounded depth, and
says of each command where it runs and what the line's exit status tells about it. What they mean is left to others.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.shell import heredocs, pieces
from holdfast.shell.piecewise import Piecewise, is_counted, is_heavy, most_work
from holdfast.shell.script import Command, Loop, Script
from holdfast.shell.surroundings import DEEPEST, Shell, Surroundings
from holdfast.shell.walk import Walk

if TYPE_CHECKING:
    from tree_sitter import Language

LONGEST = 32 * 1024
"""Bytes of a command line that are read, heredoc bodies not counted. The parser holds the interpreter meanwhile: some
30 ms at the worst on a busy machine (SEC-7)."""


_MOST_PIPES, _MOST_PIPES_IN_ALL = 400, 2_000
"""Parts of one pipeline that are read, and pipes of a whole line, whatever seems to quote them. The grammar (0.25.1)
takes time by the square of a pipeline's parts, in one call that nothing interrupts: 8,000 took 1.5 s, 400 take a few
milliseconds."""
_PIPES = re.compile(
    rb"""\\.|\$'(?:[^'\\]++|\\.)*+'|'[^']*'|"(?:[^"\\$`]++|\\.|\$(?!\())*+"|(?P<note>(?<![^\s;&|()])\#[^\n]*)"""
    rb"""|(?P<pipe>\|)|(?P<end>[;\n])""",
    re.DOTALL,
)
"""Pipes and ends of commands, and what hides them: escapes, quotations without a command inside, comments."""
MOST_PARTS = 800
"""Commands of a line that are read by those who follow each of them."""
_PARTS = re.compile(
    r"""\\.|\$?'[^']*'|"(?:[^"\\]++|\\.)*+"|(?:\A|(?<=[\s;&|()]))\#[^\n]*"""
    r"""|(?P<part>(?<![;&|\n])[;&|\n]++[ \t]*+(?=[\w./$"'~-]))""",
    re.DOTALL,
)
_RUNS_INSIDE = re.compile(r"\A\"[^$`]*(?:\$\(|`)", re.DOTALL)
_LONGEST_UNQUOTED = 16 * 1024
"""Letters of a line that are neither quoted nor a comment. These are words and signs, which cost the most."""
_LIGHT = 1_000
"""Bytes up to which no line can have too many tokens for the grammar."""
_LETTERS, _STEPS, _WORK = 100, 8, 12
"""What costs as much as a word: so many letters for the grammar, steps of `pieces`, units of `most_work`."""
_SHORT, _REMEMBERED = 400, 4_096
"""Characters up to which a line is remembered among many, and among few. A line is read before its call and after it;
with hundreds of agents, many others are read in between."""


def parse(command: str, *, deep: bool = True) -> Script:
    """All simple commands of a command line, nested ones included. Not `deep`: without what `bash -c`, `eval`, `xargs`
    and `find -exec` run in their turn. Several rooms read one line, so the last ones are remembered."""
    if len(command) <= _SHORT:
        return _parsed_short(command, deep)
    return _parsed_long(command, deep) if len(command) <= _REMEMBERED else _parsed(command, deep)


def is_too_long(command: str) -> bool:
    """Is it sure, without reading it, that there is more than is read? A text costs a processor by its letters and by
    its parts; both are counted at the speed of a search."""
    if len(command) <= _LIGHT:
        return False
    lifted = heredocs.lift(command)[0]
    if len(lifted) > LONGEST:
        return True
    parts = quoted = 0
    for found in _PARTS.finditer(lifted):
        if found["part"]:
            parts += 1
            if parts >= 3 * MOST_PARTS:
                return True
        elif not _RUNS_INSIDE.search(found[0]):
            quoted += len(found[0])
    return len(lifted) - quoted > _LONGEST_UNQUOTED


def parse_piecewise(command: str) -> Script:
    """The same for a line that `is_doubtful`, not deep: it is read in pieces. `complete` when all that it opens is
    closed; otherwise neither reading is sure to be right, and who must not miss a command takes both."""
    return _parsed(command, deep=False, piecewise=True)


def is_doubtful(script: Script) -> bool:
    """Did the grammar fail at this line, or find another number of commands than its quotes and brackets tell? For a
    script that was not parsed deep."""
    return doubt(script)[0]


def doubt(script: Script) -> tuple[bool, int]:
    """The same, and what it costs to say so, counted in words."""
    if not script.complete or script.cut:
        return not script.complete, 0
    number, steps = pieces.counted(script.lifted)
    return not is_counted(script.commands, number), steps // _STEPS


def _parsed(command: str, deep: bool, piecewise: bool = False) -> Script:
    reader = Reader(deep, piecewise)
    reader.read(command, Surroundings(), Shell())
    return Script(
        command,
        tuple(reader.commands),
        tuple(reader.loops),
        reader.complete and not reader.cut,
        reader.cut,
        reader.lifted,
        reader.cost,
    )


_parsed_short = lru_cache(maxsize=512)(_parsed)
_parsed_long = lru_cache(maxsize=64)(_parsed)


@lru_cache(maxsize=1)
def _language() -> Language:
    # Imported at the first command, not at start: the road must not wait for it.
    import tree_sitter_bash
    from tree_sitter import Language

    return Language(tree_sitter_bash.language())


class Reader:
    """Collects the commands of a line and of the texts inside it."""

    def __init__(self, deep: bool = True, piecewise: bool = False) -> None:
        self.deep = deep
        self._piecewise = piecewise
        self._given = self.left = 0
        self.words = 0
        self.letters = 0
        self.lifted = ""
        self.commands: list[Command] = []
        self.loops: list[Loop] = []
        self.compounds = 0
        self.complete = True
        self.cut = False

    @property
    def cost(self) -> int:
        """What it has cost so far, counted in words."""
        return self.words + self.letters // _LETTERS + (self._given - self.left) // _WORK

    def read(self, command: str, around: Surroundings, shell: Shell) -> None:
        """Parses a text on its own: the whole line, or what `bash -c` is given."""
        from tree_sitter import Parser

        if not self._given:
            self._given = self.left = most_work(len(command))
        if around.depth > DEEPEST or self.left <= 0:
            self.cut = True
            return
        lifted, found = heredocs.lift(command)
        lifted = comments_ended(lifted)
        self.lifted = self.lifted or lifted
        text = lifted.encode("utf-8", "replace")
        if len(text) > LONGEST:
            text, self.cut = text[:LONGEST], True
        self.letters += len(text)
        if (end := _end_of_long_pipeline(text)) is not None:
            text, self.cut = text[:end], True
        parser = Parser(_language())
        if self._piecewise or (len(text) > _LIGHT and is_heavy(_weight(text))):
            self.complete = self.complete and all(entry.closed for entry in found)
            Piecewise(self, parser, text.decode("utf-8", "replace"), found).read(around, shell)
            return
        root = parser.parse(text).root_node
        if root.has_error or not all(entry.closed for entry in found):
            self.complete = False
        Walk(self, text, found).sequence([root], around, shell)


_NOTES = re.compile(r"\\.|'[^']*+'|\"(?:[^\"\\]++|\\.)*+\"|(?:(?<=[\s;&|(])|\A)#[^\n]*+", re.DOTALL)


def comments_ended(text: str) -> str:
    """A comment ends with its line, also behind a backslash, which the grammar takes for a continued line."""
    if "#" not in text or "\\\n" not in text:
        return text
    return _NOTES.sub(lambda found: found[0].rstrip("\\") if found[0][0] == "#" else found[0], text)


def _weight(text: bytes) -> int:
    return pieces.weight(pieces.tokens(text.decode("utf-8", "replace"))[0])


def _end_of_long_pipeline(text: bytes) -> int | None:
    """Where the first pipeline with too many parts reaches its limit; None when there is none, as almost always."""
    if text.count(b"|") <= _MOST_PIPES:
        return None
    parts, pipes, last, goes_on = 0, 0, 0, False
    for found in _PIPES.finditer(text):
        if found["pipe"]:
            parts, goes_on = parts + 1, True
            if parts > _MOST_PIPES:
                return found.start()
        elif goes_on and text[last : found.start()].strip():
            goes_on = False  # a pipe goes on behind line breaks and comments
        if found["end"] and not goes_on:
            parts = 0
        elif goes_on and not (found["pipe"] or found["end"] or found["note"]):
            goes_on = False
        pipes += found[0].count(b"|")
        last = found.end()
        if pipes > _MOST_PIPES_IN_ALL:
            return last
    return None
