"""No trace in a SQLite file of what was removed from it, even where SQLite itself leaves one."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from holdfast.store.sqlite import traces
from holdfast.store.sqlite.connect import open_writer

WORD = "zanzibarquartz"


def churned(path: Path, seed: int) -> sqlite3.Connection:
    """A table with rows of all sizes; those with the word are changed, then removed, in no order."""
    chance = random.Random(seed)
    connection = open_writer(path)
    connection.execute("CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT)")
    connection.execute("CREATE INDEX note_text ON note (text)")
    marked = []
    for number in range(3_000):
        word = WORD if number % 3 == 0 else "harmless"
        connection.execute(
            "INSERT INTO note VALUES (?, ?)", (f"{chance.random()}", f"{word} " * chance.randrange(1, 90))
        )
        if number % 3 == 0:
            marked.append(number + 1)
    for rowid in chance.sample(marked, 300):
        connection.execute("UPDATE note SET text = ? WHERE rowid = ?", (f"{WORD}! " * chance.randrange(1, 120), rowid))
    chance.shuffle(marked)
    connection.executemany("DELETE FROM note WHERE rowid = ?", [(rowid,) for rowid in marked])
    return connection


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("always", [0, traces.ALWAYS_BYTES])
def test_what_was_removed_is_nowhere_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, always: int
) -> None:
    monkeypatch.setattr(traces, "ALWAYS_BYTES", always)
    path = tmp_path / "s.db"
    connection = churned(path, seed)
    traces.leave_no_trace(path, [WORD])
    for file in tmp_path.iterdir():
        assert WORD.encode() not in file.read_bytes(), file.name
    assert connection.execute("SELECT COUNT(*) FROM note").fetchone() == (2_000,)
    connection.execute("INSERT INTO note VALUES ('more', 'goes on')")
    connection.close()


def test_a_word_is_found_in_any_case_and_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "_CHUNK", 10)
    path = tmp_path / "file"
    path.write_bytes(b"-" * 7 + WORD.upper().encode() + b"-" * 20)
    assert traces.holds(path, ["other", WORD])
    assert not traces.holds(path, ["other"])
    assert not traces.holds(path, [])
