"""Work that only found a fault says so: a cause alone reads as if it were mended."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.unfixed import was_fixed, was_left_unfixed
from tests.support.table import each_of

ASKED = "The clock of two units is an hour off, find out why"


@pytest.mark.requirement("MEM-17")
@each_of(
    ("title", "said", "files", "outcome", "left"),
    [
        ("Cause: the gateway sends local time.", "Not fixed yet.", ("tests/test_clock.py",), "failed", True),
        ("Cause: the gateway sends local time.", "As you asked nothing is fixed.", (), "", True),
        ("Cause: the gateway sends local time.", "The test is red, the code is unchanged.", (), "", True),
        ("Ursache: das Gateway schickt Ortszeit.", "Ich habe noch nichts geändert.", (), "", True),
        ("Cause: the gateway sends local time.", "Not fixed yet on staging.", ("src/clock.py",), "", False),
        ("Cause: the gateway sends local time.", "The API is unchanged.", ("src/clock.py",), "passed", False),
        ("Cause: the gateway sends local time.", "The clock is right again.", (), "", False),
    ],
)
def test_a_cause_that_nobody_mended_says_so(
    title: str, said: str, files: tuple[str, ...], outcome: str, left: bool
) -> None:
    content = SummaryContent(title=title, request=ASKED, said=said, files=files, outcome=outcome)  # type: ignore[arg-type]
    assert was_left_unfixed(content) is left


@pytest.mark.requirement("MEM-17")
def test_a_question_about_code_that_stayed_as_it_was_leaves_nothing_unfixed() -> None:
    content = SummaryContent(title="`load()` reads the rate from the header.", request="What does load() do?")
    assert not was_left_unfixed(content)


@pytest.mark.requirement("MEM-17")
@each_of(
    ("title", "files", "outcome", "left", "fixed"),
    [
        ("Cause: `split()` puts every fifth clip into validation.", ("src/split.py",), "passed", "", True),
        (
            "The cause is fixed: clips are split by recording now, because of the leak.",
            ("src/split.py",),
            "passed",
            "",
            False,
        ),
        ("Cause: `split()` puts every fifth clip into validation.", ("tests/test_split.py",), "passed", "", False),
        ("Cause: `split()` puts every fifth clip into validation.", ("src/split.py",), "failed", "", False),
        ("Cause: the router drops ICMP.", ("src/log.py",), "passed", "The router is not fixed yet.", False),
    ],
)
def test_a_cause_that_was_mended_says_so(
    title: str, files: tuple[str, ...], outcome: str, left: str, fixed: bool
) -> None:
    content = SummaryContent(title=title, request=ASKED, files=files, outcome=outcome, left_open=left)  # type: ignore[arg-type]
    assert was_fixed(content) is fixed
