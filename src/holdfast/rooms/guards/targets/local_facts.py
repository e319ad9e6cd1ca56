"""Facts about what is no file: a branch that is merged on its remote, data that the project's own seeds fill again.

What is here is on this machine, as far as the call and the project tell: no server, no word of production, the compose
file of the project. A database is worth a question where nothing fills it again, and so is a volume that people put
files into. The tools themselves refuse production (Rails by its protected environments, Laravel and Ecto unless
`--force` is given); a call that switches that off is asked about.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run, Where
from holdfast.judging import file_findings, own_servers, paths
from holdfast.judging.model import Finding
from holdfast.judging.things import value_of
from holdfast.patterns import lazy_pattern
from holdfast.undo.git import Git, Unknown

LocalFact = tuple[str, str]
"""The name of what lets a finding pass, and the reason, for people."""
MERGED: LocalFact = ("merged-branch", "the main branch of the remote has its commits, as far as this repository knows")
CACHES: LocalFact = ("cache-volumes", "the compose file names only volumes for caches")
OWN_HOOK: LocalFact = ("own-hook", "the hook is a script that the last commit of the project has")
SEEDED: LocalFact = ("seeded", "it is on this machine, and the project's own seeds fill it again")


def excuse(finding: Finding, where: Where, until: float, runs: Sequence[Run]) -> LocalFact | None:
    """What lets a finding pass, where a fact does."""
    asked = _ASKED.get(finding.rule)
    folder = file_findings.folder_of(finding.run, where)
    if asked is None or finding.run is None or finding.run.remote or not folder or not where.root:
        return None
    try:
        return asked(finding.run, folder, Git(where.root, until), runs)
    except (Unknown, OSError):
        return None


# --- a branch of the remote


def _merged(run: Run, folder: str, git: Git, runs: Sequence[Run]) -> LocalFact | None:
    named = [arg for arg in run.args if not arg.text.startswith("-")][1:]
    if len(named) < 2 or not all(arg.known for arg in named) or "-C" in run.texts:
        return None
    remote, *branches = (arg.text for arg in named)
    if any(":" in branch for branch in branches) and not all(branch.startswith(":") for branch in branches):
        return None
    names = [branch.removeprefix(":").removeprefix("refs/heads/") for branch in branches]
    return MERGED if all(_is_merged(git, remote, name) for name in names) else None


def _is_merged(git: Git, remote: str, branch: str) -> bool:
    if _OF_EVERYONE.match(branch) or git.ref(f"refs/tags/{branch}"):
        return False
    commit = git.ref(f"refs/remotes/{remote}/{branch}")
    main = next(filter(None, (git.ref(f"refs/remotes/{remote}/{name}") for name in ("HEAD", "main", "master"))), "")
    return bool(commit and main) and git.does("merge-base", "--is-ancestor", commit, main)


_OF_EVERYONE = lazy_pattern(
    r"(?:main|master|trunk|develop|development|dev|staging|stable|prod\w*|release\S*|gh-pages|v?\d\S*)\Z|refs/"
)


# --- data of the project


def _reset(run: Run, folder: str, git: Git, runs: Sequence[Run]) -> LocalFact | None:
    """`rails db:reset`, `artisan migrate:fresh --seed`, `mix ecto.reset`."""
    words = " ".join((run.program, *run.texts[:20]))
    seeds = _SEEDS.search(words) or any(_SEEDS.search(" ".join((each.program, *each.texts[:6]))) for each in runs)
    if not seeds or not _PROTECTED.search(words) or _FORCED.search(words) or not _is_here(run, folder):
        return None
    return SEEDED if _has_seeds(git) else None


_PROTECTED = lazy_pattern(r"(?:^|[\s/])(?:rails|rake|artisan|mix)\s")
"""Tools that refuse to empty a database of production."""
_SEEDS = lazy_pattern(
    r"\bdb:(?:reset|seed|setup)\b|\s--seed(?:er\S*)?(?:\s|\Z)|\becto\.(?:reset|setup)\b|\bseeds\.exs\b"
)
_FORCED = lazy_pattern(r"--force|--no-protect|ENVIRONMENT_CHECK")


def _composed(run: Run, folder: str, git: Git, runs: Sequence[Run]) -> LocalFact | None:
    """`docker compose down -v`: what the volumes hold, by the names in the project's own file."""
    if "down" not in run.texts or not _is_here(run, folder) or any(_ELSEWHERE.match(text) for text in run.texts):
        return None
    named = value_of(run, "-f", "--file")
    paths = (os.path.join(folder, name) for name in ([named] if named else _FILES))
    path = next(filter(os.path.isfile, paths), "")
    if not path:
        return None
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read(_LONGEST)
    volumes = _volumes(text)
    images = _IMAGE.findall(text)
    if any(map(_OF_PEOPLE.search, (*volumes, *images))):
        return None
    stores = [name for name in (*volumes, *images) if _DATABASE.search(name)]
    if not all(disposable.is_cache(name) or _DATABASE.search(name) for name in volumes):
        return None
    if not stores:
        return CACHES
    return SEEDED if _has_seeds(git) else None


