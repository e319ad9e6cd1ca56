"""Facts about the target decide: what this conversation made, links, spellings, `cd`, `$HOME` (WRK-12)."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings
from holdfast.rooms.guards.targets import facts
from holdfast.undo.git import Git
from tests.support.guarded import Sandbox, write
from tests.support.roads import run


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    write(made.root / "src" / "app.py", "committed\n")
    write(made.root / ".gitignore", "build/\n")
    made.bash("git init -q -b main && git add -A && git commit -qm first")
    write(made.root / "src" / "new.py", "not committed\n")
    return made


@pytest.mark.requirement("WRK-12")
@pytest.mark.parametrize(
    ("makes", "removes"),
    [
        ("mkdir -p scratch/deep && touch scratch/deep/x", "rm -rf scratch"),
        ("echo hi > made.txt", "rm made.txt"),
        ("mkdir ../elsewhere", "rm -rf ../elsewhere"),
        ("cp -r src copy", "rm -rf copy"),
        ("git clone -q . ../cloned", "rm -rf ../cloned"),
        ("mkdir a && mv a b", "rm -rf b"),
        ("mkdir a; echo x > a/f; cd a", "rm -rf a/f"),
        ("python3 -c \"open('by_python.txt', 'w').write('x')\"", "rm by_python.txt"),
        ("ln -s src short", "rm short"),
    ],
)
def test_what_a_conversation_made_is_its_own_to_remove(sandbox: Sandbox, makes: str, removes: str) -> None:
    assert sandbox.does(makes) == "allow"
    assert sandbox.does(removes) == "allow"


@pytest.mark.requirement("WRK-12")
def test_another_conversation_does_not_own_it(sandbox: Sandbox) -> None:
    sandbox.does("mkdir ../elsewhere && touch ../elsewhere/x")
    assert sandbox.does("rm -rf ../elsewhere") == "allow"
    sandbox.does("mkdir ../elsewhere && touch ../elsewhere/x")
    sandbox.guards.ledger._books.clear()  # a restart
    assert sandbox.does("rm -rf ../elsewhere") == "deny"


@pytest.mark.requirement("WRK-12")
@pytest.mark.parametrize(
    ("before", "removes", "reason"),
    [
        ("mkdir bin2 && mv src/new.py bin2/", "rm -rf bin2", "was moved there"),
        ("cp src/new.py copy.py && rm src/new.py", "rm copy.py", "only copy"),
    ],
)
def test_what_was_there_before_is_not_lost_in_a_folder_of_its_own(
    sandbox: Sandbox, before: str, removes: str, reason: str
) -> None:
    for part in before.split(" && rm "):
        sandbox.does(part if part == before.split(" && rm ")[0] else f"rm {part}")
    judged = sandbox.judge(removes)
    assert judged.verdict.kept
    assert reason in judged.verdict.reason


@pytest.mark.requirement("WRK-12")
def test_a_move_into_the_temporary_folder_is_remembered(sandbox: Sandbox, tmp_path: Path) -> None:
    assert tmp_path.is_relative_to(tempfile.gettempdir()), "pytest's folder is a temporary one to the guard"
    sandbox.does("mkdir ../../../pile && mv src/new.py ../../../pile/")
    assert not (sandbox.root / "src" / "new.py").exists()
    assert sandbox.does("rm -rf ../../../pile") == "kept"


@pytest.mark.requirement("WRK-12")
def test_links_lead_to_what_is_really_removed(sandbox: Sandbox) -> None:
    precious = sandbox.home / "photos"
    write(precious / "one.jpg", "bytes")
    (sandbox.root / "pics").symlink_to(precious)
    (sandbox.root / "here").symlink_to(sandbox.home)
    assert sandbox.does("rm pics") == "kept", "the link alone is lost"
    (sandbox.root / "pics").symlink_to(precious)
    assert sandbox.judge("rm -rf pics/*").verdict.decision == "deny"
    assert sandbox.judge("cd pics && rm -rf *").verdict.decision == "deny"
    assert sandbox.judge("rm -rf here/code").verdict.decision == "deny"
    assert sandbox.judge("rm -rf here/code/project").verdict.decision == "deny"
    assert "the project" in sandbox.judge("rm -rf here/code/project").verdict.reason
    assert (precious / "one.jpg").exists()


@pytest.mark.requirement("WRK-7", "WRK-12")
def test_a_protected_file_is_protected_behind_a_link_that_was_there_before(sandbox: Sandbox) -> None:
    write(sandbox.home / ".ssh" / "authorized_keys", "key\n")
    own = sandbox.folder / "holdfast"
    for name, leads_to in (("rc", ".bashrc"), ("keys", ".ssh"), ("ours", str(own))):
        (sandbox.root / name).symlink_to(sandbox.home / leads_to)
    for command, decision, rule in (
        ("echo x >> rc", "ask", "files.startup"),
        ("tee -a rc < y", "ask", "files.startup"),
        ("cat y >> keys/authorized_keys", "deny", "files.credentials"),
        ("echo x >> ours/guards/mine.toml", "deny", "files.holdfast"),
        ("rm keys/authorized_keys", "deny", "files.credentials"),
        ("rm -f rc && ln -s y rc", "allow", ""),
        ("echo x > /dev/stderr; echo x | tee /dev/fd/2 >> /proc/self/fd/1", "allow", ""),
    ):
        verdict = sandbox.judge(command).verdict
        assert (verdict.decision, "" if verdict.decision == "allow" else verdict.rule) == (decision, rule), command


@pytest.mark.requirement("WRK-12", "WRK-13")
def test_what_lies_behind_a_link_of_the_line_is_kept(sandbox: Sandbox) -> None:
    assert sandbox.does("ln -s src x && rm -rf x/*") == "kept"
    assert not (sandbox.root / "src" / "new.py").exists()
    kept = sandbox.guards.undo.find("")
    sandbox.guards.undo.restore(kept)
    assert (sandbox.root / "src" / "new.py").read_text() == "not committed\n"


@pytest.mark.requirement("WRK-12")
def test_another_spelling_of_the_project_is_the_project(sandbox: Sandbox) -> None:
    shouted = read(f"rm -rf {str(sandbox.root).upper()}")
    where = Where(str(sandbox.home), str(sandbox.root), str(sandbox.home))
    assert {each.place for each in findings(shouted, built_in(), where)} == {"project"}
    # On a disk without case both names have one identity; a bound or linked folder has, too.
    (sandbox.home / "alias").symlink_to(sandbox.root.parent)
    assert sandbox.judge(f"rm -rf {sandbox.home}/alias/project", cwd=sandbox.home).verdict.decision == "deny"


@pytest.mark.requirement("WRK-12")
@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("HOME=$PWD/build; rm -rf $HOME", "allow"),
        ("export HOME=$PWD/build; rm -rf ~/", "allow"),
        ("(export HOME=$PWD/build); rm -rf ~", "deny"),
        ("HOME=/; rm -rf ~/etc", "deny"),
        ("rm -rf $HOME", "deny"),
        ("cd .. && cd project && rm -rf build", "allow"),
        ("cd ..; rm -rf project", "deny"),
        ("cd / && cd - && rm -rf *", "kept"),
        ("cd - && rm -rf *", "deny"),
        ("pushd .. && rm -rf project", "deny"),
        ("cd build && rm -rf *", "allow"),
        ("cd build/.. && rm -rf *", "kept"),
        ("cd nowhere || cd .. ; rm -rf project", "deny"),
        ("rm -rf ../project", "deny"),
        ('rm -rf "$(pwd)"', "deny"),
        ("rm -rf src", "kept"),
        ("rm -rf build", "allow"),
    ],
)
def test_folders_are_followed_through_the_line(sandbox: Sandbox, command: str, decision: str) -> None:
    write(sandbox.root / "build" / "x.o", "made")
    judged = sandbox.judge(command).verdict
    said = "kept" if judged.kept else judged.decision
    assert said == decision or (decision == "deny" and said == "ask"), judged


@pytest.mark.requirement("WRK-12")
def test_a_git_alias_is_what_it_stands_for(sandbox: Sandbox) -> None:
    sandbox.bash("git config alias.wipe 'reset --hard'")
    write(sandbox.root / "src" / "app.py", "changed\n")
    judged = sandbox.judge("git wipe", keep=True)
    assert judged.kept is not None
    assert judged.verdict.rule == "git.reset-hard"


@pytest.mark.requirement("WRK-12")
def test_a_mounted_disk_is_not_removed(sandbox: Sandbox) -> None:
    if not os.path.ismount("/proc"):
        pytest.fail("every Linux has /proc mounted")
    assert sandbox.judge("rm -rf /proc").verdict.decision == "deny"


@pytest.mark.requirement("WRK-12")
@pytest.mark.parametrize(
    ("command", "files", "said"),
    [
        ("rm -rf ./{a..c}", "a b c", "kept"),
        ("rm -rf ./{c..a..2}", "a c", "kept"),
        ("rm -rf v{1..5..2}", "v1 v3 v5", "kept"),
        ("rm -rf b{01..12}", "b01 b12", "kept"),
        ("rm -rf run{1..100}", "run1 run99 run100", "kept"),
        ('rm -rf "./"{a,b}', "a b", "kept"),
        ("rm -rf run{1..9999}", "run1 run2", "ask"),
        ("rm -rf ./!(src)", "a", "kept"),
        ("rm -rf @(a|b)", "a b", "kept"),
        ("rm -rf n*(x)o", "no nxo", "kept"),
        ('rm -rf "{a,b}"', "a b", "allow"),
    ],
)
def test_braces_and_extended_patterns_stand_for_files(sandbox: Sandbox, command: str, files: str, said: str) -> None:
    for name in files.split():
        write(sandbox.root / name / "work", "not committed")
    judged = sandbox.judge(command, keep=True)
    assert ("kept" if judged.verdict.kept else judged.verdict.decision) == said
    if said == "kept" and judged.kept:
        kept = {os.path.relpath(each.path, sandbox.root) for each in judged.kept.files if each.kind == "folder"}
        assert kept == set(files.split()) or ("!(" in command and kept > set(files.split()))


_FINDS = (
    "find . -name '*' -delete",
    "find . -path ./node_modules -prune -o -type f -exec rm {} +",
    "find . -name '*.nothing' -print -o -delete",
    "find . -type f -size 0 -delete -o -delete",
    "find -O3 . -name '*' -delete",
    "find . -name x -o -name '*.py' -print0 | xargs -0 rm -f",
    "find . -name '*.py' -o -name x | xargs rm -f",
    "find . -name '*.py' -newerct '1 year ago' -delete",
    r"find . \( -name '*.py' -delete \)",
    r"find . -name '*.py' -exec rm ./{} \;",
    "find . -name '*.py' -files0-from list -delete",
    "find . -name src -prune -o -name '*.py' -delete",
    "find ~/code/project/src -name '*.py' -delete",
    "find . -name '*.py' | grep -v keep | sort | xargs rm -f",
    "fd -u . src -x rm",
    "fd -e py -X rm -f",
    "fdfind new --exec=rm",
    "fd new src --exec-batch rm -f {}",
    "git ls-files -o | xargs rm -f",
    "git ls-files --others --exclude-standard -z | xargs -0 rm -rf",
    "rg --files src | xargs rm -f",
    "rg -l committed | xargs -r rm -f",
    "grep -rl committed . | xargs rm -f",
    "rm -f $(grep -rl committed src)",
    "rm -f `git ls-files -o`",
    "git diff --output=src/new.py",
    "grep x f | sponge src/new.py",
)


@pytest.mark.requirement("WRK-6", "WRK-12")
def test_what_find_removes_is_kept_or_asked_about_however_it_is_written(sandbox: Sandbox) -> None:
    for command in _FINDS:
        verdict = sandbox.judge(command).verdict
        assert verdict.kept or verdict.decision in ("ask", "deny"), command
    for harmless in (
        "find . -name '*.nothing' -delete",
        "find nowhere -name '*.o' -delete",
        "find . -name x -print -delete",
        "fd -e pyc -x rm",
        "git ls-files -o build | xargs rm -f",
        "grep -rl committed . | xargs sed -i s/a/b/",
    ):
        assert sandbox.judge(harmless).verdict.decision == "allow", harmless


@pytest.mark.requirement("WRK-6", "WRK-12")
def test_what_cannot_be_listed_is_asked_about(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcde":
        write(sandbox.root / "notes" / f"{name}.md", name)
    monkeypatch.setattr(facts, "MOST_PATHS", 3)
    for command in ("find . -name '*.md' -delete", "rm -f notes/*.md", "find . -name '*.md' | xargs sed -i s/a/b/"):
        verdict = sandbox.judge(command).verdict
        assert (verdict.decision, verdict.kept) == ("ask", False), command
    assert "cannot be listed" in verdict.reason


@pytest.mark.requirement("WRK-12")
def test_what_a_line_makes_and_removes_again_is_nobodys_loss(sandbox: Sandbox) -> None:
    passed = (
        "git worktree add -q ../try HEAD && git worktree remove --force ../try",
        "git switch -qc spike && git switch -q - && git branch -D spike",
        "mkdir ../beside && touch ../beside/x && rm -rf ../beside",
        "mkdir made && cd made && touch a && cd .. && rm -rf made",
        "cp draft.txt ~/copy.txt",
    )
    assert {command: sandbox.does(command) for command in passed} == dict.fromkeys(passed, "allow")
    # What was there before is not the line's own.
    sandbox.bash("git checkout -qb lonely && git commit -q --allow-empty -m x && git checkout -q main")
    write(sandbox.root / "notes" / "plan.md", "plan\n")
    assert sandbox.does("git branch lonely; git branch -D lonely") == "kept"
    assert sandbox.does("mkdir -p notes && rm -rf notes") == "kept"
    # `update` brings commits back, and not the changes in a submodule.
    assert sandbox.judge("git submodule deinit -f . ; git submodule update --init").verdict.decision == "ask"


@pytest.mark.requirement("WRK-15")
def test_a_line_that_loses_nothing_is_decided_at_once(sandbox: Sandbox) -> None:
    """No thread and no git: what is not there cannot be lost, and a command of git's own is no alias."""
    write(sandbox.root / "notes.md", "not committed\n")
    at_once = ("echo hi > new.txt", "rm -f gone.txt", "git switch -c fix", "docker run -d redis", "npm i > i.log")
    asked = ("echo hi > notes.md", "rm -rf src", "rm -f *.md", "git wipe", "npm run clean")
    looked = {command: sandbox.guards.look(sandbox.call(command)) for command in (*at_once, *asked)}
    assert [command for command, known in looked.items() if known is not None and known.is_allowed] == list(at_once)
    assert sandbox.guards.look(sandbox.call("echo " + "x " * 1_000)) is None


