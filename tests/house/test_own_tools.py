"""How the client names holdfast's own tools is known in one place (EVT-10): two readings of it would drift apart."""

from __future__ import annotations

import pytest

from tests.test_architecture import modules

LITERAL = "holdfast__"


@pytest.mark.requirement("EVT-10")
def test_one_module_knows_the_names_of_our_tools() -> None:
    assert [module for module, path in modules() if LITERAL in path.read_text("utf-8")] == ["events.own_tools"]
