"""What a line makes itself, and removes again: folders, branches, containers, databases. Nobody loses these. Pure.

Names are compared as they are written, with the server: `docker run --name r redis && … && docker rm -f r`. What makes
a thing must fail where that is there already, and what removes it must not stand behind `||`. Of a database and of what
is in a cluster it must also be sure that it was made: `createdb x; dropdb x` drops one that was there before. What the
file system and git can tell, the facts tell better; for them this counts only where no folder is looked at.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from holdfast.commandline.model import Reading, Run
from holdfast.judging import things
from holdfast.judging.model import Finding
from holdfast.judging.things import FRESH, Thing, value_of, words_of
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

MadeThings = dict[Thing, tuple[int, int]]
"""Each with the place of the run that makes it, and of the last run for which it is sure to be the line's own."""

_MOST = 100
_LAST = 1 << 30
_SEEN_BY_FACTS = frozenset({"path", "branch", "tag", "archive"})
_GIT_VALUES = listed(
    "-C -c -b -B --branch --depth -o --origin -j --jobs --reference --filter --shallow-since --orphan --reason "
    "-u --upload-pack --template --config --separate-git-dir --initial-branch -m --message --start-point"
)
_RUN_VALUES = listed(
    "-e --env -v --volume -p --publish --network --net -w --workdir -u --user --mount -h --hostname --platform -l "
    "--label -m --memory --cpus --entrypoint --env-file --restart --tmpfs --shm-size --ulimit --add-host --dns --gpus "
    "-t --tag -f --file --build-arg --target --progress --cache-from -d --driver --subnet --opt -o"
)
_CLIENT_VALUES = listed(
    "-h --host -p --port -U --username -O --owner -T --template -E --encoding --maintenance-db -D -l"
)
_CREATES = lazy_pattern(r"(?:npm:)?(?:create-[\w-]+|@[\w-]+/create(?:-[\w-]+)?)(?:@\S+)?\Z")
_COPIES = lazy_pattern(r"(?:degit|tiged|giget)(?:@\S+)?\Z")
_CLUSTERS = {"kind": "--name -n", "k3d": "", "minikube": "-p --profile", "ctlptl": "", "colima": "-p --profile"}


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
        for thing in _made(run) if not (run.may_fail or run.after_failure or _only_tries(run)) else ():
            if thing[1] and not (facts and thing[0] in _SEEN_BY_FACTS):
                made[thing] = made[thing] if made.get(thing, (0, 0))[1] == _LAST else (number, _LAST)
        if made and run.followed_by in _GOES_ON and not exits:
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
    return kind != "context" and (
        FRESH.search(name) is not None or (kind == "thing" and things.is_spare(name.split(" : ")[1]))
    )


_OF_DATA = frozenset({"database", "cluster object", "thing", "context"})
_GOES_ON = frozenset({";", "&", "|", "|&"})
"""Links behind which a line goes on, whatever came of what stands before."""
_EXITS = lazy_pattern(r"-[a-z]*e|errexit\Z")


def is_of_line(finding: Finding, run: Run, number: int, made: MadeThings) -> bool:
    """Is it only about what the line itself made before?"""
    if finding.place in ("system", "home", "device") or finding.rule.startswith("holdfast."):
        return False
    if run.after_failure or (run.remote and not run.container):
        return False
    if finding.rule.startswith("kubernetes.") and _talks_to_made(run, number, made):
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
_OF_SERVER = frozenset({"cluster object", "container", "inside", "network", "image", "context"})
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
    named, config = value_of(run, "--context", "--kube-context"), _kubeconfig(run)
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


def _kubeconfig(run: Run) -> str:
    return next((value.text for name, value in reversed(run.environment) if name == "KUBECONFIG"), "")


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


# --- what is made


