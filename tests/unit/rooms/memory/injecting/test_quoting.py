"""Which sentences of an answer are told: at the start, at a file, at a prompt."""

from __future__ import annotations

import pytest

from holdfast.items.indexed import Saying
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.injecting import quoting
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up
from tests.unit.rooms.memory.made import edit, observation

SHORT = Saying(0, short=True)


def worked(asked: str, said: str, path: str = "src/a.py") -> SummaryContent:
    """A turn that edited a file and saw its tests pass."""
    passed = observation("Ran pytest: 42 passed", 2, kind="test", outcome="passed")
    found = sum_up(Work((asked,), (edit(path), passed), said))
    assert found is not None
    return found


def recalled(content: SummaryContent, asked: str) -> str:
    return quoting.told(content, Saying(0, asked=frozenset(terms(asked)) - general_terms()))


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-21")
def test_a_short_lead_is_the_answer_and_is_told_with_its_question_everywhere() -> None:
    for asked, said in (
        ("which page size do we ship?", "50. We had 100 for a week and went back, because phones timed out."),
        ("does the sync run while the app is closed?", "No. The socket dies, because iOS suspends us after 30 s."),
        ("maplibre or leaflet for the print view?", "MapLibre. Leaflet stops at 96 dpi, the plan is drawn at 300."),
        ("what may a discount be?", "12 %. Finance caps it there since the audit, and `discount()` clamps to it."),
        ("is the cache shared between tenants?", "Yes. The key had no tenant; `cache_key()` starts with one now."),
        ("welches Format nimmt der Export?", "Parquet. CSV verliert die Zeitzonen, gelesen wird spaltenweise."),
        ("compare three csv parsers, which one?", "We took `csv-parse`. Papaparse needs a worker we can't bundle."),
        ("how long may a session live?", "**30 minutes.**\n\nLonger ones fail the audit; the old value was 8 hours."),
    ):
        content = worked(asked, said)
        told = f"{said.replace('**', '').replace(chr(10) * 2, ' ')} (asked: {asked})"
        assert quoting.told(content, SHORT) == told
        assert quoting.about_file(content, "src/a.py") == told
        assert recalled(content, asked) == told


@pytest.mark.requirement("MEM-21")
def test_at_a_file_a_cause_stands_with_its_fix_or_is_said_to_be_fixed() -> None:
    for said, told in (
        ("The grid draws from the left by default; nothing mirrored it. `layout()` now asks the locale.",
         "The grid draws from the left by default; nothing mirrored it. `layout()` now asks the locale."),
        ("**Cause:** the reader stopped at an empty line.\n\n**Fix:** it reads to the end and skips empty lines.",
         "Cause: the reader stopped at an empty line. Fix: It reads to the end and skips empty lines."),
        ("Old boards check the size with 16 bits, so images above 64 kB were cut off. I split the image in two slots.",
         "Old boards check the size with 16 bits, so images above 64 kB were cut off. I split the image in two slots."),
        ("Done. The timer drifted because `tick()` added the frame time after the sleep.",
         "Fixed: The timer drifted because `tick()` added the frame time after the sleep."),
        ("Amounts are rounded half-up because accounting wants it.",
         "Amounts are rounded half-up because accounting wants it."),
        ("Each message carries a collapse key, so Android shows it once.\n\nI first blamed the retry. Same result.",
         "Each message carries a collapse key, so Android shows it once."),
        ("`WORKERS` is 12: with 8 the queue grew every Monday, and 16 starves the database.\n\n"
         "Not rolled out: Tom holds the deploy lock until Thursday.",
         "`WORKERS` is 12: with 8 the queue grew every Monday, and 16 starves the database."),
    ):  # fmt: skip
        assert quoting.about_file(worked("it is wrong on tablets", said), "src/a.py") == told
    said = "The axis is reversed for all sizes now, so it goes down.\n\nThe library draws the axis up by default."
    told = "The axis is reversed for all sizes now, so it goes down. The library draws the axis up by default."
    assert quoting.about_file(worked("the axis is wrong", said, "src/library.py"), "src/library.py") == told


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-22")
def test_what_was_weighed_and_tried_is_told_with_its_reason_and_with_what_holds() -> None:
    for said, asked, told in (
        ("The thumbnailer uses the table `jobs` as its queue.\n\n**Considered and rejected:** Redis streams. We would"
         " run one more service for 40 jobs a day.\n\n**Considered and rejected:** SQS. Customers on site have no AWS.",
         "why not redis for the thumbnailer?",
         "Considered and rejected: Redis streams. We would run one more service for 40 jobs a day."
         " — The thumbnailer uses the table `jobs` as its queue."),
        ("Saves carry a `schema` number now.\n\nAlternatives considered:\n- a JSON diff: nobody could read it\n"
         "- protobuf: the modders edit saves by hand",
         "why not protobuf for saves?",
         "Alternatives considered: protobuf: the modders edit saves by hand. — Saves carry a `schema` number now."),
        ("**Fixed.** The job streams rows in batches of 500.\n\n**What I tried first:** raising the limit to 2 Gi. The"
         " pod was still killed, only later.",
         "should we raise the limit?",
         "Tried without success: raising the limit to 2 Gi. The pod was still killed, only later."
         " — The job streams rows in batches of 500."),
    ):  # fmt: skip
        content = worked("make it hold", said)
        assert recalled(content, asked) == told
        assert quoting.told(content, SHORT) == told.rpartition(" — ")[2], "in the brief, what holds"


