"""A first look at a command line: can any rule match it at all? Pure; one pass over the line.

Most lines of a day run programs that no rule, no deed and no reader knows (`ls`, `rg`, `npm test`), in plain words.
They need no parsing. Everything else is read whole: this look never refuses, and says `plain` only where nothing is
computed, nothing is written, and no program is known to anything here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.commandline.effects import deeds, outputs, plans
from holdfast.commandline.inline import other_languages, programs
from holdfast.commandline.running import hidden, tasks
from holdfast.commandline.running.given_commands import GIVEN
from holdfast.commandline.running.runners import RUNNERS
from holdfast.judging import given_statements, overwriting, rights, unknown_programs, weakening
from holdfast.judging.matching import Packs
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS, WRAPPERS

_LONGEST = 400
_QUIET = r"[0-9]?>&[12]|[0-9&]?>\s*/dev/null(?=[\s;|&]|\Z)"
"""Redirections that write no file."""
_TOKEN = re.compile(rf"{_QUIET}|\s+|&&|\|\||[;|]|'[^']*'|\"[^\"$`\\!]*\"|[\w./:=@%+,^\[\]*?-]+")
_BUILT_IN = listed(
    "eval source . alias unalias trap exec set export declare typeset local readonly unset function coproc select su "
    "crontab enable hash bind complete mapfile readarray if then else elif fi for while until do done case esac time in"
)
"""Words of the shell that change what later words mean."""
_GIT = listed(
    "status log show blame rev-parse ls-files describe shortlog cat-file ls-tree merge-base rev-list commit diff"
)
_DOCKER = listed("ps images logs inspect info version stats top port history events diff")
_KUBECTL = listed("get describe logs top explain version api-resources cluster-info")
_CARGO = listed("build check clippy test doc tree metadata fmt")
_NODE = listed("test t run run-script ci ls list outdated view why start")
_RUNS_NO_FILE = listed(
    "ls cat head tail less more wc stat file du df tree pwd cd true echo printf grep egrep fgrep zgrep rg ag which "
    "type basename dirname realpath readlink date id whoami uname hostname ps pgrep diff cmp comm cut tr uniq sort "
    "sha256sum md5sum jq sleep git docker podman kubectl"
)
"""Programs that look at files and run none of them. What else of theirs does, is not plain for another reason."""
_RUNS = frozenset({"run", "run-script"})
"""Behind these stands the name of a task, which a file of the project explains."""
_ODD = re.compile(r"-(?:O|-ou|-ext|-te|-gl|g\Z|-script-s|-op)")
"""Options, and what they may be shortened to, that write a file or run a program."""
_VALUE_FOLLOWS = re.compile(r"--?[\w-]+=\Z")
_VALUE_OF_OPTION = re.compile(r"\A--[\w-]+=")


@lru_cache(maxsize=16)
def watched(programs: frozenset[str]) -> frozenset[str]:
    """Names of programs that something here knows."""
    return frozenset(
        {
            *programs, *deeds.PROGRAMS, *outputs.PROGRAMS, *plans.PROGRAMS, *RUNNERS, *GIVEN, *SHELLS, *WRAPPERS,
            *tasks.PROGRAMS, *other_languages.INTERPRETERS, *_BUILT_IN, "createuser",
        }
    )  # fmt: skip


def is_plain(line: str, packs: Packs, *, runs_own: bool = False) -> bool:
    """Is it sure that no rule matches, and that it makes nothing the ledger must know? `runs_own`: there are files
    that the conversation wrote, so that a program which may run one of them is not plain."""
    if len(line) > _LONGEST or "holdfast" in line or "\n" in line or ".ssh" in line:
        return False
    at = 0
    program = ""
    first = second = True
    names_task = False
    before = " "
    is_fed = "|" in line
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            return False
        at = match.end()
        token, joined_to = match[0], before
        before = token
        if token.isspace() or ">" in token:
            continue
        if token in ("&&", "||", ";", "|"):
            first, names_task = True, False
        elif not _stands_alone(token, joined_to):
            return False
        elif first:
            if token[0] in "'\"" or "=" in token or "*" in token or "?" in token or "[" in token:
                return False
            program = token.rsplit("/", 1)[-1].lower()
            if runs_own and ("/" in token or program not in _RUNS_NO_FILE):
                return False
            special = program in _SPECIAL and not _has_own_rule(program, packs)
            if not special and _is_watched(program, packs):
                return False
            first, second = False, True
        elif program in _SPECIAL:
            if (second and token not in _SPECIAL[program]) or _ODD.match(token.strip("'\"")):
                return False
            if names_task and token[0] != "-" and not tasks.USUAL.match(token):
                return False
            names_task = second and token in _RUNS
            second = False
        if not first and program not in _SPECIAL and token != program and _may_hide(program, token, is_fed):
            return False
    return True


def _may_hide(program: str, token: str, is_fed: bool) -> bool:
    """May this word be a command that the program runs, a verb of a program that no rule knows, or a text that the
    next program is fed? `retry rm -rf x`, `chokidar src -c 'rm -rf x'`, `acme volumes:delete v1`."""
    if token == "-" and is_fed and other_languages.COMPILERS.match(program):
        return True
    word = token.strip("'\"")
    if program in hidden.ONLY_SAY:
        return is_fed and (weakening.may_weaken(word) or rights.may_give(word))
    if unknown_programs.may_destroy(word) and program not in unknown_programs.KNOWN:
        return True
    if weakening.may_weaken(word) or given_statements.may_hold(word) or overwriting.may_overwrite(word):
        return True
    if rights.may_give(word):
        return True
    word = _VALUE_OF_OPTION.sub("", word, count=1)
    return word.rsplit("/", 1)[-1] in hidden.NAMES or (" " in word and hidden.begins_command(word))


_SPECIAL = {"git": _GIT, "npm": _NODE, "pnpm": _NODE, "yarn": _NODE}
_SPECIAL |= {"docker": _DOCKER, "podman": _DOCKER, "kubectl": _KUBECTL, "cargo": _CARGO}
"""Programs that are known here, with words of theirs that nothing is known about."""


def _stands_alone(token: str, before: str) -> bool:
    """Is this a word of its own? `b''ash` is one word for the shell and two tokens here; `--include="*.py"` may be."""
    if before.isspace() or before in ("&&", "||", ";", "|"):
        return True
    return token[0] in "'\"" and _VALUE_FOLLOWS.match(before) is not None


def _has_own_rule(program: str, packs: Packs) -> bool:
    """Has the user or the project a rule about it?"""
    return bool(packs.added) and program.startswith(packs.added)


def _is_watched(program: str, packs: Packs) -> bool:
    return (
        program in watched(packs.names)
        or program.endswith((".exe", ".cmd", ".bat"))
        or programs.language(program) is not None
        or any(program.startswith(start) for start in packs.beginnings)
    )
