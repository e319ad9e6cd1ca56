"""The wheel and the sdist: built here, installed into a fresh environment, run as a user would run them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from holdfast import __version__
from holdfast.install.plugin import files_of
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fresh:
    """An environment that has the wheel, and the dependencies of this one."""

    folder: Path
    wheel: Path
    sdist: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def run(self, *words: str, home: DaemonHome, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [str(self.folder / "bin" / words[0]), *words[1:]],
            input=given,
            env=home.environment,
            cwd=self.folder,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )


def build(source: Path, target: Path, kind: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(target)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(iter(sorted(target.glob("*.whl" if kind == "wheel" else "*.tar.gz"))))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    base = tmp_path_factory.mktemp("wheel")
    wheel, sdist = build(ROOT, base / "dist", "wheel"), build(ROOT, base / "dist", "sdist")
    folder = base / "fresh"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=PATIENCE)
    # The dependencies of this environment are visible, its own holdfast is not: a .pth file's lines are only paths.
    [packages] = (folder / "lib").glob("python3*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    done = subprocess.run(
        [*pip, "--no-deps", "--no-index", str(wheel)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return Fresh(folder, wheel, sdist)


@pytest.mark.requirement("HSE-8")
def test_the_installed_program_tells_its_version_and_helps(fresh: Fresh, home: DaemonHome) -> None:
    where = fresh.run("python", "-I", "-c", "import holdfast; print(holdfast.__file__)", home=home).stdout.decode()
    assert where.startswith(str(fresh.folder))
    assert fresh.run("holdfast", "--version", home=home).stdout.decode().startswith(f"holdfast {__version__} (build ")
    helped = fresh.run("holdfast", "--help", home=home)
    assert helped.returncode == 0
    assert b"status" in helped.stdout


@pytest.mark.requirement("HSE-8")
def test_a_hook_event_starts_the_installed_daemon_and_is_kept(fresh: Fresh, home: DaemonHome) -> None:
    [hook] = fresh.folder.glob("lib/python3*/site-packages/holdfast/hook.py")
    payload = {"hook_event_name": "SessionStart", "session_id": "from-a-wheel", "source": "startup"}
    words = ("python", "-I", "-S", "-E", str(hook), str(home.home.root))
    done = fresh.run(*words, home=home, given=json.dumps(payload).encode())
    assert done.returncode == 0, done.stderr
    # Nothing is compiled yet, so a busy machine may take longer than the client waits: the event is then in the spool.
    assert json.loads(done.stdout).keys() <= {"systemMessage"}
    until(lambda: b"from-a-wheel" in fresh.run("holdfast", "journal", "--json", home=home).stdout, "the event is kept")
    again = json.dumps(payload | {"session_id": "again"}).encode()
    until(
        lambda: json.loads(fresh.run(*words, home=home, given=again).stdout).keys() == {"systemMessage"},
        "the sign of life",
    )
    assert fresh.run("holdfast", "stop", home=home).returncode == 0


@pytest.mark.requirement("HSE-8")
def test_the_sdist_builds_the_same_wheel(fresh: Fresh, tmp_path: Path) -> None:
    with tarfile.open(fresh.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    again = build(source, tmp_path / "dist", "wheel")
    with zipfile.ZipFile(fresh.wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        assert "holdfast/py.typed" in one.namelist()


@pytest.mark.requirement("OPS-3")
def test_the_wheel_brings_the_plugin(fresh: Fresh, home: DaemonHome, tmp_path: Path) -> None:
    done = fresh.run("holdfast", "plugin", str(tmp_path / "market"), "--json", home=home)
    assert done.returncode == 0, done.stderr
    made = Path(json.loads(done.stdout)["plugin"])
    there = {path.relative_to(ROOT / "plugin") for path in files_of(ROOT / "plugin")}
    assert {path.relative_to(made) for path in files_of(made)} == there


OF_AN_INDEX = ("PIP_", "UV_", "SSL_", "HTTP", "http", "NO_PROXY", "no_proxy")
"""Variables that say how packages are fetched here."""
INSTALL = {
    "uv": ("uv", "tool", "install", "--python", sys.executable),
    "pipx": ("pipx", "install", "--python", sys.executable),
}


@pytest.mark.requirement("OPS-10")
@pytest.mark.parametrize("tool", INSTALL)
def test_a_tool_installs_it_and_up_leaves_its_command_alone(fresh: Fresh, home: DaemonHome, tool: str) -> None:
    """As docs/getting-started.md says, with the wheel in the place of the folder that it is built from."""
    root = home.home.root
    link = root / ".local" / "bin" / "holdfast"
    environment = {name: value for name, value in os.environ.items() if name.startswith(OF_AN_INDEX)}
    environment |= home.environment | {"PATH": f"{link.parent}:{os.environ['PATH']}"}
    environment["UV_CACHE_DIR"] = os.environ.get("HOLDFAST_TEST_CACHE", str(ROOT / ".cache")) + "/uv"
    client = root / "claude-stub"
    client.write_text('#!/bin/sh\n[ "$1" = --init-only ] && exit 1\necho "2.1.325 (Claude Code)"\n')
    client.chmod(0o755)

    def run(*words: str) -> str:
        done = subprocess.run(
            words, env=environment, cwd=root, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    program, *words = INSTALL[tool]
    run(str(Path(sys.executable).with_name(program)), *words, str(fresh.wheel))
    assert shutil.which("holdfast", path=environment["PATH"]) == str(link)
    made = os.readlink(link)
    assert run("holdfast", "--version").startswith(f"holdfast {__version__} (build ")
    told = json.loads(run("holdfast", "up", "--yes", "--json", "--client", str(client)))
    assert (told["passed"], told["daemon"]["version"]) == (True, __version__)
    run("holdfast", "uninstall", "--purge", "--yes")
    assert os.readlink(link) == made, "the link is the tool's, and not ours to remove"
    assert run("holdfast", "--version")
