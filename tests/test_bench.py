"""The sets that benchmarks ask about are whole: the recorded sessions for recall, the commands for the guards."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from bench.compaction import measure, sessions, voices
from bench.guards import corpus, mutations
from bench.guards.scenes import NAMES
from bench.work import scene

from holdfast.program import CATALOG


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


@pytest.mark.requirement("WRK-7")
def test_the_commands_for_the_guards_are_many_and_both_kinds() -> None:
    cases = corpus.own() + corpus.held_back() + corpus.held_back_second() + corpus.held_back_last()
    cases += corpus.held_back_everyday() + corpus.held_back_unseen()
    assert len({case.command for case in cases}) == len(cases) >= 400
    assert 0.35 < sum(case.destructive for case in cases) / len(cases) < 0.6
    assert {case.scene for case in cases} == set(NAMES)


@pytest.mark.requirement("WRK-7")
def test_mutations_are_always_the_same_and_a_mention_is_innocent() -> None:
    case = corpus.Case("rm -rf ~/Documents", destructive=True, kind="files")
    made = list(mutations.mutations(case, 20))
    assert made == list(mutations.mutations(case, 20))
    assert len({each.kind for each in made}) > 15
    assert {each.case.destructive for each in made if each.kind == "mention"} == {False}
    assert all(each.case.destructive for each in made if each.kind != "mention")


@pytest.mark.requirement("CON-15")
def test_a_compaction_without_a_model_keeps_what_it_must_in_the_words_of_who_never_read_a_rule() -> None:
    made = sessions.sessions(30, voice=voices.read_voice(voices.SECOND))
    kept, verbatim, tokens = measure.counted(made)
    for kind in sessions.KINDS:
        found = kept["holdfast", kind]
        assert sum(found) / len(found) >= measure.TARGETS.get(kind, measure.OTHERS), kind
    assert all(verbatim["holdfast", "correction"])
    assert sum(tokens["holdfast"]) <= measure.ALLOWED * sum(tokens["client"])


@pytest.mark.requirement("CON-15")
def test_what_is_wrong_with_a_voice_is_said_in_sentences() -> None:
    told = {kind: ["About {name}."] * 6 for kind in ("ask", "correct", "decide", "dead", "next")} | {
        "talk": ["Hm."] * 6
    }
    assert voices.faults(told) == []
    told |= {"ask": ["{name}", "{who}", "{", "no name", "{name}", "{name}"], "dead": []}
    assert voices.faults(told) == [
        "`ask`: {who} in '{who}' is none of {name}, {thing}, {part}.",
        "`ask`: a brace in '{' has no partner; write {{ for a brace.",
        "`ask`: {name} must stand exactly once in 'no name'.",
        "`dead` must be a list of at least 6 sentences.",
    ]


@pytest.mark.requirement("PRF-6")
def test_a_benchmark_asks_the_store_by_the_parameters_that_its_queries_have() -> None:
    queries = CATALOG.queries("sqlite")
    asked = 0
    for path in Path(measure.__file__).parents[1].rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            asks = isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("all", "one", "run")
            if isinstance(call, ast.Call) and asks and call.args and isinstance(call.args[0], ast.Constant):
                name, given = call.args[0].value, [each.arg for each in call.keywords]
                if isinstance(name, str) and name in queries and None not in given:
                    asked += 1
                    queries[name].check(str(each) for each in given)
    assert asked