_FILES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
_LONGEST = 100_000
_ELSEWHERE = lazy_pattern(r"-H|--host|--context|-c\Z|--env-file")
_IMAGE = lazy_pattern(r"(?m)^\s{2,20}image:\s{0,4}[\"']?([\w./:@${}-]{1,200})")
_DATABASE = lazy_pattern(
    r"(?i)postgres|pg|mysql|maria|mongo|redis|valkey|(?<![a-z])db|database|elastic|opensearch|meili|rabbit|kafka|nats"
)
_OF_PEOPLE = lazy_pattern(r"(?i)upload|media|minio|files|storage|nextcloud|wordpress|gitea|backup|vault|mail|prod")


def _volumes(text: str) -> list[str]:
    """The named volumes of a compose file: the keys below its own `volumes`."""
    _, sign, below = f"\n{text}".partition("\nvolumes:")
    found = []
    for line in below.split("\n")[1:500] if sign else ():
        if line[:1].isalnum():
            break
        if name := re.match(r"(?:  |    |\t)([\w.-]+):", line):
            found.append(name[1])
    return found


def _is_here(run: Run, folder: str) -> bool:
    """Is nothing of a server, and no word of production, in the call or in the folder's name?"""
    hosts, _ = own_servers.named(run)
    told = [*run.texts[:60], *(text for name, value in run.environment for text in (name, value.text)), folder]
    if any(name.startswith("DOCKER_") or name.endswith(("_URL", "_HOST", "_CHECK")) for name, _ in run.environment):
        return False
    return all(map(own_servers.is_local, hosts)) and not any(map(_PRODUCTION.search, told)) and not run.container


_PRODUCTION = lazy_pattern(r"(?i)(?<![a-z])(?:prod|production|prd|live|staging)(?![a-z])")


def _has_seeds(git: Git) -> bool:
    """Has a commit of the project files that fill a database?"""
    return bool(git.names("ls-files", "-z", "--", ":(icase)*seed*", "*initdb.d/*"))


def _is_own_hook(run: Run, folder: str, git: Git, runs: Sequence[Run]) -> LocalFact | None:
    """A script that the project has becomes a hook of git. One that is not there yet is nothing to be run."""
    top = git.top()
    there = [path for path in paths.hooks_from(run, Where(folder, top)) if os.path.lexists(path)]
    return OWN_HOOK if git.committed(there) >= {*there} else None


_ASKED: dict[str, Callable[[Run, str, Git, Sequence[Run]], LocalFact | None]] = {
    "git.push-delete": _merged,
    "files.git-internals": _is_own_hook,
    "database.reset": _reset,
    "container.compose": _composed,
}
RULES = frozenset(_ASKED)
