"""A newer sentence that says another value of the same thing replaces the older one; any other stands beside it."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.values import may_say_a_value, revalued
from holdfast.rooms.memory.standing.replacing import said_otherwise
from tests.support.table import each_of
from tests.unit.rooms.memory.made import summary


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old"),
    [
        ("The API limit is 250 requests per minute now.", "The API limit is 100 requests per minute."),
        ("We raised the API limit to 250/min.", "The API limit is 100 requests per minute."),
        ("The nightly job was moved to 04:30 UTC because backups overlap.", "The nightly job runs at 02:00 UTC."),
        ("Uploads may be 50 MB now.", "Uploads may be 20 MB."),
        ("I raised the session timeout to 60 minutes.", "The session timeout is 30 minutes."),
        ("The worker pool has 16 workers instead of 4.", "The worker pool has 4 workers."),
        ("Tokens are signed with RS256, not HS256 any more.", "Tokens are signed with HS256."),
        ("Images are resized with libvips now.", "Images are resized with Pillow."),
        ("Sessions are stored in Postgres now.", "Sessions are stored in Redis."),
        ("The default branch is `main` now.", "The default branch is `master`."),
        ("We use Vitest for unit tests now.", "We use Jest for unit tests."),
        ("The free shipping threshold is 39 EUR now.", "The free shipping threshold is 29 EUR."),
        ("Backups are kept for 90 days now.", "Backups are kept for 30 days."),
        ("The weekly digest goes out on Monday now.", "The weekly digest goes out on Friday."),
        ("The retry budget was lowered from 5 to 3 attempts.", "The retry budget is 5 attempts."),
        ("Der Export läuft jetzt um 06:00 Uhr.", "Der Export läuft um 03:00 Uhr."),
        ("Le rapport part désormais le lundi.", "Le rapport part le vendredi."),
        ("The gateway listens on port 9090 now.", "The gateway listens on port 8080."),
        ("CI runs on Python 3.13 now.", "CI runs on Python 3.11."),
        ("Deploys run in GitHub Actions now.", "Deploys run in Jenkins."),
        ("VAT on books is 7 % now.", "VAT on books is 5 %."),
        ("The cache TTL is 10 min now.", "The cache TTL is 60 s."),
        ("Results are sorted by relevance now.", "Results are sorted by date."),
        ("A day ticket costs 14 EUR now, a week ticket 50 EUR.", "A day ticket costs 12 EUR."),
        ("Sessions expire after two hours of inactivity now.", "Sessions expire after 30 minutes of inactivity."),
        ("Invoices are due after thirty days now.", "Invoices are due after 14 days."),
        ("A lobby takes six players now.", "A lobby takes 4 players."),
        ("Der Export läuft jetzt alle zwei Stunden.", "Der Export läuft alle 30 Minuten."),
        ("The mail queue is on SQS now.", "Mails are queued in RabbitMQ (`mail.out`)."),
        ("Nightly dumps are on the NAS now.", "Nightly dumps are stored in S3."),
        ("Python 3.11 is the minimum now.", "The minimum is Python 3.9, because the machines in the lab run it."),
    ],
)
def test_another_value_of_the_same_thing_replaces_the_older_one(new: str, old: str) -> None:
    assert revalued(new, old) == new
    assert may_say_a_value(new)


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old"),
    [
        (
            "The API limit for guests is 50 requests per minute now.",
            "The API limit for partners is 100 requests per minute.",
        ),
        ("The timeout of the billing service is 60 s now.", "The timeout of all services is 30 s."),
        ("The cache of the search page holds 512 entries now.", "The cache holds 256 entries."),
        ("Invoices in Austria have 20 % tax now.", "Invoices have 19 % tax."),
        ("Nightly backups of the wiki run at 03:00 now.", "Nightly backups run at 02:00."),
        ("The upload limit is 10 MB now.", "The avatar limit is 2 MB."),
        ("The nightly job writes 12 files now.", "The nightly job runs at 02:00 UTC."),
        ("Sessions are stored in Postgres now.", "Sessions are stored for 30 days."),
        ("Amounts are logged in cents now.", "Amounts are logged in the audit table."),
        ("The timeout in the proxy is 60 s now.", "The timeout in the worker is 30 s."),
        ("The export takes 2 s now.", "The import takes 40 s."),
        ("Tests run on Linux now.", "Tests run on Windows too, with 4 workers."),
        ("The header is 64 px high now.", "The header has 3 buttons."),
        ("Images are resized with libvips now.", "Thumbnails are cached with Redis."),
        ("Orders over 50 EUR ship free now.", "Orders over 500 EUR need a signature."),
        ("The report lists 12 suppliers now.", "The report goes out at 06:00."),
        ("The worker retries 3 times.", "The worker retries 5 times on Sundays."),
        ("The sensor is read every 10 s now.", "The sensor is calibrated every 30 days."),
        ("The limit is 3 now.", "The pool size limit of the database is 20."),
        ("Was the API limit 250 requests per minute?", "The API limit is 100 requests per minute."),
        ("The API limit was 250 requests per minute.", "The API limit is 100 requests per minute."),
        ("Prices in the shop are shown with VAT now.", "Prices in the shop are shown in EUR."),
        ("The job runs on Monday now.", "The backup runs on Friday."),
        ("Logs are kept for 7 days now.", "Backups are kept for 30 days."),
        ("A week ticket costs 50 EUR now.", "A day ticket costs 12 EUR."),
        ("The button is blue now.", "The button is in the header."),
        ("Emails are sent by the worker now.", "Emails are sent by 09:00."),
        ("Sessions are refreshed after two minutes now.", "Sessions expire after 30 minutes."),
        ("The timeout is one hour now.", "The timeout is 60 minutes."),
        ("The mail queue retries five times now.", "Mails are queued in RabbitMQ."),
        ("Two endpoints are cached now.", "The endpoints are cached for 30 s."),
        ("Dumps of the wiki are on the NAS now.", "Dumps are stored in S3."),
        ("One of the workers is on Linux now.", "The workers are on Windows."),
        ("Tests of the parser run on Node 22 now.", "Tests run on Node 20."),
        ("Nightly dumps are encrypted on the NAS now.", "Nightly dumps are stored in S3."),
    ],
)
def test_a_value_of_another_thing_or_of_another_kind_replaces_nothing(new: str, old: str) -> None:
    assert revalued(new, old) == ""


@pytest.mark.requirement("MEM-12")
def test_work_in_the_same_file_needs_no_now_and_the_users_word_counts_too() -> None:
    old = summary("Reports are sent by mail every Monday.", 1, files=("a.py",)).content
    new = "Reports are posted to Slack every Friday."
    assert said_otherwise(summary(new, 2, files=("a.py",)).content, old) == new
    assert said_otherwise(summary(new, 2, files=("b.py",)).content, old) == ""
    limit = summary("The API limit is 100 requests per minute.", 1, files=("a.py",)).content
    told = summary("Noted.", 2, request="ops raised the API limit to 250/min. please look at the header").content
    assert said_otherwise(told, limit) == "ops raised the API limit to 250/min."
    found = summary("Uploads failed because the limit of 20 MB was counted twice.", 1, files=("a.py",)).content
    assert said_otherwise(summary("Uploads may be 50 MB now.", 2, files=("a.py",)).content, found) == ""


@pytest.mark.requirement("MEM-12")
def test_work_on_the_same_page_need_not_name_all_of_a_thing_again() -> None:
    old = "Releases are cut on Thursdays, from `main`, by whoever is on call."
    assert revalued("Tuesday is release day now.", old, is_change=True)
    assert not revalued("Tuesday is release day now.", old)
    assert not revalued("Tuesday is standup day now.", old, is_change=True)
    assert not revalued("Releases are announced a day later now.", old, is_change=True)


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old", "is_replaced"),
    [
        ("VAT is rounded once per invoice.", "VAT is rounded per line, as the accountant said.", True),
        ("Branches are named after the ticket alone.", "Branches are named `feature/TICKET-title`.", True),
        ("Days are counted without holidays.", "Days are counted from the first booking.", True),
        ("Files are encoded in UTF-8 with a BOM.", "Files are encoded in Latin-1.", True),
        (".editorconfig asks for two spaces in all files.", ".editorconfig asks for tabs in all files.", True),
        ("The seed script creates no orders per customer.", "The seed script creates 50 orders per customer.", True),
        ("Summaries are written by the large model.", "Summaries are written by the small model; it is cheap.", True),
        ("Rechnungen sind nach Kunden benannt.", "Rechnungen sind nach Datum benannt.", False),
        ("VAT is rounded in the export, too.", "VAT is rounded per line.", False),
        ("Credits are rounded per month.", "VAT is rounded per line.", False),
        ("VAT is shown per line.", "VAT is rounded per line.", False),
        ("Branches are deleted after the merge.", "Branches are named after the ticket.", False),
        ("The form asks for a phone number.", "The form asks for a name.", False),
        ("The list shows the owner of each row.", "The list shows ten rows.", False),
        ("Images are served from the CDN.", "Images are served with `max-age=86400`.", False),
        ("The importer skips empty lines in CSV files.", "The exporter writes a header in CSV files.", False),
        ("Branches are named after the ticket, in lower case.", "Branches are named after the ticket.", False),
        ("The parser accepts comments in lists as well.", "The parser accepts strings in lists as well.", False),
    ],
)
def test_the_same_page_says_the_same_of_a_thing_otherwise(new: str, old: str, is_replaced: bool) -> None:
    assert bool(revalued(new, old, is_change=True)) == is_replaced
    assert not revalued(new, old)


@pytest.mark.requirement("MEM-12")
def test_what_is_gone_from_a_file_takes_nothing_else_of_it_along() -> None:
    old = summary("The login page has a captcha.", 1, files=("a.py",)).content
    new = summary("The login page does not show the banner any more.", 2, files=("a.py",)).content
    assert said_otherwise(new, old) == ""
