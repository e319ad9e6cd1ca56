"""Reads a shell command line into its simple commands, by tree-sitter's bash grammar. Never raises.

Follows substitutions, functions, heredocs, `bash -c`, `eval`, `xargs` and `find -exec` down to a bounded depth, and
says of each command where it runs and what the line's exit status tells about it. What they mean is left to others.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.shell import heredocs
from holdfast.shell.scene import DEEPEST, Scene, Shell
from holdfast.shell.script import Command, Loop, Script
from holdfast.shell.walk import Walk

if TYPE_CHECKING:
    from tree_sitter import Language

LONGEST = 200_000
"""Bytes of a command line that are read, heredoc bodies not counted."""


_REMEMBERED = 4_096
"""Characters up to which a line is remembered."""


def parse(command: str, *, deep: bool = True) -> Script:
    """All simple commands of a command line, nested ones included. Not `deep`: without what `bash -c`, `eval`, `xargs`
    and `find -exec` run in their turn. Several rooms read one line, so the last ones are remembered."""
    return _parsed(command, deep) if len(command) <= _REMEMBERED else _parsed.__wrapped__(command, deep)


@lru_cache(maxsize=64)
def _parsed(command: str, deep: bool) -> Script:
    reader = Reader(deep)
    reader.read(command, Scene(), Shell())
    return Script(command, tuple(reader.commands), tuple(reader.loops), reader.complete and not reader.cut, reader.cut)


@lru_cache(maxsize=1)
def _language() -> Language:
    # Imported at the first command, not at start: the road must not wait for it.
    import tree_sitter_bash
    from tree_sitter import Language

    return Language(tree_sitter_bash.language())


class Reader:
    """Collects the commands of a line and of the texts inside it."""

    def __init__(self, deep: bool = True) -> None:
        self.deep = deep
        self.commands: list[Command] = []
        self.loops: list[Loop] = []
        self.complete = True
        self.cut = False

    def read(self, command: str, scene: Scene, shell: Shell) -> None:
        """Parses a text on its own: the whole line, or what `bash -c` is given."""
        from tree_sitter import Parser

        if scene.depth > DEEPEST:
            self.cut = True
            return
        lifted, found = heredocs.lift(command)
        text = lifted.encode("utf-8", "replace")
        if len(text) > LONGEST:
            text, self.cut = text[:LONGEST], True
        root = Parser(_language()).parse(text).root_node
        if root.has_error or not all(entry.closed for entry in found):
            self.complete = False
        Walk(self, text, found).sequence([root], scene, shell)
