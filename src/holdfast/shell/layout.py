"""From the grammar's tree to statements in shell order: pipelines bind tighter than `&&`, that tighter than `;`.

tree-sitter-bash 0.25 nests `a && b 2>&1 | c` as if the pipe held the whole list, so its nesting of lists and pipes is
not trusted: leaves and operators are taken in source order and grouped again here. No recursion: chains may be long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from holdfast.shell.script import CommandLink

if TYPE_CHECKING:
    from tree_sitter import Node

SIMPLE = frozenset(
    {"command", "declaration_command", "unset_command", "test_command", "variable_assignment", "variable_assignments"}
)
GROUPS = frozenset(
    {
        *("subshell", "compound_statement", "if_statement", "while_statement", "for_statement"),
        *("c_style_for_statement", "case_statement", "function_definition"),
    }
)
REDIRECTS = frozenset({"file_redirect", "herestring_redirect"})
_OPENED = frozenset({"program", "list", "pipeline", "redirected_statement", "negated_command", "heredoc_redirect"})
_LINKS = {"&&": "&&", "||": "||", ";": ";", ";;": ";", "\n": ";", "|": "|", "|&": "|&", "&": "&"}


@dataclass(slots=True)
class Element:
    """One member of a pipeline: a node of the grammar, its redirections, and words the grammar left lying about."""

    node: Node | None = None
    redirects: list[Node] = field(default_factory=list)
    strays: list[Node] = field(default_factory=list)
    negated: bool = False
    before: CommandLink = ""
    after: CommandLink = ""


@dataclass(slots=True)
class CommandList:
    """Pipelines joined by `&&` and `||`, up to a `;`, a `&` or the end of the line."""

    pipelines: list[list[Element]] = field(default_factory=list)
    links: list[CommandLink] = field(default_factory=list)
    """What stands before each pipeline; the first has none."""
    background: bool = False


def elements(nodes: Iterable[Node]) -> Iterator[Element]:
    """The members of all pipelines below these nodes, in source order, with what links them."""
    current: Element | None = None
    link: CommandLink = ""
    negated = False
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        kind = node.type
        if kind in _OPENED or kind == "ERROR":
            waiting.extend(reversed(node.children))
        elif kind in _LINKS and not node.is_named:
            link = cast(CommandLink, _LINKS[kind])
            if current:
                current.after = link
                yield current
                current = None
        elif kind == "!":
            negated = True
        elif kind == "comment" or (not node.is_named and kind not in SIMPLE):
            continue
        elif kind in SIMPLE or kind in GROUPS:
            if current and (current.node or current.strays):
                link = current.after = ";"
                yield current
                current = None
            current = current or Element(before=link)
            current.node, current.negated = node, negated
            negated = False
        else:
            current = current or Element(before=link)
            (current.redirects if kind in REDIRECTS else current.strays).append(node)
    if current:
        yield current


def statements(nodes: Iterable[Node]) -> list[CommandList]:
    found: list[CommandList] = []
    fresh = True
    for element in elements(nodes):
        if fresh or element.before in ("", ";", "&"):
            found.append(CommandList([[element]], [""]))
        elif element.before in ("|", "|&"):
            found[-1].pipelines[-1].append(element)
        else:
            found[-1].pipelines.append([element])
            found[-1].links.append(element.before)
        fresh = False
        if element.after == "&":
            found[-1].background = True
    return found
