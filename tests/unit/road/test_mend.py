"""Mending a tree of texts in place: every string, every key, nothing lost, no recursion (SEC-5)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.road.mend import STRING_LIMIT, mend, mend_text


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("plain", "plain"),
        ("Zürich 漢 😀", "Zürich 漢 😀"),
        ("a\x00b", "a\ufffdb"),
        ("\ud800\udc00", "??"),
        ("é\udfff\x00", "é?\ufffd"),
        ("x<private>y</private>z", "xz"),
        ("", ""),
    ],
)
def test_one_text(text: str, whole: str) -> None:
    assert mend_text(text) == whole
    whole.encode()


@pytest.mark.requirement("SEC-5")
def test_every_string_and_key_of_a_tree() -> None:
    tree: dict[str, Any] = {"a\x00": ["\x00", {"b": "\ud800", "c": [["<private>p"]]}], "n": 1, "f": 1.5, "none": None}
    assert mend(tree) == 0
    assert tree == {"a\ufffd": ["\ufffd", {"b": "?", "c": [[""]]}], "n": 1, "f": 1.5, "none": None}


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(
    ("tree", "values"),
    [
        ({"a\x00": 1, "a\ufffd": 2}, [1, 2]),
        ({"a\ufffd": 2, "a\x00": 1}, [1, 2]),
        ({"\ud800": {"x\x00": 3}, "?": {"y": "\x00"}}, [{"x\ufffd": 3}, {"y": "\ufffd"}]),
        ({"k<private>1</private>": "v1", "k<private>2</private>": "v2", "k": "v3"}, ["v1", "v2", "v3"]),
    ],
)
def test_of_two_keys_that_mend_to_the_same_neither_value_is_lost(tree: dict[str, Any], values: list[Any]) -> None:
    mend(tree)
    assert sorted(tree.values(), key=str) == sorted(values, key=str)
    assert all("\x00" not in key and key.isprintable() for key in tree)


@pytest.mark.requirement("SEC-5")
def test_each_field_is_private_by_itself() -> None:
    """A tag that is not closed hides the rest of its own text, and nothing of the next one."""
    fields: dict[str, Any] = {"a": "1 <private> 2", "b": "3 4", "c": {"<private>k</private>x": ["<private>5"]}}
    mend(fields)
    assert fields == {"a": "1 ", "b": "3 4", "c": {"x": [""]}}


@pytest.mark.requirement("SEC-5")
def test_what_is_cut_is_counted_over_the_whole_tree() -> None:
    long = "word " * (STRING_LIMIT // 4)
    tree: dict[str, Any] = {"a": long, "b": [long, {"c": "short"}]}
    cut = mend(tree)
    assert tree["b"][1] == {"c": "short"}
    assert tree["a"] == tree["b"][0]
    head, _, tail = tree["a"].partition("\n[…")
    marker, _, rest = tail.partition("…]\n")
    assert cut == 2 * (len(long) - len(head) - len(rest)) > 0
    assert f" {cut // 2} characters cut " in marker


@pytest.mark.requirement("SEC-5")
def test_depth_is_the_senders_choice() -> None:
    deep: dict[str, Any] = {}
    node = deep
    for _ in range(30_000):
        node["d"] = {}
        node = node["d"]
    node["end"] = "\x00"
    assert mend(deep) == 0
    assert node["end"] == "\ufffd"
    while deep:  # taken apart from the top, or Python's own clean-up would recurse
        deep = deep.pop("d", {}) if "d" in deep else {}
