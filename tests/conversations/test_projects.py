"""A project that moved: sessions in its new folder get what they knew (on both databases)."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import NothingFound, UsageError
from holdfast.upkeep.projects import Projects
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse


def test_a_session_of_two_windows_is_one(site: Site) -> None:
    async def story(talk: Talk) -> None:
        about = {"session_id": "s1", "cwd": "/p"}
        for source in ("startup", "compact"):
            await talk.tell(about | {"hook_event_name": "SessionStart", "source": source})
            await talk.tell(about | {"hook_event_name": "UserPromptSubmit", "prompt": "Round VAT half up."})
        await talk.tell(about | {"hook_event_name": "SubagentStart", "agent_id": "a1", "agent_type": "Explore"})
        [project] = await talk.composed.services.get(Projects).all()
        assert project.sessions == 1

    converse(site, story)


def test_what_is_kept_of_a_project_follows_it_to_its_new_place(site: Site, tmp_path: Path) -> None:
    old, new = tmp_path / "old" / "website", tmp_path / "work" / "website"

    async def story(talk: Talk) -> None:
        async def ask(session: str, folder: Path, text: str) -> None:
            about = {"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": str(folder), "prompt": text}
            await talk.tell(about)

        projects = talk.composed.services.get(Projects)
        await ask("s1", old, "Round VAT half up, per invoice.")
        await ask("s2", new, "Where is everything?")
        before = {each.place: each.id for each in await projects.all()}
        assert set(before) == {str(old), str(new)}
        with pytest.raises(UsageError, match="2 projects are named website"):
            await projects.move("website", str(new))
        with pytest.raises(NothingFound, match="There is no project nowhere"):
            await projects.move("nowhere", str(new))
        moved = await projects.move(str(old), str(new))
        assert (moved.id, moved.before, moved.place) == (before[str(old)], str(old), str(new))
        assert moved.set_aside == f"website ({before[str(new)][-8:]})"
        with pytest.raises(UsageError, match="already"):
            await projects.move(moved.id, str(new))
        await ask("s3", new, "Go on with the invoices.")
        found = await talk.items.search("VAT invoice", project=moved.id)
        assert "Round VAT half up, per invoice." in {each.title for each in found}
        counts = {each.id: each.sessions for each in await projects.all()}
        assert counts == {moved.id: 2, before[str(new)]: 1}

    converse(site, story)
