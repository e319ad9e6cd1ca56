"""Undo's folder on a disk that is full, out of names or read-only, for real: a clear question, a store that reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.rooms.guards.settings import Settings
from holdfast.undo.store import Undo
from tests.processes.full_disk import DISKS
from tests.support.absent import absent
from tests.support.guarded import Sandbox, write

pytestmark = pytest.mark.requirement("WRK-13")

SAID = {
    "read-only": "the folder of undo copies is read-only",
    "file too large": "a file is larger than this process may write",
}


@pytest.mark.parametrize("kind", DISKS)
def test_what_does_not_fit_on_the_disk_is_asked_about_and_nothing_half_counts_as_kept(
    tmp_path: Path, kind: str
) -> None:
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode:
        absent("mount", "this machine allows no mount namespaces")
    done = subprocess.run(
        ["unshare", "-rm", sys.executable, "-m", "tests.processes.full_disk", str(tmp_path), kind],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["decisions"] == ["ask", "ask"]
    assert told["kept"] == [False, False]
    assert f"what it removes cannot be kept ({SAID.get(kind, 'the disk is full')})" in told["reason"]
    assert told["listed"] == ["rm small.txt"], "what was kept before is still there"
    assert told["halves"] == []
    assert told["back"] == ["small.txt"]
    assert told["small"] == "the only copy\n"


def test_a_fault_while_the_remains_are_removed_is_still_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox(tmp_path, Settings())
    monkeypatch.setenv("HOME", str(sandbox.home))
    write(sandbox.root / "draft.txt", "the only copy\n")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of our own")

    monkeypatch.setattr(Undo, "_drop_refs", broken)
    monkeypatch.setattr("holdfast.undo.keeping.Taking.check", broken)
    judged = sandbox.judge("rm draft.txt", keep=True)
    assert judged.kept is None
    assert judged.verdict.decision == "ask"
    assert sandbox.guards.undo.listed() == []


def test_a_copy_that_broke_off_before_its_end_is_listed_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox(tmp_path, Settings())
    monkeypatch.setenv("HOME", str(sandbox.home))
    write(sandbox.root / "draft.txt", "the only copy\n")
    monkeypatch.setattr("holdfast.undo.keeping.Taking.check", _refuse)
    monkeypatch.setattr(
        "holdfast.undo.keeping.remove_folder", lambda folder: None
    )  # as on a disk that turned read-only
    assert sandbox.judge("rm draft.txt", keep=True).verdict.decision == "ask"
    assert sandbox.guards.undo.listed() == []
    assert sandbox.guards.undo.used() == 0


def _refuse(*_: object) -> None:
    raise OSError(30, "Read-only file system")
