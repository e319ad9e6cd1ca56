"""Newer words that say another state of the same thing end the older; what only shares words stands beside it."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.states import may_say_a_state, other_state
from tests.support.table import each_of


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old"),
    [
        (
            "Scans of loan slips live in the bucket slips-prod since today; two servers cannot share a disk.",
            "Scans of loan slips are kept on the local disk under var/scans, because there is only one server.",
        ),
        (
            "Background jobs run on Postgres with procrastinate now; Celery and its Redis are out.",
            "Background jobs run on Celery with Redis as the broker, because the team knows it.",
        ),
        (
            "Ticket numbers are random ten-character strings now, because the sequence could be guessed.",
            "Tickets are numbered by a sequence per theatre, because the box office reads them aloud.",
        ),
        (
            "Reminders of a loan leave a week ahead now: members asked for more time.",
            "Reminders of a loan go out three days before the due date.",
        ),
        (
            "The price cache is gone: every request asks the ERP, and the page loads them afterwards.",
            "Prices from the ERP are cached for ten minutes in memory, because one lookup takes 400 ms.",
        ),
        (
            "Termine werden jetzt in UTC gespeichert und erst im Kalender umgerechnet.",
            "Termine werden in lokaler Zeit der Praxis gespeichert, weil der Kalender sie so anzeigt.",
        ),
        (
            "A login is a row in the table of sessions now: a signed cookie could not be taken back.",
            "Decision: a login is a signed cookie that is valid for 30 days, without a table of sessions.",
        ),
        (
            "The guide is deployed on Fly by the CI job `release` since today, and the Heroku app is paused.",
            "The guide is deployed to Heroku by a git push, because it needs one dyno.",
        ),
        (
            "The export of meter readings is XML in the format of the utility; nobody needed the CSV any more.",
            "The export of meter readings is CSV with semicolons, because the office opens it in Excel.",
        ),
        (
            "legacy/ is back, restored from the last commit; the importer reads its fixtures.",
            "I removed the folder legacy/: nothing imports it. The folder is gone.",
        ),
        (
            "`checkout2` is on for all shops since this morning.",
            "The new checkout is behind the flag `checkout2`, which is off for everybody.",
        ),
        ("Production runs Django 5 as well since 14:00.", "Staging runs Django 5; production is still on 4.2."),
        (
            "the scanner in hall 2 has a new certificate, works. now add a beep",
            "The barcode scanner in hall 2 does not connect: its certificate expired on Monday.",
        ),
        (
            "holdfast undo brought the file back, and i restored drafts from drafts.sql. why is the editor empty?",
            "The table `drafts` is dropped, its 40 rows are in drafts.sql.",
        ),
        (
            "Les reçus sont désormais envoyés par courriel.",
            "Les reçus sont envoyés par la poste, parce que les clients le demandent.",
        ),
        ("Los turnos se guardan ahora en la nube.", "Los turnos se guardan en el disco de la oficina."),
        (
            "Dates are parsed with dayjs now; moment is out.",
            "Dates on the tickets are parsed with moment, because the old shop did so.",
        ),
        ("Prettier is gone, Biome formats everything.", "Lines are at most 100 long, enforced by Prettier."),
        (
            "The kiln controller is online again since noon.",
            "The kiln controller is offline: the router in the shed is dead.",
        ),
        ("The importer runs at 7 now.", "The importer runs on weekdays at 6."),
        ("Since Monday, sessions are kept in memory.", "Sessions are kept in Redis."),
        ("The dashboard shows the new logo now.", "The dashboard still shows the old logo."),
        ("Jobs run in parallel now.", "Jobs run in the order of the till."),
        ("Logs are written in JSON now.", "Logs are written in plain text."),
        ("The vans are tracked with LoRa now.", "The vans are tracked by GPS every minute."),
    ],
)
def test_another_state_of_the_same_thing_ends_the_older_one(new: str, old: str) -> None:
    assert may_say_a_state(new)
    assert other_state(new, old)


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old"),
    [
        (
            "Photos of dishes are scanned by ClamAV now before they are stored.",
            "Photos of dishes are stored in the bucket dishes-eu, because the kitchen has no disk.",
        ),
        (
            "The partner export allows 10 requests a minute now.",
            "The public API allows 100 requests a minute for each key.",
        ),
        (
            "The cleanup of carts runs at 03:00 now, because it locks the table.",
            "The report of sales runs at 05:00, because the tills close at four.",
        ),
        (
            "The search of orders uses a trigram index in Postgres now; a like query read the whole table.",
            "Decision: orders are kept in Postgres, because we need transactions.",
        ),
        (
            "Disabled buttons of the kiosk are grey now and do not react.",
            "Buttons of the kiosk are green, because red reads as stop.",
        ),
        (
            "Photos of dishes are stored in a second bucket, too, now.",
            "Photos of dishes are stored in the bucket dishes-eu.",
        ),
        (
            "Photos of dishes should be stored on Azure from now on.",
            "Photos of dishes are stored in the bucket dishes-eu.",
        ),
        (
            "New photos of dishes are stored in the bucket dishes-us now.",
            "Photos of dishes are stored in the bucket dishes-eu.",
        ),
        ("The folder docs/ is back.", "I removed the folder legacy/: nothing imports it."),
        (
            "The scanner in hall 3 works again.",
            "The barcode scanner in hall 2 does not connect: its certificate expired on Monday.",
        ),
        (
            "`checkout2` is tested in all shops now.",
            "The new checkout is behind the flag `checkout2`, which is off for everybody.",
        ),
        ("Backups are encrypted with age now.", "Backups are kept on the NAS for 30 days."),
        ("Prices are shown in cents now.", "Prices are cached in memory."),
        ("The old folder of photos is gone.", "Photos are shown in a grid of three columns."),
        ("The printer works, the scanner does not.", "The barcode scanner in hall 2 does not connect."),
        ("The scheduler is a process of its own now.", "The scheduler is an hour late on Mondays, because of DST."),
        ("The invoice page is a single template now.", "The invoice page is a bit slow on phones."),
        ("The voucher page is `vouchers.html` now.", "The voucher page is PDF only for guests."),
        ("Labels are rendered with Pillow now.", "Labels are rendered with rounded corners."),
        ("Receipts are sent with the order number in the subject now.", "Receipts are sent by mail."),
        ("Receipts are sent in plain text now.", "Receipts are sent to the shop, too."),
        ("Reports are built with the new colours now.", "Reports are built with pandoc."),
        ("Uploads go to the virus scanner first now.", "Uploads go to the bucket `up-eu`."),
        ("Orders are stored in one transaction now.", "Orders are stored in Postgres."),
        ("Orders are stored in UTC now.", "Orders are stored in Postgres."),
        ("Photos are kept at full size now.", "Photos are kept in the bucket."),
        ("Jobs run in parallel now.", "Jobs run on the worker host."),
        ("Images are served in WebP now.", "Images are served on cdn.example.org."),
        ("Logs are written in JSON now.", "Logs are written to /var/log/app."),
        ("In tests, sessions are kept in memory now.", "Sessions are kept in Redis."),
        ("Sessions are kept in memory on staging now.", "Sessions are kept in Redis."),
        ("For guests, images are served from the disk now.", "Images are served from the CDN."),
        ("The importer runs at 7 now.", "The importer runs on the worker host."),
        ("The importer now runs on Python 3.12.", "The importer runs on weekdays at 6."),
        ("Search is enabled in staging now.", "Search is disabled in production."),
        ("The login page works in Firefox now.", "The login page does not work in Safari."),
        ("Dark mode is on in the reader view again.", "Dark mode is off in the print view."),
        ("The dashboard shows the current month now.", "The dashboard still shows the old logo."),
        ("The parser is fast now.", "The parser is still on version 2."),
        ("The table of drafts has an index now.", "The table `drafts` is dropped, its rows are in drafts.sql."),
    ],
)
def test_what_only_shares_words_ends_nothing(new: str, old: str) -> None:
    assert other_state(new, old) == ""


@pytest.mark.requirement("MEM-12")
def test_what_was_found_is_only_ended_by_its_opposite() -> None:
    old = "Photos of dishes are kept in memory, which fills up at noon."
    assert other_state("Photos of dishes are kept on disk now.", old)
    assert other_state("Photos of dishes are kept on disk now.", old, only_turned=True) == ""


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old", "is_gone"),
    [
        ("Styles are CSS modules; Tailwind and its config are deleted.", "Tailwind is set up.", True),
        ("The banner is gone.", "The banner is shown on the start page.", True),
        ("I removed the feature flag and its test.", "The feature flag is on for staff.", True),
        ("An index is dropped.", "An index is used for names.", False),
        ("Two cron jobs are gone.", "Cron jobs are listed in ops.md.", False),
        ("The banner of the login page is gone.", "The banner is shown on the start page.", False),
    ],
)
def test_what_is_all_that_was_told_of_is_gone_beside_something_else_too(new: str, old: str, is_gone: bool) -> None:
    assert bool(other_state(new, old)) == is_gone
