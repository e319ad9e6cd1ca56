"""What a summary is worth, and why."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.worth import has_substance, is_general, worth
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up
from tests.unit.rooms.memory.made import DAY, edit, observation

RAN = observation("Ran pytest: 42 passed", 3, kind="test", outcome="passed")


def content(asked: str, said: str, *observations: object) -> SummaryContent:
    found = sum_up(Work((asked,), tuple(observations), said))  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.requirement("MEM-19")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("what time is it?", "It's 14:32 UTC."),
        ("thanks", "You're welcome!"),
        ("Write a haiku about ducks", "Ducks glide on still ponds,\nRipples whisper."),
        ("why is the sky blue?", "The sky is blue because of Rayleigh scattering."),
        ("where is the retry logic?", "It is in `src/payments/retry.py`."),
        ("hi", "Hello! How can I help?"),
        ("continue", "I see."),
    ],
)
def test_courtesy_and_look_ups_are_worth_nothing(asked: str, said: str) -> None:
    assert worth(content(asked, said)).value == 0.0
    looked = observation("Read a.py", kind="read", files=("a.py",))
    assert "because" in said or worth(content(asked, said, looked)).value == 0.0


@pytest.mark.requirement("MEM-19")
def test_what_was_asked_for_to_laugh_leaves_nothing_open() -> None:
    pun = "Working on lifts has its ups and downs, but it's the going sideways you have to worry about."
    for asked, general in (
        ("got a joke about lifts? for a leaving card", True),
        ("write a haiku about deploys", True),
        ("what do our lift sensors still need?", False),
    ):
        talk = SummaryContent(request=asked, title=pun, left_open=pun)
        assert is_general(talk) is general, asked


@pytest.mark.requirement("MEM-19")
def test_general_knowledge_is_no_work_and_what_is_ours_is() -> None:
    for asked, said in (
        ("what's the difference between interface and type in ts?",
         "Use an `interface` for declaration merging; `type X = T` is for unions, because interfaces can't do that."),
        ("how do i undo the last commit but keep the changes?",
         "`git reset --soft HEAD~1`. It moves the branch back and keeps the index, so nothing is lost."),
        ("python: sorted vs list.sort?",
         "`sorted()` returns a new list instead of None. Use `sorted()` when you must not change the input."),
        ("was ist ein Bloomfilter?", "Er antwortet nie falsch-negativ, weil `add()` nur Bits setzt."),
        ("do workers share memory in Node.js?", "No. Node.js copies messages, unless `SharedArrayBuffer` is used."),
        ("when do i need a StatefulSet", "A `StatefulSet` requires a headless service, because names must be stable."),
        ("is volatile enough on a Cortex-M?", "No, because `volatile` is not atomic; use `__LDREX` instead."),
    ):  # fmt: skip
        assert (worth(content(asked, said)).value, content(asked, said).left_open) == (0.0, ""), said
    for asked, said in (
        ("why do we poll?", "We poll because the `hooks` of the bank are not signed."),
        ("why is retry off?", "Retries are off in `src/payments/retry.py`, because the bank counts them twice."),
        ("wo liegen unsere Karten?", "Die Karten liegen im Cache, weil `tiles()` sonst drosselt."),
    ):
        assert worth(content(asked, said)).because == ("a finding",), said


@pytest.mark.requirement("MEM-19")
def test_what_is_worth_telling_says_why() -> None:
    decision = worth(content("which store?", "We decided to keep Postgres instead of Redis.", edit("a.py"), RAN))
    finding = worth(content("why is it red?", "The cause was a stale lock in `pool.py`.", edit("a.py")))
    tested = worth(content("Add a flag --json to the exporter", "Done.", edit("a.py"), RAN))
    edited = worth(content("Add a flag --json to the exporter", "Done.", edit("a.py")))
    assert decision.because[0] == "a decision"
    assert finding.because[0] == "a finding"
    assert tested.because == ("finished and tested work",)
    assert decision.value > finding.value > tested.value > edited.value > 0
    told = worth(content("Fix the login redirect", "The redirect is fixed.", RAN))
    assert told.because == ("a change was told and tested",)
    assert "a correction by the user" in worth(content("we never mock the clock", "Understood.")).because
    opened = worth(content("Fix the docs", "Done. The German docs still need an update.", edit("a.md")))
    assert "something is still open" in opened.because


@pytest.mark.requirement("MEM-19")
def test_a_decision_outlives_plain_work() -> None:
    decision = worth(content("which store?", "We decided to keep Postgres.", edit("a.py")))
    edited = worth(content("Add a flag --json to the exporter", "Done.", edit("a.py"), RAN))
    assert decision.left_after(30 * DAY) > 0.5 * decision.value
    assert edited.left_after(30 * DAY) < 0.2 * edited.value


@pytest.mark.requirement("MEM-16")
def test_i_see_answers_nothing() -> None:
    assert not has_substance(content("why does it loop?", "I see."))
    assert has_substance(content("how long is the turnaround?", "Each berth has a turnaround of fifteen minutes."))


@pytest.mark.requirement("MEM-19")
def test_what_to_take_for_something_of_the_project_is_a_choice_and_other_questions_are_none() -> None:
    for asked, said, told in (
        ("sqlite or postgres for the gates?", "Postgres. The gates have two writers, and SQLite locks the file.", True),
        ("should we paginate or stream?", "Stream. A page would need a cursor that lives for a day.", True),
        ("which format for our labels, zpl or pdf?", "ZPL. The printers in the hall know nothing else.", True),
        ("sollen wir zod oder yup nehmen?", "Zod. Typen und Prüfung stehen an einer Stelle.", True),
        ("vim or emacs?", "Vim. It starts faster.", False),
        ("how long do we keep the labels?", "90 days, then a job deletes them.", False),
        ("should I learn Rust or Go?", "Go. It takes a week.", False),
        ("which one did we take back then?", "Postgres. The gates have two writers.", False),
        ("should we raise the limit for the gates?", "No: that was tried.", False),
        ("tabs or spaces?", "Spaces.", False),
    ):
        assert ("a choice that was asked for" in worth(content(asked, said)).because) is told, asked
