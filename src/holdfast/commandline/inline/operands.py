"""The words of one call in a Node, Ruby, Perl or PHP program: texts, lists, and names of them. Pure; linear.

`unlink "a", "b"`, `FileUtils.rm(["a", "b"])`, `fs.copyFileSync(from, to)`. What is neither counts as not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.patterns import lazy_pattern

Operand = tuple[str, bool]
"""A text, and whether it is known."""

_MOST = 32
_TOKEN = lazy_pattern(
    r"\s*(?:'((?:[^'\\\n]|\\.){0,1000})'|\"((?:[^\"\\\n]|\\.){0,1000})\"|`([^`\\$\n]{0,1000})`|"
    r"([$@]?[A-Za-z_]\w{0,60}(?:(?:\.|->|::)\w{1,60}|\[[^\[\]\n]{0,60}\]|\{[^{}\n]{0,60}\}){0,4})(\s*[(:](?!:)|\s*=>)?|([\[(,\\*]|=>)|(\]))"
)
_ENDS = frozenset({"if", "unless", "for", "foreach", "or", "and", "while", "until", "do", "end", "then"})
_JOINS = lazy_pattern(r"\s*(?:\+|\.(?![.\w])|<<|%)|\.\w")
_LIST = r"(?<![\w.]){name}\s*=\s*(?:array)?[\[(]((?:[^\[\]()\n]){{0,1000}})[\])]"
_SET = r"(?<![\w.]){name}\s*=(?![=~>])\s*(?:'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`\\$]*)`)"
_PAIR = lazy_pattern(
    r"(?<![\w$.])([$\w]{1,60}(?:\s?,\s?[$\w]{1,60}){1,8})\s*[\])]?\s*=(?!=)\s*[\[(]?([^\[\]();\n]{1,1000})"
)
_INTERPOLATED = lazy_pattern(r"#\{|\$\{|\{\$|\$\w")


def operands(text: str, at: int, kind: str) -> Iterator[Operand]:
    """The words that stand at this place of a program, up to the end of the call."""
    expects = True
    for _ in range(4 * _MOST):
        found = _TOKEN.match(text, at)
        if found is None:
            return
        at = found.end()
        single, double, back, name, behind, sign, closes = found.groups()
        if sign is not None:
            expects = True
            continue
        if closes is not None:
            continue
        if not expects or (name is not None and name in _ENDS):
            return
        expects = False
        said = single if single is not None else double if double is not None else back
        if said is not None:
            computed = single is None and kind in ("perl", "php", "ruby") and _INTERPOLATED.search(said)
            yield said, not (computed or _JOINS.match(text, at))
        elif behind is not None:
            if behind.strip() in (":", "=>"):
                return  # an option, not a file
            yield name, False
            return
        else:
            yield from _held(name, text)


def _held(name: str, text: str) -> Iterator[Operand]:
    """What a name was set to: one text, or a list of them."""
    if re.fullmatch(r"[$@]?\w+", name):
        plain = re.escape(name)
        for match in _PAIR.finditer(text):  # `const [a, b] = ['x', 'y']`
            names = [each.strip() for each in match[1].split(",")]
            items = list(_texts(match[2]))
            if name in names and len(items) == len(names):
                yield items[names.index(name)], True
                return
        if (one := re.search(_SET.format(name=plain), text)) is not None:
            yield next(group for group in one.groups() if group is not None), True
            return
        if (many := re.search(_LIST.format(name=plain), text)) is not None:
            items = list(_texts(many[1]))
            if items:
                yield from ((each, True) for each in items)
                return
    yield name, False


_ITEM = lazy_pattern(r"'([^'\n]*)'|\"([^\"\n]*)\"")


def _texts(items: str) -> Iterator[str]:
    yield from (a or b for a, b in _ITEM.findall(items)[:_MOST])