def _made(run: Run) -> Iterator[Thing]:
    if run.remote:
        yield from things.made(run) if run.container else ()
        return
    maker = _MAKERS.get(run.program)
    made_things = things.made(run) if run.program not in _MAKERS or run.program in things.ALSO else ()
    for kind, name in (*(maker(run) if maker else ()), *_outputs(run), *made_things):
        if kind != "path":
            yield kind, name
            continue
        path = posixpath.normpath(posixpath.join(run.directory or "", name))
        if path not in (".", "..", "/") and not (path.startswith(("~", "$HOME")) and path.count("/") < 1):
            yield "path", path


_OUTPUT = lazy_pattern(
    r"--(?:coverage|coverage-dir(?:ectory)?|out-?dir|output-dir|target-dir|build-dir|report-dir|outDir|dist-dir)=([\w][\w./-]*)\Z"
)


def _outputs(run: Run) -> Iterator[Thing]:
    """Folders that a tool is told to fill: `deno test --coverage=cov`."""
    for text in run.texts:
        if text.startswith("--") and (match := _OUTPUT.match(text)):
            yield "path", match[1]


def _folders(run: Run) -> Iterator[Thing]:
    """`mkdir` fails where something is already; `mkdir -p` does not."""
    parents = any(re.match(r"-\w*p|--parents", text) for text in run.texts)
    given = words_of(run, listed("-m --mode"))
    for word in given:
        if not (parents and word.startswith(_FAR)):
            yield "path", word
    around = {posixpath.dirname(posixpath.dirname(word)) for word in given}
    if (
        parents
        and len(given) > 3
        and len(around) == 1
        and "/" in (folder := around.pop())
        and not folder.startswith(_FAR)
    ):
        yield "path", folder  # `mkdir -p tests/tree/{a,b}/{1,2}` makes the tree


_FAR = ("~", "/", "$HOME", "..")


def _git(run: Run) -> Iterator[Thing]:
    words = words_of(run, _GIT_VALUES)
    match words:
        case ["clone", url, *rest]:
            yield "path", rest[0] if rest else posixpath.basename(url.rstrip("/")).removesuffix(".git")
        case ["init", folder, *_] | ["worktree", "add", folder, *_]:
            yield "path", folder
        case _:
            pass
    if words[:1] in (["switch"], ["checkout"], ["worktree"]):
        yield "branch", value_of(run, "-c", "-b", "--create", "--orphan")
    elif words[:1] == ["branch"] and len(words) > 1 and not re.search(r"(?:^|\s)-[dDmMcCf]", " ".join(run.texts)):
        yield "branch", words[1]
    elif words[:1] == ["tag"] and len(words) > 1 and "-d" not in run.texts:
        yield "tag", words[1]


def _container(run: Run) -> Iterator[Thing]:
    words = [word for word in words_of(run, _RUN_VALUES) if word != "container"]
    match words:
        case ["run" | "create", *_]:
            name = _on_machine(run, value_of(run, "--name"))
            yield "container", name
            yield "inside", name if _is_closed(run) else ""
        case ["volume", "create", *rest] if rest:
            # To make one that is there already is no fault: whoever makes it only to remove it means a new one.
            yield "volume", _on_machine(run, rest[-1]) if not _HOLDS_DATA.search(rest[-1]) else ""
        case ["network", "create", *rest]:
            yield "network", _on_machine(run, rest[0] if rest else value_of(run, "--name"))
        case ["build" | "buildx", *_]:
            yield "image", value_of(run, "-t", "--tag")
        case ["tag", _, name]:
            yield "image", name
        case _:
            pass


_HOLDS_DATA = lazy_pattern(r"(?i)data|(?<![a-z])db(?![a-z])|postgres|mysql|mongo|redis|backup|prod|upload")
"""Names of volumes that a service may have filled long ago."""


def _is_closed(run: Run) -> bool:
    """Has a container nothing of this machine, no volume that stays, and a network of its own?"""
    for option, value in itertools.pairwise((*run.texts, "")):
        name, sign, told = option.partition("=")
        value = told if sign else value
        if name in ("--network", "--net") and value.startswith(("host", "container:")):
            return False
        if name == "--volumes-from" or (name == "--mount" and "type=tmpfs" not in value and "readonly" not in value):
            return False
        if name[:2] == "-v" and name[2:]:
            name, value = "-v", option[2:]
        if name in ("-v", "--volume") and ":" in value and not value.endswith(":ro"):
            return False
    return True


