"""What all tests share: a daemon of their own, and the promise that nothing touches the user's own homes.

`make test` runs several workers. They share one folder per run (the PostgreSQL server is in it) and nothing else.
"""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import DaemonHome

_SHARED = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", None)
    config.stash[_SHARED] = Path(given["shared"] if given else tempfile.mkdtemp(prefix="holdfast-tests-"))
    if given:
        os.environ.pop("PYTHONPYCACHEPREFIX", None)  # for the tests alone (Makefile), not for what they start
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts background jobs with SIGINT ignored, and children inherit that: no test could press Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Thousands of tests are objects that stay. Looking through them again and again for rubbish would take a sixth of
    the time of `make unit`."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Called in the first process for each worker of pytest-xdist."""
    node.workerinput["shared"] = str(node.config.stash[_SHARED])


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In CI whatever a test needs is there: a skipped test is a failure, except where the host says what it lacks."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and "TESTS_WITHOUT" not in os.environ and reporter and reporter.stats.get("skipped"):
        reporter.write_line("Tests were skipped, and in CI none may be.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        from tests.contract import postgres

        postgres.stop_shared(config.stash[_SHARED])
        shutil.rmtree(config.stash[_SHARED], ignore_errors=True)


@pytest.fixture(scope="session")
def shared_folder(pytestconfig: pytest.Config) -> Path:
    """The folder of this test run, the same for all workers."""
    return pytestconfig.stash[_SHARED]


@pytest.fixture(scope="session")
def _nowhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that nobody has used, one for each test. pytest's own would look at all earlier ones each time."""
    base = tmp_path_factory.mktemp("nowhere")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_homes(_nowhere: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test forgets to pass on ends in a temporary folder, never in the user's homes."""
    nowhere = next(_nowhere)
    nowhere.mkdir()
    for name in [name for name in os.environ if name.startswith(("HOLDFAST_", "CLAUDE", "ANTHROPIC_"))]:
        if name != "HOLDFAST_TEST_CACHE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOLDFAST_HOME", str(nowhere / "holdfast"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(nowhere / "claude"))


@pytest.fixture
def home() -> Iterator[DaemonHome]:
    """A home without a daemon (the test may start one; it is stopped in any case)."""
    made = DaemonHome()
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="module")
def shared_daemon() -> Iterator[DaemonHome]:
    """A running daemon that the tests of one file share: for tests that leave nothing behind that another one sees."""
    made = DaemonHome()
    try:
        made.start()
        yield made
    finally:
        made.remove()


@pytest.fixture
def daemon(home: DaemonHome) -> DaemonHome:
    """A running daemon."""
    home.start()
    return home
