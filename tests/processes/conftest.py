"""The project that most tests of undo begin with. A file that needs another one has a fixture of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.guarded import Sandbox


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    made.furnish()
    return made
