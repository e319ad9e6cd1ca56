"""Does a call only ask for help, or try what it would do? Then no built-in rule is about it. Pure.

Options say so (`--help`, `--dry-run`), and words of programs that have subcommands (`aws s3 rm help`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS

_TRIES = (
    *("--help", "--dry-run", "--dryrun", "--dry_run", "--validate-only", "--validate_only", "--explain", "--what-if"),
    *("--whatif", "--simulate", "--just-print", "--no-act", "--noop", "--no-op", "--preview-only", "--pretend"),
    *("--help-all", "--show-only", "--print-only", "--assumeno", "--usage", "-WhatIf", "-whatif"),
)
_OWN_TRIES = {
    "cargo": "-n", "make": "-n --question --print-data-base", "gmake": "-n", "rsync": "-n", "rclone": "-n",
    "apt": "-s", "apt-get": "-s", "ansible-playbook": "--check -C --list-tasks --list-hosts",
    "alembic": "--sql", "zfs": "-n", "zpool": "-n", "brew": "-n", "borg": "-n", "restic": "-n", "just": "-n --list -l",
    "task": "--dry -n --list -l --list-all", "rake": "-n -T -P -D --tasks --describe --prereqs", "pacman": "-p --print",
    "rpm": "--test", "dpkg": "--no-act --simulate", "terraform": "-help -dry-run",
    "tofu": "-help -dry-run", "terragrunt": "-help",
    "flyway": "-dryRunOutput", "lvremove": "-t", "vgremove": "-t", "snap": "-h", "gradle": "-m", "gradlew": "-m",
    "svn": "--dry-run", "hg": "-n", "stow": "-n", "certbot": "--dry-run", "mvn": "-DdryRun=true", "conda": "-d",
    "zypper": "-D", "choco": "--noop", "gsutil": "-n", "mc": "--fake", "s3cmd": "-n", "wipefs": "-n",
    "semantic-release": "-d",
    "stranger-destroys": "--check --preview --noop",
}  # fmt: skip
"""Options with which a program of its own changes nothing."""
_SHORT_HELP = listed(
    "git kubectl k oc helm docker podman nerdctl docker-compose gh glab az gcloud cargo npm pnpm yarn pip pip3 uv "
    "poetry terraform tofu pulumi fly flyctl heroku vercel netlify firebase supabase wrangler rails rake bundle "
    "prisma systemctl restic borg vault consul nomad etcdctl rclone flux argocd istioctl kind minikube k3d eksctl cdk "
    "sls serverless mix alembic dropdb dropuser userdel usermod conda brew snap doctl hcloud linode-cli twine gem"
)
"""Programs for whose subcommands `-h` is help; for others it is a host, or sizes for people."""
_NOT_HELP = listed("dropdb dropuser")
_GIT_TRIES = frozenset({"push", "clean", "rm", "mv", "prune"})
"""Words of git for which `-n` is a dry run."""
_PASS_ON = SHELLS | listed(
    "python python3 node nodejs deno bun ruby perl php ssh xargs parallel env sudo su tmux screen script"
)
"""Programs that hand their options on to what they run."""
_RUNS_INSIDE = frozenset({"run", "exec", "runner", "dlx", "x"})
_FRAMEWORK = re.compile(r"(?:.*/)?(?:manage\.py|artisan|console|bin/rails|rails|rake|symfony)\Z")
"""Scripts whose own options stand behind their name: `php artisan migrate:fresh --pretend`."""
_LOCAL = re.compile(r"\A(?:https?://)?(?:localhost|127\.0\.0\.1|\[::1\]|localstack|minio)(?:[:/]|\Z)")
"""A cloud that runs on this machine, for tests."""
_CLOUDS = listed("aws s3cmd s5cmd mc gcloud gsutil")
_ENDPOINTS = {"aws": "AWS_ENDPOINT_URL", "gcloud": "CLOUDSDK_API_ENDPOINT_OVERRIDES"}
"""Variables that say where a cloud is: of one service with its name behind it, of all of `aws` without. The other
programs read none of them."""
_PACKAGE_RUNNERS = listed("npx bunx uvx pnpx bundle")


def is_local_cloud(
    program: str, words: Sequence[str], texts: Sequence[str], environment: Iterable[tuple[str, str]]
) -> bool:
    """`AWS_ENDPOINT_URL=http://localhost:4566 aws …`: does a variable say that the service which is called runs on this
    machine? One of another service says nothing, and an option counts before all variables."""
    name = _ENDPOINTS.get(program)
    if name is None or not words or any(text.startswith("--endpoint-url") for text in texts):
        return False
    given = dict(environment)
    service = "S3" if words[0] == "s3api" else words[0].upper().replace("-", "_")
    place = given.get(f"{name}_{service}") or (given.get(name) if program == "aws" else "")
    return _LOCAL.search(place or "") is not None


def _names_local(texts: Sequence[str]) -> bool:
    """Does the option for the endpoint name this machine? The last one counts. Of other words none says where."""
    given = [
        value if sign else next(iter(texts[place + 1 : place + 2]), "")
        for place, text in enumerate(texts)
        for name, sign, value in (text.partition("="),)
        if name in _ENDPOINT_OPTIONS
    ]
    return bool(given) and _LOCAL.search(given[-1]) is not None


_ENDPOINT_OPTIONS = listed("--endpoint-url --endpoint --host --host-bucket --api-endpoint-overrides")


def only_tries(program: str, flags: Sequence[str], words: Sequence[str], texts: Sequence[str]) -> bool:
    """Does an option or a word say that nothing shall happen?"""
    script = program in ("python", "python3", "php", "ruby") and words and _FRAMEWORK.match(words[0]) is not None
    if program in _PASS_ON and not (script and not {"-c", "-r", "-e"} & set(flags)):
        return False
    if program in _CLOUDS and _names_local(texts):
        return True
    if _asks_for_help(program, texts, words[1:] if script else words):
        return True
    if program == "git" and words[:1] and words[0] in _GIT_TRIES and "-n" in flags:
        return True
    if program == "git" and (
        list(texts[:1]) == ["--version"] or list(texts[1:]) == ["--version"]
    ):  # else it may be a value
        return True
    if any(given(flags, each, whole=True) for each in _OWN_TRIES.get(program, "").split()):
        return True
    if program == "stranger-destroys" and (texts[-1:] and texts[-1] in ("-h", "--plan")):
        return True  # elsewhere a host, or the plan that is paid for
    inside = _RUNS_INSIDE.intersection(words[:3]) and program not in _PACKAGE_RUNNERS
    return any(given(flags, each, whole=True) for each in _TRIES) and not inside


def _asks_for_help(program: str, texts: Sequence[str], words: Sequence[str]) -> bool:
    """`kubectl help delete`, `aws s3 rm help`, `git stash drop -h`."""
    if words[:1] == ["help"] and program not in _PACKAGE_RUNNERS:
        return True
    if program == "aws" and words[-1:] == ["help"]:
        return True
    own = texts[: texts.index("--")] if "--" in texts else texts
    if "-?" in own:
        return True
    return "-h" in own and program in _SHORT_HELP - _NOT_HELP and not _RUNS_INSIDE.intersection(words[:2])


def given(flags: Sequence[str], wanted: str, *, whole: bool = False, shortest: int = 4) -> bool:
    """Is the option there? A long one may be abbreviated to so many characters, unless `whole` is asked for."""
    for flag in flags:
        name, _, value = flag.partition("=")
        if flag == wanted:
            return True
        if value.lower() in ("false", "no", "0", "none"):
            continue
        if name == wanted:
            return True
        if (
            not whole
            and wanted.startswith("--")
            and len(name) >= shortest
            and name.startswith("--")
            and wanted.startswith(name)
        ):
            return True
        if wanted.endswith("*") and name.startswith(wanted[:-1]):
            return True
    return False
