"""What came of a turn is told in sentences that stand side by side: a cause with its fix, a change with its reason."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import best, statements
from holdfast.prose.passages import LONGEST, passage
from tests.support.table import each_of

LEAK = (
    "I dug into it with heaptrack. Three suspects:\n\n1. `ImageCache` – unbounded, +180 MB/h. **This is the leak.**\n"
    "2. `EventBus` listeners – 2 MB/h, negligible\n\nI capped the cache at 256 entries. RSS is flat after 6 h."
)


def told(said: str) -> str:
    found = statements(said)
    top = best(found, acted=True)
    assert top is not None, said
    return passage(found, top, acted=True)


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "words"),
    [
        ("`COPY . .` comes before `npm ci`, so every commit reinstalls all. I moved it below; it takes 2 minutes now.",
         ("every commit reinstalls", "I moved it below")),
        ("`applyCoupon` mutates the cart, so the discount is applied twice. It returns a copy now.",
         ("applied twice", "returns a copy now")),
        (LEAK, ("This is the leak.", "I capped the cache at 256 entries")),
        ("It turns out Android 9 blocks cleartext, and our tile server is still on http://. I've switched to https.",
         ("still on http://", "switched to https")),
        ("## Diagnosis\nThe tokenizer splits at hyphens, so `e-bike` is two words.\n\n## Change\nSwitched to `graph`.",
         ("splits at hyphens", "Switched to `graph`")),
        ("Der Bon kam doppelt, weil der alte Listener lief. Ich habe den alten Listener entfernt.",
         ("kam doppelt", "entfernt")),
        ("El turno cruzaba la medianoche y se perdía. He cambiado la agrupación.", ("medianoche", "He cambiado")),
        ("I found it: `transfer()` takes the locks in another order than `audit()`. Both sort them by id now.",
         ("in another order", "sort them by id now")),
        ("I found that `redirect()` keeps the old cookie. The cookie is cleared before the redirect now.",
         ("keeps the old cookie", "is cleared before")),
        ("The page is slow because `render()` runs once per row. Fixed.", ("once per row", "Fixed.")),
        ("The crash comes from a null `user` in `header()`. That's fixed now, tests pass.",
         ("null `user`", "fixed now")),
        ("The reason is a typo in `Dockerfile`: `apt-get isntall`. Fixed and pushed.",
         ("a typo in", "Fixed and pushed")),
        ("Der Export bricht ab, weil das Verzeichnis fehlt. Behoben und gepusht.", ("bricht ab", "Behoben")),
        ("We discovered that the feed is parsed with the wrong zone. Dates are read as UTC now.",
         ("wrong zone", "as UTC now")),
        ("I confirmed the suspicion: the watcher misses renames on NFS. It polls there now.",
         ("misses renames", "polls there now")),
    ],
)  # fmt: skip
def test_a_cause_is_told_with_what_was_done_about_it(said: str, words: tuple[str, ...]) -> None:
    assert all(each in told(said) for each in words), told(said)


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I tried Redis first, but the sandbox has none, so I went with SQLite instead. Sessions survive restarts now.",
         ("SQLite instead", "survive restarts")),
        ("The loop started at 1 and skipped the home team. Starts at 0 now.", ("started at 1", "Starts at 0 now")),
        ("The URLs redirect twice, and Apple follows only one redirect. I made them point at the CDN.",
         ("redirect twice", "the CDN")),
        ("### What I did\nLoad the stops with one COPY instead of many INSERTs.\n\n### Why\nEach was a transaction.",
         ("one COPY", "a transaction")),
    ],
)  # fmt: skip
def test_a_change_is_told_with_its_reason(said: str, words: tuple[str, ...]) -> None:
    assert all(each in told(said) for each in words), told(said)


@pytest.mark.requirement("MEM-16")
def test_an_announcement_is_told_with_its_list_and_never_ends_in_a_colon() -> None:
    said = "I went ahead and implemented idempotency keys:\n\n```python\nkey = 1\n```\n\nKeys are stored for 24 hours."
    assert told(said) == "I went ahead and implemented idempotency keys: Keys are stored for 24 hours."
    said = "Upgrade complete!\n\n1. **Dependencies** – bumped Django to 5.0\n2. **Code** – replaced `utc` in 14 files"
    assert told(said) == "Dependencies – bumped Django to 5.0. Code – replaced `utc` in 14 files."
    assert not told("I implemented the retries of the gateway client as wanted:").endswith(":")


@pytest.mark.requirement("MEM-16")
def test_where_nothing_was_changed_a_cause_stands_alone() -> None:
    found = statements("The report is empty because the view filters on tenant 1. I looked at the logs next.")
    top = best(found)
    assert top is not None
    assert passage(found, top, acted=False) == "The report is empty because the view filters on tenant 1."


@pytest.mark.requirement("MEM-16")
def test_a_sentence_that_leaves_something_open_still_says_what_was_done() -> None:
    said = "The settings screen is on Compose now, but two tests still fail. I ran out of time, so I stopped here."
    assert told(said) == "The settings screen is on Compose now."


@pytest.mark.requirement("MEM-18")
def test_a_long_cause_is_cut_where_a_part_of_it_ends_and_its_fix_is_told() -> None:
    cause = "Sailings were expanded by adding 24 hours in local time, so that the same one was made twice"
    more = " when the clocks go back, once with summer time and once with winter time, and both were kept in the table"
    said = told(f"{cause}{more}, which nobody saw until October. They are expanded in UTC now.")
    assert said.startswith("Sailings were expanded")
    assert said.endswith("… They are expanded in UTC now.")
    assert len(said) <= LONGEST


@pytest.mark.requirement("MEM-16")
def test_the_sentences_behind_the_outcome_are_told_with_it_as_far_as_they_fit() -> None:
    cause = "The sums were done in binary floats, so 0.1 + 0.2 came out as 0.30000000000000004."
    fix = "`total()` adds `Decimal`s now and the test passes."
    assert told(f"{cause} {fix} All 40 tests pass.") == f"{cause} {fix}"
    assert told(f"{cause} {fix} Shall I change the export, too?") == f"{cause} {fix}"
    lead = "The importer reads the bank's file in chunks of 5,000 rows now."
    detail = "The whole file needed 3 GB, and the box has 2."
    assert told(f"{lead} {detail} Committed and pushed.") == f"{lead} {detail}"


@pytest.mark.requirement("MEM-19")
def test_an_agent_that_takes_note_of_good_news_states_nothing() -> None:
    for said in (
        "Great, then the float issue is closed on both sides.",
        "Perfect, so the export is done.",
        "Prima, dann ist das Thema erledigt.",
        "Parfait, alors c'est réglé.",
    ):
        assert statements(said)[0].kind == "none"
    assert statements("Good error messages name the file now.")[0].kind != "none"


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("said", "begins"),
    [
        (
            "The PR looks good overall. Two problems: `save()` swallows exceptions, and `/admin` has no check.",
            "Two problems",
        ),
        ("The change is solid. One issue: the retry never stops, because `attempts` is reset.", "One issue"),
        ("Code is well written. I found a bug in `parse()`: it accepts negative ids.", "I found a bug"),
    ],
)
def test_a_verdict_that_opens_a_review_does_not_hide_what_was_found(said: str, begins: str) -> None:
    found = statements(said)
    top = best(found, of_fault=False)
    assert top is not None
    assert top.text.startswith(begins)


@pytest.mark.requirement("MEM-16")
def test_a_change_is_told_with_what_opens_its_paragraph() -> None:
    text = told(
        "I compared one day of our logs with theirs, line by line, which took a while because the clocks differ.\n\n"
        "We count requests and they count listeners. A player opens an episode with a short probe and then fetches it"
        " in range requests of 1 to 4 MB, so that one person on one train shows up five to nine times in our log a day."
        " `counted()` takes all requests of one address within 24 hours for one download now.\n\n"
        "I did not recompute the past. The logs before March are in the archive, because this account can't read it."
    )
    assert text.startswith("We count requests and they count listeners.")
    assert text.endswith("for one download now.")


@pytest.mark.requirement("MEM-16")
def test_what_proves_a_change_and_what_was_left_out_is_not_the_outcome() -> None:
    text = told(
        "Frame numbers run from 0 to 7, and we expected an 8. `next()` wraps after 7 now.\n\n"
        "I replayed this morning's capture: 1,204 messages, none refused."
    )
    assert text == "Frame numbers run from 0 to 7, and we expected an 8. `next()` wraps after 7 now."


@pytest.mark.requirement("MEM-16")
def test_a_summary_that_tells_how_it_was_stands_with_what_was_done() -> None:
    text = told(
        "**TL;DR:** `ReconnectTest` listens on the fixed port 6661, and the runner builds two jobs in parallel.\n\n"
        "Here the same test failed once and passed right after. I made it ask the system for a free port (`PORT = 0`)."
    )
    assert "6661" in text
    assert "free port" in text


@pytest.mark.requirement("MEM-16")
def test_an_announcement_is_not_told_where_something_says_what_was_done() -> None:
    what = "The three nested loops are one pass with a small state machine, and errors carry the line number."
    assert told(f"I've successfully refactored the parser.\n\n{what}") == what
    assert told("I've refactored the parser.") == "I've refactored the parser."


@pytest.mark.requirement("MEM-16")
def test_a_sentence_that_only_says_that_it_was_found_is_no_outcome() -> None:
    cause = "The new readers send UTC with a Z at the end. `parse()` expects a local time and rejects every such line."
    for state in (
        "Found, not fixed.",
        "I know why, but it isn't fixed yet.",
        "Half done, and one test is red on purpose.",
    ):
        assert told(f"{state}\n\n{cause}").removeprefix("Cause: ") == cause
    assert told("I found the cause of the slow start: the index.") == "I found the cause of the slow start: the index."


@pytest.mark.requirement("MEM-16")
def test_a_sentence_in_the_middle_is_not_left_out_where_there_is_room() -> None:
    text = (
        "`inline-fb` is merged. Inlining of function blocks is off by default and switched on with `-finline-fb`, "
        "because on the rig it makes the jitter 12 % worse, although cycles are 19 % shorter. The manual says so too."
    )
    assert told(text) == text


@pytest.mark.requirement("MEM-16")
def test_a_sentence_is_told_once_also_where_its_half_is_the_outcome() -> None:
    said = "The migration is written but I did not run it. Please review it before it goes to production."
    assert told(said).count("The migration is written") == 1


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "words"),
    [
        # a labelled fix, in a part of its own
        ("The hall was booked twice because `reserve()` reads before it locks. Two clerks do that on Mondays.\n\n"
         "**Fix:** `reserve()` locks the row of the hall first.",
         ("booked twice", "locks the row of the hall first")),
        # words that do not say that something was done are told with a label; what it brought stands behind them
        ("## Cause\nThe till asks for the price of each loaf on its own.\n\n## Fix\nOne query per basket. A sale takes"
         " 2 s now.", ("each loaf on its own", "Fix: One query per basket. A sale takes 2 s now.")),
        # the next paragraph says how things are now
        ("Sacks are counted by the piece, but the mill bills kilos. Two sacks of different weight look the same.\n\n"
         "`bill()` in `mill/bill.go` multiplies by the weight now.", ("counted by the piece", "by the weight now")),
        # it names the code and says how it works, though no word says since when
        ("Letters were sent twice because the stamp was compared as text.\n\n`stamp()` in `a.py` compares numbers.",
         ("compared as text", "compares numbers")),
        # all that stands between a cause and its fix
        ("The reason is in the delivery notes. The mill writes kilos, the shop reads pounds, so each sack counts twice."
         " `weigh()` converts them now.", ("in the delivery notes", "reads pounds", "converts them now")),
        # who looked at something first tells the outcome behind it
        ("I went through the orders of May. I also checked the printer, which is disabled at night; that is not it.\n\n"
         "The double orders come from the shelf. `Shelf` kept them in a list.\n\nShelves are rows in a table now.",
         ("The double orders come from the shelf", "rows in a table now")),
        # "we" tells how the program was
        ("**TL;DR:** we accepted every booking, however late.\n\n`book()` refuses those after the curtain now.",
         ("however late", "after the curtain now")),
    ],
)  # fmt: skip
def test_a_cause_is_told_with_what_another_part_says_was_done(said: str, words: tuple[str, ...]) -> None:
    assert all(each in told(said) for each in words), told(said)
    assert "checked the printer" not in told(said)


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "never"),
    [
        ("Stamps are compared as text because `stamp()` reads the file raw.\n\n`stamp()` is not changed; it should"
         " compare numbers.", "is not changed"),
        ("The bell rings twice because two rooms share one wire, which nobody knew.\n\nI got as far as the plan.",
         "as far as"),
        ("The oven is cold because the valve sticks. It has two settings. We light it at four, and that is why nobody"
         " in the shop or in the office ever saw it cold or wrote it down.\n\n`valve.c` opens it in two steps now.",
         "at four"),
    ],
)  # fmt: skip
def test_what_was_not_done_and_what_explains_it_is_no_fix(said: str, never: str) -> None:
    assert never not in told(said), told(said)


@pytest.mark.requirement("MEM-16")
def test_what_was_tried_in_vain_does_not_lead_to_the_cause_in_the_next_paragraph() -> None:
    said = (
        "It isn't the flour: with rye it sinks too, and more yeast had no effect.\n\n"
        "The reason is the scale. It rounds to ten grams, so the salt of a loaf is lost. `weigh()` reads grams now."
    )
    assert told(said).startswith("The reason is the scale. It rounds to ten grams")
    assert told(said).endswith("`weigh()` reads grams now.")


@pytest.mark.requirement("MEM-16")
def test_no_sentence_of_a_list_is_told_twice() -> None:
    said = told(
        "`lists/sacks.sql` is written, on the branch `mill`:\n\n1. **Add** `sack_kg int`, empty. That is only a change"
        " of the list, no new one.\n2. **Fill** it from `sacks`.\n3. **Index** it."
    )
    assert said.count("Add `sack_kg int`") == 1, said
