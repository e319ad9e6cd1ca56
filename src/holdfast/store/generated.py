"""The SQL that is made from a table's declaration: one text for both databases. Pure.

A query is named `table.TABLE.WHAT`. All take :owner and give nothing of another owner. Texts are found by LIKE in lower
case, with '!' as escape. Made once per store, never per call.
"""

# ruff: noqa: S608 (names come from declarations, and `catalog` lets only plain ones through)
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from holdfast.errors import ConfigError
from holdfast.store.table import ITEM, Age, Table, Via

ANYBODY = "(:owner <> '' OR :owner = '')"
"""The rows belong to this installation; the parameter is there all the same."""


_THIS_OR_ALL = "IN (:project_id, '')"


def name_of(table: str, what: str) -> str:
    return f"table.{table}.{what}"


def all_of(tables: Mapping[str, Table]) -> Iterator[tuple[str, str]]:
    """Name and text of every query."""
    for table in tables.values():
        for what, text in _of(table, tables):
            yield name_of(table.name, what), text


def _of(table: Table, tables: Mapping[str, Table]) -> Iterator[tuple[str, str]]:
    name, keys = table.name, ", ".join(table.key)
    mine = owned(table, tables)
    this = " AND ".join(f"{column} = :{column}" for column in table.key)
    yield "count", f"SELECT COUNT(*) AS n FROM {name} WHERE {mine}"
    if table.derived:
        return
    extra = f", {project_of(table, tables)} AS project_id"
    extra += f", {table.time} AS at" if table.time else ", 0 AS at"
    if table.worded:
        words = concat(table.worded)
        matches = f"(LOWER({words}) LIKE :like ESCAPE '!' OR LOWER({words}) LIKE :escaped ESCAPE '!')"
        yield "of_text", f"SELECT {keys}{extra}, {words} AS words FROM {name} WHERE {mine} AND {matches}"
        listed = f"({words} LIKE :like ESCAPE '!' OR {words} LIKE :escaped ESCAPE '!')"
        files = concat(table.files) if table.files else "''"
        yield (
            "of_file",
            f"SELECT {keys}{extra}, {files} AS files, {words} AS words FROM {name} WHERE {mine} AND {listed}",
        )
    way = chosen(table, "conversation", tables)
    if way:
        yield "of_conversation", f"SELECT {keys}{extra} FROM {name} WHERE {mine} AND {way}"
        yield "drop_conversation", f"DELETE FROM {name} WHERE {mine} AND {way}"
    older = chosen(table, "time", tables)
    if older:
        yield "of_time", f"SELECT {keys}{extra} FROM {name} WHERE {mine} AND {older} LIMIT :limit"
        yield "drop_time", f"DELETE FROM {name} WHERE {mine} AND {older}"
        yield "count_of_time", f"SELECT COUNT(*) AS n FROM {name} WHERE {mine} AND {older}"
    for number, age in enumerate(table.ages):
        condition = f"{table.time} < :before{_only(age)}"
        yield f"aged_{number}", f"SELECT {keys} FROM {name} WHERE {mine} AND {condition} LIMIT :limit"
    if table.owner is not None:
        yield "drop", f"DELETE FROM {name} WHERE {mine} AND {this}"
    for part in parts(table, tables):
        beneath = _beneath(part, table, f"{mine} AND {this}", tables)
        yield f"under_{part.name}", f"SELECT {', '.join(part.key)} FROM {part.name} WHERE {beneath}"
        yield f"drop_{part.name}", f"DELETE FROM {part.name} WHERE {beneath}"
    if table.only_with:
        yield from _only_with(table, table.only_with, tables, mine)
    if table.found == "mend":
        changed = ", ".join(f"{each} = :{each}" for each in table.worded)
        yield "worded", f"SELECT {', '.join(table.worded)} FROM {name} WHERE {mine} AND {this}"
        yield "mend", f"UPDATE {name} SET {changed} WHERE {mine} AND {this}"
    if table.found == "blank" and table.worded:
        blanks = ", ".join(
            f"{each} = CASE WHEN COALESCE({each}, '') = '' THEN {each} ELSE 'forgotten' END" for each in table.worded
        )
        yield "blank", f"UPDATE {name} SET {blanks} WHERE {mine} AND {this}"
    if table.exported:
        yield from _portable(table, tables, mine)
    if table.family:
        yield from _of_items(table, tables, mine)


