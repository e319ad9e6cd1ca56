"""Files that may not be written, named by a list or a pattern instead of by their name. Pure.

`ls ~/.ssh/* | xargs rm`, `for f in $(grep -l x ~/.bash*)`, `rm ~/.aws/"$f"`: what the list would hold is not known
here, but where it comes from is. The answer is that of one file that it may hold.
"""

from __future__ import annotations

import fnmatch
import itertools
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from holdfast.commandline.effects.places import path_of
from holdfast.commandline.inline import programs
from holdfast.commandline.model import Arg, Run, Where
from holdfast.judging.model import Finding
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

Ask = Callable[[str], Finding | None]
"""What a rule says about writing to a path."""

_AT_HOME = (
    ".bashrc",
    ".bash_profile",
    ".bash_aliases",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".config/fish/config.fish",
    ".ssh/id_rsa",
    ".ssh/id_ed25519",
    ".ssh/id_ed25519.pub",
    ".ssh/authorized_keys",
    ".ssh/config",
    ".aws/credentials",
    ".aws/config",
    ".gnupg/pubring.kbx",
    ".kube/config",
    ".docker/config.json",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".config/gcloud/credentials.db",
    ".azure/msal_token_cache.json",
    ".git-credentials",
    ".gitconfig",
    ".config/gh/hosts.yml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude.json",
    ".config/rclone/rclone.conf",
)
_IN_PROJECT = (
    ".git/config",
    ".git/HEAD",
    ".git/index",
    ".git/packed-refs",
    ".git/hooks/pre-commit",
    ".git/refs/heads/main",
    ".git/objects/pack/p.pack",
    ".claude/settings.json",
    ".claude/settings.local.json",
)
"""Files that stand for all of their kind: a pattern that fits one of them names a protected place."""
_LISTS = listed(
    "ls find gfind fd fdfind echo printf stat realpath readlink compgen tree du locate plocate mdfind exa eza lsd"
)
_LISTS_MATCHES = listed("grep egrep fgrep zgrep rg ag ack")
_RECURSIVE = listed("find gfind fd fdfind rg ag ack tree du grep egrep")
_ONLY_MATCHES = lazy_pattern(r"-[a-zA-Z]*[lL][a-zA-Z]*\Z|--files(?:-with\S*)?\Z")
_IN_TEXT = lazy_pattern(r"[~$\w./*?-]*(?:(?<=/)|(?<![\w/]))\.\w[\w./*?-]*")
_MOST = 50
INPUT = "$(input)"
_COMPUTED = lazy_pattern(r"\$\(input\)\Z|<found>\Z|\A[\"']?(?:\$\(|`)|\A\$(?:[@*1-9]|\{(?:[@*1-9]|\w+\[))")
_FOLDER = lazy_pattern(r"\A([^$`<]+/[\w.-]*)(?:\$|`|<found>)")


