"""Short options that are written in one word with the value of the last: `curl -sXDELETE`, `mysql -Ne'drop …'`. Pure.

They are taken apart (`-s -X DELETE`), so that whoever reads the words of a call finds option and value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.model import Arg

_CURL = ("#012346aBfgGiIjJklLMnNOpqRsSvZ", "AbcCdDeEFHKmoPQrtTuUwxXyYz")
_MYSQL = ("AbBCEfGHijLnNoqrstvwX", "eDhPuS")
_PSQL = ("aAbeEHlnqsStwWxXz01", "cdfFhLopPRTUv")
_LETTERS = {"curl": _CURL, "mysql": _MYSQL, "mariadb": _MYSQL, "psql": _PSQL}
"""By program: the letters of options without a value, and of those with one."""


def apart(program: str, args: Sequence[Arg]) -> tuple[Arg, ...]:
    """The words of a call, each bundle of options apart from the option that has a value, and that from its value."""
    letters = _LETTERS.get(program)
    if letters is None:
        return tuple(args)
    return tuple(each for arg in args for each in _of_word(arg, *letters))


def _of_word(arg: Arg, alone: str, valued: str) -> Iterator[Arg]:
    text = arg.text
    if text[:1] != "-" or text[:2] == "--":
        yield arg
        return
    place = 1
    while place < len(text) and text[place] in alone:
        place += 1
    if place >= len(text) - (place == 1) or text[place] not in valued:
        yield arg
        return
    if place > 1:
        yield replace(arg, text=text[:place], known=True)
    yield replace(arg, text=f"-{text[place]}", known=True)
    if place + 1 < len(text):
        yield replace(arg, text=text[place + 1 :])
