"""The name of a build follows the bytes of the package, and nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from holdfast.build import Running, identity, stamp

pytestmark = pytest.mark.requirement("OPS-11")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    (folder / "rooms").mkdir(parents=True)
    (folder / "a.py").write_text("one")
    (folder / "rooms" / "b.sql").write_text("two")
    return folder


def test_the_same_bytes_have_the_same_name_wherever_they_are(package: Path, tmp_path: Path) -> None:
    name = identity(package)
    copy = shutil.copytree(package, tmp_path / "elsewhere")
    os.utime(copy / "a.py", (1, 1))
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "a.py").write_text("not part of it")
    (copy / "notes.txt").write_text("nor is that")
    assert identity(copy) == name
    assert len(name) == 7


@pytest.mark.parametrize("change", ["write", "add", "remove", "rename"])
def test_a_change_is_seen_in_the_name_and_in_the_stamp(package: Path, change: str) -> None:
    name, before = identity(package), stamp(package)
    assert (identity(package), stamp(package)) == (name, before)
    if change == "write":
        (package / "a.py").write_text("two")
        os.utime(package / "a.py", (5, 5))
    elif change == "add":
        (package / "rooms" / "c.toml").write_text("")
    elif change == "remove":
        (package / "rooms" / "b.sql").unlink()
    else:
        (package / "a.py").rename(package / "z.py")
    assert identity(package) != name
    assert stamp(package) != before


def test_a_package_that_is_gone_has_a_name_too(tmp_path: Path) -> None:
    assert identity(tmp_path / "gone") == identity(tmp_path / "also gone")


def test_a_running_process_knows_its_build_and_that_the_files_changed(package: Path) -> None:
    running, silent = Running(package), Running(package)
    name = running.build
    assert name == identity(package)
    assert not running.is_outdated(at_once=True)
    (package / "a.py").write_text("longer")
    assert not running.is_outdated()  # it does not look for every request
    assert running.is_outdated(at_once=True)
    assert running.build == name
    assert silent.build == Running.CHANGED  # nobody asked while the files were there
