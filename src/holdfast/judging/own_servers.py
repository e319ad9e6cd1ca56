"""Servers that a line starts itself, and the calls that only talk to them: nobody else has data there. Pure; linear.

`docker run -d -p 6390:6379 redis && redis-cli -p 6390 flushall`, `vault server -dev & … vault kv delete secret/t`. A
container counts where it has nothing of this machine and no volume that stays. A call must name the port that the line
opened, or no address at all where the line started a server of the same product in its mode for trying. An address of
the network ends it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_CONTAINERS = listed("docker podman nerdctl finch")
_RULES = (
    *("database.", "broker.", "secrets.delete", "cloud.objects", "cloud.database", "infrastructure.destroy"),
    *("unknown.destroy", "requests.", "backup."),
)
_PRODUCTS: dict[str, tuple[str, str]] = {
    "vault": ("vault bao", r"server\b.*-dev\b"), "bao": ("vault bao", r"server\b.*-dev\b"),
    "consul": ("consul", r"agent\b.*-dev\b"), "nomad": ("nomad", r"agent\b.*-dev\b"),
    "temporal": ("temporal tctl", r"server start-dev\b"), "nats-server": ("nats", r"(?!.*(?:-c|--config)\b)"),
    "etcd": ("etcdctl", r".*--data-dir[ =](?:/tmp/|/var/tmp/|\$TMPDIR)"),
    "redis-server": ("redis-cli", r".*--dir[ =](?:/tmp/|\$TMPDIR)"),
    "turso": ("turso", r"dev\b"),
    "rpk": ("rpk", r"container start\b"), "firebase": ("firebase", r"emulators:(?:start|exec)\b"),
    "localstack": ("aws awslocal", r"start\b"), "surreal": ("surreal", r"start\b.*\bmemory\b"),
    "mongod": ("mongosh mongo", r".*--dbpath[ =](?:/tmp/|\$TMPDIR)"), "arangod": ("arangosh", r".*(?:/tmp/|\$TMPDIR)"),
    "minio": ("mc aws s5cmd", r"server\b.*(?:/tmp/|\$TMPDIR)"), "influxd": ("influx", r".*(?:/tmp/|\$TMPDIR)"),
    "anvil": ("cast forge", r""), "supabase": ("supabase", r"start\b"),
    "clickhouse": ("clickhouse clickhouse-client", r"local\b"),
}  # fmt: skip
"""Servers in their mode for trying: the programs that talk to them, and how their words begin."""
_USUAL_PORTS = {
    "vault": "8200", "bao": "8200", "consul": "8500", "nomad": "4646", "temporal": "7233", "nats-server": "4222",
    "etcd": "2379", "redis-server": "6379", "mongod": "27017", "minio": "9000", "localstack": "4566", "anvil": "8545",
    "turso": "8080",
    "rpk": "9092", "influxd": "8086", "surreal": "8000", "firebase": "8080 9000 9099", "supabase": "54321 54322",
}  # fmt: skip
"""Where each listens, unless it is told another port."""
_LOCAL = r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|::1|host\.docker\.internal)"
_IS_LOCAL = lazy_pattern(rf"{_LOCAL}\Z|/|\Z")
_ADDRESS = lazy_pattern(
    rf"(?:[a-z][a-z0-9+]*://)?(?:[^@/\s'\"]*@)?({_LOCAL}|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d+)):(\d{{2,5}})\b"
)
_URL = lazy_pattern(r"[a-z][a-z0-9+]*://(?:[^@/\s'\"]*@)?(\[[\w:]+\]|[\w.-]+|\$[\w{}]+)")
_LISTENS = lazy_pattern(
    rf"\A-{{1,2}}[\w-]{{0,40}}(?:listen|address|addr|bind|port)[\w-]{{0,20}}=(?:{_LOCAL})?:?(\d{{2,5}})\Z"
)
"""`-dev-listen-address=127.0.0.1:8250`, `--port=6399`."""
_TIME = lazy_pattern(r"\d{4}-\d\d-\d\dT")
_SAYS_WHERE = lazy_pattern(r"HOST|ADDR|URL|ENDPOINT|BROKERS|_URI")
_HOSTS = ("-h", "--host", "--hostname", "-H", "--server", "-S")
_PORTS = ("-p", "-P", "--port")
_MOST = 20


@dataclass(slots=True)
class Started:
    """What a line has started so far."""

    ports: dict[str, int] = field(default_factory=dict)
    """Ports of this machine, each with the place of the run that opened it."""
    containers: dict[str, int] = field(default_factory=dict)
    """Closed containers by name, of which `docker port NAME` tells the port."""
    clients: dict[str, int] = field(default_factory=dict)
    """Programs that talk to a server that the line started, where they name no other."""


def by_line(runs: Sequence[Run]) -> Started:
    """All servers that the runs of a line start."""
    found = Started()
    for number, run in enumerate(runs):
        if run.remote or run.may_fail or run.after_failure or len(found.ports) > _MOST:
            continue
        words = " ".join(run.texts[:40])
        if run.program in _CONTAINERS and {"run", "create"} & set(run.texts[:2]):
            if _is_closed(run) and not any(name == "DOCKER_HOST" for name, _ in run.environment):
                found.ports |= dict.fromkeys(_published(run), number)
                found.containers |= dict.fromkeys(_named_container(run), number)
        elif run.program in _PRODUCTS:
            clients, shape = _PRODUCTS[run.program]
            if re.match(shape, words):
                found.clients |= dict.fromkeys(clients.split(), number)
                found.ports |= dict.fromkeys(_own_ports(run) or _USUAL_PORTS.get(run.program, "").split(), number)
    return found


def talks_to_own(rule: str, run: Run, number: int, started: Started) -> bool:
    """Is the server that this run talks to one that the line started before?"""
    if not rule.startswith(_RULES) or run.remote or run.after_failure:
        return False
    hosts, ports = named(run)
    if not all(map(is_local, hosts)):
        return False
    asked = list(_asked_ports(run))
    if ports or asked:
        own = all(started.ports.get(port, number) < number for port in ports)
        return own and all(_is_of_own(words, number, started) for words in asked)
    return started.clients.get(run.program, number) < number


_ASKS_PORT = lazy_pattern(r"\b(?:docker|podman|nerdctl|finch)\s+(?:container\s+)?(?:port|inspect)\s([^|;`&]{1,400})")
"""A substitution that asks for the port behind which a container listens."""
_IN_PLACE = lazy_pattern(
    r":(?:\$\(|`)\s*(?:docker|podman|nerdctl|finch)\s|\A(?:\$\(|`)\s*(?:docker|podman|nerdctl|finch)\s"
)


def _asked_ports(run: Run) -> Iterator[str]:
    """The words of each call by which this run is told a port: `redis-cli -p $(docker port r 6379)`."""
    values = [value.text for name, value in run.environment if _SAYS_WHERE.search(name)]
    for text in (*run.texts[:60], *values):
        if "$(" in text or "`" in text:
            place = _IN_PLACE.search(text)
            yield from _ASKS_PORT.findall(text, place.start())[:2] if place is not None else ()


def _is_of_own(words: str, number: int, started: Started) -> bool:
    """Does such a call ask about a container that the line has started?"""
    named = words.split()
    return any(
        place < number and any(word == name or word.startswith(f"{name})") for word in named)
        for name, place in started.containers.items()
    )


def _named_container(run: Run) -> list[str]:
    for option, value in itertools.pairwise((*run.texts, "")):
        name, sign, told = option.partition("=")
        if name == "--name":
            return [told if sign else value]
    return []


def is_local(host: str) -> bool:
    """Is it an address of this machine?"""
    return _IS_LOCAL.match(host) is not None


def is_far(run: Run) -> bool:
    """Does a call name a server of the network, and none that is there for tests?"""
    hosts, _ = named(run)
    return any("." in host and not is_local(host) and not disposable.is_for_tests(host) for host in hosts)


def named(run: Run) -> tuple[set[str], set[str]]:
    """The hosts and the ports that a call names, in options, addresses and variables."""
    hosts: set[str] = set()
    ports: set[str] = set()
    values = [value.text for name, value in run.environment if _SAYS_WHERE.search(name)]
    hosts |= {value.text for name, value in run.environment if name.endswith("HOST") and ":" not in value.text}
    for text in (*run.texts[:60], *values):
        hosts |= {match[1] for match in _URL.finditer(text)} if "://" in text else set()
        for match in _ADDRESS.finditer(text[:500]) if ":" in text and " " not in text and not _TIME.match(text) else ():
            hosts.add(match[1])
            ports.add(match[2])
    for option, value in itertools.pairwise((*run.texts[:60], "")):
        name, sign, told = option.partition("=")
        value = told if sign else value
        if name in _HOSTS and value and ":" not in value:
            hosts.add(value)
        elif name in _PORTS and value.isdecimal():
            ports.add(value)
        elif re.fullmatch(r"-[pP]\d+", option):
            ports.add(option[2:])
        elif re.match(r"-h[\w.]", option) and run.program in ("mysql", "mariadb", "psql", "redis-cli"):
            hosts.add(option[2:])
    return hosts, ports


def _own_ports(run: Run) -> list[str]:
    found = [value for option, value in itertools.pairwise(run.texts) if option in _PORTS and value.isdecimal()]
    return found + [port for text in run.texts[:60] for port in _LISTENS.findall(text)]


def _published(run: Run) -> list[str]:
    """The ports of this machine behind which a container listens: `-p 6390:6379`, `-p 127.0.0.1:6390:6379`."""
    found = []
    for option, value in itertools.pairwise((*run.texts, "")):
        name, sign, told = option.partition("=")
        value = told if sign else value
        if option[:2] == "-p" and option[2:3].isdigit():
            name, value = "-p", option[2:]
        if name in ("-p", "--publish"):
            parts = value.rpartition("/")[0] if "/" in value else value
            found += parts.split(":")[-2:-1]
    return [port for port in found if port.isdecimal()]


def _is_closed(run: Run) -> bool:
    """Has a container nothing of this machine, and no volume that stays?"""
    for option, value in itertools.pairwise((*run.texts, "")):
        name, sign, told = option.partition("=")
        value = told if sign else value
        if name == "--volumes-from" or (name == "--mount" and "type=tmpfs" not in value and "readonly" not in value):
            return False
        if name[:2] == "-v" and name[2:]:
            name, value = "-v", option[2:]
        if name in ("-v", "--volume") and ":" in value and not value.endswith(":ro") and not value.startswith("/tmp/"):
            return False
    return True