_AT = ("--context", "--kube-context", "--kubeconfig", "-s", "--server", "-n", "--namespace")
_AT_VARIABLES = ("DOCKER_HOST", "DOCKER_CONTEXT", "KUBECONFIG", "PGHOST", "PGPORT")


def _at_server(run: Run, name: str, options: Sequence[str] = _AT) -> str:
    return next(_all_at_server(run, (name,), options))


def _all_at_server(run: Run, names: Iterable[str], options: Sequence[str] = _AT) -> Iterator[str]:
    """The names, each with the server that the call names: another server has other things of that name."""
    told = [f"{option}={value}" for option in options if (value := value_of(run, option))]
    told += [f"{name}={value.text}" for name, value in run.environment if name in _AT_VARIABLES]
    at = " ".join(told)
    return (" ".join(filter(None, (name, at))) if name else "" for name in names)


def _on_machine(run: Run, name: str) -> str:
    return next(_all_on_machine(run, (name,)))


def _all_on_machine(run: Run, names: Iterable[str]) -> Iterator[str]:
    """Names of containers, each with the machine that stands in front of the command: `docker -H ssh://x rm y`."""
    before = " ".join(itertools.takewhile(lambda text: text not in _CONTAINER_WORDS, run.texts))
    return (" ".join(filter(None, (name, before))) if name else "" for name in _all_at_server(run, names, ()))


_CONTAINER_WORDS = listed("run create container network volume image rm rmi stop kill remove")


def _database(run: Run) -> Iterator[Thing]:
    server = ("-h", "--host", "-p", "--port", "--maintenance-db")
    yield from (("database", _at_server(run, word, server)) for word in words_of(run, _CLIENT_VALUES)[:1])


def _cluster(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed(_CLUSTERS[run.program]))
    name = _cluster_name(run, words)
    if words[:1] == ["start"] and things.is_spare(name.partition(" ")[2]):
        yield "cluster", name
    if "create" in words[:2]:  # to start one that is there already is no fault
        yield "cluster", _cluster_name(run, words)
        if run.program in ("kind", "k3d") and not any("kubeconfig" in text for text in run.texts):
            name = _cluster_name(run, words).partition(" ")[2] or {"kind": "kind", "k3d": "k3s-default"}[run.program]
            yield "context", f"{run.program}-{name} {_kubeconfig(run)}"


def _box(run: Run) -> Iterator[Thing]:
    """`vagrant init` fails where a file for it is there already."""
    if words_of(run)[:1] == ["init"] and "-f" not in run.texts and "--force" not in run.texts:
        yield "box", run.directory or "."


def _guest(run: Run) -> Iterator[Thing]:
    """`virt-install` fails where a machine of that name is there already."""
    name = value_of(run, "--name", "-n")
    yield "thing", f"virsh : {name} : " if name else ""


def _cluster_name(run: Run, words: Sequence[str]) -> str:
    named = value_of(run, *_CLUSTERS[run.program].split()) if _CLUSTERS[run.program] else ""
    return f"{run.program} {named or ' '.join(words[2:3])}".rstrip()


def _kubectl(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed("-n --namespace --context --kubeconfig --image --from-literal --from-file"))
    if words[:1] == ["create"] and len(words) > 2:
        yield "cluster object", _at_server(run, f"{_KINDS.get(words[1], words[1])}/{words[2]}")
    elif words[:1] == ["run"] and len(words) > 1:
        yield "cluster object", _at_server(run, f"pod/{words[1]}")


_KINDS = {
    "ns": "namespace", "namespaces": "namespace", "deploy": "deployment", "deployments": "deployment", "po": "pod",
    "pods": "pod", "svc": "service", "cm": "configmap", "jobs": "job", "secrets": "secret",
}  # fmt: skip


