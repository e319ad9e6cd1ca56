"""The words of `find`: which of them only choose, and which act. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.shell.tools import listed

NARROW = listed("-name -iname -path -ipath -wholename -regex -iregex -inum -samefile")
"""Tests that choose by name: what they match was meant."""
TESTS = NARROW | listed(
    "-mtime -atime -ctime -mmin -amin -cmin -newer -size -user -group -perm -empty -type -xtype -links -gid -uid "
    "-used -context -lname -ilname -anewer -cnewer -fstype -newermt -readable -writable -executable -nouser -nogroup"
)
WITHOUT_VALUE = listed("-empty -readable -writable -executable -nouser -nogroup")
_SETTINGS = listed("-maxdepth -mindepth -regextype")
VALUES = TESTS - WITHOUT_VALUE | _SETTINGS | listed("-printf -fprintf -D -regextype")
"""Words that take the next one."""
RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_PLAIN = (
    TESTS
    | _SETTINGS
    | listed(
        "-depth -d -mount -xdev -x -not -and -or -o -a -daystart -follow -P -L -H -print -print0 -prune -true -false "
        "-noleaf -warn -nowarn -quit -ignore_readdir_race -noignore_readdir_race"
    )
)
_SIGNS = frozenset({"(", ")", "!", ","})
_BRANCHES = frozenset({"-o", "-or", ","})
_SHOWS = frozenset({"-print", "-print0", "-ls"})
_LEVEL = re.compile(r"-O\d?\Z")
_NEWER = re.compile(r"-newer[aBcm][aBcmt]\Z")

Primary = tuple[str, ...]
"""One test, action or sign, with its values: `-name`, `*.py`; `-exec`, `rm`, `{}`, `;`."""


def lists_only(words: Sequence[str]) -> bool:
    """Do these words only choose? Then `find` may be asked what it would find."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and len(word) > 1:
            if word not in _PLAIN and not _LEVEL.match(word) and not _NEWER.match(word):
                return False
            skip = _takes_value(word)
    return True


def listing(words: Sequence[str]) -> tuple[str, ...]:
    """The words with which `find` lists what these words act on; nothing when that cannot be said.

    What stands before the first action chooses. Where another branch follows it, each `-delete` is asked for instead.
    """
    _, last = starts(words)
    head, told = tuple(words[:last]) or (".",), _primaries(words[last:])
    deep = ("-depth",) if has_delete(words) else ()  # `-delete` goes into what `-prune` leaves out
    acts = [place for place, each in enumerate(told) if _acts(each)]
    if not acts:
        chosen = _joined(told)
        return (*head, "(", *chosen, ")") if _BRANCHES & {each[0] for each in told} else (*head, *chosen)
    if not _BRANCHES & {each[0] for each in told[acts[0] :]}:
        return (*head, *deep, *_joined(told[: acts[0]]))
    if any(told[place][0] not in ("-delete", *_SHOWS) for place in acts):
        return ()
    instead = {"-delete": "-print0", **dict.fromkeys(_SHOWS, "-true")}
    return (*head, *deep, *(instead.get(each[0], word) for each in told for word in each))


def _takes_value(word: str) -> bool:
    return word in VALUES or _NEWER.match(word) is not None


def _acts(primary: Primary) -> bool:
    return primary[0] in RUNS or primary[0] == "-delete" or primary[0] in _SHOWS


def _joined(primaries: Sequence[Primary]) -> tuple[str, ...]:
    return tuple(word for each in primaries for word in each)


def _primaries(words: Sequence[str]) -> list[Primary]:
    found: list[Primary] = []
    place = 0
    while place < len(words):
        stop = place + 1
        if words[place] in RUNS:
            while stop < len(words) and words[stop - 1] not in (";", "+"):
                stop += 1
        elif _takes_value(words[place]):
            stop += 1
        found.append(tuple(words[place:stop]))
        place = stop
    return found


def has_delete(words: Sequence[str]) -> bool:
    """Is `-delete` an action of its own, not a word of what `-exec` runs or of a test?"""
    running = skip = False
    for word in words:
        if running:
            running = word not in (";", "+")
        elif skip:
            skip = False
        elif word in RUNS:
            running = True
        elif word == "-delete":
            return True
        else:
            skip = _takes_value(word)
    return False


def starts(words: Sequence[str]) -> tuple[int, int]:
    """Where the folders stand that it begins in: first and behind the last."""
    first = 0
    while first < len(words) and (words[first] in ("-H", "-L", "-P", "-D") or _LEVEL.match(words[first])):
        first += 2 if words[first] == "-D" else 1
    last = first
    while (
        last < len(words) and not (words[last].startswith("-") and len(words[last]) > 1) and words[last] not in _SIGNS
    ):
        last += 1
    return first, last


def is_narrow(words: Sequence[str]) -> bool:
    """Is all that is acted on chosen by name? Each branch that acts has a name of its own; `*` is none."""
    _, last = starts(words)
    branches: list[list[Primary]] = [[]]
    depth = 0
    for each in _primaries(words[last:]):
        depth += (each[0] == "(") - (each[0] == ")")
        if depth == 0 and each[0] in _BRANCHES:
            branches.append([])
        else:
            branches[-1].append(each)
    acting = [branch for branch in branches if any(map(_acts, branch))] or branches
    return all(_has_name(branch) for branch in acting)


def _has_name(branch: Sequence[Primary]) -> bool:
    return any(
        each[0] in NARROW
        and each[1:]
        and each[1].strip("*?./")
        and each[1] not in _HISTORY
        and (not place or branch[place - 1][0] not in _NOT)
        for place, each in enumerate(branch)
    )


_NOT = frozenset({"!", "-not"})
_HISTORY = frozenset({".git", ".hg", ".svn", ".jj", ".sl"})
"""Chosen by such a name, whole repositories go."""


def loosely(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a list that is at least what is meant: of some use only where something is removed."""
    if is_everything(words):
        return tuple(words[:-1])
    return (*words, _AT_LEAST) if not is_loose(words) else tuple(words)


def everything(words: Sequence[str]) -> tuple[str, ...]:
    """A loose list from which nothing was chosen: `git ls-files`."""
    return (*words, _AT_LEAST, _AT_LEAST)


def is_everything(words: Sequence[str]) -> bool:
    return tuple(words[-2:]) == (_AT_LEAST, _AT_LEAST)


def is_chosen(words: Sequence[str]) -> bool:
    """Was what is listed chosen by a name, or by something that is not known here?"""
    return is_narrow(words) or (is_loose(words) and not is_everything(words))


def is_loose(words: Sequence[str]) -> bool:
    return tuple(words[-1:]) == (_AT_LEAST,)


def at_home(words: Sequence[str], home: str, folder: str) -> tuple[str, ...]:
    """The words as a shell gives them to `find`: the folders that it begins in may be written with `~`."""
    _, last = starts(words)
    names = {"~": home, "$HOME": home, "${HOME}": home, "$PWD": folder, "${PWD}": folder}
    begins = (
        names[name] + sign + rest if (name := word.partition("/")[0]) in names and names[name] else word
        for word in words[:last]
        for sign, rest in (word.partition("/")[1:],)
    )
    return (*begins, *words[last:])


_AT_LEAST = "-true"
