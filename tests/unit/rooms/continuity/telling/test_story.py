"""A conversation as facts, and facts as text within a budget."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from holdfast.events.parse import parse
from holdfast.events.tokens import count_tokens
from holdfast.ids import ClientPromptId, EntryId
from holdfast.rooms.continuity.measuring.usage import Passage
from holdfast.rooms.continuity.model import FileState, RunState, Stand
from holdfast.rooms.continuity.telling import losses, note
from holdfast.rooms.continuity.telling.identifiers import identifiers
from holdfast.rooms.continuity.telling.losses import known_by, summary_of
from holdfast.rooms.continuity.telling.sentences import statements
from holdfast.rooms.continuity.telling.story import Story


class Told:
    """A story, told event by event."""

    def __init__(self) -> None:
        self.story = Story()
        self.at = 0

    def tell(self, event: str, **fields: Any) -> None:
        self.at += 1_000
        payload = {"hook_event_name": event, "cwd": "/p", "session_id": "s"} | fields
        self.story.take(parse(payload), self.at, EntryId(f"e{self.at}"), "/p")

    def ask(self, prompt: str) -> None:
        self.tell("UserPromptSubmit", prompt=prompt)

    def bash(self, command: str, output: str = "", error: str = "") -> None:
        fields: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": command}}
        if error:
            self.tell("PostToolUseFailure", **fields, error=error)
        else:
            self.tell("PostToolUse", **fields, tool_response={"stdout": output, "stderr": ""})

    def edit(self, path: str) -> None:
        self.tell("PostToolUse", tool_name="Edit", tool_input={"file_path": path}, tool_response={})

    def hear(self, kind: Any, text: str = "") -> None:
        self.at += 1_000
        self.story.hear(Passage(kind, text, self.at, ClientPromptId("p")), text)


@pytest.mark.requirement("CON-16")
def test_corrections_are_kept_as_they_were_said_also_those_without_a_cue() -> None:
    told = Told()
    told.ask("Please add retries to the uploader in src/upload.py.")
    told.ask("no, I said exponential backoff, not fixed delays")
    told.ask("go on")
    told.hear("interrupted")
    told.ask("the bucket is eu-west-1")
    told.hear("refused", "use the staging bucket")
    told.tell(
        "PermissionDenied", tool_name="Bash", tool_input={"command": "rm -rf build"}, reason="outside the project"
    )
    stand = told.story.stand()
    assert stand.corrections == (
        "no, I said exponential backoff, not fixed delays",
        "the bucket is eu-west-1",
        "Refused a tool call: use the staging bucket",
    )
    assert stand.dead_ends == ("Not allowed: Bash rm -rf build (outside the project)",), "auto mode is not the user"
    assert stand.requests[0] == "Please add retries to the uploader in src/upload.py."
    assert len(stand.requests) == 4
    text, _ = note.written(note.parts_of(stand), 2_000)
    assert text.startswith("The user's corrections, word for word.")
    assert text.count("exponential backoff") == 1, "a correction is not told again as a request"


def test_nobodys_words_are_taken_for_the_users() -> None:
    told = Told()
    for prompt in (
        "<task-notification>done</task-notification>",
        "<command-name>/compact</command-name>",
        '<holdfast-context from="continuity" id="ab12">\nno, I said never do that\n</holdfast-context id="ab12">',
        "[holdfast-note] Where this conversation stands\nno, I said never",
    ):
        told.ask(prompt)
    assert told.story.is_empty


@pytest.mark.requirement("CON-5")
def test_a_later_run_settles_the_earlier_ones_that_it_includes() -> None:
    told = Told()
    told.bash("pytest tests/test_a.py -q", error="Exit code 1\nFAILED tests/test_a.py::test_x\n1 failed in 1s")
    told.bash("ruff check .", "All checks passed!")
    assert [run.outcome for run in told.story.stand().runs] == ["failed", "passed"]
    told.bash("pytest -q", "42 passed in 1s")
    told.bash("git commit -m 'Retry uploads'", "[main abc1234] Retry uploads")
    told.bash("aws s3 ls", error="Exit code 1\nError: no credentials")
    assert [(run.title, run.outcome) for run in told.story.stand().runs] == [
        ("Ran ruff check .: passed", "passed"),
        ("Ran pytest: 42 passed", "passed"),
        ("Committed: Retry uploads", "passed"),
        ("aws s3 ls — failed: Error: no credentials", "failed"),
    ]
    told.edit("/p/src/upload.py")
    told.edit("/p/src/upload.py")
    told.edit("/etc/hosts")
    assert [fact.text for fact in told.story.of("file")] == ["src/upload.py", "/etc/hosts"]


def test_tasks_are_open_until_they_are_done() -> None:
    told = Told()
    for number, subject in enumerate(("Write the parser", "Write the printer"), 1):
        response = {"task": {"id": str(number), "subject": subject}}
        told.tell("PostToolUse", tool_name="TaskCreate", tool_input={"subject": subject}, tool_response=response)
    told.tell(
        "PostToolUse", tool_name="TaskUpdate", tool_input={"taskId": "1", "status": "completed"}, tool_response={}
    )
    todos = [{"content": "ship it", "status": "pending"}, {"content": "test it", "status": "completed"}]
    told.tell("PostToolUse", tool_name="TodoWrite", tool_input={"todos": todos}, tool_response={})
    assert told.story.stand().next_steps == ("Write the printer", "ship it")


def test_what_a_sentence_states() -> None:
    cases = (
        ("I went with a bounded queue because the unbounded one ran out of memory.", "decision"),
        ("We'll keep the old endpoint for two releases.", "decision"),
        ("The root cause is that the lock file is never removed.", "finding"),
        ("I tried raising the timeout, but the job still hangs.", "dead_end"),
        ("Disabling the cache did not help.", "dead_end"),
        ("Next I'll wire the printer into the command line.", "next_step"),
        ("The docs still need an update.", "next_step"),
        ("Should the port be configurable?", "question"),
        ("Let me look at the file.", None),
        ("Done.", None),
        ("Would you like me to go on?", None),
    )
    for sentence, kind in cases:
        assert [found for found, _ in statements(sentence)] == ([kind] if kind else []), sentence
    listed = "All green.\n\n## Next steps\n- rename the flag\n- tell Ada\n\n## Notes\nThe sky is blue today, as always."
    assert statements(listed) == [("next_step", "rename the flag"), ("next_step", "tell Ada")]
    assert statements("```\nI decided to print this.\n```\nNothing else.") == []
    assert identifiers("See PROJ-812 and https://ci.example/run/77, commit 3fa9c21b7d, port 8443, order 12.") == [
        *("PROJ-812", "https://ci.example/run/77", "3fa9c21b7d", "port 8443", "order 12"),
    ]


@pytest.mark.requirement("CON-6")
def test_what_a_summary_leaves_out() -> None:
    summary = summary_of(
        "<analysis>thinking about eu-west-1</analysis><summary>The user asked for retries in the uploader. "
        "We decided to use a bounded queue because memory ran out. Please add retries to the uploader.</summary>"
    )
    assert "analysis" not in summary
    knows = known_by(summary)
    assert knows("Please add retries to the uploader.", True)
    assert not knows("Please add retries to the downloader, too.", True), "the user's words count as they were said"
    assert knows("I went with a bounded queue, because memory ran out", False)
    assert not knows("The bucket must stay in eu-west-1", False)
    assert not known_by("")("anything at all", False)


@pytest.mark.requirement("CON-5")
def test_a_note_keeps_its_budget_and_is_never_empty() -> None:
    told = Told()
    for number in range(200):
        told.ask(f"Request number {number}: please do the thing called item-{number} with some care and attention.")
        told.tell(
            "Stop", last_assistant_message=f"I decided to use plan {number} because it is cheap. Next I'll do {number}."
        )
    stand = told.story.stand()
    for tokens in (60, 300, 1_600, 5_000):
        text, dropped = note.written(note.parts_of(stand), tokens)
        assert count_tokens(text) <= tokens
        assert dropped
    text, _ = note.written(note.parts_of(stand), 1_600)
    assert "Request number 199:" in text
    assert "Request number 0:" in text, "the first request stays"
    assert text.index("Request number 0:") < text.index("Request number 199:")
    assert "plan 199" in text
    empty = Story().stand()
    assert note.title(empty) == "Nothing was asked yet"
    assert note.summary(empty) == "Nothing was asked yet"
    long = note.verbatim("a" * 5_000)
    assert "[… 3400 characters …]" in long


@pytest.mark.requirement("CON-16")
def test_many_runs_and_many_words_stay_cheap() -> None:
    """Counted, not timed: what is compared stays bounded, however much is told."""
    told = Told()
    for number in range(40):
        command = ";".join(f"pytest a{number}_{each}.py" for each in range(120))
        told.tell(
            "PostToolUseFailure",
            tool_name="Bash",
            tool_input={"command": command},
            error="Exit code 1\nFAILED x::y - z\n1 failed in 0.1s",
        )
    assert len(told.story._ran) <= len(told.story.of("run")) <= 40 * 4
    looked = list[int]()

    def close(telling: set[str], places: dict[str, list[int]]) -> bool:
        looked.append(sum(map(len, places.values())))
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(losses, "_close", close)
        assert not known_by("alpha beta gamma " * 20_000)("delta epsilon zeta eta alpha", False)
    assert looked == [3 * 64]


@pytest.mark.requirement("CON-6")
def test_what_passed_and_what_was_changed_is_told_in_one_line_each() -> None:
    runs = (RunState("Ran gradle test: passed", "passed"), RunState("Ran tsc: 2 errors", "failed"))
    npm = (RunState("Ran npm test", "passed"), RunState("Ran npm test: 12 passed", "passed"))
    stand = Stand(requests=("Do it",), runs=(*runs, *npm))
    stand = replace(stand, files=(FileState("a.py"), FileState("b.py", "created")))
    text, dropped = note.written(note.parts_of(stand), 500)
    assert dropped == []
    assert "Runs:\n- FAILING: Ran tsc: 2 errors\n" in text
    assert "Passed when last run: Ran npm test: 12 passed; Ran gradle test: passed" in text
    assert "Files changed: b.py (created); a.py" in text
    known = note.parts_of(stand, known_by("All is well: gradle test passed, and a.py was edited."))
    assert "gradle" not in note.written(known, 500)[0]
