"""Rooms never meet in SQL: a room names its own tables and the shared ones, and each room has one place for SQL."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import holdfast
from holdfast.program import CATALOG
from holdfast.store.lex import rewrite
from holdfast.store.shared import HOUSE, SHARED
from holdfast.store.spoken import spoken

SOURCE = Path(holdfast.__file__).parent
SHARED_NAMES = {table.name for table in SHARED}


def tables_in(sql: str) -> set[str]:
    """The tables of ours that a text names."""
    return spoken(sql) & set(CATALOG.tables)


@pytest.mark.requirement("HSE-4")
@pytest.mark.parametrize("room", [source.name for source in CATALOG.sources])
def test_a_room_names_its_own_tables_and_the_shared_ones(room: str) -> None:
    folder = next(source.folder for source in CATALOG.sources if source.name == room)
    if folder is None:  # it has no tables
        assert room not in map(CATALOG.room_of, CATALOG.tables)
        return
    own = {table for table in CATALOG.tables if CATALOG.room_of(table) == room}
    files = [path for path in folder.rglob("*.sql") if "migrations" not in path.parts]
    assert [path.name for path in files] == [f"{room}.sql"]
    assert tables_in(files[0].read_text("utf-8")) - own <= SHARED_NAMES


@pytest.mark.requirement("HSE-4")
def test_the_houses_sql_names_no_rooms_table() -> None:
    rooms = {table for table in CATALOG.tables if CATALOG.room_of(table)}
    for path in (SOURCE / "store" / "sql").glob("*.sql"):
        assert tables_in(path.read_text("utf-8")) & rooms == set(), path.name


@pytest.mark.requirement("HSE-4")
def test_recalls_tables_are_reached_through_recall() -> None:
    names = {table.name for table in HOUSE if table.name.startswith("recall_")}
    assert names
    for path in SOURCE.rglob("*.sql"):
        if path.parent.name not in ("migrations", "schema") and path.name != "recall.sql":
            assert tables_in(path.read_text("utf-8")) & names == set(), path.name
    for path in SOURCE.rglob("*.py"):
        if "recall" not in path.parts and path.parent.name != "store":
            assert not re.search(r'"recall\.[a-z_]+"', path.read_text("utf-8")), path.name


MEETS = {
    "0004_memory": "landed before there was a house: it made tables that every room shares since",
    "0005_upkeep": "landed before there was a house: it made two tables that are the memory room's since",
    "0006_owners": "split the rooms: it read whose a shared row is from rooms' rows, and dropped a table between rooms",
    "0009_objections": "gave people's words back that an agent overruled: only rooms' rows said who wrote them",
    "0012_worth": "added a column to the shared table `injection`, beside those of the memory room",
}
"""Migrations that name tables of others, and why. They are as they were when stores ran them; no new one may."""


def migrations() -> list[tuple[str, str, str]]:
    """(name, room, text) of every migration."""
    return [
        (
            path.stem,
            path.parent.parent.name if "rooms" in path.relative_to(SOURCE).parts else "",
            path.read_text("utf-8"),
        )
        for path in sorted(SOURCE.rglob("migrations/*.sql"), key=lambda path: path.name)
    ]


MAKES = re.compile(r"\b(?:CREATE (?:VIRTUAL )?|ALTER |DROP )TABLE (?:IF (?:NOT )?EXISTS )?([a-z_]+)", re.IGNORECASE)


@pytest.mark.requirement("HSE-4")
def test_migrations_make_their_own_tables_and_name_no_other_rooms() -> None:
    """Tables that are gone belong to the folder whose migration made them."""
    room_of = {table: room for _, room, text in reversed(migrations()) for table in MAKES.findall(rewrite(text))}
    room_of |= {table: CATALOG.room_of(table) for table in CATALOG.tables}
    meeting = {
        name
        for name, room, text in migrations()
        if any(room_of[table] != room for table in MAKES.findall(rewrite(text)))
        or any(room_of[table] != room and table not in SHARED_NAMES for table in spoken(text) & set(room_of))
    }
    assert meeting == set(MEETS)


@pytest.mark.requirement("HSE-4")
def test_nobody_writes_sql_in_python() -> None:
    """But the store, whose business it is, and who reads a foreign database."""
    statement = re.compile(r"^\s*(?:SELECT .* FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE) ", re.DOTALL)
    allowed = {"store", "takeover"}
    wrong = [
        f"{path.relative_to(SOURCE)}: {node.value[:40]}"
        for path in SOURCE.rglob("*.py")
        if not allowed & {*path.relative_to(SOURCE).parts, path.stem}
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and statement.match(node.value)
    ]
    assert wrong == []


SPEAKERS = {"items": {"tables", "rows"}, "upkeep": {"tables", "rows"}}
"""The modules that call named queries, where there is no room. In a room it is `tables`, a module or a package."""
CALLS = {"one", "all", "run", "many"}


def silent_modules() -> list[tuple[str, Path]]:
    """The modules of the rooms, of `items` and of `upkeep` that must leave SQL to their speaker."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        first, *rest = path.relative_to(SOURCE).with_suffix("").parts
        if (first == "rooms" and len(rest) > 1 and rest[1] != "tables") or (
            first in SPEAKERS and rest[0] not in SPEAKERS[first]
        ):
            found.append((".".join([first, *rest]), path))
    return found


def queries_called(source: str, names: set[str]) -> list[str]:
    """Where a module calls a named query: on a parameter that is a `Reader` or a `Tx`, or by a query's name."""
    tree = ast.parse(source)
    files = {name.split(".")[0] for name in names}
    readers = {"reader", "tx"}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.arg)
            and node.annotation is not None
            and ast.unparse(node.annotation) in ("Reader", "Tx")
        ):
            readers.add(node.arg)
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=on), attr=attr)) if on in readers and attr in CALLS:
                found.append(f"line {node.lineno}: {on}.{attr}")
            case ast.Attribute(attr="one" | "all" | "run" | "many", value=ast.Attribute(attr="_reader" | "_tx")):
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
            case ast.Constant(value=str(text)) if text in names:
                found.append(f"line {node.lineno}: {text}")
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if (
                text.split(".")[0] in files and "." in text
            ):
                found.append(f"line {node.lineno}: {text}…")
    return found


@pytest.mark.requirement("HSE-4")
def test_in_each_room_one_module_speaks_sql() -> None:
    names = set(CATALOG.queries("sqlite")) | set(CATALOG.queries("postgresql"))
    modules = silent_modules()
    assert {"rooms.memory.hooks", "rooms.memory.summaries.refresh", "rooms.citations.service"} <= {
        name for name, _ in modules
    }
    wrong = {name: calls for name, path in modules if (calls := queries_called(path.read_text("utf-8"), names))}
    assert wrong == {}


def test_the_search_for_speakers_finds_each_way_to_call_a_query() -> None:
    names = {"memory.prompt"}
    assert queries_called('def f(view: Reader): return view.one("memory.other")', names)
    assert queries_called("store.read(lambda reader: reader.all(QUERY))", names)
    assert queries_called('QUERY = "memory.prompt"', names)
    assert queries_called('QUERY = f"memory.{family}"', names)
    assert queries_called("class A:\n  def f(self): return self._reader.one(QUERY)", names)
    assert not queries_called('def f(tx: Tx): return tables.keep_prompt(tx, "memory.md")', names)
