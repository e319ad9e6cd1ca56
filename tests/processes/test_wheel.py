"""The wheel and the sdist: built here, installed into a fresh environment, run as a user would run them."""

from __future__ import annotations

import json
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
from tests.support.daemon import DaemonHome
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
    assert json.loads(done.stdout).keys() == {"systemMessage"}, "the sign of life"
    kept = fresh.run("holdfast", "journal", "--json", home=home)
    assert "from-a-wheel" in kept.stdout.decode(), kept.stderr
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
