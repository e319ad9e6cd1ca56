"""What a line is about is told where its own words do not say it, and only there."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.capture.tool_use import observe
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.summaries.by_rules.matters import with_commit, with_matter
from holdfast.rooms.memory.summaries.by_rules.of_session import reverts, standing_parts
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up
from tests.support.table import each_of
from tests.unit.rooms.memory.made import ROOT, bash, edit, observation


def content_of(done: str, request: str = "see to it") -> SummaryContent:
    return SummaryContent(title="", request=request, done=done)


@pytest.mark.requirement("MEM-18")
@each_of(
    ("line", "done", "told"),
    [
        (
            "Cause: SQS gave the message out a second time.",
            "Committed: Deliver a webhook once",
            "Cause: SQS gave the message out a second time. (about: Deliver a webhook once)",
        ),
        (
            "It returns early on a repeat.",
            "Committed: fix(api): One charge per invoice",
            "It returns early on a repeat. (about: One charge per invoice)",
        ),
        # it names its matter, or two commits are told and nobody knows which one it is about
        ("A webhook is delivered once.", "Committed: Deliver a webhook once", "A webhook is delivered once."),
        ("It waits now.", "Committed: Rename the pool\nCommitted: Sort the rows", "It waits now."),
        ("It waits now.", "Committed: wip", "It waits now."),
        # what was taken back is what it is about
        (
            "Back at 1.3.4, as a revert.",
            "Committed: CameraX 1.4.1\nReverted: Move to CameraX 1.4.1",
            "Back at 1.3.4, as a revert. (about: Move to CameraX 1.4.1)",
        ),
        ("The user decided: “leave it”", "Committed: Deliver a webhook once", "The user decided: “leave it”"),
    ],
)
def test_a_result_without_its_subject_is_told_with_the_title_of_its_commit(line: str, done: str, told: str) -> None:
    assert with_commit(line, content_of(done)) == told


@pytest.mark.requirement("MEM-18")
def test_the_commit_of_another_request_of_the_session_is_not_what_a_result_is_about() -> None:
    line, done = "0042 is live, so a second posting is refused.", "Committed: A number range for credit notes"
    for request, told in (
        ("credit notes get their own range (and 1 more)", f"{line} (about: A number range for credit notes)"),
        ("run 0042 on staging (and 1 more)", line),
        ("run 0042 on staging", f"{line} (about: A number range for credit notes)"),
    ):
        assert with_commit(line, content_of(done, request)) == told


@pytest.mark.requirement("MEM-18")
@each_of(
    ("line", "title", "request", "done", "told"),
    [
        (
            "No login yet, only the house reaches it.",
            "It returns what is free.",
            "stock per article as an endpoint",
            ["Committed: Free stock per article"],
            "No login yet, only the house reaches it. (about: Free stock per article)",
        ),
        (
            "Fatima has to grant it.",
            "The role lacks CREATE on the schema. Nothing else is missing.",
            "run the migration",
            [],
            "Fatima has to grant it. (about: The role lacks CREATE on the schema)",
        ),
        ("Nothing is live.", "Edited a.py", "Morning! Please put the exporter on the host of Turin", [], None),
        ("Nothing is live.", "Edited a.py", "gotta get my kid", [], "Nothing is live."),
        # it names its matter, a deed or a thing of its own; or it is a question
        ("The stock of Venlo is open.", "It adds up.", "stock per article", [], "The stock of Venlo is open."),
        ("Rotate the keys of the mailer.", "It adds up.", "stock per article", [], "Rotate the keys of the mailer."),
        ("`COUNTS` is global.", "It adds up.", "stock per article", [], "`COUNTS` is global."),
        ("Which of the two?", "It adds up.", "stock per article", [], "Which of the two?"),
    ],
)
def test_an_open_line_without_its_subject_is_told_with_the_matter_of_the_work(
    line: str, title: str, request: str, done: list[str], told: str | None
) -> None:
    assert with_matter(line, title, request, done) == (
        f"{line} (about: put the exporter on the host of Turin)" if told is None else told
    )


@pytest.mark.requirement("MEM-17")
def test_what_git_reverted_is_no_result_of_the_session() -> None:
    output = '[main 1a2b3c4] Revert "Move to CameraX 1.4.1"\n 1 file changed, 1 insertion(+), 1 deletion(-)'
    draft = observe(bash("git revert --no-edit HEAD", output), ROOT)
    assert draft is not None
    assert [(run.kind, run.title) for run in draft.runs] == [("commit", "Reverted: Move to CameraX 1.4.1")]
    moved = sum_up(
        Work(
            ("bump camerax",),
            (edit("a.toml"), observation("Committed: Move to CameraX 1.4.1", 2, outcome="passed")),
            "CameraX is at 1.4.1.",
        )
    )
    back = observation("Reverted: Move to CameraX 1.4.1", 3, runs=draft.runs, outcome="passed")
    again = sum_up(Work(("black preview on the handheld, the old one please",), (back,), "Back at 1.3.4, as a revert."))
    assert moved
    assert again
    assert reverts(again, moved)
    assert not reverts(moved, again)
    assert standing_parts([moved, again]) == [again]
