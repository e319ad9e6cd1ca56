"""Reading a hostile command line takes time in proportion to its length (SEC-7)."""

from __future__ import annotations

import time

import pytest

from holdfast.commandline.reading.line import read

PARTS = (
    *(
        "rm -rf ",
        "$(",
        "`",
        '"$(',
        "{a,b}",
        "{1..9}",
        "${x:-",
        "<<E\n",
        "; ",
        "| ",
        "&& ",
        "(",
        "((",
        "[[ ",
        "if x; then ",
    ),
    *("for i in *; do ", "case x in a) ", "f() { ", "eval '", "bash -c '", "xargs ", "find . -exec ", "\\\n", "'", '"'),
    *("$x", "${x/a/b}", "*", "[a-z]", "> f ", "sudo ", "env A=1 ", "git -c alias.x='!", "python -c 'import os;"),
    *(
        "ssh h '",
        "a=b ",
        "x=$x$x;",
        "alias a=b;",
        "echo $x | sh;",
        "$((1+",
        "<(",
        "time ",
        "nohup ",
        "flock f ",
        "timeout 9 ",
    ),
)


@pytest.mark.requirement("SEC-7")
def test_no_line_keeps_the_reader_busy() -> None:
    def took(part: str, size: int) -> float:
        text = (part * (size // len(part) + 1))[:size]
        start = time.process_time()
        read(text)
        return time.process_time() - start

    # Four times the text takes four times as long, quadratic sixteen; a busy machine measures more than it was.
    slow = [part for part in PARTS if not any(took(part, 1_600) <= 10 * took(part, 400) + 0.004 for _ in range(4))]
    assert slow == []
