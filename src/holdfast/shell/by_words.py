"""What kind of work a program does that no table names, by its own words. Pure.

`dbt test`, `acme app deploy`, `moon run web:test`, `./scripts/publish.sh prod`, `perl t/a.t` and
`julia -e 'Pkg.test()'` say themselves what they are. Programs that take names of files, hosts or databases
(`mkdir build`, `psql test`) say nothing by them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.patterns import lazy_pattern
from holdfast.shell.targets import NamedTool, of_target
from holdfast.shell.tools import WorkKind, listed

_JOINED_TESTS = listed("loadtest smoketest stresstest perftest unittest unittests integrationtest soaktest systemtest")
_VERBS: dict[str, WorkKind] = {
    **dict.fromkeys(listed("test tests check checks validate verify spec specs selftest audit runtests"), "test"),
    **dict.fromkeys(listed("testthat tester"), "test"),
    **dict.fromkeys(_JOINED_TESTS, "test"),
    **dict.fromkeys(listed("build compile assemble"), "build"),
    **dict.fromkeys(listed("lint vet"), "lint"),
    **dict.fromkeys(listed("typecheck"), "types"),
    **dict.fromkeys(
        listed("deploy redeploy publish release apply migrate import upload promote rollout rollback ship"), "deploy"
    ),
}  # fmt: skip
_FILES = listed(
    "cat ls mkdir rmdir rm cp mv ln touch chmod chown chgrp stat file head tail less more bat sed awk grep egrep fgrep"
    " rg ag ack find fd fdfind tree du df wc sort uniq cut tr tee diff cmp patch rsync scp sftp tar zip unzip gzip"
    " gunzip 7z open xdg-open code vim vi nvim nano emacs subl idea jq yq column basename dirname realpath readlink"
    " mktemp cd pushd popd install dd shred trash md5sum sha256sum openssl gpg source . cpio unlink rename stow z j"
)
_NAMES = listed(
    "echo printf test [ [[ true false : which whereis type command man info tldr help history alias unalias export set"
    " unset read declare local kill pkill killall ps pgrep top lsof ping dig nslookup host curl wget http https xh ssh"
    " mosh psql createdb dropdb mysql mariadb mongo mongosh sqlite3 redis-cli createuser su sudo useradd adduser"
    " userdel passwd systemctl service journalctl crontab tmux screen tmuxinator watch date cal seq expr id mount"
    " umount git hg svn jj apt apt-get apk dnf yum pacman brew snap port pip pip3 conda mamba npm yarn pnpm bun npx"
    " docker podman kubectl kubectx kubens gh glab aws gcloud az java sleep wait nvm rbenv pyenv asdf workon exit"
    " return trap"
)
_NO_RUNNERS = _FILES | _NAMES
"""Programs whose words are files, names, or known otherwise."""
_SHELLS = listed("bash sh zsh dash ksh fish")
INTERPRETERS = _SHELLS | listed("python python3 node ruby perl php lua luajit Rscript R julia tsx ts-node deno escript")
_ASKED_TO_RUN = listed("run task run-script run-many affected exec")
_SCRIPT = lazy_pattern(r"\.(?:sh|bash|zsh|py|rb|js|mjs|cjs|ts|pl|php|lua|R|r|jl|exs?|ps1)\Z")
_PARTS = lazy_pattern(r"[_.:-]+")
_CODE_OPTIONS = listed("-e -E -c --eval --exec -r")
_TESTS_IN_CODE = lazy_pattern(
    r"\b(?:devtools|testthat|tinytest|rcmdcheck|RUnit|Pkg|pytest|unittest|nose|doctest)(?:::|\.)"
    r"(?:test\w*|main|check\w*|run\w*|rcmdcheck)\s*\(|\bruntests\s*\(",
)
_CALL = lazy_pattern(r"[\w.:]+\(")
_PLAIN = lazy_pattern(r"[\w:.+-]+\Z")
_ALIAS = lazy_pattern(r"-[MXT](?::[\w-]+)*:[\w-]*test")
_MOST_WORDS = 3


_SAYS = lazy_pattern("|".join((*sorted(_VERBS), r"\.t\b")), re.IGNORECASE)


def says_so(command: str) -> bool:
    """May some word of a command line say what it does? Says yes too often."""
    return _SAYS.search(command) is not None


def takes_names(program: str) -> bool:
    """Are its words files, names, or known otherwise?"""
    return program in _NO_RUNNERS or program in INTERPRETERS


def by_words(program: str, path: str, arguments: Sequence[str]) -> NamedTool | None:
    """What a program that no table names does. `path` is how it was called."""
    if program in INTERPRETERS:
        return _by_file(program, arguments)
    if (named := _by_script(path)) is not None:
        return named[0], named[1], list(arguments)
    if not program or program in _NO_RUNNERS:
        return None
    if program in ("clojure", "clj") and (alias := next((text for text in arguments if _ALIAS.match(text)), "")):
        return "test", f"{program} {alias}", []
    return _by_first_words(program, arguments)


def _by_first_words(program: str, arguments: Sequence[str]) -> NamedTool | None:
    at = [place for place, text in enumerate(arguments) if not text.startswith("-")][:_MOST_WORDS]
    words = [arguments[place] for place in at]
    if not words or not _PLAIN.match(words[0]):
        return None
    if words[0] in _ASKED_TO_RUN:
        kind = of_target(words[1]) if len(words) > 1 else None
        return (kind, f"{program} {words[0]} {words[1]}", list(arguments[at[1] + 1 :])) if kind else None
    if kind := _of_word(words[0]):
        return kind, f"{program} {words[0]}", list(arguments[at[0] + 1 :])
    if len(words) > 1 and _VERBS.get(words[1].lower()) == "deploy":  # `acme app deploy`, `cap production deploy`
        return "deploy", f"{program} {words[0]} {words[1]}", list(arguments[at[1] + 1 :])
    return None


def _of_word(word: str) -> WorkKind | None:
    """`test`, `db:migrate`, `hex.publish`."""
    lowered = word.lower()
    if kind := _VERBS.get(lowered):
        return kind
    if ":" in word:
        return next((_VERBS[part] for part in reversed(lowered.split(":")) if part in _VERBS), None)
    return _VERBS.get(lowered.rpartition(".")[2])  # `mill shop.test`


def _by_file(program: str, arguments: Sequence[str]) -> NamedTool | None:
    """What an interpreter runs: a script with a telling name, or code that runs tests."""
    for at, text in enumerate(arguments):
        if text in _CODE_OPTIONS and at + 1 < len(arguments):
            found = _TESTS_IN_CODE.search(arguments[at + 1]) if program not in _SHELLS else None
            call = _CALL.search(found[0]) if found else None
            return ("test", f"{program} {call[0].rstrip('(')}" if call else program, []) if found else None
        if text.startswith("-") or text in ("run", "CMD"):
            continue
        named = _by_script(text)
        if named is None:
            return None
        tool = named[1] if program in _SHELLS or named[0] == "deploy" else f"{program} {text}"
        return named[0], tool, list(arguments[at + 1 :])
    return None


def _by_script(path: str) -> tuple[WorkKind, str] | None:
    """A script whose name says what it does: `deploy.sh`, `scripts/run-tests.py`, `t/parser.t`, `test/runtests.jl`; one
    of the project (`./bin/deploy`) also without an ending."""
    folder, _, name = path.rstrip("/").rpartition("/")
    if name.endswith(".t") and name != ".t":
        return "test", name
    is_own = bool(folder) and not folder.startswith(("/", "~")) and "." not in name
    if not is_own and not _SCRIPT.search(name):
        return None
    parts = _PARTS.split(name.lower())
    kinds = [_VERBS[part] for part in (parts if is_own else parts[:-1]) if part in _VERBS]
    kind = "deploy" if "deploy" in kinds else next(iter(kinds), None)
    return (kind, name) if kind else None