class NamedByLists:
    """What the lists of one line name."""

    def __init__(self, runs: Sequence[Run], where: Where, private: tuple[str, ...], ask: Ask) -> None:
        self._where = where
        self._private = private
        self._ask = ask
        self._named = [(run, found) for run in runs if (found := self._of_list(run)) is not None]

    def of(self, arg: Arg, run: Run) -> Finding | None:
        """What a rule says of an argument that a list or a pattern names; None where it names nothing protected."""
        if arg.found_by or _PATTERN.search(arg.text) or not arg.known:
            told = _FOLDER.match(arg.text)
            text = f"{told[1]}*" if told else arg.text
            if (
                not text.startswith(("$(", "`", "$"))
                and (found := self._of_name(text, arg.found_by, run, below=bool(arg.found_by))) is not None
            ):
                return found
        if arg.known and not arg.found_by and "<found>" not in arg.text:
            return None
        if _COMPUTED.search(arg.text) is None:
            return None
        for lister, finding in self._named:
            if not arg.text.startswith(("$(", "`")) or arg.text == INPUT or _is_in(lister, arg.text):
                return finding
        return None

    def _of_list(self, run: Run) -> Finding | None:
        """What a run that prints names into a pipe, a substitution or a file names of what is protected."""
        if not run.captured or run.remote:
            return None
        if programs.language(run.program) is not None:
            text = "\n".join([*run.texts[:_MOST], run.stdin or ""])[:_LONGEST]
            names = list(dict.fromkeys(_IN_TEXT.findall(text)))[:_MOST]
            return next(
                (found for name in names if (found := self._of_name(name, (), run, below=True)) is not None), None
            )
        words = run.texts
        is_list = run.program in _LISTS or (run.program == "git" and words[:1] == ("ls-files",))
        is_list = is_list or (run.program in _LISTS_MATCHES and any(map(_ONLY_MATCHES.match, words)))
        if not is_list:
            return None
        chosen = tuple(_chosen(run))
        operands = [arg for arg in run.args[: _MOST * 4] if not arg.text.startswith("-")]
        if run.program == "git":
            operands = operands[1:]
        for arg in [*operands, *([Arg(".")] if run.program not in ("echo", "printf") else [])][: _MOST * 2]:
            if (found := self._of_name(arg.text, chosen, run, below=True)) is not None:
                return found
        return None

    def _of_name(self, text: str, chosen: tuple[str, ...], run: Run, *, below: bool) -> Finding | None:
        """A name or a pattern of names, or with `below` a folder, with the words by which something in it is chosen."""
        where = self._where
        path = path_of(Arg(text.replace("/<found>", ""), quoted=False), run.directory, where)
        names = [chosen[place + 1] for place in range(len(chosen) - 1) if chosen[place] in ("-name", "-iname")]
        paths = [
            chosen[place + 1] for place in range(len(chosen) - 1) if chosen[place] in ("-path", "-ipath", "-wholename")
        ]
        if not path:
            return None
        full = posixpath.normpath(path)
        for sample in self._samples(full):
            if self._may_be(full, names, paths, sample, below=below) and (found := self._ask(sample)) is not None:
                return found
        return None

    def _samples(self, full: str) -> Iterator[str]:
        for each in self._private:
            if each:
                yield f"{each}/config.toml"
                inside, _, name = full.removeprefix(f"{each}/").partition("/")
                if name and full.startswith(each):  # a file in any folder of it
                    yield f"{each}/{'x' if _PATTERN.search(inside) else inside}/rules.toml"
        if self._where.home:
            yield from (f"{self._where.home}/{name}" for name in _AT_HOME)
        folder = _PROJECT_PLACE.match(full)
        if folder is not None:
            yield from (f"{folder[1]}{name}" for name in _IN_PROJECT)

    def _may_be(self, full: str, names: Sequence[str], paths: Sequence[str], sample: str, *, below: bool) -> bool:
        """May this list hold that file?"""
        if not sample.startswith(_PATTERN.split(full, 1)[0].rstrip("/")):
            return False
        if names and not any(fnmatch.fnmatchcase(posixpath.basename(sample), name) for name in names):
            return False
        if paths and not any(fnmatch.fnmatchcase(sample, path) for path in paths):
            return False
        if _fits(full, sample):
            return True
        if not below or full in (self._where.root, self._where.cwd):
            return False
        if full in ("/", self._where.home, posixpath.dirname(self._where.home or "/")):
            # All of the home: only what is chosen by the name of such a file is meant.
            return any(name.strip("*") and not name.startswith("*.") for name in names) or bool(paths)
        return any(_fits(full, folder) for folder in _above(sample))


_LONGEST = 20_000
_PATTERN = lazy_pattern(r"[*?\[]")
_PROJECT_PLACE = lazy_pattern(r"\A((?:[^*?\[]*/)?)\.(?:git|claude|c[*?]|g[*?])[^/]*(?:/|\Z)")


def _above(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder not in ("", "/"):
        yield folder
        folder = posixpath.dirname(folder)


def _fits(pattern: str, path: str) -> bool:
    """Does a pattern of the shell fit a path? Its `*` does not go beyond a folder."""
    given, wanted = pattern.split("/"), path.split("/")
    return len(given) == len(wanted) and all(
        fnmatch.fnmatchcase(name, each) and (not name.startswith(".") or each[:1] not in "*?")
        for name, each in zip(wanted, given, strict=True)
    )


def _chosen(run: Run) -> Iterator[str]:
    """The names that a list chooses, as `find` says it."""
    for option, value in itertools.pairwise((*run.texts, "")):
        name, sign, told = option.partition("=")
        value = told if sign else value
        if run.program in ("find", "gfind") and name in ("-name", "-iname", "-path", "-ipath", "-wholename"):
            yield from (name, value)
        elif name in ("-g", "--glob", "--include") and "*" in value and not value.startswith("!"):
            yield from ("-name", posixpath.basename(value))
        elif name in ("-e", "--extension") and run.program in ("fd", "fdfind"):
            yield from ("-name", f"*.{value}")
    pattern = next((text for text in run.texts if not text.startswith("-")), "")
    if run.program in ("fd", "fdfind") and (plain := pattern.strip(".*^$")):
        yield from ("-name", f"*{plain.replace(chr(92), '')}*")


def _is_in(lister: Run, text: str) -> bool:
    """Is this run a part of that substitution?"""
    return lister.program in text and all(
        each in text for each in (re.sub(r"^['\"]|['\"]$", "", word) for word in lister.texts[:8]) if "$" not in each
    )
