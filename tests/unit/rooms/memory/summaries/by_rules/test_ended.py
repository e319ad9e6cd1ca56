"""Which failures are over: by a later run that includes them, or by what the agent says after another one passed."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import statements
from holdfast.rooms.memory.model import Observation
from holdfast.rooms.memory.summaries.by_rules.ended import Runs, passes_now
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up
from tests.support.table import each_of
from tests.unit.rooms.memory.made import bash, edit, failed
from tests.unit.rooms.memory.standing.test_threads import ran

PASSES = (
    ("The four type errors are gone.", "types"),
    ("tsc is clean.", "types"),
    ("It type-checks again.", "types"),
    ("No type errors are left.", "types"),
    ("All hooks pass.", "lint"),
    ("Lint is clean and committed.", "lint"),
    ("0 warnings.", "lint"),
    ("The docs build again.", "build"),
    ("The image builds.", "build"),
    ("The build is green.", "build"),
    ("CartTest passes.", "test"),
    ("All 140 tests pass now.", "test"),
    ("Both specs are green.", "test"),
    ("Die Tests sind wieder grün.", "test"),
)
PASSES_NOT = (
    ("The type errors are explained in the ticket.", "types"),
    ("The errors of the linter are not fixed.", "lint"),
    ("Only the first test passes.", "test"),
    ("Most tests pass, but two are red.", "test"),
    ("The build still fails.", "build"),
    ("The lint job runs on every push.", "lint"),
    ("The new test covers both cases.", "test"),
    ("I built the docs.", "build"),
    ("Lint is clean.", "test"),
    ("The image is smaller.", "build"),
)


@pytest.mark.requirement("MEM-17")
@each_of(("said", "kind"), PASSES)
def test_words_that_say_that_a_check_passes(said: str, kind: str) -> None:
    assert passes_now(said, kind)


@pytest.mark.requirement("MEM-17")
@each_of(("said", "kind"), PASSES_NOT)
def test_words_that_say_something_else(said: str, kind: str) -> None:
    assert not passes_now(said, kind)


def outcome(*observations: Observation, said: str) -> str:
    runs = Runs(observations)
    runs.believe(said, statements(said))
    return runs.outcome


FIX = edit("src/a.ts", "a")
TYPES = ran(failed("Bash", {"command": "npx tsc --noEmit"}, "Exit code 2\nsrc/a.ts(3,1): error TS2322\nFound 4 errors"))
BUILT = ran(bash("npm run build", "built in 4s"))


@pytest.mark.requirement("MEM-17")
def test_another_command_may_show_that_a_check_passes() -> None:
    assert outcome(TYPES, FIX, BUILT, said="The four type errors are gone.") == "passed"


@pytest.mark.requirement("MEM-17")
def test_without_words_an_edit_or_another_run_a_failure_stands() -> None:
    assert outcome(TYPES, FIX, BUILT, said="I renamed the prop.") == "failed"
    assert outcome(TYPES, BUILT, said="The four type errors are gone.") == "failed"
    assert outcome(TYPES, FIX, said="The four type errors are gone.") == "failed"
    assert outcome(TYPES, FIX, BUILT, said="Three type errors are gone. One test is still red.") == "failed"
    assert outcome(TYPES, FIX, BUILT, said="The build is green. 3 of 4 type errors are gone.") == "failed"
    assert outcome(TYPES, FIX, BUILT, said="The build passes. I could not get rid of the last type error.") == "failed"


@pytest.mark.requirement("MEM-17")
def test_a_part_that_passes_does_not_show_the_whole() -> None:
    whole = ran(failed("Bash", {"command": "pytest"}, "Exit code 1\n3 failed, 200 passed"))
    part = ran(bash("pytest tests/test_a.py", "5 passed"))
    assert outcome(whole, FIX, part, said="test_a passes again.") == "failed"


def test_a_session_believes_its_turns() -> None:
    broken = ran(failed("Bash", {"command": "mkdocs build --strict"}, "Exit code 1\nAborted with 1 warnings"))
    asked = sum_up(Work(("why are the docs red",), (broken,), "The docs build is red: `api.md` links to `old.md`."))
    mended = sum_up(
        Work(("remove the link",), (FIX, ran(bash("make docs", "built"))), "The link is gone and the docs build again.")
    )
    assert asked is not None
    assert mended is not None
    runs = Runs((broken, FIX, ran(bash("make docs", "built"))))
    runs.believe("", (), (asked, mended))
    assert runs.outcome == "passed"
    runs = Runs((broken,))
    runs.believe("", (), (asked,))
    assert runs.outcome == "failed"


@pytest.mark.requirement("MEM-17")
def test_a_deploy_that_failed_is_told_with_its_reason_beside_one_that_went_out() -> None:
    store = ran(bash("./release.sh android", "uploaded"))
    phone = ran(failed("Bash", {"command": "./release.sh ios"}, "Exit code 1\nno certificate"))
    said = "- Android: 2.7 is out.\n- iOS: not uploaded. The certificate has expired, and only its holder can renew it."
    made = sum_up(Work(("release 2.7 to both stores",), (store, phone), said))
    assert made is not None
    assert "only its holder can renew it" in made.left_open
