"""When newer words say that older ones no longer hold."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.reading.updates.contradictions import given_up
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
