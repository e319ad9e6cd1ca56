"""What one session has to say stands in one line."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.injecting import parts, wording
from holdfast.rooms.memory.injecting.fitting import LONGEST_LINE
from holdfast.rooms.memory.injecting.parts import in_lines
from holdfast.rooms.memory.injecting.wording import Told
from holdfast.rooms.memory.model import Summary
from holdfast.rooms.memory.standing.threads import Thread, kind_of
from tests.unit.rooms.memory.made import NOW, summary

HERE = Told(NOW)
_WHY = "Cookies rot because nobody clears them."


def lines(work: Summary, *left: str) -> tuple[list[str], list[str]]:
    """The lines of a session's work and of what it left open."""
    told = [(work, f"[s00000001] agent: {work.content.title} (23 h ago)")]
    threads = [(work, Thread(each, kind_of(each))) for each in left]
    opened = [(each, thread, wording.open_line(each, thread, HERE)) for each, thread in threads]
    first = next(iter(parts.of_work(told, {}, "")))
    of_work, of_left = in_lines([first, *(next(iter(parts.of_threads([each], {}))) for each in opened)])
    return [text for _, text in of_work], [text for _, text in of_left]


@pytest.mark.requirement("MEM-18")
def test_what_is_open_stands_behind_the_work_that_left_it_open() -> None:
    work = summary(_WHY, 1)
    assert lines(work, "The docs still need an update.") == (
        [f"[s00000001] agent: {_WHY} — open: The docs still need an update. (23 h ago)"],
        [],
    )
    assert lines(work, "Still fails: Ran make") == ([f"[s00000001] agent: {_WHY} — still fails: make (23 h ago)"], [])
    assert lines(work, f"{_WHY} The docs still need an update.")[0] == [
        f"[s00000001] agent: {_WHY} — open: The docs still need an update. (23 h ago)"
    ]


@pytest.mark.requirement("MEM-18")
def test_a_line_that_would_be_too_long_is_two() -> None:
    long = "The exporter writes a file for each day and each shop. " * 4
    [first], [second] = lines(summary(_WHY, 1), f"{long}Mara has to sign the form.")
    assert "Mara" not in first
    assert second.endswith("(23 h ago)")
    assert max(map(len, (first, second))) <= LONGEST_LINE


@pytest.mark.requirement("MEM-18")
def test_two_open_lines_of_a_session_say_once_what_they_are_about() -> None:
    work = summary(_WHY, 1)
    left = (
        "Nothing is deployed yet. (about: Clear cookies at night)",
        "Mara signs it. (about: Clear cookies at night)",
    )
    opened = [(work, Thread(each, "left"), wording.open_line(work, Thread(each, "left"), HERE)) for each in left]
    _, [(_, line)] = in_lines([next(iter(parts.of_threads([each], {}))) for each in opened])
    assert line.count("Clear cookies at night") == 1
    assert "Mara signs it." in line


@pytest.mark.requirement("SEC-8")
def test_no_words_of_an_agent_stand_behind_words_of_the_user() -> None:
    chosen = "The user decided: “use pnpm in this repo”"
    work = summary(chosen, 1, learned="Decided to keep the ledger in cents because floats lose money.")
    told = [(work, f"[s00000001] {chosen} (23 h ago)")]
    assert [each.line for each in parts.of_work(told, {}, "")] == [told[0][1]]
    waits = Thread("The migration of the cache still has to run in production.", "left")
    by_user = Thread("The user said: “the cap waits for Pedro”", "left")
    opened = [(work, each, wording.open_line(work, each, HERE)) for each in (by_user, waits)]
    of_work, left = in_lines(
        [*parts.of_work(told, {}, ""), *(next(iter(parts.of_threads([each], {}))) for each in opened)]
    )
    assert [text for _, text in of_work] == [told[0][1]]
    assert [text.partition("] ")[2][:9] for _, text in left] == ["The user ", "agent: Th"]
    quoting = "[s00000001] agent: The outbox is SQLite. — the user: “use SQLite” (23 h ago)"
    [first] = parts.of_work([(summary("The outbox is SQLite.", 1), quoting)], {}, "")
    assert not first.joins


@pytest.mark.requirement("MEM-18")
def test_a_branch_with_brackets_hides_nothing() -> None:
    work = summary(_WHY, 1, branch="fix(core)")
    told = Told(NOW, "main")
    opened = [(work, each, wording.open_line(work, each, told)) for each in (Thread("Ana signs it.", "left"),)]
    line = wording.line(work, told.saying(work))
    _, (first, second) = (
        "",
        (next(iter(parts.of_work([(work, line)], {}, ""))), next(iter(parts.of_threads(opened, {})))),
    )
    [(_, text)], left = in_lines([first, second])
    assert "Ana signs it." in text
    assert left == []


@pytest.mark.requirement("MEM-16")
def test_what_was_done_in_a_session_that_is_told_in_the_users_words_has_a_line_of_its_own() -> None:
    done = "Orders are paginated by cursor now."
    work = summary("The user decided: “No, leave it.”", 1, request="Paginate the orders (and 1 more)", learned=done)
    told = [(work, "[s00000001] The user decided: “No, leave it.” (asked: Paginate the orders) (23 h ago)")]
    lines, _ = in_lines(parts.of_work(told, {}, ""))
    assert [text for _, text in lines] == [told[0][1], f"[s00000001] agent: {done} (23 h ago)"]