@pytest.mark.requirement("MEM-20")
def test_sentences_of_different_matters_are_not_put_into_one_line() -> None:
    content = worked(
        "nightly import loses rows",
        "`load_rows()` ignored the error of a bad row; it collects them in `quarantine` now.\n\n"
        "Printing on A3 needs the new driver; the import page has a link to it.",
    )
    told = recalled(content, "which printing driver for import?")
    assert told == "Printing on A3 needs the new driver; the import page has a link to it."


SCANS = worked(
    "uploads of large scans stop half-way",
    "**In short:** we gave up too early.\n\n`send()` waited 10 s for an answer, whatever the size of the scan. It "
    "waits 1 s per MB now.\n\nScans that were sent before this version have to be sent again.",
)
VOUCHERS = worked(
    "add vouchers for groups",
    "A voucher can be used by a group (`vouchers/group.ts`): one code for a voucher, up to thirty people.\n\n"
    "I left the mail as it is.\n\n"
    "A voucher that does not divide evenly loses a cent in every third group, as last month's sales show; the buyer "
    "gets what is left over. The page of a voucher shows the code, the people and the day until which it holds.",
)
CHECKED = worked(
    "the map flickers on tablets",
    "Two layers drew at the same depth. The labels are 0.1 above the tiles now.\n\n"
    "All tests for the map on the tablet pass.",
)


@pytest.mark.requirement("MEM-22")
def test_who_asks_why_is_told_the_cause_and_who_asks_for_something_else_that() -> None:
    cause = "`send()` waited 10 s for an answer, whatever the size of the scan. It waits 1 s per MB now."
    for asked, why, begins in (
        ("large scans were sent and stop again. what was the reason?", True, f"We gave up too early. {cause}"),
        ("do scans that were sent before this version count?", False, "Scans that were sent before this version"),
        ("what did we do about the map on tablets, were there tests?", False, "Two layers drew at the same depth."),
    ):
        content = CHECKED if "map" in asked else SCANS
        how = Saying(0, asked=frozenset(terms(asked)) - general_terms(), why=why)
        assert quoting.told(content, how).startswith(begins), asked


@pytest.mark.requirement("MEM-22")
def test_a_word_that_few_sentences_have_tells_more_than_one_that_all_have() -> None:
    assert "loses a cent in every third group" in recalled(VOUCHERS, "with a group voucher, who pays the odd cent?")
