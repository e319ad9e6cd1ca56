"""Corrections by the user: recognised in what a person typed, and in nothing else."""

from __future__ import annotations

import pytest

from holdfast.events.correction import correction_in, corrections_in
from tests.support.table import each_of

RULES = [
    "don't touch the generated files",
    "Don't use mocks for the database.",
    "please do not commit to main",
    "Never push to main without a review.",
    "never mock the database in integration tests",
    "always run the linter before you commit",
    "Always use uv run, never plain python.",
    "From now on, write tests first.",
    "from now on please use tabs in this project",
    "In future, ask before you delete anything.",
    "we never commit directly to main",
    "We always squash before merging.",
    "we don't use semicolons in this codebase",
    "this project never uses print for logging",
    "please use pnpm instead of npm",
    "use httpx instead of requests",
    "Use the staging database, not production.",
    "use pathlib rather than os.path",
    "No, use integer cents instead of floats.",
    "stop adding comments to every line",
    "Stop apologizing and just fix it.",
    "avoid using any in the types",
    "and don't rename the public functions",
    "ok, but don't change the API",
    "No, we never mock the clock.",
    "Nice. One more thing: always run make check before pushing.",
    "Great, thanks. Please never edit the lockfile by hand.",
    "Looks good. From now on, keep functions under 40 lines.",
    "Remember, we never deploy on Fridays.",
    "hey, don't run the full suite, it takes an hour",
    "please don't write to /etc",
    "The build is red again.\nDon't merge anything until it is green.",
]
REPAIRS = [
    "no, I said half-up rounding",
    "No, that's not what I asked for.",
    "That's not what I meant.",
    "I told you to keep the old endpoint.",
    "I said no new dependencies.",
    "as I said, the column is nullable",
    "you forgot the migration",
    "You ignored the failing test.",
    "no, it's the other file",
    "I didn't ask for a refactoring.",
    "wrong, the port is 8443",
    "no! I meant the staging cluster",
]
NONE = [
    "",
    "yes",
    "thanks",
    "continue",
    "I don't know why it fails",
    "I don't think that is right, can you check?",
    "don't worry about it",
    "never mind",
    "Nevermind, I found it.",
    "no problem",
    "no worries, take your time",
    "Why do we never commit to main?",
    "Should we always use uv?",
    "Do we use tabs instead of spaces?",
    "Can you use httpx instead of requests?",
    "Explain why people always use semicolons.",
    "Fix the login loop and add a test.",
    "The page never loads when the cookie expired.",
    "The job always fails at midnight.",
    "It always returns None instead of raising.",
    "Users don't see the banner any more.",
    "The API no longer requires a token, update the client.",
    "Write a function that never returns.",
    "Rename use_cache to keep_cache.",
    "What happens if we don't commit?",
    "if we never close the file, does it leak?",
    'The README says "never push to main", is that still true?',
    'Translate "don\'t use this door" into French.',
    "The log has: `do not use in production`",
    "> don't use mocks\nwhat does this comment mean?",
    "```\nalways use uv\n```\nwhat does this script print?",
    "<task-notification>\nDon't use mocks.\n</task-notification>",
    "<command-name>/review</command-name> always use uv",
    "/review never use mocks",
    "Review this diff:\n+ # never use mocks\n- # always use uv",
    "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: do not use this",
    "2026-01-01 10:00:00 always run this\n2026-01-01 10:00:01 never run that",
    "$ never run this\nwhat is this prompt?",
    "Here is the style guide, summarise it:\n\n" + "\n".join(f"Rule {n}: never use rule {n}." for n in range(60)),
    "I never knew that, interesting",
    "I have always wondered how this works",
    "no idea, you tell me",
    "no need to run the tests",
    "no rush",
    "Don't forget to smile",
    "don't hesitate to ask",
    "how do I stop using sudo here?",
    "add an option --no-cache instead of the variable",
    "is it better to return early rather than nest?",
    "show me where we use requests instead of httpx",
    "ok",
    "no",
    "no.",
    "stop",
    "wait",
    "日本語でお願いします",
]  # fmt: skip


