"""What a Python program hands to its own functions, and by which ends of names it chooses. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from holdfast.commandline.effects.output_names import GENERATED, SOURCES

_ENDINGS = re.compile(r"(?:endswith|fnmatch(?:case)?|filter)\s*\([^()\n]{0,60}?|suffix(?:es)?\s*(?:==|in)\s*[\[({]?\s*")
_TEXT = re.compile(r"[\"'](\*?\.?[\w.*-]{1,40})[\"']")
_MOST = 8
_DEFINES = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign})


def endings(text: str) -> list[str]:
    """The patterns of names by which a program chooses: `f.endswith('.md')`. What people write comes first."""
    found: list[str] = []
    for match in _ENDINGS.finditer(text):
        behind = text[match.end() : match.end() + 120].partition(")")[0]
        found += [each if "*" in each else f"*{each}" for each in _TEXT.findall(behind)][:_MOST]
    return sorted(dict.fromkeys(found), key=lambda each: not SOURCES.match(each) or GENERATED.match(each) is not None)


def is_argv(node: ast.expr) -> bool:
    """`sys.argv[1:]`: all words behind the program."""
    of = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(of, ast.Attribute) and of.attr == "argv"


def reads_input(node: ast.expr) -> bool:
    """Does an expression come from what the program reads?"""
    return any(isinstance(each, ast.Attribute) and each.attr in ("argv", "stdin") for each in ast.walk(node))


def handed(
    nodes: Sequence[ast.AST], text_of: Callable[[ast.expr], tuple[str, bool]]
) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
    """For each parameter of the program's own functions, what it is called with."""
    functions: dict[str, list[str]] = {}
    for node in [node for node in nodes if node.__class__ in _DEFINES]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions[node.name] = [arg.arg for arg in node.args.args]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            functions |= {name: [arg.arg for arg in node.value.args.args] for name in names}
    for call in (node for node in nodes if functions and isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in functions:
            names = functions[call.func.id]
            yield from ((name, [text_of(value)]) for name, value in zip(names, call.args, strict=False))
            yield from ((each.arg, [text_of(each.value)]) for each in call.keywords if each.arg in names)
        elif isinstance(call.func, ast.Name) and call.func.id in ("map", "filter") and len(call.args) > 1:
            of, over = call.args[0], call.args[1]
            if isinstance(of, ast.Name) and functions.get(of.id):
                items = over.elts if isinstance(over, ast.List | ast.Tuple | ast.Set) else [over]
                yield functions[of.id][0], [text_of(each) for each in items[:32]]


def split(node: ast.expr) -> list[str]:
    """`'a b'.split()`: its words."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text), attr="split"), args=[]):
            return text.split()[:32]
        case _:
            return []


def rows(node: ast.expr, list_of: Callable[[ast.expr], ast.expr]) -> list[list[ast.expr]]:
    """What a loop over pairs goes through: a list of tuples, or the items of a dictionary."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items":
        held = list_of(node.func.value)
        if isinstance(held, ast.Dict):
            return [[key, value] for key, value in zip(held.keys, held.values, strict=True) if key is not None][:32]
    return [row.elts for row in getattr(list_of(node), "elts", [])[:32] if isinstance(row, ast.Tuple | ast.List)]


def statement(node: ast.expr) -> ast.expr:
    """The text in `sqlalchemy.text('…')`, `sql.SQL('…').format(…)`, `dedent('…')`, `'…'.strip()`."""
    for _ in range(4):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr="format" | "strip" | "bindparams")):
                node = inner
            case ast.Call(func=ast.Attribute(value=inner, attr="strip" | "bindparams")):
                node = inner
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inner, *_]) if name in _WRITES_SQL:
                node = inner
            case _:
                break
    return node


_WRITES_SQL = frozenset({"text", "SQL", "sql", "DDL", "dedent", "RawSQL", "literal_sql"})
