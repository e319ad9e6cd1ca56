"""No room repeats a function of another room, or of the house: what two of them need stands where both may import it.

Functions are compared by their shape: the same statements with the same attributes and constants, whatever the names of
their variables are. Docstrings and annotations do not count, and neither do small functions, nor what `make room`
writes into every room.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set

import pytest

from tests.support.new_room import TEMPLATE
from tests.support.table import each_of
from tests.test_architecture import modules, nodes

SMALL = 24
"""Words of a shape below which a function is too small to need a place of its own: one call or one comparison."""


def shape(function: ast.AST) -> tuple[str, ...]:
    """What a function does, without the names that it chose."""
    names: dict[str, str] = {}

    def walk(node: ast.AST) -> Iterator[str]:
        yield type(node).__name__
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "type_comment", "ctx"):
                continue
            if field in ("id", "arg") or (field == "name" and node is function):
                yield names.setdefault(str(value), str(len(names)))
                continue
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):
                        yield from walk(each)
                else:
                    yield repr(each)

    return tuple(walk(function))


def owner(module: str) -> str:
    """The room that a module belongs to; '' for the house."""
    top, _, rest = module.partition(".")
    return rest.partition(".")[0] if top == "rooms" and "." in rest else ""


def functions_of(module: str, code: Iterable[ast.AST]) -> list[tuple[str, ast.AST]]:
    return [(module, node) for node in code if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def written_into_every_room() -> set[tuple[str, ...]]:
    """The shapes of the room that `make room` copies: two rooms that still have a function of it did not copy each
    other."""
    trees = (ast.parse(path.read_text("utf-8")) for path in TEMPLATE.rglob("*.py"))
    return {shape(node) for tree in trees for _, node in functions_of("", ast.walk(tree))}


def repeated(functions: Iterable[tuple[str, ast.AST]], free: Set[tuple[str, ...]] = frozenset()) -> list[list[str]]:
    """The modules and names of functions that a room has like another room, or like the house."""
    alike: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for module, node in functions:
        found = shape(node)
        if len(found) >= SMALL and found not in free:
            alike[found].append((owner(module), f"{module}.{getattr(node, 'name', '')}"))
    return [[name for _, name in each] for each in alike.values() if len({room for room, _ in each}) > 1]


@pytest.mark.requirement("HSE-1")
def test_no_room_repeats_a_function_of_another_or_of_the_house() -> None:
    functions = [each for module, path in modules() for each in functions_of(module, nodes(path))]
    assert len(functions) > 5_000
    assert repeated(functions, written_into_every_room()) == []


@pytest.mark.requirement("HSE-1")
def test_two_rooms_may_keep_what_make_room_wrote() -> None:
    code = (TEMPLATE / "tools.py").read_text("utf-8")
    rooms = [(f"rooms.{name}.tools", code.replace("notes", name)) for name in ("inkwells", "ledgers")]
    functions = [each for module, text in rooms for each in functions_of(module, ast.walk(ast.parse(text)))]
    assert repeated(functions)
    assert repeated(functions, written_into_every_room()) == []


BELOW = """
def below(path, root):
    base = root.rstrip("/")
    return path[len(base) :] if path.startswith(base) else ""
"""
RENAMED = """
def _of(file: str, top: str) -> str:
    'What it is for.'
    start = top.rstrip("/")
    return file[len(start) :] if file.startswith(start) else ""
"""


@pytest.mark.requirement("HSE-1")
@each_of(
    ("one", "other", "is_repeated"),
    [
        (("rooms.code.rules", BELOW), ("rooms.commits.rules", RENAMED), True),
        (("rooms.code.rules", BELOW), ("items.words", RENAMED), True),
        (("rooms.code.rules", BELOW), ("rooms.code.deep.hooks", RENAMED), False),
        (("items.words", BELOW), ("rooms.room", RENAMED), False),
        (("rooms.code.rules", BELOW), ("rooms.commits.rules", BELOW.replace("rstrip", "lstrip")), False),
        (("rooms.code.rules", BELOW), ("rooms.commits.rules", BELOW.replace("len(base)", "len(root)")), False),
        (("rooms.code.rules", "def f(a): return a or ''"), ("rooms.commits.rules", "def f(a): return a or ''"), False),
    ],
)
def test_what_counts_as_repeated(one: tuple[str, str], other: tuple[str, str], is_repeated: bool) -> None:
    functions = [each for module, code in (one, other) for each in functions_of(module, ast.walk(ast.parse(code)))]
    assert bool(repeated(functions)) is is_repeated
