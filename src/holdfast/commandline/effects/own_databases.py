"""Does a call name only databases of the moment: a file in a temporary folder, or memory? Pure; linear.

`DATABASE_URL=sqlite:////tmp/x.db alembic downgrade base`, `flyway -url=jdbc:h2:mem:t clean`. A tool for migrations goes
where the address tells it. A client of a database knows no such variable, so it is not asked here.
"""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Iterable, Iterator, Sequence

from holdfast.commandline.effects import disposable
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_SAYS_DATABASE = listed(
    "DATABASE_URL DATABASE_URI DATABASE_DSN DB_URL DB_URI DB_DSN DB_DATABASE SQLALCHEMY_DATABASE_URI "
    "SQLALCHEMY_DATABASE_URL SQLALCHEMY_URL GOOSE_DBSTRING DBMATE_DATABASE_URL PRISMA_DATABASE_URL MLFLOW_TRACKING_URI"
)
"""Variables that hold the address of a database; a file of its password or its certificate is none."""
_SAYS_SERVER = lazy_pattern(r"(?i)\w*(?:HOST|HOSTNAME|HOSTADDR|SERVER)\Z")
_TELLS_SERVER = lazy_pattern(
    r"(?i)(?:\A|[\s;,?&])-{0,2}(?:[\w.]{1,40}[._-])?(?:host|hostname|hostaddr|server|dbname)(?:\s{0,9}=|\Z)|"
    r"\A(?:postgres(?:ql)?|pgx|mysql|mariadb|mssql|sqlserver|clickhouse|redshift|tidb|ydb|vertica)\Z"
)
"""A word that leads to a server: `host=db`, `--host`, the bare name of a driver."""
_ADDRESS = lazy_pattern(
    r"(?i)(?:jdbc:)?(sqlite3?|duckdb|file|h2|hsqldb|derby|postgres(?:ql)?|mysql2?|mariadb|mongodb|redis|sqlserver|mssql|oracle|"
    r"cockroachdb|clickhouse|turso|libsql|[a-z]{3,20}sql)(?:\+\w{1,30})?:"
)
_IN_MEMORY = lazy_pattern(
    r"(?i)\A:memory:\Z|\Afile::memory:|\A(?:jdbc:)?(?:sqlite3?|duckdb)(?:\+\w+)?:(?:/{2,3})?(?:file:{1,2})?:?memory:|"
    r"\A(?:jdbc:)?(?:sqlite3?(?:\+\w+)?|file):[^?@]{0,200}\?(?:[\w=.]{1,40}&){0,9}mode=memory(?:&|\Z)|"
    r"\A(?:jdbc:)?(?:h2|hsqldb|derby):mem(?:ory)?:|\Asqlite3?(?:\+\w+)?:/{2,3}\Z"
)
_IN_FILE = lazy_pattern(r"(?i)\A(?:jdbc:)?(?:sqlite3?|duckdb|file|h2|hsqldb)(?:\+\w{1,30})?:(?:file:|//)?(/[^?]*)")
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")
_NAMES_FILE = lazy_pattern(r"(?:/|\$TMPDIR/)\S+\.(?:db|db3|sqlite3?|sqlite|duckdb)\Z")
_OF_DATABASE = lazy_pattern(
    r"(?i)-{0,2}[DPN]?(?:flyway\.|liquibase\.|quarkus\.|spring\.datasource\.|sqlalchemy\.)?"
    r"(?:url|uri|dsn|u|db|database|(?:db|database|sqlalchemy|jdbc)[-_]?ur[il]|connection(?:[-_]?string)?|"
    r"(?:backend|registry)-store-uri)\Z"
)
"""Options behind which the address of a database stands."""
_DRIVERS = listed("sqlite sqlite3 duckdb")
_USUAL = listed("sqlite sqlite3 default primary test testing memory")
"""Databases by a name of the settings, which the address is about."""
_MOST = 60


def only_of_moment(words: Sequence[str], environment: Iterable[tuple[str, str]]) -> bool:
    """Is there an address, and is each of them one of the moment?"""
    words = words[:_MOST]
    variables = list(environment)
    if any(name == "DB_CONNECTION" and value not in _USUAL for name, value in variables):
        return False
    if any(_SAYS_SERVER.match(name) for name, _ in variables) or any(map(_TELLS_SERVER.search, words)):
        return False
    told = [value for name, value in variables if name in _SAYS_DATABASE]
    others = [value for name, value in variables if name not in _SAYS_DATABASE and _ADDRESS.match(value)]
    named = list(_named(words))
    told += [value for is_told, value in named if is_told]
    others += [value for is_told, value in named if not is_told]
    if any(map(disposable.is_of_production, (*words, *told, *others))):
        return False
    return bool(told) and all(map(_is_of_moment, (*told, *others)))


def _named(words: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """What names a database or another address, each with: does it stand where a database is told?"""
    for before, word in itertools.pairwise(("", *words)):
        option, sign, value = word.partition("=")
        if not sign or "://" in option or not option.replace("-", "").replace(".", "").replace("_", "").isalnum():
            option, value = before, word
        of_database = _OF_DATABASE.match(option) is not None and (option[:1] == "-" or bool(sign))
        is_address = "://" in value or _ADDRESS.match(value) is not None
        if is_address:
            place = of_database or (value == word and not before.startswith("-"))
            yield place and not value.lower().startswith("file:"), value
        elif of_database or before in _DRIVERS:
            if _NAMES_FILE.match(value) or value == ":memory:":
                yield True, value
            elif option in ("--database", "--db") and value not in _USUAL:
                yield False, value


def _is_of_moment(address: str) -> bool:
    if _IN_MEMORY.search(address):
        return True
    match = _IN_FILE.match(address)
    path = match[1] if match is not None else address
    path = "/" + posixpath.normpath(path.replace("$TMPDIR/", "/tmp/")).lstrip("/")
    return path.startswith(_TEMPORARY) and (match is not None or address.startswith(("/", "$TMPDIR/")))
