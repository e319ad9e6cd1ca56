"""Functions of a Node, Ruby, Perl or PHP program that hand their arguments on to a process: `sub sh { system(@_) }`.
Pure; linear.

No language is parsed: a definition counts where a call that starts a process stands shortly behind it and names one of
its parameters. Each call of it is read as that process, with the words in front of the parameter.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from holdfast.commandline.inline.operands import operands
from holdfast.patterns import lazy_pattern

_DEFINED = {
    "node": lazy_pattern(
        r"\bfunction\s{1,5}(\w{1,60})\s{0,5}\(([^()\n]{1,120})\)|"
        r"(?<![\w$.])(\w{1,60})\s{0,5}=\s{0,5}(?:async\s{1,5})?(?:function\s{0,5})?"
        r"(?:\(([^()\n]{1,120})\)|(\w{1,60}))\s{0,5}(?:=>|\{)"
    ),
    "ruby": lazy_pattern(r"\bdef\s{1,5}(?:self\.)?(\w{1,60}[!?]?)\s{0,5}\(?([^()\n;=]{1,120})"),
    "perl": lazy_pattern(r"\bsub\s{1,5}(\w{1,60})\s{0,5}(\{)"),
    "php": lazy_pattern(r"\bfunction\s{1,5}(\w{1,60})\s{0,5}\(([^()\n]{1,120})\)"),
}
"""How a function begins: its name, and its parameters."""
_PARAMETER = lazy_pattern(r"\$?[A-Za-z_]\w{0,60}")
_OF_PERL = ["@_", "shift", "$_[0]"]
_BODY = 300
"""Characters behind the beginning in which the call is looked for."""
_SAID = lazy_pattern(r"\s*['\"`]([^'\"`\n#$]{0,200})['\"`]\s*(?=[,+.)])|\s*[\"`]([^'\"`\n#$]{0,200})(?=[#$])")
"""What stands in front of the parameter: `'git', args`, `git ${args}`."""
_MOST_FUNCTIONS = 16
_MOST_CALLS = 64
_PLAIN = lazy_pattern(r"[\w@%+=:,./~*-]+\Z")


def helper_calls(
    kind: str, text: str, starts: tuple[str, ...], inside: Callable[[int], bool]
) -> Iterator[tuple[str, bool]]:
    """The commands that calls of such functions come to, and whether each is known whole. `starts` are the patterns of
    calls that start a process."""
    begins = _DEFINED.get(kind)
    if begins is None:
        return
    patterns = [re.compile(each) for each in starts]
    heads = [head for head in itertools.islice(begins.finditer(text), _MOST_FUNCTIONS) if not inside(head.start())]
    for head, following in itertools.zip_longest(heads, heads[1:]):
        end = min(head.end() + _BODY, len(text) if following is None else following.start())
        groups = [each for each in head.groups() if each]
        name, told = groups[0], groups[1] if len(groups) > 1 else ""
        names = _OF_PERL if kind == "perl" else _PARAMETER.findall(told)
        before = _before_parameter(text, head.end(), end, names, patterns)
        if before is None:
            continue
        called = re.compile(
            rf"(?<![\w$.>])(?<!function )(?<!def )(?<!sub ){re.escape(name)}(?:\s{{0,5}}\(\s{{0,5}}|\s{{1,5}}(?=['\"]))"
        )
        for call in itertools.islice(called.finditer(text), _MOST_CALLS):
            if inside(call.start()):
                continue
            words = list(operands(text, call.end(), kind))
            if words and words[0][1]:
                yield _command(before, words), all(known for _, known in words)


def _before_parameter(text: str, at: int, end: int, names: list[str], starts: list[re.Pattern[str]]) -> str | None:
    """The words of the process in front of the parameter; None where nothing starts one with it."""
    for pattern in starts:
        found = pattern.search(text, at, end)
        if found is None:
            continue
        given = re.split(r"[;\n]", text[found.end() : end], maxsplit=1)[0]
        if not any(_is_named(name, given) for name in names):
            continue
        said = _SAID.match(given)
        return (said[1] if said[1] is not None else said[2]) if said is not None else ""
    return None


def _is_named(name: str, given: str) -> bool:
    return name in given if name[:1] in "@$" else re.search(rf"\b{re.escape(name)}\b", given) is not None


def _command(before: str, words: list[tuple[str, bool]]) -> str:
    if len(words) == 1 and (not before or before.endswith(" ")):
        return f"{before}{words[0][0]}"  # a text for a shell
    said = [
        text if _PLAIN.match(text) else f"'{text}'"
        for text in (text if known else "$computed" for text, known in words)
    ]
    return " ".join([*filter(None, (before.strip(),)), *said]).replace("'$computed'", "$computed")
