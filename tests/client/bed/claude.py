"""The real client in a home of its own: configuration, environment and `-p` runs.

Nothing of the machine's own client reaches it: the environment is built from nothing. The interactive client
is tui.py's business.
"""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from tests.client.bed.install import PINNED, client
from tests.support.patience import PATIENCE

Scope = Literal["user", "project", "local"]

# Not a key of anyone: the client wants one that its configuration has approved, by the last 20 characters.
_KEY = "placeholder-for-the-scripted-api"


@dataclass(frozen=True)
class Result:
    """What a `-p` run left behind."""

    code: int
    stdout: str
    stderr: str
    debug: Path
    config: Path

    @cached_property
    def lines(self) -> list[dict[str, Any]]:
        """The stream-json lines, hook events among them."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]

    @property
    def session(self) -> str:
        return str(next(line["session_id"] for line in self.lines if "session_id" in line))

    @property
    def text(self) -> str:
        """The final answer, as `-p` would print it."""
        results = [line for line in self.lines if line.get("type") == "result"]
        return str(results[-1].get("result", "")) if results else ""

    def hooks(self, event: str) -> list[dict[str, Any]]:
        """The hook_response lines of an event: `outcome`, `output`, `stdout`, `exit_code`."""
        return [line for line in self.lines if line.get("subtype") == "hook_response" and line["hook_event"] == event]

    @property
    def transcript(self) -> Path:
        return find_transcript(self.config, self.session)

    def transcript_lines(self) -> list[dict[str, Any]]:
        return read_lines(self.transcript)


class Running:
    """A `-p` run under way, in a process group of its own."""

    def __init__(self, process: subprocess.Popen[str], debug: Path, config: Path) -> None:
        self.process = process
        self._debug = debug
        self._config = config

    def wait(self, timeout: float = PATIENCE) -> Result:
        try:
            stdout, stderr = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            stdout, stderr = self.process.communicate()
            raise AssertionError(
                f"the client did not end within {timeout} s.\n{stdout[-2000:]}\n{stderr[-2000:]}"
            ) from None
        return Result(self.process.returncode, stdout, stderr, self._debug, self._config)

    def kill(self, signal_number: int = signal.SIGKILL) -> None:
        """Ends this run and what it started, nothing else."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal_number)


