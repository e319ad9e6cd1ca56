"""A line of fish as a shell of the other kind would write it. Pure; linear.

Only what differs is changed: `set NAME VALUE`, `(…)` for what a command prints, `; and`, `; or`, `not`, and `| source`.
"""

from __future__ import annotations

from dataclasses import replace

from holdfast.commandline.model import Arg, Run
from holdfast.patterns import lazy_pattern

_PIECE = lazy_pattern(r"'(?:[^'\\]|\\.){0,8000}'|\"(?:[^\"\\]|\\.){0,8000}\"|\\.|[^'\"\\]+|.")
_SET = lazy_pattern(
    r"(?m)(\A|[;\n&|]|\b(?:begin|do|then|else)\b)(\s{0,20})set\s{1,20}(?:-{1,2}[a-zA-Z]{1,12}\s{1,20}){0,4}(\w{1,80})\s{1,20}"
    r"('[^'\n]{0,4000}'|\"[^\"\n]{0,4000}\"|\([^()\n]{0,400}\)|[^\s;'\"()|&]{1,4000})(?=\s{0,20}(?:[;\n)&|]|\Z))"
)
_AND, _OR = lazy_pattern(r"[;\n]\s{0,40}and\s"), lazy_pattern(r"[;\n]\s{0,40}or\s")
_NOT = lazy_pattern(r"(\A|[;\n&|]\s{0,20}|\bif\s{1,20})not\s")
_SOURCE = lazy_pattern(r"\|\s{0,20}(?:source|\.)\s{0,20}-?\s{0,20}(?=[;\n]|\Z)")
_LONG = "--command="


def as_shell(text: str) -> str:
    """The line, as far as it differs."""
    text = _SET.sub(r"\1\2\3=\4", text)
    return "".join(piece if piece[0] in "'\"\\" else _plain(piece) for piece in _PIECE.findall(text))


def _plain(piece: str) -> str:
    piece = _NOT.sub(r"\1! ", _OR.sub(" || ", _AND.sub(" && ", piece)))
    piece = _SOURCE.sub("| sh ", piece)
    return piece.replace("$(", "(").replace("(", "$(")


def read(run: Run) -> Run:
    """A call of fish with its texts in words that are read here."""
    args: list[Arg] = []
    for place, arg in enumerate(run.args):
        if arg.text.startswith(_LONG):
            args += [Arg("-c"), replace(arg, text=as_shell(arg.text.removeprefix(_LONG)))]
        elif arg.text == "--command":
            args.append(Arg("-c"))
        elif place and run.args[place - 1].text in ("-c", "--command", "-C"):
            args.append(replace(arg, text=as_shell(arg.text)))
        else:
            args.append(arg)
    return replace(run, args=tuple(args), stdin=run.stdin and as_shell(run.stdin))
