"""The picture of the README: how a terminal's screen becomes SVG, and that the one that is there fits everybody."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from docs.picture import TARGET, Style, drawn, pieces, shown_lines, styled


@pytest.mark.requirement("HSE-8")
def test_a_screen_becomes_a_picture() -> None:
    found, after = pieces("a\x1b[1;31mb<\x1b[0m\x1b[38;2;1;2;3mc\x1b[48;5;16md", Style())
    assert [(piece.column, piece.text, piece.style.is_bold) for piece in found] == [
        *((0, "a", False), (1, "b<", True), (3, "c", False), (4, "d", False)),
    ]
    assert (found[2].style.colour, after.ground) == ("#010203", "#000000")
    assert styled(Style(is_bold=True, is_dim=True), "22;3;7") == Style(is_italic=True, is_inverse=True)
    screen = "one\n\n\n✻ Baked for 3s\n\x1b[31m\x1b[0m\ntwo  \n\n"
    assert shown_lines(screen) == ["one", "", "two"]
    picture = drawn(["\x1b[7m & \x1b[0m", "<b>"], "A <title>")
    assert "".join(ElementTree.fromstring(picture).itertext()).split() == ["A", "<title>", "&", "<b>"]


@pytest.mark.requirement("HSE-8")
def test_the_picture_shows_a_session_and_no_machine() -> None:
    text = " ".join("".join(ElementTree.parse(TARGET).getroot().itertext()).split())
    assert "holdfast: 1 line of memory, guards on" in text
    assert "git push --force origin main" in text
    assert not re.search(r"/(tmp|root|home|work|Users|private)/", text)
