"""Files of statements that a client of a database is given: `psql -f drop.sql`, `mysql < x.sql`, `.read x`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.commandline.model import Run
from holdfast.shell.tools import listed

CLIENTS = listed(
    "psql mysql mariadb sqlite3 duckdb mongosh mongo clickhouse-client clickhouse cqlsh sqlcmd sqlplus usql pgcli "
    "mycli cockroach redis-cli valkey-cli snowsql"
)
_OPTIONS = {
    "psql": ("-f", "--file"), "pgcli": (), "usql": ("-f", "--file"), "cockroach": ("-f", "--file"), "cqlsh": ("-f",),
    "clickhouse-client": ("--queries-file",), "sqlcmd": ("-i",), "snowsql": ("-f", "--filename"),
    "sqlite3": ("-init", "--init"), "duckdb": ("-init", "-f"), "mongosh": ("-f", "--file"),
}  # fmt: skip
_NAMED_INSIDE = re.compile(r"(?:^|[\s;])(?:\\ir?|\.read|source|\\\.|@@?)\s*([\w./~-]+\.(?:sql|js|cql|txt|dump))\b")
_ENDINGS = (".sql", ".cql", ".ddl", ".psql", ".redis", ".dump")
_DESTROYS = re.compile(
    r"(?i)(?:^|[/_.-])(?:drop|wipe|truncate|purge|destroy|nuke|teardown|delete[_-]?all)"
    r"(?:[_.-]|\Z|(?=[A-Z0-9]))"
)


def named(run: Run) -> Iterator[str]:
    """The files whose statements this call would run."""
    if run.program not in CLIENTS:
        return
    options = _OPTIONS.get(run.program, ())
    for place, text in enumerate(run.texts):
        name, sign, value = text.partition("=")
        if name in options:
            yield value if sign else (run.texts[place + 1] if place + 1 < len(run.args) else "")
        elif text[:2] in options and len(text) > 2 and not text.startswith("--"):
            yield text[2:]
        yield from _NAMED_INSIDE.findall(text)
        if run.program in ("mongosh", "mongo") and text.endswith(".js") and not text.startswith("-"):
            yield text
    yield from (name for name in run.fed_by if name.endswith(_ENDINGS))


def reads_as_destroying(name: str) -> bool:
    """Does a file's name say what its statements do, where they cannot be read?"""
    return _DESTROYS.search(name) is not None
