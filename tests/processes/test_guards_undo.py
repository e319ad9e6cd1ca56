"""Commands of a corpus are run, really, in a sandbox; undo brings every byte back (WRK-13)."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, cast

import pytest

from holdfast.errors import Refused
from holdfast.events.going import Going
from holdfast.ids import ConversationId
from holdfast.rooms.guards.service import Judged
from holdfast.rooms.guards.settings import Settings
from holdfast.undo.store import Wanted
from tests.support.guarded import C1, Sandbox, write

CORPUS = Path(__file__).parents[1] / "data" / "guards" / "deleting.txt"
COMMANDS = [
    line.partition("\t") for line in CORPUS.read_text("utf-8").splitlines() if line and not line.startswith("#")
]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A furnished project, made once and copied."""
    made = Sandbox(tmp_path_factory.mktemp("model"))
    made.furnish()
    return made.root


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, furnished: Path) -> Sandbox:
    made = Sandbox(tmp_path)
    made.root.rmdir()
    shutil.copytree(furnished, made.root, symlinks=True)
    monkeypatch.setenv("HOME", str(made.home))
    return made


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(("command", "more"), [(line[0].replace("\\n", "\n"), line[2]) for line in COMMANDS])
def test_what_a_command_removed_comes_back_byte_for_byte(sandbox: Sandbox, command: str, more: str) -> None:
    before = sandbox.snapshot()
    judged = sandbox.judge(command, keep=True)
    assert judged.verdict.decision in ("allow", "warn"), judged.verdict
    assert judged.kept is not None, "nothing was kept"
    assert judged.kept.rule
    done = sandbox.bash(command)
    assert sandbox.snapshot() != before, f"the command changed nothing: {done.stderr!r}"
    sandbox.guards.undo.restore(judged.kept, over=more == "over")
    after = sandbox.snapshot()
    lost = {name for name in before if after.get(name) != before[name]}
    assert not lost


@pytest.mark.requirement("WRK-13")
def test_a_pattern_of_many_files_is_kept_whole(sandbox: Sandbox) -> None:
    for number in range(2_500):
        write(sandbox.root / "pile" / f"{number}.dat", str(number))
    before = sandbox.snapshot()
    judged = sandbox.judge("rm pile/*.dat", keep=True)
    assert judged.kept is not None
    assert judged.kept.file_count == 2_500
    sandbox.bash("rm pile/*.dat")
    sandbox.guards.undo.restore(judged.kept)
    assert sandbox.snapshot() == before


@pytest.mark.requirement("WRK-13")
@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="no second file system here")
def test_another_file_system_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Path(tempfile.mkdtemp(prefix="hf", dir="/dev/shm"))
    try:
        sandbox = Sandbox(tmp_path, root=other / "project")
        monkeypatch.setenv("HOME", str(sandbox.home))
        sandbox.furnish()
        before = sandbox.snapshot()
        judged = sandbox.judge("rm -rf notes", keep=True)
        assert judged.kept is not None
        sandbox.bash("rm -rf notes")
        sandbox.guards.undo.restore(judged.kept)
        assert sandbox.snapshot() == before
    finally:
        shutil.rmtree(other)


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(("command", "decision"), [("rm -rf notes", "ask"), ("git clean -fd", "ask")])
def test_what_does_not_fit_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, decision: str
) -> None:
    sandbox = Sandbox(tmp_path, Settings(undo_bytes=3))
    monkeypatch.setenv("HOME", str(sandbox.home))
    sandbox.furnish()
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is None
    assert judged.verdict.decision == decision
    assert "larger than the room" in judged.verdict.reason
    assert not list((tmp_path / "holdfast" / "guards" / "undo").iterdir()), "nothing half is left"


@pytest.mark.requirement("WRK-13")
def test_what_is_there_again_is_replaced_only_when_told(sandbox: Sandbox) -> None:
    judged = sandbox.judge("rm draft.txt", keep=True)
    assert judged.kept is not None
    draft = sandbox.root / "draft.txt"
    draft.unlink()
    draft.write_text("written since\n")
    with pytest.raises(Refused, match="--over"):
        sandbox.guards.undo.restore(judged.kept)
    assert draft.read_text() == "written since\n"
    sandbox.guards.undo.restore(judged.kept, over=True)
    assert draft.read_text() == "draft\n"


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("command", ["shred -u draft.txt", "mv draft.txt /dev/null"])
def test_bytes_that_shall_be_gone_are_not_kept(sandbox: Sandbox, command: str) -> None:
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is None
    assert judged.verdict.decision in ("ask", "deny")


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("path", ["local.cfg", "../beside.txt", "draft.txt"])
def test_only_what_git_has_is_replaced_unasked(sandbox: Sandbox, path: str) -> None:
    """Ignored files and files beside the repository are in no commit, whatever git says of the rest."""
    newer = sandbox.root / path
    write(newer, "first\n")
    judged = sandbox.judge(f"git reset --hard; rm {path}", keep=True)
    if judged.kept is None:  # what lies outside is asked about, so it is kept by hand here
        wanted = Wanted(removed=(os.path.normpath(newer),), root=str(sandbox.root))
        judged = Judged(judged.verdict, sandbox.guards.undo.keep(
            "handmade", wanted, command="rm", rule="r", conversation=C1, now=1, seconds=60.0))  # fmt: skip
    assert judged.kept is not None
    newer.unlink()
    newer.write_text("newer\n")
    with pytest.raises(Refused, match="--over"):
        sandbox.guards.undo.restore(judged.kept)
    assert newer.read_text() == "newer\n"


