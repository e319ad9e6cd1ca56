"""What a line makes by a tool of its own kind, and removes again: a branch of a database, a topic, a virtual machine.

Known by words that most tools share: a verb that makes, what it is about, a name; then a verb that removes, with the
same name and at the same place. Pure; linear.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

Thing = tuple[str, str]
"""A kind (`path`, `branch`, `container`, …) and a name; the kind of those that are made here is `thing`."""

FRESH = lazy_pattern(
    r"\$\$|\$\{?(?:RANDOM|BASHPID|EPOCH)|\$\((?:date|uuidgen|mktemp|openssl|head|git rev-parse)|`(?:date|uuid)"
)
"""A name that nothing had before: `bench_$$`, `tmp_$(date +%s)`."""
PRINTED = lazy_pattern(
    r"(?:\$\(|`)\s*(?:sudo\s+)?(?:docker|podman|nerdctl|finch|buildah)\s+"
    r"(?:(?:container\s+)?(?:create|run|from)\s|(?:volume|network)\s+create(?:\s+-\S+)*\s*[)`])"
)
"""A substitution that makes something and prints its name: `id=$(docker create x)`."""
RULES = frozenset(
    {
        *("cloud.platform", "cloud.objects", "cloud.google", "cloud.azure", "unknown.destroy", "broker.delete"),
        *(
            "machine.destroy",
            "secrets.delete",
            "infrastructure.destroy",
            "database.server",
            "cloud.database",
            "github.delete",
        ),
    }
)
"""Rules about things that have a name."""
ALSO = listed("colima minikube k3d kind gh")
"""Programs whose own reader knows clusters; what it does not tell is read here."""
_MAKES = listed("create new add mb launch clone declare register provision --create")
_STARTS = listed("start up init")
"""Verbs that also take what is there: they count for names that say what they are for."""
_REMOVES = listed("delete destroy rm remove rb drop terminate del purge stop undefine metadata --delete kill")
_SPARES_OLD = lazy_pattern(
    r"-[a-z]*p[a-z]*\Z|-f\Z|--(?:ignore-exist|if-not-|if-missing|exist|upsert|force|overwrite|replace|"
    r"parents|idempotent)"
)
"""Options with which to make what is there already is no fault."""
_SCOPES = (
    *("--project", "--project-id", "--project-ref", "--org", "--organization", "--region", "--zone", "--profile"),
    *("--context", "--env", "--environment", "--app", "-a", "--team", "--scope", "--account", "--host", "--endpoint"),
    *("--server", "--cluster", "--namespace", "--subscription", "--resource-group", "-g", "--url", "--config"),
    *("--token", "--bootstrap-server", "--address", "-s"),
)
_SCOPE_OPTIONS = frozenset(_SCOPES)
_NAMES = ("--name", "--topic", "--queue-name", "--bucket", "-I", "--instance", "--workflow-id", "--branch")
_NAMES_BY_N = listed("multipass lxc incus limactl lima")
"""Tools for which `-n` is a name; for most others it is a namespace."""
_VALUES = (
    _SCOPE_OPTIONS
    | frozenset(_NAMES)
    | listed(
        "--cpus --memory --disk --image --type --size --subjects --partitions -p --replicas "
        "--replication-factor -t --template "
        "--profile -n --connect --reason"
    )
)
_NOT_NAMED = lazy_pattern(r"\w+=")
_SPARE = lazy_pattern(
    r"(?i)(?:.*[:/@ =])?(?:\w*(?:test|tmp|temp)|(?:[\w.]+[-_.])?(?:it|ci|pr|mr|e2e|tests?|testing|tmp|"
    r"temp|probe|smoke|scratch|demo|preview|throwaway|sandbox|"
    r"spike|trial|bench|foo|bar|baz|hello|example|sample|dummy|ephemeral|review|local|dev|[txq]))(?:[-_.]?\d+)?"
    r"(?:[-_.][\w.$-]+)?\Z"
)
_NOT_SPARE = lazy_pattern(r"(?i)(?<![a-z])(?:prod|production|prd|live|main|master)(?![a-z])")


def is_spare(name: str) -> bool:
    """Does the name say that it is there for a moment: `probe`, `ci-8841`, `it-orders`?"""
    return _SPARE.match(name) is not None and not _NOT_SPARE.search(name)


def words_of(run: Run, values: frozenset[str] = frozenset()) -> list[str]:
    """The words of a call without its options; `values` are options whose value stands behind them."""
    found: list[str] = []
    skip = False
    for text in run.texts:
        if skip:
            skip = False
        elif text.startswith("-") and len(text) > 1:
            skip = text in values
        else:
            found.append(text)
    return found


def value_of(run: Run, *names: str) -> str:
    """The value of the first of these options that is there."""
    for place, text in enumerate(run.texts):
        if text[:1] != "-":
            continue
        name, sign, value = text.partition("=")
        if name in names:
            return value if sign else (run.texts[place + 1] if place + 1 < len(run.args) else "")
        if re.match(r"-[A-Za-z][^-=]", text) and text[:2] in names:
            return text[2:]
    return ""


def made(run: Run) -> Iterator[Thing]:
    """What a tool of a cloud, a broker or a hypervisor is told to make: `acme branches create --name "
    "x`, `mc mb t/x`."""
    careful = any(_SPARES_OLD.match(text) for text in run.texts)
    kind, names, told = _read(run, _MAKES | _STARTS)
    if not kind and not names:
        return
    only_spare = careful or bool(_STARTS.intersection(run.texts[:4]))
    whole = " ".join(names)
    for name in dict.fromkeys((whole, *names[-1:], *_by_option(run))):
        if not name or (only_spare and not is_spare(name) and not FRESH.search(name)):
            continue
        # These make again what is there, and say nothing.
        if run.program not in ("aws", "az") or FRESH.search(name):
            yield "thing", f"{kind} : {name} : {told}"


def removed(run: Run) -> Iterator[Thing]:
    """What a tool is told to remove, name by name."""
    kind, names, told = _read(run, _REMOVES)
    if kind or names:
        yield "thing", f"{kind} : {' '.join(names)} : {told}" if names else ""


def _by_option(run: Run) -> list[str]:
    found = [value for option in _NAMES if (value := value_of(run, option))]
    if run.program in _NAMES_BY_N and (value := value_of(run, "-n")):
        found.append(value)
    if run.program == "colima" and (value := value_of(run, "-p", "--profile")):
        found.append(value)
    return found


def _read(run: Run, verbs: frozenset[str]) -> tuple[str, list[str], str]:
    """The program with the kind of thing (what stands before the verb), all that names it, and where it is."""
    words = words_of(run, _VALUES)
    place = next((place for place, word in enumerate(words[:4]) if word in verbs), -1)
    by_option = next((text for text in run.texts if text in verbs and text.startswith("--")), "")
    if place < 0 and not by_option:
        return "", [], ""
    nouns = words[:place] if place >= 0 else []
    behind = [word for word in words[place + 1 :] if place >= 0 and word not in ("delete",)]
    if behind and run.program.startswith("rabbitmqadmin"):  # `declare queue name=x durable=false`
        nouns, behind = behind[:1], [word for word in behind[1:] if word.startswith("name=")]
    behind = [word for word in behind if word.startswith("name=") or not _NOT_NAMED.match(word)]
    names = behind + [name for name in _by_option(run) if name not in behind]
    told = sorted(f"{option}={value}" for option in _SCOPES if (value := value_of(run, option)))
    told += sorted({f"{name}={value.text}" for name, value in run.environment})
    told += [f"in {run.container}"] if run.container else []
    kind = " ".join((run.program, *itertools.filterfalse(_KIND_ALIKE.match, nouns)))
    return kind, names, " ".join(told)


_KIND_ALIKE = lazy_pattern(r"(?:kv|vm|machine)\Z")