@pytest.mark.requirement("WRK-12", "WRK-13")
def test_a_program_that_rewrites_files_of_a_folder_runs_after_they_were_kept(sandbox: Sandbox) -> None:
    program = (
        "python3 - <<'EOF'\nimport pathlib\nfor p in pathlib.Path('src').rglob('*.py'):\n    p.write_text('gone')\nEOF"
    )
    judged = sandbox.judge(program, keep=True)
    assert judged.verdict.kept
    assert judged.kept is not None
    kept = [(each.kind, os.path.basename(each.path)) for each in judged.kept.files if each.kind != "parent"]
    assert kept == [("file", "new.py"), ("committed", "app.py")], "git has the other one"
    sandbox.bash(program)
    assert (sandbox.root / "src" / "new.py").read_text() == "gone"
    run(sandbox.guards.bring_back(judged.kept.id, over=True))
    assert (sandbox.root / "src" / "new.py").read_text() == "not committed\n"


LOOPS = (
    "python3 -c \"import os\nfor f in os.listdir('notes'): os.remove('notes/' + f)\"",
    "python3 -c \"import os\nfor r, d, fs in os.walk('notes'):\n for f in fs: os.remove(os.path.join(r, f))\"",
    "python3 -c \"from pathlib import Path\n[p.unlink() for p in Path('notes').rglob('*.md')]\"",
    "python3 -c \"import os\ndef gone(p): os.remove(p)\ngone('notes/plan.md')\"",
    "python3 -c 'import os, sys; os.remove(sys.argv[1])' notes/plan.md",
    "python3 -c \"import shutil; shutil.copy('src/app.py', 'notes/plan.md')\"",
    "perl -e 'unlink for <notes/*.md>'",
    "ls notes/*.md | xargs rm",
    "rm $(echo notes/plan.md)",
    "while read f; do rm $f; done < <(ls notes/*.md)",
    'mapfile -t a < <(ls notes/*.md); rm "${a[@]}"',
    "read f <<< notes/plan.md; rm $f",
    "printf -v f %s notes/plan.md; rm $f",
)
"""Lists and loops whose files git does not have."""


