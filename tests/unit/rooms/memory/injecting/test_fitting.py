"""A line that is too long is cut, and never to a sentence that says nothing alone."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.injecting.fitting import LONGEST_LINE, cut, within

_LONG = "The exporter writes one file for each day and names it by the day of the shop, not of the server. "


@pytest.mark.requirement("MEM-18")
def test_a_line_is_cut_to_its_first_sentences_and_keeps_some_words() -> None:
    assert cut(f"[s2] agent: {_LONG}{_LONG}(2 days ago)", leads=False) == f"[s2] agent: {_LONG.strip()} (2 days ago)"
    thread = f"[s2] agent: I have not run it. The first run removes 40,000 files of all shops. {_LONG}(2 days ago)"
    assert cut(thread, leads=True) == (
        "[s2] agent: I have not run it. The first run removes 40,000 files of all shops. (2 days ago)"
    )


@pytest.mark.requirement("MEM-18")
def test_a_line_is_cut_at_a_sentence_and_keeps_what_was_done() -> None:
    fix = "It is written once now, by the shop."
    line = within(f"[s1] agent: {_LONG}{_LONG}{_LONG}{fix} (1 h ago, passed) — replaces: the old exporter")
    assert line == f"[s1] agent: {_LONG}{_LONG}{fix} (1 h ago, passed) — replaces: the old exporter"
    assert len(line) <= LONGEST_LINE
    endless = within(f"[s1] agent: {'word ' * 200}(1 h ago)")
    assert len(endless) <= LONGEST_LINE
    assert endless.endswith("… (1 h ago)")


@pytest.mark.requirement("MEM-28")
def test_a_persons_words_show_where_they_are_cut() -> None:
    rule = "Deploy only on Tuesdays. " + "Ask the team in the channel before you begin with it. " * 6
    cut = within(f"[m12345678] {rule}Hotfixes may go out on any day. (2 days ago)")
    assert len(cut) <= LONGEST_LINE
    assert cut.endswith(" … (2 days ago)")
    whole = "[m12345678] Deploy only on Tuesdays. Hotfixes may go out on any day. (2 days ago)"
    assert within(whole) == whole


@pytest.mark.requirement("MEM-16")
def test_a_cut_line_keeps_the_sentence_that_it_begins_with() -> None:
    first = "`REAL_TO_INT` rounds half to even from 1.9 on, as the standard says."
    more = "2.5 gives 2 and 2.9 gives 3. The errata have it as E-032, because truncating was a miscompile."
    assert cut(f"[s2] agent: {first} {more} (2 days ago)", leads=False).startswith(f"[s2] agent: {first}")


@pytest.mark.requirement("MEM-18")
def test_a_thread_that_is_cut_keeps_what_is_open() -> None:
    left = "I added the attribute to all golden files and committed it to the branch of the release. "
    thread = f"[s1] agent: {left}I couldn't run it on Windows, so the next CI run has to show it. (9 days ago)"
    assert "the next CI run has to show it" in cut(thread, leads=True)


@pytest.mark.requirement("MEM-16")
def test_a_cut_cause_keeps_its_fix_and_not_only_what_the_fix_brought() -> None:
    def of(said: str) -> str:
        return cut(f"[s2] agent: {said} (2 days ago)", leads=False)

    cause = "Cause: The till asks for the price of each loaf on its own, which makes 90 questions for one basket."
    gone = "With a queue in the shop that adds up to most of a minute."
    assert of(f"{cause} {gone} Fix: One question per basket. A sale takes 2 s now.") == (
        f"[s2] agent: {cause} Fix: One question per basket. A sale takes 2 s now. (2 days ago)"
    )
    lead = "The mill sends the note again when the shop is slow."
    why = "`take()` booked each note because it never looked at its number, also those of the week before."
    assert of(f"{lead} {why} {gone} `take()` keeps the number now.") == (
        f"[s2] agent: {why} `take()` keeps the number now. (2 days ago)"
    )


@pytest.mark.requirement("SEC-8")
def test_what_follows_words_of_the_user_that_were_cut_is_not_put_into_their_mouth() -> None:
    quoted = (
        "Build the outbox with SQLite. Use the driver that we have, and no other, because it is the only one we know."
    )
    line = f"[s1] agent: Reports go into an outbox first. — the user: “{quoted}” (2 days ago)"
    short = cut(line, leads=False)
    assert short.count("“") == short.count("”")
