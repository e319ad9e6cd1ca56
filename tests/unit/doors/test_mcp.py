"""MCP's tools as they are listed: small enough to be worth their place in every session."""

from __future__ import annotations

import json

import pytest

from holdfast.doors.mcp import INSTRUCTIONS, listed
from holdfast.events.tokens import count_tokens
from holdfast.program import HOUSE_TOOLS, ROOMS
from holdfast.rooms.gather import gather
from tests.support.table import each_of

DECLARED = gather(ROOMS, HOUSE_TOOLS)
TOOLS, KINDS = DECLARED.tools, DECLARED.kinds


MOST = 4_000


@pytest.mark.requirement("MCP-2")
def test_the_whole_schema_stays_within_4000_tokens() -> None:
    offered = listed(TOOLS, KINDS)
    number = count_tokens(json.dumps(offered)) + count_tokens(INSTRUCTIONS)
    dearest = sorted(((count_tokens(json.dumps(tool)), str(tool["name"])) for tool in offered), reverse=True)[:6]
    assert number <= MOST, (
        f"The tools for agents cost {number} tokens in every session; {MOST} are allowed. Shorten descriptions (the "
        f"dearest tools: {', '.join(f'{name} {cost}' for cost, name in dearest)}), add arguments that need no "
        "word to `_SAID_ONCE` in doors/mcp.py, or keep a tool for people with `for_agents=False`."
    )


@pytest.mark.requirement("MCP-2")
def test_the_words_that_people_ask_with_lead_to_the_tools() -> None:
    """The client looks for tools by the words of their names and descriptions."""
    described = {tool["name"]: f"{tool['name']} {tool['description']}".lower() for tool in listed(TOOLS, KINDS)}
    for asked, name in (
        ("memory", "search"),
        ("previous session", "search"),
        ("did we", "search"),
        ("decide", "search"),
        ("history", "timeline"),
    ):
        assert asked in described[name], asked
    assert "memory" in described["remember"]


@pytest.mark.requirement("MCP-2")
def test_what_agents_are_offered() -> None:
    names = [tool["name"] for tool in listed(TOOLS, KINDS)]
    assert {"search", "timeline", "get", "why", "remember", "supersede"} <= set(names)
    of_the_seeds = {
        "session_start",
        "session_end",
        "context_threshold",
        "assemble_context",
        "start_ghap",
        "update_ghap",
    }
    of_the_seeds |= {"resolve_ghap", "get_active_ghap", "resume_checkpoint", "rate_remedy", "effort"}
    assert of_the_seeds <= set(names)
    assert "forget" not in names
    assert not [name for name in names if name.startswith("citations_")]
    assert len(names) < len(TOOLS)


@pytest.mark.requirement("MCP-3")
@each_of("tool", listed(TOOLS, KINDS), ids=lambda tool: str(tool["name"]))
def test_every_tool_says_what_it_takes(tool: dict[str, object]) -> None:
    schema = tool["inputSchema"]
    assert isinstance(schema, dict)
    assert schema["type"] == "object"
    assert str(tool["description"]).endswith(".")
    assert "cwd" not in schema.get("properties", {})
