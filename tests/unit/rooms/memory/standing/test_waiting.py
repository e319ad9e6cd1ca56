"""What a thread waits for, as later work names it: a command, a pull request, people, something not begun."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.thread import Thread
from holdfast.rooms.memory.standing.threads import open_lines
from holdfast.rooms.memory.standing.waiting import waiting_for
from tests.support.table import each_of
from tests.unit.rooms.memory.made import bash, edit
from tests.unit.rooms.memory.standing.test_threads import lines, ran, session

UNRUN = "The load test has not been run. `./loadtest.sh` takes 25 minutes."
PULL = "Somebody with rights on the repository has to open the pull request; there is no token for that here."
LEGAL = "Legal hasn't answered whether guests' voices may be processed, so nothing of this is merged."
CHECK = "St. Anna must switch on the check of MSH-10 in its HIS; until then there will be doubles."
SCRIPT = (
    "14 planned episodes in production still have the old UTC time. `scripts/replan.py` corrects them, but I have not"
)
SCRIPT += " run it: there is no access to the production database from here."


@pytest.mark.requirement("MEM-18")
def test_a_command_that_passed_settles_what_names_it_in_other_letters() -> None:
    left = session(1, "build an outbox", f"`Outbox` writes each result to a file. {UNRUN}", edit("outbox.py"))
    assert any("load test" in line for line in lines(left))
    passed = ran(bash("./loadtest.sh", "PASS 140 msg/s, 0 lost\n12 passed in 3s"), 5)
    assert lines(left, session(2, "machine is free, run it", "It passes with 140 messages a second.", passed)) == []
    other = ran(bash("./smoketest.sh", "3 passed in 1s"), 6)
    assert any("load test" in line for line in lines(left, session(2, "quick look", "The smoke test passes.", other)))


@pytest.mark.requirement("MEM-18")
def test_a_pull_request_that_was_merged_settles_the_thread_about_a_pull_request_only() -> None:
    voices = session(1, "try whisper", f"`transcribe.py` works. {LEGAL}", edit("transcribe.py"))
    release = session(2, "push main", f"I pushed all of it to `release-118`. {PULL}")
    script = session(3, "plans are early", f"`due()` keeps the zone now. {SCRIPT}", edit("publish.py"))
    later = session(4, "pr is merged. go to -14 instead of -16", "Episodes come out at -14 LUFS now.", edit("loud.py"))
    left = lines(voices, release, script, later)
    assert not any("pull request" in line for line in left)
    assert any("Legal" in line for line in left)
    assert any("replan.py" in line for line in left)


@pytest.mark.requirement("MEM-18")
def test_a_script_that_must_be_run_waits_for_that_and_not_for_a_rollout() -> None:
    script = session(1, "plans are early", f"`due()` keeps the zone now. {SCRIPT}", edit("publish.py"))
    rollout = ran(bash("./deploy.sh prod", "rolled out to prod"), 5)
    live = session(2, "go live", "Production runs `lw-121`.", rollout)
    assert any("replan.py" in line for line in lines(script, live))
    assert lines(script, live, session(3, "i ran replan on prod last night btw, all 14 fine", "Then it is over.")) == []


@pytest.mark.requirement("MEM-18")
def test_a_sentence_that_says_settled_and_names_who_and_what_settles_a_thread() -> None:
    left = session(1, "results come twice", f"A resend keeps its id now. {CHECK}", edit("outbox.py"))
    told = "The repeats are settled on both sides: St. Anna's HIS drops what it has, by MSH-10."
    assert lines(left, session(2, "they have the check on since yesterday, no doubles any more", told)) == []
    other = "The demo server takes all of St. Anna's test codes, and the HIS shows them."
    assert lines(left, session(2, "spike for the demo", other, edit("fhir.py"))) == lines(left)


@pytest.mark.requirement("MEM-18")
def test_what_nobody_had_begun_is_settled_by_work_that_names_what_it_is_about() -> None:
    said = "The heartbeat keeps links up now.\n\nA result that is in flight when a link breaks is still lost. That"
    said += " is a bigger change, and I haven't started it."
    left = session(1, "links die", said, edit("link.py"))
    assert any("haven't started" in line for line in lines(left))
    built = "`Outbox` writes each result to a file, so that none is lost when a link breaks."
    assert lines(left, session(2, "do something about lost results", built, edit("outbox.py"))) == []
    other = session(
        2, "heartbeat every 2 minutes", "The heartbeat goes out after 2 silent minutes now.", edit("link.py")
    )
    assert any("haven't started" in line for line in lines(left, other))


@pytest.mark.requirement("MEM-18")
def test_somebody_whom_a_thread_names_did_it() -> None:
    waits = "Not flown yet; Kemal has the test site on Thursday."
    left = session(1, "it yaws left", f"The mixer table is chosen by the board revision.\n\n{waits}", edit("mix.c"))
    assert lines(left)
    assert lines(left, session(2, "kemal flew it, straight as an arrow", "Great.")) == []
    for said in ("kemal saw it", "tell kemal about it", "kemal flew it and it crashed", "will kemal fly it?"):
        assert lines(left, session(2, said, "Noted.")) == lines(left), said


@pytest.mark.requirement("MEM-18")
@each_of(
    ("line", "is_uncommitted"),
    [
        ("Not committed yet, since it adds a module.", True),
        ("Changes are uncommitted.", True),
        ("Nothing is committed yet.", True),
        ("I haven't committed anything.", True),
        ("I did not commit it.", True),
        ("None of it has been committed.", True),
        ("Das ist noch nicht eingecheckt.", True),
        ("Das ist nicht committet.", True),
        ("Sin commit todavía.", True),
        ("Ce n'est pas encore commité.", True),
        ("Het is nog niet gecommit.", True),
        ("The linter does not run in the commit hook.", False),
        ("The bot must never commit the lockfile; somebody has to tell it.", False),
        ("The script could not read the commit message.", False),
        ("Falta un commit con el cambio de la caja.", False),
        ("Il reste un commit à pousser.", False),
        ("The release waits for a commit of Jonas.", False),
    ],
)
def test_that_work_is_not_committed_is_said_by_a_participle(line: str, is_uncommitted: bool) -> None:
    content = SummaryContent(request="a fault", title="Found.", left_open=line)
    assert waiting_for(Thread(line, "left"), content).is_uncommitted is is_uncommitted


@pytest.mark.requirement("MEM-18")
def test_a_commit_of_something_else_settles_no_fault_of_the_commit_hook() -> None:
    before = SummaryContent(request="a hook", title="Done.", left_open="The linter does not run in the commit hook.")
    after = SummaryContent(request="the header", title="The header is blue.", done="Committed: A blue header")
    assert open_lines(before, [after], []) == ["The linter does not run in the commit hook."]
