"""Attempts that were taken back are dead ends, also when nobody says so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.rooms.continuity.telling.test_story import Told


def edit(told: Told, path: str, old: str, new: str) -> None:
    given: dict[str, Any] = {"file_path": path, "old_string": old, "new_string": new}
    told.tell("PostToolUse", tool_name="Edit", tool_input=given, tool_response={})


def dead_ends(told: Told) -> list[str]:
    return [fact.text for fact in told.story.of("dead_end")]


@pytest.mark.requirement("CON-14")
@pytest.mark.requirement("CON-15")
def test_an_edit_that_was_undone_is_a_dead_end() -> None:
    told = Told()
    told.ask("Please make the upload survive a broken connection.")
    edit(told, "/p/src/up.py", "timeout = 5", "timeout = 60")
    told.bash("pytest -q", error="Exit code 1\nFAILED tests/test_up.py::test_resume\n1 failed, 3 passed in 1s")
    edit(told, "/p/src/up.py", "timeout = 60", "timeout = 5")
    (first,) = dead_ends(told)
    assert first.startswith("Taken back in src/up.py: `timeout = 60` in place of `timeout = 5`, after Ran pytest")
    edit(told, "/p/src/up.py", "retry(3)", "retry(9)")
    edit(told, "/p/src/log.py", "a", "b")
    told.bash("git status")
    told.bash("git checkout -- src/up.py")
    assert [text[:37] for text in dead_ends(told)[1:]] == ["Taken back in src/up.py: `retry(9)` i"]
    told.bash("pytest -q", "4 passed in 1s")
    told.bash("git restore .")
    assert dead_ends(told)[-1] == "Taken back in src/log.py: `b` in place of `a`."
    edit(told, "/p/src/log.py", "b", "a")
    assert len(dead_ends(told)) == 3, "what is taken back once is not told again"


@pytest.mark.requirement("CON-14")
@pytest.mark.requirement("CON-15")
def test_a_command_that_another_one_replaced_is_a_dead_end_and_no_open_failure() -> None:
    told = Told()
    told.ask("Please install the driver.")
    told.bash("pip install driver", error="Exit code 1\nERROR: no wheel for this platform\nmore")
    told.bash("grep -r driver .", error="Exit code 2\ngrep: permission denied")
    told.bash("pip install --no-binary :all: driver", "done")
    assert dead_ends(told) == [
        "`pip install driver` failed (ERROR: no wheel for this platform); "
        "`pip install --no-binary :all: driver` worked instead."
    ]
    assert told.story.stand().failing == (), "a look that failed is nothing that fails"
    told.bash("npm ci", error="Exit code 1\nnetwork")
    told.bash("npm ci", "done")
    told.bash("docker pull a", error="Exit code 1\nunknown")
    told.ask("Go on.")
    told.bash("docker pull b", "done")
    assert len(dead_ends(told)) == 1, "a second try of the same is none, and another turn's command neither"
