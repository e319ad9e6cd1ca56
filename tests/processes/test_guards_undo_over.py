"""`undo --over` writes over what is there now: that is kept first, so that no undo loses newer work (WRK-13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import Refused
from holdfast.rooms.guards.settings import Settings
from tests.support.guarded import Sandbox, write
from tests.support.roads import run


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    made.furnish()
    return made


def over(sandbox: Sandbox, kept_id: str = "") -> str:
    """`holdfast undo KEPT --over`; the id under which is kept what was there."""
    return run(sandbox.guards.bring_back(kept_id, over=True))[2]


@pytest.mark.requirement("WRK-13")
def test_newer_work_that_an_undo_writes_over_comes_back(sandbox: Sandbox) -> None:
    draft = sandbox.root / "draft.txt"
    assert sandbox.does("sed -i s/draft/bad/ draft.txt") == "kept"
    draft.write_text("an hour of work since\n")
    before = over(sandbox)
    assert draft.read_text() == "draft\n"
    assert before, "what was there has an id"
    over(sandbox, before)
    assert draft.read_text() == "an hour of work since\n"


@pytest.mark.requirement("WRK-13")
def test_a_file_in_the_way_of_a_folder_and_a_newer_change_of_what_git_has_are_kept_too(sandbox: Sandbox) -> None:
    tracked = sandbox.root / "src" / "app.py"
    sandbox.bash("git commit -qam whole")
    assert sandbox.does("rm -rf notes src") == "kept"
    write(sandbox.root / "notes", "a file in the way\n")
    write(tracked, "newer, and in no commit\n")
    before = over(sandbox)
    assert (sandbox.root / "notes" / "plan.md").read_text() == "plan\n"
    (sandbox.root / "notes").rename(sandbox.root / "aside")
    over(sandbox, before)
    assert (sandbox.root / "notes").read_text() == "a file in the way\n"
    assert tracked.read_text() == "newer, and in no commit\n"


@pytest.mark.requirement("WRK-13")
def test_an_undo_without_a_name_brings_back_what_a_command_removed_and_never_an_undo(sandbox: Sandbox) -> None:
    draft = sandbox.root / "draft.txt"
    sandbox.does("sed -i s/draft/bad/ draft.txt")
    assert over(sandbox)
    assert over(sandbox) == "", "it is as it was: nothing is written over"
    assert draft.read_text() == "draft\n"


@pytest.mark.requirement("WRK-13")
def test_where_it_cannot_be_kept_nothing_is_written_over_and_the_copy_stays(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path, Settings(undo_bytes=200_000))
    sandbox.furnish()
    draft = sandbox.root / "draft.txt"
    assert sandbox.does("sed -i s/draft/bad/ draft.txt") == "kept"
    draft.write_bytes(b"x" * 300_000)
    with pytest.raises(Refused, match=r"larger than the room.*nothing was changed"):
        over(sandbox)
    assert draft.stat().st_size == 300_000
    draft.unlink()
    over(sandbox)
    assert draft.read_text() == "draft\n"


@pytest.mark.requirement("WRK-13")
def test_the_copy_that_is_brought_back_makes_no_room_for_another(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path, Settings(undo_bytes=200_000))
    sandbox.furnish()
    draft = sandbox.root / "draft.txt"
    draft.write_bytes(b"a" * 120_000)
    assert sandbox.does("truncate -s 0 draft.txt") == "kept"
    draft.write_bytes(b"b" * 120_000)
    with pytest.raises(Refused, match="nothing was changed"):
        over(sandbox)
    draft.unlink()
    over(sandbox)
    assert draft.read_bytes() == b"a" * 120_000
