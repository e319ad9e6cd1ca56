"""Does a call name a database, a volume or a namespace that is there to be thrown away? Pure.

What is named decides: a URL, a server, a database. A mode such as `RAILS_ENV=test` counts only where nothing is named.
One word of production ends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_TEST = r"(?:test|tests|testing|e2e|it|itest|ci|dev|development|scratch|tmp|temp|throwaway|sandbox|probe|smoke)"
_TEST_NAME = lazy_pattern(rf"(?:\A|[_.-]){_TEST}\d*(?:\Z|[_.-])", re.I)
_PRODUCTION = lazy_pattern(r"(?<![a-z])(?:prod|production|prd|live)(?![a-z])", re.I)
_MODES = lazy_pattern(r"(?:\w+_)?(?:ENV|ENVIRONMENT|SETTINGS_MODULE)\Z")
_NAMES = lazy_pattern(r"(?:\w+_)?(?:DATABASE|DATABASE_URL|DB_URL|DB_NAME|DB_DATABASE)\Z|PGDATABASE\Z|MYSQL_DATABASE\Z")
_SERVERS = lazy_pattern(r"(?:\w+_)?(?:HOST|HOSTNAME)\Z|PGHOST\Z")
_MODE_OPTIONS = listed("--env --environment --settings --profile")
_COMPOSE = ("-p", "--project-name", "-f", "--file", "--profile")
_COMPOSERS = listed("docker podman docker-compose podman-compose nerdctl finch")
_NAMED_BY = {
    "psql": ("-d", "--dbname"), "pgcli": ("-d", "--dbname"), "mysql": ("-D", "--database"),
    "mariadb": ("-D", "--database"), "mycli": ("-D", "--database"), "cockroach": ("-d", "--database"),
    "clickhouse-client": ("-d", "--database"), "pg_restore": ("-d", "--dbname"), "mongorestore": ("-d", "--db"),
    **dict.fromkeys(_COMPOSERS, _COMPOSE),
}  # fmt: skip
_NAMED_FIRST = listed("psql pgcli mysql mariadb mycli sqlite3 duckdb mongosh mongo dropdb usql")
_WITH_HOST = _NAMED_FIRST | listed("pg_restore mongorestore cockroach clickhouse-client redis-cli valkey-cli")
_VALUES = listed(
    "-h -p -U -d -c -f -v -o -P -u -D -e -a -n -x --command --file --dbname --host --port --username --user --password "
    "--execute --database --eval --output --maintenance-db --cmd --init"
)
_CHOSEN = lazy_pattern(rf"(?:name|label)=\S*?(?<![a-z]){_TEST}(?![a-z])", re.I)
"""Chosen by a filter that names tests."""
_NAMED = r"getSiblingDB\(\s*[\"'`]([\w-]+)[\"'`]\s*\)"
_SIBLING = lazy_pattern(_NAMED)
_OWN_DATABASE = lazy_pattern(
    rf"\bdb\b(?!\.{_NAMED})|\bgetSiblingDB\b(?<!\bdb\.getSiblingDB)|\buse\s|\bMongo\(|\bconnect\("
)
"""It may mean another database than those that it names: its own, or one whose name is computed."""
_TEMPORARY = (":memory:", "file::memory:", "/tmp/", "/var/tmp/", "/dev/shm/", "$TMPDIR/")
_GOES_ELSEWHERE = lazy_pattern(
    r"\battach\s+(?:database\s+)?(?:if\s+not\s+exists\s+)?['\"](?!:memory:|/tmp/)|(?:\A|[\n;])[ \t]*\.open\s|"
    r"\\c(?:onnect)?\s+\S|\bdrop\s+database\s+(?:if\s+exists\s+)?[\"'`]?(\w+)",
    re.I,
)
"""Statements that are about another database than the one that the call names."""


def is_for_tests(name: str) -> bool:
    if name.startswith(_TEMPORARY):
        return True
    plain = name.partition("?")[0].rpartition("@")[2].rsplit("/", 1)[-1]
    return _TEST_NAME.search(plain) is not None and not _PRODUCTION.search(name)


def is_of_production(text: str) -> bool:
    """Has a name, a file or a setting a word of production?"""
    return _PRODUCTION.search(text) is not None


def is_own_test(name: str) -> bool:
    """Is it a name of one's own that says so: `shop_test`? `test` alone is whatever somebody once put there."""
    return is_for_tests(name) and name.partition("?")[0].rsplit("/", 1)[-1].lower() not in _NO_NAME


