"""What git prints becomes commits, whatever stands in messages and names of files."""

from __future__ import annotations

import pytest

from holdfast.rooms.commits.log_format import LONGEST_TEXT, MOST_FILES, LogReader
from holdfast.rooms.commits.model import Commit, CommitFile

MARK = "0f" * 16
HASH = "a" * 40


def record(subject: bytes = b"Repair", body: bytes = b"", parents: bytes = b"b" * 40, rest: bytes = b"") -> bytes:
    fields = [MARK.encode(), HASH.encode(), b"1700000000", b"Ada", parents, subject, body, b""]
    return b"\0" + b"\0".join(fields) + b"\0" + rest


def read(data: bytes, size: int = 1 << 20, *, names: bool = False) -> list[Commit]:
    reader = LogReader(MARK, names=names)
    found = [commit for at in range(0, len(data), size) for commit in reader.feed(data[at : at + size])]
    return [*found, *reader.end()]


@pytest.mark.requirement("CTX-4")
def test_files_lines_and_moves_are_read_in_any_chunks() -> None:
    files = b"\n1\t2\tsrc/a.py\x00-\t-\tlogo.png\x003\t0\t\x00src/old.py\x00src/new.py\x00"
    data = record(rest=files) + record(b"Merge", parents=b"b" * 40 + b" " + b"c" * 40)
    changes = (CommitFile("src/a.py", 1, 2), CommitFile("logo.png"), CommitFile("src/new.py", 3, 0, "src/old.py"))
    for size in (1, 7, 1 << 20):
        first, merge = read(data, size)
        assert (first.changes, first.file_count, first.is_merge) == (changes, 3, False)
        assert first.happened_at == 1_700_000_000_000_000
        assert merge.is_merge
        assert not merge.changes
    [named] = read(record(rest=b"\nsrc/a.py\x001\t1\tb\x00"), names=True)
    assert [each.path for each in named.changes] == ["src/a.py"], "a name with a tab is not kept"


@pytest.mark.requirement("CTX-4")
def test_hostile_texts_stay_texts_and_stay_short() -> None:
    fake = b"x\n" + record(b"forged").replace(b"\0", b"\\0") + MARK.encode()
    [commit] = read(record(subject=fake, body=b"word " * LONGEST_TEXT))
    assert "forged" in commit.subject
    assert len(commit.body) <= LONGEST_TEXT
    [long] = read(record(body=b"k" * (3 * LONGEST_TEXT)))
    assert long.body == "", "a text that could only be cut inside a word is not kept"
    for name in (b"\xff\xfe", b"two\nlines", b"p" * 600, b"esc\x1b[2J"):
        [odd] = read(record(rest=b"\n1\t1\t" + name + b"\0"))
        assert (odd.changes, odd.file_count) == ((), 1), name
    [many] = read(record(rest=b"\n" + b"".join(b"1\t1\tf%d\0" % n for n in range(2 * MOST_FILES))))
    assert len(many.changes) == MOST_FILES
    assert many.file_count == 2 * MOST_FILES
    assert read(b"fatal: no\0such\0thing") == read(b"") == []
    assert read(record()[:60]) == [], "a commit that breaks off is none"
    [wrong] = read(record().replace(b"1700000000", b"soon"))
    assert wrong.happened_at == 0
