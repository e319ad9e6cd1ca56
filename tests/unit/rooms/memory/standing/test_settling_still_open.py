"""Whether a thread stays open: when others only speak of what it waits for, or do it to another thing."""

from __future__ import annotations

import pytest

from tests.support.table import each_of
from tests.unit.rooms.memory.standing.test_settling import is_open_after

STILL_OPEN = (
    (
        "The firewall rule for the lab network still has to be opened by IT.",
        "IT says the lab network firewall is not their job",
        "I see.",
        False,
    ),
    (
        "The PO for the new sensors has not been approved yet.",
        "write a driver for the new sensors",
        "The driver reads all six new sensors over I2C.",
        True,
    ),
    (
        "I haven't tested the label printer under Windows.",
        "label printer queue should show the job name",
        "Each job of the label printer shows its name now.",
        True,
    ),
    (
        "Somebody must restart the scheduler after the deploy.",
        "why does the scheduler use so much memory?",
        "The scheduler keeps all runs in memory.",
        False,
    ),
    (
        "The invoices of March still need to be re-sent.",
        "add a column to the invoices page",
        "The invoices page shows the due date.",
        True,
    ),
    ("The supplier must confirm the pinout of J4.", "I asked the supplier about J4 again", "Fine.", False),
    (
        "Should I also add a retry to the webhook sender?",
        "show me the webhook logs of today",
        "There were 14 webhook calls today, all with status 200.",
        False,
    ),
    (
        "Do you want me to convert the other three notebooks as well?",
        "which python do the notebooks use?",
        "They use Python 3.11.",
        False,
    ),
    (
        "The docs for `sync --all` are still missing.",
        "make sync --all faster",
        "`sync --all` reads in batches of 500 now.",
        True,
    ),
    (
        "The old dashboard still has to be switched off.",
        "when will the old dashboard be switched off?",
        "Nobody has set a date for the old dashboard.",
        False,
    ),
    (
        "The S3 bucket policy must be changed by the platform team.",
        "platform team will update the bucket policy on thursday",
        "Okay.",
        False,
    ),
    ("The tablets in the warehouse still run version 3.1.", "tablets in the office are on 3.2", "Good.", False),
    ("The backup of the wiki has not been restored yet.", "restored the backup of the shop database", "Good.", False),
    (
        "I could not reach the staging database, so the migration is untested there.",
        "migration failed on staging again, connection refused",
        "The connection is refused because the VPN is down.",
        False,
    ),
    ("The domain sourdough.example must be transferred before the launch.", "launch is next friday", "Noted.", False),
    ("Die Übersetzungen für Polnisch fehlen noch.", "die übersetzungen für tschechisch sind da", "Danke.", False),
    (
        "Falta subir el certificado al balanceador.",
        "cuándo caduca el certificado?",
        "El certificado caduca en marzo.",
        False,
    ),
    (
        "The customer has to sign the data processing agreement.",
        "the customer has not signed yet, remind me",
        "Okay.",
        False,
    ),
    (
        "Keyboard navigation in the date picker is untested.",
        "give the date picker a clear button",
        "The date picker has a clear button now.",
        True,
    ),
    (
        "Two e2e specs are still red: `checkout` and `coupon`.",
        "fix the checkout spec",
        "`checkout` passes again; `coupon` still fails.",
        True,
    ),
    ("The changelog entry for 4.2 is still missing.", "bump the version to 4.2", "The version is 4.2 now.", True),
    (
        "I have not measured the effect on cold starts.",
        "not now, first fix the login",
        "The login accepts plus signs in addresses now.",
        True,
    ),
    ("The PDF export still uses the old logo.", "use the new logo in the mails", "Mails show the new logo.", True),
    (
        "The nightly job is still paused.",
        "why was the nightly job paused?",
        "It was paused because the disk was full.",
        False,
    ),
    (
        "Error messages are not translated yet.",
        "log error messages as JSON",
        "Error messages are logged as JSON now.",
        True,
    ),
    (
        "The load balancer certificate must be renewed by ops before Friday.",
        "forget what I said about colours, use the brand palette",
        "The palette is the brand's now.",
        True,
    ),
    (
        "The hydraulics team has to sign off the new torque limits.",
        "hydraulics wants to see the torque curves first",
        "Here are the torque curves.",
        False,
    ),
    (
        "The seed vault export still fails for accessions without a genus.",
        "sort the seed vault export by year",
        "The seed vault export is sorted by year now.",
        True,
    ),
    (
        "Nobody has reviewed the Terraform plan yet.",
        "rename the terraform module to vpc",
        "The Terraform module is called `vpc` now.",
        True,
    ),
    (
        "The Kafka topic `orders.v2` must be created by the platform team before the release.",
        "platform team created the topic payments.v1",
        "Good.",
        False,
    ),
    (
        "Das Firmware-Update auf den Türschlössern steht noch aus.",
        "wie lange dauert das firmware update?",
        "Etwa vier Minuten je Schloss.",
        False,
    ),
    (
        "Die Lizenz für den PDF-Renderer muss noch verlängert werden.",
        "der PDF-Renderer stürzt bei leeren Seiten ab",
        "Leere Seiten werden übersprungen.",
        True,
    ),
    ("Der Lasttest ist noch nicht gelaufen.", "mach den login schneller", "Der Login braucht jetzt 80 ms.", True),
    (
        "I could not verify the fix on an iPad.",
        "the iPad layout needs a bigger header",
        "The header is 64 px high on iPads.",
        True,
    ),
    (
        "The staging bucket still has the old CORS policy.",
        "CORS policy on the production bucket is updated",
        "Good.",
        False,
    ),
    ("Somebody has to replace the fan in rack 4.", "the fan in rack 2 has been swapped", "Good.", False),
    ("Somebody has to replace the fan in rack 4.", "replaced the disk in rack 4", "Good.", False),
    (
        "The 14 duplicate labels have to be reprinted by hand.",
        "make the labels 2 mm wider",
        "Labels are 52 mm wide now.",
        True,
    ),
    (
        "The accessibility audit is still open.",
        "what does an accessibility audit check?",
        "It checks contrast, focus order and labels.",
        False,
    ),
    (
        "The glossary is not linked from the sidebar yet.",
        "add three terms to the glossary",
        "The glossary has three new terms.",
        True,
    ),
    ("The GPS drift on tunnels is still unexplained.", "draw the gps track in blue", "The GPS track is blue.", True),
    (
        "I did not add a test for the leap second case.",
        "add a test for the empty file",
        "`test_empty_file` covers it.",
        True,
    ),
    (
        "Ops must rotate the API key of the weather service.",
        "the weather service returns 500 again, look",
        "The weather service returns 500 because its quota is used up.",
        False,
    ),
    ("Ops must rotate the API key of the weather service.", "ops rotated the key of the map service", "Okay.", False),
    (
        "The crawler is not deployed yet.",
        "the crawler should respect robots.txt",
        "The crawler respects robots.txt now.",
        True,
    ),
    (
        "The crawler is not deployed yet.",
        "I tried to deploy the crawler, it failed with exit 137",
        "The pod has too little memory.",
        False,
    ),
    ("Legal has to approve the new consent banner.", "legal rejected the consent banner", "Noted.", False),
    (
        "Legal has to approve the new consent banner.",
        "is legal happy with the consent banner?",
        "I cannot know that.",
        False,
    ),
    (
        "The old VAT rows have not been migrated yet.",
        "how many old VAT rows are there?",
        "There are 1,204 old VAT rows.",
        False,
    ),
    ("The rollout to the Swiss stores is still pending.", "rollout to the Austrian stores is done", "Good.", False),
    (
        "Shall I move the cron jobs to systemd timers as well?",
        "add a cron job that cleans /tmp",
        "A cron job cleans /tmp every night.",
        True,
    ),
    ("The radio tower in Brno still runs firmware 2.0.", "the tower in Ostrava got 2.1 last night", "Good.", False),
    ("Kenji has to review the schema change.", "Kenji reviewed the login page", "Good.", False),
    (
        "The bank has not confirmed the test account yet.",
        "use the test account of the bank in the demo",
        "The demo uses the test account.",
        True,
    ),
    (
        "We are waiting for the cooling loop parts.",
        "simulate the cooling loop",
        "The cooling loop is simulated with a first-order lag.",
        True,
    ),
    (
        "The export for the tax office is untested with real data.",
        "add the VAT id to the tax office export",
        "The tax office export has the VAT id.",
        True,
    ),
    ("Somebody must delete the old snapshots on node 3.", "deleted the old snapshots on node 5", "Good.", False),
    ("The Spanish voice prompts have to be re-recorded.", "the italian prompts are re-recorded", "Good.", False),
    (
        "Should I also rename the enum in the mobile app?",
        "the mobile app crashes on start",
        "The crash came from a missing font.",
        True,
    ),
    (
        "The pager rotation must be updated before Monday.",
        "who is in the pager rotation?",
        "Ana, Li and Tom are.",
        False,
    ),
    (
        "Der Vertrag mit dem Hoster muss noch unterschrieben werden.",
        "wir haben den vertrag mit dem hoster noch nicht unterschrieben",
        "Gut.",
        False,
    ),
    ("Die Kamera in Halle 2 ist noch nicht kalibriert.", "kamera in halle 3 kalibriert", "Gut.", False),
    ("Das Backup vom NAS muss noch getestet werden.", "wo liegt das backup vom NAS?", "Unter /mnt/backup.", False),
    ("Il faut encore que Sophie signe le devis.", "Sophie demande une modification du devis", "D'accord.", False),
    (
        "Todavía falta desplegar el servicio de pagos en producción.",
        "el servicio de pagos falla en pruebas",
        "Arreglado el servicio de pagos.",
        True,
    ),
    (
        "The rate limiter is not enabled in production yet.",
        "make the rate limiter log its decisions",
        "The rate limiter logs every decision.",
        True,
    ),
    (
        "The map tiles for Iceland are still missing.",
        "compress the map tiles",
        "Map tiles are compressed with zstd.",
        True,
    ),
    (
        "I have not benchmarked the new codec on ARM.",
        "make the new codec the default",
        "The new codec is the default.",
        True,
    ),
    (
        "The `fx_rates` job still fails on weekends.",
        "show the fx_rates job in the dashboard",
        "The dashboard shows the `fx_rates` job.",
        True,
    ),
    (
        "The onboarding mail has not been proofread.",
        "send the onboarding mail at 9",
        "The onboarding mail is sent at 09:00.",
        True,
    ),
    (
        "The heat pump driver was not tested against the v2 protocol.",
        "log the heat pump driver's frames",
        "The heat pump driver logs every frame.",
        True,
    ),
    ("Nobody has access to the Grafana of the plant.", "I asked for access to the plant grafana", "Okay.", False),
    (
        "Still to do: the limiter forgets its counters on restart, they should go to Redis.",
        "show the counters on the status page",
        "The status page shows the counters.",
        True,
    ),
    (
        "Not done: the dashboards in Grafana say `booker`.",
        "new grafana panel for latency",
        "There is a panel with the p95 latency of `ledger`.",
        True,
    ),
    (
        "Still to do: the search field looks at the current page only.",
        "100 rows per page",
        "The list has 100 rows per page.",
        True,
    ),
    (
        "It is not in cron yet, because I don't know which user should run it.",
        "which user owns the folder?",
        "`ops` owns it.",
        True,
    ),
    (
        "Offen: Stornos bekommen noch keine eigene Nummer.",
        "stornos rot drucken",
        "Stornos werden rot gedruckt.",
        True,
    ),
    (
        "Not done yet: files with a BOM lose the first column.",
        "semicolons too",
        "The reader takes semicolons and tabs as separators.",
        True,
    ),
    (
        "Left for later: avatars are stretched on phones.",
        "cache the avatars",
        "Avatars are cached for a day.",
        True,
    ),
    ("You still have to set `MAIL_SENDER_NAME`.", "set the mail port", "The mail port is 587.", True),
)
"""What was left open; what the user says later, what the agent answers, and whether it writes a file."""


@pytest.mark.requirement("MEM-18")
@each_of(("left", "asked", "said", "writes"), STILL_OPEN)
def test_a_thread_stays_open_while_others_only_speak_of_it_or_do_it_to_something_else(
    left: str, asked: str, said: str, writes: bool
) -> None:
    assert is_open_after(left, asked, said, writes=writes)
