"""What all tests share: a daemon of their own, and the promise that nothing touches the user's own homes."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.support.daemon import DaemonHome


@pytest.fixture(autouse=True)
def _own_homes(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test forgets to pass on ends in a temporary folder, never in the user's homes."""
    nowhere = tmp_path_factory.mktemp("nowhere")
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


@pytest.fixture
def daemon(home: DaemonHome) -> DaemonHome:
    """A running daemon."""
    home.start()
    return home
