"""The status line in Claude Code's settings: ours around the one that was there, and that one alone again.

Pure: text in, text out. The other command stands inside ours, so that taking ours out needs no memory of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Container
from pathlib import Path

from holdfast.errors import Refused
from holdfast.install import jsontext
from holdfast.install.jsontext import TextEdit
from holdfast.install.settings import parse_settings

_SCRIPT = "statusline.py"


def command_for(python: Path, script: Path, home: Path, around: str = "") -> str:
    """Our command; `around` is the one whose lines stand first."""
    words = [str(python), "-I", "-S", "-E", str(script), str(home), *([around] if around else [])]
    return shlex.join(words)


def around_of(command: str, homes: Container[str] | None = None) -> str | None:
    """The command that ours stands around, '' for none; None when it is not ours, or not that of these homes."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if len(words) < 6 or words[1:4] != ["-I", "-S", "-E"] or Path(words[4]).name != _SCRIPT:
        return None
    if homes is not None and words[5] not in homes:
        return None
    return words[6] if len(words) > 6 else ""


def with_ours(text: str | None, python: Path, script: Path, home: Path, path: Path) -> str:
    """The settings with our status line. One that is there is kept inside it, with its other fields."""
    text = text if text is not None and text.strip() else "{}\n"
    root = parse_settings(text, path)
    assert root is not None
    style = jsontext.style_of(text, root)
    there = root.get("statusLine")
    if there is None:
        line = {"type": "command", "command": command_for(python, script, home)}
        piece = f'"statusLine":{style.gap}{jsontext.dump(line, style)}'
        return jsontext.apply_edits(text, [jsontext.append(text, style, root, [piece])])
    command = there.get("command") if there.kind == "object" else None
    said = command.value() if command is not None else None
    if command is None or not isinstance(said, str):
        raise Refused(f'{path}: "statusLine" is no command. Nothing was changed; take it out first.')
    before = around_of(said)
    new = command_for(python, script, home, said if before is None else before)
    return jsontext.apply_edits(text, [TextEdit(command.start, command.end, jsontext.dump(new, style))])


def without_ours(text: str, path: Path, homes: Container[str] | None = None) -> str:
    """The settings as they were: the other command alone, or none."""
    root = parse_settings(text, path)
    there = root.get("statusLine") if root is not None else None
    command = there.get("command") if there is not None and there.kind == "object" else None
    said = command.value() if command is not None else None
    before = around_of(said, homes) if isinstance(said, str) else None
    if root is None or there is None or command is None or before is None:
        return text
    if before:
        return jsontext.apply_edits(
            text, [TextEdit(command.start, command.end, jsontext.dump(before, jsontext.style_of(text, root)))]
        )
    index = next(at for at, child in enumerate(root.children) if child.node is there)
    return jsontext.apply_edits(text, jsontext.remove(root, frozenset({index}), ""))