@pytest.mark.requirement("WRK-13")
def test_a_repository_that_is_gone_is_a_refusal_and_no_fault(sandbox: Sandbox) -> None:
    judged = sandbox.judge("git reset --hard", keep=True)
    assert judged.kept is not None
    shutil.rmtree(sandbox.root / ".git")
    write(sandbox.root / "src" / "app.py", "newer\n")
    with pytest.raises(Refused, match="--over"):
        sandbox.guards.undo.restore(judged.kept)
    assert (sandbox.root / "src" / "app.py").read_text() == "newer\n"


@pytest.mark.requirement("WRK-13")
def test_a_file_in_the_place_of_a_folder_stays_unless_told(sandbox: Sandbox) -> None:
    judged = sandbox.judge("rm -rf notes", keep=True)
    assert judged.kept is not None
    shutil.rmtree(sandbox.root / "notes")
    write(sandbox.root / "notes", "a file now\n")
    with pytest.raises(Refused, match="--over"):
        sandbox.guards.undo.restore(judged.kept)
    assert (sandbox.root / "notes").read_text() == "a file now\n"


@pytest.mark.requirement("WRK-13", "SEC-1")
def test_the_command_is_written_down_clean(sandbox: Sandbox) -> None:
    sandbox.guards.clean = cast(Any, lambda text: text.replace("hunter2", "[secret]"))
    judged = sandbox.judge("TOKEN=hunter2 rm draft.txt", keep=True)
    assert judged.kept is not None
    told = (sandbox.folder / "holdfast" / "guards" / "undo" / judged.kept.id / "kept.json").read_text()
    assert "hunter2" not in told
    assert "[secret]" in told


@pytest.mark.requirement("WRK-13")
def test_a_work_tree_comes_back_with_ignored_files_and_lonely_commits(sandbox: Sandbox) -> None:
    sandbox.bash("git worktree add -q --detach ../tree && cd ../tree && git commit -q --allow-empty -m lonely")
    tree = sandbox.root.parent / "tree"
    write(tree / "local.cfg", "the only copy\n")
    write(tree / "new.txt", "not committed\n")
    lonely = sandbox.bash("git rev-parse HEAD", cwd=tree).stdout.decode().strip()
    judged = sandbox.judge("git worktree remove --force ../tree", keep=True)
    assert judged.kept is not None
    sandbox.bash("git worktree remove --force ../tree")
    assert not tree.exists()
    sandbox.guards.undo.restore(judged.kept)
    assert (tree / "local.cfg").read_text() == "the only copy\n"
    assert (tree / "new.txt").read_text() == "not committed\n"
    assert (tree / "src").is_dir(), "tracked files and their folders come back, too"
    assert sandbox.bash("git rev-parse HEAD", cwd=tree).stdout.decode().strip() == lonely
    assert str(tree.resolve()) in sandbox.bash("git worktree list").stdout.decode(), "the repository knows it again"


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("command", ["rm -rf .git", "mv .git ../gone", "mv .git /tmp/gone-by-move"])
def test_the_repository_itself_is_in_no_commit(sandbox: Sandbox, command: str) -> None:
    sandbox.bash("git add -A && git commit -qm all")
    judged = sandbox.judge(command)
    assert judged.verdict.kept or judged.verdict.decision in ("ask", "deny")


@pytest.mark.requirement("WRK-13")
def test_no_hook_of_the_repository_runs_when_something_is_brought_back(sandbox: Sandbox) -> None:
    hook = write(sandbox.root / ".git" / "hooks" / "post-checkout", "#!/bin/sh\ntouch hook-ran\n")
    hook.chmod(0o755)
    judged = sandbox.judge("git checkout -f side", keep=True)
    assert judged.kept is not None
    sandbox.bash("git checkout -f side")
    (sandbox.root / "hook-ran").unlink()
    sandbox.guards.undo.restore(judged.kept, over=True)
    assert not (sandbox.root / "hook-ran").exists()


@pytest.mark.requirement("WRK-13")
def test_forgetting_words_drops_the_kept_bytes_that_hold_them(sandbox: Sandbox) -> None:
    write(sandbox.root / "plan.txt", "x" * 100 + "Project Nightingale\n")
    write(sandbox.root / "other.txt", "nothing of it\n")
    kept = [sandbox.judge(f"rm {name}.txt", keep=True).kept for name in ("plan", "other")]
    assert all(kept)
    undo = sandbox.guards.undo
    assert undo.forget(Going(text="project nightingale")) == 1
    assert [each.command for each in undo.listed()] == ["rm other.txt"]
    assert undo.forget(Going(conversation=ConversationId("another"))) == undo.forget(Going(files=("plan.txt",))) == 0
    assert undo.forget(Going(files=("other.txt",))) == 1
    assert sandbox.judge("rm plan.txt", keep=True).kept
    assert undo.forget(Going(conversation=C1)) == 1


@pytest.mark.requirement("WRK-12", "WRK-13")
def test_what_is_behind_a_link_and_a_stash_of_the_same_line_is_not_taken_for_kept(sandbox: Sandbox) -> None:
    music = sandbox.home / "Music"
    write(music / "song", "the only copy\n")
    (sandbox.root / "logs").symlink_to(music)
    assert sandbox.judge("rm -r logs/").verdict.decision == "deny"
    assert sandbox.judge("rm logs").verdict.decision == "allow"
    write(sandbox.root / "src" / "app.py", "changed\n")
    assert sandbox.judge("git stash push -u && git stash clear").verdict.decision == "ask"
