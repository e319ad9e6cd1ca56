"""Which sentences say what they are about, and which are only understood behind another one."""

from __future__ import annotations

import pytest

from holdfast.events.subjects import about, completed, need, without_connective

LACKING = [
    "It panicked on 29 February: with_day(29) gives None in years that are no leap years.",
    "This time it is the old secret in staging, which ops has not rotated.",
    "It waits for the cartChanged event now; no sleep is left.",
    "2018 is not: the file of station 17 for 2018 is truncated after two rows, and the utility has to send it again.",
    "An inline script in index.html now sets it before the first paint.",
    "Not tested against a real server yet.",
    "don't copy them, the server decides",
    "It could: os.Chmod after the upload.",
    "Two tests outside of this still fail (theme and checkout).",
    "I left them alone.",
    "Through the outbox table, by a worker every ten seconds, because a slow mail server blocked bookings.",
    "In signed cookies, since last week; there is no server-side store.",
    "Because accounting rounds once per invoice, half-up.",
    "Yes: they are not copied, the server decides.",
    "This function returns None on a timeout.",
    "That was the reason.",
    "They are flushed on exit.",
    "Both fail on Windows.",
    "The others do.",
    "The same fault is in the exporter.",
    "Fixed it.",
    "Moved them into the worker.",
    "Still open.",
    "Works on macOS now.",
    "Should be rotated before the release.",
    "Was never called.",
    "There are two: tests/checkout.test.ts sleeps, src/cart.ts polls.",
    "Es liegt am Index.",
    "Cela vient du cache.",
    "Esto falla en Windows.",
    "Это из-за кэша.",
    "If it fails, it is retried twice.",
    "I have not tested that.",
    "Root cause: it copies every field twice.",
    "Needs a migration.",
    "Neither was called.",
    "We rolled it back on Friday.",
    "The worker drops them after an hour.",
    "Ops must rotate it.",
    "The cache never saw it, so every request went to the database.",
    "So it is retried forever.",
    "I did not change that.",
    "Uses path.Join now.",
    "These rows are duplicates.",
    "No, it runs on every push.",
    "It is now much faster.",
    "It was the index.",
    "It failed because the worker could not open the file.",
    "They only differ in case.",
    "That's why the pods restart.",
    "This one is flaky.",
    "Those were never indexed.",
    "Which is why the build is slow.",
    "Happens only with Python 3.12.",
    "Fails if the tenant has no plan.",
    "Also broken on Safari.",
    "Had to be reverted.",
    "Could not be reproduced.",
    "The second one is a false positive.",
    "Neither does the CLI.",
    "Half of them time out.",
    "I reverted that.",
    "I moved it to a background job because the request timed out.",
    "Reproduced it with curl.",
    "We should not merge it before Monday.",
    "The tests cover that too.",
    "Only happens under load.",
    "Not reproducible on Linux.",
    "Nobody calls it.",
    "Here it fails as well.",
    "Same as yesterday.",
    "Every caller passes it twice.",
    "The migration drops it.",
    "Ruby 3.3 removed it.",
    "Er wird nie geschlossen.",
    "Elle est appelée deux fois.",
    "The user can undo it for 30 days.",
]
WHOLE = [
    "no, I said it before: money is always integer cents here, never floats",
    "Fix e2fsck so it accepts directories of more than 4 GB.",
    "When badblocks is given -vv, it updates the block that it tests.",
    "Steps are chosen without comparing them.",
    "A no takes back only what it speaks of.",
    "An effort holds only those who can lift it.",
    "In each room one module speaks SQL, and a test sees to it",
    "It is safe to retry uploads because S3 is idempotent.",
    "It takes 40 minutes to rebuild the index on orders.",
    "It turns out that Stripe signs the raw body.",
    "This repository has no CI for Windows.",
    "This project uses tabs.",
    "That the cache was shared explains the flaky checkout test.",
    "Both api.go and db.go open the file twice.",
    "One of the two workers deadlocks under load.",
    "So far only Postgres is supported.",
    "Nothing in src/ imports moment any more.",
    "There are two sleeps in the checkout test.",
    "If it fails, the job runs again after a minute.",
    "When the token expires, the client logs in again.",
    "docs/sessions.md says now that sessions are signed cookies; Redis is gone from it.",
    "staging uses the old signing secret, ops must rotate it.",
    "Still open: staging uses the old signing secret, ops must rotate it.",
    "Not done yet: the load balancer still asks for /.",
    "Not done yet: hero.png still has 600 kB and should become a webp.",
    "The lock needs the boot id beside the pid; I stopped there because the format of the file changes.",
    "The cause is BerthRepository.free(): it runs one query per berth (N+1), 380 of them for a day in July.",
    "parse() allocates three times per expression: it copies every field into a String.",
    "The checkout test was flaky because it slept for 400 ms while cart.ts polls every 500 ms.",
    "Greece has 24 % in billing/rates.py now; it was 23 %, the rate before June 2016.",
    "Added a `--json` flag to export.",
    "Renamed `Foo` to `Bar`",
    "Fixed the retry loop in queue.go.",
    "Prices are Long values in øre again.",
    "Stations resend readings after a lost connection, so stg_readings had duplicates.",
    "In `parse_date`, the format used %m for minutes.",
    "On main the flag is still --dry.",
    "retry.py resets its counter on every call.",
    "The lock file is removed by the process that owns it.",
    "Das Skript lädt die Daten zweimal.",
    "Die Ursache war ein fehlender Index auf orders.",
    "El problema era que el token caducaba antes de tiempo.",
    "Decision: times in the DST gap are skipped, because that is what Vixie cron does.",
    "hero.png: it is a webp of 70 kB now, so nothing is left there.",
    "TestStaleLockAfterReboot still fails: a pid is used again after a reboot.",
    "The deploy to staging failed: Flyway found a schema without a history table.",
    "Modes are not copied: the server decides them.",
    "The rule is: never commit generated files.",
    "Tests on Windows fail because of the path separator.",
    "We decided to keep Postgres and drop Redis: ops want one store.",
    "The compiler makes it impossible to forget a case.",
    "All requests go through the gateway now.",
    "None of the handlers checks the tenant.",
    "Each request gets its own transaction.",
    "The rest of the tests pass on arm64.",
    "The first request after a deploy takes 9 s.",
    "Logs are rotated daily.",
    "No migration is needed for the new column.",
    "Ops must baseline the staging schema first.",
    "I could not reach the staging database from here.",
    "I haven't looked at test_billing yet.",
    "The Kubernetes probe hits /ready, and the pod restarts when it times out.",
    "total() takes a discount now, as a float share of the sum.",
    "Retries use the same idempotency key as the first attempt.",
    "Those who deploy need the VPN.",
    "We never mock the database in integration tests.",
    "no, the stations never use daylight saving: they send winter time, UTC+1, all year",
    "And always put the unit into the name of a column.",
    "Before the release, the changelog must be dated.",
    "Terraform wants to replace the bucket because its name changed.",
    "The iOS build is green again since Xcode 16.2 is pinned.",
    "Kafka consumers commit offsets after the handler returns.",
    "In Go a nil map can be read but not written.",
    "For Safari the polyfill stays.",
    "As of v3 the client retries by itself.",
    "Without the index on orders the query takes 9 s.",
    "To rebuild the docs, run make docs.",
    "Sidekiq retries the job 25 times by default.",
    "Since Rails 7.1 the cookie is encrypted.",
    "After the upgrade, two specs fail with a frozen string.",
    "A pod that loses its lease restarts.",
    "It is not possible to rename a column without a lock in MySQL 5.7.",
    "It would be wrong to cache the token in localStorage.",
    "It seems that the proxy strips the header.",
    "Not every endpoint checks the tenant.",
    "Never commit the lock file of the example app.",
    "Only the admin may delete a tenant.",
    "Still fails: Ran go test ./internal/lock: 1 failed",
    "Just one of the shards is slow: shard 7.",
    "Now the scheduler holds one lock per queue.",
    "Each of the three parsers accepts a trailing comma.",
    "Some users have no email, so the unique index is partial.",
    "All of the e2e tests need the VPN.",
    "Most of the time goes into JSON decoding.",
    "Another process holds the lock: the nightly backup.",
    "Test data lives in fixtures/.",
    "Runs are kept for 30 days.",
    "Calls to the billing API are retried with jitter.",
    "Checks of the schema happen in CI only.",
    "Writes go to the primary, reads to the replica.",
    "Reads from the replica may be stale.",
    "Use uv, and never call pip directly.",
    "Return a Result instead of unwrapping.",
    "Must-have headers are checked in middleware.ts.",
    "May 2024 was imported twice.",
    "Will Smith's account is the test account.",
    "Both sides of the socket close twice.",
    "Do not bump Django before 5.2.",
    "The API returns 429 if a client sends it too often.",
    "The parser accepts a file and closes it.",
    "A worker takes a job and marks it as done.",
    "One key per tenant is enough.",
    "Others of the team use Podman.",
    "Der Cache wird nie geleert.",
    "Le cache n'est jamais vidé.",
    "La caché no se vacía nunca.",
    "缓存键没有包含用户ID。",
    "Is the cache shared between tenants?",
    "Should I also bump the version of the crate?",
    "The rest is in src/theme/index.ts now.",
    "This time the proxy was the cause.",
    "This week's release has no migration.",
    "`it` blocks in the spec must not share state.",
    "That endpoint /v1/pay is deprecated.",
]


