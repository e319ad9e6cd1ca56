"""What a message promises about undo is true for odd names, odd orders of commands, and what came since (WRK-13)."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError, Refused
from holdfast.events.going import Going
from holdfast.ids import now_us
from holdfast.rooms.guards.answering import words
from holdfast.undo import keeping
from holdfast.undo.model import Kept
from tests.support.guarded import Sandbox, write


def kept(sandbox: Sandbox, command: str) -> Kept:
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is not None, judged.verdict
    return judged.kept


def told(sandbox: Sandbox, command: str) -> str:
    return sandbox.bash(command).stdout.decode().strip()


@pytest.mark.requirement("WRK-13")
def test_commits_that_only_this_branch_has_come_back_after_a_reset_to_what_was_just_fetched(sandbox: Sandbox) -> None:
    sandbox.bash("git stash -qu && git clone -q --bare . ../other.git && git -C ../other.git branch new side")
    sandbox.bash("git remote add origin ../other.git && git commit -q --allow-empty -m 'only on main'")
    head = told(sandbox, "git rev-parse main")
    command = "git fetch -q origin && git reset -q --hard origin/new"
    back = kept(sandbox, command)
    sandbox.bash(command)
    assert told(sandbox, "git rev-parse main") != head
    sandbox.guards.undo.restore(back, over=back.replaces)
    assert told(sandbox, "git rev-parse main") == head


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("command", ["git checkout -q -Blonely side", "git switch -q -Clonely side"])
def test_a_branch_that_is_written_over_is_known_when_its_name_stands_behind_the_letter(
    sandbox: Sandbox, command: str
) -> None:
    sandbox.bash("git stash -qu")
    before = told(sandbox, "git rev-parse lonely")
    back = kept(sandbox, command)
    sandbox.bash(command)
    assert told(sandbox, "git rev-parse lonely") != before
    sandbox.guards.undo.restore(back, over=back.replaces)
    assert told(sandbox, "git rev-parse lonely") == before


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("name", ["a\u2028b.txt", "a\x85b.txt", "a\x0cb.txt"])
def test_a_name_with_the_end_of_a_line_of_another_kind_is_one_name(sandbox: Sandbox, name: str) -> None:
    write(sandbox.root / name, "odd\n")
    back = kept(sandbox, "git clean -fd")
    sandbox.bash("git clean -fd")
    sandbox.guards.undo.restore(back)
    assert (sandbox.root / name).read_text() == "odd\n"


@pytest.mark.requirement("WRK-13")
def test_a_file_in_the_place_of_a_folder_around_stays_unless_told(sandbox: Sandbox) -> None:
    """The folder was not removed by the command, but went since."""
    write(sandbox.root / "alone" / "one.txt", "one\n")
    back = kept(sandbox, "rm alone/one.txt")
    shutil.rmtree(sandbox.root / "alone")
    write(sandbox.root / "alone", "a file now\n")
    with pytest.raises(Refused, match="--over"):
        sandbox.guards.undo.restore(back)
    assert (sandbox.root / "alone").read_text() == "a file now\n"
    sandbox.guards.undo.restore(back, over=True)
    assert (sandbox.root / "alone" / "one.txt").read_text() == "one\n"


@pytest.mark.requirement("WRK-13")
def test_a_commit_made_since_stays_on_its_branch_unless_told(sandbox: Sandbox) -> None:
    back = kept(sandbox, "git reset -q --hard HEAD~1")
    sandbox.bash("git reset -q --hard HEAD~1 && git commit -q --allow-empty -m since")
    since = told(sandbox, "git rev-parse main")
    with pytest.raises(Refused, match="--over"):
        sandbox.guards.undo.restore(back)
    assert told(sandbox, "git rev-parse main") == since
    sandbox.guards.undo.restore(back, over=True)
    assert told(sandbox, "git rev-parse main") != since


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("over", [False, True])
def test_files_that_git_does_not_bring_back_are_an_error_and_not_silence(sandbox: Sandbox, over: bool) -> None:
    sandbox.bash("git checkout -q -f main")
    back = kept(sandbox, "rm -r src draft.txt")
    assert back.committed_count
    sandbox.bash("rm -rf src draft.txt .git && git init -q -b main && git commit -q --allow-empty -m other")
    with pytest.raises(HoldfastError, match=r"src/app\.py"):
        sandbox.guards.undo.restore(back, over=over)


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("word", ["nocaseglob", "GLOBIGNORE", "nocase_glob"])
def test_a_word_about_patterns_changes_nothing_for_a_plain_name(sandbox: Sandbox, word: str) -> None:
    back = kept(sandbox, f"rm draft.txt # {word}")
    assert back.file_count == 1


@pytest.mark.requirement("WRK-13")
def test_an_archive_that_begins_with_a_word_of_patches_is_read_as_an_archive(sandbox: Sandbox) -> None:
    write(sandbox.root.parent / "new" / "diff notes.txt", "notes\n")
    write(sandbox.root.parent / "new" / "draft.txt", "from the archive\n")
    with tarfile.open(sandbox.root / "a.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        for name in ("diff notes.txt", "draft.txt"):
            archive.add(sandbox.root.parent / "new" / name, name)
    back = kept(sandbox, "tar xf a.tar")
    sandbox.bash("tar xf a.tar")
    assert (sandbox.root / "draft.txt").read_text() == "from the archive\n"
    sandbox.guards.undo.restore(back, over=back.replaces)
    assert (sandbox.root / "draft.txt").read_text() == "draft\n"


@pytest.mark.requirement("WRK-13")
def test_a_patch_that_is_too_long_to_be_read_may_name_every_file(sandbox: Sandbox) -> None:
    long = "# filler\n" * 500_000
    write(sandbox.root / "long.patch", f"{long}--- a/draft.txt\n+++ b/draft.txt\n@@ -1 +1 @@\n-draft\n+patched\n")
    back = kept(sandbox, "git apply long.patch")
    assert any(each.path.endswith("/draft.txt") for each in back.files)


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(
    "command",
    ["git stash pop -q && git checkout -q .", "git checkout -q . && git stash pop -q && git checkout -q ."],
)
def test_what_a_line_takes_from_the_stash_and_throws_away_comes_back(sandbox: Sandbox, command: str) -> None:
    sandbox.bash("git checkout -q -f main && echo 'only in the stash' > src/more.py && git stash -q")
    before = told(sandbox, "git stash list --format=%H")
    back = kept(sandbox, command)
    sandbox.bash(command)
    assert told(sandbox, "git stash list --format=%H") != before
    sandbox.guards.undo.restore(back, over=back.replaces)
    assert told(sandbox, "git stash list --format=%H") == before


@pytest.mark.requirement("WRK-13")
def test_the_address_of_a_remote_comes_back_that_was_never_fetched(sandbox: Sandbox) -> None:
    sandbox.bash("git remote add upstream ../somewhere")
    back = kept(sandbox, "git remote remove upstream")
    assert "1 setting" in words.kept(back) or "2 settings" in words.kept(back), words.kept(back)
    sandbox.bash("git remote remove upstream")
    sandbox.guards.undo.restore(back, over=back.replaces)
    assert told(sandbox, "git remote get-url upstream") == "../somewhere"


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("text", ["Ünlü", "ÜNLÜ", "last line first"])
def test_forgetting_a_text_finds_it_in_kept_bytes_in_its_own_letters_and_across_lines(
    sandbox: Sandbox, text: str
) -> None:
    write(sandbox.root / "draft.txt", "about Ünlü and ÜNLÜ: last line\nfirst\n")
    kept(sandbox, "rm draft.txt")
    going = Going(text=text)
    assert sandbox.guards.undo.holds(going) == 1
    assert sandbox.guards.undo.forget(going) == 1
    assert sandbox.guards.undo.listed() == []


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("command", ["git stash drop", "git stash clear", "git branch -D secret-name"])
def test_forgetting_a_text_finds_it_in_the_names_and_messages_of_git(sandbox: Sandbox, command: str) -> None:
    sandbox.bash("git branch secret-name lonely; git stash push -qm 'about secret-name'")
    kept(sandbox, command)
    assert sandbox.guards.undo.forget(Going(text="Secret-Name")) == 1


@pytest.mark.requirement("WRK-13")
def test_a_broken_folder_that_goes_meanwhile_does_not_stop_the_tidying(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(sandbox, "rm draft.txt")
    folder = sandbox.folder / "holdfast" / "guards" / "undo"
    monkeypatch.setattr(Path, "glob", lambda self, pattern: iter([folder / "gone"]))
    assert sandbox.guards.undo.tidy(now_us()) == 0


WRITES_FIRST = (
    'perl -e \'for(glob "many/*"){open F,">$_"}\'; rm -rf many',
    "./empty.sh many; rm -rf many",
    "for f in many/*; do : > $f; done; rm -rf many",
    "truncate -s0 many/*; rm -rf many",
    "./empty.sh many & wait; rm -rf many",
    "X=./empty.sh; $X many; rm -rf many",
    "f() { ./empty.sh many; }; f; rm -rf many",
)
ONLY_REMOVES = ("rm -rf many", "cd many && ls > /dev/null; cd .. && rm -rf many", "echo bye > log.txt; rm -rf many")


@pytest.mark.requirement("WRK-13")
def test_what_a_line_writes_into_before_it_removes_it_comes_back_as_it_was(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_FEW", 1)  # so that these are many: a hard link would do
    write(sandbox.root / "empty.sh", "#!/bin/sh\nfor f in $1/*; do : > $f; done\n").chmod(0o755)
    sandbox.bash("git add empty.sh && git commit -qm empty")
    files = [write(sandbox.root / "many" / name, f"only {name}\n") for name in "abc"]
    for command in (*WRITES_FIRST, *ONLY_REMOVES):
        back = kept(sandbox, command)
        links = {each.stat().st_nlink for each in files}
        assert links == ({2} if command in ONLY_REMOVES else {1}), command
        sandbox.bash(command)
        assert not files[0].exists(), command
        sandbox.guards.undo.restore(back, over=True)
        assert [each.read_text() for each in files] == [f"only {each.name}\n" for each in files], command


@pytest.mark.requirement("WRK-13")
def test_a_file_with_holes_comes_back_with_its_holes(sandbox: Sandbox) -> None:
    large = sandbox.root / "disk.img"
    with open(large, "wb") as file:
        file.write(b"begin")
        file.truncate(64 * 1024 * 1024)
    before = large.stat().st_blocks
    back = kept(sandbox, "rm disk.img")
    sandbox.bash("rm disk.img")
    sandbox.guards.undo.restore(back)
    assert large.stat().st_size == 64 * 1024 * 1024
    assert large.stat().st_blocks <= before + 2_048
