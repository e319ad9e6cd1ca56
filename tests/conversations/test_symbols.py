"""What is remembered of a function that is gone is marked and ranked down at once: renamed, deleted, on another branch
or in another worktree. On both stores, though the index is in neither."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.doors.tools import call
from holdfast.rooms.code.service import Code
from tests.contract.site import Site
from tests.conversations.session import Session
from tests.conversations.talk import Talk
from tests.conversations.test_code import tell, tool
from tests.conversations.test_context import assembled
from tests.support.repositories import git, make_shop, write

PROMPT = "Why do we round the VAT of an invoice half up, as the accounting department confirmed?"
GONE = "round_vat no longer exists in src/shop/tax.py"
RENAMED = '"""Taxes."""\n\n\ndef vat_half_up(amount):\n    return amount\n'


@pytest.mark.requirement("CTX-1", "CTX-3")
def test_a_function_that_is_gone_marks_what_names_it_and_ranks_it_down(site: Site, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    second = tmp_path / "second"

    async def first(talk: Talk) -> None:
        project = await talk.items.project_at(str(shop))
        for words in (
            "`round_vat` rounds the VAT of an invoice half up: the accounting department confirmed it.",
            "The VAT of an invoice is rounded half up, `json.dumps` and `other_thing` have no part in it, confirmed.",
        ):
            await talk.memory.remember(words, project=project)
        number = iter(range(100))

        async def recalled(folder: Path = shop) -> str:
            return await Session(talk, f"s{next(number)}", str(folder)).ask(PROMPT)

        async def searched(folder: Path = shop) -> dict[str, Any]:
            search, where = talk.composed.declared.tools["search"], str(folder)
            asked = msgspec.json.encode({"query": "round VAT invoice half up confirmed"})
            here = talk.caller(project=await talk.items.project_at(where), folder=where)
            lines = msgspec.to_builtins(await call(search, asked, here))
            return next(each for each in lines if each["title"].startswith("`round_vat`"))

        assert "round_vat" in await recalled(), "it is given"
        assert "no longer exists" not in await recalled(), "not indexed: nothing is known"
        await tool(talk, "index_code", shop)
        assert "no longer exists" not in await recalled(), "it is there; and what was never there is not called gone"
        before = await searched()
        assert "stale" not in before

        # Renamed by an editor that told nobody: the next answer says so.
        write(shop, {"src/shop/tax.py": RENAMED})
        assert GONE in await recalled()
        after = await searched()
        assert after["stale"] == [GONE]
        assert after["score"] < before["score"]
        assert GONE in await Session(talk, "start", str(shop)).start()
        told = await assembled(talk, str(shop), query=PROMPT)
        assert GONE in told["markdown"]

        # Back, and deleted with its file; and on a branch that never had it.
        git(shop, "checkout", "-q", "--", ".")
        assert "no longer exists" not in await recalled()
        (shop / "src/shop/tax.py").unlink()
        assert GONE in await recalled()
        git(shop, "checkout", "-q", "--", ".")
        git(shop, "checkout", "-q", "--orphan", "other")
        git(shop, "rm", "-qrf", ".")
        write(shop, {"empty.py": "def nothing_here():\n    pass\n"})
        git(shop, "add", ".")
        git(shop, "commit", "-qm", "other")
        assert GONE in await recalled()
        await tool(talk, "index_code", shop)
        assert GONE in await recalled(), "also when the index has read the branch"

        # A worktree with the function beside one without it.
        git(shop, "worktree", "add", "-q", str(second), "main")
        await tool(talk, "index_code", second)
        assert GONE in await recalled()
        assert "no longer exists" not in await recalled(second)

        # What tells of the renaming itself is not old.
        await talk.memory.remember(
            "We renamed `round_vat` to `vat_half_up`; the sundial is not concerned.", project=project
        )
        assert "no longer exists" not in await Session(talk, "r", str(shop)).ask("What was renamed beside the sundial?")

    async def after_a_restart(talk: Talk) -> None:
        assert GONE in await Session(talk, "z", str(shop)).ask(PROMPT), "the index remembers what was there once"
        code = talk.services.get(Code)
        # What an edit touched is named by the grammar: a string that looks like a declaration is none.
        before = 'class Cart:\n    def add_item(self):\n        text = "def fake():"\n        return 1\n'
        hunk = {"oldStart": 4, "lines": ["-        return 1", "+        return 2"]}
        response = {"originalFile": before, "structuredPatch": [hunk]}
        editing = Session(talk, "e", str(shop))
        await editing.use("Edit", {"file_path": f"{shop}/cart.py", "old_string": "1", "new_string": "2"}, response)
        await talk.settle()
        [found, *_] = await talk.items.search("cart.py add_item", project=await talk.items.project_at(str(shop)))
        assert found.title == "Edited cart.py: add_item()"
        git(shop, "worktree", "remove", "--force", str(second))
        await code.tidy()
        assert GONE in await Session(talk, "y", str(shop)).ask(PROMPT), "a worktree that is removed leaves its names"

    tell(site, tmp_path / "home", first, after_a_restart)
