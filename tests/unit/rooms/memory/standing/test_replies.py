"""Whether a later request, in other words, answers what was asked or gives what was missing."""

from __future__ import annotations

import pytest

from tests.support.table import each_of
from tests.unit.rooms.memory.made import bash, edit
from tests.unit.rooms.memory.standing.test_threads import lines, ran, session

ANSWERED = (
    (
        "The kiosk prints in German. Should I also remove the old `receipt_v1` template?",
        "drop receipt_v1",
        "Dropped `receipt_v1`.",
    ),
    (
        "The kiosk prints in German. Should I also remove the old `receipt_v1` template?",
        "leave receipt_v1, the museum shop needs it",
        "`receipt_v1` stays.",
    ),
    (
        "Die Buchung läuft über Stripe. Soll ich die alte Klasse `PaypalKasse` löschen?",
        "PaypalKasse kann raus",
        "`PaypalKasse` ist weg.",
    ),
    (
        "Die Buchung läuft über Stripe. Soll ich die alte Klasse `PaypalKasse` löschen?",
        "behalte PaypalKasse noch, zwei Kunden zahlen so",
        "`PaypalKasse` bleibt.",
    ),
    (
        "Le paiement passe par Stripe. Dois-je supprimer l'ancien module `caisse_papier` ?",
        "enlève caisse_papier",
        "`caisse_papier` est supprimé.",
    ),
    (
        "El pago va por Stripe. ¿Debo borrar el módulo `caja_vieja`?",
        "quita caja_vieja por favor",
        "`caja_vieja` borrado.",
    ),
    (
        "The planner is fast. Do you want me to delete the seat cache?",
        "throw the seat cache out",
        "The seat cache is gone.",
    ),
    ("The planner is fast. Do you want me to delete the seat cache?", "no, keep the seat cache", "It stays."),
    (
        "The invoice is numbered per year. Which currency should it use?",
        "use CHF for the invoice",
        "The invoice is in CHF.",
    ),
    (
        "Die Rechnung wird monatlich verschickt. Welche Währung soll sie verwenden?",
        "nimm CHF für die Rechnung",
        "Die Rechnung ist in CHF.",
    ),
    (
        "Backups run at night. Which region should they use?",
        "take eu-central-1 for the backups",
        "Backups go to eu-central-1.",
    ),
    ("The export is a zip. How many rows should a file have?", "make it 5000 rows per file", "A file has 5000 rows."),
    (
        "The alarm is wired. You need to set PAGER_API_KEY in the environment.",
        "I've set the pager api key",
        "Good, the test page arrived.",
    ),
    ("The alarm is wired. You need to set TWILIO_AUTH_TOKEN in the environment.", "twilio auth token is set", "Good."),
    ("The shop is ready. You still need to add the STRIPE_SECRET to the vault.", "the stripe secret's in", "Good."),
    (
        "I could not finish: the endpoint of the scale is missing. Once you give me the endpoint I can continue.",
        "the endpoint is http://10.0.0.7:8080/weight",
        "The scale reads now.",
    ),
    (
        "Ich konnte nicht fertig werden: die Adresse des Druckers fehlt noch.",
        "die Adresse ist 10.0.3.14",
        "Der Drucker antwortet.",
    ),
    ("Il manque encore l'URL du calendrier.", "l'URL est https://cal.example/ics", "Le calendrier se charge."),
    ("Falta la cuenta del banco.", "la cuenta es ES91-2100", "Hecho."),
    (
        "Search is done. Two questions: 1. Should archived boats be listed? 2. Which fields may skippers edit?",
        "archived boats no; skippers edit phone only",
        "Done: skippers edit the phone.",
    ),
    (
        "Menu done. Two questions: 1. Should allergens be printed? 2. How many dishes fit a page?",
        "allergens: yes, dishes 12 a page",
        "Allergens are printed, 12 dishes a page.",
    ),
    (
        "Karte fertig. Zwei Fragen: 1. Sollen gesperrte Wege erscheinen? 2. Welche Farbe haben Radwege?",
        "gesperrte Wege nein; Radwege blau",
        "Radwege sind blau.",
    ),
    (
        "The importer streams rows. Should I also delete the old `bulk_load` function?",
        "get rid of bulk_load please",
        "Removed `bulk_load`.",
    ),
    (
        "The importer streams rows. Should I also delete the old `bulk_load` function?",
        "remove bulk_load",
        "`bulk_load` is gone.",
    ),
    (
        "The importer streams rows. Should I also delete the old `bulk_load` function?",
        "keep bulk_load, a customer calls it",
        "`bulk_load` stays.",
    ),
    ("The report is monthly now. Which time zone should it use?", "use UTC for the report", "The report uses UTC."),
    (
        "The mailer is wired. You need to set SMTP_PASSWORD in the environment.",
        "I've set the smtp password, test it",
        "The test mail arrived.",
    ),
    (
        "The pipeline is written. You still need to add the BUILDKITE_TOKEN to the repository secrets.",
        "token's in, done that. Is the pipeline green?",
        "Yes, the last build is green.",
    ),
    (
        "I could not finish: the identity provider's metadata URL is missing. Once you give me the URL I can continue.",
        "the url is https://idp.example/metadata",
        "SAML login works with that metadata.",
    ),
    (
        "Search runs on Meilisearch. Two questions: 1. Should drafts be indexed? 2. Which fields may guests see?",
        "drafts no; guests see title only",
        "Drafts are left out, guests see the title.",
    ),
)
NOT_ANSWERED = (
    (
        "The importer streams rows. Should I also delete the old `bulk_load` function?",
        "add a test for bulk_import",
        "`bulk_import` has a test.",
    ),
    (
        "The importer streams rows. Should I also delete the old `bulk_load` function?",
        "what does bulk_load do?",
        "It loads all rows at once.",
    ),
    (
        "The importer streams rows. Should I also delete the old `bulk_load` function?",
        "remove the `slow_load` flag",
        "Removed `slow_load`.",
    ),
    (
        "The importer streams rows. Should I also delete the old `bulk_load` function?",
        "why was bulk_load written?",
        "For the first import.",
    ),
    ("The report is monthly now. Which time zone should it use?", "add a logo to the report", "The report has a logo."),
    ("The report is monthly now. Which time zone should it use?", "use a table for the totals", "Totals are a table."),
    ("The mailer is wired. You need to set SMTP_PASSWORD in the environment.", "I've set the admin password", "Good."),
    (
        "The mailer is wired. You need to set SMTP_PASSWORD in the environment.",
        "set the smtp port to 587",
        "The port is 587.",
    ),
    (
        "The pipeline is written. You still need to add the BUILDKITE_TOKEN to the repository secrets.",
        "the readme's in",
        "Good.",
    ),
    (
        "I could not finish: the identity provider's metadata URL is missing.",
        "the logo is https://x.example/logo.png",
        "The logo is there.",
    ),
    ("Should drafts be indexed? I stopped there.", "add a drafts folder", "There is a folder for drafts."),
    (
        "Die Buchung läuft über Stripe. Soll ich die alte Klasse `PaypalKasse` löschen?",
        "behalte die Sitzung länger",
        "Die Sitzung hält 60 Minuten.",
    ),
)


def left_after(said: str, asked: str, told: str) -> list[str]:
    before = session(1, "do it", said, edit("a.py"))
    assert lines(before), said
    return lines(before, session(2, asked, told, edit("b.py", number=2), ran(bash("pytest -q", "8 passed in 1s"), 3)))


@pytest.mark.requirement("MEM-18")
@each_of(("said", "asked", "told"), ANSWERED)
def test_other_words_for_the_same_deed_or_value_settle_a_thread(said: str, asked: str, told: str) -> None:
    assert left_after(said, asked, told) == []


@pytest.mark.requirement("MEM-18")
@each_of(("said", "asked", "told"), NOT_ANSWERED)
def test_the_same_deed_on_another_thing_and_another_deed_on_the_same_thing_settle_nothing(
    said: str, asked: str, told: str
) -> None:
    assert left_after(said, asked, told)
