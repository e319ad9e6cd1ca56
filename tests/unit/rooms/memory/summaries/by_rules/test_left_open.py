"""What the closing words leave open, as lines that a reader understands without the rest of the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.ids import ConversationId
from holdfast.prose.closing import statements
from holdfast.rooms.memory.injecting.fitting import cut
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.settling import LaterWork
from holdfast.rooms.memory.standing.threads import Thread, is_least, kind_of, open_threads, pressing
from holdfast.rooms.memory.standing.waiting import Waiting
from holdfast.rooms.memory.summaries.by_rules.left_open import left_open
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up
from tests.support.table import each_of
from tests.unit.rooms.memory.made import bash, edit, failed, observation, summary
from tests.unit.rooms.memory.standing.test_threads import ran


def content(
    said: str, asked: str = "Look into the exporter of the invoices, please", *observations: object
) -> SummaryContent:
    found = sum_up(Work((asked,), observations or (edit("src/exporter.py"),), said))  # type: ignore[arg-type]
    assert found is not None
    return found


_TOLD = (
    # it points back, so it is told with the sentence that it points to
    (
        "The manual says nothing of limits. We know of one: at night recall drops. I haven't written that down.",
        ["The manual says nothing of limits. We know of one: at night recall drops. I haven't written that down."],
    ),
    (
        "The queue is drained now.\n\nThe 312 doubles in production are untouched. Sales wrote notes on both copies, so"
        " Magda has to say which one stays.",
        [
            "The 312 doubles in production are untouched. Sales wrote notes on both copies, so Magda has to say which"
            " one stays."
        ],
    ),
    # its first clause names what it is about
    (
        "The archive keeps invoices for ten years now. The IBAN is still missing: Paula has to send it.",
        ["The IBAN is still missing: Paula has to send it."],
    ),
    # a few words that say only that something was not done, with the paragraph that says why
    (
        "Not published. It is still on 1.17.\n\nThe token of the registry is Tomek's, and only he can issue a new one.",
        ["Not published. It is still on 1.17. The token of the registry is Tomek's, and only he can issue a new one."],
    ),
    # and with the sentences beside it
    (
        "The run is not submitted. Slurm refused it, because our account has expired. Anselm has to extend it.",
        ["The run is not submitted. Slurm refused it, because our account has expired. Anselm has to extend it."],
    ),
    # what stands behind a question explains it, and is no thread of its own
    (
        "The export is ready.\n\n**Open question:** do recordings belong in the export? We keep 90 days of them.",
        ["Open question: do recordings belong in the export?"],
    ),
    # a heading that says that something was not tried is told with it
    (
        "The sampler is in.\n\n### Not tried\nMore augmentation.",
        ["Not tried: More augmentation. (about: The sampler is in)"],
    ),
)


@pytest.mark.requirement("MEM-18")
@each_of(("said", "lines"), _TOLD)
def test_an_open_line_says_what_it_is_about(said: str, lines: list[str]) -> None:
    assert content(said).left_open.splitlines() == lines


@pytest.mark.requirement("MEM-18")
def test_what_the_user_wants_first_is_open_unless_the_agent_names_who_must_act() -> None:
    asked = "get the messages into the timeline. nothing of it goes on main before oskar has said ok"
    line = f"The user said: “{asked}”"  # the first sentence names what "it" is
    assert content("Messages show up in the timeline.", asked).left_open == line
    named = content("Messages show up.\n\nOskar hasn't answered yet, so nothing is merged.", asked).left_open
    assert named == "Oskar hasn't answered yet, so nothing is merged."
    spoken_of = "Messages show up.\n\nOpen: I couldn't find a way that I'd defend in front of Oskar."
    assert line in content(spoken_of, asked).left_open  # who only speaks of somebody does not wait for them
    assert pressing(Thread(line, kind_of(line))) == 0


@pytest.mark.requirement("MEM-18")
@each_of(
    ("line", "first"),
    [
        ("Ingrid has to restart the nodes at the site.", 0),
        ("Pedro hasn't reviewed the pairing, so it stays on the branch.", 0),
        ("This has to be written down some day.", 2),
    ],
)
def test_somebody_who_is_named_and_must_act_is_told_first(line: str, first: int) -> None:
    assert pressing(Thread(line, kind_of(line))) == first


@pytest.mark.requirement("MEM-18")
def test_a_guess_that_nobody_looked_into_is_minor() -> None:
    assert is_least(Thread("That is the rest of the gap, I think, but I haven't checked it.", "left"))
    assert not is_least(Thread("Legal hasn't checked the terms, I think.", "left"))


@pytest.mark.requirement("MEM-18")
@each_of(
    ("left", "asked", "said", "open_still"),
    [
        (
            "Magda has to say which copy of the lead stays.",
            "magda finally answered: keep the older copy",
            "Done.",
            False,
        ),
        ("Oskar has to say whether recordings are exported.", "oskar: recordings only as a list", "They are.", False),
        (
            "The group is locked by a campaign, and only Femke can close it.",
            "femke closed the campaign, go",
            "On.",
            False,
        ),
        ("Magda has to say which copy of the lead stays.", "magda asked for a new logo", "It is blue now.", True),
        ("Magda has to say which copy of the lead stays.", "has magda answered about the copy?", "No.", True),
    ],
)
def test_a_turn_within_a_session_settles_what_somebody_was_to_say(
    left: str, asked: str, said: str, open_still: bool
) -> None:
    old = replace(summary("Leads are written once now.", 1, left_open=left), conversation=ConversationId("c1"))
    told = sum_up(Work((asked,), (edit("src/a.py"),), said))
    assert told is not None
    turn = replace(summary("", 2), content=told, conversation=ConversationId("c2"))
    whole = replace(summary("The footer shows the year.", 3, request="the footer"), conversation=ConversationId("c2"))
    assert bool(open_threads([old, whole], frozenset(), [turn])) == open_still


@pytest.mark.requirement("MEM-17")
def test_work_whose_last_chain_broke_off_behind_its_tests_has_not_passed() -> None:
    broke = failed("Bash", {"command": "pytest -q && ./slurm/submit train"}, "Exit code 1\n3 passed\nquota exceeded")
    assert content("The training did not start.", "start the training", ran(broke)).outcome == ""
    again = ran(bash("pytest -q", "3 passed in 1s"), 2)
    assert content("It runs.", "start the training", ran(broke), again).outcome == "passed"


@pytest.mark.requirement("MEM-18")
def test_a_thread_that_is_cut_keeps_who_must_act() -> None:
    filler = "The exporter writes one file for each day and names it by the day of the shop, not of the server. "
    thread = f"[s2] agent: Forty alarms remain in the list of the night. Hassan hasn't seen them. {filler}(2 days ago)"
    assert "Hassan hasn't seen them." in cut(thread, leads=True)
    assert filler.strip() not in cut(thread, leads=True)


@pytest.mark.requirement("MEM-16")
def test_a_session_of_plain_words_is_named_after_what_was_done_and_not_after_what_was_asked() -> None:
    deployed = ran(bash("./deploy.sh staging", "done"))
    first = content(
        "This time it went through: staging runs `lw-118`.", "marta killed that export, try again", deployed
    )
    talk = content("Sleep well!", "ok, good night", observation("Listed files", 2, kind="search"))
    found = sum_up(
        Work(("marta killed that export, try again", "ok, good night"), (deployed,), "Sleep well!"), (first, talk)
    )
    assert found is not None
    assert found.title == "This time it went through: staging runs `lw-118`."


@pytest.mark.requirement("MEM-18")
@pytest.mark.requirement("SEC-7")
def test_many_turns_and_threads_are_compared_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    old = [
        replace(
            summary(f"Changed m{number}", number, left_open=f"Ops must renew the certificate of gateway g{number}."),
            conversation=ConversationId(f"c{number}"),
        )
        for number in range(80)
    ]
    asked = "what do we know about the certificate of the gateway"
    turns = [
        replace(summary(f"Report r{at}", 80 + at, request=asked), conversation=ConversationId(f"t{at}"))
        for at in range(80)
    ]
    held = 0

    def settles(self: LaterWork, thread: Waiting, *, same_talk: bool) -> bool:
        nonlocal held
        held += 1
        return False

    monkeypatch.setattr(LaterWork, "settles", settles)
    open_threads(old, frozenset())
    alone, held = held, 0
    assert len(open_threads(old, frozenset(), turns)) == 80
    assert held - alone <= 600


@pytest.mark.requirement("MEM-18")
def test_an_open_sentence_and_the_one_that_explains_it_are_told_once() -> None:
    said = (
        "`Pad.Poll()` adds up all devices, so one press counts twice.\n\n"
        "The fix is not done yet. It should drop the emulated key when the pad reported the same press."
    )
    assert content(said).left_open.count("not done yet") == 1


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize("question", ["Soll ich auf Temporal umstellen?", "Should I switch to Temporal?"])
def test_what_the_agent_asks_after_a_look_is_open_in_german_too(question: str) -> None:
    read = observation("Read src/watering.ts", 2, kind="read", tool="Read", files=("src/watering.ts",))
    said = f"`nextWatering` rechnet in Ortszeit. Mit Temporal wäre das weg, kostet aber 40 kB. {question}"
    assert question in content(said, "schau mal, ob nextWatering mit der Sommerzeit klarkommt", read).left_open


@pytest.mark.requirement("MEM-18")
@each_of(
    "said",
    [
        "There are 3 TODOs: in a.py, b.py and c.py.",
        "Found two TODO comments: `x.py:3` and `y.py:9`.",
        "Es gibt 4 TODOs: in a.py und b.py.",
        "Il y a 3 TODO: dans a.py et b.py.",
        "Two things to know: 1. The index is unique now. 2. Imports reject duplicates.",
        "Things to note: tickets have a QR code now.",
        "The export is slow because it loads every row twice. I have not changed anything yet.",
        "The till hangs because the drawer polls the printer. Nothing has been changed yet.",
        "Der Export ist langsam, weil er jede Zeile zweimal lädt. Ich habe noch nichts geändert.",
        "L'export est lent parce qu'il charge chaque ligne deux fois. Je n'ai encore rien changé.",
        "La caja se cuelga porque el cajón consulta la impresora. Todavía no he cambiado nada.",
        "エクスポートは各行を二回読み込むため遅いです。まだ何も変更していません。",
        "导出很慢,因为每行读取两次。我还没有修改任何代码。",
        "The import runs.\n\n## Still to do\n- [x] index",
    ],
)
def test_a_list_a_fact_and_nothing_changed_yet_leave_nothing_open(said: str) -> None:
    assert content(said).left_open == ""


@pytest.mark.requirement("MEM-18")
@each_of(
    ("said", "left"),
    [
        (
            "Orders are paged now. Do you want me to change the admin endpoint too?",
            "Offered: change the admin endpoint too",
        ),
        ("Orders are paged now. Should I update the mobile client too?", "Offered: update the mobile client too"),
        (
            "The kiosk prints in German. Shall I translate the label printer too?",
            "Offered: translate the label printer too",
        ),
        ("Der Login geht. Noch offen: Ratenbegrenzung und Doku.", "Ratenbegrenzung und Doku. (about: Der Login geht)"),
        ("The scan works. Todo: barcode of returns.", "Barcode of returns. (about: The scan works)"),
        (
            "The login works.\n\n**Remaining:**\n- [ ] rate limiting\n- [x] tests",
            "Rate limiting. (about: The login works)",
        ),
        ("I have not changed the importer yet.", "I have not changed the importer yet."),
        ("TODO: the audit log of the safe.", "The audit log of the safe."),
    ],
)
def test_an_offer_with_too_and_what_remains_are_open(said: str, left: str) -> None:
    assert content(said, "add it").left_open.splitlines()[:1] == [left]


@pytest.mark.requirement("MEM-18")
@each_of(
    ("said", "left"),
    [
        ("The new menu is out; `menu restore 41` would bring the old one back. I did not run it. Shall we roll back?",
         ["Shall we roll back? (about: The new menu is out; `menu restore 41` would bring the old one back)"]),
        ("The new menu is out. Shall we roll back the prices of rye bread?",
         ["Shall we roll back the prices of rye bread?"]),
    ],
)  # fmt: skip
def test_a_question_of_a_verb_alone_is_told_with_what_it_is_about(said: str, left: list[str]) -> None:
    assert [each for each in content(said).left_open.splitlines() if "Shall" in each] == left


@pytest.mark.requirement("MEM-18")
@each_of(
    "said",
    [
        "Nothing committed yet.",
        "Not committed yet.",
        "I haven't committed anything.",
        "Sin commit todavía.",
        "Tests pass, not committed yet.",
        "I haven't committed, so that you can review the policy first.",
    ],
)
def test_that_nothing_is_committed_is_said_by_the_repository(said: str) -> None:
    found = statements(f"The pool has four workers. {said}")
    assert left_open(found, "Four workers", "", asks=True, worked=True) == []


@pytest.mark.requirement("MEM-18")
def test_why_it_is_not_committed_is_open() -> None:
    found = statements("The old key is still valid. Not committed yet: the tests of the gateway fail.")
    assert "tests of the gateway" in "".join(left_open(found, "", "", asks=True, worked=True))


@pytest.mark.requirement("MEM-18")
@each_of(
    "said",
    [
        "**Cause:** Every charge locks the row of its merchant until the acquirer has answered.\n\nThe counter has its"
        " own table now.",
        "Found it, and it's not the sync.\n\n**Fix:** Dives are matched by their number.",
        "Migration 0042 is written. Production has not been touched.",
    ],
)
def test_how_a_fault_came_about_and_what_was_not_touched_leave_nothing_open(said: str) -> None:
    assert content(said).left_open == ""


@pytest.mark.requirement("MEM-18")
def test_a_cause_that_somebody_must_remove_is_open() -> None:
    said = "**Cause:** The table is missing there. Olek has to run `001_sessions.sql`."
    assert "Olek has to run" in content(said).left_open
