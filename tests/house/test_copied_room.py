"""The notebook of `tests/rooms`, "the page to copy", copied into a source tree under a name of its own: it keeps the
rules of the house."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.program import CATALOG
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
COPY = "jotter"
STEP = "            Step(memory.hooks.keep_prompt, rebuilds=True),\n"
HELD = (
    *("tests/test_architecture.py", "tests/test_purity.py", "tests/house/test_calls.py", "tests/house/test_sql.py"),
    "tests/house/test_ids.py",
    "tests/house/test_names.py::test_shared_code_names_nothing_of_a_room",
    "tests/house/test_prose.py::test_the_program_says_the_concrete_noun",
    *("tests/house/test_schema.py::test_every_table_and_text_column_is_declared", "tests/contract/test_schema.py"),
    "tests/house/test_schema.py::test_a_planted_word_is_gone_from_every_column_and_copy",
    "tests/house/test_schema.py::test_every_exported_table_survives_a_round_trip",
    *("tests/unit/doors/cli/test_reference.py", "tests/unit/doors/test_rooms_table.py"),
    *("tests/unit/doors/test_mcp.py", "tests/unit/install/test_plugin.py"),
)
"""The tests that a contributor's room meets. The databases: SQLite here, both for the rooms of the product."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The repository with one more room, and its lines in `program.py`."""
    source, made = tmp_path / "src" / "holdfast", shutil.ignore_patterns("__pycache__")
    for each in ROOT.iterdir():
        if each.name in ("docs", "plugin", "src"):  # they are written to
            shutil.copytree(each, tmp_path / each.name, ignore=made)
        elif each.name not in (".git", ".venv", ".pytest_cache"):
            (tmp_path / each.name).symlink_to(each)
    room = source / "rooms" / COPY
    shutil.copytree(ROOT / "tests" / "rooms" / "notebook", room, ignore=made)
    for file in [each for each in room.rglob("*") if each.is_file()]:
        text = file.read_text("utf-8").replace("tests.rooms.notebook", f"holdfast.rooms.{COPY}")
        file.write_text(text.replace("notebook", COPY).replace("Notebook", COPY.title()), "utf-8")
        file.rename(file.with_name(file.name.replace("notebook", COPY)))
    for file in (room / "migrations").glob("NNNN_*.sql"):
        file.rename(file.with_name(file.name.replace("NNNN", f"{len(CATALOG.migrations) + 1:04}")))
    program = (source / "program.py").read_text("utf-8")
    program = program.replace("learning, memory, work\n", f"learning, memory, {COPY}, work\n")
    program = program.replace("    work.ROOM,\n", f"    work.ROOM,\n    {COPY}.ROOM,\n")
    assert STEP in program
    (source / "program.py").write_text(program.replace(STEP, f"{STEP}            {COPY}.STEP,\n"), "utf-8")
    return tmp_path


def run(tree: Path, *words: str) -> str:
    done = subprocess.run(
        (sys.executable, *words),
        cwd=tree,
        env=os.environ | {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 4,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-6_000:]
    return done.stdout


@pytest.mark.requirement("HSE-1")
def test_a_copy_of_the_notebook_keeps_the_rules_of_the_house(tree: Path) -> None:
    """With what CONTRIBUTING.md asks for afterwards: `make docs`, the snapshot, a sentence for the skill."""
    offered = "print([tool.name for tool in ROOMS[-1].tools if tool.for_agents], ROOMS[-1].name, ROOMS[-1].sql)"
    told = run(tree, "-c", f"from holdfast.program import ROOMS; {offered}")
    assert f"{COPY} {tree / 'src'}" in told, "the copy is read, not the repository"
    run(tree, "-m", "holdfast.doors.cli.reference")
    run(tree, "-m", "tests.contract.snapshot")
    with (tree / "plugin" / "skills" / "holdfast" / "SKILL.md").open("a") as skill:
        skill.write("".join(f"\n`{name}` is a tool of the {COPY}.\n" for name in re.findall(r"'(\w+)'", told)))
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not postgresql", *HELD)
