"""A copy that holds a forgotten text is found, however the text is written in it."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from holdfast.store.copies import holds
from holdfast.store.sqlite.connect import open_writer
from holdfast.upkeep.sweep import sought
from holdfast.upkeep.traces import Traces

FOUND = [
    ("C:\\new\\reports", "C:\\new\\reports"),
    ("see C:\\temp now", "C:\\temp now"),
    ("a pattern \\nfoo of mine", "\\nfoo of"),
    ("first line\nsecond", "line second"),
    ("first line\r\nsecond", "line  second"),
    ("a\ttab", "a tab"),
    ("plain words", "Plain WORDS"),
]


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("depth", [0, 1, 2], ids=["plain", "json", "json in json"])
@pytest.mark.parametrize("ending", ["db", "jsonl"])
@pytest.mark.parametrize(("said", "text"), FOUND)
def test_a_text_is_found_in_a_copy(tmp_path: Path, said: str, text: str, ending: str, depth: int) -> None:
    for _ in range(depth):
        said = json.dumps({"said": said})
    path = copied(tmp_path / f"copy.{ending}", said)
    assert holds(path, {}, sought(Traces(text=text)))


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("ending", ["db", "jsonl"])
@pytest.mark.parametrize(("said", "text"), [("C:\\old", "C:\\new"), ("first\nthird", "first second")])
def test_another_text_is_not(tmp_path: Path, said: str, text: str, ending: str) -> None:
    assert not holds(copied(tmp_path / f"copy.{ending}", said), {}, sought(Traces(text=text)))


def copied(path: Path, said: str) -> Path:
    if path.suffix == ".jsonl":
        rows = [{"table": "note", "columns": ["id", "text"]}, ["one", said]]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path
    with closing(open_writer(path)) as connection:
        connection.execute("CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT)")
        connection.execute("INSERT INTO note VALUES ('one', ?)", (said,))
        connection.commit()
    return path