@pytest.mark.requirement("WRK-12", "WRK-13")
@pytest.mark.parametrize("command", LOOPS)
def test_what_a_list_or_a_loop_removes_is_kept_and_comes_back(sandbox: Sandbox, command: str) -> None:
    plan = write(sandbox.root / "notes" / "plan.md", "the only copy\n")
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is not None
    sandbox.bash(command)
    assert not plan.exists() or plan.read_text() != "the only copy\n"
    run(sandbox.guards.bring_back(judged.kept.id, over=True))
    assert plan.read_text() == "the only copy\n"


@pytest.mark.requirement("WRK-12")
@pytest.mark.parametrize(
    "command", ["xargs rm < list.txt", "cat list.txt | xargs rm -f", "while read f; do rm $f; done < list.txt"]
)
def test_a_list_that_cannot_be_read_is_asked_about(sandbox: Sandbox, command: str) -> None:
    write(sandbox.root / "list.txt", "src/new.py\n")
    assert sandbox.judge(command).verdict.decision == "ask"


@pytest.mark.requirement("WRK-12")
def test_the_output_of_another_project_is_removed_where_its_git_ignores_it(sandbox: Sandbox) -> None:
    other = sandbox.home / "code" / "web"
    write(other / "dist" / "app.js", "made\n")
    write(other / "build" / "page.md", "by hand\n")
    write(other / "node_modules" / "x" / "index.js", "made\n")
    write(other / ".gitignore", "dist/\n")
    sandbox.bash("git init -q .", cwd=other)
    assert sandbox.judge("cd ../web && rm -rf dist && npm run build").verdict.decision == "allow"
    assert sandbox.judge(f"rm -rf {other}/node_modules").verdict.decision == "allow"
    assert sandbox.judge("cd ../web && rm -rf build").verdict.decision == "deny"
    assert sandbox.judge("rm -rf ../web").verdict.decision == "deny"


