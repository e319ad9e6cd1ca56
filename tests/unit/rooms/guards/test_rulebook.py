"""A project's rule file comes with a clone: whatever is in it, the built-in rules hold and the daemon goes on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.model import STRICTNESS
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings, strictest
from holdfast.rooms.guards.rulebook import PROJECT_RULES, Rulebook

WHOLE = '\n[[rule]]\nid = "p.holds"\nprograms = "frobnicate"\naction = "deny"\nreason = "this one is whole"\n'
START = '[[rule]]\nid = "p"\nprograms = "ls"\naction = "deny"\n'


@pytest.mark.requirement("WRK-6", "SEC-6")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{START}reason = {'[' * 5_000}\n", "line 5, reason: it is nested too deep"),
        (f"{START}reason = {'{a=' * 5_000}\n", "line 5, reason: it is nested too deep"),
        (f"{START}reason = [\n" + "[\n" * 5_000, "it is nested too deep"),
        (f"{START}{'a.' * 5_000}a = 1\n", "line 5, a.a."),
        (f"{START}reason = {'9' * 5_000}\n", "line 1, rule: this is not valid TOML"),
        (f"{START}reason = \"x\"\ntext = '(a+)+$'\n", "line 6, text: a project's rule has no regular expression"),
        (f"{START}reason = \"x\"\nnot_text = 'a'\n", "line 6, not_text: a project's rule has no regular expression"),
    ],
)
def test_a_bad_rule_is_named_and_all_others_hold(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / PROJECT_RULES).write_text(text + WHOLE)
    book = Rulebook(tmp_path / "guards")
    ids = {rule.id for rule in book.packs(str(tmp_path)).rules}
    assert {rule.id for rule in built_in().rules} <= ids
    assert "p" not in ids
    assert said in "\n".join(book.problems(str(tmp_path)))
    if "[\n[" not in text:  # an open bracket takes in what follows
        assert "p.holds" in ids


@pytest.mark.requirement("WRK-6", "SEC-6")
@pytest.mark.parametrize("kind", ["endless", "pipe", "folder", "large", "link"])
def test_a_file_that_is_none_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / PROJECT_RULES
    match kind:
        case "endless":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "large":
            path.write_text("#" * 100_000 + WHOLE)
        case "link":
            (tmp_path / "other").write_text(WHOLE)
            path.symlink_to("other")
    book = Rulebook(tmp_path / "guards")
    assert len(book.packs(str(tmp_path)).rules) == len(built_in().rules)
    assert "none of its rules is in force" in book.problems(str(tmp_path))[0]


TRIES_TO_WEAKEN = {
    "a warning beside the question about an unknown program": 'programs = "acme"\naction = "warn"',
    "a warning for every program": 'programs = "*"\naction = "warn"',
    "the id of a built-in rule": 'programs = "git rm acme"\naction = "warn"',
    "to allow": 'programs = "git rm acme"\naction = "allow"',
    "to allow what is not known": 'programs = "git rm acme"\naction = "warn"\nunknown = "allow"',
    "only for tests": 'programs = "git rm acme"\naction = "warn"\nspares_tests = true',
    "a statement": 'programs = "git rm acme"\naction = "warn"\nunsafe_sql = true',
    "any word": 'programs = "git rm acme"\nwords = "*"\naction = "warn"\nact = "delete"',
}


@pytest.mark.requirement("WRK-6")
@pytest.mark.parametrize("said", TRIES_TO_WEAKEN.values(), ids=TRIES_TO_WEAKEN)
@pytest.mark.parametrize(
    "line", ["acme volumes:delete v1", "git push --force origin main", "rm -rf ~", "git stash clear", "acme $WORD"]
)
def test_nothing_that_a_project_writes_weakens_a_decision(tmp_path: Path, said: str, line: str) -> None:
    where = Where("/home/u/p", "/home/u/p", "/home/u")

    def strictness(root: str) -> int:
        found = findings(read(line), Rulebook(tmp_path / "guards").packs(root), where, "ask")
        worst = strictest(found)
        return STRICTNESS[worst.decision] if worst else -1

    before = strictness("")
    for rule_id in ("p.mine", "unknown.destroy", "git.push-force", "files.delete", "git.stash-drop"):
        (tmp_path / PROJECT_RULES).write_text(f'[[rule]]\nid = "{rule_id}"\n{said}\nreason = "x"\n')
        assert strictness(str(tmp_path)) >= before, rule_id


@pytest.mark.requirement("WRK-6", "SEC-7")
def test_a_projects_rules_are_bounded_and_the_first_that_is_not_in_force_is_named(tmp_path: Path) -> None:
    rule = '[[rule]]\nid = "p.{}"\nprograms = "{}"\naction = "deny"\nreason = "x"\n'
    (tmp_path / PROJECT_RULES).write_text("".join(rule.format(number, "frob") for number in range(120)))
    book = Rulebook(tmp_path / "guards")
    assert sum(each.scope == "project" for each in book.packs(str(tmp_path)).rules) == 100
    assert f"{PROJECT_RULES}:501, id: a project has at most 100 rules" in "\n".join(book.problems(str(tmp_path)))
    many = " ".join(f"f{number}*" for number in range(300))
    other = tmp_path / "other"
    other.mkdir()
    (other / PROJECT_RULES).write_text(rule.format("first", "frob") + rule.format("many", many))
    assert [each.id for each in book.packs(str(other)).rules if each.scope == "project"] == ["p.first"]
