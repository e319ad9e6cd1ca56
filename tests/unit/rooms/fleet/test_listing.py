"""The table: who is shown, in which order, within 80 columns."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from holdfast.ids import ConversationId
from holdfast.layout import unpainted
from holdfast.rooms.fleet import listing
from holdfast.rooms.fleet.following import rules
from holdfast.rooms.fleet.model import Agent, AgentKind, ClientSession, WaitsFor
from holdfast.rooms.fleet.verbs import fleet, seen

MINUTE = 60_000_000
NOW = 1_800_000_000_000_000


def agent(session: str, agent_id: str = "", **fields: Any) -> Agent:
    at = fields.pop("at", NOW - MINUTE)
    kind: AgentKind = "subagent" if agent_id else "main"
    made = Agent(conversation=ConversationId(session), agent_id=agent_id, kind=kind, last_at=at, **fields)
    return rules.settled(replace(made, since=at), at)


def shown(*agents: Agent) -> list[listing.FleetRow]:
    known = {(each.conversation, each.agent_id): each for each in agents}
    return listing.in_order(
        [listing.line_of(each, "shop", "/shop", now=NOW, tasks_open=0, known=known) for each in agents]
    )


ASKING = (WaitsFor("permission", "permission for Bash: rm -rf build", NOW - MINUTE),)


@pytest.mark.requirement("FLT-2")
def test_what_needs_a_person_comes_first_and_brings_its_family_along() -> None:
    lines = shown(
        agent("idle"),
        agent("works", in_turn=True),
        agent("helped", in_turn=True, name="lead"),
        agent("helped", "h1", asks=ASKING, in_turn=True, agent_type="Explore"),
        agent("fails", failed="tool", failure="Bash failed", failed_at=NOW, in_turn=True),
        agent("limit", failed="turn", failure="rate limit reached", failed_at=NOW),
        agent("longer", failed="turn", failure="rate limit reached", failed_at=NOW, at=NOW - 9 * MINUTE),
        agent("ended", ended_at=NOW),
    )
    assert [(line.session_id, line.agent_id) for line in lines] == [
        *(("longer", "longer"), ("limit", "limit"), ("helped", "lead"), ("helped", "h1")),
        *(("fails", "fails"), ("works", "works"), ("idle", "idle"), ("ended", "ended")),
    ]
    assert [(line.parent, line.stale) for line in lines[:4]] == [
        (None, True),
        (None, False),
        (None, False),
        ("lead", False),
    ]
    page = [unpainted(line) for line in fleet(msgspec.to_builtins(lines), 80)]
    assert [line for line in page if not line.startswith(" ")] == ["Needs you", "", "Working", "", "Idle", "", "Ended"]
    assert "  attention    └ Explore          1m  permission for Bash: rm -rf build" in page
    assert any("stale" in line for line in page)


@pytest.mark.requirement("FLT-2")
def test_a_line_fits_its_terminal_and_steers_nothing() -> None:
    wild = agent("wild", asks=(WaitsFor("notice", "x\x1b[2J\n" + "long " * 90, NOW),), name="n\x07" * 40)
    many = [agent(f"session-{number}", name=f"builder-{number}", in_turn=True) for number in range(199)]
    for width in (40, 60, 80, 200):
        lines = list(fleet(msgspec.to_builtins(shown(wild, *many)), width))
        assert len([line for line in lines if unpainted(line).startswith("  ")]) == 200
        assert all(len(unpainted(line)) <= width and "\n" not in line for line in lines)
        assert not any("\x1b[2J" in line or "\x07" in line for line in lines)
    assert list(fleet([], 80)) == []
    assert list(seen({"seen": []}, 80)) == ["No agent needs you."]
    assert list(seen({"seen": ["a", "b"]}, 80)) == ["You have looked at 2 agents."]


@pytest.mark.requirement("FLT-5")
def test_who_is_shown() -> None:
    day = 24 * 60 * MINUTE
    cases = [
        (agent("a"), True),
        (agent("a", at=NOW - day), False),
        (agent("a", at=NOW - 9 * day, pid=1), True),
        (agent("a", ended_at=NOW - 5 * MINUTE), True),
        (agent("a", ended_at=NOW - 20 * MINUTE), False),
        (agent("a", ended_at=NOW, ended_by="clear"), False),
        (agent("a", "h1", ended_at=NOW), False),
    ]
    assert [listing.is_shown(each, NOW, NOW - 15 * MINUTE) for each, _ in cases] == [expected for _, expected in cases]
    for status, expected in (("busy", "working"), ("waiting", "attention"), ("idle", "done"), ("", "done")):
        told = ClientSession(ConversationId("s"), 7, "/home/shop/", status, "permission prompt", NOW - MINUTE)
        line = listing.stranger(told, NOW)
        assert (line.status, line.project, line.source, line.seconds) == (expected, "shop", "client", 60)
        assert bool(line.needs) is (status == "waiting")