@pytest.mark.requirement("WRK-6")
def test_a_rule_that_speaks_once_is_heard_where_a_file_of_the_project_is_read_too(sandbox: Sandbox) -> None:
    rule = '[[rule]]\nid = "mine.once"\ntools = "Bash"\nonce = true\naction = "ask"\nreason = "the tree is frozen"\n'
    write(sandbox.folder / "holdfast" / "guards" / "mine.toml", rule)
    write(sandbox.root / "package.json", '{"scripts": {"wipe": "echo done"}}')
    assert [sandbox.judge("npm run wipe").verdict.rule for _ in range(2)] == ["mine.once", ""]


@pytest.mark.requirement("WRK-12")
def test_what_is_put_into_the_home_directory_is_kept_where_a_file_of_that_name_is_there(sandbox: Sandbox) -> None:
    write(sandbox.home / "report.txt", "mine\n")
    assert not sandbox.judge("cp src/app.py ~/").verdict.kept
    write(sandbox.root / "report.txt", "new\n")
    assert sandbox.judge("cp report.txt ~/").verdict.kept
    assert sandbox.judge("git log > ~/report.txt").verdict.kept
    assert not sandbox.judge("git log > ~/other.txt").verdict.kept


@pytest.mark.requirement("WRK-12")
def test_an_output_that_is_not_seen_passes_by_its_name_and_a_folder_does_not(sandbox: Sandbox) -> None:
    assert sandbox.does("rm -rf /srv/acme/dist") == "allow"
    assert sandbox.does("rm -rf /srv/acme/data") == "deny"