@pytest.mark.requirement("MEM-31")
@each_of("prompt", RULES)
def test_how_things_are_done_here_is_a_rule(prompt: str) -> None:
    found = correction_in(prompt)
    assert found is not None
    assert found.kind == "rule"
    assert found.text in prompt, "the user's own words"


@pytest.mark.requirement("MEM-31")
@each_of("prompt", REPAIRS)
def test_what_the_agent_got_wrong_is_a_repair(prompt: str) -> None:
    found = correction_in(prompt)
    assert found is not None
    assert found.kind == "repair"


@pytest.mark.requirement("MEM-31")
@each_of("prompt", NONE)
def test_what_is_asked_quoted_pasted_or_told_is_none(prompt: str) -> None:
    assert correction_in(prompt) is None


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("text", ["<a>" * 50_000, "no, " * 50_000, "don't " * 50_000, '"' * 100_000, "\n> x" * 50_000])
def test_long_texts_are_read_in_part(text: str) -> None:
    assert correction_in(text) == correction_in(text + text), "what stands far behind is not read"


@pytest.mark.requirement("MEM-31")
def test_a_no_with_how_things_are_is_a_rule() -> None:
    for prompt in (
        "no, keys never carry the locale here: one cache for all",
        "No! Totals are integers in cents, we never use floats for money.",
        "No! total() never takes floats.",
    ):
        found = correction_in(prompt)
        assert found is not None, prompt
        assert found.kind == "rule", prompt
    for prompt in (
        "no, leave it",
        "no problem, take your time",
        "no idea, we never met. Who is it?",
        "No need, thanks.",
    ):
        assert correction_in(prompt) is None, prompt


CORRECTED = [
    "No, the fee is charged per seat, not per tenant.",
    "Stop adding comments to every line.",
    "Please never force-push to a shared branch.",
    "Always run the linter before you commit.",
    "From now on, write the tests first.",
    "We don't mock the clock in this codebase, inject it.",
    "Don't catch BaseException.",
    "Use pathlib instead of os.path.",
    "Prefer composition over inheritance here, not mixins.",
    "I told you to keep the old endpoint.",
    "That's not what I asked for: the button goes on the left.",
    "You forgot the migration again.",
    "No. Revert that, I wanted only the header changed.",
    "In future please squash the commits before merging.",
    "Our team never uses wildcard imports.",
    "As I said, the API must stay backwards compatible.",
    "Never log the email address of a customer.",
    "wrong, the timezone is Europe/Oslo",
    "Don't touch the generated files under gen/.",
    "please don't reformat files you did not change",
    "We only deploy on Tuesdays.",
    "no, we always round down for refunds",
    "Do not use print for logging, use structlog.",
    "You misunderstood: the limit is per user and not per IP.",
    "Avoid global state in the handlers.",
    "No no, keep the old name in the public API.",
    "This project never vendors dependencies.",
    "Going forward, every endpoint needs an OpenAPI description.",
    "I didn't ask you to upgrade React.",
    "ok, but never push without running the e2e tests",
    "You should use the existing helper instead of writing a new one.",
    "Please stop apologizing and just fix it.",
    "nope, that flag is --no-cache, not --nocache",
    "Remember: we never store raw card numbers.",
    "Never vendor third-party code in this repo.",
    "please do not introduce new dependencies without asking",
    "we no longer support Python 3.9, drop the shims",
    "Don't parallelise these tests, they share a port.",
    "No, only the admins may see the audit log.",
    "that's not what I wanted, I asked for a dry run first",
    "Always pin the base image by digest.",
    "We always prefix branches with the ticket number.",
    "You keep changing the public signature, leave it as it is.",
    "no, the header is X-Request-Id, not Request-Id",
    "stop using emojis in commit messages",
    "And never delete a migration that has shipped.",
    "Use tabs, not spaces.",
    "our team only merges with two approvals",
    "I meant the other repository, the one with the Helm charts.",
    "Wrong file: I meant config.prod.yaml.",
    "avoid abbreviations in variable names",
    "hey, don't guess the schema, read it",
]
NOT_CORRECTED = [
    "Always fails with a timeout on CI",
    "always prints the header twice",
    "Never finishes on Windows",
    "Avoid the crash when the file is missing",
    "Stop crashing on empty input",
    "In the future we might move to Postgres",
    "Why don't we mock the clock here?",
    "Can you always run the linter before a commit?",
    'The docs say "never use eval in templates", is that still true?',
    "I don't know which endpoint is slow.",
    "Never mind, it works now.",
    "Add a flag so that the tool never overwrites files.",
    "The server should always return JSON, can you check why it does not?",
    "Users never see the banner, find out why.",
    "Write a function that always returns a list.",
    "The job never finishes when the queue is empty.",
    "no worries, take your time",
    "No, thanks.",
    "We don't have a staging server yet.",
    "Don't you think the cache is too big?",
    "It always fails on the second run.",
    "> never use floats for money",
    "Explain the difference between never and unknown in TypeScript.",
    "Why did you use pathlib instead of os.path?",
    "Should we use uv instead of pip?",
    'What does "don\'t repeat yourself" mean here?',
    'Fix the test that says "always passes".',
    "Make the button red instead of blue.",
    "If the token is missing, don't crash, return 401.",
    "The linter complains: Do not use 'any' as a type.",
    "I never saw this error before, what is it?",
    "Our users always forget their passwords, add a reset link.",
    "Don't worry about the warnings.",
    "Add validation so we don't store empty names.",
    "The customer said we never answered the ticket.",
    "Is it true that Go never frees the stack?",
    "don't forget to run the tests",
    "Rename the variable, it is not a counter.",
    "The test does not use the fixture, please repair it.",
    "Never seen that one, look it up.",
    "ERROR: do not use this function in production",
    "Don't we have a helper for that?",
    "we never got an answer from support, ping them again",
    "The tests don't clean up, please look into it.",
    "Never heard of it, what does it do?",
    "Nothing works, no idea why.",
    "No, it was the proxy that was down, you were right.",
    "Do the same for the exporter.",
    "Always On is the name of the feature, document it.",
    "Only two tests fail now.",
    "Could you stop the server and always start it with --debug?",
    "The button must not be visible for guests, implement that.",
    "This project has no tests yet, add some.",
    "don't have access to that bucket, use the other one",
    "Log a warning if the pool is never used.",
    "What would you use instead of Celery?",
    "No changes needed here, go on with the next file.",
    "I always forget the flag, what was it?",
    "we only have two weeks left",
]


