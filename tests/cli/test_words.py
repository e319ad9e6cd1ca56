"""What a person gets who mistypes, asks for what is not there, or has a narrow terminal (OPS-15)."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from tests.support.daemon import until
from tests.support.shell import Shell

pytestmark = pytest.mark.requirement("OPS-15")


@pytest.fixture
def worked(running: Shell) -> Shell:
    """A project in which something happened."""
    for number, text in enumerate(("Why does the login redirect go wrong?", "Round VAT half up, per invoice.")):
        about = {"hook_event_name": "UserPromptSubmit", "session_id": f"s{number}", "cwd": str(running.folder)}
        assert running.daemon.post("UserPromptSubmit", about | {"prompt": text})[0] == 200
    return running


CASES = (
    (("show", "o00000000"), 1, "Nothing is kept under the id o00000000. It may have been forgotten; `holdfast search"),
    (("show", "banana"), 2, "'banana' is no id. An id is a letter and eight characters, such as o3fa9c21b"),
    (("why", "o00000000"), 1, "Nothing is kept under the id o00000000."),
    (("timeline", "banana"), 2, "'banana' is no time."),
    (("call", "nosuch"), 2, "There is no tool named nosuch. `holdfast call` and `GET /api/tools` list them."),
    (("call", "serch"), 2, "There is no tool named serch. Did you mean search?"),
    (("journal", "--event", "Banana"), 2, "There is no event Banana, and none of that name has arrived. Claude Code's"),
    (("journal", "--event", "pretooluse"), 2, "Did you mean PreToolUse?"),
    (("journal", "--event", "Stop"), 1, "No event was found named Stop."),
    (("journal", "--event", "Stop", "--since", "3d"), 1, "No event was found named Stop since 3d ago."),
    (("journal", "--event", "Stop", "--since", "2026-05-01"), 1, "No event was found named Stop since 2026-05-01."),
    (("search", "--session", "banana"), 1, "No session begins with banana."),
    (("checkpoint", "list", "--session", "banana"), 1, "No session begins with banana."),
    (("statu",), 2, "No such command 'statu'. Did you mean 'status'?"),
    (("search", "--kind", "banana"), 2, "There is no kind 'banana'. Kinds are"),
    (("search", "--project", "banana"), 1, "There is no project named banana;"),
    (("search", "xylophone", "quartz"), 1, "Nothing was found about “xylophone quartz”. Try fewer or other words"),
    (("seen", "banana"), 1, "No session begins with banana."),
    (("edit", "o00000000", "--text", "x"), 1, "Nothing is kept under the id o00000000."),
)


def test_what_is_not_there_is_a_sentence_and_a_code_with_and_without_json(worked: Shell) -> None:
    for words, code, said in CASES:
        done = worked.run(*words)
        assert (done.returncode, said in " ".join(done.stderr.split())) == (code, True), (words, done)
    for words, code, said in CASES[:7]:
        done = worked.run(*words, "--json")
        assert done.returncode == code
        told = json.loads(done.stderr)
        assert (told["exit_code"], told["error"].startswith(said)) == (code, True)


def test_up_and_stop_fit_a_terminal_of_80_columns_and_less(worked: Shell) -> None:
    """Only a word that is longer than the line, a path for example, may stick out. Lists: test_examples.py."""
    worked.up()
    for width in (80, 48):
        worked.extra = {"COLUMNS": str(width)}
        for page in ("status", "doctor", f"up --yes --client {worked.client}", "stop"):
            shown = worked.run(*page.split()).stdout
            assert shown, page
            for line in shown.splitlines():
                assert len(line) <= width or longest_word(line) > width - 20, (width, page, line)


def longest_word(line: str) -> int:
    return max(map(len, line.split()))


def test_help_stands_in_groups_and_says_how_commands_end(shell: Shell) -> None:
    shown = shell.ok("--help")
    headings = re.findall(r"^([A-Z][\w ]+):$", shown, re.M)
    expected = ["Options", "Begin and look", "What is kept", "The daemon", "Keep and move", "Set up"]
    assert headings[: len(expected)] == expected
    assert "3 when the daemon could not be reached" in " ".join(shown.split())


def test_a_command_that_reads_memory_starts_the_daemon_and_status_never_does(worked: Shell) -> None:
    os.kill(worked.daemon.facts["pid"], signal.SIGTERM)
    until(lambda: not worked.daemon.facts, "the daemon has gone")
    down = worked.run("status")
    assert down.returncode == 3
    page = " ".join(down.stdout.split())
    assert "guards off: no command is refused" in page
    assert "memory off: nothing is given" in page
    assert not worked.daemon.facts
    found = worked.json("search", "login redirect")
    assert [line["title"] for line in found] == ["Why does the login redirect go wrong?"]
    worked.ok("stop")
    worked.extra = {"CLAUDECODE": "1"}
    refused = worked.run("search", "login")
    assert (refused.returncode, "was stopped" in refused.stderr) == (3, True), "an agent does not undo a person's stop"


def test_the_shell_offers_kinds_events_and_recent_ids(worked: Shell) -> None:
    [line] = worked.json("search", "login redirect")

    def offered(*words: str) -> str:
        worked.extra = {"_HOLDFAST_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(("holdfast", *words))}
        worked.extra |= {"COMP_CWORD": str(len(words))}
        return worked.run().stdout

    assert f"plain,{line['id']}" in offered("show", line["id"][:3])
    assert "plain,prompt" in offered("search", "--kind", "pr")
    assert "plain,PreToolUse" in offered("journal", "--event", "pret")
    os.kill(worked.daemon.facts["pid"], signal.SIGTERM)
    until(lambda: not worked.daemon.facts, "the daemon has gone")
    assert offered("show", "p").strip() == ""
    assert not worked.daemon.facts, "completing starts nothing"


def test_settings_read_as_in_their_file(shell: Shell, tmp_path: Path) -> None:
    shown = shell.ok("config", "show")
    assert "True" not in shown
    assert re.search(r"^sign_of_life\s+true\s+default$", shown, re.M)