class Claude:
    """An isolated home with a trusted project and one client version."""

    def __init__(self, root: Path, api_url: str, version: str = PINNED, *, git: bool = True) -> None:
        self.binary = client(version)
        self.version = version
        self.home = root / "home"
        self.config = self.home / ".claude"
        self.project = root / "project"
        self.temporary = root / "tmp"
        self.env: dict[str, str] = {}
        self._api_url = api_url
        self._runs = 0
        self._running: list[Running] = []
        for each in (self.config, self.project, self.temporary):
            each.mkdir(parents=True)
        self._write_state()
        if git:
            self._make_repository()

    def environment(self) -> dict[str, str]:
        """The client's whole environment; tests add to it through `env`."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return {
            **kept,
            "TERM": "xterm-256color",
            "SHELL": "/bin/bash",
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "CLAUDE_CODE_TMPDIR": str(self.temporary),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "GIT_CONFIG_NOSYSTEM": "1",
            "ANTHROPIC_BASE_URL": self._api_url,
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
            **self.env,
        }

    def settings_path(self, scope: Scope = "user") -> Path:
        match scope:
            case "user":
                return self.config / "settings.json"
            case "project":
                return self.project / ".claude" / "settings.json"
            case "local":
                return self.project / ".claude" / "settings.local.json"

    def settings(self, content: Mapping[str, Any], scope: Scope = "user") -> Path:
        """Writes the settings of a scope, in place of what was there."""
        path = self.settings_path(scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2))
        return path

    def start(
        self,
        prompt: str | None,
        *args: str,
        model: str | None = None,
        mode: str = "bypassPermissions",
        resume: str | None = None,
        stdin: str | None = None,
        cwd: Path | None = None,
    ) -> Running:
        """Starts a `-p` run. Without a prompt, pass `stdin`."""
        self._runs += 1
        debug = self.temporary / f"debug-{self._runs}.log"
        command = [str(self.binary), "-p", *([prompt] if prompt is not None else [])]
        command += ["--output-format", "stream-json", "--verbose", "--debug-file", str(debug)]
        if self._knows("--include-hook-events"):
            command.append("--include-hook-events")
        command += ["--permission-mode", mode, *options(model, resume), *args]
        process = subprocess.Popen(
            command,
            cwd=cwd or self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        if stdin is not None and process.stdin is not None:
            process.stdin.write(stdin)
            process.stdin.flush()
        running = Running(process, debug, self.config)
        self._running.append(running)
        return running

    def run(
        self,
        prompt: str | None,
        *args: str,
        model: str | None = None,
        mode: str = "bypassPermissions",
        resume: str | None = None,
        stdin: str | None = None,
        cwd: Path | None = None,
        timeout: float = PATIENCE,
    ) -> Result:
        """A whole `-p` session; past the timeout its own process group is killed and the test fails."""
        running = self.start(prompt, *args, model=model, mode=mode, resume=resume, stdin=stdin, cwd=cwd)
        return running.wait(timeout)

    def command(self, *args: str, timeout: float = PATIENCE) -> subprocess.CompletedProcess[str]:
        """Another command of the client: `plugin validate`, `mcp add`, `--version`."""
        return subprocess.run(
            [str(self.binary), *args],
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    def git(self, *args: str) -> str:
        """Runs git in the project with the home's own identity; its stdout."""
        git = shutil.which("git")
        if git is None:
            raise AssertionError("git is not on PATH; the bed's projects are real repositories.")
        done = subprocess.run(
            [git, *args], cwd=self.project, env=self.environment(), capture_output=True, text=True, check=True
        )
        return done.stdout

    def transcript(self, session: str) -> Path:
        return find_transcript(self.config, session)

    def close(self) -> None:
        """Ends runs that a test left behind."""
        for running in self._running:
            running.kill()
            running.process.wait()

    def _knows(self, option: str) -> bool:
        # An unknown option ends the client; --include-hook-events came after 2.1.72.
        return option in _help(self.binary, self.environment())

    def _write_state(self) -> None:
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state = {
            "hasCompletedOnboarding": True,
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
            "projects": {str(self.project): trusted},
        }
        (self.config / ".claude.json").write_text(json.dumps(state))

    def _make_repository(self) -> None:
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Dev\n\temail = dev@example.invalid\n[init]\n\tdefaultBranch = main\n"
        )
        self.git("init", "--quiet")
        (self.project / "README.md").write_text("# A project\n")
        self.git("add", "README.md")
        self.git("commit", "--quiet", "--message", "Start")


def options(model: str | None, resume: str | None) -> list[str]:
    """The command-line words for what -p and the interactive client share."""
    words: Sequence[tuple[str, str | None]] = (("--model", model), ("--resume", resume))
    return [word for name, value in words if value is not None for word in (name, value)]


def find_transcript(config: Path, session: str) -> Path:
    found = sorted((config / "projects").glob(f"*/{session}.jsonl"))
    if len(found) != 1:
        raise AssertionError(f"session {session} has {len(found)} transcripts instead of one.")
    return found[0]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The parsed lines of a transcript; a line still being written is left out."""
    whole = path.read_text().rpartition("\n")[0]
    return [json.loads(line) for line in whole.splitlines() if line]


_HELP: dict[Path, str] = {}


def _help(binary: Path, environment: Mapping[str, str]) -> str:
    if binary not in _HELP:
        done = subprocess.run(
            [str(binary), "--help"], env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
        _HELP[binary] = done.stdout
    return _HELP[binary]
