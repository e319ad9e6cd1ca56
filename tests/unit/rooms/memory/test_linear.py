"""What memory reads of untrusted text takes time in proportion to its length (SEC-7)."""

from __future__ import annotations

import re
import time

import pytest

from holdfast.events import correction, subjects
from holdfast.items import alike
from holdfast.prose import cues, openness, orders, remarks, units
from holdfast.prose.closing import statements
from holdfast.prose.prompts import choices
from holdfast.prose.updates import contradictions, deeds, opposites, refused, settled, states, values, withdrawn
from holdfast.rooms.memory import rules
from holdfast.rooms.memory.capture import runs
from holdfast.rooms.memory.capture.symbols import declared
from holdfast.rooms.memory.standing import decided, newest, replacing, replies, settling, waiting

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
    "a",
    "a ",
    "a is ",
    "the ",
    "no-",
    "fixed it ",
    " (about: a",
    " (a)",
    " — replaces: a\n",
)


PATTERNS = (
    runs._PUSHED, runs._GIT_FAILED, runs._COMMITTED, correction._QUOTED, correction._TAGGED, correction._FENCED,
    correction._ENDS, correction._HERE, correction._OTHERS, correction._REPORTED, rules._PATH, units._BOLD,
    units._CODE, units._LABEL, cues.TRIED, cues.CEREMONY, cues.FINDING, cues.ASIDE, openness._NOTHING, alike._REMARKS,
    subjects._CUT_OFF, subjects._DID_IT, orders._ORDERS, decided._OPTIONS, openness._UNCOVERED, remarks._ADAPT,
    remarks._ONCE, remarks._FROM_THEN_ON, remarks._OF_SOME, remarks._OF_THE_PROGRAM, remarks._UNFINISHED,
    settled._NEEDED_VERB, settled._DONE_VERB, settled._PARTICIPLE, settled._INFINITIVE, settled._ROMANCE,
    settled._LABELLED, deeds.DONE, deeds.ALL_PASS, deeds.FIGURE, refused._NOT_NOW, *refused._REFUSES,
    *(pattern for pair in deeds.DEEDS.values() for pattern in pair), values._NOW, values._VALUES, values._SENT,
    values._MEANS, values._USES, values._REASON, newest._BUT_FAILED, replacing._FIRST_WORDS, replacing._BY_NUMBER,
    *contradictions._GIVEN_UP, *contradictions._DENIED, contradictions._TAKEN_BACK, contradictions._REASON,
    replies._KEEPS, replies._GIVES, replies._VALUE, cues.EMPTY, openness._SURELY,
    settling._MENDS, waiting._FAILS_WHERE,
    cues.DID, cues.LOOKED_AT,
    choices._LEAD, choices._UNDECIDED, choices._TALK, choices._REMARK, choices._REASON, choices._DECIDES,
    choices._OFFERED, choices._PERSONAL,
    *(pattern for pair in opposites.OPPOSITES for pattern in pair),
    states.SINCE_A_CHANGE, states._ADDS, states._UNSURE, states._CLAUSE, states._LEAD,
)  # fmt: skip


def took(pattern: re.Pattern[str], part: str, size: int) -> float:
    text = part * (size // len(part)) + "\x01"
    start = time.process_time()
    pattern.sub("", text)
    return time.process_time() - start


def is_linear(pattern: re.Pattern[str], part: str) -> bool:
    # Linear is 8 times, quadratic 64 times. A loop over one letter is so quick that only a longer text tells.
    size, noise = (8_000, 0.01) if len(part) == 1 else (2_000, 0.001)
    return any(took(pattern, part, size) <= 40 * took(pattern, part, size // 8) + noise for _ in range(5))


@pytest.mark.requirement("SEC-7")
def test_hostile_text_takes_linear_time() -> None:
    slow = [(pattern.pattern[:40], part) for pattern in PATTERNS for part in HOSTILE if not is_linear(pattern, part)]
    assert slow == []


@pytest.mark.requirement("SEC-7")
def test_a_figure_of_thousands_of_digits_is_read_in_linear_time() -> None:
    """A prompt may hold one, and is held against each older title that has a figure."""
    patterns = (*withdrawn._GIVEN_UP, withdrawn._SAID)
    assert [each.pattern[:40] for each in patterns for part in ("1", "1.") if not is_linear(each, part)] == []


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


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("part", [" ", "\t", "# ", " #", "> ", "- "])
def test_a_long_line_of_blanks_is_read_in_linear_time(part: str) -> None:
    start = time.process_time()
    statements(part * (20_000 // len(part)))
    assert time.process_time() - start < 1


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("part", ["was ", "because could ", "not ", "later "])
def test_a_sentence_without_an_end_is_read_in_linear_time(part: str) -> None:
    def took_to_read(size: int) -> float:
        start = time.process_time()
        statements(f"Yes, that was a bug. The {part * (size // len(part))}end.")
        return time.process_time() - start

    statements("Yes, that was a bug. It ran twice.")  # compiles the patterns
    assert any(took_to_read(32_000) <= 40 * took_to_read(4_000) + 0.01 for _ in range(3))