def chosen(table: Table, by: Literal["conversation", "time"], tables: Mapping[str, Table]) -> str:
    """The condition that a session or a time chooses a row: by what it says itself, or with the row that it belongs to.
    '' when neither chooses any row of the table."""
    found: list[str] = []
    if not table.stays and by == "conversation" and table.conversation is not None:
        found.append(_along(table.conversation, "conversation", "= :conversation", tables))
    if not table.stays and by == "time" and table.time:
        found.append(f"{table.time} < :before")
    if isinstance(table.owner, Via):
        above = tables[table.owner.table]
        goes = chosen(above, by, tables)
        found += [_among(table.owner, f"{owned(above, tables)} AND {goes}")] if goes else []
    return f"({' OR '.join(found)})" if found else ""


def parts(table: Table, tables: Mapping[str, Table]) -> list[Table]:
    """The tables whose rows belong to rows of this one, in any number of steps, the farthest first."""
    found: list[Table] = []
    for each in tables.values():
        if isinstance(each.owner, Via) and each.owner.table == table.name:
            found += [*parts(each, tables), each]
    return found


def _beneath(part: Table, table: Table, condition: str, tables: Mapping[str, Table]) -> str:
    """The condition that a row belongs to a row of `table` for which `condition` is true."""
    assert isinstance(part.owner, Via)
    if part.owner.table != table.name:
        above = tables[part.owner.table]
        condition = _beneath(above, table, condition, tables)
    return _among(part.owner, condition)


def _of_items(table: Table, tables: Mapping[str, Table], mine: str) -> Iterator[tuple[str, str]]:
    """What `items.TableIndex` asks of a table whose rows are items."""
    name, time = table.name, table.time
    yield "get", f"SELECT * FROM {name} WHERE {mine} AND id = :id"
    # The index that the migration makes is on exactly this expression.
    yield "ending", f"SELECT id FROM {name} WHERE {mine} AND substr(id, 29) = :tail LIMIT 5"
    every = "(:project_id <> '' OR :project_id = '')" if table.project is None else _in_project(table, tables)
    files = f"{concat(table.files)} LIKE :file" if table.files else "1 = 0"
    like = f"LOWER({concat(table.worded)}) LIKE :like ESCAPE '!'" if table.worded else "1 = 0"
    within = "1 = 0"
    if table.conversation is not None:
        within = _along(table.conversation, "conversation", "= :conversation", tables)
    where = f"{mine} AND {every} AND {time} < :until AND (:file = '' OR {files}) AND (:like = '' OR {like})"
    where += f" AND (:conversation = '' OR {within})"
    yield (
        "newest",
        f"SELECT * FROM {name} WHERE {where} AND {time} >= :since ORDER BY {time} DESC, id DESC LIMIT :limit",
    )
    after = f"({time} > :since OR ({time} = :since AND id > :after))"
    yield "oldest", f"SELECT * FROM {name} WHERE {where} AND {after} ORDER BY {time}, id LIMIT :limit"
    changed = ", ".join(f"{each} = :{each}" for each in table.exported if each not in table.key)
    if changed:
        yield "rewrite", f"UPDATE {name} SET {changed} WHERE {mine} AND id = :id"


def _only_with(table: Table, via: Via, tables: Mapping[str, Table], mine: str) -> Iterator[tuple[str, str]]:
    """The rows that nothing holds; the row that another one holds; all that hold a row."""
    holder, keys = tables[via.table], ", ".join(table.key)
    theirs = owned(holder, tables)
    holds = f"SELECT {via.key} FROM {via.table} WHERE {theirs}"
    yield "left_alone", f"SELECT {keys} FROM {table.name} WHERE {mine} AND {via.column} NOT IN ({holds})"
    this = " AND ".join(f"{each} = :{each}" for each in holder.key)
    yield "held_by", f"SELECT {keys} FROM {table.name} WHERE {mine} AND {via.column} IN ({holds} AND {this})"
    this = " AND ".join(f"{each} = :{each}" for each in table.key)
    held = f"SELECT {via.column} FROM {table.name} WHERE {mine} AND {this}"
    yield "holders", f"SELECT {', '.join(holder.key)} FROM {via.table} WHERE {theirs} AND {via.key} IN ({held})"


