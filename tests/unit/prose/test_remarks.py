"""What an agent says it left alone, how something behaves, and what it found: none of it waits for anybody."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import classify, statements
from tests.support.table import each_of

NOBODY_ACTS = [
    # left alone
    "I didn't change the admin page, it has no cache.",
    "I did not touch the CSV importer.",
    "I haven't touched the enemy spawner.",
    "We left the retry policy of the old worker alone.",
    "I left the bootloader as it is; it fits.",
    "I have not renamed the columns, the dashboard reads them by name.",
    "I didn't update the lockfile, nothing in it changed.",
    "I did not add a config flag for it.",
    "I did not rewrite the shader.",
    "I didn't convert the fixtures, they are generated.",
    "We did not port the watch app, it has its own parser.",
    "I have not removed the feature toggle.",
    "The Android side is untouched.",
    "I didn't run the slow suite, because nothing there is affected.",
    "I have not edited the Terraform state.",
    "Den Importer habe ich nicht angefasst.",
    "Die Tabelle habe ich nicht geändert.",
    "I left the legacy exporter as it is.",
    # a limit, a thing of others, what nobody can change
    "The cron entry belongs to the platform group, so I left it alone.",
    "Those who already have the old archive keep it; nothing can take it back.",
    "No labels for speakers; that would be another model with its own licence.",
    "I did not run it under a second account.",
    # courtesy about a branch
    "I haven't opened the merge request.",
    "I have not opened a PR.",
    "I haven't committed anything.",
    "I have not pushed it.",
    "I didn't create a pull request for it.",
    # behaviour with "until", "before", "must", "only"
    "Nothing is sent until the reader presses Publish.",
    "The level stays locked until the player opens the chest.",
    "No request goes out until the user taps Retry.",
    "Frames are dropped until you scroll back.",
    "A caller must call `open()` before it reads again.",
    "The buffer must be flushed before the header is written.",
    "Only admins can delete comments now.",
    "The spinner is shown until the customer closes the dialog.",
    "The motor does not move until the host sends an enable frame.",
    "The row is not published until all checks pass.",
    "It has to check the header first, so short frames are slow.",
    "Postgres has to check every row, so the query takes a second.",
    "You'll need to pass `--force` when the file exists.",
    "You will need to confirm it with each deploy.",
    # findings
    "Their proxy is behind, so the key is 'not yet known' there.",
    "The socket was not yet connected, so the first frame was lost.",
    "The reader crashed because the index had not been built yet.",
    "The handler fires when the store is not yet hydrated.",
    "The pool was still holding the old certificate, so calls failed at night.",
    "The sensor returns 0 while it still warms up.",
    "The parser stops if a header has not been read yet.",
    'The log says "still waiting for quorum" although the node has joined.',
    "The watchdog fires because the task has not yet fed it.",
]
SOMEBODY_ACTS = [
    "You'll need to run the migration on staging before you deploy.",
    "You will need to rotate the key.",
    "You’ll have to restart the two workers by hand.",
    "Ops will need to open port 8443.",
    "Somebody will need to approve the release.",
    "Only the team lead can issue a new one.",
    "The certificate expired; only Petra can renew it.",
    "Jonas has to renew the certificate.",
    "The store refused the build: somebody with the signing key must upload it.",
    "Not rolled out: Tom holds the deploy lock.",
    "The EU cluster still serves the old price list.",
    "Mira needs to approve the firewall change first.",
    "You have to restart the gateway by hand.",
    "I have not run the migration on staging.",
    "I couldn't try the driver on real hardware.",
    "I did not test the Safari path.",
    "I didn't get to the tablet layout.",
    "I left the legacy importer alone for now.",
    "The 40 rows in quarantine must be replayed by the data team.",
    "Ops has not opened the port yet.",
    "The board in the lab still runs 1.2 firmware.",
    "Visitors see the wrong map until someone purges the CDN.",
    "We are blocked until finance signs the contract.",
    "The new price table is not loaded in production.",
    "I have not regenerated the client, so the app still uses the old names.",
    "I didn't change the cron job, so it still needs the new path.",
    "Das Zertifikat muss Jonas noch erneuern.",
    "Nur die Teamleitung kann ein neues Token ausstellen.",
    "The key must be rotated before Friday.",
    "Two migrations are still to be written.",
    "The licence has to be renewed before the release.",
]


@pytest.mark.requirement("MEM-18")
def test_a_thread_needs_somebody_who_must_act() -> None:
    kinds = {text: [each.kind for each in statements(text)] for text in (*NOBODY_ACTS, *SOMEBODY_ACTS)}
    assert [text for text in NOBODY_ACTS if "open" in kinds[text]] == []
    assert [text for text in SOMEBODY_ACTS if "open" not in kinds[text]] == []


@pytest.mark.requirement("MEM-18")
@each_of(
    "text",
    [
        "I wasn't able to test Safari here.",
        "Clients that show a page count will need to change.",
        "The certificate expires on Friday and must be renewed.",
        "The nightly job is still paused.",
        "The GPS drift on tunnels is still unexplained.",
        "I did not add a test for the leap second case.",
        "Consumers of the v1 topic have to migrate to v2.",
        "The old installers must be re-signed.",
        "Anyone on 2.x must upgrade.",
        "Every tenant still needs a backfill.",
        "The strings in the settings page still need translation.",
        "Errors in the parser still need handling.",
        "Tests still need to be written.",
        "I had no way to try it on real hardware.",
        "The boards in the lab have to be flashed.",
        "The customer has to sign the data processing agreement.",
        "Admins have to confirm the migration before Monday.",
        "The mobile app must be updated before the release.",
        "The feature flag is still off in production.",
        "I haven't tested it with every browser.",
        "Mobile clients will have to adapt to the new error format.",
        "The heat map is still a stub.",
        "Ops must open port 8443.",
        "Das Zertifikat muss noch erneuert werden.",
        "Wir müssen die Kunden noch informieren.",
        "The invoice for the domain must be paid.",
        "The seed script still needs the new column.",
        "Someone should double check the Polish texts.",
        "The Windows build still needs a certificate.",
        "I left the retry logic for later.",
        "I'd still like somebody to try it with the 4K projector before the premiere.",
        "The radio tower in Brno still runs firmware 2.0.",
        "The Spanish voice prompts have to be re-recorded.",
        "Il faut encore que Sophie signe le devis.",
        "Subscribers of the old names have to switch before we drop them in May.",
    ],
)
def test_what_somebody_has_to_do_once_is_open(text: str) -> None:
    assert classify(text).kind == "open"


@pytest.mark.requirement("MEM-18")
@each_of(
    "text",
    [
        "Refunds up to 10 EUR are auto-approved; anything above still needs a second person.",
        "Users without a phone still need a backup code, which support hands out.",
        "The client has to send the part's checksum with each request.",
        "Admin keys still bypass the limiter, as before.",
        "Callers must pass a tenant id with every call.",
        "Orders over 500 EUR still need a signature on delivery.",
        "Anyone without the role has to ask an editor.",
        "Guests have to enter a phone number.",
        "Each worker must hold the lock before it writes.",
        "Plugins still have to declare their permissions.",
        "Files larger than 2 GB have to be sent in parts.",
        "Drivers must confirm with a PIN.",
        "The user has to click the link within 15 minutes.",
        "Every endpoint requires a token.",
        "A lot must be approved before it is shipped.",
        "Devices without a clock still need the time from the gateway.",
        "Passwords must be rotated every 90 days.",
        "Jeder Aufruf muss ein Token mitschicken.",
        "Kunden über 10.000 EUR brauchen weiterhin eine zweite Freigabe.",
        "Deletions have to be confirmed by a second admin, as before.",
        "The server waits until both players have answered.",
        "Uploads are retried three times; after that the user has to start again.",
        "Batches without a label are still rejected.",
        "Members over 65 still need no ticket.",
        "IDs must be unique.",
        "Drivers of long trucks still have to take a ticket at the second terminal.",
        "A job that fails must be retried by hand from the admin page.",
        "The shift lead has to confirm a swap within 24 hours, otherwise it lapses.",
        "Captains must confirm a delay over 30 minutes by radio, as before.",
    ],
)
def test_how_something_works_from_now_on_is_no_thread(text: str) -> None:
    assert classify(text).kind != "open"


@pytest.mark.requirement("MEM-18")
def test_what_is_for_somebody_to_say_is_open_and_a_relative_clause_is_not() -> None:
    for text in (
        "Whether they get it with the November payroll or as an extra is for Lucia from the personnel office to say.",
        "Which of the two we keep is up to the design team.",
        "Iker tiene que instalar la 3.4 en el muelle.",
        "A Bruna, do financeiro, precisa confirmar antes de reprocessar.",
        "Ingrid has to power-cycle the two nodes.",
    ):
        assert classify(text).kind == "open", text
    for text in (
        "A swap request that nobody has answered expires after 48 hours, and both get a mail about it.",
        "That is what the consumer office demands, so the fee has to be paid after all.",
        "One thing to know: Norte counts as a new authorization, so there is no fine for it.",
    ):
        assert classify(text).kind != "open", text
