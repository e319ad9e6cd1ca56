"""Guards on the road: hook JSON in, the client's answer out, on both stores, in a real git repository."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast.rooms.guards.service import Guards
from tests.contract.site import Site
from tests.conversations.talk import Talk
from tests.support.roads import run


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "app.py").write_text("committed\n")
    (root / ".gitignore").write_text("build/\n")
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "-A"),
        ("-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", "first"),
    ):
        subprocess.run(("git", *words), cwd=root, check=True, capture_output=True)
    return root


def bash(command: str, cwd: Path, *, use: str = "toolu_1", session: str = "s1") -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "transcript_path": "",
        "cwd": str(cwd),
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": use,
    }


def decision(answer: dict[str, Any]) -> str:
    return str(answer.get("hookSpecificOutput", {}).get("permissionDecision", ""))


@pytest.mark.requirement("WRK-6", "WRK-7")
def test_a_refusal_names_its_rule_and_is_recorded(site: Site, repository: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            answer = await talk.tell(bash("echo ok && rm -rf ~", repository))
            assert decision(answer) == "deny"
            assert "files.delete" in answer["hookSpecificOutput"]["permissionDecisionReason"]
            assert "allow-once" in answer["systemMessage"]
            rows = await talk.services.get(Guards).records.recent(10)
            assert [(row["decision"], row["rule"], row["command"]) for row in rows] == [
                ("deny", "files.delete", "echo ok && rm -rf ~")
            ]

    run(story())


@pytest.mark.requirement("WRK-7", "EVT-18")
def test_a_private_tag_hides_no_command_from_the_guard(site: Site, repository: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            answer = await talk.tell(bash('echo "<private>"; rm -rf ~ # </private>', repository))
            assert decision(answer) == "deny"
            rows = await talk.services.get(Guards).records.recent(10)
            assert "rm -rf" not in str(rows[0]["command"])

    run(story())


@pytest.mark.requirement("WRK-12")
def test_facts_about_the_target_decide(site: Site, repository: Path) -> None:
    (repository / "build").mkdir()
    (repository / "build" / "x.o").write_text("made")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            assert decision(await talk.tell(bash("rm -rf build", repository, use="t1"))) == ""
            assert decision(await talk.tell(bash("rm -rf src", repository, use="t2"))) == ""  # git has it
            assert decision(await talk.tell(bash("git reset --hard", repository, use="t3"))) == ""  # nothing to lose
            assert decision(await talk.tell(bash("rm -rf .", repository, use="t4"))) == "deny"

    run(story())


@pytest.mark.requirement("WRK-13")
def test_work_that_git_does_not_have_is_kept_and_brought_back(site: Site, repository: Path, tmp_path: Path) -> None:
    changed = repository / "src" / "app.py"
    changed.write_text("only here\n")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            answer = await talk.tell(bash("git checkout -- .", repository))
            assert decision(answer) == ""
            assert "holdfast undo" in answer["hookSpecificOutput"]["additionalContext"]
            changed.write_text("committed\n")  # what the command does
            _, restored = await talk.services.get(Guards).bring_back("", over=True)
            assert restored == [str(changed)]
            assert changed.read_text() == "only here\n"

    run(story())
