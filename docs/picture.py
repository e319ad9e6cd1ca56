"""Makes docs/picture.svg: the real Claude Code in a terminal, with holdfast behind its hooks.

`python -m docs.picture` plays a short session against the scripted API of the tests, reads the screen of tmux with its
colours, and draws it. What the client says at random or measures (how long a turn took) is left out, and the folders
are the made-up user's, so that the same session gives the same picture.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

TARGET = Path(__file__).with_name("picture.svg")
WIDTH, HEIGHT = 96, 34
_CELL, _LINE, _EDGE, _BAR = 8.4, 18, 16, 30
_GROUND, _TEXT = "#1c1e26", "#d5d8da"
_COLOURS = (
    *("#2e303e", "#e95678", "#29d398", "#fab795", "#26bbd9", "#ee64ac", "#59e1e3", "#d5d8da"),
    *("#6c6f93", "#ec6a88", "#3fdaa4", "#fbc3a7", "#3fc6de", "#f075b7", "#6be4e6", "#ffffff"),
)
_ESCAPE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[A-Za-z]")
_LEFT_OUT = re.compile(
    r"^\s*(?:[✻✶✳✢✽·*] \S+ for |\? for shortcuts|.*(?:Tip:|What's new|/release-notes|esc to interrupt))"
)


_DRAWING = re.compile(r"^(?:\x1b\[[0-9;:]*m| )*[\u2580-\u259f](?:\x1b\[[0-9;:]*m|[ \u2580-\u259f])*")
"""The client's little figure, which moves."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a piece of text looks."""

    colour: str = _TEXT
    ground: str = ""
    is_bold: bool = False
    is_dim: bool = False
    is_italic: bool = False
    is_inverse: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one style, and the column where it begins."""

    column: int
    text: str
    style: Style


def pieces(line: str, style: Style) -> tuple[list[Piece], Style]:
    """A line of the terminal as pieces, and the style with which the next line begins."""
    found: list[Piece] = []
    column = at = 0
    for escape_code in [*_ESCAPE.finditer(line), None]:
        end = len(line) if escape_code is None else escape_code.start()
        text = line[at:end]
        if text:
            found.append(Piece(column, text, style))
            column += len(text)
        if escape_code is not None:
            at = escape_code.end()
            if escape_code[1] is not None:
                style = styled(style, escape_code[1])
    return found, style


def styled(style: Style, codes: str) -> Style:
    """The style after one escape of the kind `ESC [ … m`."""
    numbers = iter([int(code or 0) for code in re.split("[;:]", codes)])
    for number in numbers:
        match number:
            case 0:
                style = Style()
            case 1:
                style = replace(style, is_bold=True)
            case 2:
                style = replace(style, is_dim=True)
            case 3:
                style = replace(style, is_italic=True)
            case 7:
                style = replace(style, is_inverse=True)
            case 22:
                style = replace(style, is_bold=False, is_dim=False)
            case 23:
                style = replace(style, is_italic=False)
            case 27:
                style = replace(style, is_inverse=False)
            case 38:
                style = replace(style, colour=_further(numbers))
            case 48:
                style = replace(style, ground=_further(numbers))
            case 39:
                style = replace(style, colour=_TEXT)
            case 49:
                style = replace(style, ground="")
            case _ if 30 <= number <= 37 or 90 <= number <= 97:
                style = replace(style, colour=_COLOURS[number - 30 if number < 90 else number - 82])
            case _ if 40 <= number <= 47 or 100 <= number <= 107:
                style = replace(style, ground=_COLOURS[number - 40 if number < 100 else number - 92])
    return style


def _further(numbers: Iterator[int]) -> str:
    """`5;N` of the 256 colours, or `2;R;G;B`."""
    if next(numbers, 5) == 2:
        return "#{:02x}{:02x}{:02x}".format(*(min(255, next(numbers, 0)) for _ in range(3)))
    number = next(numbers, 7)
    if number < 16:
        return _COLOURS[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (min(number, 255) - 232):02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    number -= 16
    return f"#{levels[number // 36]:02x}{levels[number // 6 % 6]:02x}{levels[number % 6]:02x}"


def drawn(lines: Sequence[str], title: str) -> str:
    """The screen as SVG."""
    width = round(WIDTH * _CELL + 2 * _EDGE)
    height = _BAR + len(lines) * _LINE + _EDGE
    style = Style()
    body = []
    for number, line in enumerate(lines):
        found, style = pieces(line, style)
        body += [_piece(piece, _BAR + number * _LINE) for piece in found]
    dots = "".join(f'<circle cx="{20 + 18 * at}" cy="15" r="5" fill="{_COLOURS[at + 1]}"/>' for at in range(3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{_GROUND}"/>{dots}\n'
        f'<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">\n'
        + "\n".join(filter(None, body))
        + "\n</g>\n</svg>\n"
    )


def _piece(piece: Piece, top: int) -> str:
    style = piece.style
    colour, ground = (style.ground or _GROUND, style.colour) if style.is_inverse else (style.colour, style.ground)
    x, length = _EDGE + piece.column * _CELL, len(piece.text) * _CELL
    under = f'<rect x="{x:.1f}" y="{top}" width="{length:.1f}" height="{_LINE}" fill="{ground}"/>' if ground else ""
    if not piece.text.strip():
        return under
    looks = f' fill="{colour}"'
    looks += ' font-weight="bold"' if style.is_bold else ""
    looks += ' font-style="italic"' if style.is_italic else ""
    looks += ' opacity="0.65"' if style.is_dim else ""
    text = f'<text x="{x:.1f}" y="{top + 13}" textLength="{length:.1f}"{looks}>{escape(piece.text)}</text>'
    return under + text


def shown_lines(screen: str) -> list[str]:
    """The lines that are worth a picture: without what is said at random, and no two empty ones in a row."""
    lines: list[str] = []
    for line in screen.splitlines():
        plain = _ESCAPE.sub("", line)
        if _LEFT_OUT.match(plain) or (not plain.strip() and lines and not _ESCAPE.sub("", lines[-1]).strip()):
            continue
        still = _DRAWING.sub(lambda found: "".join(each[0] for each in _ESCAPE.finditer(found[0])), line)
        if plain.lstrip("● ").startswith("Push"):
            still = still.replace("●", " ")  # it blinks while the tool waits
        lines.append(still.rstrip().replace("⎿", "└"))  # the first is in few fonts
    while lines and not _ESCAPE.sub("", lines[-1]).strip():
        lines.pop()
    return lines


def played(root: Path) -> str:
    """Play the session; the screen at its end, with its colours."""
    from tests.client.bed.api import Api
    from tests.client.bed.claude import Claude
    from tests.client.bed.script import Say, Use
    from tests.client.bed.tui import Tui
    from tests.client.held import install
    from tests.support.daemon import DaemonHome

    with Api() as api:
        claude = Claude(root, api.url, git=False)
        claude.project = claude.home / "website"
        claude.project.mkdir()
        claude._write_state()
        claude._make_repository()
        daemon = DaemonHome()
        tui = Tui(claude, api, width=WIDTH, height=HEIGHT)
        try:
            daemon.start()
            install(claude, daemon)
            kept = {"text": "Five retries with jitter: the payment API drops bursts.", "by": "user"}
            here = {"X-Holdfast-Cwd": str(claude.project)}
            daemon.request("POST", "/api/tools/remember", json.dumps(kept).encode(), here)
            api.script(
                Say("Five, with jitter: you decided that earlier, because the payment API drops bursts."),
                Use("Bash", {"command": "git push --force origin main", "description": "Push the branch"}),
            )
            tui.start()
            tui.ask("How many retries does the payment client make?")
            tui.submit("Push it.")
            tui.wait_for("Do you want to proceed?")
            return tui._tmux("capture-pane", "-t", ":0", "-p", "-e")
        finally:
            tui.close()
            daemon.remove()
            claude.close()


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="picture-") as folder:
        screen = played(Path(folder))
        if folder in screen:
            print("The screen names a folder of this machine; nothing was written.", file=sys.stderr)
            return 1
    TARGET.write_text(
        drawn(shown_lines(screen), "Claude Code with holdfast: a recall, and a command that is held back")
    )
    print(f"wrote {TARGET.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
