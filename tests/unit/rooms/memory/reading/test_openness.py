"""What leaves something open, and what only tells how the code works."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.reading.closing import classify

OPEN = [
    "station 17 still waits for its file.",
    "The release waits for legal's approval.",
    "This waits for ops.",
    "The PR is waiting for review.",
    "The rest is pending.",
    "The remaining endpoints come later.",
    "Blocked by the missing API key.",
    "The CSV export could not be tested here.",
    "I was unable to reproduce it on macOS.",
    "Two migrations remain to be written.",
    "The vendor has to answer first.",
    "The deploy is blocked by a lock on the state file.",
    "The rotation of the secret is still with ops.",
    "TODO: handle leap seconds.",
    "What is left to migrate: the invoices of 2019.",
    "We are waiting for the certificate.",
    "The German translation follows later.",
    "The staging server still runs the old version.",
    "Production is still on version 3.1.",
    "The mirrors still have last week's index.",
    "The new importer is not deployed yet.",
    "The webhook is not wired into the worker yet.",
    "There is no migration for the archive table yet.",
    "I did not touch the CSV importer.",
    "I have not migrated the reports.",
    "I left the legacy exporter as it is.",
    "The changelog is yet to be written.",
    "I have not run the migration, so it still needs to be applied to staging.",
    "The token has expired, so we still need a new one from ops.",
    "Two tests are still red, so they need a look before the release.",
]
HOW_IT_WORKS = [
    "It waits for the cartChanged event now; no sleep is left.",
    "The worker waits for the lock and then retries.",
    "The client waits until the server acknowledges.",
    "The test waits for the event instead of sleeping.",
    "Pending jobs are flushed on shutdown.",
    "The remaining bytes are read before the header is parsed.",
    "The limit remains 300 seconds.",
    "Requests from other origins are blocked by the proxy.",
    "The token is stored for later use.",
    "The deadlock came from two threads waiting for each other.",
    "Items are laid out left to right.",
    "The scheduler retries later when the queue is full.",
    "Failed uploads are retried five minutes later.",
    "The upload could not finish because the token had expired; it is refreshed now.",
    "Raw files expire after 90 days, because nothing reads them later.",
    "The todo list is sorted by date now.",
    "The migration waits for the lock at most 5 s now.",
    "consume() blocks until a message is pending.",
    "Old clients still send the old header, so we accept both.",
    "The cache was not updated when the key changed.",
    "The index is not updated when a row is deleted, so searches missed it.",
    "Old tokens still work for compatibility with the previous app.",
    "I did not change the public API.",
    "The API still accepts the old field names.",
    "I did not touch `legacy/`, as you asked.",
    "Migrations are not applied automatically.",
    "I did not find anything else.",
    "All tests still pass with the flag on.",
]


@pytest.mark.requirement("MEM-18")
def test_work_that_waits_is_open_and_code_that_waits_is_not() -> None:
    assert [each for each in OPEN if classify(each).kind != "open"] == []
    assert [each for each in HOW_IT_WORKS if classify(each).kind == "open"] == []