def is_own_test_thing(name: str) -> bool:
    """Is it a name of one's own at a cloud, and not the bare word?"""
    plain = name.partition("://")[2] or name
    return plain.strip("/").lower() not in _NO_NAME and not _PRODUCTION.search(plain)


_NO_NAME = listed("test tests testing dev development ci")
_OF_DEVELOPER = listed("dev development ci")


def is_test_database(name: str) -> bool:
    """Is it a database for tests? `test` alone is one, too: where no server is named, it is the developer's own. `dev`
    is what somebody works with."""
    return is_for_tests(name) and name.partition("?")[0].rsplit("/", 1)[-1].lower() not in _OF_DEVELOPER


def is_cache(volume: str) -> bool:
    """Does the name of a volume say that a tool fills it again: `shop_node_modules`?"""
    return _CACHE.search(volume) is not None and not _PRODUCTION.search(volume)


_CACHE = lazy_pattern(
    r"(?i)(?:\A|[_.-])(?:node[_-]?modules|caches?|\.?venv|pycache|gradle|m2|maven|cargo(?:[_-]registry)?|pnpm[_-]?store|bundle|"
    r"gems|go[_-]?(?:mod|build|pkg)|pip|poetry|next|turbo)\Z"
)


def is_thrown_away(
    program: str,
    words: Sequence[str],
    environment: Iterable[tuple[str, str]],
    container: str = "",
    stdin: str | None = None,
) -> bool:
    """Does a call name a database that is there to be thrown away: `shop_test`, `RAILS_ENV=test`, `:memory:`?"""
    if list(words[:1]) == ["volume"]:
        volumes = [word for word in words[2:] if not word.startswith("-")]
        return bool(volumes) and all(is_own_test(name) or is_cache(name) or _CHOSEN.search(name) for name in volumes)
    if program in _CLUSTERS:
        return _is_spare_namespace(words)
    if program == "wrangler" and "--local" in words:
        return True
    given = list(_given(program, words, environment))
    if container:
        given.append(("server", container))
    if any(_PRODUCTION.search(value) for value in (*(value for _, value in given), *words) if " " not in value):
        return False
    names = [value for kind, value in given if kind == "name"]
    if any(_leaves(text) for text in (*words, stdin or "")):
        return False
    if container and is_for_tests(container):
        return True
    if names:
        if program in _COMPOSERS:
            return any(map(is_test_database, names))
        return not _goes_far(given) and all(map(is_test_database, names))
    if _goes_far(given):
        return False
    text = " ".join((*words, stdin or ""))
    if program in ("mongosh", "mongo") and (chosen := _SIBLING.findall(text)) and not _OWN_DATABASE.search(text):
        return all(map(is_own_test, chosen))
    return any(is_for_tests(value) for _, value in given)


def _goes_far(given: Iterable[tuple[str, str]]) -> bool:
    """Does a call name a server of the network, and none that is there for tests?"""
    return any(kind == "server" and _is_far(value) and not is_for_tests(value) for kind, value in given)


def _leaves(text: str) -> bool:
    return any(match[1] is None or not is_test_database(match[1]) for match in _GOES_ELSEWHERE.finditer(text))


def _is_far(server: str) -> bool:
    """Has it a name of the network? `localhost` and `db` of a compose file have not."""
    return "." in server and not server.startswith(("127.", "/", "."))


