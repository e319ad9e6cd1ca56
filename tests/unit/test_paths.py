"""Where the home is: the same for whoever asks, wherever they stand, or a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.errors import ConfigError, HoldfastError
from holdfast.paths import Home, default_home, resolved, write_private


@pytest.mark.requirement("OPS-5")
def test_a_relative_xdg_folder_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """The daemon stands in `/`, so that a relative home would be another one for it than for the command line."""
    monkeypatch.delenv("HOLDFAST_HOME")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", "/house")
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    assert default_home() == Path("/house/.local/share/holdfast")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_home() == Path("/data/holdfast")


@pytest.mark.requirement("OPS-5")
def test_a_relative_home_is_meant_from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLDFAST_HOME", "mine")
    assert default_home() == tmp_path / "mine"


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize(
    ("named", "sentence"),
    [("~nobody-of-this-name/x", "leads nowhere"), (os.fsdecode(b"/h\xff"), "not valid UTF-8")],
)
def test_a_home_that_cannot_be_is_a_sentence(named: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        resolved(Path(named))


@pytest.mark.requirement("SEC-2")
def test_a_private_file_is_not_written_through_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that others may write to (a report's last resort) they could have guessed the temporary name."""
    monkeypatch.setattr(os, "urandom", lambda size: b"\0" * size)
    victim = tmp_path / "victim"
    (tmp_path / ".file.00000000.tmp").symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_private(tmp_path / "file", b"data")
    assert not victim.exists()


@pytest.mark.requirement("OPS-5")
def test_a_folder_of_other_things_is_not_made_a_home(tmp_path: Path) -> None:
    (tmp_path / "someone's.txt").write_text("mine")
    tmp_path.chmod(0o755)
    with pytest.raises(HoldfastError, match="not a home of holdfast, so it was left as it is"):
        Home(tmp_path).prepare()
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    (tmp_path / "someone's.txt").unlink()
    Home(tmp_path).prepare()
    assert tmp_path.stat().st_mode & 0o777 == 0o700