@pytest.mark.requirement("WRK-12")
def test_what_a_filter_chooses_from_a_list_is_looked_at(sandbox: Sandbox) -> None:
    write(sandbox.root / "src" / "__pycache__" / "a.pyc", "x")
    judged = sandbox.judge("find . | grep __pycache__ | xargs rm -rf")
    assert judged.verdict.decision == "allow"
    assert sandbox.judge("find . | grep new | xargs rm -rf").verdict.decision == "deny"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What git is asked, in its order, with the folder and what it is given."""
    found: list[tuple[str, ...]] = []
    plain = Git._asked

    def counted(
        git: Git, words: tuple[str, ...], *, alone: bool, given: str
    ) -> subprocess.CompletedProcess[bytes] | None:
        found.append((*words, given, git.folder))
        return plain(git, words, alone=alone, given=given)

    monkeypatch.setattr(Git, "_asked", counted)
    return found


@pytest.mark.requirement("WRK-15")
@pytest.mark.parametrize(
    "command",
    ["rm -rf src && rm src/new.py", "for d in src docs; do rm -rf $d; done", "git checkout . && git reset --hard"],
)
def test_one_line_asks_git_each_question_once(sandbox: Sandbox, asked: list[tuple[str, ...]], command: str) -> None:
    sandbox.judge(command)
    assert asked
    assert len(asked) == len(set(asked))


@pytest.mark.requirement("WRK-15")
def test_of_an_output_that_git_ignores_no_more_is_asked(sandbox: Sandbox, asked: list[tuple[str, ...]]) -> None:
    write(sandbox.root / "build" / "x.o", "made\n")
    assert sandbox.judge("rm -rf build", keep=True).kept is None
    assert [question[0] for question in asked] == ["rev-parse", "check-ignore"]
