"""The first week of a story under the real client: what was decided and left open is told, small talk and what was
repaired is not. `python -m bench.story` plays all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.story.model import load
from bench.story.replay import judged_again, mend_worktrees
from bench.story.run import play
from bench.story.world import World

SESSIONS = ("vat-rounding", "time", "stripe", "haiku", "yesterday", "double-charge", "retry-fix")
"""A question that is answered; `date`; a test that is repaired and a thing left to others; a haiku; a question about
yesterday; looks that fail; a resumed session with a push that is rejected."""


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-17")
@pytest.mark.requirement("MEM-18")
@pytest.mark.requirement("MEM-19")
def test_a_week_in_a_billing_service_is_told_as_a_senior_engineer_wants(tmp_path: Path) -> None:
    story = load("tallybook")
    part = replace(story, sessions=tuple(each for each in story.sessions if each.name in SESSIONS))
    with World([part], keep=tmp_path) as world:
        played, verdict = play(world, progress=False)
    assert [each.session.name for each in played] == list(SESSIONS)
    assert [str(each) for each in verdict.missed] == []
    assert [(line.session, line.text, line.faults) for line in verdict.forbidden] == []
    wanted = {(each.session, each.hook, each.wanted) for each in verdict.expectations}
    assert ("tallybook/double-charge", "brief", "rotate") in wanted
    assert ("tallybook/yesterday", "recall 1", "stripe") in wanted
    briefs = {line.session for line in verdict.lines if line.hook == "brief"}
    assert len(briefs) >= 5, "the sessions after the first are given a brief"
    assert max(verdict.brief_tokens) <= 250
    mend_worktrees(tmp_path / part.name, part)
    again = judged_again(tmp_path / part.name, part)
    assert again.expectations == verdict.expectations, "a replay without the client says the same"
    assert again.forbidden == []
