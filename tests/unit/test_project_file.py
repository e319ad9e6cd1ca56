"""A project's own file: it names the project and switches things off, at once, and cannot switch anything on."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.project_file import PROJECT_FILE, ProjectFiles, parsed, read


@pytest.mark.requirement("MEM-25")
@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("", set()),
        ("[memory]\nbrief = false\nrecall = true\n", {"memory.brief"}),
        ("capture = false", {"capture"}),
        ("capture = true", set()),
        ('capture = "no"', {"capture"}),
        ("capture = 0", {"capture"}),
        ("capture = flase", {"capture"}),
        ("  capture = false\n[broken", {"capture"}),
        ("[broken", set()),
    ],
)
def test_what_a_file_switches_off(text: str, off: set[str]) -> None:
    assert parsed(text.encode()).off == off


@pytest.mark.requirement("MEM-25")
def test_a_change_of_the_file_counts_at_once(tmp_path: Path) -> None:
    files = ProjectFiles()
    assert files.at(str(tmp_path)).off == frozenset()
    (tmp_path / PROJECT_FILE).write_text("capture = false\n")
    assert not files.at(str(tmp_path)).captures
    (tmp_path / PROJECT_FILE).write_text("capture = true \n")
    assert files.at(str(tmp_path)).captures
    (tmp_path / PROJECT_FILE).unlink()
    assert files.at(str(tmp_path)).captures
    assert read(str(tmp_path)).changed_at > 0
