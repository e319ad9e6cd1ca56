"""Cutting: never through a secret before it was scrubbed, never without saying so, never more than is kept (EVT-7)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from holdfast.road.cut import beginning, cut, cut_tree, cut_unscrubbed
from holdfast.scrub import default_scrubber
from tests.support.payloads import load
from tests.support.table import each_of

LIMIT = 40_000
TOKEN = "ghp_" + "aB3dE5fG7hJ9" * 3
KEY = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEAx7Qm+Zr\n" * 40 + "-----END RSA PRIVATE KEY-----"


def parts(text: str) -> tuple[str, int, str]:
    """What a cut left: the beginning, the number it tells, the end."""
    found = re.fullmatch(r"(?s)(.*)\n\[… (\d+) characters cut …\]\n(.*)", text)
    assert found
    return found[1], int(found[2]), found[3]


@pytest.mark.parametrize("shorten", [cut, cut_unscrubbed])
@pytest.mark.parametrize("length", [0, 1, LIMIT])
def test_what_fits_is_left_alone(shorten: Any, length: int) -> None:
    assert shorten("x" * length, LIMIT) == ("x" * length, 0)


@pytest.mark.requirement("EVT-7")
@pytest.mark.parametrize("shorten", [cut, cut_unscrubbed])
@pytest.mark.parametrize("text", ["x" * (LIMIT + 1), "word " * LIMIT, "line\n" * LIMIT, "漢😀 " * LIMIT])
def test_a_cut_says_how_much_is_gone_and_keeps_both_ends(shorten: Any, text: str) -> None:
    shortened, gone = shorten(text, LIMIT)
    head, told, tail = parts(shortened)
    assert told == gone == len(text) - len(head) - len(tail) > 0
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(shortened) <= LIMIT + 60
    assert len(head) > LIMIT // 2
    assert len(tail) > LIMIT // 8


def straddling(edge: str, shift: int) -> str:
    """A long text of words with a token in it, `shift` characters of which are before the place of the cut."""
    words = "some words " * LIMIT
    if edge == "head":
        return f"{words[: LIMIT * 3 // 4 - shift - 1]} {TOKEN} {words}"
    return f"{words} {TOKEN} {words[: LIMIT // 4 - (len(TOKEN) - shift) - 1]}"


def halved(text: str) -> bool:
    left = text.replace(TOKEN, "")
    return any(TOKEN[i : i + 8] in left for i in range(len(TOKEN) - 7))


@pytest.mark.requirement("SEC-1")
@each_of("shift", range(8, 33, 4))
@each_of("edge", ["head", "tail"])
def test_no_token_is_halved_before_it_is_scrubbed(edge: str, shift: int) -> None:
    text = straddling(edge, shift)
    assert halved(cut(text, LIMIT)[0]), "a blind cut would go through the token, or this proves nothing"
    assert not halved(cut_unscrubbed(text, LIMIT)[0])


@pytest.mark.requirement("SEC-1")
@each_of("shift", range(12))
def test_a_name_and_its_value_stay_together_where_there_are_lines(shift: int) -> None:
    text = "-" * shift + "\n" + "key = value\n" * LIMIT
    head, _, tail = parts(cut_unscrubbed(text, LIMIT)[0])
    assert head.endswith("\nkey = value")
    assert tail.startswith("\nkey = value\n")
    assert len(head) + len(tail) > LIMIT - 50


@pytest.mark.requirement("SEC-1")
@each_of("shift", range(0, 1100, 37))
@each_of("secret", [KEY, f"export DATABASE_PASSWORD = {TOKEN[4:]}"])
def test_what_is_cut_near_a_secret_is_still_scrubbed(secret: str, shift: int) -> None:
    scrubber = default_scrubber()
    filler = "some words here\n" * 4000
    in_head = filler[: LIMIT * 3 // 4 - shift] + "\n" + secret + "\n" + filler
    end = filler[: max(0, LIMIT // 4 - len(secret) + shift)]
    in_tail = filler + "\n" + secret + "\n" + end
    for text in (in_head, in_tail):
        shortened, gone = cut_unscrubbed(text, LIMIT)
        assert gone
        clean, _ = scrubber.text(shortened)
        assert "MIIEpAIBAAKCAQEA" not in clean
        assert TOKEN[4:20] not in clean


@pytest.mark.requirement("SEC-1")
def test_a_text_without_any_space_loses_a_margin_rather_than_half_a_token() -> None:
    text = "x" * (LIMIT * 3 // 4 - 20) + TOKEN + "x" * LIMIT
    head, _, tail = parts(cut_unscrubbed(text, LIMIT)[0])
    assert set(head) == set(tail) == {"x"}


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("short", 10, "short"),
        ("one two three", 9, "one two "),
        ('{"a":"bcd","e":"fgh"}', 12, '{"a":"bcd","'),
        ("abcdefghijkl", 5, ""),
        ("a\nbcdefgh", 5, "a\n"),
    ],
)
def test_the_beginning_of_what_is_no_json(text: str, limit: int, kept: str) -> None:
    assert beginning(text, limit) == kept


@pytest.mark.requirement("EVT-7")
def test_a_tree_is_copied_with_its_strings_cut() -> None:
    tree = {"a": "x" * 300, "b": [{"c": "y" * 300}, 1, None, True], "d": {}, "e": [], "f": "short"}
    before = str(tree)
    small, gone = cut_tree(tree, 100)
    assert str(tree) == before
    assert gone == 400
    assert (small["d"], small["e"], small["f"], small["b"][1:]) == ({}, [], "short", [1, None, True])
    assert parts(small["a"])[1] == parts(small["b"][0]["c"])[1] == 200


@pytest.mark.requirement("EVT-7")
def test_the_whole_file_beside_a_patch_is_left_out_and_named() -> None:
    payload = load("PostToolUse-Edit")
    original = payload["tool_response"]["originalFile"]
    assert original
    small, gone = cut_tree(payload, 10_000)
    assert small["tool_response"]["originalFile"] == f"[… {len(original)} characters left out …]"
    assert small["tool_response"]["structuredPatch"] == payload["tool_response"]["structuredPatch"]
    assert gone == len(original)
    assert cut_tree(load("PostToolUse-Write"), 10_000)[0]["tool_response"]["originalFile"] is None


@pytest.mark.requirement("SEC-5")
def test_a_tree_of_any_depth() -> None:
    deep: list[Any] = ["x" * 200]
    for _ in range(30_000):
        deep = [deep]
    small, gone = cut_tree({"d": deep}, 100)
    assert gone == 100
    node = small["d"]
    for _ in range(30_000):
        (node,) = node
    assert parts(node[0])[1] == 100
