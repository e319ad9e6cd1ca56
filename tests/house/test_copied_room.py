"""The notebook of `tests/rooms`, "the page to copy", copied into a source tree under a name of its own: it keeps the
rules of the house."""

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
COPY = "jotter"
RULES = """
from holdfast.program import ROOMS
from tests import test_architecture as shape
from tests.house import test_calls as calls, test_ids as ids, test_names as names, test_prose as prose, test_sql as sql
from tests.unit.doors import test_mcp as mcp

room = ROOMS[-1]
assert room.name == "jotter", room
assert str(room.sql).startswith(str(shape.SOURCE)), room.sql
shape.test_imports_point_downwards()
shape.test_rooms_never_import_each_other()
ids.test_ids_are_types()
ids.test_ids_of_items_and_entries_are_types()
ids.test_session_id_is_the_clients_word_at_the_edge_only()
shape.test_rules_are_pure()
calls.test_a_query_that_a_room_names_is_written(room.name)
calls.test_a_job_that_a_room_asks_for_is_declared(room)
sql.test_a_room_names_its_own_tables_and_the_shared_ones(room.name)
names.test_shared_code_names_nothing_of_a_room()
prose.test_the_program_says_the_concrete_noun()
shape.test_one_word_names_one_class()
mcp.test_the_whole_schema_stays_within_4000_tokens()
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The repository with one more room, and its lines in `program.py`."""
    source = tmp_path / "src" / "holdfast"
    for each in ROOT.iterdir():
        if each.name not in ("src", ".git", ".venv", ".pytest_cache"):
            (tmp_path / each.name).symlink_to(each)
    room, made = source / "rooms" / COPY, shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "holdfast", source, ignore=made)
    shutil.copytree(ROOT / "tests" / "rooms" / "notebook", room, ignore=made)
    for file in [each for each in room.rglob("*") if each.is_file()]:
        text = file.read_text("utf-8").replace("tests.rooms.notebook", f"holdfast.rooms.{COPY}")
        file.write_text(text.replace("notebook", COPY).replace("Notebook", COPY.title()), "utf-8")
        file.rename(file.with_name(file.name.replace("notebook", COPY)))
    for file in (room / "migrations").glob("NNNN_*.sql"):
        file.rename(file.with_name(file.name.replace("NNNN", f"{len(CATALOG.migrations) + 1:04}")))
    program = (ROOT / "src" / "holdfast" / "program.py").read_text("utf-8")
    program = program.replace("learning, memory, work\n", f"learning, memory, {COPY}, work\n")
    program = program.replace("    work.ROOM,\n", f"    work.ROOM,\n    {COPY}.ROOM,\n")
    step = "            Step(memory.hooks.keep_prompt, rebuilds=True),\n"
    assert step in program
    (source / "program.py").write_text(program.replace(step, f"{step}            {COPY}.STEP,\n"), "utf-8")
    return tmp_path


@pytest.mark.requirement("HSE-1")
def test_a_copy_of_the_notebook_keeps_the_rules_of_the_house(tree: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RULES],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 4,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-6_000:]
