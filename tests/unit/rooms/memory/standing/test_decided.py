"""When a later answer takes the place of an earlier one."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.replacing import may_say_otherwise, said_otherwise
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up

Talk = tuple[str, str]
"""What was asked, and the answer."""
ANEW: list[tuple[Talk, Talk]] = [
    (
        ("Use Redis or Postgres?", "Postgres: one store less to run."),
        ("Redis or Postgres?", "Redis, because polling Postgres is too slow."),
    ),
    (
        ("Use Redis or Postgres for the job queue?", "Postgres. Ops want one store."),
        ("Should the job queue use Redis or Postgres?", "Redis: the polling cost too much."),
    ),
    (
        ("tabs or spaces in the Go templates?", "Spaces, two of them."),
        ("tabs or spaces in the Go templates?", "Tabs, as gofmt does."),
    ),
    (
        ("Which queue backend do we use for mails?", "Postgres for now."),
        ("Which queue backend do we use for mails?", "Redis, decided with ops today."),
    ),
    (
        ("Sollen wir für die Suche Elastic oder Postgres nehmen?", "Postgres reicht."),
        ("Elastic oder Postgres für die Suche?", "Elastic: die Trigramme sind zu langsam."),
    ),
    (
        ("Which CI?", "We decided to run CI on Jenkins."),
        ("Which CI do we use?", "We switched from Jenkins to GitHub Actions for CI."),
    ),
    (
        ("What do we use for the build?", "We use Gradle for the build."),
        ("What do we use for the build now?", "We no longer use Gradle for the build: it is Bazel."),
    ),
    (
        ("What formats dates in the frontend?", "Dates are formatted with moment."),
        ("What formats dates in the frontend?", "Dates are formatted with date-fns instead of moment."),
    ),
    (
        ("Which store for the session cache?", "We decided to keep the session cache in Postgres."),
        ("Redis or Postgres for the session cache?", "Redis."),
    ),
    (
        ("Should we use the npm or the pnpm lockfile?", "npm, as before."),
        ("npm or pnpm for the lockfile?", "pnpm: it is stricter."),
    ),
]
BESIDE: list[tuple[Talk, Talk]] = [
    (("Redis or Postgres for sessions?", "Postgres."), ("Redis or Postgres for the job queue?", "Redis.")),
    (("Use Redis or Postgres?", "Postgres: one store less."), ("Use Redis or Postgres?", "Postgres, still.")),
    (
        ("Use Redis or Postgres for the queue?", "Postgres."),
        ("Why did we use Postgres for the queue?", "Because ops want one store."),
    ),
    (
        ("Use Redis or Postgres for the queue?", "Postgres."),
        ("Did we choose Redis or Postgres for the queue?", "Postgres; Redis was ruled out."),
    ),
    (("Which port does the API use?", "8080."), ("Which file holds the API routes?", "`routes.ts`.")),
    (("tabs or spaces in Go?", "Tabs."), ("tabs or spaces in Python?", "Spaces.")),
    (
        ("How does the export window work?", "It closes at midnight."),
        (
            "How does the export window work?",
            "Window() closes at midnight UTC, because it used to end when the job started.",
        ),
    ),
    (
        ("Is the cache warm or cold after a deploy?", "Cold, it takes a minute."),
        ("Is the database warm or cold after a restore?", "Warm."),
    ),
]


def content(talk: Talk) -> SummaryContent:
    found = sum_up(Work((talk[0],), (), talk[1]))
    assert found is not None
    return found


def is_replaced(old: Talk, new: Talk) -> bool:
    later = content(new)
    return may_say_otherwise(later) and said_otherwise(later, content(old)) != ""


@pytest.mark.requirement("MEM-12")
def test_a_later_answer_about_the_same_choice_replaces_the_earlier_one_and_no_other() -> None:
    assert [pair for pair in ANEW if not is_replaced(*pair)] == []
    assert [pair for pair in BESIDE if is_replaced(*pair)] == []


@pytest.mark.requirement("MEM-16")
def test_a_short_answer_to_a_choice_is_the_title_with_its_reason() -> None:
    assert content(("Redis or Postgres for the queue?", "Postgres. Ops want one store.")).title == (
        "Postgres. Ops want one store."
    )
    assert content(("Which port is free?", "8443.")).title == "8443."
