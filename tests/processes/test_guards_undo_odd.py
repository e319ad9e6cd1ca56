"""What undo brings back beside the bytes of plain files, and what it asks about because it cannot (WRK-13)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from holdfast.undo.model import Kept
from tests.support.guarded import Sandbox, write

ATTRIBUTE = "user.holdfast-test"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    write(made.root / "a.txt", "first\n")
    made.bash("git init -q -b main && git add -A && git commit -qm first")
    write(made.root / "a.txt", "second\n")
    made.bash("git commit -qam second")
    return made


def kept(sandbox: Sandbox, command: str) -> Kept:
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is not None, (command, judged.verdict)
    return judged.kept


def brought_back(sandbox: Sandbox, command: str) -> None:
    back = kept(sandbox, command)
    sandbox.bash(command)
    sandbox.guards.undo.restore(back, over=True)


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("command", ["rm -rf box", "sed -i s/o/0/ box/in.txt", "mv a.txt box/in.txt"])
def test_extended_attributes_come_back(sandbox: Sandbox, command: str) -> None:
    file = write(sandbox.root / "box" / "in.txt", "only here\n")
    for path in (file, file.parent):
        try:
            os.setxattr(path, ATTRIBUTE, b"\xff\x00told")
        except OSError:
            pytest.fail("this file system has no extended attributes: run the tests on one that has")
    file.chmod(0o440)
    brought_back(sandbox, command)
    assert file.read_text() == "only here\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o440
    assert [os.getxattr(path, ATTRIBUTE) for path in (file, file.parent)] == [b"\xff\x00told"] * 2


@pytest.mark.requirement("WRK-13")
def test_a_pipe_comes_back_as_a_pipe(sandbox: Sandbox) -> None:
    (sandbox.root / "box").mkdir()
    pipe = sandbox.root / "box" / "events"
    os.mkfifo(pipe)
    pipe.chmod(0o620)
    brought_back(sandbox, "rm -rf box")
    mode = pipe.lstat().st_mode
    assert stat.S_ISFIFO(mode)
    assert stat.S_IMODE(mode) == 0o620


@pytest.mark.requirement("WRK-13", "WRK-12")
@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
@pytest.mark.parametrize("command", ["git reset -q --hard", "git checkout -q -f", "git checkout -- a.txt", "rm a.txt"])
def test_work_in_a_file_at_which_git_does_not_look_is_kept(sandbox: Sandbox, mark: str, command: str) -> None:
    sandbox.bash(f"git update-index {mark} a.txt")
    write(sandbox.root / "a.txt", "work that git status does not show\n")
    brought_back(sandbox, command)
    assert (sandbox.root / "a.txt").read_text() == "work that git status does not show\n"
    assert sandbox.bash("git ls-files -v a.txt").stdout[:1] in (b"h", b"S")


@pytest.mark.requirement("WRK-12")
def test_a_file_at_which_git_does_not_look_and_that_is_as_committed_is_no_work(sandbox: Sandbox) -> None:
    sandbox.bash("git update-index --assume-unchanged a.txt")
    judged = sandbox.judge("git reset -q --hard", keep=True)
    assert (judged.verdict.decision, judged.kept) == ("allow", None)


@pytest.mark.requirement("WRK-13", "WRK-12")
@pytest.mark.parametrize(
    "command",
    [
        "git reset --hard --recurse-submodules",
        "git -c submodule.recurse=true reset --hard",
        "git checkout -f --recurse-submodules",
        "git submodule foreach git reset --hard",
        "git submodule foreach 'git clean -fdx'",
    ],
)
def test_what_a_submodule_would_lose_is_asked_about(sandbox: Sandbox, command: str) -> None:
    sandbox.bash("git init -q -b main ../lib && cd ../lib && echo a > f && git add f && git commit -qm lib")
    sandbox.bash("git -c protocol.file.allow=always submodule --quiet add ../lib lib && git commit -qm lib")
    write(sandbox.root / "lib" / "f", "work\n")
    write(sandbox.root / "lib" / "new", "more work\n")
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is None
    assert judged.verdict.decision == "ask", judged.verdict
    if "foreach" not in command:
        sandbox.bash("cd lib && git checkout -q -f && git clean -qfdx")
        assert sandbox.judge(command, keep=True).verdict.decision == "allow", "there is nothing to lose"


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("name", ["notes.txt", "Makefile"])
def test_a_file_that_perl_edits_in_place_is_kept_whatever_its_name(sandbox: Sandbox, name: str) -> None:
    file = write(sandbox.root / name, "all: one\n")
    brought_back(sandbox, f"perl -pi -e s/one/two/ {name}")
    assert file.read_text() == "all: one\n"


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(
    "command",
    [
        "git rm -q --cached {0} && rm {0}",
        "git -C . rm --cached -f {0}; rm -f {0}",
        "git reset -q {0}; rm {0}",
        "git restore --staged {0} && rm {0}",
    ],
)
def test_what_is_taken_out_of_the_index_and_removed_comes_back_to_both(sandbox: Sandbox, command: str) -> None:
    for name, words in (("changed.txt", "one\n"), ("staged.txt", "two\n")):
        write(sandbox.root / name, words)
        sandbox.bash(f"git add {name}")
        if name == "changed.txt":
            sandbox.bash(f"git commit -qm x -- {name}; echo more >> {name}; git add {name}")
        before = sandbox.bash("git status --porcelain; git diff --cached").stdout
        line = command.format(name)
        back = kept(sandbox, line)
        sandbox.bash(line)
        assert sandbox.bash("git status --porcelain; git diff --cached").stdout != before
        sandbox.guards.undo.restore(back, over=False)
        assert sandbox.bash("git status --porcelain; git diff --cached").stdout == before, name


@pytest.mark.requirement("WRK-13")
def test_the_index_comes_back_as_old_as_it_was(sandbox: Sandbox) -> None:
    """A newer one would tell git that a file which was changed in the same moment is unchanged."""
    write(sandbox.root / "a.txt", "work\n")
    index = sandbox.root / ".git" / "index"
    os.utime(index, (1_700_000_000, 1_700_000_000))
    before = index.read_bytes()
    back = kept(sandbox, "git reset -q --hard")
    as_kept = index.stat().st_mtime
    sandbox.bash("git reset -q --hard")
    sandbox.guards.undo.restore(back, over=True)
    assert index.stat().st_mtime == as_kept
    assert index.read_bytes()[:12] == before[:12]
