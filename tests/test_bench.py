"""The recall set of recorded sessions is whole: its scenes can be read, and its questions are about their turns."""

from __future__ import annotations

import pytest
from bench.work import scene


@pytest.mark.requirement("PRF-6")
@pytest.mark.parametrize("name", scene.names())
def test_a_scene_and_its_questions_belong_together(name: str) -> None:
    made, asked = scene.load(name), scene.questions(name)
    assert len({session.name for session in made.sessions}) == len(made.sessions) == 8
    prompts = [each.prompt for each in asked.related] + [*asked.elsewhere, *asked.new_work]
    assert len(set(prompts)) == len(prompts) >= 75
    said = {turn.prompt for session in made.sessions for turn in session.turns}
    assert not said & set(prompts), "a question repeats a prompt of its scene"


@pytest.mark.requirement("PRF-6")
def test_there_are_six_scenes() -> None:
    assert len(scene.names()) == 6
