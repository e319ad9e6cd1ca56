"""Reads a line that the grammar cannot read as a whole: statement by statement, and where that fails word by word.

What the grammar reads of a broken line is a guess: it drops words (`rm -rf ~` becomes `rm -rf`) and takes others for
more arguments. Here each part that it can read is read by it, and the rest is put together from its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from holdfast.shell import pieces, words
from holdfast.shell.pieces import Token
from holdfast.shell.script import Assignment, Command, Heredoc, Part, Redirection, Word
from holdfast.shell.surroundings import DEEPEST, MOST, Shell, Surroundings
from holdfast.shell.walk import Collector, Walk

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_MOST_WORK, _LEAST_WORK, _OF_LETTER, _OF_STEP = 100_000, 4_000, 20, 3
"""What the grammar may cost for one line, all its parts together, counted as `_cost` does: 50 ms for any line, two for
the shortest. Lines of a day that it cannot read as a whole take up to 600."""
_HEAVIEST = 1_000
"""Tokens of a statement that the grammar reads at once."""
_SET = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=")
_QUOTES = re.compile(r"\\(.)|['\"]|\$(?=['\"])", re.DOTALL)
_NOT_OF_IT = frozenset({"!", "coproc"})
"""Words before a command that are not part of it."""


def most_work(letters: int) -> int:
    """What the grammar may cost for a line of this length."""
    return min(_MOST_WORK, _LEAST_WORK + _OF_LETTER * letters)


def is_counted(commands: Iterable[Command], number: int | None) -> bool:
    """Are these as many commands as the line has, those aside that heredocs and inner shells run?"""
    return sum(1 for command in commands if _OF_OTHER_TEXT.isdisjoint(command.nesting)) == number


def is_heavy(weight: int) -> bool:
    """Is this more than the grammar is given at once? Where it fails it takes time by the square of the tokens
    (0.25.1: 16,000 brackets take a second), in one call that nothing interrupts."""
    return weight > _HEAVIEST


def _cost(raw: bytes, weight: int) -> int:
    return len(raw) + weight * weight // 32


_OF_OTHER_TEXT = frozenset({"heredoc", "shell", "eval", "trap", "xargs", "find"})


class PieceCollector(Collector, Protocol):
    complete: bool
    left: int
    """What is left of `most_work`, for all texts of the line together."""


@dataclass(slots=True)
class Piecewise:
    """Reads the statements of one text."""

    reader: PieceCollector
    parser: Parser
    text: str
    heredocs: tuple[Heredoc, ...]

    def read(self, around: Surroundings, shell: Shell) -> None:
        found, closed = pieces.tokens(self.text)
        self.reader.left -= len(self.text) + _OF_STEP * pieces.cost(self.text)
        self.reader.cut = self.reader.cut or len(found) >= pieces.MOST
        self.reader.complete = self.reader.complete and closed
        self._statements(pieces.cut(found, 0), 0, around, shell)

    def _statements(self, found: Iterator[Sequence[Token]], depth: int, around: Surroundings, shell: Shell) -> None:
        for statement in found:
            if around.depth > DEEPEST or len(self.reader.commands) >= MOST or self.reader.left <= 0:
                self.reader.cut = True
                return
            first = statement[0]
            if first.kind == "name" and first.depth <= depth:  # its body follows
                around = around.within("function", lost=True, function=(first.text, first.start))
            elif first.kind == "head" and first.depth <= depth:
                self._head(first.text, around, shell)
            else:
                self._statement(statement, depth, around, shell)

    def _statement(self, statement: Sequence[Token], depth: int, around: Surroundings, shell: Shell) -> None:
        """By the grammar where it can; else cut at `&&`, then into what stands inside, then at pipes, then by words."""
        self.reader.left -= 4 * len(statement)
        if self._by_grammar(statement, around, shell):
            return
        if any(token.kind == "link" and token.depth <= depth for token in statement):
            self._statements(pieces.cut(statement, depth, links=True), depth, around, shell)
        elif any(token.depth > depth for token in statement):
            below = replace(around, depth=around.depth + 1)
            if statement[0].text == "(":
                below, shell = around.within("subshell"), replace(shell)
            self._statements(pieces.cut(statement, depth + 1), depth + 1, below, shell)
        elif any(token.kind == "pipe" for token in statement):
            self._pipeline(statement, depth, around, shell)
        else:
            self._simple(statement, around, shell)

    def _by_grammar(self, statement: Sequence[Token], around: Surroundings, shell: Shell) -> bool:
        """Read a statement by the grammar; False, and nothing is kept, when it finds another number of commands."""
        root = self._parsed(self.text[statement[0].start : statement[-1].end], pieces.weight(statement))
        if root is None:
            return False
        commands, loops, before = len(self.reader.commands), len(self.reader.loops), replace(shell)
        self._walk(root).sequence([root[0]], around, shell)
        number, steps = pieces.count(statement)
        self.reader.left -= _OF_STEP * steps
        if is_counted(self.reader.commands[commands:], number) or self.reader.cut:
            return True
        del self.reader.commands[commands:], self.reader.loops[loops:]
        shell.directory, shell.errexit, shell.pipefail = before.directory, before.errexit, before.pipefail
        return False

    def _pipeline(self, statement: Sequence[Token], depth: int, around: Surroundings, shell: Shell) -> None:
        members: list[list[Token]] = [[]]
        for token in statement:
            if token.kind == "pipe":
                members.append([])
            else:
                members[-1].append(token)
        for position, member in enumerate(members):
            if not member:
                continue
            begun = len(self.reader.commands)
            self._statement(member, depth, around, replace(shell))
            for number in range(begun, len(self.reader.commands)):
                command = self.reader.commands[number]
                if command.nesting == around.nesting:
                    self.reader.commands[number] = replace(command, position=position, length=len(members))

    def _head(self, text: str, around: Surroundings, shell: Shell) -> None:
        """What stands behind `for`, `select` and `case`."""
        if (root := self._parsed(f"for {text}; do :; done")) is not None:
            self._walk(root).sequence([root[0]], around, shell)
        else:
            self._inside(text, around, shell)

    def _inside(self, text: str, around: Surroundings, shell: Shell) -> None:
        """The commands that a text has in its `$(…)`, backquotes and `<(…)`."""
        self.reader.left -= len(text)
        for each in pieces.inner(text)[:MOST]:
            self.reader.read(each, around.within("substitution", lost=True), replace(shell))

    def _simple(self, statement: Sequence[Token], around: Surroundings, shell: Shell) -> None:
        """One command, from its words."""
        given: list[Word] = []
        assignments: list[Assignment] = []
        redirections: list[Redirection] = []
        inside: list[str] = []
        tokens = iter(statement)
        for token in tokens:
            inside.append(token.text)
            if token.kind == "redirect":
                target = next(tokens, None)
                inside += [target.text] if target else []
                redirections += self._redirection(token.text, target.text if target else "")
            elif token.kind == "test":
                given += [Word(each, (Part(each, known=False),)) for each in token.text.split()]
            elif not given and (match := _SET.match(token.text)):
                assignments.append(Assignment(match[1], self._word(token.text[match.end() :]), bool(match[2])))
            elif given or token.text not in _NOT_OF_IT:
                given.append(self._word(token.text))
        base = Command("", "")
        if given or assignments or redirections:
            walk = Walk(self.reader, b"", self.heredocs)
            walk.emit(base, given, assignments, redirections, around, shell, ())
        for text in inside:
            self._inside(text, around, shell)

    def _word(self, text: str) -> Word:
        if pieces.PLAIN_WORD.match(text):
            return Word(text, (Part(text),))
        if (root := self._parsed(f": {text}")) is not None:
            command = root[0].named_children[0] if root[0].named_child_count == 1 else None
            if command is not None and command.type == "command" and command.named_child_count == 2:
                return words.word(command.named_children[1], root[1])
        plain = _QUOTES.sub(lambda match: match[1] or "", text)
        return Word(plain, (Part(plain, known="$" not in text and "`" not in text, quoted=plain != text),))

    def _redirection(self, sign: str, target: str) -> list[Redirection]:
        if (root := self._parsed(f": {sign} {target}")) is not None:
            waiting = [root[0]]
            while waiting:
                node = waiting.pop()
                if node.type == "file_redirect":
                    return self._walk(root).redirection(node)[0]
                waiting.extend(node.children)
        number = sign.rstrip("<>&|")
        return [Redirection("append" if ">>" in sign else "write", self._word(target), number)] if ">" in sign else []

    def _parsed(self, text: str, weight: int = 0) -> tuple[Node, bytes] | None:
        """The tree of a text; None when the grammar cannot read it, or would have too much to do."""
        weight = weight or 1 + pieces.weight([Token("word", text, 0, 0, 0)])
        if is_heavy(weight):
            return None
        raw = text.encode("utf-8", "replace")
        self.reader.left -= _cost(raw, weight)
        if self.reader.left <= 0:
            return None
        root = self.parser.parse(raw).root_node
        return None if root.has_error else (root, raw)

    def _walk(self, root: tuple[Node, bytes]) -> Walk:
        return Walk(self.reader, root[1], self.heredocs)
