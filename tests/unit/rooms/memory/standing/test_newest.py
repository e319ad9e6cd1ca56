"""What of a summary still holds after later work."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import RecordedRun, Summary, SummaryContent
from holdfast.rooms.memory.standing.newest import as_it_stands, is_over, is_repaired, takes_up, without_what_came
from holdfast.rooms.memory.standing.replacing import rejected, restated, taken_back
from holdfast.rooms.memory.standing.threads import open_lines
from holdfast.rooms.memory.standing.worth import USER_DECIDED
from tests.support.table import each_of
from tests.unit.rooms.memory.made import observation, summary

FOUND = "The cause: vat.py rounds every line half-even."
RED = RecordedRun("test", "pytest", "Ran pytest tests/test_vat.py: 1 failed", "failed", ("tests/test_vat.py",))
GREEN = RecordedRun("test", "pytest", "Ran pytest: 2 passed", "passed")


def asked() -> Summary:
    left = f"Still fails: {RED.title}\nShould I round half-up?"
    said = f"{FOUND}\nShould I round half-up?"
    return summary(FOUND, 1, learned=FOUND, left_open=left, said=said, outcome="failed", runs=(RED,))


def fixed(title: str = "VAT is rounded half-up per invoice.", **more: object) -> SummaryContent:
    return summary(title, 2, **({"files": ("vat.py",), "outcome": "passed", "runs": (GREEN,)} | more)).content


def stands(told: Summary, talk: list[SummaryContent], later: list[SummaryContent]) -> Summary | None:
    return as_it_stands(told, open_lines(told.content, talk, later), [*later, *talk])


@pytest.mark.requirement("MEM-17")
@pytest.mark.requirement("MEM-18")
def test_what_was_settled_since_is_left_out() -> None:
    assert stands(asked(), [], []) == asked()
    now = stands(asked(), [fixed()], [])
    assert now is not None
    assert (now.content.left_open, now.content.outcome) == ("", "")
    assert (now.content.title, now.content.said) == (FOUND, FOUND)
    elsewhere = stands(asked(), [], [fixed("The menu has icons now.")])
    assert elsewhere is not None
    assert elsewhere.content.left_open == "Should I round half-up?", "nobody answered"
    done = stands(asked(), [], [fixed()])
    assert done is not None
    assert done.content.left_open == "", "another session did it"
    only = summary(f"{RED.title} — failed", 1, left_open=f"Still fails: {RED.title}", outcome="failed", runs=(RED,))
    assert stands(only, [], [fixed()]) is None
    assert stands(only, [], [fixed(runs=())]) == only


@pytest.mark.requirement("MEM-18")
def test_what_is_not_open_any_more_is_left_out_of_what_was_said() -> None:
    left = summary(
        "The loader is fixed.", 1, left_open="The German docs are missing.", said="The German docs are missing."
    )
    now = as_it_stands(left, [], [])
    assert now is not None
    assert (now.content.left_open, now.content.said) == ("", "")


@pytest.mark.requirement("MEM-16")
def test_later_work_takes_up_what_was_only_found() -> None:
    found = summary("The charge is doubled because retry.py makes a new idempotency key each time.", 1).content
    made = fixed("retry.py keeps one idempotency key per payment now.")
    assert takes_up(made, found)
    assert not takes_up(fixed("retry.py has type hints now."), found), "another matter"
    assert not takes_up(fixed("retry.py keeps one idempotency key per payment now.", files=()), found), "only told"
    assert not takes_up(made, fixed("The key was new each time because retry.py made it.")), (
        "that one changed it itself"
    )
    decided = summary("We decided to make one idempotency key in retry.py per payment.", 1).content
    assert not takes_up(made, decided), "a decision stays a decision"
    now = as_it_stands(summary(found.title, 1, learned=found.title), [], [made])
    assert now is not None
    assert (now.content.title, now.content.learned) == (made.title, found.title)


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("cause", "other", "fix"),
    [
        (
            "Mails are sent twice because two workers read the queue.",
            "Mails are sent in the user's language now.",
            "Only one worker reads the queue now; mails are sent once.",
        ),
        (
            "Checkout of guests fails because the cart has no id.",
            "The cart of guests shows VAT now.",
            "The cart gets its id before checkout, guests can pay now.",
        ),
        (
            "The worker leaks memory because uploads keep their buffers.",
            "The worker retries uploads 3 times now.",
            "Upload buffers are freed, the worker's memory is flat now.",
        ),
    ],
)
def test_a_cause_stays_until_work_changes_what_it_names(cause: str, other: str, fix: str) -> None:
    found = summary(cause, 1).content
    assert takes_up(fixed(fix), found)
    assert not takes_up(fixed(other), found)


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("asked", "said", "is_over"),
    [
        ("fix the lint job", "Two rules were renamed.", True),
        ("repair the lint job, ruff complains since its update", "Two rules were renamed.", True),
        ("what does the lint job check?", "It checks two rules.", False),
        ("speed up the lint job", "Ruff is cached between runs.", False),
        ("fix the deploy job", "The deploy job logs in before it pushes.", False),
    ],
)
def test_who_was_told_to_mend_it_has_taken_it_up_whatever_the_words(asked: str, said: str, is_over: bool) -> None:
    found = summary("CI is red on main: the lint job fails since the update of ruff.", 1).content
    assert takes_up(fixed(said, request=asked), found) == is_over


@pytest.mark.requirement("MEM-16")
def test_a_session_that_is_named_after_other_work_takes_up_what_one_of_its_turns_changed() -> None:
    found = summary("The node reads the sensor twice because `on_pulse()` has no dead time.", 1).content
    changed = "`on_pulse()` ignores pulses within the dead time of 4 ms now."
    week = fixed("The map shows the nodes by color now.", learned=changed)
    now = as_it_stands(summary(found.title, 1), [], [week])
    assert now is not None
    assert now.content.title == changed
    assert not takes_up(fixed("The map shows the nodes by color now.", learned="The sensor has a label now."), found)


@pytest.mark.requirement("MEM-17")
def test_a_run_that_passed_later_is_repaired() -> None:
    assert is_repaired(observation("Ran pytest", kind="test", outcome="failed", runs=(RED,)), [fixed()])
    assert not is_repaired(observation("Ran pytest", kind="test", outcome="failed", runs=(RED,)), [])
    assert not is_repaired(observation("Ran make", kind="build", outcome="failed"), [fixed()])


@pytest.mark.requirement("MEM-31")
def test_a_rejected_turn_is_known_by_the_users_words() -> None:
    tried = summary("total() takes a float share.", 1, files=("a.py",)).content
    asks = summary("total() takes a float share.", 1, files=("a.py",), left_open="Should I use Decimal?").content
    again, other = fixed(files=("a.py",)), fixed(files=("b.py",))
    named = summary("`a.py` counts in cents.", 2).content
    for said, before, after, is_rejected in (
        ("no, I said it before: money is always integer cents", tried, again, True),
        ("no, I said it before: money is always integer cents", tried, other, False),
        ("No! total() never takes floats.", tried, other, True),
        ("That's not what I asked for.", tried, other, True),
        ("never use a float share for money", tried, again, True),
        ("never use a float share for money", tried, other, False),
        ("always run the linter too", tried, again, False),
        ("you forgot the tests", tried, again, False),
        ("No, we never use Decimal.", asks, other, False),
        ("No, we never use Decimal.", asks, again, True),
        ("but never take a float share without a test", tried, again, False),
        ("no, mai float per i soldi", tried, again, True),
        ("nee, nooit een float", tried, named, True),
        ("no, leave it", tried, again, False),
        ("great, go on", tried, again, False),
    ):
        assert bool(rejected(said, before, after)) is is_rejected, said


@pytest.mark.requirement("MEM-31")
def test_a_change_that_the_agent_took_back_is_withdrawn() -> None:
    before = summary("The service worker keeps the plan for 720 minutes.", 1, files=("web/sw.js",)).content
    for said, is_withdrawn in (
        ("You're right, and I've taken the change to `web/sw.js` back.\nThe proxy keeps it.", True),
        ("I reverted my fix.\nThe header was missing.", True),
        ("My first change is undone.", True),
        ("I've put the old timeout back.", False),
        ("I reverted `api.py`.", False),
        ("The plan is sent without a cache now.", False),
    ):
        after = summary("The proxy keeps it.", 2, said=said, files=("api.py",)).content
        assert bool(taken_back(before, after)) is is_withdrawn, said


def work(title: str, *files: str, request: str = "") -> SummaryContent:
    return summary(title, 1, files=files or ("auth.toml",), request=request).content


@pytest.mark.requirement("MEM-12")
def test_a_value_that_was_changed_in_the_same_file_is_replaced() -> None:
    old = work("Sessions expire after 30 minutes now: auth.toml has a limit.")
    for title, request, is_replaced in (
        ("Sessions live for eight hours now (480 minutes instead of 30).", "", True),
        ("Sessions live for eight hours now.", "Security wants sessions of eight hours, not 30 minutes.", True),
        ("Sessions expire after 60 minutes now.", "", True),
        ("Sessions have a name now, in auth.toml.", "", False),
        ("Passwords expire after 90 days now.", "", False),
        ("The limit of uploads is 20 MB now instead of 10.", "", False),
        ("Uploads are checked.", "Ines wants uploads checked.\nShe got them from a talk on limits.", False),
    ):
        assert bool(restated(work(title, request=request), old)) is is_replaced, title
        assert restated(work(title, "other.toml", request=request), old) == "", title
    found = work("Sessions expired early because auth.toml counted seconds.")
    assert restated(work("Sessions expire after 60 minutes now."), found) == "", "a cause stays a cause"


@pytest.mark.requirement("MEM-16")
@each_of(
    ("told", "again", "is_replaced"),
    [
        (
            "The batch size is 64 from the next run on, because the GPU was half empty.",
            "The batch size is 128 again.",
            True,
        ),
        (
            "Die Warteschlange hat jetzt 8 Arbeiter, weil nachts Aufträge lagen.",
            "Die Warteschlange hat wieder 4 Arbeiter.",
            True,
        ),
        ("La file a 3 places, parce que la salle est petite.", "La file a 5 places à nouveau.", True),
        ("El horno sube a 220 grados, porque el pan salía crudo.", "El horno sube a 200 grados de nuevo.", True),
        ("The export is slow, because it reads 400 rows twice.", "The export reads 200 rows per page.", False),
        ("The batch size is 64, because the GPU was half empty.", "The learning rate is 3 again.", False),
    ],
)
def test_a_value_that_was_told_with_its_reason_holds_until_it_is_set_back(
    told: str, again: str, is_replaced: bool
) -> None:
    assert bool(restated(work(f"{again} The other one took twice as long."), work(told))) is is_replaced


@pytest.mark.requirement("MEM-12")
def test_a_thing_is_gone_where_a_name_or_a_whole_sentence_says_so() -> None:
    def work(title: str) -> SummaryContent:
        return summary(title, 1, files=("map.c",)).content

    old = work("Deleting a key leaves a tombstone, and `find_slot` walks over its lines in a loop with half-even.")
    for line, is_gone in (
        ("Tombstones are gone.", True),
        ("`find_slot` is gone again; the reader has a buffer of its own.", True),
        ("Both done, and half-even is gone.", True),
        ("Removed `find_slot`.", True),
        ("Expiry is lazy only: a key is removed when somebody asks for it, and nothing else ever looks.", False),
        ("Jobs are put before their lines are removed, so a crash in between means a job twice.", False),
        ("Without the fix the second test fails, the only loop is gone before the next job.", False),
        ("Keys are removed when they expire.", False),
    ):
        assert bool(restated(work(line), old)) is is_gone, line


@pytest.mark.requirement("MEM-17")
def test_a_title_does_not_say_that_a_test_is_red_after_the_run_passed() -> None:
    said = "The amounts parser accepts a comma now, but a test is red."
    red = summary(said, 1, said=said, outcome="failed", files=("a.py",), runs=(RED,))
    now = stands(red, [], [fixed("The menu has icons now.")])
    assert now is not None
    assert (now.content.title, now.content.said) == ("The amounts parser accepts a comma now.",) * 2
    assert stands(red, [], []) == red
    two = summary("eslint 9 is in. Lint fails in 4 files.", 1, outcome="failed", files=("a.py",), runs=(RED,))
    now = stands(two, [], [fixed("The menu has icons now.")])
    assert now is not None
    assert now.content.title == "eslint 9 is in."


@pytest.mark.requirement("MEM-17")
def test_a_failure_that_only_words_tell_is_over_when_the_user_says_that_it_works() -> None:
    down = summary("Der Export läuft nicht: Der Listener auf `sapdb02` ist aus.", 1).content
    works = summary("Der Export ist durch.", 2, request="ticket 4471 ist erledigt, listener läuft wieder").content
    assert is_over(works, down)
    assert not is_over(summary("The menu has icons.", 2, request="the menu is fixed").content, down)
    assert not is_over(works, summary("The cap swallowed the jitter.", 1, files=("cap.py",)).content)


@pytest.mark.requirement("MEM-12")
@pytest.mark.parametrize(
    ("old", "new", "is_replaced"),
    [
        ("The timeout is 10 s.", "The timeout is 30 s instead of 10.", True),
        ("Retries wait 5 s between two tries.", "Retries wait as long as the server says, no longer 5 s.", True),
        # Parts of a number, and numbers of another sentence
        ("It rounds the whole duration: 3599.7 is `01:00:00`, 4679.6 is `01:18:00`. The duration is right.",
         "The hour was wrong: New York came out at 7 instead of 6. The duration of a test is shown.", False),
        ("The loop looks every 0.2 s until a deadline of 20 seconds.", "The limit was not 2 seconds.", False),
        # One word that both share by chance
        ('Committed as "Feed dates no longer depend on the builder\'s zone".',
         "The guid of a feed no longer depends on the slug.", False),
        ("The guid is the address, a shifted suffix makes a new one.",
         "An anchor is not a guid, nobody minds when it shifts.", False),
        ("`check_links` made a signal for every link while it built the list. It is made when the request starts.",
         "Every link was requested once per page it stands on.", False),
    ],
)  # fmt: skip
def test_a_value_is_replaced_where_one_sentence_says_so_of_the_same_matter(
    old: str, new: str, is_replaced: bool
) -> None:
    later, earlier = (summary(title, 1, files=("app.py",)).content for title in (new, old))
    assert bool(restated(later, earlier)) is is_replaced


@pytest.mark.requirement("MEM-16")
@each_of(
    ("asked", "told"),
    [
        ("milan did the policy of the bucket this morning", "Pictures of dogs go to the bucket `dog-pics`."),
        ("milan is away until monday", None),
    ],
)
def test_what_a_title_says_of_somebody_who_must_act_ends_with_the_deed(asked: str, told: str | None) -> None:
    title = (
        "Pictures of dogs go to the bucket `dog-pics`. The policy of the bucket is waiting for Milan, uploads fail with"
        " 403 until then."
    )
    old = summary(title, 1, files=("pics.py",), outcome="passed", learned=title)
    later = summary("Pictures are sharper.", 2, request=asked).content
    found = without_what_came(old, [later])
    assert found is not None
    assert found.content.title == (told or title)


@pytest.mark.requirement("MEM-16")
def test_a_rule_in_a_title_ends_with_no_deed() -> None:
    title = "The number of a card must not be printed. `till.py` masks it now."
    later = summary(
        "`till.py` masks the number of a card on the slip, too; it must not be printed.", 2, files=("till.py",)
    )
    assert without_what_came(summary(title, 1, files=("till.py",), learned=title), [later.content]) == summary(
        title, 1, files=("till.py",), learned=title
    )


@pytest.mark.requirement("MEM-16")
@each_of(
    ("files", "told"),
    [
        (("sieve.py",), "Both sieves have the same mesh."),
        (("tests/test_sieve.py",), "Both sieves have the same mesh. I have changed nothing yet."),
        ((), "Both sieves have the same mesh. I have changed nothing yet."),
    ],
)
def test_that_nothing_was_changed_is_not_told_of_work_that_changed_code(files: tuple[str, ...], told: str) -> None:
    old = summary("Both sieves have the same mesh. I have changed nothing yet.", 1, files=files)
    found = without_what_came(old, [])
    assert found is not None
    assert found.content.title == told


@pytest.mark.requirement("MEM-18")
@each_of(
    ("title", "asked", "said", "left"),
    [
        (
            "Half of the port is done: parser and checker are in Rust, the printer is still C.",
            "finish the port",
            "The printer is ported; no C is left.",
            "",
        ),
        (
            "The list has pages of 50. The search field still looks at the current page only.",
            "search must look at everything",
            "Searching goes to the server and finds rows of all pages.",
            "The list has pages of 50.",
        ),
        (
            "The list has pages of 50. The search field still looks at the current page only.",
            "100 per page",
            "The list has 100 rows per page now.",
            "The list has pages of 50. The search field still looks at the current page only.",
        ),
        (
            "All texts are in French. A native speaker should read the legal pages.",
            "Camille read the legal pages, two typos fixed by her. add spanish",
            "Spanish is there, too.",
            "All texts are in French.",
        ),
        (
            "The version is 2.5. `main` did not go out: it only takes pull requests. It is on `rel-2.5` instead.",
            "2.5 is merged, dario did the pr. production?",
            "Production runs 2.5.",
            "The version is 2.5.",
        ),
        (
            "All texts are in French. A native speaker should read the legal pages.",
            "add spanish to the legal pages",
            "The legal pages are in Spanish, too.",
            "All texts are in French. A native speaker should read the legal pages.",
        ),
    ],
)
def test_a_title_loses_the_sentence_that_later_work_made_untrue(title: str, asked: str, said: str, left: str) -> None:
    told = without_what_came(summary(title, 1, files=("a.rs",)), [fixed(said, request=asked)])
    assert (told.content.title if told else "") == left


@pytest.mark.requirement("MEM-18")
@each_of(
    ("chose", "still", "is_told"),
    [
        ("not now. fix the inbox after 2.3 is out", ("The query of the inbox is postponed until 2.3 is out.",), True),
        ("not now. fix the inbox after 2.3 is out", (), False),
        ("half-up, once per invoice", (), True),
    ],
)
def test_a_choice_to_do_something_later_is_told_until_that_is_done(
    chose: str, still: tuple[str, ...], is_told: bool
) -> None:
    made = summary(f"{USER_DECIDED}“{chose}”", left_open="The query of the inbox is postponed until 2.3 is out.")
    assert (as_it_stands(made, still, ()) is not None) is is_told
