"""Does a call name only databases of the moment: a file in a temporary folder, or memory? Pure; linear.

`DATABASE_URL=sqlite:////tmp/x.db alembic downgrade base`, `flyway -url=jdbc:h2:mem:t clean`. A tool for migrations goes
where the address tells it. A client of a database knows no such variable, so it is not asked here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.commandline.effects import disposable
from holdfast.patterns import lazy_pattern

_SAYS_DATABASE = lazy_pattern(
    r"(?:\w+_)?(?:DATABASE|DB|SQLALCHEMY|ORM|SQLITE|DUCKDB|GOOSE|DBMATE|DIESEL|SQLX|PRISMA|MLFLOW)(?:_\w{0,30})?"
    r"(?:URL|URI|DSN|DBSTRING|CONNINFO|PATH|FILE)\Z|(?:\w+_)?DB_DATABASE\Z"
)
"""Variables that hold the address of a database."""
_ADDRESS = lazy_pattern(
    r"(?i)(?:jdbc:)?(sqlite3?|duckdb|file|h2|hsqldb|derby|postgres(?:ql)?|mysql2?|mariadb|mongodb|redis|sqlserver|mssql|oracle|"
    r"cockroachdb|clickhouse|turso|libsql|[a-z]{3,20}sql)(?:\+\w{1,30})?:"
)
_IN_MEMORY = lazy_pattern(
    r"(?i):memory:|mode=memory|\A(?:jdbc:)?(?:h2|hsqldb|derby):mem(?:ory)?:|\Asqlite3?(?:\+\w+)?:/{2,3}\Z"
)
_IN_FILE = lazy_pattern(r"(?i)\A(?:jdbc:)?(?:sqlite3?|duckdb|file|h2|hsqldb)(?:\+\w{1,30})?:(?:file:|//)?(/[^?]*)")
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")
_NAMES_FILE = lazy_pattern(r"(?:/|\$TMPDIR/)\S+\.(?:db|db3|sqlite3?|sqlite|duckdb)\Z")
_OPTION = re.compile(r"\A[\w.-]{1,40}=")
_MOST = 60


def only_of_moment(words: Sequence[str], environment: Iterable[tuple[str, str]]) -> bool:
    """Is there an address, and is each of them one of the moment?"""
    found = [*_given(words), *(value for name, value in environment if _SAYS_DATABASE.match(name))]
    if any(map(disposable.is_of_production, (*words[:_MOST], *found))):
        return False
    return bool(found) and all(map(_is_of_moment, found))


def _given(words: Sequence[str]) -> Iterator[str]:
    for word in words[:_MOST]:
        value = _OPTION.sub("", word)
        if "://" in value or _ADDRESS.match(value) or _NAMES_FILE.match(value):
            yield value


def _is_of_moment(address: str) -> bool:
    if _IN_MEMORY.search(address):
        return True
    match = _IN_FILE.match(address)
    path = match[1] if match is not None else address
    path = "/" + posixpath.normpath(path.replace("$TMPDIR/", "/tmp/")).lstrip("/")
    return path.startswith(_TEMPORARY) and (match is not None or address.startswith(("/", "$TMPDIR/")))
