"""What stands behind a word of assent is told where it says something."""

from __future__ import annotations

import pytest

from holdfast.prose.assents import without_assent
from holdfast.prose.closing import best, statements
from holdfast.prose.passages import passage
from tests.support.table import each_of


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "told", "kind"),
    [
        ("Makes sense, it's DIN 33466 now.", "It's DIN 33466 now.", "change"),
        (
            "Will do: `eu-vat` stays unmerged until the tax advisor has read it.",
            "`eu-vat` stays unmerged until",
            "open",
        ),
        ("Einverstanden, `piezo.c` bleibt bis dahin, wie es ist.", "`piezo.c` bleibt bis dahin", "open"),
        ("All right, production stays on 4.11 until then.", "Production stays on 4.11 until then.", "open"),
        # it only confirms what the user said, or what was told before
        ("Got it, I'll use tabs.", "Got it, I'll use tabs.", "none"),
        ("Sure, I'll leave it until then.", "Sure, I'll leave it until then.", "none"),
        ("Right side of the page is empty.", "Right side of the page is empty.", None),
        ("Fine-grained tokens are used now.", "Fine-grained tokens are used now.", None),
        ("Sure, connections stay open until the timeout.", "Sure, connections stay open until the timeout.", None),
    ],
)
def test_an_assent_is_not_what_was_said(said: str, told: str, kind: str | None) -> None:
    assert without_assent(said).startswith(told)
    if kind:
        assert statements(said)[0].kind == kind


@pytest.mark.requirement("MEM-16")
def test_what_it_is_not_is_told_with_what_it_is() -> None:
    found = statements("It isn't a leak. It's four copies of the same graph.\n\n`pool.ts` starts one worker per core.")
    assert [each.text for each in found if each.weight > 2] == ["It isn't a leak. It's four copies of the same graph."]


@pytest.mark.requirement("MEM-18")
def test_committed_and_not_merged_until_somebody_saw_it_is_open() -> None:
    found = statements(
        "### Left out\nNo preview.\n\n`./run test` and `./run types` are green."
        " Committed, not merged: Mel has to see it first."
    )
    assert [each.kind for each in found][-2:] == ["none", "open"]


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "told"),
    [
        (
            "A tag opens the lift.\n\n**What identifies it:** the lift number on the tag, not the id of the tag.",
            "A tag opens the lift. What identifies it: the lift number on the tag, not the id of the tag.",
        ),
        # it names what was done, and the next paragraph is another matter
        ("`limit` is 3 now.\n\nThe docs name the old one in two places.", "`limit` is 3 now."),
    ],
)
def test_a_short_lead_is_told_with_what_opens_the_next_paragraph(said: str, told: str) -> None:
    found = statements(said)
    top = best(found, acted=True)
    assert top
    assert passage(found, top, acted=True) == told
