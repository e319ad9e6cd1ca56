"""Pauses: whom they concern and when, and that no process loses another's."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from holdfast.ids import ConversationId
from holdfast.pauses import FOR_EVER, UNREADABLE, Pause, PauseFile, covering, ended, words

PAUSES = (
    Pause("session", "s-1", 10, 20),
    Pause("project", "/p/.git", 30, FOR_EVER, "/p"),
    Pause("all", "", 50, 60),
)


@pytest.mark.requirement("MEM-30")
@pytest.mark.parametrize(
    ("session", "place", "at", "scope"),
    [
        ("s-1", "/q", 9, None),
        ("s-1", "/q", 10, "session"),
        ("s-1", "/q", 20, None),
        ("s-2", "/q", 15, None),
        ("s-2", "/p/.git", 29, None),
        ("s-2", "/p/.git", 99, "project"),
        ("s-2", "/q", 99, None),
        ("s-2", "/q", 55, "all"),
        ("s-2", "/p/.git", 55, "project"),
    ],
)
def test_a_pause_covers_its_time_and_nobody_else(session: str, place: str, at: int, scope: str | None) -> None:
    found = covering(PAUSES, ConversationId(session), {place}, at)
    assert (found.scope if found else None) == scope


@pytest.mark.requirement("MEM-30")
def test_an_ended_pause_keeps_its_time() -> None:
    after = ended(PAUSES, 40, lambda each: each.scope == "project")
    assert covering(after, ConversationId("s-2"), {"/p/.git"}, 39)
    assert not covering(after, ConversationId("s-2"), {"/p/.git"}, 40)
    assert after[0] == PAUSES[0]


@pytest.mark.requirement("MEM-30")
def test_several_write_and_none_is_lost(tmp_path: Path) -> None:
    def add(number: int) -> None:
        PauseFile(tmp_path / "pauses.json").add(Pause("session", f"s-{number}", number))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    file = PauseFile(tmp_path / "pauses.json")
    assert {each.target for each in file.read()} == {f"s-{number}" for number in range(12)}
    assert (tmp_path / "pauses.json").stat().st_mode & 0o077 == 0


@pytest.mark.requirement("MEM-30")
@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        '{"pauses": [{"scope": "half"}]}',
        "[1]",
        '{"pauses": [[1]]}',
        '{"pauses": ["x"]}',
        '{"pauses": [{"scope": "all", "target": "", "since": Infinity, "until": 0}]}',
        '{"pauses": [{"scope": "all", "target": "", "since": 0, "until": NaN}]}',
    ],
)
def test_a_damaged_file_records_nothing_until_a_person_says_so(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "pauses.json"
    path.write_text(damage)
    file = PauseFile(path)
    assert file.read() == (UNREADABLE,)
    assert "cannot be read" in words(UNREADABLE, str)
    file.change(lambda pauses: ended(pauses, 5, lambda each: True))
    assert file.read() == ()