def _portable(table: Table, tables: Mapping[str, Table], mine: str) -> Iterator[tuple[str, str]]:
    name, identity = table.name, " || ".join(table.key)
    columns = ", ".join(table.exported)
    after = f"{identity} > :after"
    order = identity
    if table.time:
        after = f"({table.time} > :at OR ({table.time} = :at AND {after}))"
        order = f"{table.time}, {identity}"
    else:
        after = f"(:at > -2 AND {after})"
    where = f"{mine} AND {_in_project(table, tables)} AND {after}"
    yield (
        "rows",
        f"SELECT {columns}, {identity} AS row_identity FROM {name} WHERE {where} ORDER BY {order} LIMIT :limit",
    )
    names = (*table.exported, *((table.owner,) if isinstance(table.owner, str) else ()))
    values = ", ".join(f":{each}" for each in names)
    yield "put", f"INSERT INTO {name} ({', '.join(names)}) VALUES ({values}) ON CONFLICT DO NOTHING"
    this = " AND ".join(f"{each} = :{each}" for each in table.key)
    yield "has", f"SELECT 1 AS found FROM {name} WHERE {this}"
    yield "has_own", f"SELECT 1 AS found FROM {name} WHERE {this} AND {mine}"
    if isinstance(table.owner, Via):
        parent = tables[table.owner.table]
        condition = f"{table.owner.key} = :{table.owner.column} AND {owned(parent, tables)}"
        yield "has_owner", f"SELECT 1 AS found FROM {parent.name} WHERE {condition} LIMIT 1"
    if table.same:
        known = " AND ".join(f"{each} = :{each}" for each in table.same)
        yield "same", f"SELECT id FROM {name} WHERE {known}"


def owned(table: Table, tables: Mapping[str, Table]) -> str:
    """The condition that a row is of :owner."""
    match table.owner:
        case None:
            return ANYBODY
        case Via() as via:
            return _among(via, owned(tables[via.table], tables))
        case column:
            return f"{column} = :owner"


def concat(columns: tuple[str, ...]) -> str:
    return " || ' ' || ".join(f"COALESCE({each}, '')" for each in columns)


def project_of(table: Table, tables: Mapping[str, Table]) -> str:
    """The project's id as an expression; '' where the row does not tell it."""
    match table.project:
        case None:
            return "''"
        case Via(table=name) if name == ITEM:
            return "''"
        case Via() as via:
            inner = _column_of(via, "project", tables)
            return (
                f"COALESCE((SELECT {inner} FROM {via.table} WHERE {via.table}.{via.key} = {table.name}.{via.column}"
                " LIMIT 1), '')"
            )
        case column:
            return f"COALESCE({column}, '')"


def _in_project(table: Table, tables: Mapping[str, Table]) -> str:
    """The condition that a row is of :project_id; '' is every project. (What an item tells is for the caller.)"""
    if table.project is None:
        return ":project_id = ''"
    if isinstance(table.project, Via) and table.project.table == ITEM:
        return "(:project_id <> '' OR :project_id = '')"
    return f"(:project_id = '' OR {_along(table.project, 'project', _THIS_OR_ALL, tables)})"


def _along(where: str | Via, what: Literal["project", "conversation"], test: str, tables: Mapping[str, Table]) -> str:
    """A test of the column that holds this, here or in the table that a way leads to."""
    return f"{where} {test}" if isinstance(where, str) else _among(where, f"{_column_of(where, what, tables)} {test}")


def _among(via: Via, condition: str) -> str:
    return f"{via.column} IN (SELECT {via.key} FROM {via.table} WHERE {condition})"


def _column_of(via: Via, what: Literal["project", "conversation"], tables: Mapping[str, Table]) -> str:
    found = tables[via.table].project if what == "project" else tables[via.table].conversation
    if not isinstance(found, str):
        raise ConfigError(
            f"holdfast cannot start: a table leads to {via.table} for its {what}, which has no such column."
        )
    return found


def _only(age: Age) -> str:
    if not age.column:
        return ""
    # Ours, and checked: words of a declaration, not of a user.
    listed = ", ".join(
        str(each) if isinstance(each, int) else "'" + each.replace("'", "''") + "'" for each in age.among
    )
    return f" AND {age.column} IN ({listed})"
