"""What is kept of long texts."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.capture import excerpts
from tests.support.table import each_of


@pytest.mark.requirement("MEM-4")
def test_of_a_failure_the_telling_lines_and_the_end_stay() -> None:
    output = "\n".join([*(f"line {n} of noise" for n in range(500)), "E  assert 302 == 200", *"abcd", "exit now"])
    kept = excerpts.of_output(output, failed=True)
    assert "assert 302 == 200" in kept
    assert kept.endswith("exit now")
    assert "line 3 of noise" not in kept
    assert len(kept) <= excerpts.LONGEST


def test_of_a_success_the_summing_lines_stay() -> None:
    output = "\n".join([*(f"tests/test_{n}.py ....." for n in range(300)), "42 passed in 3.1s", "", "bye"])
    assert excerpts.of_output(output, failed=False) == "42 passed in 3.1s"
    assert excerpts.of_output("one\ntwo\nthree\nfour\n", failed=False) == "two\nthree\nfour"


def test_colours_and_progress_bars_go() -> None:
    assert excerpts.clean("\x1b[31mred\x1b[0m\r\n10%\r50%\r100%") == "red\n100%"


def test_of_a_patch_the_changed_lines_stay() -> None:
    lines = [" same", "-old", "+new", "+", " same"]
    assert excerpts.of_patch([{"lines": lines}, {"lines": None}, 5]) == "-old\n+new"
    assert excerpts.of_strings("a\nb", "a\nc") == "-b\n+c"


def test_the_exit_code_line_is_not_repeated() -> None:
    assert excerpts.of_error("Exit code 3\nout\nbad") == "out\nbad"
    assert excerpts.of_error("File does not exist.") == "File does not exist."


@pytest.mark.parametrize("text", ["x" * 100_000, "é\n" * 50_000, "", "\x1b[" * 10_000])
def test_everything_is_bounded(text: str) -> None:
    for kept in (
        excerpts.of_output(text, failed=True),
        excerpts.of_output(text, failed=False),
        excerpts.of_text(text),
        excerpts.of_file(text),
        excerpts.of_strings(text, "new"),
    ):
        assert len(kept) <= excerpts.LONGEST


@each_of(
    ("error", "said"),
    [
        ("Exit code 7", ""),
        ("Exit code 1\ncat: nothere.txt: No such file or directory", "cat: nothere.txt: No such file or directory"),
        (
            "Exit code 1\n[eval]:1\nthrow new Error('repro')\n^\n\nError: repro\n    at [eval]:1:7\n\nNode.js v22.1.0",
            "Error: repro",
        ),
        (
            'Exit code 1\nTraceback (most recent call last):\n  File "<string>", line 1\nValueError: needle',
            "ValueError: needle",
        ),
        ("Exit code 1\nrequests.exceptions.ConnectionError: refused", "requests.exceptions.ConnectionError: refused"),
    ],
)
def test_the_message_of_an_error_is_what_went_wrong(error: str, said: str) -> None:
    assert excerpts.message_of(error) == said
