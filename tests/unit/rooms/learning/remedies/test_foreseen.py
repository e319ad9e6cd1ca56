"""Which commands and errors a prompt names, as a table."""

from __future__ import annotations

import pytest

from holdfast.rooms.learning.remedies.foreseen import by_first_words, errors_in, named_in

COMMANDS = ("pytest", "pytest tests/test_auth.py", "make deploy", "make", "python scripts/load.py", "npm run build")


@pytest.mark.requirement("LRN-16")
def test_a_prompt_names_a_command_by_its_words_and_a_single_word_only_as_an_order() -> None:
    known = by_first_words((*COMMANDS, " ".join("abcdefghijklmnop")))
    for prompt, named in (
        ("Please run `make deploy` and tell me.", ["make deploy"]),
        ("run make deploy, then pytest tests/test_auth.py.", ["make deploy", "pytest tests/test_auth.py"]),
        ("Why does ./pytest tests/test_auth.py fail?", ["pytest tests/test_auth.py"]),
        ("rerun pytest", ["pytest"]),
        ("`pytest` is red", ["pytest"]),
        ("$ python scripts/load.py\nTraceback", ["python scripts/load.py"]),
        ("Run pytest -k login", []),
        ("Run pytest tests/test_other.py", []),
        ("Make sure that it works, and make the tests pass", []),
        ("We use pytest here; make it fast.", []),
        ("`pytest tests/unit` is green", []),
        ("The deploy of npm packages: run build", []),
        ("", []),
    ):
        assert named_in(prompt, known) == named, prompt
    assert named_in("run make deploy", by_first_words(())) == []
    assert named_in("Run ./gradlew test.", by_first_words(["./gradlew test"])) == ["./gradlew test"]
    many = by_first_words(f"git show {number}" if number < 2 else f"git verb{number}" for number in range(200))
    assert max(map(len, many.values())) == 2, "a prompt with `git` on each line compares few of them"


@pytest.mark.requirement("LRN-16")
def test_an_error_is_quoted_as_it_was_printed_and_says_what_it_is_about() -> None:
    for prompt, messages in (
        ("I get this:\nModuleNotFoundError: No module named 'yaml'\nWhat is it?", ["No module named 'yaml'"]),
        ("It says `ModuleNotFoundError: No module named 'yaml'` again", ["No module named 'yaml'"]),
        ("```\nsrc/a.ts:3:1 - error TS2304: Cannot find name 'foo'.\n```", ["Cannot find name 'foo'"]),
        ("Handle the error better, and raise a ValueError.", []),
        ("AssertionError: assert 3 == 4", []),
        ("Nothing fails.", []),
    ):
        assert [each.message for each in errors_in(prompt)] == messages, prompt
