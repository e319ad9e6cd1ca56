"""Paths that somebody names: taken as they are, or refused with a sentence (SEC-11). A link's target keeps its mode."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest

from holdfast.daemon.logs import open_log
from holdfast.errors import UsageError
from holdfast.paths import Home, close_to_others, holds_everything, make_private_folder, named, open_private
from holdfast.scrub import default_scrubber
from holdfast.store.sqlite.connect import make_private_file
from tests.support.table import each_of

NO_PATHS = (
    *("", " ", ".", "..", "~", "~/x", "~root", "relative", "relative/x", "C:\\x", "file:///x", "\ud800"),
    *("/a\0b", "/" + "a" * 256, "/a" * 3_000, "/a/../b", "/..", "/a/.."),
)


@pytest.mark.requirement("SEC-11")
@each_of("text", NO_PATHS, ids=lambda text: ascii(text)[:24])
def test_what_is_no_whole_path_is_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="nothing was done"):
        named(text)


@pytest.mark.requirement("SEC-11")
def test_a_whole_path_is_what_it_says(tmp_path: Path) -> None:
    for text in (str(tmp_path), f"{tmp_path}/ä b", f"{tmp_path}/~", "/" + "a" * 255):
        assert str(named(text)) == text


@pytest.mark.requirement("SEC-11")
def test_nobody_means_the_whole_machine_or_a_whole_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home" / "me"
    (home / ".claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    link = tmp_path / "link"
    link.symlink_to("/")
    for place in (Path("/"), home, home.parent, tmp_path, link, home / ".claude" / "..", Path(f"{home}/")):
        assert holds_everything(place), place
    for place in (home / ".claude", home / "me", tmp_path / "home" / "you", tmp_path / "ho"):
        assert not holds_everything(place), place


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.requirement("SEC-2")
@pytest.mark.parametrize("given", [0o644, 0o666, 0o604, 0o755, 0o400])
@pytest.mark.parametrize("how", ["log", "database", "wal", "folder", "token", "private file"])
def test_a_links_target_keeps_its_mode(tmp_path: Path, given: int, how: str) -> None:
    target = tmp_path / "target"
    home = Home(tmp_path / "home")
    make_private_folder(home.root)
    if how == "folder":
        target.mkdir()
        given |= 0o700
    else:
        target.touch()
    target.chmod(given)
    names = {"log": "daemon.log", "database": "holdfast.db", "wal": "holdfast.db-wal"}
    link = home.root / names.get(how, "link")
    link.symlink_to(target)
    match how:
        case "log":
            root = logging.getLogger()
            before = root.handlers[:], root.level
            try:
                open_log(home.root, "info", default_scrubber())
                logging.getLogger("test").warning("a line")
            finally:
                root.handlers[:], level = before
                root.setLevel(level)
            assert "a line" in target.read_text()
        case "database" | "wal":
            make_private_file(home.database)
        case "folder":
            make_private_folder(link)
        case "token":
            close_to_others(link)
        case _:
            os.close(open_private(link, os.O_RDWR))
    assert mode(target) == given
    assert link.is_symlink()


@pytest.mark.requirement("SEC-2")
@pytest.mark.parametrize("given", [0o644, 0o666, 0o777])
def test_a_file_of_ours_is_closed(tmp_path: Path, given: int) -> None:
    file = tmp_path / "holdfast.db"
    file.touch()
    file.chmod(given)
    make_private_file(file)
    assert mode(file) == 0o600
