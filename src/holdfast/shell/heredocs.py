"""Takes the heredocs out of a command line before the grammar sees it, and finds substitutions in their bodies.

tree-sitter-bash 0.25 misreads `cat <<EOF > f; rm x` (the `rm` becomes a file name), two heredocs on a line, and
`cat > f <<< x`. So each becomes a plain `< MARK`, and the body is kept beside. One pass, no recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.shell.script import Heredoc

MARK = "\ue000"
"""Stands around a heredoc's number; not left in any text that comes from outside."""
HERE = "\ue001"
"""Stands before the word of a here-string."""
MOST_STEPS = 40_000
_CODE = frozenset({"cmd", "$(", "`", "(s"})
"""The frames in which commands stand; `(s` is a subshell, which is read with the line around it."""
_TAG = re.compile(r"""(?:\\.|'[^'\n]*'|"(?:\\.|[^"\\\n])*"|[^\s;&|<>()'"\\])+""")
_ANSI = re.compile(r"\$'(?:[^'\\]|\\.)*+'?", re.DOTALL)
"""`$'it\'s'`: here, and only here, a backslash hides a single quote."""
_BLANK = re.compile(r"[ \t]*")
_PLAIN = re.compile(r"[^'\"\\$`()#<}\n]+")


@dataclass(slots=True)
class _Pending:
    number: int
    tag: str
    quoted: bool
    tabs: bool
    depth: int
    """How deep in substitutions it was begun: its body stands behind the line of that substitution."""


def _depth(frames: list[str]) -> int:
    return sum(frame != "(s" for frame in frames)


def lift(text: str) -> tuple[str, tuple[Heredoc, ...]]:
    """The text with `<MARKnMARK` in place of heredocs, and the heredocs by number. Behind so many steps that the text
    before is longer than what is read of a line, it stays as it is."""
    text = text.replace(MARK, "?").replace(HERE, "?")
    if "<<" not in text:
        return text, ()
    out: list[str] = []
    found: list[Heredoc] = []
    pending: list[_Pending] = []
    frames = ["cmd"]
    at, end, steps = 0, len(text), 0
    while at < end:
        if steps > MOST_STEPS:
            out.append(text[at:])
            break
        steps += 1
        if plain := _PLAIN.match(text, at):
            out.append(plain.group())
            at = plain.end()
            continue
        char, top = text[at], frames[-1]
        step = 1
        if char == "\\":
            step = 2
        elif char == "\n" and pending and top in _CODE and pending[-1].depth >= _depth(frames):
            out.append("\n")
            at = _bodies(text, at + 1, pending, found, frames)
            continue
        elif char == "<" and top in _CODE and text.startswith("<<<", at):
            out.append("<" + HERE)
            blank = _BLANK.match(text, at + 3)
            at = blank.end() if blank else at + 3
            continue
        elif char == "<" and top in _CODE and text.startswith("<<", at):
            tabs = text.startswith("<<-", at)
            start = at + (3 if tabs else 2)
            blank = _BLANK.match(text, start)
            tag = _TAG.match(text, blank.end() if blank else start)
            if tag:
                number = len(found) + len(pending)
                raw = tag.group()
                pending.append(_Pending(number, _unquoted(raw), any(c in raw for c in "'\"\\"), tabs, _depth(frames)))
                out.append(f"<{MARK}{number}{MARK}")
                at = tag.end()
                continue
            step = 2
        else:
            step = _advance(text, at, frames)
        out.append(text[at : at + step])
        at += step
    for entry in pending:
        found.append(Heredoc(entry.tag, "", entry.quoted, closed=False, number=entry.number))
    found.sort(key=lambda entry: entry.number)
    return "".join(out), tuple(found)


