"""The notebook of `tests/rooms`, "the page to copy", copied into a source tree: it keeps every rule of the house."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.program import CATALOG
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
_SHAPE = ("imports_point_downwards", "rooms_never_import_each_other", "ids_are_types", "rules_are_pure")
RULES = (
    *(f"tests/test_architecture.py::test_{name}" for name in _SHAPE),
    "tests/house/test_names.py::test_shared_code_names_nothing_of_a_room",
    *("tests/house/test_sql.py", "tests/house/test_calls.py", "tests/unit/doors/test_mcp.py"),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The repository with one more room, and its lines in `program.py`."""
    source = tmp_path / "src" / "holdfast"
    for each in ROOT.iterdir():
        if each.name not in ("src", ".git", ".venv", ".pytest_cache"):
            (tmp_path / each.name).symlink_to(each)
    room, made = source / "rooms" / "notebook", shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "holdfast", source, ignore=made)
    shutil.copytree(ROOT / "tests" / "rooms" / "notebook", room, ignore=made)
    for file in room.rglob("*.py"):
        file.write_text(file.read_text("utf-8").replace("tests.rooms.notebook", "holdfast.rooms.notebook"), "utf-8")
    for file in (room / "migrations").glob("NNNN_*.sql"):
        file.rename(file.with_name(file.name.replace("NNNN", f"{len(CATALOG.migrations) + 1:04}")))
    program = (ROOT / "src" / "holdfast" / "program.py").read_text("utf-8")
    program = program.replace("learning, memory, work\n", "learning, memory, notebook, work\n")
    program = program.replace("    work.ROOM,\n", "    work.ROOM,\n    notebook.ROOM,\n")
    step = "            Step(memory.hooks.keep_prompt, rebuilds=True),\n"
    assert step in program
    (source / "program.py").write_text(program.replace(step, f"{step}            notebook.STEP,\n"), "utf-8")
    return tmp_path


@pytest.mark.requirement("HSE-1")
def test_a_copy_of_the_notebook_keeps_the_rules_of_the_house(tree: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *RULES],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 4,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    loaded = subprocess.run(
        [sys.executable, "-c", "from holdfast.program import ROOMS; print(ROOMS[-1].name, ROOMS[-1].sql)"],
        env=os.environ | {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert loaded.stdout.split() == ["notebook", str(tree / "src" / "holdfast" / "rooms" / "notebook")], loaded.stderr