def _new_project(run: Run) -> Iterator[Thing]:
    """`cargo new x`, `npm create vite x`, `dotnet new console -o x`, `rails new x`, `django-admin startproject x`."""
    words = words_of(run, listed("--template -t --lib-name --vcs --name --edition --database -d --css -j -n -p"))
    if set(words[:1]) & {"new", "startproject", "create", "init", "generate"} and run.program in _NEW:
        yield (
            "path",
            value_of(run, "-o", "--output") or value_of(run, "--name") or (words[-1] if len(words) > 1 else ""),
        )
    elif words and _COPIES.match(words[0]) and len(words) > 1:
        yield "path", words[2] if len(words) > 2 else posixpath.basename(words[1])
    elif words and _CREATES.match(words[0]):
        yield "path", words[1] if len(words) > 1 else ""
    elif run.program in ("npm", "pnpm", "yarn", "bun") and words[:1] in (["create"], ["init"]) and len(words) > 2:
        yield "path", words[2]


_NEW = listed(
    "cargo dotnet rails mix flutter django-admin ng nest uv poetry hatch gleam phx.new composer go swift hugo expo "
    "ember zola gatsby nuxi wagtail scrapy symfony laravel stack cabal dune elm tauri sls serverless cdk sam"
)


def _after(*names: str) -> Callable[[Run], Iterator[Thing]]:
    def read(run: Run) -> Iterator[Thing]:
        yield "path", value_of(run, *names)

    return read


def _server(run: Run) -> Iterator[Thing]:
    """A server of data that the line starts at a port of its own: it fails where that is taken."""
    yield "path", value_of(run, "--dir")
    port = value_of(run, "--port")
    yield "server", port if port.isdecimal() and int(port) not in _USUAL_PORTS else ""


_USUAL_PORTS = (0, 6379, 6380, 16379, 26379)
"""Here the server may be there already that others use."""


def _package(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed("--target -t --scope --out-name --profile --mode"))
    if words[:1] == ["build"]:
        yield "path", posixpath.join(*words[1:2], value_of(run, "-d", "--out-dir") or "pkg")


def _venv(run: Run) -> Iterator[Thing]:
    words = run.texts
    if "venv" in words[:2] or run.program == "virtualenv":
        yield "path", words[-1] if not words[-1].startswith("-") else ""
    elif run.program == "uv":
        yield from _new_project(run)


def _copies(run: Run) -> Iterator[Thing]:
    """A copy under a new name: `cp -r src /elsewhere/src.copy`. A target that ends in a slash is a folder of others."""
    words = words_of(run, listed("-t -S -m -o -g"))
    whole = any(re.match(r"-\w*[rRa]|--(?:recursive|archive)", text) for text in run.texts)
    if whole and len(words) == 2 and not words[1].endswith("/") and not words[1].startswith(_FAR):
        yield "path", words[1]


def _unpacked(run: Run) -> Iterator[Thing]:
    """`tar xzf flask-3.0.tgz`: the folder is named as the archive is."""
    words = words_of(run)
    letters = run.texts[0].lstrip("-") if run.args else ""
    yield from _after("--one-top-level")(run)
    if run.program == "unzip" or "x" in letters or "--extract" in run.texts:
        name = next((word for word in words if _ARCHIVE.search(word)), "")
        stem = _ARCHIVE.sub("", posixpath.basename(name))
        yield "archive", stem if "-C" not in run.texts and "-d" not in run.texts else ""
    if run.program == "unzip":
        yield "path", value_of(run, "-d")


_ARCHIVE = lazy_pattern(r"\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|zip|whl|jar)\Z")


def _cloned(run: Run) -> Iterator[Thing]:
    """`svn checkout URL [x]`, `hg clone URL [x]`, `gh repo clone o/r [x]`."""
    words = [word for word in words_of(run, listed("-r --depth -b -u --branch")) if word not in ("repo", "git")]
    if len(words) > 1 and words[0] in ("clone", "checkout", "co"):
        yield "path", words[2] if len(words) > 2 else posixpath.basename(words[1].rstrip("/")).removesuffix(".git")