def _given(program: str, words: Sequence[str], environment: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What a call names, each with its kind: `name` of a database, `server`, or `mode`."""
    for name, value in environment:
        if kind := _kind(name):
            yield kind, value
    options = _NAMED_BY.get(program, ("--env", "--environment", "--settings", "--database"))
    hosts = ("-h", "--host", "--hostname") if program in _WITH_HOST else ("--host",)
    first = program not in _NAMED_FIRST
    skip = ""
    for word in words:
        option, sign, value = word.partition("=")
        told = ""
        if skip:
            option, value, told, skip = skip, word, skip, ""
        elif word.startswith("-") and len(word) > 1:
            if word[:2] in hosts and word[2:]:  # `-hdb.example.com`
                yield "server", word[2:]
            told = option if sign else ""
            skip = "" if sign or not (word in _VALUES or word in options or word in hosts) else word
        elif sign and (kind := _kind(option)):  # `rails db:drop RAILS_ENV=test`
            yield kind, value
        elif not first:
            yield "name", word
            first = program != "dropdb"
        if told in hosts:
            yield "server", value
        elif told in options:
            mode = told in _MODE_OPTIONS and program not in _COMPOSERS
            yield "mode" if mode else "name", _folder_for_tests(value) or value


def _folder_for_tests(file: str) -> str:
    """The folder of a file of `compose` that says that it is for tests: `tests/integration/compose.yml`."""
    folders = file.split("/")[:-1] if file.endswith((".yml", ".yaml")) else []
    return next((each for each in folders if is_for_tests(each)), "")


def _kind(variable: str) -> str:
    if _NAMES.match(variable):
        return "name"
    if _SERVERS.match(variable):
        return "server"
    return "mode" if _MODES.match(variable) else ""


# --- clusters

_CLUSTERS = listed("kubectl k oc microk8s.kubectl helm")
_SPARE = lazy_pattern(
    r"(?:dev|development|preview|test|tests|testing|e2e|scratch|sandbox|tmp|temp|playground|demo|branch|experiment|spike)"
    r"(?:[-_.\d].*)?\Z|(?:pr|mr)-?\d+\Z|(?:review|exp|feat|feature)(?:\d|[-_]\w).*\Z|(?:ci|local)\Z|"
    r".*[-_](?:dev|test|tests|preview|sandbox|e2e|ci|scratch|tmp|demo)\Z"
)
"""Namespaces of one developer or one feature."""
_NOT_SPARE = lazy_pattern(r"prod(?!uct(?!ion))|(?<![a-z])live(?![a-z])|system", re.I)
_OF_CLUSTER = lazy_pattern(
    r"(?:ns|namespaces?|projects?|pv|persistentvolumes?|crds?|customresourcedefinitions?|no|nodes?|clusterroles?|"
    r"clusterrolebindings?|sc|storageclass(?:es)?|ingressclass(?:es)?|priorityclass(?:es)?|apiservices?|csidrivers?|"
    r"csinodes?|volumeattachments?|runtimeclass(?:es)?|(?:validating|mutating)webhookconfigurations?|"
    r"clusterissuers?|csr|certificatesigningrequests?)(?:\.[a-z0-9.]+)?\Z",
    re.I,
)
"""Kinds of objects that lie in no namespace, whichever is named."""
_WHOLE = ("-A", "--all-namespaces", "-f", "--filename", "-k", "--kustomize", "-R", "--recursive")
_NAMESPACES = ("ns", "namespace", "namespaces", "project")
_CLUSTER_VALUES = listed(
    "-n --namespace --context --kube-context --kubeconfig --cluster --user -s --server -l --selector -o --output "
    "--field-selector --grace-period --timeout --replicas --as -p --patch --type"
)


def _is_spare_namespace(words: Sequence[str]) -> bool:
    """Is all that it is about in a namespace that is there to be thrown away, or such a namespace itself?"""
    named: list[str] = []
    plain: list[str] = []
    skip = ""
    for word in words:
        name, sign, told = word.partition("=")
        if skip:
            name, told, sign, skip = skip, word, "=", ""
        elif not word.startswith("-"):
            plain.append(word)
            continue
        elif name in (*_CLUSTER_VALUES, "-f", "--filename") and not sign:
            skip = name
            continue
        if name in ("-f", "--filename") and sign and is_test_file(told):
            continue
        if name in _WHOLE or name[:2] in ("-A", "-f", "-k"):
            return False
        if sign and name in ("-n", "--namespace"):
            named.append(told)
        elif sign and name in _CLUSTER_VALUES and _NOT_SPARE.search(told):
            return False
    if plain[:1] == ["delete"] and plain[1:2] and plain[1] in _NAMESPACES:
        return len(plain) > 2 and all(_is_spare(name) and name not in _NO_NAME for name in plain[2:])
    kinds = [kind for word in plain[1:] for kind in word.partition("/")[0].split(",")] if "/" in "".join(plain) else []
    kinds += plain[1].split(",") if len(plain) > 1 else []
    if any(map(_OF_CLUSTER.match, kinds)) or plain[:1] in (["drain"], ["taint"]):
        return False
    return bool(named) and all(map(_is_spare, named))


def is_test_file(path: str) -> bool:
    """Does the name of a file, or of its folder, say that it is for tests: `deploy/test.yml`?"""
    parts = re.sub(r"\.ya?ml\Z|\.json\Z", "", path).split("/")
    return not _PRODUCTION.search(path) and any(map(is_for_tests, parts[-2:])) and ".." not in parts


def _is_spare(name: str) -> bool:
    return _SPARE.match(name) is not None and not _NOT_SPARE.search(name)
