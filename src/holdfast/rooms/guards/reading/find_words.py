"""The words of `find`: which of them only choose, and which act. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.shell.tools import listed

NARROW = listed("-name -iname -path -ipath -wholename -regex -iregex -inum -samefile")
"""Tests that choose by name: what they match was meant."""
TESTS = NARROW | listed(
    "-mtime -atime -ctime -mmin -amin -cmin -newer -size -user -group -perm -empty -type -xtype -links -gid -uid "
    "-used -context -lname -ilname -anewer -cnewer -fstype -newermt -readable -writable -executable -nouser -nogroup"
)
WITHOUT_VALUE = listed("-empty -readable -writable -executable -nouser -nogroup")
_SETTINGS = listed("-maxdepth -mindepth")
VALUES = TESTS - WITHOUT_VALUE | _SETTINGS | listed("-printf -fprintf -D")
"""Words that take the next one."""
RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_PLAIN = TESTS | _SETTINGS | listed("-depth -d -mount -xdev -x -not -and -or -o -a -daystart -follow -P -L -H -print")
_SIGNS = frozenset({"(", ")", "!", ","})


def lists_only(words: Sequence[str]) -> bool:
    """Do these words only choose? Then `find` may be asked what it would find."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and len(word) > 1:
            if word not in _PLAIN:
                return False
            skip = word in VALUES
    return True


def without_actions(words: Sequence[str]) -> tuple[str, ...]:
    """The words up to the first action: what stands before it chooses what it is done to."""
    for place, word in enumerate(words):
        if word in RUNS or word in ("-delete", "-print", "-print0", "-ls"):
            return tuple(words[:place])
    return tuple(words)


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
            skip = word in VALUES
    return False


def starts(words: Sequence[str]) -> tuple[int, int]:
    """Where the folders stand that it begins in: first and behind the last."""
    first = 0
    while first < len(words) and words[first] in ("-H", "-L", "-P"):
        first += 1
    last = first
    while (
        last < len(words) and not (words[last].startswith("-") and len(words[last]) > 1) and words[last] not in _SIGNS
    ):
        last += 1
    return first, last


def is_narrow(words: Sequence[str]) -> bool:
    return any(word in NARROW for word in words)
