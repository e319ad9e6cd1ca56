"""What a program makes: folders, branches, containers, volumes, databases, clusters. One reader for each program. Pure.

Names are told as they are written, with the server: another server has other things of that name.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from holdfast.commandline.effects import disposable, sql
from holdfast.commandline.model import Run
from holdfast.judging import own_servers, things
from holdfast.judging.things import Thing, value_of, words_of
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

GIT_VALUES = listed(
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
CLUSTERS = {"kind": "--name -n", "k3d": "", "minikube": "-p --profile", "ctlptl": "", "colima": "-p --profile"}


def made(run: Run) -> Iterator[Thing]:
    if run.remote:
        yield from things.made(run) if run.container else ()
        return
    maker = _MAKERS.get(run.program)
    more = things.made(run) if run.program not in _MAKERS or run.program in things.ALSO else ()
    for kind, name in (*(maker(run) if maker else ()), *more):
        if kind != "path":
            yield kind, name
            continue
        path = posixpath.normpath(posixpath.join(run.directory or "", name))
        if path not in (".", "..", "/") and not (path.startswith(("~", "$HOME")) and path.count("/") < 1):
            yield "path", path


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
    words = words_of(run, GIT_VALUES)
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
            yield "container with volumes", name
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
    return next(all_at_server(run, (name,), options))


def all_at_server(run: Run, names: Iterable[str], options: Sequence[str] = _AT) -> Iterator[str]:
    """The names, each with the server that the call names: another server has other things of that name."""
    told = [f"{option}={value}" for option in options if (value := value_of(run, option))]
    told += [f"{name}={value.text}" for name, value in run.environment if name in _AT_VARIABLES]
    at = " ".join(told)
    return (" ".join(filter(None, (name, at))) if name else "" for name in names)


def _on_machine(run: Run, name: str) -> str:
    return next(all_on_machine(run, (name,)))


def all_on_machine(run: Run, names: Iterable[str]) -> Iterator[str]:
    """Names of containers, each with the machine that stands in front of the command: `docker -H ssh://x rm y`."""
    before = " ".join(itertools.takewhile(lambda text: text not in _CONTAINER_WORDS, run.texts))
    return (" ".join(filter(None, (name, before))) if name else "" for name in all_at_server(run, names, ()))


_CONTAINER_WORDS = listed("run create container network volume image rm rmi stop kill remove")


def database(run: Run) -> Iterator[Thing]:
    server = ("-h", "--host", "-p", "--port", "--maintenance-db")
    yield from (("database", _at_server(run, word, server)) for word in words_of(run, _CLIENT_VALUES)[:1])


def created_databases(run: Run) -> Iterator[Thing]:
    """`mysqladmin create x`, `psql -c 'CREATE DATABASE x'`: both fail where it is there already."""
    hosts, _ = own_servers.named(run)
    if run.remote or not all(map(own_servers.is_local, hosts)):
        return
    if run.program == "mysqladmin":
        words = words_of(run, listed("-h -P -u --host --port --user --password"))
        yield from (("database", word) for word in words[1:2] if words[0] == "create")
        return
    for text in (*run.texts[:_MOST_TEXTS], run.stdin or ""):
        yield from (("database", name) for name in _CREATES_DATABASE.findall(text[:_LONGEST_TEXT]))


_MOST_TEXTS, _LONGEST_TEXT = 40, 20_000
_CREATES_DATABASE = lazy_pattern(r"(?i)\bcreate\s+(?:database|schema)\s+(?!if\b)[\"`]?(\w{1,80})")
_DROPS_DATABASE = lazy_pattern(
    r"(?i)\bdrop\s+database\s+(?:if\s+exists\s+)?[\"`]?(\w{1,80})[\"`]?(?:\s+with\s+\(force\))?"
)
_DATABASE_URL = lazy_pattern(
    r"(?:\A|=)(?!sqlite|file)[a-z][a-z0-9+]{1,30}://[^/\s?#]{0,200}?(?::(?:5432|3306))?/(\w{1,80})(?:[?#]|\Z)"
)
_SAYS_URL = lazy_pattern(r"(?:\w+_)?(?:DATABASE|DB|POSTGRES(?:QL)?|MYSQL|PG|SQLALCHEMY\w*)_(?:URL|URI|DSN|CONNINFO)\Z")
_SAYS_NAME = lazy_pattern(r"(?:PGDATABASE|(?:\w+_)?(?:DB|DATABASE|MYSQL|POSTGRES)_(?:NAME|DATABASE|DB))\Z")
_CLIENTS = listed("psql mysql mariadb pgcli mycli")


def used_databases(run: Run) -> Iterator[Thing]:
    """The databases of this machine in which a call removes something; one without a name where that is not told."""
    hosts, ports = own_servers.named(run)
    told = [text for text in run.texts[:_MOST_TEXTS] if len(text) < _LONGEST_TEXT]
    if run.remote or not all(map(own_servers.is_local, hosts)) or ports - {"5432", "3306"}:
        yield "database", ""
    elif run.program == "mysqladmin":
        words = words_of(run, listed("-h -P -u --host --port --user --password"))
        yield from (("database", word) for word in (words[1:] or [""]))
    elif any(map(disposable.is_of_production, told)):
        yield "database", ""
    else:
        said = [*told, run.stdin or ""]
        dropped = [name for text in said for name in _DROPS_DATABASE.findall(text[:_LONGEST_TEXT])]
        yield from (("database", name) for name in dropped)
        if not dropped or sql.destroys(_DROPS_DATABASE.sub(" ", text) for text in said):
            yield "database", _connected(run)


def _connected(run: Run) -> str:
    """The database that a call is connected to; '' where it is not told, or more than one may be meant."""
    found = {match[1] for text in run.texts[:_MOST_TEXTS] if (match := _DATABASE_URL.search(text[:500]))}
    if run.program in _CLIENTS and not found:
        named = value_of(run, "-d", "--dbname", "-D", "--database")
        words = words_of(
            run, _CLIENT_VALUES | listed("-c --command -f --file -v -u -P -e --execute -d --dbname --user")
        )
        found = {named or (words[0] if words else "")} - {""}
    if not found:
        for name, value in run.environment:
            if _SAYS_URL.match(name):
                match = _DATABASE_URL.search(value.text[:500])
                found.add(match[1] if match else "")
            elif _SAYS_NAME.match(name):
                found.add(value.text)
    return found.pop() if len(found) == 1 else ""


def _cluster(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed(CLUSTERS[run.program]))
    name = cluster_name(run, words)
    if words[:1] == ["start"] and things.is_spare(name.partition(" ")[2]):
        yield "cluster", name
    if "create" in words[:2]:  # to start one that is there already is no fault
        yield "cluster", cluster_name(run, words)
        if run.program in ("kind", "k3d") and not any("kubeconfig" in text for text in run.texts):
            name = cluster_name(run, words).partition(" ")[2] or {"kind": "kind", "k3d": "k3s-default"}[run.program]
            yield "context", f"{run.program}-{name} {kubeconfig(run)}"


def _box(run: Run) -> Iterator[Thing]:
    """`vagrant init` fails where a file for it is there already."""
    if words_of(run)[:1] == ["init"] and "-f" not in run.texts and "--force" not in run.texts:
        yield "box", run.directory or "."


def _guest(run: Run) -> Iterator[Thing]:
    """`virt-install` fails where a machine of that name is there already."""
    name = value_of(run, "--name", "-n")
    yield "thing", f"virsh : {name} : " if name else ""


def cluster_name(run: Run, words: Sequence[str]) -> str:
    named = value_of(run, *CLUSTERS[run.program].split()) if CLUSTERS[run.program] else ""
    return f"{run.program} {named or ' '.join(words[2:3])}".rstrip()


def _kubectl(run: Run) -> Iterator[Thing]:
    words = words_of(run, listed("-n --namespace --context --kubeconfig --image --from-literal --from-file"))
    if words[:1] == ["create"] and len(words) > 2:
        yield "cluster object", _at_server(run, f"{KINDS.get(words[1], words[1])}/{words[2]}")
    elif words[:1] == ["run"] and len(words) > 1:
        yield "cluster object", _at_server(run, f"pod/{words[1]}")


KINDS = {
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
        value = value_of(run, *names)
        yield "path", value if run.program in _MUST_BE_EMPTY or not value.startswith(_FAR) else ""

    return read


_MUST_BE_EMPTY = listed("initdb cookiecutter")
"""Programs that fail where something is already."""


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
    "createdb": database, **dict.fromkeys((*_CLIENTS, "mysqladmin"), created_databases),
    "kubectl": _kubectl, "k": _kubectl, "oc": _kubectl, **dict.fromkeys(CLUSTERS, _cluster),
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


def kubeconfig(run: Run) -> str:
    return next((value.text for name, value in reversed(run.environment) if name == "KUBECONFIG"), "")
