"""The commits of a real repository, over the road and the tools, on both databases."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.doors.tools import call
from holdfast.errors import NothingFound
from holdfast.rooms.commits.service import Commits
from tests.contract.site import Site
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse
from tests.processes.road.test_identity import git

SECRET = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"


def commit(root: Path, message: str, **files: str) -> None:
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "shop"
    made.mkdir()
    git(made, "init", "-q", "-b", "main")
    for n in range(4):
        commit(made, f"Cart step {n}", cart=str(n), test_cart=str(n))
    commit(made, f"Repair the flaky checkout\n\nThe token was {SECRET}.", checkout="1")
    return made


async def settle(talk: Talk) -> None:
    """Do the jobs of this room; those of others are not what is tested here."""
    for subject, (name, arguments) in list(talk.asked.items()):
        del talk.asked[subject]
        if name.startswith("commits."):
            await talk.composed.kinds[name](arguments)


async def asked(talk: Talk, tool: str, folder: Path, **arguments: Any) -> Any:
    found = talk.composed.declared.tools[tool]
    place = await talk.items.project_at(str(folder))
    caller = talk.caller(project=place, folder=str(folder))
    return msgspec.to_builtins(await call(found, msgspec.json.encode(arguments), caller))


@pytest.mark.requirement("CTX-4")
def test_a_repository_is_read_when_a_session_starts_and_follows_its_branches(site: Site, root: Path) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1", str(root))
        assert not await session.use("Read", {"file_path": f"{root}/cart.py"}, {}), "nothing is known yet"
        await session.start()
        assert "commits.index" in [name for name, _ in talk.asked.values()]
        await settle(talk)

        second = Session(talk, "s2", str(root))
        await second.start()
        assert "commits.index" not in [name for name, _ in talk.asked.values()], "HEAD is where it was"
        given = await second.use("Read", {"file_path": f"{root}/cart.py"}, {})
        assert "Usually changes together with cart.py: test_cart.py (4 of 4 commits)." in given
        assert 'from="commits"' in given
        assert not await second.use("Read", {"file_path": f"{root}/cart.py"}, {}), "once"
        assert not await second.use("Read", {"file_path": f"{root}/test_cart.py"}, {}), "cart.py was read"
        assert not await second.use("Read", {"file_path": f"{root}/checkout.py"}, {})

        found = await asked(talk, "search_commits", root, query="flaky checkout")
        assert [each["title"] for each in found] == ["Repair the flaky checkout"]
        assert found[0].get("trust", "repository") == "repository"
        kept = await talk.services.get(Commits).history(await talk.items.project(str(root)))
        assert SECRET not in str(kept.commits)
        told = await asked(talk, "get_file_history", root, file="cart.py")
        assert len(told["commits"]) == 4
        assert told["changes_with"] == [{"file": "test_cart.py", "together": 4, "of": 4}]
        churned = await asked(talk, "get_churn_hotspots", root, days=36_500)
        assert [each["file"] for each in churned[:2]] == ["cart.py", "test_cart.py"]

        # The last commit is written anew, a file is moved, another one goes; a branch comes and goes. Nothing of it is
        # told to the daemon, and the next answer is right all the same.
        git(root, "checkout", "-q", "-b", "try/it")
        commit(root, "Try it on a branch")
        assert [each["title"] for each in await asked(talk, "search_commits", root, query="try")] == [
            "Try it on a branch"
        ]
        git(root, "checkout", "-q", "-")
        git(root, "branch", "-q", "-D", "try/it")
        assert await asked(talk, "search_commits", root, query="try") == []
        git(root, "mv", "test_cart.py", "cart_test.py")
        git(root, "rm", "-q", "checkout.py")
        git(root, "commit", "-q", "--amend", "-m", "Move the tests")
        found = await asked(talk, "search_commits", root, query="")
        assert [each["title"] for each in found] == ["Move the tests", *(f"Cart step {n}" for n in (3, 2, 1, 0))]
        third = Session(talk, "s3", str(root))
        given = await third.use("Read", {"file_path": f"{root}/cart.py"}, {})
        assert "cart_test.py (4 of 4 commits)" in given
        assert "checkout.py" not in [each["file"] for each in await asked(talk, "get_churn_hotspots", root)]

        (root / "cart_test.py").unlink()
        fourth = Session(talk, "s4", str(root))
        assert not await fourth.use("Read", {"file_path": f"{root}/cart.py"}, {}), "what is gone is not named"

        (root / ".holdfast.toml").write_text("[commits]\nat_read = false\nindex = false\n")
        git(root, "checkout", "-q", "--", "cart_test.py")
        off = Session(talk, "s5", str(root))
        assert not await off.use("Read", {"file_path": f"{root}/cart.py"}, {})
        commit(root, "later")
        await off.start()
        assert "commits.index" not in [name for name, _ in talk.asked.values()]

    converse(site, story)


@pytest.mark.requirement("CTX-4")
def test_what_git_cannot_tell_is_left_with_one_line(
    site: Site, root: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    broken = tmp_path / "broken"
    broken.mkdir()
    git(broken, "init", "-q", "-b", "main")
    commit(broken, "one", a="1")
    for each in (broken / ".git" / "objects").glob("??"):
        each.rename(each.with_name(f"x{each.name}"))
    plain = tmp_path / "plain"
    plain.mkdir()

    async def story(talk: Talk) -> None:
        caplog.set_level(logging.INFO, "holdfast")
        service = talk.services.get(Commits)
        for folder, found in ((empty, "none"), (broken, "unread"), (plain, "none")):
            caplog.clear()
            done = await service.index(await talk.items.project_at(str(folder)), str(folder))
            assert (done.found, done.kept) == (found, 0), folder
            assert done.problem
            assert len([each for each in caplog.records if "holdfast.rooms.commits" in each.name]) <= 1
            with pytest.raises(NothingFound):
                await asked(talk, "search_commits", folder, query="x")
        monkeypatch.setenv("PATH", "")
        monkeypatch.setattr("os.defpath", "")
        done = await service.index(await talk.items.project_at(str(root)), str(root))
        assert done.found == "unread"
        monkeypatch.undo()
        assert len(await asked(talk, "search_commits", root, query="cart")) == 4, "and the rest goes on"

    converse(site, story)


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("CTX-4")
def test_a_forgotten_text_does_not_come_back_from_the_repository(site: Site, root: Path) -> None:
    async def story(talk: Talk) -> None:
        assert len(await asked(talk, "search_commits", root, query="")) == 5
        await asked(talk, "forget", root, text="flaky checkout")
        assert len(await asked(talk, "search_commits", root, query="")) == 4
        await asked(talk, "index_commits", root)
        assert len(await asked(talk, "search_commits", root, query="")) == 4

    converse(site, story)


@pytest.mark.requirement("CTX-4", "MEM-30")
def test_where_nothing_is_recorded_commits_are_read_only_when_the_user_asks(site: Site, root: Path) -> None:
    async def story(talk: Talk) -> None:
        service = talk.services.get(Commits)
        service.ground = replace(service.ground, is_recorded=lambda folder, at, session="": False)
        project = await talk.items.project_at(str(root))
        await talk.composed.kinds["commits.index"]({"project_id": project, "worktree": str(root)})
        with pytest.raises(NothingFound):
            await asked(talk, "search_commits", root, query="flaky checkout")
        assert await service.state(project) is None
        assert (await service.index(project, str(root), is_asked_for=True)).new == 5

    converse(site, story)
