"""What a shell does to a line before it has words: joined lines, extended patterns, a command in braces. Pure."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.shell.parse import comments_ended

_JOINED = lazy_pattern(r"(?<=[^\s\\])\\\n(?=\S)")
"""A line break behind a backslash inside a word: the shell drops both."""
_EXTENDED = lazy_pattern(
    r"""\\.|'[^']*'|"(?:[^"\\]|\\.)*"|((?<=[^\s;&|(){}])!|(?<=[^\s;&|(){}]\s)!(?=\(\S*\)(?:[\s;&|)]|\Z))|[@+*?])"""
    r"""\(((?:[^()'"\n]|\([^()\n]*\))*)\)""",
    re.DOTALL,
)
"""Quoted text, which stays, or an extended pattern: `./!(src)`, `@(a|b)`. The grammar ends the word at the bracket."""
_BLANK = lazy_pattern(r"\$\{IFS(?:[:%#@][^}]{0,40})?\}(?:\$\d)?|\$IFS(?:\$\d|(?!\w))")
"""A blank that is written as a variable: `rm${IFS}-rf`, `rm$IFS$9-rf`."""
_HEREDOC = lazy_pattern(r"(?<!<)<<(?!<)")
_BRACED = lazy_pattern(r"(?:(?<=[;&|(]\s)|(?<=[;&|(\n])|\A\s*)\{([^\s{},]+(?:,[^\s{},]+)+)\}(?=[\s;&|)]|\Z)")
"""A whole command in braces: `{git,reset,--hard}`. The grammar takes it for a group."""

_BEFORE_COMPOUND = lazy_pattern(
    r"(?:(?<=[;&|({]\s)|(?<=[;&|(\n])|\A\s{0,20})(?:time(?:\s{1,5}-p)?|coproc(?:\s{1,5}[A-Z]\w{0,40})?)\s{1,5}"
    r"(?=[{(]|(?:for|while|until|if|case|select)\s)"
)
"""A word of the shell before a group or a loop: `time { a; b; }`. The grammar takes it for a program with arguments."""


def plain(text: str) -> str:
    """A line in a spelling that the grammar reads as a shell does."""
    text = _JOINED.sub("", _comments_ended(text.replace("\0", "")))
    text = _BLANK.sub(" ", text) if "IFS" in text else text
    text = _BRACED.sub(lambda match: match[1].replace(",", " "), text) if "{" in text else text
    text = _BEFORE_COMPOUND.sub("", text) if "time" in text or "coproc" in text else text
    return _without_extended_patterns(text)


def _comments_ended(text: str) -> str:
    """Comments end with their line, also behind a backslash. Heredocs stay as they are."""
    if "#" not in text or "\\\n" not in text:
        return text
    heredoc = _HEREDOC.search(text)
    end = heredoc.start() if heredoc else len(text)
    return comments_ended(text[:end]) + text[end:]


def _without_extended_patterns(text: str) -> str:
    """Extended patterns as plain ones: `@(a|b)` is `{a,b}`; what is left out by `!(x)` is not, so it is `*`.

    Heredocs stay as they are."""
    if "(" not in text or not any(sign in text for sign in ("!(", "@(", "+(", "*(", "?(")):
        return text
    heredoc = _HEREDOC.search(text)
    end = heredoc.start() if heredoc else len(text)

    def plain(match: re.Match[str]) -> str:
        sign, inside = match[1], match[2]
        if not sign:
            return match[0]
        if sign not in "@?" or not re.fullmatch(r"[\w.*?\[\]/|-]*", inside):
            return "*"
        choices = inside.split("|") + ([""] if sign == "?" else [])
        return f"{{{','.join(choices)}}}" if len(choices) > 1 else inside

    return _EXTENDED.sub(plain, text[:end]) + text[end:]
