"""What opening a store imports, seen in an interpreter of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.requirement("STO-1")
def test_sqlite_needs_no_driver() -> None:
    script = "import sys, holdfast.store, holdfast.store.sqlite; print('psycopg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
