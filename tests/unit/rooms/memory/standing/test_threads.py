"""Open threads: they live until they are settled, and no longer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast.ids import ConversationId
from holdfast.items.words import mark_of
from holdfast.rooms.memory.capture.tool_use import observe
from holdfast.rooms.memory.model import Observation, Summary
from holdfast.rooms.memory.standing import threads
from holdfast.rooms.memory.standing.threads import open_threads
from holdfast.rooms.memory.summaries.by_rules import Work, sum_up
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
    assert lines(broken) == ["Still fails: Ran pytest tests/test_x.py: 2 failed, 1 passed"]
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
    count = 300
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
    read: dict[str, int] = {"classify": 0, "terms": 0}

    def counting(name: str) -> None:
        known = getattr(threads, name)

        def counted(text: str) -> Any:
            read[name] += 1
            return known(text)

        monkeypatch.setattr(threads, name, counted)

    counting("classify")
    counting("terms")
    assert len(open_threads(made, frozenset())) == count * 5
    assert read["classify"] <= 11 * count
    assert read["terms"] <= 22 * count


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
