"""Which program an event came from (EVT-16): what was said, never a guess."""

from __future__ import annotations

import pytest

from holdfast.events.client import ClientName, agent_of_transcript, client_named


@pytest.mark.requirement("EVT-16")
@pytest.mark.parametrize(
    ("said", "client"),
    [
        ("claude-code_2-1-325_harness", ClientName("claude-code", "2.1.325")),
        ("claude-code_2-1-325_agent", ClientName("claude-code", "2.1.325")),
        ("claude-code", ClientName("claude-code")),
        ("cursor_1-7", ClientName("cursor", "1.7")),
        ("copilot-cli", ClientName("copilot-cli")),
        ("", None),
        ("2-1-325", None),
        ("name\nX-Other: header", None),
        ("<script>", None),
        ("x" * 200, None),
    ],
)
def test_a_name_and_a_version_or_nothing(said: str, client: ClientName | None) -> None:
    assert client_named(said) == client


@pytest.mark.requirement("EVT-16")
def test_a_line_of_a_transcript_tells_the_same() -> None:
    assert client_named(agent_of_transcript("2.1.325")) == ClientName("claude-code", "2.1.325")
    assert agent_of_transcript("") == ""
