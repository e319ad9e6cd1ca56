"""Guards on the road: hook JSON in, the client's answer out, on both stores, in a real git repository."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast.items.tools import Why
from holdfast.program import PROGRAM
from holdfast.road.edge import read_payload
from holdfast.rooms.guards import state
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.guards.tools import ListRules, list_rules
from holdfast.upkeep.forget import Forgetting
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.site import Site
from tests.conversations.learner import Learner
from tests.conversations.talk import Talk, converse
from tests.conversations.test_lessons import asked
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
            _, restored, _ = await talk.services.get(Guards).bring_back("", over=True)
            assert restored == [str(changed)]
            assert changed.read_text() == "only here\n"

    run(story())


def tree_of(repository: Path, *, bare: bool) -> Path:
    """A linked worktree with a commit, a change and a draft of its own; of a bare repository where that is wanted."""
    tree = repository / ".claude" / "worktrees" / "w2"
    main = repository
    if bare:
        main = repository.parent / "shop.git"
        git(repository.parent, "clone", "-q", "--bare", str(repository), str(main))
    git(main, "worktree", "add", "-q", "-b", "worktree-w2", str(tree))
    (tree / "more.txt").write_text("committed there\n")
    git(tree, "add", "more.txt")
    git(tree, "commit", "-qm", "second")
    (tree / "src" / "app.py").write_text("only here\n")
    (tree / "draft.txt").write_text("the only copy\n")
    return tree


def git(folder: Path, *words: str) -> str:
    own = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    return subprocess.run(("git", *own, *words), cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize("bare", [False, True])
def test_a_worktree_that_the_client_discards_comes_back_with_its_branch(
    site: Site, repository: Path, tmp_path: Path, bare: bool
) -> None:
    tree = tree_of(repository, bare=bare)
    main, head = (
        Path(git(tree, "rev-parse", "--path-format=absolute", "--git-common-dir")),
        git(tree, "rev-parse", "HEAD"),
    )
    leaves = bash("", tree) | {
        "tool_name": "ExitWorktree",
        "tool_input": {"action": "remove", "discard_changes": True},
    }

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            answer = await talk.tell(leaves)
            assert decision(answer) == ""
            assert "holdfast undo" in answer["hookSpecificOutput"]["additionalContext"]
            git(main, "worktree", "remove", "--force", str(tree))
            git(main, "branch", "-D", "worktree-w2")
            await talk.services.get(Guards).bring_back("", over=False)
            assert (tree / "src" / "app.py").read_text() == "only here\n"
            assert (tree / "draft.txt").read_text() == "the only copy\n"
            assert git(tree, "symbolic-ref", "HEAD") == "refs/heads/worktree-w2"
            assert git(tree, "rev-parse", "HEAD") == head
            assert git(tree, "status", "--short") == "M src/app.py\n?? draft.txt", "as it was, nothing else"

    run(story())


@pytest.mark.requirement("WRK-13")
def test_what_is_held_of_a_discarded_worktree_goes_with_its_undo_copy(
    site: Site, repository: Path, tmp_path: Path
) -> None:
    tree = tree_of(repository, bare=False)
    leaves = bash("", tree) | {
        "tool_name": "ExitWorktree",
        "tool_input": {"action": "remove", "discard_changes": True},
    }

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            await talk.tell(leaves)
            undo = talk.services.get(Guards).undo
            git(repository, "worktree", "remove", "--force", str(tree))
            assert git(repository, "for-each-ref", "refs/holdfast") != ""
            undo.drop(undo.listed())
            assert git(repository, "for-each-ref", "refs/holdfast") == ""

    run(story())


@pytest.mark.requirement("MEM-10", "WRK-6", "WRK-13")
def test_why_and_show_explain_a_refusal_and_forget_takes_what_was_kept(
    site: Site, repository: Path, tmp_path: Path
) -> None:
    draft = repository / "draft.txt"
    draft.write_text("the only copy\n")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            answer = await talk.tell(bash("rm draft.txt", repository))
            said = answer["hookSpecificOutput"]["additionalContext"]
            assert "kept 1 file" in said
            assert "brings it back" in said
            guards = talk.services.get(Guards)
            (kept,) = guards.undo.listed()
            assert kept.rule == "files.delete"
            item_id = f"g{kept.id}"
            why = await talk.composed.declared.tools["why"].run(Why(item_id), talk.caller())
            assert "files.delete" in str(why)
            assert f"holdfast undo {kept.id}" in str(why)
            await talk.tell(bash("git push --force origin main", repository, use="t2"))
            newest = (await guards.records.recent(1))[0]["id"]
            asked = str(await talk.composed.declared.tools["why"].run(Why(f"g{newest[-8:]}"), talk.caller()))
            assert "'instead': '`git push --force-with-lease" in asked
            assert "'parts': ['git push --force origin main']" in asked
            searched, _ = await talk.call("search", text="draft")
            assert "refusal" not in searched, "what was decided is no lesson"
            forgetting = talk.composed.services.get(Forgetting)
            await forgetting.forget(ForgetRequest(ids=(item_id, f"g{newest[-8:]}")))
            assert guards.undo.listed() == []
            assert await guards.records.recent(10) == []

    run(story())


@pytest.mark.requirement("WRK-6", "WRK-15")
def test_what_was_decided_without_a_store_is_taken_down_later(site: Site, repository: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            road = talk.composed.road
            road.gate.close("the store is locked")
            body = read_payload(json.dumps(bash("rm -rf ~", repository, use="t1")).encode())
            travelled = await road.travel(body, source="http")
            assert not travelled.kept
            assert travelled.answer.decision is not None
            assert travelled.answer.decision.kind == "deny"
            assert "allow-once" in (travelled.answer.message or ""), "the person can still allow it"
            road.gate.open()
            await talk.tell(bash("rm -rf ~", repository, use="t1"), source="spool")
            await talk.tell(bash("rm -rf ~/other", repository, use="t2"), source="spool")
            rows = await talk.services.get(Guards).records.recent(10)
            assert [row["decision"] for row in reversed(rows)] == ["deny", "unguarded: deny"]
            said = await state.status(talk.services)
            assert "ran while the daemon was away" in said.lines[0][1]

    run(story())


REFUSED = "PreToolUse:Bash hook error: holdfast (git.push-force): It overwrites the history of others."
"""The result of a refused call, as the client words it. It comes with no event; the transcript tells it later."""


@pytest.mark.requirement("WRK-6")
def test_what_was_refused_teaches_no_way_around(site: Site) -> None:
    async def story(talk: Talk) -> None:
        push, around = "git push --force origin main", "git config alias.p 'push --force' && git p origin main"
        agent = Learner(talk, "s1")
        await agent.start()
        await agent.run(push, error=REFUSED)
        await agent.run(around, "ok")
        await agent.run(push, "done")
        await agent.stop("It was refused by a guard. I fixed it by an alias of git.")
        await agent.end()
        remedies = await asked(talk, "list_remedies", project_id="all")
        assert [each for each in remedies if "git push" in str(each)] == []
        other = Learner(talk, "s2")
        assert "alias.p" not in await other.start()
        assert "alias.p" not in await other.ask(f"Run `{push}` for me")
        assert "alias.p" not in await other.run(push, error=REFUSED)

    converse(site, story)


HOSTILE = (
    "echo " + "x" * 1_000_000 + "; rm -rf ~",
    "; ".join(f"echo {number}" for number in range(5_000)) + "; rm -rf ~",
    "echo 'never closed; rm -rf ~",
    "$(" * 3_000 + "rm -rf ~",
    "rm -rf \0~\0",
    "a=1;" * 20_000 + "rm -rf ~",
    "rm -rf " + "{a,b}" * 40,
    "\\\n" * 50_000,
)


@pytest.mark.requirement("WRK-15", "SEC-7")
def test_every_line_gets_an_answer(site: Site, repository: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, program=PROGRAM)
            talk.composed.road.program = PROGRAM  # with the deadlines of the product
            for number, line in enumerate(HOSTILE):
                answer = await talk.tell(bash(line, repository, use=f"t{number}"))
                if "rm -rf ~" in line and "'never" not in line and "$(" not in line:
                    assert decision(answer) in ("ask", "deny"), line[:60]
            assert talk.composed.meter.counts()["PreToolUse"].get("dropped", 0) == 0, "no decision was late"

    run(story())


@pytest.mark.requirement("WRK-14")
def test_every_rule_has_a_counter_of_its_own(site: Site, repository: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            for number, command in enumerate(("npm unpublish x --force", "npm publish", "npm publish", "rm -rf ~")):
                assert decision(await talk.tell(bash(command, repository, use=f"t{number}"))) in ("ask", "deny")
            listed = await list_rules(ListRules(), talk.caller())
            decided = [(each.id, each.decided) for each in listed if each.decided]
            assert ("files.delete", 1) in decided
            assert sorted(number for name, number in decided if name.startswith("publish.")) == [1, 2]
            told = await state.status(talk.services)
            assert sum(told.values["guards"]["rules"].values()) == 4

    run(story())
