"""Reads characters that are written in another way: as an entity, an escape of a language, percent signs, full-width or
mathematical letters, with characters between them that nobody sees; also when one way is wrapped in another.

Standard library only, and the two large tables are loaded when a text asks for them: the command client reads so too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from holdfast.patterns import lazy_pattern

LAYERS = 5
"""How often one way may be wrapped in another, and backslashes doubled."""
HIDDEN = (
    "\x00\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
# Blocks with characters that stand for one of ASCII: super- and subscript, script, Roman numbers, circled, wide, bold.
_ALIKE = (
    "\u00aa\u00ba\u02b0-\u02b8\u1d2c-\u1d6a\u2070-\u209c\u2100-\u214f\u2160-\u217f\u24b6-\u24e9\ufe60-\ufe6b\uff01-\uff5e"
    "\U0001d400-\U0001d7ff\U0001f130-\U0001f149"
)
_HEX = "[0-9a-fA-F]"
# A byte of UTF-8 behind the first: `%BC`, `\xbc`, `\274`.
_BYTE = rf"(?:%(?:25)*[89abAB]{_HEX}|\\(?:x[89abAB]{_HEX}|2[0-7]{{2}}))"
# The first character is looked for by itself, which is quick; what stands behind it decides.
_UNIT = lazy_pattern(
    rf"[&%\\{HIDDEN}{_ALIKE}](?:"
    rf"(?<=[{HIDDEN}])(?P<hidden>)"
    rf"|(?<=[{_ALIKE}])(?P<alike>)"
    r"|(?<=&)(?:amp;)*(?:\#(?P<decimal>0*[0-9]{1,7});?|\#[xX](?P<entity>0*[0-9a-fA-F]{1,6});?"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]{1,31}(?=;)|[lL][tT]|[gG][tT]|amp|AMP|nbsp|shy|sol);?)"
    rf"|(?<=%)(?:25)*(?:(?P<percent>[0-7]{_HEX}|u{_HEX}{{4}})"
    rf"|(?P<bytes>[c-fC-F]{_HEX}{_BYTE}{{1,3}})|(?P<latin>[89aA]{_HEX}))"
    r"|(?<=\\)(?:u++(?:\{(?P<braces>0*[0-9a-fA-F]{1,6})\}"
    rf"|(?P<pair>[dD][89abAB]{_HEX}{{2}}\\u++[dD][c-fC-F]{_HEX}{{2}})|(?P<four>{_HEX}{{4}}))"
    rf"|U(?P<eight>00(?:0{_HEX}|10){_HEX}{{4}})|N\{{(?P<called>[A-Za-z0-9 -]{{2,60}})\}}"
    rf"|(?P<escaped>(?:x[c-fC-F]{_HEX}|3[0-7]{{2}}){_BYTE}{{1,3}})"
    rf"|x(?:\{{(?P<wide>0*[0-9a-fA-F]{{1,6}})\}}|(?P<two>{_HEX}{{2}}))"
    r"|(?P<octal>0[01][0-7]{2}|[01]?[0-7]{2})|(?P<blank>[nrtvf])|(?P<nul>0)|(?P<itself>[\\<>/piPI]))"
    r")"
)
_BYTES = lazy_pattern(r"(?:%(?:25)*|x)([0-9a-fA-F]{2})|([23][0-7]{2})")
_UNSEEN = lazy_pattern(f"[{HIDDEN}]")


class Layer(NamedTuple):
    """A text with its oddly written characters as themselves, and where its pieces lie in the text as it is written."""

    text: str
    starts: list[int]
    places: list[int]

    def place(self, at: int) -> int:
        index = bisect_right(self.starts, at) - 1
        return self.places[index] + at - self.starts[index]


class Meant(NamedTuple):
    """A text as it is meant."""

    text: str
    layers: tuple[Layer, ...] = ()

    def place(self, at: int) -> int:
        """Where a place of it lies in the text as it is written."""
        for layer in reversed(self.layers):
            at = layer.place(at)
        return at


def meant(text: str) -> Meant:
    """The text as a reader of any of these ways reads it. Linear: every layer is one pass."""
    layers: list[Layer] = []
    while len(layers) < LAYERS and (layer := _layer(text)) is not None:
        layers.append(layer)
        text = layer.text
    return Meant(text, tuple(layers))


def _layer(text: str) -> Layer | None:
    """One way undone; None when there is nothing to undo."""
    parts: list[str] = []
    starts, places = [0], [0]
    at = size = 0
    for unit in _UNIT.finditer(text):
        char = _character(unit)
        if char is None:
            continue
        parts += [text[at : unit.start()], char]
        size += unit.start() - at
        if char:
            starts.append(size)
            places.append(unit.start())
        size += len(char)
        at = unit.end()
        starts.append(size)
        places.append(at)
    if not parts:
        return None
    parts.append(text[at:])
    return Layer("".join(parts), starts, places)


def _character(unit: re.Match[str]) -> str | None:
    """What one unit stands for: nothing when nobody sees it, None when it stands for nothing that is plain ASCII."""
    kind = unit.lastgroup
    if kind in ("hidden", "nul"):
        return ""
    if kind == "blank":
        return " "
    if kind == "itself":
        return unit["itself"]
    return _ascii(_written(unit, kind or ""))


def _written(unit: re.Match[str], kind: str) -> str:
    """The character that a unit names; '' when there is no such character."""
    digits = unit[kind]
    if kind == "alike":
        return unit[0]
    if kind in ("name", "called"):
        return _named(digits, kind)
    if kind in ("bytes", "escaped"):
        codes = bytes(int(two, 16) if two else int(three, 8) for two, three in _BYTES.findall(unit[0]))
        return codes.decode("utf-8", "ignore")
    if kind == "pair":
        high, low = int(digits[:4], 16), int(digits[-4:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
    code = int(digits.lstrip("u0") or "0", {"decimal": 10, "octal": 8}.get(kind, 16))
    return chr(code) if code < 0x110000 else ""


def _named(name: str, kind: str) -> str:
    if kind == "called":
        import unicodedata

        try:
            return unicodedata.lookup(name)
        except KeyError:
            return ""
    if name == "sol":
        return "/"
    from html.entities import html5

    return html5.get(f"{name};", html5.get(name, "")) or {"lt": "<", "gt": ">"}.get(name.lower(), "")


def _ascii(char: str) -> str | None:
    """The character of ASCII that this one stands for; '' when nobody sees it, None when there is none."""
    if len(char) != 1:
        return None
    if _UNSEEN.match(char):
        return ""
    if char.isspace() and not "\x1c" <= char <= "\x1f":
        return " "
    if char >= "\x80":
        import unicodedata

        char = unicodedata.normalize("NFKC", char)
    return char if len(char) == 1 and " " < char < "\x7f" else None
