"""A project's own file: it names the project and switches things off, at once, and cannot switch anything on."""

from __future__ import annotations

import os
import tomllib
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


@pytest.mark.requirement("MEM-25")
@pytest.mark.requirement("SEC-8")
@pytest.mark.parametrize("capture", ["", "capture = false\n"])
@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 2_000) + " = 1",
        "[" + ".".join(["a"] * 9_000) + "]",
        "[" + " . ".join(["'a.b'"] * 400) + "]\nx = false",
        'x = {k = """\n# """, ' + ".".join(["a"] * 2_000) + ' = 1, z = "y"}',
        "x = " + "[" * 30_000,
        "x = " + "{a=" * 20_000,
        "x = " + "9" * 60_000,
        "x = 1\n" * 60_000,
        "x = '\x00'",
    ],
)
def test_a_file_that_is_made_to_harm_says_nothing_but_that_nothing_is_recorded(
    text: str, capture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    loads = tomllib.loads

    def counted(text: str) -> object:
        asked.append(max(line.count(".") for line in text.split("\n")))
        return loads(text)

    monkeypatch.setattr("holdfast.project_file.tomllib.loads", counted)
    assert parsed((capture + text).encode()).off == ({"capture"} if capture else set())
    assert all(dots <= 16 for dots in asked)


@pytest.mark.requirement("MEM-25")
def test_dots_in_a_comment_are_no_harm() -> None:
    assert parsed(b"# " + b"." * 200 + b"\n[memory]\nbrief = false\n").off == {"memory.brief"}


@pytest.mark.requirement("MEM-25")
def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / PROJECT_FILE)
    assert ProjectFiles().at(str(tmp_path)).off == frozenset()
    (tmp_path / PROJECT_FILE).unlink()
    (tmp_path / PROJECT_FILE).symlink_to("/dev/zero")
    assert ProjectFiles().at(str(tmp_path)).off == frozenset()


@pytest.mark.requirement("MEM-25")
def test_a_file_that_says_nothing_is_not_read_again_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_times: list[bytes] = []

    def fails(data: bytes) -> None:
        read_times.append(data)
        raise RuntimeError

    monkeypatch.setattr("holdfast.project_file.toml_table", fails)
    (tmp_path / PROJECT_FILE).write_text("[broken")
    files = ProjectFiles()
    assert [files.at(str(tmp_path)).off for _ in range(3)] == [frozenset()] * 3
    assert len(read_times) == 1
