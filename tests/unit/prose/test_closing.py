"""Which sentence of the closing words says what came of a turn."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import best, changed, classify, statements
from holdfast.prose.sentences import spoken
from tests.support.table import each_of


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "title"),
    [
        (
            "Done! I've updated the retry logic. The root cause was that `retry` reset its counter on every call.\n\n"
            "Files changed:\n- `src/payments/retry.py`\n- `tests/test_retry.py`\n\nAll 42 tests pass. Let me know!",
            "The root cause was that `retry` reset its counter on every call.",
        ),
        (
            "Fixed. VAT is now rounded half-up per invoice instead of per line.",
            "VAT is now rounded half-up per invoice instead of per line.",
        ),
        (
            "## Summary\nI added a `--json` flag to `export`.\n\n## Next steps\n- The CSV path still needs it.",
            "I added a `--json` flag to `export`.",
        ),
        (
            "**Root cause:** the signature covers the raw body, but Express parsed it.\n\n**Fix:** use `raw()`.",
            "Cause: the signature covers the raw body, but Express parsed it.",
        ),
        (
            "I found the issue. In `parse_date`, the format used %m for minutes. Tests green.",
            "In `parse_date`, the format used %m for minutes.",
        ),
        (
            "The CI is green again. It was flaky because two tests shared port 8080.",
            "The CI is green again. It was flaky because two tests shared port 8080.",
        ),
        (
            "We decided to keep Postgres and drop Redis: ops want one store.",
            "We decided to keep Postgres and drop Redis: ops want one store.",
        ),
        (
            "I tried to push, but the remote rejected it: the branch is protected.",
            "I tried to push, but the remote rejected it: the branch is protected.",
        ),
        (
            "Die Ursache war ein fehlender Index auf orders. Erledigt.",
            "Die Ursache war ein fehlender Index auf orders.",
        ),
        (
            "El problema era que el token caducaba antes de tiempo. Listo.",
            "El problema era que el token caducaba antes de tiempo.",
        ),
        ("原因是缓存键没有包含用户ID。", "原因是缓存键没有包含用户ID。"),
        (
            "All set. Here's what I did:\n- Renamed `Foo` to `Bar`\n- Ran the tests (all pass)",
            "Renamed `Foo` to `Bar`.",
        ),
        (
            "I bumped lodash to 4.17.21, e.g. for CVE-2021-23337.",
            "I bumped lodash to 4.17.21, e.g. for CVE-2021-23337.",
        ),
        (  # the outcome stands first, and what is said of it later is not the outcome
            "The page size is 50 now, as in the old client. 100 was slow on tablets, so we went back.",
            "The page size is 50 now, as in the old client.",
        ),
        (
            "Done: `maxUploads` is 3. A run of 90 files takes 50 s instead of 44 s because of it.",
            "`maxUploads` is 3. A run of 90 files takes 50 s instead of 44 s because of it.",
        ),
        (
            "Uploads older than a year are deleted at night. The age is that of the entry, not of the file, because"
            " copies reset it.",
            "Uploads older than a year are deleted at night.",
        ),
        (
            "I've tracked this down and fixed it. `merge()` dropped the last row because the loop ended early.",
            "`merge()` dropped the last row because the loop ended early.",
        ),
        ("TL;DR: the lock was taken twice, so it hung.", "The lock was taken twice, so it hung."),
        ("You're welcome! Is there anything else?", None),
        ("It's 14:32 UTC.", None),
        ("OK.", None),
        ("Done.", None),
        ("Committed and pushed.", None),
        ("Edited src/a.py and src/b.py.", None),
        ("Shall I go ahead? I can also add jitter if you'd like.", None),
        ("Let me check the file first.", None),
        ("Ducks glide on still ponds,\nRipples whisper to the reeds.", None),
        ("Sure, here's the haiku you asked for because ducks:", None),
        ("", None),
    ],
)
def test_what_came_of_it(said: str, title: str | None) -> None:
    found = best(statements(said))
    assert (found.text if found else None) == title


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The docs still need an update.", "open"),
        ("I haven't looked at test_billing yet.", "open"),
        ("It failed because the worker could not open the file.", "finding"),
        ("Want me to change that too?", "question"),
        ("All 42 tests pass.", "check"),
        ("We no longer use Jenkins.", "decision"),
        ("Added a `--json` flag.", "change"),
        ("`src/a.py` (new)", "none"),
        ("Thanks for the hint!", "none"),
    ],
)
def test_what_a_sentence_is(sentence: str, kind: str) -> None:
    assert classify(sentence).kind == kind


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize(
    "unit", ["x", "a.b/", "because ", "was never a later ", "**a** ", "- [ ] ", "i found the ", "`"]
)
def test_long_texts_are_read_in_part(unit: str) -> None:
    assert len(statements(unit * (200_000 // len(unit)))) <= 120


@pytest.mark.requirement("MEM-16")
def test_a_check_is_no_finding_and_what_stands_behind_an_admitted_fault_is_its_cause() -> None:
    said = statements(
        "Yes, that was a bug. `pages()` read one page of `list(box)`, and a page has 500 rows.\n\n"
        "### Changes\n- `pages()` follows the cursor\n- a new test, `test_pages`, reads two\n\n"
        "### Verification\n- tried with the biggest box: 900 rows instead of 500"
    )
    top = best(said)
    assert top is not None
    assert top.text == "Cause: `pages()` read one page of `list(box)`, and a page has 500 rows."
    assert [each.kind for each in said] == ["answer", "finding", "change", "change", "check"]
    assert changed(said, top.text) == "Fix: `pages()` follows the cursor."
    assert said[-1].text.startswith("Tried with"), "a point begins as a sentence does"


@pytest.mark.requirement("MEM-16")
def test_ceremony_is_left_out_and_a_sentence_may_begin_with_a_name_of_code() -> None:
    for said, told in (
        ("The key has no locale; tests pass, committed.", ["The key has no locale."]),
        ("lint is clean, committed", []),
        ("go test ./... passes; committed.", []),
        ("xyz build passes, committed.", []),
        ("Here it goes. retry.py keeps one key. total() takes cents.",
         ["Here it goes.", "retry.py keeps one key.", "total() takes cents."]),
        ("The password passes the check now.", ["The password passes the check now."]),
        ("Committed; plant 4 still waits for its file.", ["Plant 4 still waits for its file."]),
    ):  # fmt: skip
        assert spoken(said) == told, said


@pytest.mark.requirement("MEM-16")
def test_what_the_user_said_is_no_result_and_what_was_done_for_it_is() -> None:
    assert classify("You said earlier that we avoid Redis.").kind == "none"
    assert classify("You said earlier that we avoid Redis, so I used a table with `SKIP LOCKED`.").kind != "none"
    assert classify("I did not touch `legacy/`, as you asked.").kind == "none"


CAUSES = [
    "The rye oven is the fastest with 12 minutes a tray; the old one needs 31.",
    "The flake came from a shared temp directory.",
    "The flake came from two workers that wrote the same port file.",
    "The crash comes from an unsigned subtraction in `ring_push`.",
    "The slow query stems from a sequential scan on orders.",
    "Root cause: the pool is closed twice.",
    "Root cause - the pool is closed twice.",
    "The root cause: `Session.close` runs twice.",
    "The timeout was caused by the proxy's 30 s limit.",
    "The 502s are caused by keep-alive connections that the balancer has closed.",
    "The drift is due to float rounding in `accumulate`.",
    "The mismatch happens because the two services use different time zones.",
    "This happens when the file is empty.",
    "It turned out that the certificate had expired.",
    "It turns out the index was never built.",
    "Turned out the DNS cache held the old address.",
    "The culprit is `lodash.merge`, which copies prototypes.",
    "The culprit: a stale lock file.",
    "Culprit: a stale lock file in /var/run.",
    "The bug was in the date parser, not in the importer.",
    "The leak was in the watcher: it never unsubscribed.",
    "The failure traces back to the upgrade of libpq.",
    "I traced it to a missing `await` in `flush`.",
    "I tracked the failure down to a race between two tests.",
    "The problem boils down to a missing foreign key.",
    "The reason the build is red: `gcc` 14 treats the warning as an error.",
    "What broke it was the new default of `strict`.",
    "The regression was introduced by the switch to lazy imports.",
    "The regression goes back to commit 4f2a9c1, which dropped the null check.",
    "The delay results from a DNS lookup per request.",
    "The error is a consequence of the missing migration.",
    "The test fails since the fixture returns naive datetimes.",
    "The double charge is the result of a retry without an idempotency key.",
    "Memory grew as a result of an unbounded cache in `Resolver`.",
    "It was a missing semicolon in the generated SQL.",
    "It was the proxy: it strips the header.",
    "The proxy is to blame: it strips the header.",
    "The proxy was responsible for the missing header.",
    "The deadlock arises when both goroutines hold a lock.",
    "The hang occurs when stdin is a terminal.",
    "The panic is triggered by an empty slice.",
    "The stale page is explained by the CDN's cache of 5 minutes.",
    "Diagnosis: the worker runs out of file handles.",
    "Explanation: Go's map order is random.",
    "Der Fehler kam von einer doppelten Registrierung.",
    "Der Absturz kommt daher, dass der Puffer zu klein ist.",
    "Ursache: Der Pool wird zweimal geschlossen.",
    "Grund: falsche Zeitzone im Container.",
    "Grund dafür ist ein fehlender Index auf orders.",
    "Schuld war ein veralteter Cache.",
    "Schuld ist die alte Version von libxml.",
    "Es lag an der Zeitzone des Servers.",
    "Das lag daran, dass der Index fehlte.",
    "Auslöser war das Update von Gradle.",
    "Der Test schlug fehl, da die Uhr nicht gestellt war.",
    "Die Anfrage ist langsam, weil der Index fehlt.",
    "Es stellte sich heraus, dass das Zertifikat abgelaufen war.",
    "Wie sich herausstellte, fehlte der Index.",
    "Der Fehler wurde durch eine leere Liste ausgelöst.",
    "Der Fehler wird durch einen fehlenden Header verursacht.",
    "Verantwortlich dafür ist der Proxy.",
    "The intermittent 500s came from a connection pool that was too small.",
    "The flaky login spec came from a leftover cookie.",
    "Root cause was a missing index on `orders.customer_id`.",
    "**Root cause**: `useEffect` ran twice in strict mode.",
    "Cause — the mutex is never unlocked on the error path.",
    "The reason is that Kotlin's `lazy` is synchronized by default.",
    "This was due to a stale Docker layer.",
    "The build broke because Gradle resolved the snapshot.",
    "As it turns out, the header is case-sensitive in HTTP/2 clients.",
    "Turns out `terraform plan` had drifted.",
    "The real culprit was the retry middleware.",
    "The spike in latency is caused by a full table scan.",
    "What happened: the cron job ran twice after the clock change.",
    "The underlying problem is an unbounded channel.",
    "The issue lies in `Decoder.Read`, which ignores io.EOF.",
    "It's because the worker inherits the parent's environment.",
    "That was because of the missing BOM.",
    "The memory leak is in `EventBus`: listeners are never removed.",
    "The 403 came from the WAF, not from our API.",
    "Flaky due to shared state in the fixture.",
    "The deadlock was between the logger and the signal handler.",
    "The test only failed on CI since the runner's locale is C.",
    "The wrong totals resulted from integer division.",
    "The slow startup can be traced to a DNS lookup.",
    "Behind the crash is a null `ctx` in the callback.",
    "We found out that the webhook is sent twice by Stripe.",
    "I found that the CDN caches 404s for ten minutes.",
    "The failing migration goes back to a renamed enum.",
    "The duplicates were produced by the outbox poller running in two pods.",
    "The tests are red because the snapshot is outdated.",
    "Die Ursache ist ein Wettlauf zwischen zwei Threads.",
    "Der Timeout kam durch den Proxy.",
    "Das Problem war ein fehlendes `await`.",
    "Das Problem liegt an der alten Node-Version.",
    "Grund war ein abgelaufenes Token.",
    "Der Flake kam von einem gemeinsamen Temp-Verzeichnis.",
    "Schuld daran war der Cache.",
    "Es hat sich herausgestellt, dass der Index fehlt.",
    "Der Build schlug fehl, weil das Zertifikat abgelaufen war.",
    "Hervorgerufen wurde der Fehler durch eine leere Liste.",
    "Die Fehlerursache: ein falscher Offset.",
]
NO_CAUSES = [
    "Added a test for the empty list.",
    "Renamed `Foo` to `Bar` in 12 files.",
    "I updated the README.",
    "The button is blue now.",
    "12 tests pass.",
    "The data comes from the orders table.",
    "The dashboard reads its numbers from Prometheus.",
    "Events are triggered by a click on the row.",
    "Jobs are sent when the queue has more than ten.",
    "The value is the result of a division.",
    "Der Wert kommt aus der Tabelle orders.",
    "Ich habe die Tests ergänzt.",
    "The tokens come from the environment.",
    "The report is produced by a nightly job.",
    "Requests go to the nearest region.",
    "I added a test that fails when the list is empty.",
    "The endpoint returns 404 when the user is missing.",
    "Users get an email when the job is done.",
    "Colours are read from the theme.",
    "The page loads after a click.",
    "The CLI exits with 2 if no file is given.",
    "Renamed the column to `created_at`.",
    "The wizard appears only after login.",
    "It shows up after the second click.",
]


@pytest.mark.requirement("MEM-16")
def test_a_cause_is_a_finding_in_all_usual_spellings() -> None:
    assert [each for each in CAUSES if [one.kind for one in statements(each)] != ["finding"]] == []
    assert [each for each in NO_CAUSES if "finding" in [one.kind for one in statements(each)]] == []


TITLES = [
    ("Bumped Rails to 7.1. 4 deprecation warnings remain.", "Bumped Rails to 7.1."),
    ("Rolled the chart out to staging. Production stays as it was.", "Rolled the chart out to staging."),
    ("Deployed build 812 to staging. Production is unchanged.", "Deployed build 812 to staging."),
    ("3 tests skipped. The scheduler retries failed jobs twice now.", "The scheduler retries failed jobs twice now."),
    ("The scheduler retries failed jobs twice now. 3 tests are skipped on Windows.",
     "The scheduler retries failed jobs twice now."),
    ("I rewrote the lexer with logos. Clippy still reports 9 warnings.", "I rewrote the lexer with logos."),
    ("Cargo check shows 9 warnings. I rewrote the lexer with logos.", "I rewrote the lexer with logos."),
    ("Auf Staging ist Version 3.2 ausgerollt. Produktion unverändert.", "Auf Staging ist Version 3.2 ausgerollt."),
    ("Der Parser liest jetzt CSV mit BOM. Es bleiben 12 Warnungen.", "Der Parser liest jetzt CSV mit BOM."),
    ("The public API is unchanged. `Client.send` streams large bodies now.",
     "`Client.send` streams large bodies now."),
    ("I replaced moment with date-fns. The bundle shrank by 60 kB. No visual changes.",
     "I replaced moment with date-fns."),
    ("Zwei Hinweise von ESLint bleiben. Die Tabelle sortiert jetzt nach Datum.",
     "Die Tabelle sortiert jetzt nach Datum."),
    ("12 warnings remain. I upgraded the parser to tree-sitter 0.22.", "I upgraded the parser to tree-sitter 0.22."),
    ("Ported the build to CMake presets. 12 warnings remain in `legacy/`.", "Ported the build to CMake presets."),
    ("Ported the build to CMake presets. Two warnings are still shown.", "Ported the build to CMake presets."),
    ("Deployed to staging at 14:10. Production unchanged.", "Deployed to staging at 14:10."),
    ("Deployed the new importer to staging. Production was not touched.", "Deployed the new importer to staging."),
    ("I added a `--dry` flag. I did not change the public API of `Runner`.", "I added a `--dry` flag."),
    ("We left the wire format as it was. The codec skips unknown fields now.", "The codec skips unknown fields now."),
    ("Removed the legacy exporter. The bundle is 40 kB smaller now.", "Removed the legacy exporter."),
    ("Die Suche nutzt jetzt den Trigram-Index. 12 Warnungen bleiben.", "Die Suche nutzt jetzt den Trigram-Index."),
    ("Die Tokens sind auf Staging umgestellt. Produktion blieb unverändert.",
     "Die Tokens sind auf Staging umgestellt."),
    ("Build succeeded with 2 warnings. The exporter streams rows now.", "The exporter streams rows now."),
]  # fmt: skip


@pytest.mark.requirement("MEM-16")
def test_a_title_is_what_was_done_and_not_what_stayed_as_it_was() -> None:
    for said, title in TITLES:
        top = best(statements(said))
        assert top is not None, said
        assert top.text == title, said


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    "said",
    [
        "I spent most of the time on something that was not it, so here is the whole path.",
        "Long answer, because I want you to be able to check it.",
        "Fair warning, this is a long one.",
        "Das hat länger gedauert als gedacht, deshalb hier der ganze Weg.",
    ],
)
def test_a_sentence_about_the_report_itself_says_nothing(said: str) -> None:
    assert statements(said)[0].kind == "none"


@pytest.mark.requirement("MEM-16")
def test_what_was_met_beside_the_work_is_not_its_outcome() -> None:
    done = "`Articles.All()` sends only what has changed now."
    for aside in (
        "While measuring I also saw that the history takes 9 seconds, because `Movements` has no index.",
        "I also noticed that the importer leaks, because the file is never closed.",
        "By the way, the old key is still used because nobody removed it.",
    ):
        top = best(statements(f"{done}\n\n{aside}"), acted=True)
        assert top is not None
        assert top.text == done


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-18")
def test_a_label_in_italics_and_a_heading_about_limits_say_what_is_open() -> None:
    assert [each.kind for each in statements("*Not verified:* there is no capture of a real one here.")] == ["open"]
    points = "Two things to know:\n\n- Nothing limits the size of the file: it grows until the disk is full."
    assert [each.kind for each in statements(points)] == ["open"]


@pytest.mark.requirement("MEM-16")
def test_words_that_courtesy_has_too_are_no_courtesy() -> None:
    assert statements("`counted()` now drops every bot before anything else is counted.")[0].kind == "change"
    assert statements("Is there anything else I can do?")[0].kind in ("none", "question")


@pytest.mark.requirement("MEM-16")
def test_what_is_so_since_then_is_more_than_a_check() -> None:
    kept = statements("`synchronous=FULL` it is, with WAL kept: the load test passes with 140 messages a second.")
    assert kept[0].kind == "answer"
    assert statements("`run.sql` sums first now.")[0].kind == "change"


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "is_open"),
    [
        ("What I can't decide is what to do with the 212 clips.", True),
        ("Whether the index stays is undecided.", True),
        ("We haven't decided yet who gets the second key.", True),
        ("Ob die alte Tabelle bleibt, ist noch nicht entschieden.", True),
        ("Todavía está sin decidir qué base usamos.", True),
        ("We decided not to keep the index.", False),
        ("`pick()` can't decide between two equal keys, so it takes the first.", False),
        ("You have decided against the second key.", False),
    ],
)
def test_who_cannot_decide_leaves_something_open(said: str, is_open: bool) -> None:
    assert (statements(said)[0].kind == "open") is is_open


@pytest.mark.requirement("MEM-16")
def test_words_that_only_announce_give_way_to_what_was_done() -> None:
    points = "\n\n### What changed\n- Search ignores accents now\n- The index is rebuilt nightly"
    for lead in (
        "The work is complete.",
        "I have successfully implemented the feature.",
        "Everything is in place now.",
    ):
        told = best(statements(f"{lead}{points}"), acted=True)
        assert told is not None
        assert "ignores accents" in told.text, lead
    hollow = statements("I've updated the code as requested. Everything works as expected and all tests pass.")
    assert not any(each.kind in ("change", "decision", "finding") and each.weight for each in hollow)
    assert statements("I've updated the retry limit to 5.")[0].kind == "change"


@pytest.mark.requirement("MEM-16")
def test_the_agents_words_stay_as_they_are() -> None:
    for said in (
        "Removed the cache: they asked for it.",
        "Kept Redis: it is cheaper.",
        "The bug: it compared strings.",
    ):
        assert statements(said)[0].text == said


def test_two_points_of_a_fix_are_told_each_once() -> None:
    said = statements(
        "## Cause\nThe pump starts too late, because it waits for the wall clock.\n\n"
        "## Fix\n- The pump has a timer of its own now. It was never switched on before.\n- The margin is 30 ms.\n"
    )
    told = changed(said, said[0].text)
    assert told.count("timer of its own") == 1
    assert "It was never switched on before." in told
