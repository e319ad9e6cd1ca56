"""What a fresh interpreter loads: little for the command client, nothing heavy for the worker."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "holdfast"


@pytest.mark.requirement("EVT-2")
def test_the_command_client_loads_next_to_nothing() -> None:
    """`python -I -S` with the client on its way: no module that the bare interpreter has not loaded, but for _socket.
    `hook.py` is compiled at every run, so nothing of the client stands there."""
    script = (
        f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); before = set(sys.modules)\n"
        "import holdfast.command_client\n"
        "print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == ["_socket", "holdfast", "holdfast.command_client"]
    assert len(compile((SOURCE / "hook.py").read_bytes(), "hook.py", "exec").co_code) < 400


@pytest.mark.requirement("EVT-8")
def test_the_client_alone_needs_the_standard_library_only() -> None:
    """Without site-packages: everything that starts the daemon or spools an event can be imported and scrubs."""
    secret = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"
    script = (
        f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n"
        "import holdfast.alone, holdfast.lock\n"
        "from holdfast.road.mend import mend\n"
        "from holdfast.scrub import default_scrubber\n"
        f"print(default_scrubber().value({{'stdout': 'token {secret} there'}})[0]['stdout'])\n"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("token [scrubbed:")
    assert secret not in done.stdout


def test_the_hook_road_does_not_wait_for_heavy_libraries() -> None:
    """What the worker imports at its start stays light: these come only when someone needs them."""
    heavy = ("mcp", "numpy", "onnxruntime", "psycopg", "tree_sitter", "tomlkit", "httpx", "jinja2")
    script = "import sys, holdfast.daemon.worker; print([n for n in " + repr(heavy) + " if n in sys.modules])"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == []


@pytest.mark.requirement("PRF-4")
def test_the_supervisor_loads_no_room() -> None:
    """It stays in memory beside the worker, and the worker's start waits for it."""
    script = (
        "import sys; from pathlib import Path; import holdfast.daemon.supervisor, holdfast.daemon.port\n"
        "from holdfast import config; config.load(Path('/nowhere'), rooms=())\n"
        "print([n for n in sys.modules if n in ('sqlite3', 'asyncio', 'holdfast.rooms', 'holdfast.store')])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == []
