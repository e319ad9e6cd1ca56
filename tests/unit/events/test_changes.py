"""What a command changed on disk (EVT-17): whatever is sent, a tuple of changes."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.changes import MOST, ChangedFile, changed_files, file_named
from holdfast.events.event import PostToolUse, PreToolUse
from holdfast.ids import EntryId
from holdfast.rooms.continuity.telling.folding import facts_of
from holdfast.rooms.guards.hooks import _written
from holdfast.rooms.learning.remedies.changes import Changes, note_command
from holdfast.rooms.memory.capture.tool_use import observe
from tests.support.table import each_of

HUNK = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-red", "+blue"]}
TWO = [
    {"filePath": "/w/app.py", "hunks": [HUNK], "created": False},
    {"filePath": "/w/made.txt", "hunks": [], "created": True},
]


def bash(diff: Any, command: str = "make paint", tool: str = "Bash", stdout: str = "") -> PostToolUse:
    response = {"stdout": stdout, "stderr": "", "bashEditDiff": diff}
    return PostToolUse(tool_name=tool, tool_input={"command": command}, tool_response=response, cwd="/w")


@pytest.mark.requirement("EVT-17")
def test_the_files_of_a_command_are_its_edits() -> None:
    event = bash({"files": TWO, "moreFiles": 0, "changedFiles": 2})
    assert changed_files(event) == (ChangedFile("/w/app.py", False, (HUNK,)), ChangedFile("/w/made.txt", True))


@pytest.mark.requirement("EVT-17")
@pytest.mark.parametrize(
    "diff",
    [None, 7, [], {}, {"files": None}, {"files": "x"}, {"files": [7, None, {}, {"filePath": 3}, {"filePath": ""}]}],
)
def test_what_is_not_told_is_nothing(diff: Any) -> None:
    assert changed_files(bash(diff)) == ()
    assert changed_files(PostToolUse(tool_name="Bash", tool_response=diff)) == ()


@pytest.mark.requirement("EVT-17")
def test_only_a_command_that_ran_changed_something() -> None:
    assert changed_files(bash({"files": TWO}, tool="Read")) == ()
    assert changed_files(PreToolUse(tool_name="Bash")) == ()
    assert len(changed_files(bash({"files": [{"filePath": f"/w/{n}"} for n in range(10 * MOST)]}))) == MOST


@pytest.mark.requirement("EVT-17")
def test_memory_counts_them_as_edited_though_the_command_names_none() -> None:
    draft = observe(bash({"files": TWO}), "/w")
    assert draft is not None
    assert draft.files == ("app.py", "made.txt")
    assert "+blue" in draft.excerpt
    told = observe(bash({"files": TWO}, command="cat notes.md", stdout="some notes"), "/w")
    assert told is not None
    assert told.files[:2] == ("app.py", "made.txt")


@pytest.mark.requirement("EVT-17")
def test_continuity_learning_and_guards_count_them_too() -> None:
    event = bash({"files": TWO}, command="cat notes.md")
    facts = [fact for fact, _ in facts_of(event, 7, EntryId("e"), "/w") if fact.kind == "file"]
    assert [(fact.text, fact.outcome) for fact in facts] == [("app.py", "edited"), ("made.txt", "created")]
    found = Changes()
    note_command(event, "/w", found)
    assert list(found.files) == ["app.py", "made.txt"]
    # To a guard, only what a conversation made is its own to remove.
    assert _written("Bash", event.arguments, event.tool_response) == (["/w/made.txt"], ["/w/app.py"])
    assert _written("Read", event.arguments, event.tool_response) == ([], [])


@each_of(
    ("arguments", "path"),
    [
        ({"file_path": "/w/a.py"}, "/w/a.py"),
        ({"notebook_path": "/w/a.ipynb"}, "/w/a.ipynb"),
        ({"file_path": "", "notebook_path": "/w/a.ipynb"}, "/w/a.ipynb"),
        ({"file_path": ["/w/a.py"], "notebook_path": None}, ""),
        ({"path": "/w"}, ""),
        ({}, ""),
        (None, ""),
        ("/w/a.py", ""),
    ],
)
def test_the_file_that_a_call_names(arguments: Any, path: str) -> None:
    assert file_named(PreToolUse(tool_name="Edit", tool_input=arguments)) == path
