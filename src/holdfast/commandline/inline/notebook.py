"""What a cell of a notebook hands to a shell: `!rm -rf x`, `%system …`, `%%bash`, `get_ipython().system(…)`. Pure;
linear."""

from __future__ import annotations

from holdfast.patterns import lazy_pattern

_CELL = lazy_pattern(
    r"\s{0,200}%%(?:bash|sh|zsh|system|script[ ]{1,9}(?:\S{0,80}/)?(?:ba|z|da)?sh)\b[^\n]{0,400}(?:\n|\Z)"
)
_LINE = lazy_pattern(
    r"(?m)^[ \t]{0,200}(?:[\w, ]{1,80}=[ ]{0,9})?(?:!{1,2}|%(?:system|sx|sh|bash)\b)[ ]{0,9}(?!=)([^\n]{1,8000})$"
)
_CALLED = lazy_pattern(
    r"get_ipython\(\)\.(?:system(?:_raw|_piped)?|getoutput|run_line_magic\(\s{0,9}['\"](?:system|sx)['\"]\s{0,9},)"
    r"\s{0,9}\(?\s{0,9}(?:'([^'\n]{1,8000})'|\"([^\"\n]{1,8000})\")"
)


def apart(text: str) -> tuple[list[str], str]:
    """The commands of a cell, and the program without them."""
    if "%" not in text and "!" not in text and "get_ipython" not in text:
        return [], text
    if (cell := _CELL.match(text)) is not None:
        return [text[cell.end() :]], ""
    found = [single or double for single, double in _CALLED.findall(text)]
    return [*_LINE.findall(text), *found], _LINE.sub("pass", text)
