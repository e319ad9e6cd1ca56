"""Which failures are the same, and which only look alike."""

from __future__ import annotations

import pytest

from holdfast.rooms.learning.remedies.signature import keys_of, normalised, signature_of

T = "tests/test_a.py::test_x"
U = "tests/test_b.py::test_y"


def same(one: tuple[str, str, list[str]], other: tuple[str, str, list[str]]) -> bool:
    first, second = ({key.text for key in keys_of(signature_of(*each))} for each in (one, other))
    return bool(first & second)


@pytest.mark.requirement("LRN-17")
def test_what_changes_from_run_to_run_is_taken_out_of_a_message() -> None:
    for message, plain in (
        ("object at 0x7f3a2b10 is not 12", "object at ADDR is not N"),
        ("open('/home/me/p/conf.toml') failed", "open('PATH/conf.toml') failed"),
        ("cannot find “name” in `scope`", "cannot find 'name' in 'scope'"),
        ("request 3fa9c21b-1111-4222-8333-444455556666 at 2026-11-17T09:00:01Z", "request ID at TIME"),
        ("took 1.31s of 2.0e3", "took Ns of N"),
    ):
        assert normalised(message) == plain


@pytest.mark.requirement("LRN-17")
def test_same_failures_share_a_key_and_others_do_not() -> None:
    key, three, five = (
        "E       KeyError: 'sid'",
        "E   AssertionError: assert 3 == 4",
        "E   AssertionError: assert 5 == 4",
    )
    for one, other, expected in (
        (("pytest", f"{key}\n1 failed in 1.2s", [T]), ("pytest", f"x.py:9\n{key}\n1 failed in 9s", [T]), True),
        (("pytest", three, [T]), ("pytest", five, [T]), True),
        (("pytest", three, [T]), ("pytest", three, [U]), False),
        (("pytest", key, [T]), ("pytest", "E       KeyError: 'name'", [U]), False),
        (("python", "ModuleNotFoundError: No module named 'yaml'", []),
         ("pytest", "E   ModuleNotFoundError: No module named 'yaml'", [U]), True),
        (("python", "ModuleNotFoundError: No module named 'yaml'", []),
         ("python", "ModuleNotFoundError: No module named 'requests'", []), False),
        (("cargo build", "error[E0308]: mismatched types\n --> src/a.rs:3:4", []),
         ("cargo build", "error[E0425]: cannot find value `x` in this scope", []), False),
        (("tsc", "src/a.ts(3,4): error TS2304: Cannot find name 'foo'.", []),
         ("tsc", "src/a.ts(30,14): error TS2304: Cannot find name 'foo'.", []), True),
        (("make", "make: *** [Makefile:3: all] Error 2", []),
         ("make", "make: *** [Makefile:9: dist] Error 2", []), False),
        (("sh", "bash: line 1: jq: command not found", []), ("sh", "bash: line 7: jq: command not found", []), True),
        (("sh", "bash: line 1: jq: command not found", []), ("sh", "bash: line 1: yq: command not found", []), False),
        (("pytest", "1 failed in 1s", [T]), ("pytest", "1 failed in 1s", [U]), False),
    ):  # fmt: skip
        assert same(one, other) is expected, (one, other)


@pytest.mark.requirement("SEC-7")
def test_a_hostile_output_is_read_in_linear_time() -> None:
    for text in ("E   " * 100_000, "a/" * 200_000, "Error: " + "x" * 500_000, "'" * 300_000, "1 " * 200_000):
        made = signature_of("pytest", text, [])
        assert len(made.message) <= 240
        assert len(made.shown) <= 400


@pytest.mark.requirement("LRN-17")
def test_a_plain_assertion_and_a_deep_error_of_pytest_are_known() -> None:
    plain = "E       assert 'None' == \"'foo'\"\nE         \nFAILED test_a.py::test_b - assert 'None' == 1"
    deep = "E                  NameError: name 'tuple_x' is not defined\n"
    assert [key.weight for key in keys_of(signature_of("pytest", plain, ["test_a.py::test_b"]))] == [4]
    assert signature_of("pytest", deep, []).type == "NameError"
