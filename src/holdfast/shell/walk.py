"""Walks one parsed text: from statements of the grammar to commands, with their nesting, directory and status."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from holdfast.shell import heredocs, words
from holdfast.shell.layout import REDIRECTS, SIMPLE, CommandList, Element, statements
from holdfast.shell.script import (
    Apart,
    Assignment,
    Command,
    Compound,
    Heredoc,
    Loop,
    Nesting,
    Part,
    Redirection,
    RedirectMode,
    Word,
)
from holdfast.shell.surroundings import DEEPEST, MOST, Shell, Surroundings, changed, remember
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import Inner, inner, resolve

if TYPE_CHECKING:
    from tree_sitter import Node

_MODES: dict[str, RedirectMode] = {
    "<": "read", ">": "write", ">>": "append", ">|": "write", "&>": "write", "&>>": "append",
    "<&": "duplicate", ">&": "duplicate", "<&-": "duplicate", ">&-": "duplicate",
}  # fmt: skip
_HARMLESS = listed(
    "cd pushd popd export source . set echo printf true : mkdir ulimit umask unset shopt local readonly declare"
)
"""Commands that are not taken for the one that failed when a chain fails."""
_ENDS = frozenset({"exit", "return", "false"})
_CLAUSES = frozenset({"elif_clause", "else_clause", "do_group", "case_item"})
_SECTIONS: dict[str, Nesting | None] = {
    "if": "condition", "elif": "condition", "while": "condition", "until": "condition", "then": "branch",
    "else": "branch", ")": "branch", "do": "loop", "case": None, "for": None, "select": None, "case_item": None,
}  # fmt: skip
_OF_COMMAND = 5
"""What a command costs beyond its words."""
_LONGEST_BODY = 100_000
"""Characters of a heredoc in which substitutions are looked for."""
_COMPUTES = re.compile(r"\$\(|`")
_EVERY_ARGUMENT = Word("$@", (Part("$@", known=False, quoted=True),))
"""What `for f; do` goes through."""


class Collector(Protocol):
    deep: bool
    cut: bool
    commands: list[Command]
    loops: list[Loop]
    compounds: int
    words: int
    """What the commands cost, counted in words."""
    letters: int

    def read(self, command: str, around: Surroundings, shell: Shell) -> None: ...


@dataclass(slots=True)
class Walk:
    reader: Collector
    text: bytes
    heredocs: tuple[Heredoc, ...]

    def sequence(self, nodes: Iterable[Node], around: Surroundings, shell: Shell) -> None:
        if around.depth > DEEPEST:
            self.reader.cut = True
            return
        found = statements(nodes)
        if len(found) > MOST:
            self.reader.cut = True
        for number, statement in enumerate(found[:MOST]):
            last = number == len(found) - 1
            own = around
            if statement.background:
                own = replace(around, masked=True, shared=True)
            elif not last:
                own = replace(around, masked=around.masked or not shell.errexit, shared=True)
            elif len(found) > 1 and shell.errexit:
                own = replace(around, shared=True)
            self._statement(statement, own, shell, None if last else self._tells(found[number + 1]))

    def _tells(self, statement: CommandList) -> str | None:
        """The sign and the text before it when this statement prints the status of the one before."""
        node = statement.pipelines[0][0].node
        if node is None or node.type != "command" or self._name(node) != "echo":
            return None
        line = " ".join(word.text for word in self._words(node)[1:])
        return next((sign + line.split(sign, 1)[0] for sign in ("$?", "${PIPESTATUS[0]}") if sign in line), None)

    def _statement(self, statement: CommandList, around: Surroundings, shell: Shell, told: str | None) -> None:
        pipelines, links = statement.pipelines[:MOST], statement.links
        if len(pipelines) < len(links):
            self.reader.cut = True
        heavy = [
            link != "||" and not all(self._harmless(element) for element in pipeline)
            for pipeline, link in zip(pipelines, links, strict=False)
        ]
        caught = [False] * len(pipelines)
        for number in range(len(pipelines) - 2, -1, -1):
            after = number + 1
            caught[number] = caught[after] or (links[after] == "||" and not self._gives_up(pipelines[after]))
        maybe, count = False, sum(heavy)
        for number, pipeline in enumerate(pipelines):
            maybe = maybe or links[number] == "||"
            others = count - heavy[number] > 0 and not (links[number] == "||" and number == len(pipelines) - 1)
            own = replace(
                around,
                masked=around.masked or caught[number] or maybe,
                shared=around.shared or others or caught[number],
            )
            self._pipeline(pipeline, own, shell, told if number == len(pipelines) - 1 else None)

    def _harmless(self, element: Element) -> bool:
        node = element.node
        if node is None or node.type in ("variable_assignment", "variable_assignments", "declaration_command"):
            return True
        return node.type == "command" and self._name(node) in _HARMLESS

    def _gives_up(self, pipeline: list[Element]) -> bool:
        """`|| exit 1`, `|| { echo no; exit 1; }`: the failure stays a failure."""
        node = pipeline[-1].node
        while node is not None and node.type in ("compound_statement", "subshell", "list"):
            simple = [child for child in node.named_children if child.type != "comment"]
            node = simple[-1] if simple else None
        if node is None or node.type != "command" or self._name(node) not in _ENDS:
            return False
        return [word.text for word in self._words(node)[1:]] != ["0"]

    def _name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return words.source(name, self.text) if name else ""

    def _pipeline(self, pipeline: list[Element], around: Surroundings, shell: Shell, told: str | None) -> None:
        length = len(pipeline)
        first = told is not None and told.startswith("${PIPESTATUS[0]}")
        for position, element in enumerate(pipeline):
            own, where = around, shell
            if length > 1:
                where = replace(shell)
                hidden = position < length - 1 and not shell.pipefail
                own = replace(around, masked=around.masked or hidden, shared=around.shared or hidden)
            if element.negated:
                own = replace(own, masked=True, shared=True)
            base = Command(
                "", "", before=element.before, after=element.after, position=position, length=length,
                negated=element.negated,
            )  # fmt: skip
            if told is not None and position == (0 if first else length - 1):
                base = replace(base, told=told.removeprefix("${PIPESTATUS[0]}").removeprefix("$?"))
            self._element(element, base, own, where)

    def _element(self, element: Element, base: Command, around: Surroundings, shell: Shell) -> None:
        node = element.node
        redirections: list[Redirection] = []
        extra = [words.word(stray, self.text) for stray in element.strays]
        simple = node if node is not None and node.type in SIMPLE else None
        inside = [child for child in simple.children if child.type in REDIRECTS] if simple else []
        for redirect in (*inside, *element.redirects):
            redirection, more = self.redirection(redirect)
            redirections.extend(redirection)
            extra.extend(more)
        if node is not None and simple is None:
            apart: Apart = "function" if node.type == "function_definition" else ""
            compound = self._compound(apart, base.position, base.length, tuple(redirections))
            self._group(node, around.held_by(compound), shell)
            if not redirections:
                return
            base = replace(base, ends=compound)
        assignments = self._assignments(simple) if simple else []
        all_words = (self._words(simple) if simple else []) + extra
        written = [*([simple] if simple else []), *element.redirects, *element.strays]
        self.emit(base, all_words, assignments, redirections, around, shell, written)

    def _compound(
        self, apart: Apart, position: int = 0, length: int = 1, redirections: tuple[Redirection, ...] = ()
    ) -> Compound:
        self.reader.compounds += 1
        return Compound(self.reader.compounds, position, length, redirections, apart)

    def emit(
        self, base: Command, all_words: Sequence[Word], assignments: Sequence[Assignment],
        redirections: Sequence[Redirection], around: Surroundings, shell: Shell, written: Iterable[Node],
    ) -> None:  # fmt: skip
        """Keeps one command, then what is written inside it and what it runs in its turn."""
        if len(self.reader.commands) >= MOST or around.depth > DEEPEST:
            self.reader.cut = True
            return
        self.reader.words += _OF_COMMAND + len(all_words)
        self.reader.letters += sum(len(word.text) for word in all_words)
        resolved = resolve(list(all_words))
        here = shell.directory if resolved.directory is None else changed(shell.directory, resolved.directory)
        command = replace(
            base, program=resolved.program, path=resolved.path, arguments=resolved.arguments,
            assignments=(*assignments, *resolved.assignments), redirections=tuple(redirections),
            wrappers=resolved.wrappers, nesting=around.nesting, parent=around.parent, directory=here,
            masked=around.masked, shared=around.shared, function=around.function[0],
            definition=around.function[1], inside=around.inside,
        )  # fmt: skip
        index = len(self.reader.commands)
        self.reader.commands.append(command)
        for node in written:
            self._substitutions(node, around, shell, index)
        for entry in command.heredocs:
            if not entry.quoted:
                body = entry.body[:_LONGEST_BODY]
                self.reader.cut = self.reader.cut or _COMPUTES.search(entry.body, _LONGEST_BODY) is not None
                for text in heredocs.substitutions(body):
                    below = around.within("heredoc", lost=True, parent=index).held_by(self._compound("substitution"))
                    self.reader.read(text, below, replace(shell))
        runs = inner(command.program, command.arguments, command.redirections) if self.reader.deep else ()
        for deeper in runs:
            self._inner(deeper, command, around.within(deeper.place, deeper.status == "lost", index), shell)
        remember(resolved, shell)
        if command.before == "||" and resolved.program in ("cd", "pushd"):
            shell.directory = None  # it runs in the one folder or the other

    def _substitutions(self, node: Node, around: Surroundings, shell: Shell, parent: int | None) -> None:
        for found in words.substitutions(node):
            place: Nesting = "substitution" if found.type == "command_substitution" else "process"
            below = around.within(place, lost=True, parent=parent).held_by(self._compound("substitution"))
            self.sequence(found.children, below, replace(shell))

    def _inner(self, deeper: Inner, command: Command, around: Surroundings, shell: Shell) -> None:
        where = shell if deeper.place == "eval" else replace(shell, directory=command.directory)
        if deeper.text is not None:
            self.reader.read(deeper.text, around, where)
        else:
            self.emit(Command("", ""), deeper.words, (), (), around, where, ())

    def _group(self, node: Node, around: Surroundings, shell: Shell) -> None:
        match node.type:
            case "subshell":
                self.sequence(node.children, around.within("subshell"), replace(shell))
            case "compound_statement" if words.source(node, self.text).startswith("(("):
                self._substitutions(node, around, shell, around.parent)
            case "compound_statement":
                self.sequence(node.children, around.within("group"), shell)
            case "function_definition":
                body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
                if body is not None:
                    called = (words.source(name, self.text) if name is not None else "", node.start_byte)
                    self.sequence([body], around.within("function", lost=True, function=called), replace(shell))
            case _:
                self._clauses(node, around, shell)

    def _clauses(self, node: Node, around: Surroundings, shell: Shell) -> None:
        """`if`, `while`, `for`, `case`: a condition, and branches that may not run."""
        section: Nesting | None = "loop"
        held: list[Node] = []
        if node.type == "for_statement" and (variable := node.child_by_field_name("variable")) is not None:
            name = words.source(variable, self.text)
            values = node.children_by_field_name("value")
            at = len(self.reader.commands)
            given = [words.word(value, self.text) for value in values[:MOST]] or [_EVERY_ARGUMENT]
            self.reader.loops.extend(Loop(name, value, at) for value in given)

        def close() -> None:
            if held and section is not None:
                self.sequence(held, around.within(section, lost=True), shell)
            elif held:
                for entry in held:
                    self._substitutions(entry, around, shell, around.parent)
            held.clear()

        waiting = node.children[::-1]
        while waiting:
            child = waiting.pop()
            if child.type in _SECTIONS:
                close()
                section = _SECTIONS[child.type]
            if child.type in _CLAUSES:
                close()
                waiting.extend(reversed(child.children))
            else:
                held.append(child)
        close()

    def _words(self, node: Node) -> list[Word]:
        if node.type == "test_command":
            raw = words.source(node, self.text)
            sign = "[[" if raw.startswith("[[") else "["
            return [Word(sign, (Part(sign),)), *(Word(piece, (Part(piece, known=False),)) for piece in raw.split()[1:])]
        if node.type.startswith("variable_assignment"):
            return []
        skipped = ("variable_assignment", "comment", "ERROR", *REDIRECTS)
        return [words.word(child, self.text) for child in node.children if child.type not in skipped]

    def _assignments(self, node: Node) -> list[Assignment]:
        found = []
        for entry in [node, *node.children]:
            if entry.type == "variable_assignment":
                name, value = entry.child_by_field_name("name"), entry.child_by_field_name("value")
                text = words.source(name, self.text) if name else ""
                adds = any(child.type == "+=" for child in entry.children)
                found.append(Assignment(text, words.word(value, self.text) if value else Word(""), adds))
        return found

    def redirection(self, node: Node) -> tuple[list[Redirection], list[Word]]:
        """A redirection, and the words behind it that the grammar took for more targets."""
        descriptor = node.child_by_field_name("descriptor")
        number = words.source(descriptor, self.text) if descriptor else ""
        signs = [child.type for child in node.children if not child.is_named]
        sign = signs[0] if signs else ">"
        targets = [
            words.word(child, self.text)
            for child in node.named_children
            if child.type not in ("file_descriptor", "comment", "ERROR")
        ]
        if sign.endswith("&-"):
            return [Redirection("duplicate", Word("-"), number)], targets
        if not targets:
            return [], []
        target, rest = targets[0], targets[1:]
        if target.text.startswith(heredocs.MARK):
            place = target.text.strip(heredocs.MARK)
            entry = self.heredocs[int(place)] if place.isdigit() and int(place) < len(self.heredocs) else None
            return [Redirection("heredoc", Word(entry.tag if entry else ""), number, entry)], rest
        if target.text.startswith(heredocs.HERE):
            first = replace(target.parts[0], text=target.parts[0].text.removeprefix(heredocs.HERE))
            whole = Word(target.text.removeprefix(heredocs.HERE), (first, *target.parts[1:]))
            return [Redirection("herestring", whole, number)], rest
        mode = _MODES.get(sign, "write")
        if any(child.type == "ERROR" for child in node.children) and sign == "<":
            mode = "readwrite"
        if sign == "<&" and not number:
            number = "0"
        if mode == "duplicate" and not target.text.isdigit() and target.text != "-":
            mode = "write"
        return [Redirection(mode, target, number)], rest
