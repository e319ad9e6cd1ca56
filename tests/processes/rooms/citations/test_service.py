"""What the daemon pays for the room before the first WebFetch."""

from __future__ import annotations

import ast
import subprocess
import sys


def test_the_http_library_waits_for_the_first_webfetch() -> None:
    script = (
        "import sys, holdfast.program, holdfast.rooms.citations.service, holdfast.rooms.citations.tools\n"
        "print([name for name in ('httpcore2', 'ssl', 'anyio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    loaded = ast.literal_eval(done.stdout)
    assert "httpcore2" not in loaded
    assert "anyio" not in loaded
