"""Finding the client, reading its version, and what each version is given."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from holdfast.install import client, find_client
from holdfast.install.client import accepts_http, known_events, parse_version
from holdfast.install.model import ClientInfo
from tests.support.daemon import until


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.325 (Claude Code)\n", (2, 1, 325)),
        ("claude 2.1.72", (2, 1, 72)),
        ("warning: x\n2.1.120 (Claude Code)", (2, 1, 120)),
        ("no idea", None),
        ("", None),
    ],
)
def test_reads_the_version(text: str, version: tuple[int, int, int] | None) -> None:
    assert parse_version(text) == version


@pytest.mark.requirement("OPS-2")
def test_found_on_path_by_name_and_in_its_usual_place(tmp_path: Path) -> None:
    on_path = script(tmp_path / "bin" / "claude", "echo '2.1.325 (Claude Code)'")
    named = script(tmp_path / "other" / "claude", "echo '2.1.100 (Claude Code)'")
    usual = script(tmp_path / "house" / ".local" / "bin" / "claude", "echo 2.1.200")
    environment = {"PATH": f"{on_path.parent}:/usr/bin:/bin", "HOME": str(tmp_path / "house")}
    assert find_client(None, environment) == ClientInfo(on_path, (2, 1, 325))
    assert find_client(str(named), environment) == ClientInfo(named, (2, 1, 100))
    assert find_client(None, {**environment, "PATH": "/usr/bin:/bin"}) == ClientInfo(usual, (2, 1, 200))


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("body", ["exit 1", "echo nothing", "echo 2.1.325; exit 3"])
def test_a_client_that_says_nothing_useful_is_unknown(tmp_path: Path, body: str) -> None:
    found = find_client(str(script(tmp_path / "claude", body)), {"PATH": "/usr/bin:/bin"})
    assert found.version is None
    assert found.problem is not None


@pytest.mark.requirement("OPS-12")
def test_a_client_that_hangs_is_left_and_what_it_started_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its grandchild keeps the output open: whoever read that to its end would wait as long."""
    monkeypatch.setattr(client, "SECONDS", 0.3)
    hanging = script(tmp_path / "claude", f"sleep 600 & echo $! > {tmp_path}/pid; sleep 600")
    began = time.monotonic()
    found = find_client(str(hanging), {"PATH": "/usr/bin:/bin"})
    assert time.monotonic() - began < 60
    assert found.problem == f"`{hanging} --version` did not end within 0.3 seconds"
    until(lambda: is_gone(int((tmp_path / "pid").read_text())), "its child has ended")
    found = find_client(str(tmp_path / "nowhere"), {"PATH": "/usr/bin:/bin"})
    assert found == ClientInfo(problem=f"there is no program {tmp_path / 'nowhere'}")


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


def test_no_client_at_all(tmp_path: Path) -> None:
    found = find_client(None, {"PATH": str(tmp_path), "HOME": str(tmp_path)})
    assert (found.path, found.version) == (None, None)
    assert found.problem == "no Claude Code was found (PATH)"


@pytest.mark.requirement("OPS-2")
def test_a_version_gets_only_what_it_knows() -> None:
    newest = set(known_events(ClientInfo(version=(2, 1, 325))))
    old = set(known_events(ClientInfo(version=(2, 1, 72))))
    assert len(newest) == 33
    assert old < newest
    assert "PreModelSwitch" not in old
    assert set(known_events(ClientInfo(version=(9, 0, 0)))) == newest
    assert known_events(ClientInfo(version=(0, 9, 9))) == ()
    assert set(known_events(ClientInfo())) <= old


@pytest.mark.requirement("OPS-2")
def test_only_a_known_version_gets_http() -> None:
    assert accepts_http(ClientInfo(version=(2, 1, 325)))
    assert not accepts_http(ClientInfo(version=(1, 0, 0)))
    assert not accepts_http(ClientInfo())
