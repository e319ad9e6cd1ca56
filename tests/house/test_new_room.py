"""`make room NAME=…` in a copy of the repository: the room that it writes keeps every rule of the house."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.program import ROOMS
from tests.rooms.notebook.model import NOTE
from tests.support.new_room import MADE_UP, Names, Refused, names_of, with_room
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
WRITTEN = ("docs", "plugin", "src", "tests")
NAME = next(each for each in ("recipes", "tickets", "bookmarks") if each not in {room.name for room in ROOMS})
"""A room that nobody has added yet, called by a word that shared code says."""
THING = NAME.removesuffix("s")
ALBUMS = Names("albums", "album", "a")
HELD = (
    *("tests/test_architecture.py", "tests/test_purity.py", "tests/house/test_calls.py", "tests/house/test_sql.py"),
    *(
        "tests/house/test_ids.py",
        "tests/house/test_duplicates.py",
        "tests/house/test_own_tools.py",
        "tests/test_mirror.py",
    ),
    "tests/house/test_names.py",
    "tests/house/test_prose.py::test_the_program_says_the_concrete_noun",
    *("tests/house/test_schema.py::test_every_table_and_text_column_is_declared", "tests/contract/test_schema.py"),
    "tests/house/test_schema.py::test_a_planted_word_is_gone_from_every_column_and_copy",
    "tests/house/test_schema.py::test_every_exported_table_survives_a_round_trip",
    *("tests/house/test_made_up_table.py::test_it_ages_and_is_counted", "tests/house/test_forget_counts.py"),
    *("tests/unit/doors/cli/test_reference.py", "tests/unit/doors/test_rooms_table.py"),
    *("tests/unit/doors/test_mcp.py", "tests/unit/install/test_plugin.py", "tests/rooms/test_unasked.py"),
    *("tests/unit/daemon/test_compose.py", "tests/unit/upkeep/test_aging.py"),
)
"""The tests that a contributor's room meets. The databases: SQLite here, both for the rooms of the product."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The repository, to be written to."""
    for each in ROOT.iterdir():
        if each.name in WRITTEN:
            shutil.copytree(each, tmp_path / each.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif each.name not in (".git", ".venv", ".pytest_cache", ".mypy_cache", ".ruff_cache"):
            (tmp_path / each.name).symlink_to(each)
    return tmp_path


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (sys.executable, "-m", *words),
        cwd=tree,
        env=os.environ | {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 4,
        check=False,
    )


def files(tree: Path) -> dict[Path, bytes]:
    kept = (each for name in WRITTEN for each in (tree / name).rglob("*") if "__pycache__" not in each.parts)
    return {each.relative_to(tree): each.read_bytes() for each in kept if each.is_file()}


@pytest.mark.requirement("HSE-1")
@pytest.mark.requirement("HSE-2")
def test_a_new_room_keeps_the_rules_of_the_house_and_touches_nothing_else(tree: Path) -> None:
    before = files(tree)
    made = run(tree, "tests.support.new_room", NAME)
    assert made.returncode == 0, made.stderr
    assert "Now make it yours" in made.stdout
    assert f"Shared code says {THING} too: write into ELSEWHERE of tests/conversations/test_{NAME}.py" in made.stdout
    talk = tree / "tests" / "conversations" / f"test_{NAME}.py"
    said = talk.read_text("utf-8").replace(f'{{"{THING}": ""}}', f'{{"{THING}": "what others mean"}}')
    assert '"what others mean"' in said
    talk.write_text(said, "utf-8")
    after = files(tree)
    own = {f"src/holdfast/rooms/{NAME}", f"src/holdfast/rooms/{NAME}/migrations", f"tests/unit/rooms/{NAME}"}
    new = {file for file in after.keys() - before.keys() if str(file.parent) not in own}
    assert new == {Path(f"tests/conversations/test_{NAME}.py")}
    changed = {file for file in before if after[file] != before[file] and file.parts[0] != "docs"}
    generated = {Path("src/holdfast/doors/cli/rooms.json"), *(file for file in changed if file.match("schema/*.sql"))}
    assert {file for file in changed - generated if file.parts[0] == "src"} == {Path("src/holdfast/program.py")}
    assert {file for file in changed if file.parts[0] == "tests"} == set()
    written = [str(file) for file in after.keys() - before.keys() if file.suffix == ".py"]
    assert not [file for file in written if "notebook" in after[Path(file)].decode().lower()]
    for words in (
        ("ruff", "check", *written, "src/holdfast/program.py"),
        ("ruff", "format", "--check", *written, "src/holdfast/program.py"),
        ("mypy", *written),
        ("pytest", "-q", "-p", "no:cacheprovider", "-k", "not postgresql", *HELD, *sorted(written)[-2:]),
    ):
        done = run(tree, *words)
        assert done.returncode == 0, f"{words[0]}: {done.stdout[-6_000:]}{done.stderr[-3_000:]}"

    again = run(tree, "tests.support.new_room", NAME)
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr.startswith(f"There is a room {NAME} already: src/holdfast/rooms/{NAME}.")
    assert files(tree) == after


@pytest.mark.requirement("HSE-1")
def test_a_room_with_which_nothing_would_start_is_not_written(tree: Path) -> None:
    """Its tool has the name of another one: only the start knows that."""
    broken = tree / "tests" / "rooms" / "notebook" / "tools.py"
    broken.write_text(broken.read_text("utf-8").replace('"add_note"', '"search"'), "utf-8")
    before = files(tree)
    done = run(tree, "tests.support.new_room", "larder")
    assert done.returncode == 1
    assert done.stderr.startswith("The room larder cannot be: ")
    assert "search" in done.stderr
    assert files(tree) == before


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "is no name for a room"),
        ("Albums", "is no name for a room"),
        ("my-albums", "is no name for a room"),
        ("1albums", "is no name for a room"),
        ("albums_", "is no name for a room"),
        ("class", "is no name for a room"),
        ("a" * 21, "is no name for a room"),
        ("../albums", "is no name for a room"),
        ("memory", "There is a room memory already"),
        ("gather", "is a module of src/holdfast/rooms already"),
        ("daemon", "a section [daemon] already"),
        ("prompts", "called prompt already"),
        ("notebook", "a made-up room of the tests"),
        ("notes", "called note already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_a_sentence(name: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        names_of(name)
    assert said in str(refused.value)


@pytest.mark.requirement("HSE-1")
def test_its_things_have_names_and_a_letter_of_their_own() -> None:
    taken = {family.letter for room in (*ROOMS, *MADE_UP) for family in room.families}
    assert NOTE.letter in taken
    for name, thing, things in (
        (NAME, THING, NAME),
        ("napkin_rings", "napkin_ring", "napkin_rings"),
        ("larder", "larder_item", "larder_items"),
        ("inky_diaries", "inky_diary", "inky_diaries"),
    ):
        names = names_of(name)
        assert (names.thing, names.things) == (thing, things)
        assert names.letter not in taken
    assert (
        Names("diaries", "diary", "d").renamed("A note in NOTES; a Notebook, notes, note_short")
        == "A diary in DIARIES; a Diaries, diaries, diary_short"
    )
    assert ALBUMS.renamed("a note, a new note") == "an album, a new album"


def test_a_program_of_another_shape_is_left_alone() -> None:
    with pytest.raises(Refused, match="does not look as"):
        with_room("ROOMS = ()\n", ALBUMS)
