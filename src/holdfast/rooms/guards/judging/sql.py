"""Statements of SQL and of document databases that destroy. Pure; linear in the text."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_TEXTS = re.compile(r"'(?:[^']|'')*'")
_OBJECTS = (
    "table|database|schema|view|materialized|role|user|index|column|type|sequence|tablespace|extension|keyspace|owned|"
    "function|collection"
)
_DESTROYS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("drops a database object", re.compile(rf"\bdrop\s+(?:{_OBJECTS})\b", re.I)),
    ("empties a table", re.compile(r"\btruncate\s+(?:table\s+)?[\w\"`\[.]", re.I)),
    ("drops a column", re.compile(r"\balter\s+table\b[^;]*\bdrop\b", re.I)),
    ("drops a collection or database", re.compile(r"\.drop(?:database)?\s*\(", re.I)),
    ("deletes all documents", re.compile(r"\.(?:deletemany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)", re.I)),
    ("empties Redis", re.compile(r"\bflush(?:all|db)\b", re.I)),
)  # fmt: skip
_TAKEN_BACK = re.compile(r"\b(?:begin|start\s+transaction)\b[^;]*;.*\brollback\b[\s;\"']*\Z", re.I | re.DOTALL)
_EXPLAINED = re.compile(r"\bexplain\s+(?!.*\banalyze\b)[^;]*", re.I)
_DELETE = re.compile(r"\bdelete\s+from\s+[\w\"`\[\].]+", re.I)
_UPDATE = re.compile(r"\bupdate\s+[\w\"`\[\].]+\s+set\s", re.I)
_WHERE = re.compile(r"\bwhere\b(?!\s+(?:1\s*=\s*1|true)\b)|\blimit\b|\busing\b", re.I)


def destroys(text: str) -> str:
    """What the statements destroy, in a few words; '' when nothing."""
    plain = _COMMENT.sub(" ", text)
    bare = _TEXTS.sub("''", plain)
    if _TAKEN_BACK.search(bare):
        return ""
    bare = _EXPLAINED.sub(" ", bare)
    for said, pattern in _DESTROYS:
        if pattern.search(bare):
            return said
    for statement in bare.split(";"):
        if _DELETE.search(statement) and not _WHERE.search(statement):
            return "deletes every row of a table"
        if _UPDATE.search(statement) and not _WHERE.search(statement):
            return "changes every row of a table"
    return ""