def _advance(text: str, at: int, frames: list[str]) -> int:
    """Follows quotes and substitutions by one step; the frames say what we stand in."""
    char, top = text[at], frames[-1]
    if char == "$" and top in _CODE and (quoted := _ANSI.match(text, at)):
        return len(quoted.group())
    if char == "'" and (top in _CODE or (top == "${" and '"' not in frames)):
        close = text.find("'", at + 1)
        return (close - at + 1) if close >= 0 else len(text) - at
    if char == '"':
        if top == '"':
            frames.pop()
        elif top in _CODE or top == "${":
            frames.append('"')
        return 1
    if text.startswith("${", at):
        frames.append("${")
        return 2
    if char == "}" and top == "${":
        frames.pop()
        return 1
    if char == "$" and text.startswith("$((", at):
        frames.append("((")
        return 3
    if char == "$" and text.startswith("$(", at):
        frames.append("$(")
        return 2
    if char == "`":
        if top == "`":
            frames.pop()
        else:
            frames.append("`")
        return 1
    return _brackets(text, at, frames)


def _brackets(text: str, at: int, frames: list[str]) -> int:
    char, top = text[at], frames[-1]
    if char == "(":
        if top in _CODE and text.startswith("((", at):
            frames.append("((")
            return 2
        if top in _CODE:
            frames.append("$(" if text[at - 1 : at] in ("<", ">") else "(s")
        elif top in ("((", "(a"):
            frames.append("(a")
    elif char == ")":
        if top in ("$(", "(s", "(a"):
            frames.pop()
        elif top == "((":
            frames.pop()
            return 2 if text.startswith("))", at) else 1
    elif char == "#" and top in _CODE and (at == 0 or text[at - 1] in " \t\n;&|("):
        line = text.find("\n", at)
        return (line if line >= 0 else len(text)) - at
    return 1


def _bodies(text: str, at: int, pending: list[_Pending], found: list[Heredoc], frames: list[str]) -> int:
    """Reads the bodies that begin on this line, in order; returns where the commands go on. In `$(…)` a line that
    begins with the word and closes the bracket ends a body, too: `$(cat <<EOF … EOF)`."""
    end = len(text)
    depth = _depth(frames)
    while pending and pending[-1].depth >= depth:
        first = next(place for place, entry in enumerate(pending) if entry.depth >= depth)
        entry = pending.pop(first)
        tabs = r"\t*" if entry.tabs else ""
        closed = r"|(?=[^\n)]*\))" if frames[-1] == "$(" else ""
        stop = re.compile(rf"^{tabs}{re.escape(entry.tag)}(?:$\n?{closed})", re.MULTILINE).search(text, at)
        body = text[at : stop.start() if stop else end]
        if entry.tabs:
            body = _TABS.sub("", body)
        if body and not body.endswith("\n"):
            body += "\n"
        at = stop.end() if stop else end
        found.append(Heredoc(entry.tag, body, entry.quoted, stop is not None, entry.number))
    return at


_TABS = re.compile(r"^\t+", re.MULTILINE)


def _unquoted(raw: str) -> str:
    return re.sub(r"\\(.)", r"\1", raw.replace("'", "").replace('"', ""))


_NO_SIGN = re.compile(r"[^\\$`]+")


def substitutions(body: str) -> tuple[str, ...]:
    """The commands that an unquoted heredoc's body runs: what stands in its `$(…)` and backquotes."""
    found: list[str] = []
    frames = ['"']
    at, end, start = 0, len(body), 0
    while at < end:
        if len(frames) == 1 and (plain := _NO_SIGN.match(body, at)):
            at = plain.end()
            continue
        char = body[at]
        if char == "\\":
            at += 2
            continue
        if len(frames) == 1 and char == '"':
            at += 1
            continue
        depth = len(frames)
        step = _advance(body, at, frames)
        if depth == 1 and len(frames) == 2:
            start = at + step
        elif depth == 2 and len(frames) == 1 and char in ")`" and body[start - 2 : start] != "((":
            found.append(body[start:at])
        at += step
    return tuple(found)
