"""The installation is gone; what is left in the home still takes the hooks out of the settings (OPS-10)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from holdfast import leave
from holdfast.install import InstallScope, apply
from holdfast.install.on_path import plan_command, write_command
from holdfast.install.status_line import with_ours
from holdfast.install.touched import take_down
from holdfast.install.uninstall import apply_uninstall, plan_uninstall
from tests.support.place import Place

pytestmark = pytest.mark.requirement("OPS-10")
ORIGINAL = '{"model": "opus",  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}\n'


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An installation of its own, which can be deleted."""
    place = Place(tmp_path)
    installed = tmp_path / "installation" / "python"
    installed.parent.mkdir()
    installed.symlink_to(place.python)
    place.python = installed
    place.settle()
    return place


def installed(place: Place, scope: InstallScope = InstallScope.USER) -> Path:
    path = place.write(scope, ORIGINAL, 0o640)
    apply(place.plan(scope))
    write_command(place.home, plan_command(place.home, place.python, place.environment))
    return path


def delete(place: Place, *, ago: float = 0.0) -> None:
    shutil.rmtree(place.python.parent)
    if ago:
        mark = place.home.root / "gone-since"
        mark.write_text("noted before")
        os.utime(mark, (time.time() - ago, time.time() - ago))


def run(place: Place, *words: str) -> subprocess.CompletedProcess[str]:
    link = place.house / ".local" / "bin" / "holdfast"
    return subprocess.run([link, *words], capture_output=True, text=True, env=place.environment, check=False)


def hook_line(path: Path) -> str:
    command: str = json.loads(path.read_text())["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    return command


def fire(line: str, place: Place) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line], input="{}", capture_output=True, text=True, env=place.environment, check=False
    )


@pytest.mark.parametrize("scope", [InstallScope.USER, InstallScope.LOCAL])
def test_a_person_uninstalls_what_is_gone(place: Place, scope: InstallScope) -> None:
    path = installed(place, scope)
    delete(place)
    done = run(place, "uninstall")
    assert done.returncode == 0, done.stderr
    assert (path.read_text(), path.stat().st_mode & 0o777) == (ORIGINAL, 0o640)
    assert not (place.house / ".local" / "bin" / "holdfast").is_symlink()
    assert f"stays in {place.home.root}" in done.stdout
    assert not place.home.manifest.exists()


def test_another_word_says_what_to_do(place: Place) -> None:
    path = installed(place)
    before = path.read_bytes()
    delete(place)
    done = run(place, "status")
    assert done.returncode == 1
    assert "was moved or deleted" in done.stderr
    assert "`holdfast uninstall` takes its hooks out" in done.stderr
    assert path.read_bytes() == before


def test_a_hook_that_fires_takes_the_hooks_out_and_says_so_once(place: Place) -> None:
    path = installed(place)
    line = hook_line(path)
    assert "hook ran for" in fire(line, place).stdout
    delete(place, ago=leave.PATIENCE + 5)
    first, second = fire(line, place), fire(line, place)
    assert (first.returncode, second.returncode) == (0, 0)
    assert "taken out of your settings" in json.loads(first.stdout)["systemMessage"]
    assert (second.stdout, second.stderr) == ("", "")
    assert path.read_text() == ORIGINAL


@pytest.mark.parametrize("ago", [0.0, 5.0, 3 * leave.FRESH])
def test_a_short_absence_changes_nothing(place: Place, ago: float) -> None:
    """An upgrade replaces the environment, and a disk may be mounted late."""
    path = installed(place)
    before, line = path.read_bytes(), hook_line(path)
    delete(place, ago=ago)
    done = fire(line, place)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert path.read_bytes() == before
    assert (place.home.root / "gone-since").stat().st_mtime > time.time() - 60


def test_a_hook_of_an_earlier_installation_is_served_by_the_newer_one(place: Place) -> None:
    """Never by the command line: its exit code 2 would block the client's prompts."""
    path = installed(place)
    line = hook_line(path)
    delete(place)
    newer = place.base / "newer" / "python"
    newer.parent.mkdir()
    newer.symlink_to(sys.executable)
    write_command(place.home, plan_command(place.home, newer, place.environment))
    done = fire(line, place)
    assert done.returncode == 0
    assert "No such command" not in done.stderr


def test_what_is_another_s_stays(place: Place) -> None:
    path = installed(place)
    home = place.home.root
    others = [
        f"/usr/bin/python3 -I -S -E /lib/hook.py {home}-work",
        f"tail {home}/logs/daemon.log | ~/git_hook.py",
        "hook.py 'unbalanced",
    ]
    settings = json.loads(path.read_text())
    settings["hooks"]["Notification"] = [{"hooks": [{"type": "command", "command": each} for each in others]}]
    path.write_text(json.dumps(settings))
    delete(place)
    assert run(place, "uninstall").returncode == 0
    left = json.loads(path.read_text())["hooks"]
    assert [hook["command"] for hook in left["Notification"][0]["hooks"]] == others
    assert set(left) == {"Stop", "Notification"}