def _second(verbs: str) -> Callable[[Run], Iterator[Thing]]:
    """Programs that make the folder that stands behind a verb: `helm create x`, `mdbook init x`."""

    def read(run: Run) -> Iterator[Thing]:
        words = [word for word in words_of(run) if word not in ("site", "theme")]
        if len(words) > 1 and words[0] in verbs.split():
            yield "path", words[-1]

    return read


_MAKERS: dict[str, Callable[[Run], Iterator[Thing]]] = {
    "mkdir": _folders, "git": _git, "docker": _container, "podman": _container, "nerdctl": _container,
    "createdb": _database, "kubectl": _kubectl, "k": _kubectl, "oc": _kubectl, **dict.fromkeys(_CLUSTERS, _cluster),
    **dict.fromkeys((*_NEW, "npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun"), _new_project),
    "unzip": _unpacked, "python": _venv, "python3": _venv, "virtualenv": _venv, "uv": _venv, "cp": _copies,
    "initdb": _after("-D", "--pgdata"), "cmake": _after("-B"), "meson": _second("setup"), "helm": _second("create"),
    "mdbook": _second("init"), "jekyll": _second("new"), "copier": _second("copy"), "conda": _after("-p", "--prefix"),
    "pip": _after("-d", "--dest", "-t", "--target", "-w", "--wheel-dir"), "xcodebuild": _after("-derivedDataPath"),
    "svn": _cloned, "hg": _cloned, "gh": _cloned, "jj": _cloned, "dpkg-deb": _second("-x -R"),
    "cookiecutter": _after("-o", "--output-dir"), "mongod": _after("--dbpath"), "redis-server": _server,
    "valkey-server": _server, "wasm-pack": _package, "vagrant": _box, "virt-install": _guest,
    "wget": _after("-P", "--directory-prefix"), "7z": _after("-o"), "tar": _unpacked,
}  # fmt: skip


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
    for word in words_of(run, _GIT_VALUES)[2:]:
        yield "path", posixpath.join(run.directory or "", word)


def _branches(run: Run) -> Iterator[Thing]:
    yield from (("branch", word) for word in words_of(run, listed("-C -c"))[1:])


def _tags(run: Run) -> Iterator[Thing]:
    yield from (("tag", word) for word in words_of(run, listed("-C -c"))[1:])


def _containers(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed("-H --host --context"))
    kind = {"volume": "volume", "network": "network", "image": "image", "rmi": "image"}.get(words[0], "container")
    names = [word for word in words[1:] if word not in ("rm", "remove", "stop", "kill", "rmi")]
    yield from ((kind, name) for name in (_all_on_machine(run, names) if kind != "image" else names))


def _databases(run: Run) -> Iterator[Thing]:
    if run.program == "dropdb":
        yield from _database(run)
    elif run.program in ("redis-cli", "valkey-cli"):
        host = value_of(run, "-h") or value_of(run, "-u") or value_of(run, "-s")
        yield "server", value_of(run, "-p") if not host or host in _HERE else ""


def _objects(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed("-n --namespace --context --kubeconfig -f -l -o --grace-period --timeout --replicas"))
    names = [word for word in words[1:] if "/" in word] or [f"{words[1]}/{word}" for word in words[2:]]
    parts = (name.partition("/") for name in names)
    told = _all_at_server(run, (f"{_KINDS.get(kind, kind)}/{of}" for kind, _, of in parts))
    yield from (("cluster object", name) for name in told)


def _clusters(run: Run) -> Iterator[Thing]:
    if run.program in _CLUSTERS:
        yield "cluster", _cluster_name(run, words_of(run, listed(_CLUSTERS[run.program])))
    elif run.program == "vagrant":
        yield "box", run.directory or "."


_REMOVERS: dict[str, Callable[[Run], Iterator[Thing]]] = {
    "git.worktree-remove": _worktree, "git.branch-delete": _branches, "git.tag-delete": _tags,
    "container.remove": _containers, "database.destroy": _databases, "kubernetes.delete": _objects,
    "container.compose": _containers, "machine.destroy": _clusters, "infrastructure.destroy": _clusters,
}  # fmt: skip
