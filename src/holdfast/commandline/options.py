"""The arguments of a call told apart: options, their values, and operands. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from holdfast.commandline.model import Arg

ArgumentKind = Literal["option", "operand", "literal"]
"""`literal` is an operand behind `--`."""


def told_apart(args: Sequence[Arg], takes_value: Callable[[str], bool]) -> Iterator[tuple[ArgumentKind, Arg]]:
    """Options and operands in their order. The value that follows an option, and `--` itself, are left out."""
    skip = literal = False
    for arg in args:
        if skip:
            skip = False
        elif literal:
            yield "literal", arg
        elif not arg.text.startswith("-") or arg.text == "-":
            yield "operand", arg
        elif arg.text == "--":
            literal = True
        else:
            yield "option", arg
            skip = takes_value(arg.text)


def options(args: Sequence[Arg], values: frozenset[str] = frozenset()) -> tuple[list[str], list[Arg]]:
    """Options and operands; bundled short options are taken apart. After `--` everything is an operand."""

    def takes_value(text: str) -> bool:
        return text in values or (text[1] != "-" and f"-{text[-1]}" in values)

    flags: list[str] = []
    operands: list[Arg] = []
    for kind, arg in told_apart(args, takes_value):
        if kind != "option":
            operands.append(arg)
        elif arg.text[1] == "-":
            flags.append(arg.text)
        else:
            flags += [f"-{letter}" for letter in arg.text[1:]]
    return flags, operands


def flags_and_words(args: Sequence[Arg], values: frozenset[str]) -> tuple[list[str], list[str]]:
    """Options (short ones also taken apart, `--` kept where something stands behind it) and words."""
    flags: list[str] = []
    words: list[str] = []
    for kind, arg in told_apart(args, values.__contains__):
        text = arg.text
        if kind == "option":
            flags.append(text)
            if text[1] != "-" and len(text) > 2:
                flags += _letters(text, values)
            continue
        if kind == "literal" and "--" not in flags:
            flags.append("--")
        words.append(text)
    return flags, words


def _letters(text: str, values: frozenset[str]) -> Iterator[str]:
    """The options in a bundle, up to one whose value is the rest."""
    for letter in text[1:]:
        yield f"-{letter}"
        if f"-{letter}" in values or not letter.isalpha():
            return
