"""The notebook's decisions, as a table: no store, no daemon."""

from __future__ import annotations

import pytest

from tests.rooms.notebook.model import Dictated
from tests.rooms.notebook.rules import dictated


@pytest.mark.parametrize(
    ("prompt", "note"),
    [
        ("note: buy oil", Dictated("buy oil")),
        ("  Note:\nbuy oil\nand milk ", Dictated("buy oil\nand milk")),
        ("note src/pump.py: it leaks", Dictated("it leaks", "src/pump.py")),
        ("note:", None),
        ("note:   ", None),
        ("notes: buy oil", None),
        ("please note: buy oil", None),
        ("note that this is: odd", None),
    ],
)
def test_what_a_prompt_dictates(prompt: str, note: Dictated | None) -> None:
    assert dictated(prompt, "note") == note
