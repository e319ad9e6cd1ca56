"""A project's rule file comes with a clone: whatever is in it, the built-in rules hold and the daemon goes on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.judging.packs import built_in
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
