"""The spool: whole files or none, the owner's alone, in order of time, nothing thrown away (EVT-8, SEC-2)."""

from __future__ import annotations

import json
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import spool
from holdfast.ids import new_id
from holdfast.spool import Spooled


def item(at: int = 5) -> Spooled:
    return Spooled(new_id(), "Stop", at, {"a": "ü\ud800"})


@pytest.fixture
def loose_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.requirement("EVT-8")
def test_what_is_put_is_taken_back(tmp_path: Path) -> None:
    put = item()
    assert spool.take(spool.put(tmp_path / "spool", put)) == put


@pytest.mark.requirement("SEC-2")
@pytest.mark.usefixtures("loose_umask")
def test_folder_and_files_are_the_owners_alone_also_under_a_loose_umask(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    path = spool.put(folder, item())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(spool.set_aside(path).parent.stat().st_mode) == 0o700


@pytest.mark.requirement("SEC-2")
def test_a_folder_that_was_open_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    spool.put(folder, item())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.requirement("EVT-8")
def test_they_wait_in_order_of_time_whatever_the_order_of_writing(tmp_path: Path) -> None:
    for at in (30, 9, 100, 10):
        spool.put(tmp_path, item(at))
    assert [spool.take(path).happened_at for path in spool.waiting(tmp_path)] == [9, 10, 30, 100]


@pytest.mark.requirement("EVT-8")
def test_the_same_event_put_twice_is_one_file(tmp_path: Path) -> None:
    put = item()
    spool.put(tmp_path, put)
    spool.put(tmp_path, put)
    assert len(spool.waiting(tmp_path)) == 1


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    spool.put(tmp_path, item(1))
    monkeypatch.setattr(os, step, fails)
    with pytest.raises(OSError, match="No space"):
        spool.put(tmp_path, item(2))
    assert len(list(tmp_path.iterdir())) == len(spool.waiting(tmp_path)) == 1


@pytest.mark.requirement("EVT-8")
def test_what_is_being_written_does_not_wait_yet(tmp_path: Path) -> None:
    (tmp_path / ".00000000000000000005-x.json").write_text("{")
    (tmp_path / ".00000000000000000005-x.json.123.tmp").write_text("{")
    (tmp_path / "notes.txt").write_text("mine")
    assert spool.waiting(tmp_path) == []
    assert spool.waiting(tmp_path / "nowhere") == []


GOOD = {"version": 1, "id": "i", "event": "Stop", "happened_at": 5, "payload": {}}


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"7",
        b'"text"',
        b"{}",
        json.dumps(GOOD | {"id": None}).encode(),
        json.dumps(GOOD | {"event": 7}).encode(),
        json.dumps(GOOD | {"happened_at": "then"}).encode(),
        json.dumps(GOOD | {"payload": []}).encode(),
        b'{"payload": ' + b"[" * 100_000,
    ],
    ids=lambda content: str(content[:40]),
)
def test_a_file_that_is_not_ours_is_set_aside_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "00000000000000000005-x.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a spooled event"):
        spool.take(path)
    moved = spool.set_aside(path)
    assert moved.read_bytes() == content
    assert list(spool.bad(tmp_path)) == [moved]
    assert spool.waiting(tmp_path) == []


def test_a_file_that_went_away_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        spool.take(tmp_path / "gone.json")


def make_odd(path: Path, kind: str) -> None:
    """Something in the spool that is no file of ours."""
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "full folder":
            path.mkdir()
            (path / "x").touch()
        case "socket":
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(str(path))
        case "link to a device":
            path.symlink_to("/dev/zero")
        case "broken link":
            path.symlink_to("/nonexistent")
        case "link to itself":
            path.symlink_to(path)
        case "giant":
            with path.open("wb") as file:
                file.truncate(2**40)
        case "empty":
            path.touch()


ODD = ("fifo", "folder", "full folder", "socket", "link to a device", "broken link", "link to itself", "giant", "empty")


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_file_is_never_read_and_can_be_set_aside_twice(tmp_path: Path, kind: str) -> None:
    for _ in range(2):
        path = tmp_path / "00000000000000000001-x.json"
        make_odd(path, kind)
        with pytest.raises(ValueError, match="is not a spooled event"):
            spool.take(path)
        assert os.path.lexists(spool.set_aside(path))
        assert not os.path.lexists(path)
    assert len(list(spool.bad(tmp_path))) == 2


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize(
    "changes",
    [
        *({"id": ""}, {"id": "x" * 200}, {"id": "\ud800"}, {"id": "a\0b"}, {"happened_at": -1}, {"happened_at": 2**63}),
        *({"happened_at": 0}, {"id": 5}, {"payload": []}, {"event": None}),
    ],
    ids=str,
)
def test_what_no_journal_can_hold_is_not_one_of_ours(tmp_path: Path, changes: dict[str, object]) -> None:
    content = {"version": 1, "id": "x", "event": "Stop", "happened_at": 5, "payload": {}} | changes
    path = tmp_path / "1-x.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match="is not a spooled event"):
        spool.take(path)


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("bound", ["files", "bytes"])
def test_what_does_not_fit_is_refused_and_counted(tmp_path: Path, bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "spool"
    first = spool.put(folder, item(1))
    size = first.stat().st_size
    monkeypatch.setattr(spool, "MOST_FILES", 3 if bound == "files" else 1_000)
    monkeypatch.setattr(spool, "MOST_BYTES", 3 * size if bound == "bytes" else 2**40)
    monkeypatch.setattr(spool, "_MEASURE_SECONDS", 0.0)
    spool.put(folder, item(2))
    spool.put(folder, item(3))
    for _ in range(5):
        with pytest.raises(spool.SpoolFull, match="the spool is full"):
            spool.put(folder, item(4))
        spool.count_unkept(folder)
    assert len(spool.waiting(folder)) == 3
    assert spool.not_kept(folder) == 5
    assert stat.S_IMODE((folder / "not-kept").stat().st_mode) == 0o600
    first.unlink()
    spool.put(folder, item(6))
    assert spool.not_kept(folder) == 5, "until a person was told"
    spool.forget_unkept(folder)
    assert spool.not_kept(folder) == 0
