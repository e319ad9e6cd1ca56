"""Statements of SQL and of document databases that destroy. Pure; linear in the text.

Texts in quotation marks and comments are data. What `EXPLAIN` shows, what `ROLLBACK` takes back and tables that the
same text has made count as nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from holdfast.shell.tools import listed

_TOKENS = re.compile(
    r"--[^\n]*|/\*(?!!)(?:[^*]|\*(?!/))*(?:\*/|\Z)|'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\"\"|\\.)*\"|`[^`]*`|"
    r"\$(\w*)\$",
    re.DOTALL,
)
_OBJECTS = (
    "table|database|schema|view|materialized|role|user|column|type|sequence|tablespace|extension|keyspace|owned|"
    "function|collection|stream|topic"
)
_NAME = r"((?:[\w.\[\]]|\"x\w*\"|`x\w*`)+)"
_DROPS = re.compile(rf"\bdrop\s+(?:{_OBJECTS})\b(?:\s+if\s+exists)?(?:\s+{_NAME})?", re.I)
_WHOLE = re.compile(r"drop\s+(?:database|schema|keyspace|user|role)\b", re.I)
"""What has a name of its own by which one tells that it is for tests."""
_TRUNCATES = re.compile(rf"\btruncate\s+(?:table\s+)?(?:only\s+)?{_NAME}", re.I)
_NO_DATA = r"constraint|default|not\b|index|key|primary|foreign|check"
_DESTROYS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("drops a column", re.compile(rf"\balter\s+table\b[^;]{{0,500}}\bdrop\s+(?!{_NO_DATA})", re.I)),
    ("drops a collection or database", re.compile(r"\.drop(?:database)?\s*\(", re.I)),
    ("deletes all documents", re.compile(r"\.(?:deletemany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)", re.I)),
    ("empties Redis", re.compile(r"\bflush(?:all|db)\b", re.I)),
)  # fmt: skip
_DELETE = re.compile(rf"\bdelete\s+from\s+(?:only\s+)?{_NAME}", re.I)
_UPDATE = re.compile(rf"\bupdate\s+(?:only\s+)?{_NAME}\s+set\s", re.I)
_WHERE = re.compile(r"\bwhere\b(?!\s+(?:1\s*=\s*1|true)\b)|\blimit\b|\busing\b", re.I)
_MADE = re.compile(
    rf"\bcreate\s+(?:(?:global|local)\s+)?(?:temp(?:orary)?\s+|unlogged\s+)?(?:table|view|database|schema)\s+(?!if\b){_NAME}|"
    rf"\bcreate\s+temp(?:orary)?\s+table\s+if\s+not\s+exists\s+{_NAME}",
    re.I,
)
_BEGINS = re.compile(r"\s*(?:begin|start\s+transaction)\b", re.I)
_ENDS = re.compile(r"\s*(?:commit|end)\b", re.I)
_TAKES_BACK = re.compile(r"\s*(?:rollback|abort)\b(?!\s+to\b)", re.I)
_EXPLAINS = re.compile(
    r"\s*(?:explain|describe|desc)\b(?!\s*(?:\([^)]*\banaly[sz]e\b|(?:verbose\s+)?analy[sz]e\b))", re.I
)
_MAKES_CODE = re.compile(
    r"\s*create\s+(?:or\s+replace\s+)?(?:definer\s*=\s*\S+\s+)?(?:function|procedure|trigger|rule|event)\b", re.I
)
_ENDS_ALONE = re.compile(r"\b(?:drop|truncate|alter)\b", re.I)


def destroys(texts: Iterable[str], *, takes_back: bool = True) -> str:
    """What the statements of these texts destroy, in a few words; '' when nothing.

    `takes_back`: a transaction can undo `DROP` and `TRUNCATE`, as PostgreSQL and SQLite can; MySQL commits first."""
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
        new = {name.lower() for match in _MADE.finditer(statement) for name in match.groups() if name}
        if _EXPLAINS.match(statement) or _MAKES_CODE.match(statement):
            continue
        if said := _of_statement(statement, made):
            if not inside or (not takes_back and _ENDS_ALONE.search(statement)):
                return said
            waiting = waiting or said
        made |= new  # only what was made before it is dropped is nobody's loss
    return waiting


def _of_statement(statement: str, made: set[str]) -> str:
    for said, pattern in (("drops a database object", _DROPS), ("empties a table", _TRUNCATES)):
        for match in pattern.finditer(statement):
            name = (match[1] or "").lower()
            is_spare = _WHOLE.match(match[0]) and _is_for_tests(name.strip('"`').removeprefix("x"))
            if name not in made and not is_spare:
                return said
    for said, pattern in _DESTROYS:
        if pattern.search(statement):
            return said
    if _WHERE.search(statement):
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


_TEST = r"(?:test|tests|testing|e2e|ci|dev|development|scratch|tmp|temp|throwaway|sandbox)"
_TEST_NAME = re.compile(rf"(?:\A|[_.-]){_TEST}\d*(?:\Z|[_.-])", re.I)
_MODES = re.compile(r"(?:\w+_)?(?:ENV|ENVIRONMENT|DATABASE|DATABASE_URL|DB_URL|DB_NAME|SETTINGS_MODULE|PGDATABASE)\Z")
_COMPOSE = ("-p", "--project-name", "-f", "--file", "--profile")
_NAMED_BY = {
    "psql": ("-d", "--dbname"), "pgcli": ("-d", "--dbname"), "mysql": ("-D", "--database"),
    "mariadb": ("-D", "--database"), "mycli": ("-D", "--database"), "cockroach": ("-d", "--database"),
    "clickhouse-client": ("-d", "--database"), "pg_restore": ("-d", "--dbname"), "mongorestore": ("-d", "--db"),
    **dict.fromkeys(("docker", "podman", "docker-compose"), _COMPOSE),
}  # fmt: skip
_NAMED_FIRST = listed("psql pgcli mysql mariadb mycli sqlite3 duckdb mongosh mongo dropdb usql")
_VALUES = listed(
    "-h -p -U -d -c -f -v -o -P -u -D -e -a -n -x --command --file --dbname --host --port --username --user --password "
    "--execute --database --eval --output --maintenance-db --cmd --init"
)
_CHOSEN = re.compile(rf"(?:name|label)=\S*?(?<![a-z]){_TEST}(?![a-z])", re.I)
"""Chosen by a filter that names tests."""
_TEMPORARY = (":memory:", "file::memory:", "/tmp/", "/var/tmp/", "/dev/shm/", "$TMPDIR/")


def is_for_tests(
    program: str, words: Sequence[str], environment: Iterable[tuple[str, str]], container: str = ""
) -> bool:
    """Does a call name a database that is there to be thrown away: `shop_test`, `RAILS_ENV=test`, `:memory:`?"""
    if list(words[:1]) == ["volume"]:
        volumes = [word for word in words[2:] if not word.startswith("-")]
        return bool(volumes) and all(_is_for_tests(name) or _CHOSEN.search(name) for name in volumes)
    if program in _CLUSTERS:
        return _is_spare_namespace(words)
    named = [container, *(value for name, value in environment if _MODES.match(name))]
    options = _NAMED_BY.get(program, ("--env", "--environment", "--settings", "--database"))
    first = program not in _NAMED_FIRST
    skip = ""
    for word in words:
        option, sign, value = word.partition("=")
        if skip:
            named += [word] if skip in options else []
            skip = ""
        elif word.startswith("-") and len(word) > 1:
            named += [value] if sign and option in options else []
            skip = word if word in _VALUES or word in options else ""
        elif sign and _MODES.match(option):  # `rails db:drop RAILS_ENV=test`
            named.append(value)
        elif not first:
            named.append(word)
            first = program != "dropdb"
    return any(_is_for_tests(name) for name in named)


_CLUSTERS = listed("kubectl k oc microk8s.kubectl helm")
_SPARE = re.compile(
    r"(?:dev|development|feat|feature|preview|pr|mr|review|test|tests|testing|e2e|ci|scratch|sandbox|tmp|temp|playground|demo|"
    r"local|branch|experiment|exp|spike)(?:[-_.\d].*)?\Z|.*[-_](?:dev|test|tests|preview|sandbox|e2e|ci|scratch|tmp|demo)\Z"
)
"""Namespaces of one developer or one feature."""


def _is_spare_namespace(words: Sequence[str]) -> bool:
    """Is all that it is about in a namespace that is there to be thrown away, or such a namespace itself?"""
    for option, value in itertools.pairwise((*words, "")):
        name, sign, told = option.partition("=")
        if name in ("-n", "--namespace"):
            return _SPARE.match(told if sign else value) is not None
    plain = [word for word in words if not word.startswith("-")]
    if plain[:1] == ["delete"] and plain[1:2] and plain[1] in ("ns", "namespace", "namespaces", "project"):
        return len(plain) > 2 and all(map(_SPARE.match, plain[2:]))
    return False


def _is_for_tests(name: str) -> bool:
    if name.startswith(_TEMPORARY):
        return True
    plain = name.partition("?")[0].rpartition("@")[2].rsplit("/", 1)[-1]
    return _TEST_NAME.search(plain) is not None
