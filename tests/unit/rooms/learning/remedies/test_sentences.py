"""Which of an agent's closing words are about which repair."""

from __future__ import annotations

import pytest

from holdfast.rooms.learning.remedies.sentences import cause_and_solution, quoted, said_of

SAID = "The build failed because serde was never declared. I fixed it by adding it to Cargo.toml. All is well."


@pytest.mark.requirement("LRN-17")
def test_of_several_repairs_each_gets_the_sentences_that_name_it_alone() -> None:
    npm, cargo = {"left-pad", "package.json"}, {"serde", "Cargo.toml"}
    told = "The build failed because serde was never declared.\nI fixed it by adding it to Cargo.toml."
    for names, parts in (
        ([npm, cargo], ["", told]),
        ([cargo], [SAID.replace(". ", ".\n")]),
        ([npm], ["The build failed because serde was never declared."]),
        ([cargo | {"build.rs"}, {"serde"}], ["I fixed it by adding it to Cargo.toml.", ""]),
        ([], []),
    ):
        assert said_of(SAID, names) == parts, names
    assert cause_and_solution(told)[0] == "The build failed because serde was never declared."
    assert quoted(
        "error[E0433]: use of undeclared crate `serde` in tests/test_auth.py::test_login - KeyError: 'sid'"
    ) == {
        *("E0433", "serde", "test_auth", "test_login", "KeyError", "sid"),
    }
