"""What memory reads of untrusted text takes time in proportion to its length (SEC-7)."""

from __future__ import annotations

import re
import time

import pytest

from holdfast.events import correction
from holdfast.rooms.memory import rules
from holdfast.rooms.memory.capture import runs
from holdfast.rooms.memory.capture.symbols import declared
from holdfast.rooms.memory.reading import cues, units

HOSTILE = (
    "\n",
    " \n",
    " ",
    "**a",
    "** a",
    "**",
    "<a",
    "<a ",
    "a1234567..",
    "1234567..1234567 ",
    "```",
    '"',
    "- ",
    "a-",
)


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize(
    "pattern",
    [runs._PUSHED, runs._GIT_FAILED, runs._COMMITTED, correction._QUOTED, correction._TAGGED, correction._FENCED,
     correction._ENDS, correction._HERE, rules._PATH, units._BOLD, units._CODE, units._LABEL, cues.TRIED],
)  # fmt: skip
def test_hostile_text_takes_linear_time(pattern: re.Pattern[str], part: str) -> None:
    def took(size: int) -> float:
        text = part * (size // len(part)) + "\x01"
        best = 9.0
        for _ in range(2):
            start = time.process_time()
            pattern.sub("", text)
            best = min(best, time.process_time() - start)
        return best

    # Linear is 8 times, quadratic 64 times.
    assert any(took(8_000) <= 40 * took(1_000) + 0.01 for _ in range(3))


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize(
    "text", ["   abc1234..def5678  main -> main", " + abc1234...def5678 main -> main (forced update)",
             " * [new branch]      topic -> topic", "Everything up-to-date"],
)  # fmt: skip
def test_a_push_is_still_known(text: str) -> None:
    assert runs._PUSHED.search(f"To example.org:shop.git\n{text}\n")


@pytest.mark.requirement("SEC-7")
def test_a_line_of_spaces_declares_nothing_and_costs_nothing() -> None:
    start = time.process_time()
    for ending in (".java", ".ts", ".rs", ".py"):
        for line in (" " * 299, " " * 298 + "\x01", "a" + " " * 290 + "\x01"):
            assert declared(line, ending) == ""
    spaced = time.process_time() - start
    assert declared("    public   void  run ( ) {", ".java") == "run()"
    start = time.process_time()
    for _ in range(1_000):
        declared("    public void run() {", ".java")
    assert spaced < 4 * (time.process_time() - start)
