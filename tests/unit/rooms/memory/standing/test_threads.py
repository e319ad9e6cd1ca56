"""Open threads: they live until they are settled, and no longer."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from holdfast.ids import ConversationId
from holdfast.items.words import mark_of
from holdfast.rooms.memory.capture.tool_use import observe
from holdfast.rooms.memory.model import Observation, Summary
from holdfast.rooms.memory.standing import settling, thread, threads
from holdfast.rooms.memory.standing.threads import open_threads
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up
from tests.support.table import each_of
from tests.unit.rooms.memory.made import ROOT, bash, edit, failed, observation, summary

RED = "Exit code 1\nFAILED tests/test_x.py::test_a\n2 failed, 1 passed in 1s"


def ran(event: Any, number: int = 1) -> Observation:
    draft = observe(event, ROOT)
    assert draft is not None
    return observation(draft.title, number, kind=draft.kind, outcome=draft.outcome, runs=draft.runs, files=draft.files)


def session(number: int, asked: str, said: str, *observations: Observation, talk: str = "") -> Summary:
    content = sum_up(Work((asked,), observations, said))
    assert content is not None
    made = replace(summary("", number), content=content, subject=f"turn:{number}")
    return replace(made, conversation=ConversationId(talk or f"c{number}"))


def lines(*summaries: Summary, done: frozenset[tuple[str, str]] = frozenset()) -> list[str]:
    return [thread.line for _, thread in open_threads(summaries, done)]


@pytest.mark.requirement("MEM-17")
@pytest.mark.requirement("MEM-18")
def test_a_wider_run_that_passes_settles_a_failure_also_in_a_later_session() -> None:
    red = ran(failed("Bash", {"command": "pytest tests/test_x.py"}, RED))
    green = ran(bash("pytest", "3 passed in 1s"), 3)
    other = ran(bash("pytest tests/test_y.py", "3 passed in 1s"), 4)
    assert session(1, "Fix x", "Done.", red, edit("x.py", number=2), green).content.left_open == ""
    broken = session(1, "Fix x", "Not done.", red)
    assert broken.content.outcome == "failed"
    assert lines(broken) == ["Still fails: Ran pytest tests/test_x.py: 2 failed, 1 passed (test_x.py::test_a)"]
    assert lines(broken, session(2, "Look at y", "Fine.", other)) == lines(broken)
    assert lines(broken, session(2, "Again", "Fine.", green)) == []


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize("command", ["ls missing/", "node -e 'throw 1'", "curl -f localhost:1/health", "grep -r zzz ."])
def test_looking_around_is_no_thread(command: str) -> None:
    looked = ran(failed("Bash", {"command": command}, "Exit code 1\nno"))
    made = session(1, "Look around", "Nothing there.", looked)
    assert lines(made) == []
    assert made.content.outcome == ""


@pytest.mark.requirement("MEM-17")
def test_a_failed_push_is_a_failure_whatever_git_log_says() -> None:
    push = ran(failed("Bash", {"command": "git push"}, "Exit code 1\nerror: failed to push some refs"))
    tests = ran(bash("pytest", "3 passed in 1s"), 2)
    made = session(1, "Ship it", "Done.", tests, push, ran(bash("git log -1", "abc"), 3))
    assert made.content.outcome == "failed"
    assert lines(made) == ["Still fails: git push"]
    assert lines(made, session(2, "Push again", "Pushed.", ran(bash("git push", "main -> main")))) == []


@pytest.mark.requirement("MEM-18")
def test_a_question_is_shown_with_its_subject_until_it_is_answered() -> None:
    asks = session(
        1,
        "Rename the helper",
        "Renamed `load` to `read_all`. `load_all` has the same fault. Do you want me to change that too?",
        edit("a.py"),
        talk="t",
    )
    assert lines(asks) == ["Offered: change that too (about: `load_all` has the same fault)"]
    assert lines(asks, session(2, "no, leave it", "Understood.", talk="t")) == []
    assert lines(asks, session(2, "What time is it?", "It is noon.")) == lines(asks)
    assert lines(asks, session(2, "Yes, change load_all, it has the same fault", "Done.")) == []


@pytest.mark.requirement("MEM-18")
def test_what_was_left_is_settled_by_later_work_and_not_by_trivia() -> None:
    left = session(1, "Fix the exporter", "Fixed. The German docs still need an update.", edit("a.py"))
    trivia = [session(n, "thanks", "You're welcome!") for n in range(2, 30)]
    assert lines(left, *trivia) == ["The German docs still need an update."]
    assert lines(left, session(2, "The docs", "Updated the German docs for the exporter.", edit("docs/de.md"))) == []
    named = session(1, "Fix it", "Fixed. `src/pay.py` is not yet covered by tests.", edit("a.py"))
    tested = session(2, "Cover it", "Done.", edit("src/pay.py"), ran(bash("pytest", "3 passed in 1s")))
    assert lines(named, tested) == []


@pytest.mark.requirement("MEM-18")
def test_done_settles_one_thread_or_all_of_a_summary() -> None:
    left = session(1, "Fix it", "The docs still need an update. The CSV path is not yet tested.", edit("a.py"))
    [docs, csv] = lines(left)
    assert lines(left, done=frozenset({(left.subject, mark_of(docs))})) == [csv]
    assert lines(left, done=frozenset({(left.subject, "")})) == []


@pytest.mark.requirement("MEM-18")
def test_each_line_is_read_once_however_many_threads_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 80
    made = [
        replace(
            summary(
                f"Changed the module m{number}",
                number,
                done="\n".join(f"Changed the part p{number} of q{at}" for at in range(10)),
                left_open="\n".join(f"The thing t{number} of kind k{at} is still missing." for at in range(5)),
                files=(f"m{number}.py",),
            ),
            conversation=ConversationId(f"c{number}"),
        )
        for number in range(count)
    ]
    read: dict[str, int] = {"classify": 0, "words_of": 0}

    def counting(where: ModuleType, name: str) -> None:
        known = getattr(where, name)

        def counted(text: str) -> Any:
            read[name] += 1
            return known(text)

        monkeypatch.setattr(where, name, counted)

    counting(settling, "classify")
    counting(thread, "words_of")
    assert len(open_threads(made, frozenset())) == count * 5
    assert read["classify"] <= 11 * count
    assert read["words_of"] <= 22 * count


@pytest.mark.requirement("MEM-18")
def test_a_thread_that_names_a_file_is_settled_by_that_file_or_by_words_about_it() -> None:
    left = session(1, "Teach it the gap", "It knows the gap now. docs/dst.md is still to be written.", edit("src/a.rs"))
    assert lines(left) == ["docs/dst.md is still to be written."]
    green = ran(bash("cargo test", "test result: ok. 4 passed; 0 failed"), 3)
    for said, path, is_settled in (
        ("Jobs in the DST gap run right after it now.", "src/next.rs", False),
        ("The DST code moved; docs/dst.md is untouched.", "src/next.rs", False),
        ("docs/dst.md is written.", "docs/other.md", True),
        ("Done.", "docs/dst.md", True),
    ):
        assert (lines(left, session(2, "Go on", said, edit(path), green)) == []) is is_settled, said
    assert lines(left, session(2, "I wrote docs/dst.md, it is done", "Fine.")) == []
    code = session(1, "Fix it", "Fixed. `src/pay.py` is not yet covered by tests.", edit("a.py"))
    assert lines(code, session(2, "Rename things", "Done.", edit("src/pay.py"))) != [], "neither tested nor told"


@pytest.mark.requirement("MEM-17")
def test_a_tool_that_nobody_knows_is_read_by_its_status_and_a_whole_build_includes_its_tests() -> None:
    red = ran(failed("Bash", {"command": "xyz test --select pages"}, "Exit code 1\nboom"))
    broken = session(1, "Fix the pages", "TestPages still fails: a page is there twice.", red)
    assert (broken.content.outcome, len(lines(broken))) == ("failed", 1)
    assert lines(broken, session(2, "Again", "Done.", ran(bash("xyz test --select menus", "ok"), 2))) == lines(broken)
    assert lines(broken, session(2, "Again", "Done.", ran(bash("xyz build && git commit -qm x", "ok"), 2))) == []
    mended = session(1, "Fix the pages", "Done.", red, edit("a.py", number=2), ran(bash("xyz build", "ok"), 3))
    assert (mended.content.outcome, lines(mended)) == ("passed", [])
    assert lines(session(1, "Fix it", "Done.", red)) == [], "it names no test and no error"


@pytest.mark.requirement("MEM-17")
def test_a_script_that_passes_with_fewer_words_ends_its_failure_with_more() -> None:
    red = ran(failed("Bash", {"command": "./build.sh test flash"}, "Exit code 8\nflash: 1 test failed"))
    broken = session(1, "Reset the flash", "TestPages still fails: the page is locked.", red)
    assert len(lines(broken)) == 1
    for command, is_over in (("./build.sh test", True), ("./build.sh target", False), ("./other.sh test", False)):
        later = session(2, "Again", "Done.", ran(bash(command, "2 passed"), 2))
        assert (lines(broken, later) == []) is is_over, command


REFUSED = "Exit code 1\nrefused"
PUBLISH = "The store refused the upload: the notarisation token is revoked; only the team lead can issue a new one."
LOCKED = "Not rolled out: Tom holds the deploy lock. The EU cluster still runs 1.4."


@pytest.mark.requirement("MEM-17")
@pytest.mark.requirement("MEM-18")
def test_a_failure_is_told_by_the_agents_words_about_it_as_long_as_it_lasts() -> None:
    for command, said, words in (
        ("./publish.sh", PUBLISH, "only the team lead"),
        ("make check && ./publish.sh", f"The icons are new. {PUBLISH}", "only the team lead"),
        ("./rollout.sh eu", f"The price list is sorted now. {LOCKED}", "Tom holds"),
        ("git push", "The branch is protected: only Mira can push to it. The parser is done.", "only Mira"),
        (
            "./upload.sh",
            "**Not out.** The store wants a newer SDK. Only the owner can accept that.",
            "SDK",
        ),
        ("./flash-release.sh board7", "The bootloader rejected the image: its signature has expired.", "signature"),
        (
            "terraform apply",
            "AWS denied the change, the role has no permission for KMS. Ops must grant it.",
            "Ops must",
        ),
        (
            "./publish.sh beta",
            "Der Upload wurde abgelehnt. Nur die Teamleitung kann ein neues Token ausstellen.",
            "Nur",
        ),
    ):
        red = ran(failed("Bash", {"command": command}, REFUSED))
        made = session(1, "Ship the new version", said, edit("a.py", number=2), red)
        told = lines(made)
        assert any(words in line for line in told), (command, told)
        assert not [line for line in told if line.startswith("Still fails")], (command, told)
        assert all(line.count(part) == 1 for line in told for part in line.split(". ")), "each sentence once"
        trivia = [session(n, "thanks", "You're welcome!") for n in range(2, 9)]
        assert lines(made, *trivia) == told
        green = session(9, "Again", "Done.", ran(bash(command, "ok"), 3))
        assert lines(made, *trivia, green) == [], command
    quiet = session(1, "Ship it", "Done.", ran(failed("Bash", {"command": "./publish.sh"}, REFUSED)))
    assert lines(quiet) == ["Still fails: Ran publish.sh"], "the agent said nothing about it"
    both = session(1, "Ship it", LOCKED, ran(failed("Bash", {"command": "./rollout.sh eu"}, REFUSED)))
    assert lines(both, session(2, "And us", "Done.", ran(bash("./rollout.sh us", "ok"), 2))) == lines(both)


@pytest.mark.requirement("MEM-18")
def test_what_somebody_did_is_settled_by_who_tells_it_in_any_place_and_language() -> None:
    retries = "Paula has to merge the PR for the retries."
    certificate = "Jonas has to renew the certificate of the mail gateway."
    invoices = "212 rejected invoices must be re-run by hand from the admin page."
    token = "The notarisation token is revoked; only the team lead can issue a new one."
    legal = "The release waits for the approval of legal."
    board = "The board in the lab still runs 1.2 firmware."
    importer = "The import of the partners still fails on empty rows."
    orders = "Somebody must run the backfill of orders on prod."
    terms_page = "The terms page waits for a review by legal."
    smtp = "Somebody must test the mails against the real SMTP server."
    for left, asked, is_settled in (
        (invoices, "I re-ran the 212 rejected invoices this morning, all fine. how many were there?", True),
        (invoices, "how many rejected invoices were there?", False),
        (invoices, "re-run the rejected invoices", False),
        (retries, "Paula ha fusionado la PR de los reintentos esta mañana", True),
        (retries, "c'est mergé", True),
        (retries, "Paula merged it. now bump the version", True),
        (retries, "has Paula merged the retries?", False),
        (retries, "Mira merged the login rework, look at the header", False),
        (retries, "once Paula merged the retries, bump the version", False),
        (certificate, "das Zertifikat hat Jonas erneuert", True),
        (certificate, "cert is renewed. ship", True),
        (certificate, "le certificat est renouvelé, on peut livrer", True),
        (certificate, "the certificate page is white, fix it", False),
        (token, "token is new, publish", True),
        (token, "hay un token nuevo? no lo veo", False),
        (legal, "legal approved it yesterday. what is next?", True),
        (legal, "Recht hat freigegeben", True),
        (legal, "legal did not approve it", False),
        (board, "I flashed the board in the lab, 1.4 is on it", True),
        (board, "the board is here, write the driver", False),
        (importer, "Fixed the typo in the README of the import.", False),
        (importer, "the import is fixed, thanks", True),
        (orders, "I ran the backfill of orders on prod and it crashed after 5 minutes.", False),
        (orders, "I ran the backfill of orders on prod.", True),
        (terms_page, "Legal reviewed the terms page and rejected it.", False),
        (terms_page, "Legal reviewed the terms page.", True),
        (smtp, "I tested it against the real SMTP server and it hangs.", False),
        (smtp, "I tested it against the real SMTP server.", True),
    ):
        made = session(1, "Do the next step", f"Done with the first part. {left}", edit("a.py"))
        assert lines(made) == [left]
        later = session(2, asked, "I see.")
        assert (lines(made, later) == []) is is_settled, (left, asked)
    asked, said = "handle the 429 of the gateway", "The client backs off after a 429. Main is protected, it wants a PR."
    made = session(1, asked, said, edit("a.go"), ran(failed("Bash", {"command": "git push"}, REFUSED), 2))
    assert len(lines(made)) == 1
    assert lines(made, session(2, "c'est bon, Inês a mergé la PR des 429 ce matin", "Parfait.")) == []
    assert len(lines(made, session(2, "Inês a mergé la PR du menu", "Parfait."))) == 1
    for left in (certificate, invoices):
        made = session(1, "Do the next step", f"Done with the first part. {left}", edit("a.py"))
        told = session(3, "look", "Jonas renewed the certificate of the gateway, the mails go out.")
        assert (lines(made, told) == []) is (left == certificate)


@pytest.mark.requirement("MEM-18")
def test_a_deed_without_words_settles_what_alone_waits_for_it_and_none_of_several() -> None:
    retries, menu = "Paula has to merge the PR for the retries.", "Tom has to merge the PR of the menu."
    certificate = "Jonas has to renew the certificate of the mail gateway."
    merged = session(9, "ok, merged.", "I see.")
    first = session(1, "Do the next step", f"Done with the first part. {retries}", edit("a.py"))
    second = session(2, "And the menu", f"Done with the menu. {menu}", edit("b.py"))
    both = session(3, "Do both", f"Done with the first parts. {retries} {menu}", edit("a.py"))
    other = session(4, "And the mails", f"Done with the mails. {certificate}", edit("c.py"))
    assert lines(first, merged) == []
    assert lines(first, other, merged) == [certificate]
    assert lines(first, second, merged) == [retries, menu]
    assert lines(both, merged) == [retries, menu]
    assert threads.open_lines(both.content, [merged.content], []) == [retries, menu]
    assert threads.still_open([first.content, second.content, merged.content]) == [retries, menu]
    assert threads.still_open([first.content, other.content, merged.content]) == [certificate]
    told = session(5, "Paula merged the retries", "I see.")
    assert lines(first, second, told, merged) == [], "only one was left"


@pytest.mark.requirement("MEM-18")
def test_a_paragraph_about_one_matter_is_one_thread_and_ends_with_its_answer() -> None:
    said = (
        "Each key may call 60 times a minute.\n\nOne thing I could not decide for you: whether partners get more."
        " Should partners have 600 a minute, or the same 60?"
    )
    asked = session(1, "Add rate limits to the api", said, edit("limits.py", number=1))
    [line] = lines(asked)
    assert "could not decide" in line
    assert line.endswith("the same 60?")
    assert (
        lines(asked, session(2, "partners get 600 a minute", "Partners have 600.", edit("limits.py", number=2))) == []
    )
    apart = session(1, "Add it", "It is in. Jonas has to sign off first. Should the README name it?", edit("a.py"))
    assert len(lines(apart)) == 2, "two matters"


@pytest.mark.requirement("MEM-18")
def test_what_nobody_had_begun_or_run_is_settled_by_who_does_it() -> None:
    plan = session(
        1, "Port it to async", "`importer.py` is async. The exporter is not started yet.", edit("importer.py")
    )
    assert lines(plan) == ["The exporter is not started yet."]
    assert lines(plan, session(2, "now the exporter", "`exporter.py` is async as well.", edit("exporter.py"))) == []
    assert lines(plan, session(2, "what does the exporter do?", "It writes files.")) == lines(plan)
    load = session(
        1, "Write a load test", "`load.js` drives 500 users. The load test has not been run.", edit("load.js")
    )
    run = ran(bash("k6 run load.js", "p(95)=210ms"), 3)
    assert lines(load) == ["The load test has not been run."]
    assert lines(load, session(2, "go", "The queue holds 500 users.", run)) == []
    live = session(1, "Write it", "`seed.ts` fills the shop. It has not been run in production.", edit("seed.ts"))
    tried = ran(bash("npx tsx seed.ts", "seeded"), 3)
    assert len(lines(live, session(2, "try it locally", "The local shop has 40 products.", tried))) == 1


@pytest.mark.requirement("MEM-18")
def test_a_deed_is_told_without_a_name_also_before_other_matter() -> None:
    said = "`backfill.py` fills the points. I have not run it in production; you have to do that."
    left = session(1, "Write the backfill for loyalty points", said, edit("backfill.py"))
    assert len(lines(left)) == 1
    told = "ran it last night, took 4 minutes. next: show the points in the header"
    assert lines(left, session(2, told, "The header shows the points.", edit("h.ts"))) == []
    other = "ran it on staging, took 4 minutes"
    assert len(lines(left, session(2, other, "Good."))) == 1


@pytest.mark.requirement("MEM-17")
def test_one_failure_is_one_thread_with_who_must_act() -> None:
    red = ran(failed("Bash", {"command": "pytest tests/test_x.py"}, RED))
    stuck = session(1, "Run the tests", "The tests cannot reach the broker. Ops must open port 5671.", red)
    [line] = lines(stuck)
    assert line.endswith("2 failed, 1 passed (test_x.py::test_a) — said: Ops must open port 5671.")
    assert lines(stuck, session(2, "Again", "They pass.", ran(bash("pytest", "3 passed in 1s"), 3))) == []
    apart = session(1, "Run the tests", "The table is sorted. Jonas has to sign off on the numbers.", red)
    assert len(lines(apart)) == 2, "he is not in the way of the tests"


@pytest.mark.requirement("MEM-18")
def test_a_question_that_the_user_puts_off_stays_open_until_it_is_decided() -> None:
    question = "Is the booking fee paid back as well, or does it stay with us?"
    built = session(
        1, "build refunds up to 48 hours before the show", f"Refunds are built. {question}", edit("a.ex"), talk="c"
    )
    for reply in (
        "gotta ask the boss about that",
        "muss ich erst mit Tom klären",
        "devo chiedere al capo",
        "have to ask legal",
    ):
        assert question in lines(built, session(2, reply, "Refunds stay off.", talk="c"))[0]
    assert not lines(built, session(2, "it stays with us", "Then it stays.", talk="c"))
    put_off = session(2, "have to ask the boss about that", "Refunds stay off.", talk="c")
    told = "The booking fee stays with us on a refund and is paid back only when the house cancels."
    assert not lines(built, put_off, session(3, "boss says the fee stays, except when we cancel", told, edit("a.ex")))


@pytest.mark.requirement("MEM-18")
def test_a_thread_that_is_told_again_is_as_new_as_the_session_that_tells_it() -> None:
    twice = "Fixed `rates.py`. The translations of the invoice page are still missing."
    once = "Fixed `login.py`. The benchmark of the export still has to be written."
    told = lines(session(1, "Fix a", twice), session(2, "Fix b", once), session(3, "Fix c", twice))
    assert ["benchmark" in line for line in told] == [True, False]


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("asked", "said", "is_open"),
    [
        ("Deploy the docs", "Deployed the docs to GitHub pages.", True),
        ("Release the command line tool", "Released the tool 0.4 to PyPI.", True),
        ("I merged the other branch yesterday, please fix the footer", "Fixed the footer.", True),
        ("Deploy 2.3 to production, Maria is fine with it", "Deployed version 2.3 to production.", False),
        ("It went live yesterday, add a banner", "Added a banner.", False),
        ("Production is deployed", "OK.", False),
    ],
)
def test_what_waits_for_production_ends_when_it_went_out_and_not_when_something_else_did(
    asked: str, said: str, is_open: bool
) -> None:
    waits = session(
        1, "Deploy 2.3", "2.3 is on staging. Production is not deployed yet: Maria wants to check it first."
    )
    later = session(2, asked, said, edit("footer.css", number=2))
    assert lines(waits)
    assert bool(lines(waits, later)) is is_open


@pytest.mark.requirement("MEM-18")
def test_who_was_only_told_of_it_or_will_be_asked_has_not_acted() -> None:
    waits = "The 312 doubles in production are untouched: Magda has to say which one stays."
    for reply in (
        "ok i'll ask magda",
        "will ask magda",
        "pinged magda",
        "right, dont touch them. mailed magda",
        "ok told magda",
    ):
        assert lines(
            session(1, "why twice?", waits, edit("intake.rb"), talk="c"), session(2, reply, "Noted.", talk="c")
        )


@pytest.mark.requirement("MEM-18")
@each_of(
    ("one", "other", "count"),
    [
        ("The rollout to the eu cluster waits for Ana's ok.", "Ana must approve the rollout.", 1),
        ("The firmware of the north pumps has not been flashed yet.", "The north pumps must still be flashed.", 1),
        ("The price list still needs to be published to the dealers.", "The price list still has to be uploaded.", 1),
        ("Die Preisliste muss noch an die Händler verschickt werden.", "Die Preisliste muss noch geprüft werden.", 2),
        ("The invoices of March must be re-sent.", "The invoices of April must be re-sent.", 2),
        ("The German help page must be translated.", "The German menu page must be translated.", 2),
        ("The fan in rack 4 of the cold room must be swapped.", "The fan in rack 2 must be swapped.", 2),
    ],
)
def test_of_two_threads_of_a_conversation_about_one_matter_the_fuller_is_told(one: str, other: str, count: int) -> None:
    first = session(1, "Write it", f"It is written. {one}", edit("a.py"), talk="t")
    second = session(2, "And the rest", f"The rest is written. {other}", edit("b.py", number=2), talk="t")
    left = lines(first, second)
    assert len(left) == count
    assert one in left


LEFT = session(
    1,
    "customers say refunds are counted twice, fix it",
    "`total()` multiplied by two; I removed that. I did not touch the statements that already went out: somebody in"
    " finance (Ines) has to decide whether we resend them.",
    edit("src/refund.py"),
)
ECHO = "Ines in finance has to decide whether they are sent again."


@pytest.mark.requirement("MEM-18")
def test_an_answer_out_of_the_brief_opens_nothing_a_second_time() -> None:
    assert len(lines(LEFT, session(2, "good morning, what's next?", f"Statements are still wrong. {ECHO}"))) == 1
    told = session(2, "good morning, what's next?", f"{ECHO} And `legal/terms.md` is not signed yet.")
    assert any("legal/terms.md" in line for line in lines(LEFT, told)), "a thing that nobody had named is new"
    worked = session(2, "and the statements?", f"I printed them all. {ECHO}", edit("src/print.py", number=2))
    assert any("sent again" in line for line in lines(LEFT, worked)), "who worked on it knows it anew"


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    "said",
    [
        "The archive of old statements is not encrypted yet.",
        "The statements to guests must be signed by somebody first.",
    ],
)
def test_what_only_shares_a_word_with_an_open_thread_is_no_echo(said: str) -> None:
    asked = session(2, "what else is risky about our statements before the move?", said)
    assert len(lines(LEFT, asked)) == 2


@pytest.mark.requirement("MEM-18")
def test_a_reason_that_stood_beside_a_settled_thread_gives_way() -> None:
    said = (
        "The screen is there.\n\nThe price is that there's no code without a connection. I couldn't come up with a way"
        " around that.\n\nIt isn't merged and waits for his sign-off."
    )
    left = session(1, "a screen for the key safe", said, edit("Screen.kt"))
    assert any("a way around" in line for line in lines(left))
    merged = session(2, "he signed it off, merge", "The screen is merged and pushed.", edit("Screen.kt", number=2))
    assert lines(left, merged) == []


@pytest.mark.requirement("MEM-18")
@each_of(
    ("line", "first"),
    [
        ("I haven't measured it in production.", False),
        ("I couldn't test that in production. (about: The routes are a tree)", False),
        ("I have not run it on production.", True),
        ("I haven't tested it in production, Ana must do that before the release.", True),
    ],
)
def test_what_only_the_agent_has_not_seen_presses_nobody(line: str, first: bool) -> None:
    assert (threads.pressing(thread.Thread(line, "left")) == 0) is first
