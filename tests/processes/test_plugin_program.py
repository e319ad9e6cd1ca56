"""The plugin's own program, a shell script: which holdfast it finds, and what it says when there is none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.install.launching import command_script, write_program
from holdfast.install.plugin import source
from holdfast.paths import Home

pytestmark = pytest.mark.requirement("OPS-3")
PROGRAM = source() / "bin" / "holdfast"


def run(house: Path, *words: str, path: str = "", said: str = "") -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(house), "HOLDFAST_HOME": str(house / "home"), "PATH": f"{path}:/usr/bin:/bin"}
    called = ["/bin/sh", str(PROGRAM), *words]
    return subprocess.run(called, env=environment, input=said, cwd=house, capture_output=True, text=True, check=False)


def program(folder: Path) -> Path:
    """A holdfast that says what it was asked."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "holdfast"
    made.write_text('#!/bin/sh\nshift 0\necho "here: $*"\n')
    made.chmod(0o755)
    return made


def test_a_folder_of_that_name_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "home" / "bin" / "holdfast").mkdir(parents=True)
    (tmp_path / "first" / "holdfast").mkdir(parents=True)
    program(tmp_path / "second")
    done = run(tmp_path, "status", path=f"{tmp_path}/first:{tmp_path}/second")
    assert (done.returncode, done.stdout) == (0, "here: status\n")


def test_a_folder_on_path_is_taken_as_it_is_written(tmp_path: Path) -> None:
    program(tmp_path / "abc")
    assert run(tmp_path, "status", path=f"{tmp_path}/a*").returncode == 127


def test_each_request_is_answered_with_its_own_id(tmp_path: Path) -> None:
    ids = (7, "a,b", "x}y", "", "0")
    asked = [json.dumps({"jsonrpc": "2.0", "method": "initialize", "id": one}) for one in ids]
    asked += [json.dumps({"jsonrpc": "2.0", "id": one, "method": "tools/list"}, separators=(",", ":")) for one in ids]
    done = run(tmp_path, "mcp", said="\n".join(asked) + "\n")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [*ids, *ids]


def test_a_holdfast_that_was_installed_since_takes_the_place_of_one_that_is_gone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    write_program(home, command_script(tmp_path / "gone" / "python", home))
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "holdfast").symlink_to(home.command)
    (tmp_path / "links2").mkdir()
    (tmp_path / "links2" / "holdfast").symlink_to(PROGRAM)
    links = f"{tmp_path}/links:{tmp_path}/links2"
    (tmp_path / "links" / "python3").symlink_to(sys.executable)
    alone = run(tmp_path, "hook", "plugin", "SessionStart", path=links)
    assert "was moved or deleted" in alone.stdout
    program(tmp_path / "new")
    for words in (("hook", "plugin", "SessionStart"), ("mcp",)):
        done = run(tmp_path, *words, path=f"{links}:{tmp_path}/new")
        assert (done.stdout, done.returncode) == (f"here: {' '.join(words)}\n", 0)
    assert "was moved or deleted" in run(tmp_path, "status", path=f"{links}:{tmp_path}/new").stderr


def test_the_service_stays_down_after_a_stop(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho started\n")
    python.chmod(0o755)
    write_program(home, command_script(python, home))
    assert subprocess.check_output([home.command, "daemon"], text=True) == "started\n"
    home.stopped.write_text("")
    assert subprocess.check_output([home.command, "daemon"], text=True) == ""