@pytest.mark.requirement("MEM-16")
def test_a_sentence_without_its_subject_is_known() -> None:
    assert [each for each in LACKING if need(each) != "must"] == []


@pytest.mark.requirement("MEM-16")
def test_a_sentence_that_carries_its_subject_is_left_alone() -> None:
    assert [each for each in WHOLE if need(each) == "must"] == []


@pytest.mark.requirement("MEM-16")
def test_a_sentence_that_goes_on_stands_alone_without_its_first_word() -> None:
    for said, alone in (
        ("But the server may have another umask.", "The server may have another umask."),
        ("However, the gem is unmaintained.", "The gem is unmaintained."),
        ("And retry.py keeps one key.", "retry.py keeps one key."),
        ("Then `flush()` is called twice.", "`flush()` is called twice."),
        ("So the pool is exhausted after a minute.", "The pool is exhausted after a minute."),
    ):
        assert (need(said), without_connective(said)) == ("better", alone)
    assert without_connective("So far only Postgres is supported.") == "So far only Postgres is supported."
    assert need("I chose full jitter because clients that fail together come back together.") == "better"


@pytest.mark.requirement("MEM-16")
def test_a_verb_that_was_left_out_is_filled_in_from_the_sentence_before() -> None:
    for said, before, whole in (
        ("2018 is not: the file is cut off.", "2019 is loaded.", "2018 is not loaded: the file is cut off."),
        ("The CLI does not.", "The server retries.", ""),
        ("Windows is not.", "Linux and macOS are covered by CI now.", "Windows is not covered by CI."),
        ("The importer has not, because ops must agree.", "The exporter has moved to S3.",
         "The importer has not moved to S3, because ops must agree."),
        ("The rule is: never commit generated files.", "CI is green.", ""),
        ("Modes are not copied: the server decides.", "Links are copied.", ""),
    ):  # fmt: skip
        assert completed(said, before) == whole, said


@pytest.mark.requirement("MEM-16")
def test_the_subject_is_a_few_words_of_another_sentence() -> None:
    assert about("Not tested yet.", "Uploads resume.") == "Not tested yet. (about: Uploads resume)"
    long = about("Not tested yet.", "Uploads are cut into chunks of 8 MB now. (about: the ferry)", 30)
    assert long == "Not tested yet. (about: Uploads are cut into chunks…)"
    assert about("Not tested yet.", "") == "Not tested yet."


@pytest.mark.requirement("SEC-7")
def test_only_the_beginning_of_a_long_sentence_is_read() -> None:
    for unit in ("it ", "a, ", "not ", "(", "word: ", "the same ", "that is ", "x.y ", "still not "):
        text = unit * 100_000
        assert need(text) == need(text[:300])
        assert len(without_connective(text)) <= len(text)
