"""Questions that the client would not put to anybody are refusals (Claude Code 2.1.325)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast.rooms.guards.answering.modes import enforced
from holdfast.rooms.guards.model import Verdict
from holdfast.rooms.guards.service import ToolCall
from tests.support.table import each_of

ASK = Verdict("ask", "git.push-force", "a forced push writes over what others may have pushed")
PUSH = "git push --force origin main"


def decided(arguments: dict[str, Any], mode: str, cwd: str = "/srv/app", verdict: Verdict = ASK) -> Verdict:
    return enforced(verdict, ToolCall("Bash", arguments, cwd, mode=mode))


@pytest.mark.requirement("WRK-7")
@each_of(
    "line",
    (
        f"{PUSH}; echo x > .git/foo",
        f"{PUSH} && echo x >> ~/.bashrc",
        f"touch .vscode/a; {PUSH}",
        f"sed -i s/a/b/ '.npmrc' && {PUSH}",
        f'cp a "$HOME/.claude/settings.json"; {PUSH}',
        f"rm -rf .*; {PUSH}",
        f"tee<.gitconfig>.gitmodules; {PUSH}",
        f"touch ./.husky/pre-commit; {PUSH}",
    ),
)
def test_a_line_with_a_path_of_the_clients_own_questions_is_refused_where_nobody_is_asked(line: str) -> None:
    for mode in ("bypassPermissions", "auto"):
        told = decided({"command": line}, mode)
        assert told.decision == "deny"
        assert mode in told.reason
    for mode in ("default", "acceptEdits", "plan", "dontAsk", ""):
        assert decided({"command": line}, mode) is ASK


@pytest.mark.requirement("WRK-7")
@each_of(
    "line",
    (
        PUSH,
        f"cd ../web && ./deploy.sh && {PUSH}",
        f"rm a.txt *.pyc b.d/c; {PUSH}",
        f"echo 1.5 v2.0 {{a,b}}.txt; {PUSH}",
    ),
)
def test_any_other_question_stays_a_question(line: str) -> None:
    assert decided({"command": line}, "bypassPermissions") is ASK


@pytest.mark.requirement("WRK-7")
def test_tools_that_write_files_and_the_folder_of_the_call_count_too() -> None:
    assert decided({"file_path": "/home/a/.profile"}, "bypassPermissions").decision == "deny"
    assert decided({"notebook_path": "/srv/app/.idea/n.ipynb"}, "bypassPermissions").decision == "deny"
    assert decided({"file_path": "/srv/app/migrations/1.sql"}, "bypassPermissions") is ASK
    assert decided({"command": PUSH}, "bypassPermissions", "/srv/app/.git").decision == "deny"
    assert decided({"command": f"{PUSH}\0"}, "bypassPermissions") is ASK
    allowed = Verdict("warn", "mine", "mind it")
    assert decided({"command": "touch .git/x"}, "bypassPermissions", verdict=allowed) is allowed


@pytest.mark.requirement("WRK-7", "WRK-12")
def test_a_link_that_leads_to_such_a_path_is_followed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "hooks").symlink_to(".git")
    told = decided({"command": f"touch hooks/pre-commit; {PUSH}"}, "bypassPermissions", str(tmp_path))
    assert told.decision == "deny"
    assert decided({"command": f"touch other/a; {PUSH}"}, "bypassPermissions", str(tmp_path)) is ASK
