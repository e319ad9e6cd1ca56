"""What the user says to be open still."""

from __future__ import annotations

import pytest

from holdfast.prose.prompts.still import still_open_in
from tests.support.table import each_of


@pytest.mark.requirement("MEM-18")
@each_of(
    ("prompt", "told"),
    [
        ("great. the restart is still on his list, he waits for the new host", ["the restart is still on his list"]),
        ("no, joost is still cleaning up his notebooks", ["no, joost is still cleaning up his notebooks"]),
        (
            "der vertrag mit nuria ist noch nicht unterschrieben",
            ["der vertrag mit nuria ist noch nicht unterschrieben"],
        ),
        ("the build is still red, fix it please", []),
        ("is the restart still on his list?", []),
        ("why does the import still need an hour", []),
        ("still red", []),
        ("he has merged the branch", []),
    ],
)
def test_a_statement_that_something_is_open_still_is_quoted(prompt: str, told: list[str]) -> None:
    found = still_open_in(prompt)
    assert len(found) == len(told)
    assert all(words in sentence for words, sentence in zip(told, found, strict=True))


def test_it_is_quoted_with_the_sentence_that_names_what_it_is() -> None:
    assert still_open_in("the contract of nuria. it is still not signed by them") == [
        "the contract of nuria. it is still not signed by them"
    ]
