"""Gets exact versions of the real client from npm into a cache, once each.

It leaves running them to claude.py and tui.py. A machine without npm fails: these tests are never skipped.
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PINNED = "2.1.325"
OLDER = "2.1.197"

_PACKAGE = "@anthropic-ai/claude-code"
_REPOSITORY = Path(__file__).resolve().parents[3]
# What npm itself needs; anything else of the caller's environment could carry keys or other registries.
_NPM_ENVIRONMENT = (
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "NODE_EXTRA_CA_CERTS",
)


class CannotInstall(Exception):
    """The client could not be installed; the sentence says why."""


def client(version: str = PINNED) -> Path:
    """The program of this client version, installed from npm if the cache lacks it."""
    cache = cache_directory()
    home = cache / version
    if not home.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with _locked(cache / f"{version}.lock"):
            if not home.is_dir():
                _install(version, home)
    return _binary(home)


def cache_directory() -> Path:
    """Where the clients are kept: HOLDFAST_TEST_CACHE, or .cache/claude of the repository."""
    named = os.environ.get("HOLDFAST_TEST_CACHE")
    return Path(named).absolute() if named else _REPOSITORY / ".cache" / "claude"


def _install(version: str, home: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise CannotInstall(
            f"npm is not on PATH, so the real client {version} cannot be installed: install Node.js "
            f"with npm, or point HOLDFAST_TEST_CACHE at a directory that already holds {version}."
        )
    fresh = Path(tempfile.mkdtemp(prefix=f"{version}.", dir=home.parent))
    try:
        command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(fresh), f"{_PACKAGE}@{version}"]
        environment = {name: os.environ[name] for name in _NPM_ENVIRONMENT if name in os.environ}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=280)
        if done.returncode != 0:
            raise CannotInstall(f"npm could not install {_PACKAGE}@{version}:\n{done.stderr.strip()}")
        _binary(fresh)
        fresh.rename(home)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _binary(home: Path) -> Path:
    # npm installs the wrapper package and, beside it, the one of this machine's platform. Early clients
    # (2.1.100) have no such package: there the wrapper is the whole client, a script that starts Node itself.
    scope = home / "node_modules" / "@anthropic-ai"
    found = sorted(scope.glob("claude-code-*/claude")) or sorted(scope.glob("claude-code/cli.js"))
    if len(found) != 1:
        raise CannotInstall(f"{home} holds {len(found)} clients instead of one; remove it and run again.")
    return found[0]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
