"""Paths relative to their worktree."""

from __future__ import annotations

from holdfast.worktree_paths import inside, is_within, relative
from tests.support.table import each_of


@each_of(
    ("path", "below", "whole"),
    [
        ("/w/a.py", "a.py", "a.py"),
        ("/w/x/../a.py", "a.py", "a.py"),
        ("/w/x//./a.py", "x/a.py", "x/a.py"),
        ("/w/~a.py", "~a.py", "~a.py"),
        ("b.py", "sub/b.py", "sub/b.py"),
        ("../b.py", "b.py", "b.py"),
        (".", "sub", "sub"),
        ("/w", "", "/w"),
        ("/w/", "", "/w"),
        ("..", "", "/w"),
        ("/wide/a.py", "", "/wide/a.py"),
        ("/w/../a.py", "", "/a.py"),
        ("../../a.py", "", "/a.py"),
        ("~/a.py", "", "~/a.py"),
        ("~ada/a.py", "", "~ada/a.py"),
    ],
)
def test_a_path_is_below_the_root_or_stays_whole(path: str, below: str, whole: str) -> None:
    for root in ("/w", "/w/"):
        assert (inside(path, root, "/w/sub"), relative(path, root, "/w/sub")) == (below, whole)


@each_of("odd", ["", None, 7, ["/w/a.py"]])
def test_what_is_no_path_is_nowhere(odd: object) -> None:
    assert inside(odd, "/w") == ""


def test_without_a_root_nothing_is_inside_and_without_a_folder_a_path_begins_at_the_root() -> None:
    assert (inside("/w/a.py", ""), relative("/w/a.py", ""), relative("./a.py", "")) == ("", "/w/a.py", "a.py")
    assert (inside("a.py", "/w"), relative("a.py", "/w"), inside("/a.py", "/")) == ("a.py", "a.py", "a.py")


@each_of(
    ("path", "folder", "is_in"),
    [
        ("/w", "/w", True),
        ("/w/a", "/w", True),
        ("/w/a", "/w/", True),
        ("/a", "/", True),
        ("/wide", "/w", False),
        ("/", "/w", False),
    ],
)
def test_a_folder_holds_itself_and_what_is_below_it(path: str, folder: str, is_in: bool) -> None:
    assert is_within(path, folder) is is_in