@pytest.mark.requirement("MEM-31")
def test_a_correction_is_known_by_its_shape_and_not_by_its_verb() -> None:
    assert [each for each in CORRECTED if correction_in(each) is None] == []
    assert [each for each in NOT_CORRECTED if correction_in(each) is not None] == []


TASKS_AND_QUOTES = [
    "Vermeide den Absturz, wenn die Liste leer ist.",
    "Vermeide den Crash beim Start.",
    "Vermeide die doppelte Anfrage beim Laden der Seite.",
    "Avoid the crash when the list is empty.",
    "Avoid the double request on page load.",
    "Avoid duplicate rows in the export when the job restarts.",
    "That's wrong: expected 3 but got 4",
    'This is wrong: expected "a" but was "b"',
    "It's wrong: the total shows 12.30 instead of 12.31",
    "Wrong: expected 200, got 404",
    "wrong output: 3 lines instead of 4",
    "I meant to ask whether the cache is shared.",
    "I meant to ask you about the deploy.",
    "I meant to say thanks earlier.",
    "I wanted to ask how the cache works.",
    "I said to the customer that it ships on Friday.",
    "> Never use floats for money.",
    'The reviewer wrote: "never use floats here".',
    "Reviewer: don't use floats here.",
    "Code review: always close the file.",
    "Anna (review): please don't use a global here.",
    "@bob: don't merge this before Friday",
    "Alice commented: never use eval in this module.",
    "From the review: avoid nested ternaries.",
    "Comment on line 12: don't swallow the exception.",
    "CodeRabbit: Avoid using `any` here.",
    "nitpick: avoid abbreviations",
    "nit: don't use var here",
    "suggestion: use a set instead of a list",
    "The linter says: do not use bare except.",
    "ESLint: Do not use 'any'.",
    "error: do not use `unwrap` in production code",
    "warning: never type is not allowed here",
    "E722 do not use bare 'except'",
    "src/app.ts:12:3 error Do not access Object.prototype method",
    "rule: never",
    "The docs say never call this twice.",
    'The error says "don\'t call this twice".',
    "WARNING: Do not run as root.",
    "[WARN] do not use in production",
    "pip: WARNING: Do not use pip as root",
    "npm ERR! never mind",
    "2026-01-02 10:00 don't panic",
    "The test says we never close the socket.",
    "My boss said we never deploy on Fridays.",
    "Fix: never call close twice",
    "Bug: never returns when the file is empty",
    "The function never returns when the list is empty.",
    "Never returns when the list is empty",
    "Always crashes on startup",
    "always returns null for guests",
    "Stop the server and run the migration.",
    "stop showing the banner after login on mobile",
    "Avoid reloading the page when the filter changes",
    "Don't show the banner to guests when the flag is off (ticket 812)",
    "As a user I never want to see the banner twice.",
    "Make sure the job never runs twice.",
    "Add a lint rule: never use print.",
    'Implement "never ask again" in the dialog.',
    "Prevent the form from being submitted twice.",
    "Verhindere, dass das Formular doppelt abgeschickt wird.",
    "Vermeide, dass beim Speichern zwei Anfragen gesendet werden.",
    "Vermeide N+1-Abfragen in der Bestellliste.",
    "Das ist falsch: erwartet 3, bekommen 4",
    "Das ist falsch: es kommt 4 statt 3 heraus",
    "Ich meinte eigentlich zu fragen, ob der Cache geteilt ist.",
    "Ich wollte fragen, ob das geht.",
    "Review von Anna: bitte keine globalen Variablen.",
    "Kommentar im Review: nie floats verwenden.",
    "Der Linter sagt: keine leeren except-Blöcke verwenden.",
    "Die Funktion gibt nie null zurück.",
    "Der Test ist immer rot.",
    "Immer wenn ich speichere, stürzt es ab.",
    "Don't know if it matters, but the log is empty.",
    "AssertionError: never reached",
    "FAILED tests/test_a.py - assert not always",
    "expected: never, actual: always",
    "> we never do that",
    "- never do that (from the old README)",
    "The README says: always run make first.",
    "Here's the review comment, please address it: avoid global state.",
    "Please address this review comment:\n\ndon't use a global here, pass it in\n",
    "Log:\n10:02:11 WARN do not use legacy auth\n10:02:12 INFO never mind",
    "Fix this lint output\nsrc/a.py:3: never use assert\nsrc/b.py:9: do not use exec",
    "Review comments from Anna:\n- don't use floats\n- always close files\nPlease apply them.",
    "The test fails:\n\nThat's wrong: expected 3 but got 4",
    "Kommentare aus dem Review:\n- nie floats verwenden\n- immer schließen",
    "Feedback from the PR:\n1. Never log tokens.\n2. Avoid nested loops.",
    "Here is what the reviewer wrote:\ndon't use floats for money",
    "Vermeide, dass der Dialog zweimal aufgeht.",
    "Vermeide Abstürze bei leeren Dateien.",
    "Avoid flicker when the theme changes.",
    "Avoid crashing if the socket closes early.",
    "Avoid blocking the UI thread during the import.",
    "That's wrong: assert 3 == 4",
    "That is wrong: got null, expected {}",
    "wrong: 12 != 13",
    "Wrong result: 0",
    "I meant to write earlier, sorry.",
    "I meant to attach the log.",
    "Ich meinte, ob du das auch siehst?",
    "Ich wollte noch fragen, wie das geht.",
    "Reviewer says: don't use any here.",
    "Sonar: Never use a hard-coded password.",
    "clippy says: do not use unwrap",
    "Bob in review: we never use singletons here.",
    "Tom: don't push to main",
    'From Slack: "never deploy on Friday"',
    "The ticket says: never show the banner to guests.",
    "Ticket: Don't log out users after 5 minutes",
    "Bug report: app never closes the file",
    "Handle the case where the server never answers.",
    "Write a test that the job never runs twice.",
    "Make it so that the button never overlaps the text.",
    "The cache never expires, find out why.",
    "It always fails on the second run.",
    "We never got an answer from the vendor.",
    "We always get a 500 on the second call.",
    "I always thought that was cached.",
    "you never know",
    "never mind, found it",
    "Stop the container and start it again.",
    "Stop at the first error and show it.",
    "Don't know why, but it works now.",
    "Don't worry about the tests.",
    "Do not disturb mode is broken on iOS.",
    '"Always on" mode drains the battery.',
    "Rename alwaysRetry to retryForever.",
    "Translate: don't forget your keys",
    'What does "never nester" mean',
    "No results are shown for umlauts.",
    "No, it was fine before.",
    "expected: 3",
    "Nicht gefunden: config.yaml",
    "Nie wieder Absturz beim Start, bitte fixen.",
    "Immer beim zweiten Start kommt ein Fehler.",
    "Das ist falsch: assert 3 == 4",
    "Der Kunde sagt: nie wieder PDF.",
    "Kollege meint, wir sollten nie mergen ohne Review.",
    'Die Regel "nie force-push" steht in der Doku, verlinke sie.',
    "Anna wrote:\n\n> never use floats\n\nwhat do you think?",
    "This is the comment:\nplease always use const here\n\nCan you fix it?",
    "CI says:\n\nDo not use deprecated API Foo.bar\n\nfix it",
    "Slack message from ops:\n\nDon't restart the broker today.",
]
STILL_CORRECTIONS = [
    ("Review comments from Anna:\n- don't use floats\n\nApply them. Never touch the lockfile though.", "rule"),
    ("Remember what I said:\n- never use floats for money", "rule"),
    ("avoid global state in handlers", "rule"),
    ("vermeide globale Variablen", "rule"),
    ("don't open a PR until I say so", "rule"),
    ("Don't show me the whole diff again.", "rule"),
    ("That's wrong, the port is 8443 and not 8080", "repair"),
    ("No, I expected a list but you returned a dict.", "repair"),
]


