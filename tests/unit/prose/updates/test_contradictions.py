"""When newer words say that older ones no longer hold."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.contradictions import given_up
from tests.support.table import each_of


@pytest.mark.requirement("MEM-12")
@pytest.mark.requirement("SEC-8")
@each_of(
    ("new", "old"),
    [
        ("We switched from Jenkins to GitHub Actions.", "Deploys use Jenkins."),
        ("Use uv instead of pip.", "Install dependencies with pip."),
        ("The API no longer requires a token.", "The API requires a token."),
        ("The staging database does not run on port 5433 any more.", "The staging database runs on port 5433."),
        ("Invoices are rounded per invoice rather than per line.", "Invoices are rounded per line."),
        ("We replaced Redis with a table in Postgres.", "The queue uses Redis."),
        ("We stopped vendoring the protobuf files.", "Vendoring the protobuf files is required."),
        ("Use tabs, not spaces.", "Indent with spaces."),
        ("Migrated the CI from CircleCI to Buildkite.", "The CI runs on CircleCI."),
        ("In Python use tabs, not spaces.", "Indent Python with spaces."),
        ("Deploys go to Docker instead of the staging server.", "Deploys go to the staging server."),
        ("Webhooks that fail are retried instead of being skipped", "Failed webhooks are skipped"),
        ("Die Pflanzenliste liegt jetzt in SQLite statt IndexedDB.", "Die Pflanzenliste liegt in IndexedDB."),
        ("Die Tests laufen mit Vitest statt Jest.", "Die Tests laufen mit Jest."),
        ("Les exports partent par S3 au lieu de FTP.", "Les exports partent par FTP."),
        ("Los informes ya no se envían por correo.", "Los informes se envían por correo cada lunes."),
    ],
)
def test_what_is_given_up_no_longer_holds(new: str, old: str) -> None:
    assert given_up(new, old)


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old"),
    [
        ("Use uv instead of pip.", "Deploys use Jenkins."),
        ("Die Suche nutzt SQLite statt Elastic.", "Die Pflanzenliste liegt in IndexedDB."),
        ("The API requires a token.", "The API requires a token."),
        (
            "We switched from Jenkins to GitHub Actions.",
            "The old Jenkins machine keeps its backups for thirty days in the vault of the Berlin office.",
        ),
        ("The page no longer flickers.", "The page has a dark mode."),
        ("Use tabs, not spaces.", "The parser counts columns from one."),
        ("Retry three times.", "Never retry payments."),
        ("The worker no longer blocks.", "The staging database runs on port 5433."),
        ("Deploy with Docker instead of the staging server.", "The staging server runs on port 8080."),
        ("In Python use tabs, not spaces.", "YAML files use spaces."),
        ("Use tabs, not spaces, in Makefiles.", "YAML files use spaces."),
        ("For the docs we use MkDocs instead of Sphinx.", "The API reference is built with Sphinx."),
        ("We switched from Jenkins to GitHub Actions for the docs site.", "Releases use Jenkins."),
        ("We switched from tabs to spaces in Python.", "Makefiles use tabs."),
        ("Read the config from env, not the database", "The database is Postgres 16"),
        ("Read the config from env, not the database", "The config database is Postgres 16"),
        ("Ask me, not the user", "The user is on macOS"),
        ("Log to stderr rather than stdout.", "The CLI prints its JSON on stdout."),
        ("Send mail from the worker, not the web server.", "The web server uses gunicorn."),
        ("Stopped the staging server.", "The staging server runs on port 8080."),
        ("Mock the clock instead of the network.", "The network tests run on CI."),
        ("Orders are no longer sent twice.", "Orders are sent by the worker."),
        ("Pages are no longer cached for admins.", "Pages are cached for an hour."),
        ("The list is no longer sorted wrongly.", "The list is sorted by date."),
        ("The login page does not show the banner any more.", "The login page has a captcha."),
    ],
)
def test_other_words_stay(new: str, old: str) -> None:
    assert given_up(new, old) == ""


REPLACED = [
    ("Sessions are no longer kept in Redis.", "Sessions are kept in Redis with 30 minutes of expiry."),
    ("We deploy with Argo instead of Jenkins now.", "Deploys run through Jenkins."),
    ("The API does not return XML any more.", "The API returns XML by default."),
    ("Moved the job queue from RabbitMQ to Postgres.", "The job queue uses RabbitMQ."),
    ("We use pnpm rather than npm.", "Use npm for installs."),
    (
        "Feature flags are not read from the environment anymore, they come from the database.",
        "Feature flags are read from the environment.",
    ),
    ("Nightly builds were dropped.", "Nightly builds run at 02:00."),
    ("Tokens are stored in the keychain in place of the config file.", "Tokens are stored in the config file."),
    ("Prices are no longer rounded per line.", "Prices are rounded per line."),
    ("The crawler stopped following redirects.", "The crawler follows redirects up to 5 hops."),
    ("Migrations are run by hand, not by the container.", "Migrations are run by the container at startup."),
    ("The old v1 endpoint has been retired.", "The v1 endpoint accepts form data."),
    ("Switched the cache over from memcached to Redis.", "The cache uses memcached."),
    ("Logs go to stdout now, no longer to a file.", "Logs go to a file in /var/log."),
    ("Invoices are not sent by mail any longer.", "Invoices are sent by mail."),
    ("We used to sign with SHA-1; it is SHA-256 now.", "Packages are signed with SHA-1."),
]
BESIDE_EACH_OTHER = [
    ("Sessions are no longer kept in Redis.", "The rate limiter uses Redis."),
    ("We deploy with Argo instead of Jenkins now.", "Jenkins runs the nightly benchmarks."),
    ("The API does not return XML any more.", "The importer reads XML files."),
    ("Use uv instead of pip in CI.", "The Docker image installs with pip."),
    ("The crawler stopped following redirects.", "The proxy follows redirects."),
    ("Prices are no longer rounded per line.", "Taxes are rounded per invoice."),
    ("Not every test uses the fixture any more.", "Every test gets its own database."),
    ("I ran the tests locally instead of in CI.", "CI runs the tests on every push."),
    ("Build times dropped from 9 to 4 minutes.", "The build takes place in Docker."),
    ("The flag is gone from the help text.", "The flag --dry prints what would happen."),
    ("The crawler no longer follows redirects.", "The proxy follows redirects."),
    ("The key is used to sign packages.", "Packages are signed with SHA-1."),
]


@pytest.mark.requirement("MEM-12")
def test_newer_words_replace_what_they_name_and_nothing_beside_it() -> None:
    assert [pair for pair in REPLACED if not given_up(*pair)] == []
    assert [pair for pair in BESIDE_EACH_OTHER if given_up(*pair)] == []


GIVEN_UP_IN_OTHER_WORDS = [
    (
        "Les factures ne sont plus générées par wkhtmltopdf mais par WeasyPrint.",
        "Les factures sont générées en PDF par wkhtmltopdf.",
    ),
    ("Los precios ya no se guardan en euros sino en céntimos.", "Los precios se guardan en euros."),
    ("The API isn't versioned in the URL anymore; a header does it.", "The API is versioned in the URL."),
    ("I replaced Zod by Valibot, since the bundle was too large.", "We use Zod to validate requests."),
    ("Rolled back dark mode: it broke printing.", "Dark mode follows the system."),
    ("Der alte Zählerserver wird nicht länger abgefragt.", "Der alte Zählerserver wird jede Minute abgefragt."),
    ("Die Etiketten werden nicht mehr als PDF gedruckt, sondern als ZPL.", "Die Etiketten werden als PDF gedruckt."),
    ("Le planning n'est plus exporté en CSV mais en iCal.", "Le planning est exporté en CSV chaque soir."),
    ("Las citas ya no se confirman por SMS sino por correo.", "Las citas se confirman por SMS."),
    ("The thumbnails aren't rendered with ImageMagick any longer.", "The thumbnails are rendered with ImageMagick."),
    (
        "Wir haben Leaflet durch MapLibre ersetzt, weil die Kacheln zu groß waren.",
        "Wir verwenden Leaflet für die Karten.",
    ),
    ("We swapped Moment for Luxon because of its size.", "Dates use Moment."),
    ("Dropped Sass in favour of plain CSS.", "Styles are built with Sass."),
    (
        "Reverted the batch upload: the scanner lost pages.",
        "The batch upload sends forty pages per request and shows a bar for each of them.",
    ),
    ("Nous avons remplacé Celery par Dramatiq, car il perdait des tâches.", "Les tâches passent par Celery."),
    ("Hemos reemplazado Jest por Vitest porque era lento.", "Las pruebas corren con Jest."),
    ("I rolled back the seat map. It was too slow on phones.", "The seat map is drawn on a canvas."),
    ("The kiosk doesn't print receipts on paper anymore.", "The kiosk prints receipts on paper."),
    ("I prezzi non vengono più letti da SAP.", "I prezzi vengono letti da SAP."),
    ("Den Nachtmodus zurückgenommen: er war unlesbar.", "Der Nachtmodus folgt dem System."),
]
OF_SOMETHING_ELSE = [
    ("Rolled back to Redis 6: 7 leaked.", "Redis 6 holds the sessions."),
    ("Reverted the typo in the README.", "The README lists the commands."),
    ("Les factures ne sont plus envoyées deux fois.", "Les factures sont générées en PDF."),
    ("I replaced Zod by Valibot in the admin form, since it is smaller.", "We use Zod to validate requests."),
    ("Die Suche zeigt keine Entwürfe mehr.", "Die Karte zeigt Entwürfe grau."),
    ("Los precios ya no se redondean.", "Los precios se guardan en euros."),
    ("The header isn't sticky anymore.", "The API is versioned in the URL."),
    ("Rolled back the menu animation.", "The menu lists the courses by day."),
    ("Wir haben die Glühbirne im Lager durch LED ersetzt.", "Das Lager nutzt Postgres."),
    ("Swapped two rows for readability.", "The rows are sorted by date."),
    ("Il ne reste plus de place sur le disque.", "Le disque est chiffré."),
    ("Nobody waits for the lock anymore.", "The worker takes the lock for a minute."),
    ("Ya no falla la prueba de pagos.", "Los pagos se prueban cada noche."),
    ("Dropped the retries for now.", "The mailer uses retries and a queue."),
]


@pytest.mark.requirement("MEM-12")
def test_denials_in_four_languages_swaps_and_roll_backs_end_what_they_name() -> None:
    assert [pair for pair in GIVEN_UP_IN_OTHER_WORDS if not given_up(*pair)] == []
    assert [pair for pair in OF_SOMETHING_ELSE if given_up(*pair)] == []
