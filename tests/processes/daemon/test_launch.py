"""A room that cannot be loaded: the daemon does not start, and `holdfast start` says which file it is and why."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.daemon.launch import not_loaded
from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE

WORKER = """
import sys
import holdfast.rooms
holdfast.rooms.__path__.insert(0, {folder!r})
from holdfast.daemon.launch import start
sys.exit(start(sys.argv[1:]))
"""
"""The worker of the product, with a room of its own in the place of one of the product's."""
SUPERVISOR = (
    "import sys; from holdfast.daemon import supervisor; sys.exit(supervisor.main([sys.argv[1]], sys.argv[2:]))"
)


@pytest.fixture
def home() -> Iterator[DaemonHome]:
    made = DaemonHome()
    yield made
    made.remove()


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("source", "line", "why"),
    [
        ("from __future__ import annotations\n\nROOM = Rom('citations')\n", 3, "NameError: name 'Rom' is not defined"),
        ("def build(ground)\n    return ()\n", 1, "SyntaxError: expected ':'"),
        ("from holdfast.rooms.citations.nowhere import x\n", 1, "ModuleNotFoundError: No module named"),
        ("import json\njson.loads('{')\n", 2, "JSONDecodeError: Expecting property name"),
    ],
)
def test_a_room_that_cannot_be_loaded_is_named_with_file_line_and_error(
    home: DaemonHome, tmp_path: Path, source: str, line: int, why: str
) -> None:
    file = tmp_path / "rooms" / "citations" / "__init__.py"
    file.parent.mkdir(parents=True)
    file.write_text(source)
    worker = ("-c", WORKER.format(folder=str(file.parents[1])))
    command = [sys.executable, "-c", SUPERVISOR, str(home.home.root), *worker]
    done = subprocess.run(command, env=home.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 3
    told = (home.home.logs / "last-error").read_text()
    assert f"The room citations could not be loaded: {file}, line {line} ({why}" in told
    assert "import holdfast.program" in told
    assert "Traceback" in done.stderr


@pytest.mark.requirement("HSE-1")
def test_a_worker_that_ends_at_once_is_not_said_to_have_a_log(home: DaemonHome) -> None:
    command = [sys.executable, "-c", SUPERVISOR, str(home.home.root), "-c", "import os; os._exit(7)"]
    done = subprocess.run(command, env=home.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 3
    told = (home.home.logs / "last-error").read_text()
    assert "(exit code 7). It has written no log yet." in told
    assert str(home.home.log) not in told


def test_what_is_no_room_is_called_the_program() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        _ = 1 // 0
    assert not_loaded(caught.value).startswith(f"The program could not be loaded: {__file__}, line ")
