"""What a line makes itself, and removes again: folders, branches, containers, databases. Nobody loses these. Pure.

Names are compared as they are written, with the server: `docker run --name r redis && … && docker rm -f r`. What makes
a thing must fail where that is there already, and what removes it must not stand behind `||`. Of what holds data (a
database, a volume, what is in a cluster) it must also be sure that it was made: `createdb x; dropdb x` drops one that
was there before. What the file system and git can tell, the facts tell better; for them this counts only where no
folder is looked at.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from holdfast.commandline.model import Reading, Run
from holdfast.judging import makers, things
from holdfast.judging.model import Finding
from holdfast.judging.things import FRESH, Thing, value_of, words_of
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

MadeThings = dict[Thing, tuple[int, int]]
"""Each with the place of the run that makes it, and of the last run for which it is sure to be the line's own."""

_MOST = 100
_LAST = 1 << 30
_SEEN_BY_FACTS = frozenset({"path", "branch", "tag", "archive"})


def by_line(reading: Reading, *, facts: bool) -> MadeThings:
    """All that the runs of a line make. With `facts` only what no fact can be had about."""
    made: MadeThings = {}
    exits = False
    """Does the line end where a command fails?"""
    for number, run in enumerate(reading.runs):
        if made and _SWITCHES.match(" ".join((run.program, *run.texts[:3]))):
            made = {thing: _until(number, span) if thing[0] in _OF_SERVER else span for thing, span in made.items()}
        if made and _SWITCHES_ANY.search(" ".join((run.program, *run.texts))):
            made = {thing: _until(number, span) if thing[0] in _OF_LOGIN else span for thing, span in made.items()}
        for thing in makers.made(run) if not (run.may_fail or run.after_failure or _only_tries(run)) else ():
            if thing[1] and not (facts and thing[0] in _SEEN_BY_FACTS):
                made[thing] = made[thing] if made.get(thing, (0, 0))[1] == _LAST else (number, _LAST)
        following = reading.runs[number + 1] if number + 1 < len(reading.runs) else None
        starts_it = following is not None and following.via == (*run.via, run.program)  # `npx knex …; …` is one command
        if made and run.followed_by in _GOES_ON and not exits and not starts_it:
            # Behind a pipe the line needs only the success of what stands last in it.
            unsure = 0 if run.followed_by in (";", "&") else number
            made = {
                thing: span if span[0] < unsure or _is_sure(thing) else _until(number, span)
                for thing, span in made.items()
            }
        exits = exits or (run.program == "set" and any(_EXITS.match(text) for text in run.texts))
        if len(made) > _MOST:
            break
    return made


def _until(number: int, span: tuple[int, int]) -> tuple[int, int]:
    return span[0], min(span[1], number)


def _is_sure(thing: Thing) -> bool:
    """Is it enough that the line tries to make it?"""
    kind, name = thing
    if kind not in _OF_DATA:
        return True
    if kind == "database" and _FOR_A_MOMENT.search(name.partition(" ")[0]):
        return True
    if kind in ("volume", "container with volumes") and things.is_spare(name.partition(" ")[0]):
        return True
    return kind != "context" and (
        FRESH.search(name) is not None or (kind == "thing" and things.is_spare(name.split(" : ")[1]))
    )


_FOR_A_MOMENT = lazy_pattern(
    r"(?i)(?:\A|_)(?:check|probe|rehearsal|scratch|smoke|tmp|temp|throwaway|trial|try|verify)(?:_?\d{1,6})?\Z"
)
"""How a name of a database ends that somebody makes only to try something."""
_OF_DATA = frozenset({"database", "cluster object", "thing", "context", "volume", "container with volumes"})
_GOES_ON = frozenset({";", "&", "|", "|&"})
"""Links behind which a line goes on, whatever came of what stands before."""
_EXITS = lazy_pattern(r"-[a-z]*e|errexit\Z")


def is_of_line(finding: Finding, run: Run, number: int, made: MadeThings) -> bool:
    """Is it only about what the line itself made before?"""
    if finding.place in ("system", "home", "device") or finding.rule.startswith("holdfast."):
        return False
    if run.after_failure or (run.remote and not run.container):
        return False
    if finding.rule.startswith(("kubernetes.", "rights.")) and _talks_to_made(run, number, made):
        return True
    if any(name in _OWN_STORES and value.text.startswith(_TEMPORARY) for name, value in run.environment):
        return finding.rule in ("secrets.delete", "backup.delete")  # a key ring or a repository of the moment
    found = list(_removed(finding, run))
    if run.container and finding.rule in things.RULES and (own := list(things.removed(run))):
        return all(_is_made(thing, number, made) for thing in (own if own[0] in made else found))
    return bool(found) and all(_is_made(thing, number, made) for thing in found)


_OWN_STORES = listed("GNUPGHOME RESTIC_REPOSITORY BORG_REPO")
_TEMPORARY = ("/tmp/", "/var/tmp/", "$TMPDIR/")


_SWITCHES = lazy_pattern(
    r"(?:kubectl|oc) (?:config (?:use|set)|login|project)|kubectx|kubens|docker context use|"
    r"gcloud container clusters|aws eks|az aks"
)
"""From here on names are those of another cluster or another machine."""
_OF_SERVER = frozenset(
    {"cluster object", "container", "container with volumes", "inside", "network", "image", "context"}
)
_SWITCHES_ANY = lazy_pattern(
    r"(?i)(?:^|\s)(?:auth|login|logout|switch|link|use|context|config|profile)(?:\s|$)|use-|kube-?config|\.kube\b|"
    r"kubectx|credentials|-context\b(?<!--context)(?<!--kube-context)|minikube"
)
"""Words after which a tool may talk to another account, project or cluster."""
_OF_LOGIN = frozenset({"thing", "context"})


def _talks_to_made(run: Run, number: int, made: MadeThings) -> bool:
    """Is the cluster that the line made the one that is talked to? A call that names another says so."""
    if run.program not in ("kubectl", "k", "helm") or any(value_of(run, option) for option in _AT_CLUSTER):
        return False
    if any("KUBE" in name and name != "KUBECONFIG" for name, _ in run.environment):
        return False
    named, config = value_of(run, "--context", "--kube-context"), makers.kubeconfig(run)
    return any(
        kind == "context"
        and _is_within(number, span)
        and name.partition(" ")[2] == config
        and named in ("", name.partition(" ")[0])
        for (kind, name), span in made.items()
    )


_AT_CLUSTER = (
    *("--kubeconfig", "-s", "--server", "--cluster", "--user", "--token", "--kube-apiserver", "--kube-token"),
    *("--as", "--kube-as-user"),
)


def _only_tries(run: Run) -> bool:
    return any(re.match(r"--dry-?run(?!=(?:none|false))|--help\Z", text) for text in run.texts)


def _is_made(thing: Thing, number: int, made: MadeThings) -> bool:
    kind, name = thing
    if kind != "path" and things.PRINTED.match(name):
        return True  # `id=$(docker create x)`: the line itself has made what it names
    if kind != "path":
        return _is_within(number, made.get(thing, (number, number)))
    path = posixpath.normpath(name)
    top = path.partition("/")[0]
    return any(
        _is_within(number, span)
        and (
            (of == "path" and (path == folder or path.startswith(f"{folder}/")))
            or (of == "archive" and re.fullmatch(rf"{re.escape(folder)}(?:[-_.\d][\w.+-]*)?", top) is not None)
        )
        for (of, folder), span in made.items()
    )


def _is_within(number: int, span: tuple[int, int]) -> bool:
    return span[0] < number <= span[1]


# --- what is removed


def _removed(finding: Finding, run: Run) -> Iterator[Thing]:
    if finding.deed is not None:
        yield "path", finding.path
    elif run.container and not finding.rule.startswith(("cloud.", "secrets.")):
        yield "inside", run.container if not _goes_out(run) else ""
    elif finding.rule in _REMOVERS and (found := list(_REMOVERS[finding.rule](run))):
        yield from found
    elif finding.rule in things.RULES:
        yield from things.removed(run)
    elif finding.act == "discard" and run.directory:
        yield "path", run.directory


def _goes_out(run: Run) -> bool:
    """Does a client in a container name another server? `docker exec t psql -h prod.example.com`."""
    told = [value_of(run, "-h"), value_of(run, "--host"), value_of(run, "--uri")]
    told += [value.text for name, value in run.environment if name.endswith(("HOST", "_URL", "URI"))]
    if any(value and value not in _HERE for value in told):
        return True
    text = f"{' '.join(run.texts)}\n{run.stdin or ''}"
    return any(found not in _HERE for found in _SERVER.findall(text))


_HERE = ("localhost", "127.0.0.1", "::1", "/var/run/postgresql", "/tmp")
_SERVER = lazy_pattern(r"(?:://(?:[^@/\s]*@)?|\bhost(?:addr)?=)([\w.-]+)")


def _worktree(run: Run) -> Iterator[Thing]:
    for word in words_of(run, makers.GIT_VALUES)[2:]:
        yield "path", posixpath.join(run.directory or "", word)


def _branches(run: Run) -> Iterator[Thing]:
    yield from (("branch", word) for word in words_of(run, listed("-C -c"))[1:])


def _tags(run: Run) -> Iterator[Thing]:
    yield from (("tag", word) for word in words_of(run, listed("-C -c"))[1:])


def _containers(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed("-H --host --context"))
    kind = {"volume": "volume", "network": "network", "image": "image", "rmi": "image"}.get(words[0], "container")
    if kind == "container" and any(re.match(r"-[a-z]*v|--volumes", text) for text in run.texts):
        kind = "container with volumes"
    names = [word for word in words[1:] if word not in ("rm", "remove", "stop", "kill", "rmi")]
    yield from ((kind, name) for name in (makers.all_on_machine(run, names) if kind != "image" else names))


def _databases(run: Run) -> Iterator[Thing]:
    if run.program == "dropdb":
        yield from makers.database(run)
    elif run.program in ("redis-cli", "valkey-cli"):
        host = value_of(run, "-h") or value_of(run, "-u") or value_of(run, "-s")
        yield "server", value_of(run, "-p") if not host or host in _HERE else ""
    else:
        yield from makers.used_databases(run)


def _objects(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed("-n --namespace --context --kubeconfig -f -l -o --grace-period --timeout --replicas"))
    names = [word for word in words[1:] if "/" in word] or [f"{words[1]}/{word}" for word in words[2:]]
    parts = (name.partition("/") for name in names)
    told = makers.all_at_server(run, (f"{makers.KINDS.get(kind, kind)}/{of}" for kind, _, of in parts))
    yield from (("cluster object", name) for name in told)


def _clusters(run: Run) -> Iterator[Thing]:
    if run.program in makers.CLUSTERS:
        yield "cluster", makers.cluster_name(run, words_of(run, listed(makers.CLUSTERS[run.program])))
    elif run.program == "vagrant":
        yield "box", run.directory or "."


_REMOVERS: dict[str, Callable[[Run], Iterator[Thing]]] = {
    "git.worktree-remove": _worktree, "git.branch-delete": _branches, "git.tag-delete": _tags,
    "container.remove": _containers, "kubernetes.delete": _objects,
    **dict.fromkeys(("database.destroy", "database.reset"), _databases),
    "container.compose": _containers, "machine.destroy": _clusters, "infrastructure.destroy": _clusters,
}  # fmt: skip
