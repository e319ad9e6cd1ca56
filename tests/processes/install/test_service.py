"""The user service: its file as its manager reads it, the commands that are run, and what becomes of refusals."""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError, Refused
from holdfast.install import apply_uninstall, as_json, describe, manifest, plan_uninstall
from holdfast.install.service import install_service, plan_service, remove_service, service_state, start_service
from holdfast.install.service_files import service_file
from holdfast.paths import Home
from tests.support.place import Place

pytestmark = pytest.mark.requirement("OPS-14")

ODD = 'with space $HOME 100% "q"'


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    """Also where the home's name holds what systemd gives a meaning. Without systemd the words alone count."""
    home = Home(tmp_path / ODD)
    home.command.parent.mkdir(parents=True)
    home.command.write_text("#!/bin/sh\n")
    home.command.chmod(0o755)
    made = service_file("systemd", home, tmp_path / "usual", tmp_path, tmp_path / "config")
    assert f'ExecStart=/bin/sh "{tmp_path}/with space $$HOME 100%% \\"q\\"/bin/holdfast" daemon\n' in made.text
    assert "Restart=on-failure\n" in made.text
    if shutil.which("systemd-analyze") is None:
        return
    made.path.parent.mkdir(parents=True)
    assert complaints(made.path, made.text) == ""
    assert "Wrong" in complaints(made.path, made.text.replace("Type=exec", "Wrong=exec")), "it would have said so"


def complaints(path: Path, text: str) -> str:
    """What systemd says about a unit."""
    path.write_text(text)
    path.chmod(0o644)
    words = ["systemd-analyze", "verify", "--user", "--man=no", str(path)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(path.parent), "XDG_RUNTIME_DIR": str(path.parent)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    return "\n".join(line for line in done.stderr.splitlines() if path.name in line or done.returncode)


def test_the_property_list_says_what_launchd_asks_for(tmp_path: Path) -> None:
    home = Home(tmp_path / ODD)
    made = service_file("launchd", home, home.root, tmp_path, tmp_path)
    told = plistlib.loads(made.text.encode())
    assert made.path == tmp_path / "Library" / "LaunchAgents" / "dev.holdfast.daemon.plist"
    assert told["Label"] == "dev.holdfast.daemon"
    assert told["ProgramArguments"] == [str(home.command), "daemon"]
    assert (told["RunAtLoad"], told["KeepAlive"]) == (True, {"SuccessfulExit": False})


def test_two_homes_are_two_services(tmp_path: Path) -> None:
    names = {service_file("systemd", Home(tmp_path / name), tmp_path / "a", tmp_path, tmp_path).name for name in "abc"}
    assert len(names) == 3
    assert "holdfast.service" in names


@pytest.fixture
def managed(place: Place) -> Place:
    """A machine whose `systemctl` writes down what it is asked."""
    place.settle()
    place.home.prepare()
    program = place.base / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> "{place.base}/asked"\ncase "$*" in *is-active*) echo active;; esac\n')
    program.chmod(0o755)
    place.extra = {"PATH": f"{program.parent}:/usr/bin:/bin"}
    return place


def asked(place: Place) -> list[str]:
    file = place.base / "asked"
    lines = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return lines


def test_installed_shown_started_and_removed_by_uninstall(managed: Place) -> None:
    home, environment = managed.home, managed.environment
    assert not service_state(home, environment).is_installed
    assert not start_service(home, environment)
    plan = plan_service(home, environment, "systemd")
    assert not plan.is_current
    install_service(plan, environment)
    name = plan.file.name
    assert asked(managed) == ["--user daemon-reload", f"--user enable --now {name}"]
    assert plan.file.path.read_text() == plan.file.text
    assert plan_service(home, environment, "systemd").is_current
    state = service_state(home, environment)
    assert (state.is_installed, state.is_running, state.sentence) == (True, True, f"The service {name} is running.")
    assert start_service(home, environment)
    assert asked(managed)[-1] == f"--user start {name}"
    leaving = plan_uninstall(home)
    assert f"service  {plan.file.path}" in describe(leaving)
    assert as_json(leaving)["service"] == str(plan.file.path)
    apply_uninstall(leaving, environment)
    assert f"--user disable --now {name}" in asked(managed)
    assert not plan.file.path.exists()
    assert manifest.load(home).service is None


def test_a_manager_that_refuses_leaves_nothing_behind(managed: Place) -> None:
    (managed.base / "bin" / "systemctl").write_text("#!/bin/sh\necho 'Failed to connect to bus' >&2; exit 1\n")
    plan = plan_service(managed.home, managed.environment, "systemd")
    with pytest.raises(HoldfastError, match=r"`systemctl --user daemon-reload` ended with 1: Failed to connect to bus"):
        install_service(plan, managed.environment)
    assert not plan.file.path.exists()
    assert list(managed.house.iterdir()) == [], "the folders made for it are gone, too"
    assert manifest.load(managed.home).service is None
    assert remove_service(managed.home, managed.environment) is None


def test_a_machine_without_services_is_told_that_none_is_needed(managed: Place) -> None:
    environment = managed.environment | {"PATH": str(managed.base / "nowhere")}
    with pytest.raises(Refused, match=r"has no user services .* hooks start the daemon"):
        plan_service(managed.home, environment)
    assert service_state(managed.home, environment).sentence.startswith("This machine has no user services.")


def test_a_file_that_was_taken_away_is_named(managed: Place) -> None:
    plan = plan_service(managed.home, managed.environment, "systemd")
    install_service(plan, managed.environment)
    plan.file.path.unlink()
    state = service_state(managed.home, managed.environment)
    assert state.sentence == f"{plan.file.path} is gone. Run `holdfast service install` to make it again."
