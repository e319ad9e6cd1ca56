"""What leaves something open, and what only tells how the code works."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import classify, statements
from holdfast.prose.openness import leaves_open

OPEN = [
    "We wait for an answer that the bakery promised for Monday.",
    "The tills are still on the previous version.",
    "The new scale is not installed yet.",
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
    "There is no key for production before the county has signed the contract.",
    "iOS: not uploaded.",
    "Not deployed.",
    "There is no migration for the archive table yet.",
    "I have not migrated the reports.",
    "I left the legacy exporter alone for now.",
    "The changelog is yet to be written.",
    "I have not run the migration, so it still needs to be applied to staging.",
    "The token has expired, so we still need a new one from ops.",
    "Two tests are still red, so they need a look before the release.",
    "I have not removed the old routes; that waits for ops.",
    "I haven't changed the schema names yet; Ana must do that.",
    "I haven't changed the schema names; Ana must do that.",
]
HOW_IT_WORKS = [
    "Nothing is uploaded until the phone is on Wi-Fi.",
    "The row is not published until all checks pass.",
    "There is no price before the player has agreed.",
    "We send ten orders at once, so the till drops some and we wait for an answer that never comes.",
    "Before nine it is still the previous day in the office, so the bread is a day old.",
    "`sortlib` would be the usual package, but it is not installed here.",
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
    "I have not removed the old routes; the proxy needs them.",
    "I did not touch the queue, it waits for the lock.",
]


@pytest.mark.requirement("MEM-18")
def test_work_that_waits_is_open_and_code_that_waits_is_not() -> None:
    assert [each for each in OPEN if classify(each).kind != "open"] == []
    assert [each for each in HOW_IT_WORKS if classify(each).kind == "open"] == []


NOTHING_OPEN = [
    "I left the public API as it was.",
    "I left the API unchanged.",
    "I left the existing tests as they are.",
    "We did not change the schema.",
    "I did not change the public interface.",
    "I didn't touch the public API.",
    "I didn't change the behaviour of `parse`.",
    "The schema is unchanged.",
    "The schema was not changed.",
    "nothing left to do",
    "There is nothing left to do.",
    "Nothing left to do here.",
    "Nothing else to do.",
    "Nothing more to do.",
    "No further changes needed.",
    "No further changes are needed.",
    "No further work is required.",
    "No follow-up needed.",
    "No follow-ups needed.",
    "No action needed on your side.",
    "No action required.",
    "No open points.",
    "No open questions remain.",
    "No migrations are pending.",
    "No TODOs remain.",
    "No TODOs left.",
    "There are no remaining issues.",
    "No remaining failures.",
    "There is no need to change the callers.",
    "You don't need to do anything.",
    "You do not have to restart the server.",
    "No restart needed.",
    "No migration is needed.",
    "None of the callers needed changes.",
    "The callers did not need to change.",
    "No tests had to be updated.",
    "Nothing is pending.",
    "Nothing is blocked.",
    "Nothing is outstanding.",
    "No other files were changed.",
    "Nothing else was touched.",
    "All steps are done, nothing remains.",
    "No todo left in the module.",
    "There are no outstanding migrations.",
    "I have not changed any public names.",
    "The CLI stays as it was.",
    "I kept the old signature, so no caller has to change.",
    "We did not change the wire format, so old clients keep working.",
    "I left everything else alone.",
    "I left the other modules untouched.",
    "I did not touch anything else.",
    "No one has to do anything.",
    "Nothing needs a restart.",
    "Es ist nichts mehr offen.",
    "Nichts mehr zu tun.",
    "Es steht nichts mehr aus.",
    "Es sind keine weiteren Änderungen nötig.",
    "Keine weiteren Schritte nötig.",
    "Es bleibt nichts zu tun.",
    "Es gibt nichts mehr zu tun.",
    "Keine offenen Punkte.",
    "Das Schema habe ich nicht geändert.",
    "An der API hat sich nichts geändert.",
    "Die öffentliche API bleibt unverändert.",
    "Die API habe ich so gelassen.",
    "Es muss nichts weiter getan werden.",
    "Ein Neustart ist nicht nötig.",
    "The worker still accepts the old header.",
    "It no longer blocks the event loop.",
    "The queue is no longer pending after a crash.",
    "The remaining time is shown in the header.",
    "No restart is needed and no migration is pending.",
    "I kept the public API as is.",
    "The public API stays the same.",
    "I did not change any signatures.",
    "We didn't touch the database schema.",
    "I left the CSS as it was.",
    "I left the config format unchanged.",
    "The behaviour of `--force` was not changed.",
    "There's nothing left to do on this.",
    "Nothing remains to be done.",
    "Nothing else is needed.",
    "That's all, no further steps.",
    "No additional work is required.",
    "No further action is needed from you.",
    "No code changes were necessary.",
    "No changes to the callers were needed.",
    "There is no follow-up.",
    "There are no open questions.",
    "No more TODOs.",
    "I have not changed the default timeout.",
    "Nobody has to migrate anything.",
    "You don't have to run a migration.",
    "Existing clients are not affected.",
    "I did not modify the existing tests.",
    "I haven't touched anything outside `src/cli`.",
    "We left the error codes alone.",
    "Es ist nichts weiter zu tun.",
    "Alles erledigt, nichts offen.",
    "Weitere Änderungen sind nicht nötig.",
    "Am Schema wurde nichts geändert.",
    "Die Schnittstelle habe ich nicht angefasst.",
    "Die Signatur bleibt gleich.",
    "Keine Migration nötig.",
    "Du musst nichts weiter tun.",
    "Offen ist nichts mehr.",
    "Es fehlt nichts mehr.",
]
STILL_OPEN = [
    "Two migrations stehen noch aus.",
    "Zwei Migrationen stehen noch aus.",
    "Die Übersetzungen sind noch offen.",
    "Drei Punkte sind noch offen.",
    "Die Doku ist noch offen.",
    "Die Freigabe steht noch aus.",
    "Die Tests für Windows fehlen noch.",
    "Die Dokumentation fehlt noch.",
    "Noch offen: die Migration der alten Daten.",
    "Offen ist noch die Frage nach dem Format.",
    "Offen bleibt die Umstellung der Jobs.",
    "Offen bleiben die beiden Endpunkte der API.",
    "Der Import muss noch getestet werden.",
    "Die Schlüssel müssen noch rotiert werden.",
    "Die Mails werden noch nicht verschickt.",
    "Das Deployment wurde noch nicht gemacht.",
    "Die Windows-Tests habe ich noch nicht laufen lassen.",
    "Es fehlen noch die Tests für den Export.",
    "Es stehen noch zwei Reviews aus.",
    "Ausstehend: die Freigabe durch die Rechtsabteilung.",
    "Wir warten noch auf die Freigabe.",
    "Wartet noch auf die Freigabe von Recht.",
    "The Windows build still has to be tested.",
    "The old records have not been migrated yet.",
    "The translations are still open.",
    "I did not migrate the old rows.",
    "I left the legacy importer alone for now.",
    "The docs still need an update.",
    "Production still runs the old version.",
    "We have not deployed it.",
    "Still to do: rotate the keys.",
    "The keys remain to be rotated.",
    "The release waits for legal.",
    "Not yet tested on Windows.",
    "I couldn't test the Safari path.",
    "I have not run the integration tests.",
    "We did not run the load test.",
    "I did not update the callers in `legacy/`.",
    "I have not regenerated the client.",
    "Remaining: port the CLI to the new API.",
    "TODO: rotate the key.",
    "No restart is needed, but the docs still need an update.",
    "Nobody has tested it on Windows yet.",
    "Zwei Tests stehen noch aus.",
    "Die beiden Reviews stehen noch aus.",
    "Die Punkte 3 und 4 sind noch offen.",
    "Noch offen sind die Übersetzungen.",
    "Die Freigaben der Fachabteilung stehen aus.",
    "Die Umstellung der restlichen Jobs steht noch an.",
    "Die Migration ist noch nicht gelaufen.",
    "Es fehlt noch ein Test für leere Listen.",
    "Der Rollout muss noch gemacht werden.",
    "Auf Produktion ist es noch nicht.",
    "Windows habe ich nicht getestet.",
    "I have not tested this on macOS.",
    "The cleanup of the old bucket is still to be done.",
    "Two endpoints are still missing.",
    "The Helm chart still points to the old image.",
    "I didn't get to the pagination.",
    "We still have to backfill March.",
    "The feature flag has yet to be removed.",
    "It has not been deployed.",
    "Someone needs to rotate the token.",
    "The vendor still owes us the schema.",
    "The PR is awaiting review.",
    "The French translation is missing.",
    "I did not test the error path.",
    "I skipped the Windows runner for now.",
]


@pytest.mark.requirement("MEM-18")
def test_what_was_left_as_it_was_is_not_open_and_what_is_still_to_do_is_in_german_too() -> None:
    assert [each for each in NOTHING_OPEN if "open" in [one.kind for one in statements(each)]] == []
    assert [each for each in STILL_OPEN if "open" not in [one.kind for one in statements(each)]] == []


@pytest.mark.requirement("MEM-18")
def test_a_spanish_todo_is_not_a_task() -> None:
    assert not leaves_open("Quitado el filtro: se manda todo, siempre.")
    assert not leaves_open("Ahora todo pasa por la cola.")
    assert leaves_open("TODO: rotate the key.")


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("said", "is_open"),
    [
        ("Sales has written notes on both copies, so Magda has to say which one stays.", True),
        ("Linnea's team has to confirm the new labels.", True),
        ("Tomek needs to renew the token.", True),
        ("The parser has to choose the longest match.", False),
        ("Each worker needs to confirm its lease.", False),
    ],
)
def test_what_somebody_by_name_has_to_say_or_grant_is_open(said: str, is_open: bool) -> None:
    assert leaves_open(said) is is_open


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("said", "is_open"),
    [
        ("The two printers only speak TLS 1.0, they will lose their connection with the next deploy.", True),
        ("Old scanners will stop working after the next firmware release.", True),
        ("The worker will stop after the last job.", False),
        ("A retry will fail if the token is wrong.", False),
    ],
)
def test_what_will_break_with_the_next_release_is_open(said: str, is_open: bool) -> None:
    assert leaves_open(said) is is_open


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("said", "is_open"),
    [
        ("It must not be merged before Henrike names numbers for tests.", True),
        ("Deleting them is for Osman, I have no access to that host.", True),
        ("The migration 0031 has not run on prod yet.", True),
        ("A message must not be sent before the lock is taken.", False),
        ("The token is for Osman.", False),
        ("The flag must not be negative.", False),
        ("`push.rs` wrote the token into the log whenever a push failed.", False),
    ],
)
def test_what_may_not_be_done_yet_is_open(said: str, is_open: bool) -> None:
    assert leaves_open(said) is is_open


@pytest.mark.requirement("MEM-18")
def test_the_words_of_a_tool_that_are_quoted_leave_nothing_open() -> None:
    for said, is_open in (
        ("Around 8:55 the log is full of `could not obtain a connection within 5.000 seconds`.", False),
        ("The message “not yet supported” is gone.", False),
        ("I could not run `make deploy prod` here, since there is no key.", True),
        ("`pytest -x` still fails.", True),
    ):
        assert leaves_open(said) is is_open, said
