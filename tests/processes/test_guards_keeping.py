"""What can be kept, and for how long; what cannot be is asked about; what others put into an agent's own folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from holdfast.ids import now_us
from holdfast.rooms.guards.answering import words
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.guards.targets.settling import Settling
from holdfast.undo import keeping, store
from tests.support.guarded import C1, Sandbox, write

_DAY_US = 86_400_000_000


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    return furnished(tmp_path, monkeypatch, Settings())


def furnished(folder: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Sandbox:
    made = Sandbox(folder, settings)
    monkeypatch.setenv("HOME", str(made.home))
    write(made.root / "README.md", "committed\n")
    write(made.root / "docs" / "a.md", "committed too\n")
    made.bash("git init -q -b main && git add -A && git commit -qm first")
    write(made.root / "draft.txt", "the only copy\n")
    write(made.root / "big.bin", "x" * 20_000)
    return made


def said(sandbox: Sandbox, command: str) -> str:
    judged = sandbox.judge(command, keep=True)
    assert (judged.kept is not None) == judged.verdict.kept, "what is promised is there"
    return "kept" if judged.kept else judged.verdict.decision


@pytest.mark.requirement("WRK-13")
def test_the_oldest_kept_bytes_make_room_for_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = furnished(tmp_path, monkeypatch, Settings(undo_bytes=120_000))
    for number in range(8):
        write(sandbox.root / f"{number}.dat", str(number) * 9_000)
        assert said(sandbox, f"rm {number}.dat") == "kept"
    kept = [each.command for each in sandbox.guards.undo.listed()]
    assert kept[0] == "rm 7.dat"
    assert "rm 0.dat" not in kept, "the oldest went"
    assert len(kept) > 2
    assert sandbox.guards.undo.used() <= 120_000


@pytest.mark.requirement("WRK-13")
def test_what_is_told_of_the_room_is_what_the_disk_gives(sandbox: Sandbox) -> None:
    for number in range(150):
        write(sandbox.root / "pile" / f"{number}.txt", "short")
    assert said(sandbox, "rm -r pile") == "kept"
    folder = sandbox.folder / "holdfast" / "guards" / "undo"
    taken = int(subprocess.run(("du", "-sk", folder), capture_output=True, check=True).stdout.split()[0]) * 1024
    told = sandbox.guards.undo.used()
    assert told >= 0.9 * taken, "no block of it is left out"
    assert told <= 2 * taken


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(
    "command", ["rm big.bin", "echo x > big.bin", "mv README.md big.bin", "python3 -c \"open('big.bin','w')\""]
)
@pytest.mark.parametrize("settings", [Settings(undo_bytes=30_000), Settings(undo=False)], ids=["full", "off"])
def test_what_cannot_be_kept_is_asked_about_even_where_the_rule_allows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, settings: Settings
) -> None:
    sandbox = furnished(tmp_path, monkeypatch, settings)
    if settings.undo:
        assert said(sandbox, "rm draft.txt") == "kept"
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is None
    assert judged.verdict.decision == "ask"
    assert "cannot be kept" in judged.verdict.reason
    if settings.undo:
        assert [each.command for each in sandbox.guards.undo.listed()] == ["rm draft.txt"], "nothing was dropped for it"
    assert sandbox.judge("rm README.md").verdict.decision == "allow", "git has it"


@pytest.mark.requirement("WRK-13")
def test_kept_bytes_go_after_their_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = furnished(tmp_path, monkeypatch, Settings(undo_days=2))
    assert said(sandbox, "rm draft.txt") == "kept"
    undo = sandbox.guards.undo
    assert undo.tidy(now_us() + _DAY_US) == 0
    assert len(undo.listed()) == 1
    assert undo.tidy(now_us() + 3 * _DAY_US) == 1
    assert undo.listed() == []
    assert said(sandbox, "rm draft.txt") == "kept"
    undo.days = 0
    assert undo.tidy(now_us()) == 0, "the command may still run"
    assert undo.tidy(now_us() + 120_000_000) == 1


@pytest.mark.requirement("WRK-13")
def test_a_keeping_drops_what_is_too_old(sandbox: Sandbox) -> None:
    wanted = store.Wanted(removed=(str(sandbox.root / "draft.txt"),))
    for name, now in (("first000", now_us() - 30 * _DAY_US), ("second00", now_us())):
        sandbox.guards.undo.keep(name, wanted, command=name, rule="r", conversation=C1, now=now, seconds=60.0)
    assert [each.id for each in sandbox.guards.undo.listed()] == ["second00"]


@pytest.mark.requirement("WRK-13")
def test_a_large_file_is_kept_before_it_is_written_over(sandbox: Sandbox) -> None:
    large = sandbox.root / "large.bin"
    with open(large, "wb") as file:
        file.write(b"begin")
        file.seek(40 * 1024 * 1024)
        file.write(b"end")
    judged = sandbox.judge("echo x > large.bin", keep=True)
    assert judged.kept is not None
    sandbox.bash("echo x > large.bin")
    sandbox.guards.undo.restore(judged.kept, over=True)
    assert large.stat().st_size == 40 * 1024 * 1024 + 3
    with open(large, "rb") as file:
        assert file.read(5) == b"begin"
        file.seek(-3, os.SEEK_END)
        assert file.read() == b"end"


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("stage", ["look", "take", "check"])
@pytest.mark.parametrize("command", ["rm draft.txt", "echo x > draft.txt", "rm -rf .", "git clean -fdx"])
def test_a_fault_while_keeping_is_a_question_and_leaves_nothing_half(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, stage: str, command: str
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(keeping.Taking, stage, fails)
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is None
    assert judged.verdict.decision in ("ask", "deny")
    assert sandbox.guards.undo.listed() == []


@pytest.mark.requirement("WRK-13")
def test_what_is_not_whole_in_the_store_is_not_promised(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = keeping.Taking._copy

    def half(self: keeping.Taking, path: str, target: Path) -> None:
        copy(self, path, target)
        os.truncate(target, 3)

    monkeypatch.setattr(keeping.Taking, "_copy", half)
    judged = sandbox.judge("rm draft.txt", keep=True)
    assert (judged.kept, judged.verdict.decision) == (None, "ask")
    assert "could not be kept whole" in judged.verdict.reason


@pytest.mark.requirement("WRK-12", "WRK-13")
@pytest.mark.parametrize("command", ["rm draft.txt", "git checkout -- README.md", "echo x > draft.txt"])
def test_facts_that_fail_are_a_question(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(Settling, "settle", fails)
    assert sandbox.judge(command, keep=True).verdict.decision == "ask"


# --- what others put into a folder that the conversation made


def by_the_user(sandbox: Sandbox, path: Path, text: str) -> None:
    """Written when no call of the conversation runs: after the clock of the file system has gone on."""
    ended = sandbox.guards.ledger._books[C1].calls[-1][1]
    write(path, text)
    while path.stat().st_ctime_ns <= ended:
        write(path, text)


@pytest.mark.requirement("WRK-12", "WRK-13")
@pytest.mark.parametrize(
    ("makes", "removes", "theirs"),
    [
        ("mkdir own", "rm -rf own", "own/by_user.txt"),
        ("mkdir -p own/deep && touch own/deep/x", "rm -rf own", "own/deep/by_user.txt"),
        ("git clone -q . ../clone", "rm -rf ../clone", "../clone/work.txt"),
        ("mkdir ../beside", "rm -rf ../beside", "../beside/by_user.txt"),
        ("echo mine > made.txt", "rm made.txt", "made.txt"),
        ("echo mine > made.txt", "echo more > made.txt", "made.txt"),
    ],
)
def test_what_the_user_put_there_is_kept(sandbox: Sandbox, makes: str, removes: str, theirs: str) -> None:
    assert sandbox.does(makes) == "allow"
    path = Path(os.path.normpath(sandbox.root / theirs))
    by_the_user(sandbox, path, "the user's\n")
    judged = sandbox.judge(removes, keep=True)
    assert judged.kept is not None, judged.verdict
    sandbox.bash(removes)
    sandbox.guards.undo.restore(judged.kept, over=True)
    assert path.read_text() == "the user's\n"


@pytest.mark.requirement("WRK-12")
def test_files_that_later_calls_made_in_an_own_folder_are_its_own(sandbox: Sandbox) -> None:
    assert sandbox.does("mkdir ../own") == "allow"
    assert sandbox.does("cd ../own && for i in 1 2 3; do date > $i; done; ls") == "allow"
    assert sandbox.does("rm -rf ../own") == "allow"


# --- what is said


@pytest.mark.requirement("WRK-13")
def test_the_message_names_the_option_that_undo_needs_and_what_git_has(sandbox: Sandbox) -> None:
    plain = sandbox.judge("rm draft.txt", keep=True).kept
    assert plain is not None
    assert f"`holdfast undo {plain.id}` brings it back." in words.kept(plain)
    over = sandbox.judge("echo x > draft.txt", keep=True).kept
    assert over is not None
    assert f"`holdfast undo {over.id} --over` brings it back" in words.kept(over)
    some = sandbox.judge("rm -rf ./*", keep=True).kept
    assert some is not None
    assert "2 files that git has" in words.kept(some)
    sandbox.bash("rm -rf ./*")
    restored = sandbox.guards.undo.restore(some)
    assert str(sandbox.root / "README.md") in restored
    assert (sandbox.root / "docs" / "a.md").read_text() == "committed too\n"


@pytest.mark.requirement("WRK-13")
def test_files_in_repositories_inside_are_not_taken_for_committed(sandbox: Sandbox) -> None:
    sandbox.bash("mkdir inner && cd inner && git init -q && echo a > a && git add a && git commit -qm a && echo b > b")
    for command in ("rm inner/a", "rm inner/b", "rm -f inner/?", "echo x > inner/b"):
        assert said(sandbox, command) == "kept", command


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(
    "command", ["git checkout side", "git switch side", "git checkout -f side", "git reset --hard side"]
)
def test_an_ignored_file_that_the_other_branch_has_is_kept(sandbox: Sandbox, command: str) -> None:
    sandbox.bash(
        "git checkout -qb side && echo theirs > .env && git add -f .env && git commit -qm env && git checkout -q main"
    )
    write(sandbox.root / ".gitignore", ".env\n")
    sandbox.bash("git add .gitignore && git commit -qm ignore")
    write(sandbox.root / ".env", "mine alone\n")
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is not None
    sandbox.bash(command)
    assert (sandbox.root / ".env").read_text() == "theirs\n"
    sandbox.guards.undo.restore(judged.kept, over=True)
    assert (sandbox.root / ".env").read_text() == "mine alone\n"
    assert sandbox.bash("git symbolic-ref HEAD").stdout == b"refs/heads/main\n"


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(
    "command", ["cat new.bin | tar x", "tar xf new.bin", "ssh host cat x.tgz | tar xz -C data", "unzip -o new.bin"]
)
def test_an_archive_that_cannot_be_read_is_asked_about_where_the_folder_is_too_large_to_keep(
    sandbox: Sandbox, command: str
) -> None:
    write(sandbox.root / "new.bin", "no archive that anybody could list")
    write(sandbox.root / "data" / "only.txt", "the only copy\n")
    assert said(sandbox, command) == "kept", "a small folder is kept whole"
    with open(sandbox.root / "data" / "large.bin", "wb") as file:
        file.truncate(70 * 1024 * 1024)
    verdict = sandbox.judge(command, keep=True).verdict
    assert verdict.decision == "ask"
    assert "too large to be kept" in verdict.reason


@pytest.mark.requirement("WRK-13")
def test_what_a_commit_has_does_not_make_a_folder_too_large_for_an_unread_archive(sandbox: Sandbox) -> None:
    with open(sandbox.root / "large.bin", "wb") as file:
        file.truncate(70 * 1024 * 1024)
    sandbox.bash("git add large.bin && git commit -qm large")
    assert said(sandbox, "cat new.bin | tar x") == "kept"
