"""A project in which everything has happened that the examples of the help texts speak of."""

from __future__ import annotations

import itertools
import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.daemon import until
from tests.support.model import arctic
from tests.support.shell import Shell

DATA = Path(__file__).parents[1] / "data"
SESSION = "2f1c9c0e-8a57-4b6e-9d0e-1c2b3a4d5e6f"
LIVE = "7d2e91b4-8a57-4b6e-9d0e-1c2b3a4d5e6f"
OTHER = "0f3c2a1b-8a57-4b6e-9d0e-1c2b3a4d5e6f"
FAILED = (
    "Exit code 1\nE       KeyError: 'sid'\nFAILED tests/test_auth.py::test_login - KeyError: 'sid'\n"
    "1 failed, 41 passed in 1.31s"
)
SAID = (
    "The root cause was that the session was read before the cookie was set. I fixed the login redirect by setting the "
    "cookie first. Still open: the retry limit of the login needs a test."
)
PAGE = {
    "url": "https://docs.example.org/guide",
    "prompt": "How many retries?",
    "etag": '"v1"',
    "content": "Five.",
    "fetched_at": 1_700_000_000,
}
ATTEMPT = ("fix login", "--hypothesis", "the cookie stays", "--action", "clear it", "--prediction", "tests pass")


TAX = '''def rounded_tax(invoice: list[int]) -> int:
    """Round the tax of an invoice half up."""
    whole = sum(invoice) * RATE
    return (whole + 50) // 100
'''


class Work:
    """Posts the events of a session, as Claude Code's hooks do."""

    def __init__(self, shell: Shell, session: str) -> None:
        self._shell, self._session = shell, session
        self._numbers = itertools.count(1)

    def tell(self, event: str, **fields: Any) -> Any:
        common = {"session_id": self._session, "cwd": str(self._shell.folder), "hook_event_name": event}
        status, answer = self._shell.daemon.post(event, common | fields)
        assert status == 200, answer
        return answer

    def ask(self, prompt: str) -> None:
        self.tell("UserPromptSubmit", prompt=prompt, prompt_id=f"{self._session}-{next(self._numbers)}")

    def use(self, tool: str, given: dict[str, Any], response: Any = None, error: str = "") -> None:
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self._session}_{next(self._numbers)}"}
        if error:
            self.tell("PostToolUseFailure", **call, error=error)
        else:
            self.tell("PostToolUse", **call, tool_response=response or {})

    def run(self, command: str, output: str = "", error: str = "") -> None:
        self.use("Bash", {"command": command}, {"stdout": output, "stderr": ""}, error)


def happened(shell: Shell) -> None:
    """Two sessions of work, with a failure, its repair, corrections, a refusal and a file that was removed; a third,
    `LIVE`, is open, and the first goes on."""
    _project(shell)
    work = Work(shell, SESSION)
    work.tell("SessionStart", source="startup")
    work.ask("Repair the login redirect")
    work.run("pytest tests/test_auth.py", error=FAILED)
    change = {"file_path": str(shell.folder / "src" / "plan.py"), "old_string": "a", "new_string": "b"}
    work.use("Edit", change)
    work.run("pytest tests/test_auth.py", "42 passed in 1.2s")
    for correction in ("No, I said use the staging VPN.", "No, that is wrong: never deploy on Mondays."):
        work.ask(correction)
    work.tell("PreToolUse", tool_name="Bash", tool_input={"command": "git reset --hard"}, tool_use_id="toolu_reset")
    work.tell("PreToolUse", tool_name="Bash", tool_input={"command": "rm notes.txt"}, tool_use_id="toolu_rm")
    work.tell("Stop", stop_hook_active=False, last_assistant_message=SAID)
    work.tell("PreCompact", trigger="manual", custom_instructions="")
    work.tell("SessionStart", source="compact")
    work.tell("PostCompact", trigger="manual", compact_summary="The login was repaired.")
    work.tell("SessionEnd", reason="other")
    other = Work(shell, OTHER)
    other.tell("SessionStart", source="startup")
    other.ask("Is project zeus in the plan?")
    other.run("pytest tests/test_plan.py", error=FAILED)
    shell.extra["CLAUDE_CODE_SESSION_ID"] = OTHER
    shell.ok("ghap", "start", *ATTEMPT)
    del shell.extra["CLAUDE_CODE_SESSION_ID"]
    other.tell("Stop", stop_hook_active=False, last_assistant_message="Not yet. The docs still need an update.")
    other.tell("SessionEnd", reason="other")
    old = Work(shell, "5f0c8a52-11aa-4c0e-9a3d-0000000000aa")
    old.tell("UserPromptSubmit", prompt="Begin.", cwd=f"{shell.environment['HOME']}/old/shop")
    shell.ok("remember", "We deploy from main.")
    shell.ok("remember", "We use pip.")
    shell.ok("checkpoint", "save")
    until(lambda: shell.daemon.status()["queue"]["jobs"] == 0, "everything is taken in")
    Work(shell, LIVE).tell("SessionStart", source="startup")
    work.tell("SessionStart", source="resume")
    work.ask("Go on.")


def _project(shell: Shell) -> None:
    """Files that examples name: in the project, and in the user's own folder."""
    folder, house = shell.folder, Path(shell.environment["HOME"])
    git = ("git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-C", str(folder))
    (folder / "src").mkdir()
    (folder / "src" / "plan.py").write_text("b\n")
    (folder / "src" / "app.py").write_text(TAX.replace("rounded_tax", "rounded_duty"))
    (folder / "src" / "tax.py").write_text("RATE = 19\n" + "\n" * 9 + TAX)
    for words in (("init", "-q"), ("add", "src"), ("commit", "-q", "-m", "Round the tax of an invoice half up")):
        subprocess.run([*git, *words], check=True, capture_output=True, env=shell.environment)
    (folder / "notes.txt").write_text("the only copy\n")
    cache = folder / ".claude" / "sdd-cache"
    cache.mkdir(parents=True)
    (cache / "a.json").write_text(json.dumps(PAGE))
    (folder / "event.json").write_text(json.dumps({"hook_event_name": "SessionStart", "session_id": "plugged"}))
    shutil.copy(DATA / "payloads" / "statusline-after-turn.json", folder / "input.json")
    for name in ("code/website", "old/shop", ".claude-mem", ".config/fish/completions", "models"):
        (house / name).mkdir(parents=True)
    (house / ".local" / "share" / "holdfast" / "backups").mkdir(parents=True)
    (house / "models" / "arctic-embed-s").symlink_to(arctic())
    transcripts = house / ".claude" / "projects" / "-home-me-website"
    transcripts.mkdir(parents=True)
    shutil.copy(
        DATA / "transcripts" / "tools-2.1.325.jsonl", transcripts / "5f0c8a52-11aa-4c0e-9a3d-000000000001.jsonl"
    )
    with closing(sqlite3.connect(house / ".claude-mem" / "claude-mem.db")) as made:
        made.executescript(
            "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, title TEXT,"
            " created_at_epoch INTEGER);"
            "INSERT INTO observations VALUES (1, 'm', 'garden', 'Roses need sun', 1760000000000);"
        )
