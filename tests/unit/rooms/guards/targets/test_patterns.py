"""A pattern stands for what a shell would fill in, or for more; and looking it up always ends."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from holdfast.rooms.guards.targets.patterns import TooMany, expanded
from tests.support.patience import PATIENCE


def found(folder: Path, pattern: str, *, hidden: bool = False) -> set[str]:
    there = expanded(f"{folder}/{pattern}", hidden=hidden, until=time.monotonic() + PATIENCE)
    return {str(Path(each).relative_to(folder)) for each in there}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("a.txt", "b.txt", "7.log", ".dot.txt", "d/a.txt", "d/e/a.txt", "d/.h/a.txt"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    return tmp_path


@pytest.mark.requirement("WRK-13")
@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.txt", {"a.txt", "b.txt"}),
        (".*.txt", {".dot.txt"}),
        ("[^a].txt", {"b.txt"}),
        ("[!a].txt", {"b.txt"}),
        ("[[:digit:]]*", {"a.txt", "b.txt", "7.log", "d"}),
        ("**/a.txt", {"a.txt", "d/a.txt", "d/e/a.txt"}),
        ("**/**/a.txt", {"a.txt", "d/a.txt", "d/e/a.txt"}),
        ("d/**", {"d", "d/a.txt", "d/e", "d/e/a.txt"}),
        ("*/a.txt", {"d/a.txt"}),
        ("*/../b.*", {"d/../b.txt"}),
        ("no*such", set()),
    ],
)
def test_it_stands_for_what_a_shell_fills_in(tree: Path, pattern: str, names: set[str]) -> None:
    assert found(tree, pattern) == names


@pytest.mark.requirement("WRK-13")
def test_hidden_names_count_where_an_option_says_so(tree: Path) -> None:
    assert found(tree, "*.txt", hidden=True) == {"a.txt", "b.txt", ".dot.txt"}
    assert "d/.h/a.txt" in found(tree, "**/a.txt", hidden=True)


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("pattern", ["**/x", "**/**/**/x", "**/a/**/x"])
def test_links_that_lead_back_do_not_multiply_the_folders(tree: Path, pattern: str) -> None:
    (tree / "one").symlink_to(".")
    (tree / "two").symlink_to(".")
    assert found(tree, pattern) == set()


@pytest.mark.requirement("SEC-7")
def test_it_gives_up_when_the_time_is_over(tree: Path) -> None:
    for name in ("one", "two", "three"):
        (tree / name).symlink_to(".")
    pattern = f"{tree}/{'*/' * 30}x"
    with pytest.raises(TooMany, match="in time"):
        list(expanded(pattern, hidden=False, until=time.monotonic() + 0.05))


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("pattern", ["*/" * 100 + "x", "*" + "a*" * 1_000, "[[:alpha:][:digit:]]x"])
def test_what_is_too_long_or_too_odd_is_not_looked_up(tree: Path, pattern: str) -> None:
    with pytest.raises(TooMany):
        found(tree, pattern)
