"""Inline programs of every language: all files that one call removes or writes over are kept, and come back."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.guarded import Sandbox, write

pytestmark = pytest.mark.requirement("WRK-13")

TABLE = Path(__file__).parents[1] / "data" / "guards" / "inline_losing.txt"
ROWS = [
    tuple(re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], row).split(" | ", 1))
    for row in TABLE.read_text("utf-8").splitlines()
    if not row.startswith("#")
]
ONLY_READ = ("ruby", "php")
"""No interpreter of these need be here; what would be kept is looked at."""


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    write(made.root / "README.md", "committed\n")
    made.bash("git init -q -b main && git add -A && git commit -qm first")
    for name in ("a.txt", "b.txt", "c.txt", "d/x.txt", "e/y.txt"):
        write(made.root / name, f"the only copy of {name}\n")
    return made


@pytest.mark.parametrize(("files", "command"), ROWS)
def test_all_that_a_program_names_is_kept_and_comes_back(sandbox: Sandbox, files: str, command: str) -> None:
    judged = sandbox.judge(command, keep=True)
    assert judged.kept is not None
    kept = {os.path.relpath(each.path, sandbox.root) for each in judged.kept.files if each.kind == "file"}
    assert set(files.split()) <= kept
    if command.startswith(ONLY_READ) or shutil.which(command.split()[0]) is None:
        return
    before = sandbox.snapshot()
    sandbox.bash(command)
    sandbox.guards.undo.restore(judged.kept, over=True)
    after = sandbox.snapshot()
    assert {name: after.get(name) for name in before} == before


@pytest.mark.parametrize(
    "command",
    [
        "python3 -c \"import shutil,sys; shutil.copyfile('a.txt', sys.stdin.readline().strip())\"",
        "python3 -c \"import shutil,json; shutil.move('a.txt', json.load(open('c.json'))['to'])\"",
        "node -e 'fs.copyFileSync(\"a.txt\", process.env.TARGET)'",
        "perl -MFile::Copy -e 'copy(\"a.txt\", $ENV{T})'",
        'ruby -rfileutils -e \'FileUtils.cp("a.txt", ENV["T"])\'',
        'php -r \'copy("a.txt", getenv("T"));\'',
    ],
)
def test_a_file_that_is_computed_at_run_time_is_said_and_asked_about(sandbox: Sandbox, command: str) -> None:
    verdict = sandbox.judge(command, keep=True).verdict
    assert verdict.decision == "ask"
    assert "computed at run time" in verdict.reason


@pytest.mark.parametrize(
    "command",
    [
        "python3 -c \"import os\nfor f in os.listdir('.'): os.rename(f, f.replace(' ', '_'))\"",
        "python3 -c \"import shutil; shutil.copy('a.txt', 'new.txt')\"",
        'node -e \'for (const f of fs.readdirSync(".")) fs.copyFileSync(f, f + ".bak")\'',
    ],
)
def test_a_program_that_renames_what_it_lists_is_in_nobodys_way(sandbox: Sandbox, command: str) -> None:
    assert sandbox.judge(command, keep=True).verdict.decision in ("allow", "warn")
