"""Statements of SQL and of document databases that destroy. Pure; linear in the text.

Texts in quotation marks and comments are data. What `EXPLAIN` shows, what `ROLLBACK` takes back and tables that the
same text has made count as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from holdfast.commandline.effects import disposable
from holdfast.patterns import lazy_pattern

_TOKENS = lazy_pattern(
    r"--[^\n]*|/\*(?!!)(?:[^*]|\*(?!/))*(?:\*/|\Z)|'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\"\"|\\.)*\"|`[^`]*`|"
    r"\$(\w*)\$",
    re.DOTALL,
)
_OBJECTS = (
    "table|database|schema|view|materialized|role|user|column|type|sequence|tablespace|extension|keyspace|owned|"
    "function|collection|stream|topic"
)
_NAME = r"((?:[\w.\[\]]|\"x\w*\"|`x\w*`)+)"
_DROPS = lazy_pattern(rf"\bdrop\s+(?:{_OBJECTS})\b(?:\s+if\s+exists)?(?:\s+{_NAME})?", re.I)
_WHOLE = lazy_pattern(r"drop\s+(?:database|schema|keyspace|user|role)\b", re.I)
"""What has a name of its own by which one tells that it is for tests."""
_TRUNCATES = lazy_pattern(rf"\btruncate\s+(?:table\s+)?(?:only\s+)?{_NAME}", re.I)
_NO_DATA = r"constraint|default|not\b|index|key|primary|foreign|check"
_DESTROYS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("drops a column", lazy_pattern(rf"\balter\s+table\b[^;]{{0,500}}\bdrop\s+(?!{_NO_DATA})", re.I)),
    ("drops a collection or database", lazy_pattern(r"\.drop(?:database)?\s*\(", re.I)),
    ("deletes all documents", lazy_pattern(r"\.(?:deletemany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)", re.I)),
    ("unsets fields of all documents", lazy_pattern(r"\.updatemany\s*\(\s*\{\s*\}\s*,\s*\{\s*\"?'?\$unset", re.I)),
    ("takes away what could bring data back", lazy_pattern(
        r"\bpurge\s+(?:binary|master)\s+logs\b|\breset\s+master\b|\bpg_drop_replication_slot\s*\(|"
        r"\balter\s+system\s+set\s+(?:archive_mode|fsync|full_page_writes)\s*(?:=|to)\s*['\"]?off|"
        r"\balter\s+table\b[^;]{0,200}\bdisable\s+row\s+level\s+security\b|"
        r"\bvacuum\b[^;]{0,200}\bretain\s+0(?:\.0)?\b", re.I)),
    ("empties Redis", lazy_pattern(r"\bflush(?:all|db)\b", re.I)),
)  # fmt: skip
_DELETE = lazy_pattern(rf"\bdelete\s+from\s+(?:only\s+)?{_NAME}", re.I)
_UPDATE = lazy_pattern(rf"\bupdate\s+(?:only\s+)?{_NAME}\s+set\s", re.I)
_WHERE = lazy_pattern(r"\bwhere\b(?!\s+(?:1\s*=\s*1|true)\b|\s+1\s*\Z)|\blimit\b|\busing\b", re.I)
_ALTERS = lazy_pattern(r"\s*alter\s+table\b", re.I)
_CHANGES_ROWS = lazy_pattern(r"\b(?:delete|update)\b", re.I)
_ALWAYS = lazy_pattern(r"\bwhere\s+(?:1\s*=\s*1|1|true)\s*(?:returning\b.*)?\Z", re.I | re.DOTALL)
"""What chooses no row, whatever stands before it. ClickHouse deletes rows so: `ALTER TABLE t DELETE WHERE 1`."""
_MADE = lazy_pattern(
    rf"\bcreate\s+(?:(?:global|local)\s+)?(?:temp(?:orary)?\s+|unlogged\s+)?(?:table|view|database|schema)\s+(?!if\b){_NAME}|"
    rf"\bcreate\s+temp(?:orary)?\s+table\s+if\s+not\s+exists\s+{_NAME}",
    re.I,
)
_TEMPORARY_TABLE = lazy_pattern(r"create\s+(?:(?:global|local)\s+)?temp", re.I)
_BEGINS = lazy_pattern(r"\s*(?:begin|start\s+transaction)\b", re.I)
_ENDS = lazy_pattern(r"\s*(?:commit|end)\b", re.I)
_TAKES_BACK = lazy_pattern(r"\s*(?:rollback|abort)\b(?!\s+to\b)", re.I)
_EXPLAINS = lazy_pattern(
    r"\s*(?:explain|describe|desc)\b(?!\s*(?:\([^)]*\banaly[sz]e\b|(?:verbose\s+)?analy[sz]e\b))", re.I
)
_MAKES_CODE = lazy_pattern(
    r"\s*create\s+(?:or\s+replace\s+)?(?:definer\s*=\s*\S+\s+)?(?:function|procedure|trigger|rule|event)\b", re.I
)
_ENDS_ALONE = lazy_pattern(r"\b(?:drop|truncate|alter)\b", re.I)


def destroys(texts: Iterable[str], *, takes_back: bool = True, goes_on: bool = False, spares_tests: bool = True) -> str:
    """What the statements of these texts destroy, in a few words; '' when nothing.

    `takes_back`: a transaction can undo `DROP` and `TRUNCATE`, as PostgreSQL and SQLite can; MySQL commits first.
    `goes_on`: the client runs the next statement also where one failed, so a `CREATE TABLE` proves nothing.
    `spares_tests`: a name such as `shop_test` says that it is there to be thrown away."""
    bare = ";".join(_bare(text) for text in texts)  # `psql -c BEGIN -c … -c ROLLBACK` is one session
    made: set[str] = set()
    waiting = ""
    inside = False
    for statement in bare.split(";"):
        if _BEGINS.match(statement):
            inside = True
        elif _ENDS.match(statement):
            if waiting:
                return waiting
            inside = False
        elif _TAKES_BACK.match(statement):
            inside, waiting = False, ""
        new = {
            name.lower()
            for match in _MADE.finditer(statement)
            for name in match.groups()
            if name and (not goes_on or inside or _TEMPORARY_TABLE.match(match[0]))
        }
        if _EXPLAINS.match(statement) or _MAKES_CODE.match(statement):
            continue
        if said := _of_statement(statement, made, spares_tests):
            if not inside or (not takes_back and _ENDS_ALONE.search(statement)):
                return said
            waiting = waiting or said
        made |= new  # only what was made before it is dropped is nobody's loss
    return waiting


def statements(text: str) -> list[str]:
    """The statements of a text, without comments and what stands in quotation marks."""
    return _bare(text).split(";")


def _of_statement(statement: str, made: set[str], spares_tests: bool) -> str:
    for said, pattern in (("drops a database object", _DROPS), ("empties a table", _TRUNCATES)):
        for match in pattern.finditer(statement):
            name = (match[1] or "").lower()
            plain = name.replace('"x', "").replace("`x", "").strip('"`').removeprefix("x" if name[:1] in '"`' else "")
            schema = plain.rpartition(".")[0].rpartition(".")[2]
            is_spare = (
                disposable.is_test_database(plain)
                if _WHOLE.match(match[0])
                else schema != "" and disposable.is_own_test(schema)
            )
            if name not in made and not (is_spare and spares_tests):
                return said
    for said, pattern in _DESTROYS:
        if pattern.search(statement):
            return said
    if _ALTERS.match(statement) and _CHANGES_ROWS.search(statement) and _ALWAYS.search(statement):
        return "deletes or changes every row of a table"
    if _WHERE.search(statement) and not _ALWAYS.search(statement):
        return ""
    for said, pattern in (("deletes every row of a table", _DELETE), ("changes every row of a table", _UPDATE)):
        found = pattern.search(statement)
        if found and found[1].lower() not in made:
            return said
    return ""


def _bare(text: str) -> str:
    """The text without comments, and with `x` in the place of what stands in quotation marks.

    The body of `DO $$ … $$` runs, so it stays; that of a function only is kept by the server."""
    found: list[str] = []
    at = 0
    while match := _TOKENS.search(text, at):
        found.append(text[at : match.start()])
        token = match[0]
        if token.startswith(("--", "/*")):
            found.append(" ")
            at = match.end()
        elif token.startswith("$"):
            close = text.find(token, match.end())
            if close < 0:
                found.append(" ")
                at = match.end()
                continue
            runs = re.search(r"\bdo\s*\Z", "".join(found[-1:]), re.I) is not None
            found.append(f";{text[match.end() : close]};" if runs else "''")
            at = close + len(token)
        else:
            quote = token[0]
            kept = "x" + re.sub(r"\W", "", token[1:-1][:60]) if quote != "'" else ""
            found.append(f"{quote}{kept}{quote}")
            at = match.end()
    return "".join([*found, text[at:]])
