"""Data for tests on a server of this machine: an index or a topic that says by its name what it is for. Pure; linear.

Both must be told: the server by an address of this machine or the container it runs in, and the thing by its name
(`orders_test`, `tmp-1`). In a container for tests everything is. One word of production, or an address of the network,
ends it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run
from holdfast.judging import own_servers, things
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_RULES = ("database.", "broker.", "cloud.objects", "cloud.database", "requests.", "unknown.destroy", "secrets.delete")
_FAR_SCHEMES = ("persistent://", "non-persistent://", "s3://", "gs://")
"""What looks as an address and names a thing."""
_NAMED = listed(
    "--topic --bucket --name --queue --queue-name --index --collection --database --db --stream --table --table-name "
    "--keyspace --subject --consumer --group -b -d"
)
_SWITCHES = listed(
    "-f --force -y --yes -r -R --recursive -recurse --prefix --from-key -q --quiet -v --verbose --if-exists --all "
    "--delete --purge --force-delete -it -i -t --insecure --dangerous"
)
_VERBS = listed(
    "delete del rm remove rb purge drop destroy empty clear flush unlink delete-topic delete_queue purge_queue"
)
_KINDS = listed(
    "queue queues topic topics stream streams bucket buckets index indexes collection collections kv object key keys "
    "table database exchange consumer subscription"
)
_CLIENTS_OF_PAGES = listed("curl wget http https httpie xh")
_STATEMENT = lazy_pattern(
    r"(?i)\b(?:drop|truncate)\s+(?:(?:database|keyspace|schema|table|index|collection|topic)\s+)?(?:if\s+exists\s+)?"
    r"[\"'`\[]?([\w.$-]+)|\bdelete\s+from\s+[\"'`\[]?([\w.$-]+)"
)
_PATH = lazy_pattern(r"(?:[a-z]+://)?(?:[^@/\s]*@)?[\w.\[\]:-]+?(?::\d+)?(/[^\s?#]*)")
_LOCAL_ALIASES = listed("local localhost minio-local local-minio")
_OWN_NUMBER = 1
"""Databases of Redis from here on are what somebody chose; the first is what every program has."""
_LONGEST = 2_000


def is_for_tests(rule: str, run: Run, before: Sequence[Run]) -> bool:
    """Is it only about data for tests, on this machine?"""
    if not rule.startswith(_RULES) or (run.remote and not run.container) or _names_production(run):
        return False
    if _is_temporary_file(run):
        return True
    hosts, _ = own_servers.named(
        replace(run, args=tuple(arg for arg in run.args if not arg.text.startswith(_FAR_SCHEMES)))
    )
    if not all(own_servers.is_local(host) or (run.container and "." not in host) for host in hosts):
        return False
    if _has_test_settings(run, before):
        return True
    if run.program in ("redis-cli", "valkey-cli"):
        return _empties_own_database(run, hosts) or _is_other_server(run)
    if run.container and disposable.is_for_tests(run.container):
        return True
    here = things.value_of(run, "--context", "--profile") in _LOCAL_ALIASES
    if not (hosts or run.container or here or _is_local_alias(run, before)):
        return False
    names = list(_names(run))
    return bool(names) and all(map(_is_spare, names))


def _is_temporary_file(run: Run) -> bool:
    """`cd $(mktemp -d) && sqlite3 t.db 'drop table a'`: a database in a file of a folder of the moment."""
    if run.program not in ("sqlite3", "duckdb", "litecli") or not (run.directory or "").startswith("$TMPDIR/"):
        return False
    words = things.words_of(run, listed("-cmd -init -separator -nullvalue -c -s"))
    return (
        bool(words)
        and re.match(r"\w[\w-]*(?:\.\w+)*\Z", words[0]) is not None
        and "attach" not in " ".join(words).lower()
    )


def _has_test_settings(run: Run, before: Sequence[Run]) -> bool:
    """`dotenv -e .env.test -- CMD`: the settings that it is given are those for tests."""
    for name in _GIVES_SETTINGS.intersection(run.via):
        wrapper = next((each for each in reversed(before) if each.program == name), None)
        files = [text for text in wrapper.texts[:20] if ".env" in text] if wrapper is not None else []
        if files and all(map(_TEST_SETTINGS.search, files)):
            return True
    return False


_GIVES_SETTINGS = listed("dotenv dotenvx env-cmd")
_TEST_SETTINGS = lazy_pattern(r"\.env\.(?:test|tests|testing|ci|e2e)(?:\.local)?\Z")


def _names_production(run: Run) -> bool:
    told = (*run.texts[:60], run.container, *(value.text for _, value in run.environment[:20]))
    return any(map(_PRODUCTION.search, told))


_PRODUCTION = lazy_pattern(r"(?i)(?<![a-z])(?:prod|production|prd|live)(?![a-z])")


def _empties_own_database(run: Run, hosts: Collection[str]) -> bool:
    """One database, by its number or on a server that is told to be this machine: `redis-cli -h localhost flushdb`."""
    words = [text.lower() for text in run.texts]
    number = things.value_of(run, "-n")
    signs_in = not {"-a", "--pass", "--askpass"}.isdisjoint(run.texts)
    chosen = number.isdecimal() and int(number) >= _OWN_NUMBER and not signs_in
    return "flushdb" in words and "flushall" not in words and (chosen or (bool(hosts) and not number))


def _is_other_server(run: Run) -> bool:
    """Is it told to be this machine, with a port that somebody chose: `redis-cli -h 127.0.0.1 -p 6399 flushall`?"""
    hosts, ports = own_servers.named(run)
    return bool(hosts) and bool(ports) and "6379" not in ports


_CLOUDS = (
    "cloud.objects",
    "cloud.aws",
    "cloud.azure",
    "cloud.google",
    "cloud.platform",
    "machine.destroy",
    "infrastructure.destroy",
)
_MIRRORS = listed("sync rsync")
_BUCKET = lazy_pattern(r"(?:s3|gs|az|r2)://[\w$]")
_THING = lazy_pattern(
    r"(?i)(?:\w+://)?(?:[\w.]+[-_])*(?:e2e|ci|scratch|tmp|temp|throwaway|pr-?\d+|preview-\w+)(?:[-_.][\w.]+)*/?\Z"
)
_MACHINE_HERE = lazy_pattern(r"(?i)(?:[\w.]+[-_])*(?:test|tests|it|e2e|ci|scratch|tmp|temp)(?:[-_.][\w.]+)*\Z")
_MAKES_MACHINES_HERE = listed("vagrant multipass limactl lima colima orb")
_CALLED = listed(
    "-n --name --stack-name --table-name --bucket --cluster --cluster-name --app -a --instance "
    "--db-instance-identifier --function-name --queue-url --log-group-name --repository-name --group-name "
    "--resource-group -g --stack --stage"
)
_VERB = lazy_pattern(r"(?:\w+:)?(?:delete|destroy|remove|rm|rb|terminate|purge|down|deprovision)(?:-[\w-]+)?\Z")


def is_spare_thing(rule: str, run: Run) -> bool:
    """Do all names of a call at a cloud say that they are there to be thrown away: `shop-pr-123`, `e2e-tmp-1`?"""
    if rule not in _CLOUDS or _names_production(run):
        return False
    if not _MIRRORS.isdisjoint(run.texts[:4]):
        places = [text for text in run.texts[:60] if _BUCKET.match(text)]
        return bool(places) and _is_spare_place(places[-1])
    named: list[str] = []
    behind = False
    for before, text in itertools.pairwise(("", *run.texts[:60])):
        name, sign, value = text.partition("=")
        if text.startswith("-"):
            named += [value] if sign and name in _CALLED else []
        elif before in _CALLED:
            named.append(text)
        elif before.startswith("-") and before not in _SWITCHES and "=" not in before:
            continue
        elif behind:
            named.append(text)
        behind = behind or _VERB.match(text) is not None
    if run.program in _MAKES_MACHINES_HERE:
        return bool(named) and all(_MACHINE_HERE.match(name) and disposable.is_test_database(name) for name in named)
    return bool(named) and all(_THING.match(name) and disposable.is_own_test_thing(name) for name in named)


def _is_spare_place(address: str) -> bool:
    """Does a bucket, or the last folder in it, say that it is there to be thrown away: `s3://shop-preview-41/`?"""
    parts = address.partition("://")[2].strip("/").split("/")
    return any(_THING.match(part) and disposable.is_own_test_thing(part) for part in {parts[0], parts[-1]})


def _is_local_alias(run: Run, before: Sequence[Run]) -> bool:
    """`mc alias set it http://localhost:9000 … && mc rb --force it/x`: what stands before the bucket names a server."""
    if run.program not in ("mc", "mcli"):
        return False
    local = set(_LOCAL_ALIASES)
    for each in before:
        words = things.words_of(each)
        if each.program == run.program and words[:2] == ["alias", "set"] and len(words) > 3:
            hosts, _ = own_servers.named(each)
            (local.add if hosts and all(map(own_servers.is_local, hosts)) else local.discard)(words[2])
    aliases = [word.partition("/")[0] for word in things.words_of(run)[1:]]
    return bool(aliases) and all(alias in local for alias in aliases)


def _names(run: Run) -> Iterator[str]:
    """The things that a call is about."""
    if run.program in _CLIENTS_OF_PAGES:
        for text in run.texts[:60]:
            path = _PATH.match(text) if "/" in text and not text.startswith("-") else None
            if path is not None and (parts := [part for part in path[1].split("/") if part and part[0] != "_"]):
                yield parts[-1] if ".." not in parts else ".."
        return
    told = [
        match[1] or match[2] for text in (*run.texts, run.stdin or "") for match in _STATEMENT.finditer(text[:_LONGEST])
    ]
    if told:
        yield from told
        return
    chosen, words = _given(run)
    if chosen:
        yield from chosen
        return
    place = next((place for place, word in enumerate(words) if word in _VERBS), len(words))
    for word in words[place + 1 :]:
        if word.startswith("name="):
            yield word[5:]
        elif word not in _KINDS and "=" not in word:
            yield word.partition("/")[2] if run.program in ("mc", "mcli") else word


def _given(run: Run) -> tuple[list[str], list[str]]:
    """What options name, and the words that are no values of other options."""
    chosen, words = [], []
    for before, text in itertools.pairwise(("", *run.texts[:60])):
        name, sign, value = text.partition("=")
        is_value = before.startswith("-") and "=" not in before and before not in _SWITCHES
        if text.startswith("-") and len(text) > 1:
            chosen += [value] if sign and name in _NAMED else []
        elif is_value:
            chosen += [text] if before in _NAMED else []
        else:
            words.append(text)
    return chosen, words


def _is_spare(name: str) -> bool:
    plain = re.sub(r"\A[a-z-]+://\S*/", "", name).strip("/*:_-.")
    parts = [plain, *plain.split("."), plain.partition("/")[0], plain.partition(":")[0]]
    return any(part and (things.is_spare(part) or disposable.is_own_test(part)) for part in parts)