@pytest.mark.parametrize("odd", ["[]", "5", '{"hooks": []}', '{"hooks": {"Stop": 5}}', "[" * 100_000, "\udc80"])
def test_odd_files_are_left_as_they_are_and_the_hook_says_nothing(place: Place, odd: str) -> None:
    path = installed(place)
    line = hook_line(path)
    path.write_bytes(odd.encode("utf-8", "surrogateescape"))
    delete(place, ago=leave.PATIENCE + 5)
    done = fire(line, place)
    assert (done.returncode, done.stderr) == (0, "")
    assert path.read_bytes() == odd.encode("utf-8", "surrogateescape")
    place.home.manifest.write_text(odd.encode("utf-8", "replace").decode())
    assert fire(line, place).returncode == 0


def test_from_a_file_that_changed_since_only_our_hooks_go(place: Place) -> None:
    path = installed(place)
    settings = json.loads(path.read_text())
    settings["permissions"] = {"allow": ["Bash(ls:*)"], "note": "ä"}
    settings["hooks"]["Stop"].append({"hooks": [{"type": "http", "url": "http://127.0.0.1:9/hooks/Stop"}]})
    path.write_text(json.dumps(settings))
    delete(place)
    assert run(place, "uninstall").returncode == 0
    theirs = json.loads(ORIGINAL)
    theirs["hooks"]["Stop"].append({"hooks": [{"type": "http", "url": "http://127.0.0.1:9/hooks/Stop"}]})
    assert json.loads(path.read_text()) == theirs | {"permissions": {"allow": ["Bash(ls:*)"], "note": "ä"}}


def test_a_file_that_cannot_be_read_is_named_and_stays(place: Place) -> None:
    path = installed(place)
    path.write_text('{"hooks": ')
    delete(place)
    done = run(place, "uninstall")
    assert done.returncode == 1
    assert str(path) in done.stderr
    assert path.read_text() == '{"hooks": '
    assert place.home.manifest.exists(), "the record is kept for the next try"


def test_while_the_installation_is_there_uninstall_removes_the_link_too(place: Place) -> None:
    installed(place)
    plan = plan_uninstall(place.home)
    assert plan.link == place.house / ".local" / "bin" / "holdfast"
    apply_uninstall(plan)
    assert not (place.house / ".local").exists(), "folders that were made for the link go with it"
    assert not place.home.manifest.exists()


def test_a_program_of_another_stays(place: Place) -> None:
    link = place.house / ".local" / "bin" / "holdfast"
    link.parent.mkdir(parents=True)
    link.write_text("#!/bin/sh\n")
    plan = plan_command(place.home, place.python, place.environment)
    assert plan.way == "taken"
    assert plan.notice is not None
    assert str(link) in plan.notice.sentence
    write_command(place.home, plan)
    assert link.read_text() == "#!/bin/sh\n"
    assert place.home.command.exists()


def test_a_folder_that_is_not_on_the_path_is_said(place: Place) -> None:
    outside = plan_command(place.home, place.python, place.environment)
    assert outside.notice is not None
    line = str(outside.notice.fix).splitlines()[-1]
    assert line == 'export PATH="$HOME/.local/bin:$PATH"', "a line of its own, to be copied"
    place.extra["PATH"] = f"{place.house}/.local/bin:/usr/bin:/bin"
    assert plan_command(place.home, place.python, place.environment).notice is None


@pytest.mark.requirement("OPS-3")
def test_the_plugin_says_at_a_session_start_that_the_installation_is_gone(place: Place) -> None:
    write_command(place.home, plan_command(place.home, place.python, place.environment))
    delete(place)
    said = json.loads(run(place, "hook", "plugin", "SessionStart").stdout)["systemMessage"]
    assert "moved or deleted, so nothing is remembered or guarded" in said
    assert run(place, "hook", "plugin", "Stop").stdout == ""


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("has_hooks", [False, True])
def test_the_status_line_goes_too(place: Place, has_hooks: bool) -> None:
    path = place.write(InstallScope.USER, ORIGINAL, 0o640)
    if has_hooks:
        installed(place)
    take_down(place.home, path)
    script = place.base / "statusline.py"
    path.write_text(with_ours(path.read_text(), place.python, script, place.home.root, path))
    done, left = leave.leave(str(place.home.root))
    assert (str(path) in done, left) == (True, [])
    assert json.loads(path.read_text()) == json.loads(ORIGINAL)
    assert has_hooks or path.read_text() == ORIGINAL
