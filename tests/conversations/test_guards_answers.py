"""The answer to a call about which several things hold: kept bytes, a question, a warning, a mode without questions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast.ids import ConversationId
from holdfast.rooms.guards import ROOM, pane, state
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.guards.tools import ListRules, list_rules
from tests.contract.site import Site
from tests.conversations.talk import Talk
from tests.conversations.test_guards import bash, decision, repository
from tests.support.roads import run

__all__ = ["repository"]
ASKED = {
    "a forced push": "git push --force origin main",
    "the client's settings, which are there": "echo '{}' > .claude/settings.json",
    "a hook of git, which is there": "echo x > .git/hooks/pre-commit",
}


@pytest.fixture
def drafted(repository: Path) -> Path:
    """A repository with a file that git does not have, and with files that decide which programs run."""
    for name in ("draft.txt", ".claude/settings.json", ".git/hooks/pre-commit"):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text("the only copy\n")
    return repository


@pytest.mark.requirement("WRK-6", "WRK-13")
def test_bytes_that_are_kept_allow_no_other_part_of_the_line(site: Site, drafted: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            guards = talk.services.get(Guards)
            for number, (name, command) in enumerate(ASKED.items()):
                for line in (command, f"rm draft.txt; {command}", f"{command} && rm draft.txt"):
                    answer = await talk.tell(bash(line, drafted, use=f"t{number}"))
                    assert decision(answer) == "ask", (name, line)
                    assert "allow-once" in answer["systemMessage"]
                    assert "additionalContext" not in answer["hookSpecificOutput"], "it has not run yet"
            (newest, *_) = guards.undo.listed()
            said = answer["hookSpecificOutput"]["permissionDecisionReason"]
            assert f"If it runs, `holdfast undo {newest.id}" in said
            assert guards.records.counted["kept"] == 0
            assert guards.records.counted["ask"] == 9

    run(story())


@pytest.mark.requirement("WRK-6", "WRK-13")
def test_a_warning_and_kept_bytes_are_both_told(site: Site, drafted: Path, tmp_path: Path) -> None:
    rules = tmp_path / "home" / "guards"
    rules.mkdir(parents=True)
    (rules / "mine.toml").write_text('[[rule]]\nid = "mine.rm"\nprograms = "rm"\naction = "warn"\nreason = "mind it"\n')

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            answer = await talk.tell(bash("rm draft.txt", drafted))
            told = answer["hookSpecificOutput"]["additionalContext"]
            assert "mine.rm" in told
            assert "holdfast undo" in told

    run(story())


@pytest.mark.requirement("WRK-6", "WRK-13")
def test_the_pane_counts_what_was_kept_and_what_was_asked_about(site: Site, drafted: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            kept = bash("rm draft.txt", drafted, use="t1")
            await talk.tell(kept)
            await talk.tell(bash("git push --force origin main", drafted, use="t2"))
            caller = replace(talk.caller(), conversation=ConversationId(kept["session_id"]))
            _, counted, last = await pane.lines(caller)
            assert counted == "1 asked about, 1 allowed after a copy was kept"
            assert last.endswith("git push --force origin main")

    run(story())


@pytest.mark.requirement("WRK-7")
def test_where_the_client_asks_nobody_the_question_is_a_refusal_and_nothing_stays_kept(
    site: Site, drafted: Path, tmp_path: Path
) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")

            async def told(line: str, mode: str) -> dict[str, Any]:
                return dict(await talk.tell(bash(line, drafted, use=f"{mode}{line}") | {"permission_mode": mode}))

            for number, command in enumerate(ASKED.values()):
                line = f"rm draft.txt; {command}; touch .vscode/a{number}"
                assert decision(await told(line, "default")) == "ask"
                assert decision(await told(line, "bypassPermissions")) == "deny"
            assert decision(await told("git push --force", "bypassPermissions")) == "ask"
            kept = talk.services.get(Guards).undo.listed()
            assert len(kept) == len(ASKED), "those of the questions, none of the refusals"

    run(story())


STOP = {"hook_event_name": "Stop", "session_id": "s1", "transcript_path": "", "last_assistant_message": "Done."}
TESTS_FIRST = '[[rule]]\nid = "mine.stop"\nevents = "Stop"\naction = "deny"\nreason = "run the tests first"\n'


@pytest.mark.requirement("WRK-6", "MEM-10")
@pytest.mark.parametrize("mode", ["on", "dry-run"])
def test_a_refusal_at_another_event_is_counted_and_recorded(
    site: Site, drafted: Path, tmp_path: Path, mode: str
) -> None:
    rules = tmp_path / "home" / "guards"
    rules.mkdir(parents=True)
    (rules / "mine.toml").write_text(TESTS_FIRST)

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            guards = talk.services.get(Guards)
            guards.settings = Settings(mode=mode)  # type: ignore[arg-type]
            answer = await talk.tell(STOP | {"cwd": str(drafted)})
            assert ("Run the tests first" in str(answer)) is (mode == "on")
            (row,) = await guards.records.recent(10)
            wanted = "deny" if mode == "on" else "dry-run: deny"
            assert (row["decision"], row["rule"], row["tool"]) == (wanted, "mine.stop", "Stop")
            listed = {each.id: each.decided for each in await list_rules(ListRules(), talk.caller())}
            assert listed["mine.stop"] == 1

    run(story())


@pytest.mark.requirement("WRK-6")
def test_doctor_names_what_is_wrong_with_a_projects_rules_and_with_what_is_allowed(
    site: Site, drafted: Path, tmp_path: Path
) -> None:
    (drafted / ".holdfast-guards.toml").write_text(
        '[[rule]]\nid = "p"\nprograms = "x"\nactoin = "deny"\nreason = "y"\n'
    )

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            guards = talk.services.get(Guards)
            guards.settings = Settings(allow=("git.push-force", "git.pushforce", "files.holdfast", "cloud.*"))
            await talk.tell(bash("git push -f", drafted))
            said = str(await state.rule_files(talk.services))
            assert ".holdfast-guards.toml, line 4, actoin: it is no key of a rule" in said
            assert "'git.pushforce' is no rule" in said
            assert len(said.splitlines()) == 3, "one line for each"
            assert "'files.holdfast' is no rule" in said, "it is never off"
            assert "'cloud.*'" not in said
            assert state.sign(guards) == "guards on but for git.push-force, cloud.*"
            guards.settings = Settings()
            lines = {check.name: await check.examine(talk.services) or check.fine for check in ROOM.checks}
            assert "it is no key of a rule" in lines["guard rules"]
            assert lines["guards"] == "Guards are on.", "what is well is said of the guards, not of the rules"
            guards.records.counted["unguarded"] = 1
            assert state.sign(guards) == "guards on, 1 command ran unguarded while the daemon was away"

    run(story())
