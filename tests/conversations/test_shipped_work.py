"""Work that was only committed, pushed or merged: it is not told again, and what was merged is not elsewhere."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.contract.site import Site
from tests.conversations.days import DaySession, lines, work
from tests.conversations.talk import Talk, converse

_SHIPPED = (
    ("push it", "Pushed to origin/main.", "git push", "main -> main"),
    ("push das mal", "Ist gepusht.", "git push", "main -> main"),
    ("pousse", "C'est poussé.", "git push origin main", "main -> main"),
    ("commit it", "Committed as abc1234.", "git commit -am 'Retry uploads'", "[main abc1234] Retry uploads"),
    ("commit and push", "Committed and pushed.", "git commit -am 'Retry' && git push", "[main abc1234] Retry"),
)


@pytest.mark.requirement("MEM-19")
def test_a_session_that_only_ships_earlier_work_is_not_in_the_brief(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await work(talk, 0, "why do uploads fail?", "Uploads failed because the retry was never reached.", "up.py")
        for day, (asked, said, command, shown) in enumerate(_SHIPPED, 1):
            session = DaySession(talk, day)
            await session.start()
            await session.ask(asked)
            await session.bash(command, shown)
            await session.stop(said)
            await session.end()
        told = lines(await DaySession(talk, 7).start())
        assert [each for each in told if "Uploads failed because" not in each] == []
        assert told

    converse(site, story)


@pytest.mark.requirement("MEM-24")
def test_an_amended_commit_is_told_once(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("retry uploads")
        await session.edit("/p/up.py")
        await session.bash("git commit -am 'Retry uploads'", "[main abc1234] Retry uploads")
        await session.bash("git commit --amend -m 'Retry uploads thrice'", "[main abc1235] Retry uploads thrice")
        await session.stop("Uploads retry three times now.")
        await session.end()
        found = await talk.store.read(lambda reader: reader.all("memory.summaries_of", conversation=session.name))
        for row in found:
            told = [each for each in str(row["done"]).splitlines() if each.startswith("Committed")]
            assert told == ["Committed: Retry uploads thrice"]
        assert found

    converse(site, story)


@pytest.mark.requirement("MEM-23")
def test_merged_work_is_not_labelled_with_its_branch(site: Site, tmp_path: Path) -> None:
    def git(*words: str, at: Path) -> None:
        subprocess.run(("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words), cwd=at, check=True)

    root, side, other = tmp_path / "repo", tmp_path / "side", tmp_path / "other"
    root.mkdir()
    git("init", "-q", "-b", "main", at=root)
    git("commit", "-q", "--allow-empty", "-m", "start", at=root)
    git("worktree", "add", "-q", "-b", "hotfix", str(side), at=root)
    git("worktree", "add", "-q", "-b", "idea", str(other), at=root)

    async def story(talk: Talk) -> None:
        await work(talk, 0, "Fix the crash", "The crash was caused by an empty cart.", "cart.py", cwd=str(side))
        await work(talk, 0, "Try the idea", "Totals are kept because sums were slow.", "sums.py", cwd=str(other))
        merging = DaySession(talk, 1, str(root))
        assert "on branch hotfix" in await merging.start()
        await merging.ask("merge the hotfix")
        await merging.bash("git merge --no-ff hotfix", "Merge made by the 'ort' strategy.")
        await merging.stop("hotfix is merged.")
        await merging.end()
        told = await DaySession(talk, 2, str(root)).start()
        assert "empty cart" in told
        assert "on branch hotfix" not in told
        assert "on branch idea" in told
        await work(talk, 3, "Fix the tax", "The tax was off because of a rounding.", "tax.py", cwd=str(side))
        assert "on branch hotfix" in await DaySession(talk, 4, str(root)).start()  # it came after the merge

    converse(site, story)
