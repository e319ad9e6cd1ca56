"""Rule files say what is wrong with them: what can never be, what would match everything, what is there twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.judging.packs import read, read_json
from holdfast.rooms.guards.rulebook import Rulebook

PLAIN = 'id = "mine"\naction = "ask"\nreason = "because"\n'
RULE = {"id": "mine", "programs": "frobnicate", "action": "deny", "reason": "because"}


@pytest.mark.requirement("WRK-6")
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('tools = "Bash"\ncontext_use = 900\n', "line 6, context_use: 900 can never be"),
        ('tools = "Bash"\nheartbeat = -1\n', "line 6, heartbeat: -1 can never be"),
        ("", "line 2, id: it has no trigger and would match every call"),
        ('words = ["push"]\n', "line 5, words: it is about the words of a program"),
        ("programs = [1]\n", "line 5, programs: it must be a text or a list of texts"),
        ("programs = 'x'\ninstead = 3\n", "line 6, instead: it must be a text"),
        ("text = 'x'\ntools = \"Bash\"\n", "line 5, text: it is about the words of a program"),
    ],
)
def test_a_rule_that_can_never_match_or_matches_everything_is_named(more: str, said: str) -> None:
    rules, _, problems = read(f"[[rule]]\n{PLAIN}{more}", "mine.toml", scope="user")
    assert rules == []
    assert f"mine.toml, {said}" in problems[0]


@pytest.mark.requirement("WRK-6")
def test_what_is_there_but_is_no_text_is_not_called_missing() -> None:
    _, _, problems = read('[[rule]]\nid = "mine"\naction = "ask"\nreason = 3\ntools = "x"', "mine.toml", scope="user")
    assert "line 4, reason: it must be a text." in problems[0]
    _, _, problems = read('[[rule]]\nid = "mine"\naction = "ask"\nreason = ""\ntools = "x"', "mine.toml", scope="user")
    assert "line 4, reason: it is missing." in problems[0]


@pytest.mark.requirement("WRK-6")
def test_a_rule_about_an_event_has_a_trigger() -> None:
    rules, _, problems = read(f'[[rule]]\n{PLAIN}events = "SessionStart"\n', "mine.toml", scope="user")
    assert ([each.id for each in rules], problems) == (["mine"], [])


@pytest.mark.requirement("WRK-6")
@pytest.mark.parametrize("told", [[RULE], {"rules": [RULE]}, {"rule": [RULE]}])
def test_a_file_of_json_holds_rules_as_one_of_toml_does(told: object) -> None:
    rules, _, problems = read_json(json.dumps(told), "mine.json", scope="user")
    assert ([each.id for each in rules], problems) == (["mine"], [])
    assert rules[0].programs == ("frobnicate",)


@pytest.mark.requirement("WRK-6")
def test_what_is_wrong_in_a_file_of_json_is_named_with_its_line_and_key() -> None:
    text = json.dumps({"rules": [RULE, RULE | {"id": "other", "action": "forbid"}], "colour": 1}, indent=1)
    rules, _, problems = read_json(text, "mine.json", scope="user")
    assert [each.id for each in rules] == ["mine"]
    lines = text.splitlines()
    action = next(n for n, line in enumerate(lines, 1) if "forbid" in line)
    colour = next(n for n, line in enumerate(lines, 1) if "colour" in line)
    assert any(f"mine.json, line {action}, action: 'forbid' is none of" in each for each in problems)
    assert any(f"mine.json, line {colour}, colour:" in each for each in problems)
    assert "mine.json, line 2: this is not valid JSON" in read_json("[\n{]", "mine.json", scope="user")[2][0]
    assert read_json("[" * 100_000, "mine.json", scope="user")[2] != []
    assert "must be a list" in read_json('{"rules": 7}', "mine.json", scope="user")[2][0]


@pytest.mark.requirement("WRK-6")
def test_a_link_that_leads_nowhere_and_an_id_that_is_there_twice_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(f'[[rule]]\n{PLAIN}programs = "one"\n')
    (tmp_path / "b.json").write_text(json.dumps([RULE]))
    (tmp_path / "c.toml").symlink_to("gone.toml")
    book = Rulebook(tmp_path)
    problems = book.problems()
    assert [rule.programs for rule in book.packs().rules if rule.id == "mine"] == [("one",), ("frobnicate",)]
    assert any(f"{tmp_path / 'c.toml'}: it is a link that leads nowhere" in each for each in problems)
    assert any(
        f"{tmp_path / 'b.json'}, line 1, id: mine is the id of {tmp_path / 'a.toml'}:1" in each for each in problems
    )


@pytest.mark.requirement("WRK-6")
def test_a_file_that_is_no_toml_is_told_as_a_part_of_a_file_and_not_as_a_rule() -> None:
    rules, _, (problem,) = read("this is no rule\n\n[[rule]]\nid = 'a'\nprograms = 'x'\naction = 'ask'\n"
                                "reason = 'r'\ninstead = 'i'\n", "mine.toml", scope="user")  # fmt: skip
    assert [rule.id for rule in rules] == ["a"]
    assert problem.startswith("mine.toml, line 1: this is not valid TOML")
    assert "all other rules are in force" in problem
    assert "This rule" not in problem
