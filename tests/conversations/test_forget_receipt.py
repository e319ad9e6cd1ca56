"""What the preview of a request to forget says is what the receipt says: each way of choosing, on a worked project."""

from __future__ import annotations

import pytest

from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.site import Site
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse
from tests.conversations.test_forgetting import forgets, kept, turn


async def work(talk: Talk) -> dict[str, str]:
    """Two sessions that touch the same file, the second of which is shown what the first one learned."""
    for name in ("first", "second"):
        session = Session(talk, name, "/p")
        await turn(
            session,
            "Please describe the pump of the zanzibar house.",
            "/p/src/pump.py",
            "/p/src/valve.py",
            said="The pump was wrong because the zanzibar valve has no motor. Decided: we use a belt.",
        )
        await session.ask("Please look once more.")
        await session.use("Read", {"file_path": "/p/src/pump.py"}, {})
        await session.use("Bash", {"command": "cat src/pump.py"}, {"stdout": "zanzibar", "stderr": ""})
        await session.stop("I looked at it.")
        await session.end()
    found = {table: (await kept(talk, table)) for table in ("prompt", "observation", "summary")}
    assert await kept(talk, "injection"), "something was shown"
    return {table: str(rows[0]["id"]) for table, rows in found.items()} | {
        "between": str(min(int(row["happened_at"]) for row in found["prompt"]) + 5),
        "late": str(max(int(row["happened_at"]) for row in found["prompt"]) + 10**12),
    }


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize(
    "way", ["prompt", "observation", "summary", "session", "file", "text", "two words", "between", "late"]
)
def test_the_receipt_says_what_the_preview_said(site: Site, way: str) -> None:
    async def story(talk: Talk) -> None:
        ids = await work(talk)
        request = {
            "session": ForgetRequest(session="first"),
            "file": ForgetRequest(file=("/p/src/pump.py",)),
            "text": ForgetRequest(text="zanzibar"),
            "two words": ForgetRequest(text="zanzibar valve"),
            "between": ForgetRequest(before=int(ids["between"])),
            "late": ForgetRequest(before=int(ids["late"])),
        }.get(way) or ForgetRequest(ids=(ids[way],))
        shown = (await forgets(talk).preview(request)).counts
        journal = len(await kept(talk, "journal"))
        receipt = (await forgets(talk).forget(request)).counts
        assert receipt == shown
        assert sum(shown.values()) > 0
        assert shown.get("entries", 0) == journal - len(await kept(talk, "journal")), "and that many entries went"
        assert (await forgets(talk).preview(request)).counts == {}, "nothing is left that would go"

    converse(site, story)
