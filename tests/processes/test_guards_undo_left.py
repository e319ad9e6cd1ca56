"""What undo leaves behind: commits that it holds are searched when a text is forgotten; a keeping that broke off goes
at the next start; one that was late is listed (WRK-13, MEM-11)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from holdfast.events.going import Going
from holdfast.ids import now_us
from holdfast.undo import keeping
from holdfast.undo.model import Kept
from holdfast.undo.store import REFS
from tests.support.guarded import Sandbox, write
from tests.support.patience import PATIENCE
from tests.support.roads import run

SECRET = "Xylophone-4711"


def kept(sandbox: Sandbox, command: str) -> Kept:
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is not None, judged.verdict
    sandbox.bash(command)
    return judged.kept


def refs(sandbox: Sandbox) -> str:
    return sandbox.bash(f"git for-each-ref {REFS}").stdout.decode()


@pytest.mark.requirement("WRK-13", "MEM-11")
@pytest.mark.parametrize(
    ("before", "command"),
    [
        ("echo {} > noted.txt && git add noted.txt && git stash push -q", "git stash drop"),
        ("echo {} > noted.txt && git stash push -qu", "git stash clear"),
        (
            "git stash -qu; git checkout -qb other && echo {} > noted.txt && git add noted.txt && git commit -qm x && "
            "git checkout -q main",
            "git branch -D other",
        ),
        (
            "git stash -qu; git checkout -qb other && git commit -q --allow-empty -m 'about {}'; git checkout -q main",
            "git branch -D other",
        ),
        (
            "git stash -qu; git checkout -qb other && echo {} > noted.txt && git add . && git commit -qm x && "
            "git checkout -q main && git gc -q",
            "git branch -D other",
        ),
    ],
    ids=["staged and stashed", "untracked and stashed", "in a commit", "in its message", "packed"],
)
def test_words_inside_what_git_holds_for_undo_are_forgotten(sandbox: Sandbox, before: str, command: str) -> None:
    sandbox.bash(before.format(SECRET))
    kept(sandbox, command)
    assert refs(sandbox)
    going = Going(text=SECRET.lower())
    assert sandbox.guards.undo.holds(going) == 1
    assert sandbox.guards.undo.forget(going) == 1
    assert (sandbox.guards.undo.listed(), refs(sandbox)) == ([], "")
    sandbox.bash("git reflog expire --expire=now --all; git gc -q --prune=now")
    found = sandbox.bash(f"git log --all --reflog -p | grep -ic {SECRET}; git fsck --unreachable --no-reflogs")
    assert found.stdout.decode().split() == ["0"], "nothing of ours keeps it from git's own cleaning"


@pytest.mark.requirement("WRK-13", "MEM-11")
def test_a_file_inside_what_git_holds_for_undo_is_forgotten_by_its_name(sandbox: Sandbox) -> None:
    sandbox.bash("mkdir -p sub && echo x > sub/noted.txt && git add sub && git stash push -q")
    kept(sandbox, "git stash drop")
    assert sandbox.guards.undo.forget(Going(files=("sub/other.txt",))) == 0
    assert sandbox.guards.undo.forget(Going(files=("sub/noted.txt",))) == 1


@pytest.mark.requirement("WRK-13", "MEM-11")
def test_what_a_branch_has_as_well_is_the_users_own_and_stays_undoable(sandbox: Sandbox) -> None:
    sandbox.bash(f"git stash -qu; echo {SECRET} > noted.txt && git add . && git commit -qm x && git branch other")
    kept(sandbox, "git branch -D other")
    assert sandbox.guards.undo.forget(Going(text=SECRET)) == 0
    assert len(sandbox.guards.undo.listed()) == 1


KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from pathlib import Path
    from holdfast.ids import ConversationId
    from holdfast.undo import keeping
    from holdfast.undo.model import KeptRef
    from holdfast.undo.store import Undo, Wanted
    folder, root, commit, moment = sys.argv[1:]
    def die(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(keeping.Taking, moment, die)
    wanted = Wanted(removed=(f"{root}/draft.txt",), root=root, refs=(KeptRef("refs/heads/lonely", commit),))
    Undo(Path(folder), most_bytes=10**9, days=7).keep(
        "half1234", wanted, command="c", rule="r", conversation=ConversationId("c1"), now=1, seconds=60
    )
    """
)


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("moment", ["look", "take", "check"])
def test_a_process_that_is_killed_while_it_keeps_leaves_nothing_after_the_next_start(
    sandbox: Sandbox, moment: str
) -> None:
    write(sandbox.root / "draft.txt", "words")
    commit = sandbox.bash("git rev-parse lonely").stdout.decode().strip()
    folder = sandbox.folder / "holdfast" / "guards" / "undo"
    words = [sys.executable, "-c", KILLED, str(folder), str(sandbox.root), commit, moment]
    assert subprocess.run(words, check=False, timeout=PATIENCE).returncode == -signal.SIGKILL
    assert "half1234" in refs(sandbox)
    assert (folder / "half1234").is_dir()
    assert sandbox.guards.undo.listed() == []
    run(sandbox.guards.tidy())  # the job of every start
    assert not (folder / "half1234").exists()
    assert refs(sandbox) == ""


@pytest.mark.requirement("WRK-13")
def test_a_keeping_that_still_runs_is_left_alone(sandbox: Sandbox) -> None:
    folder = sandbox.folder / "holdfast" / "guards" / "undo" / "half1234"
    keeping.make_folder(folder)
    (folder / "begun.json").write_text(f'[{os.getpid()}, ""]')
    sandbox.guards.undo.drop_halves(now_us())
    assert folder.is_dir()
    sandbox.guards.undo.drop_halves(now_us() + 2 * 3_600_000_000)
    assert not folder.exists()


@pytest.mark.requirement("WRK-13")
def test_what_was_kept_too_late_to_be_told_is_listed(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person may still say yes to the question; then undo has the bytes."""
    write(sandbox.root / "draft.txt", "words")
    guards = sandbox.guards
    beside = guards._beside

    async def keeping_is_late(work: Callable[[], Any], seconds: float) -> Any:
        done = await beside(work, seconds)
        return None if isinstance(done, Kept) else done

    monkeypatch.setattr(guards, "_beside", keeping_is_late)
    judged = sandbox.judge("rm draft.txt", keep=True)
    assert (judged.verdict.decision, judged.kept) == ("ask", None)
    assert "cannot be kept" in judged.verdict.reason
    assert [each.file_count for each in guards.undo.listed()] == [1]