@pytest.mark.requirement("MEM-31")
def test_a_task_an_output_and_the_words_of_others_are_no_rule_of_the_user() -> None:
    assert [each for each in TASKS_AND_QUOTES if correction_in(each)] == []
    kinds = [(each, found.kind if (found := correction_in(each)) else "") for each, _ in STILL_CORRECTIONS]
    assert kinds == STILL_CORRECTIONS


@pytest.mark.requirement("MEM-31")
def test_a_rule_is_quoted_without_its_no_and_with_its_second_half() -> None:
    for prompt, told in (
        (
            "no. amounts are cents, always. euros only in the view. go on",
            "amounts are cents, always. euros only in the view.",
        ),
        ("Nope. We never mock the clock. Only the network.", "We never mock the clock. Only the network."),
        ("nein. Zeiten sind immer UTC. Lokal nur in der Anzeige.", "Zeiten sind immer UTC. Lokal nur in der Anzeige."),
        ("Always run make lint. Only the docs build fails.", "Always run make lint."),
        ("We always use cents. Not sure that helps.", "We always use cents."),
        ("We always use cents. That never helps anybody.", "We always use cents."),
        ("We always use cents. Tests not green.", "We always use cents."),
        ("always use metres here. can you only fix the test?", "always use metres here."),
        ("never log the token. please only change the client", "never log the token."),
        ("no, distances are always metres here, never feet.", "no, distances are always metres here, never feet."),
    ):
        assert [each.text for each in corrections_in(prompt)] == [told], prompt


@pytest.mark.requirement("MEM-31")
@each_of(
    ("prompt", "texts"),
    [
        ("We never use 'wip' here. Use the imperative.", ["We never use 'wip' here. Use the imperative."]),
        ("wir nutzen hier nie Moment.js. Nimm date-fns.", ["wir nutzen hier nie Moment.js. Nimm date-fns."]),
        ("don't touch the schema. use this branch for the fix", ["don't touch the schema."]),
        ("don't touch the schema. Use the old one for now", ["don't touch the schema."]),
        ("don't delete it. Run the tests.", ["don't delete it."]),
    ],
)
def test_what_is_forbidden_is_kept_with_what_to_do_instead(prompt: str, texts: list[str]) -> None:
    assert [each.text for each in corrections_in(prompt)] == texts
