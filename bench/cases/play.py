"""Plays the sessions of a case as hook events through the product's one composition, on a clock that stands still.

The store is SQLite in a temporary folder. The payloads have the shapes of `tests/data/payloads`; each session has a
transcript beside it, and its folder is a small git repository, so that branches and worktrees are what they say.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.cases.judge import Told
from bench.cases.model import Case, Session, Step
from bench.story import given
from tests.contract.site import Site
from tests.conversations.talk import Talk, context

from holdfast.store import sqlite_url
from holdfast.store.interface import Store

_FIRST_US = 1_790_000_000_000_000
_DAY_US = 24 * 3600 * 1_000_000
_STEP_US = 7_000_000
_GIT = ("git", "-c", "user.name=dev", "-c", "user.email=dev@example.org", "-c", "commit.gpgsign=false")
_SETTLES = frozenset({"Stop", "SessionEnd", "SubagentStop"})


@dataclass(slots=True)
class Prepared:
    """What every case begins with: a store that has its tables, a repository with one commit."""

    folder: Path

    @property
    def store(self) -> Path:
        return self.folder / "holdfast.db"

    @property
    def repository(self) -> Path:
        return self.folder / "repository"


def prepare() -> Prepared:
    made = Prepared(Path(tempfile.mkdtemp(prefix="hfc")))
    Site("sqlite", sqlite_url(made.store), made.folder / "backups").tell(_nothing)
    made.repository.mkdir()
    _git(made.repository, "init", "--quiet", "--template=", "--initial-branch=main")
    _git(made.repository, "commit", "--quiet", "--allow-empty", "--message", "start")
    return made


async def _nothing(store: Store) -> None:
    """Opening it makes the tables."""


def _git(folder: Path, *words: str) -> None:
    subprocess.run((*_GIT, *words), cwd=folder, check=True, capture_output=True)


def play(case: Case, prepared: Prepared) -> Told:
    """What the session after those of the case is told."""
    folder = Path(tempfile.mkdtemp(prefix="hfc"))
    try:
        shutil.copytree(prepared.repository, folder / "work" / "project")
        shutil.copyfile(prepared.store, folder / "holdfast.db")
        with _Clock() as clock:
            return asyncio.run(_played(case, folder, clock))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _played(case: Case, folder: Path, clock: _Clock) -> Told:
    site = Site("sqlite", sqlite_url(folder / "holdfast.db"), folder / "backups")
    async with site.open() as store:
        talk = Talk(store, home=folder / "home")
        try:
            stage = _Stage(talk, folder, clock, case.name)
            for number, session in enumerate(case.sessions, 1):
                await stage.session(session, number)
            return await stage.judged_session(case)
        finally:
            await talk.service.close()


class _Clock:
    """The time of the case, for this process: it moves only when the case says so."""

    def __init__(self) -> None:
        self.at_us = _FIRST_US
        self._real = (time.time_ns, time.time)

    def __enter__(self) -> _Clock:
        _replace("time_ns", lambda: self.at_us * 1_000)
        _replace("time", lambda: self.at_us / 1e6)
        return self

    def __exit__(self, *_: object) -> None:
        for name, clock in zip(("time_ns", "time"), self._real, strict=True):
            _replace(name, clock)


def _replace(name: str, value: object) -> None:
    setattr(time, name, value)


@dataclass(slots=True)
class _Stage:
    """Where the sessions of one case take place."""

    talk: Talk
    folder: Path
    clock: _Clock
    name: str
    conversations: dict[int, str] = field(default_factory=dict)
    cwd: Path = field(init=False)
    conversation: str = ""
    prompt_id: str = ""
    _used: int = 0

    def new_id(self) -> str:
        self._used += 1
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.name}/{self._used}"))

    @property
    def transcript(self) -> Path:
        return self.folder / "transcripts" / f"{self.conversation}.jsonl"

    def enter(self, session: Session, number: int) -> None:
        """The folder, the branch, the day and the conversation of a session."""
        self.clock.at_us = max(_FIRST_US + int(session.day * _DAY_US), self.clock.at_us + _STEP_US)
        root = self.folder / "work" / "project"
        self.cwd = self.folder / "work" / session.worktree if session.worktree else root
        if session.worktree and not self.cwd.exists():
            _git(root, "worktree", "add", "--quiet", "-b", session.branch or session.worktree, str(self.cwd))
        elif session.branch:
            _git(self.cwd, "checkout", "--quiet", "-B", session.branch)
        self.conversation = self.conversations.get(session.resume) or self.new_id()
        self.conversations[number] = self.conversation
        self.prompt_id = ""

    async def session(self, session: Session, number: int) -> None:
        self.enter(session, number)
        await self.tell("SessionStart", source="resume" if session.resume else "startup")
        for step in session.steps:
            await self.step(step)
        if session.ends:
            await self.tell("SessionEnd", reason="other")

    async def judged_session(self, case: Case) -> Told:
        self.enter(case.asked, len(case.sessions) + 1)
        blocks = await self.tell("SessionStart", source="resume" if case.asked.resume else "startup")
        told = Told(_items(blocks), {}, sum(block.tokens for block in blocks))
        for at, subject in dict.fromkeys((each.at, each.subject) for each in case.expected if each.at != "brief"):
            told.at[at, subject] = _items(await (self.read if at == "file" else self.ask)(subject))
        return told

    async def tell(self, event: str, **own: Any) -> list[given.Block]:
        """One event; the blocks that its answer gives."""
        self.clock.at_us += _STEP_US
        payload: dict[str, Any] = {
            "session_id": self.conversation,
            "transcript_path": str(self.transcript),
            "cwd": str(self.cwd),
            "hook_event_name": event,
        }
        if event != "SessionStart":
            payload["prompt_id"] = self.prompt_id
            if event != "SessionEnd":
                payload["permission_mode"] = "acceptEdits"
        is_command = event in ("SessionStart", "UserPromptSubmit")
        answer = await self.talk.tell(payload | own, source="command" if is_command else "http")
        if event in _SETTLES:
            await self.talk.settle()
        hook = given.HOOKS.get(event, event)
        return [given.Block(each[1], hook, 1, False, each[2]) for each in given.BLOCK.finditer(context(answer))]

    def note(self, kind: str, content: Any) -> None:
        """A line of the transcript."""
        self.transcript.parent.mkdir(exist_ok=True)
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(self.clock.at_us / 1e6))
        line: dict[str, Any] = {"type": kind, "isSidechain": False, "uuid": self.new_id(), "timestamp": moment}
        line |= {"cwd": str(self.cwd), "sessionId": self.conversation, "version": "2.1.325", "userType": "external"}
        line |= {"promptId": self.prompt_id} if kind == "user" else {}
        message: dict[str, Any] = {"role": kind, "content": content}
        if kind == "assistant":
            message |= {"id": f"msg_{self.new_id()[:16]}", "type": "message", "model": "claude-opus-5-5"}
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line | {"message": message}) + "\n")

    async def step(self, step: Step) -> None:
        await getattr(self, step.what)(*step.words)

    # --- the steps of a session, by their names in a case

    async def ask(self, prompt: str) -> list[given.Block]:
        self.prompt_id = self.new_id()
        self.note("user", prompt)
        return await self.tell("UserPromptSubmit", prompt=prompt)

    async def say(self, said: str) -> None:
        self.note("assistant", [{"type": "text", "text": said}])
        await self.tell("Stop", stop_hook_active=False, last_assistant_message=said, background_tasks=[])

    async def interrupt(self, said: str = "") -> None:
        """The user presses Escape: no Stop is sent; what the agent had said stands in the transcript alone."""
        if said:
            self.note("assistant", [{"type": "text", "text": said}])
        self.note("user", [{"type": "text", "text": "[Request interrupted by user]"}])
        self.clock.at_us += _STEP_US

    async def bash(self, command: str, output: str = "") -> None:
        if "git commit" in command:
            _git(self.cwd, "commit", "--quiet", "--allow-empty", "--message", "work")
        response = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
        await self.use("Bash", {"command": command, "description": "Run it"}, response)

    async def fail(self, command: str, output: str = "") -> None:
        error = output if output.startswith("Exit code") else f"Exit code 1\n{output}"
        await self.use("Bash", {"command": command, "description": "Run it"}, None, error)

    async def edit(self, path: str, line: str = "    return value") -> None:
        file = self._file(path, line)
        patch = [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-    pass", f"+{line}"]}]
        response = {"filePath": file, "oldString": "    pass", "newString": line, "structuredPatch": patch}
        arguments = {"file_path": file, "old_string": "    pass", "new_string": line, "replace_all": False}
        await self.use("Edit", arguments, response | {"userModified": False, "replaceAll": False})

    async def write(self, path: str, text: str = "new\n") -> None:
        file = self._file(path, text)
        response: dict[str, Any] = {"type": "create", "filePath": file, "content": text, "structuredPatch": []}
        await self.use("Write", {"file_path": file, "content": text}, response | {"originalFile": None})

    async def read(self, path: str) -> list[given.Block]:
        file = self._file(path, "    pass")
        content = {"filePath": file, "content": "    pass\n", "numLines": 2, "startLine": 1, "totalLines": 2}
        return await self.use("Read", {"file_path": file}, {"type": "text", "file": content})

    async def question(self, asked: str, answered: str) -> None:
        options = [{"label": answered, "description": answered}, {"label": "Something else", "description": "else"}]
        arguments = {"questions": [{"question": asked, "header": "Choose", "options": options, "multiSelect": False}]}
        response = arguments | {"answers": {asked: answered}, "annotations": {}}
        await self.use("AskUserQuestion", response, response)

    async def agent(self, task: str, found: str) -> None:
        """A subagent: what it was told to do, a look around, its last words."""
        who = {"agent_id": f"a{self.new_id().replace('-', '')[:16]}", "agent_type": "general-purpose"}
        arguments = {"description": task[:40], "prompt": task, "subagent_type": "general-purpose"}
        named = {"tool_name": "Agent", "tool_input": arguments, "tool_use_id": f"toolu_{self.new_id()[:14]}"}
        await self.tell("PreToolUse", **named)
        await self.tell("SubagentStart", **who)
        look: dict[str, Any] = {
            "tool_name": "Bash",
            "tool_input": {"command": "git grep -n TODO", "description": "Look"},
        }
        look["tool_use_id"] = f"toolu_{self.new_id()[:14]}"
        await self.tell("PreToolUse", **who, **look)
        output = {"stdout": "src/a:1: TODO", "stderr": "", "interrupted": False, "isImage": False}
        await self.tell("PostToolUse", **who, **look, tool_response=output)
        path = str(self.transcript.with_suffix("") / "subagents" / f"agent-{who['agent_id']}.jsonl")
        own = {"agent_transcript_path": path, "last_assistant_message": found, "stop_hook_active": False}
        await self.tell("SubagentStop", **who, **own)
        response = {"status": "completed", "prompt": task, "agentId": who["agent_id"], "agentType": who["agent_type"]}
        await self.tell("PostToolUse", **named, tool_response=response | {"content": [{"type": "text", "text": found}]})

    async def use(self, tool: str, arguments: dict[str, Any], response: Any, error: str = "") -> list[given.Block]:
        """A whole tool use; what was given before it."""
        named = {"tool_name": tool, "tool_input": arguments, "tool_use_id": f"toolu_{self.new_id()[:14]}"}
        self.note("assistant", [{"type": "tool_use", "id": named["tool_use_id"], "name": tool, "input": arguments}])
        blocks = await self.tell("PreToolUse", **named)
        content = error or (response.get("stdout", "") if tool == "Bash" else "done")
        result = {"tool_use_id": named["tool_use_id"], "type": "tool_result", "content": content}
        self.note("user", [result | {"is_error": bool(error)}])
        if error:
            await self.tell("PostToolUseFailure", **named, error=error, is_interrupt=False, duration_ms=40)
        else:
            await self.tell("PostToolUse", **named, tool_response=response, duration_ms=40)
        return blocks

    def _file(self, path: str, text: str) -> str:
        """The file is there, as it would be."""
        file = self.cwd / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(text, "utf-8")
        return str(file)


def _items(blocks: list[given.Block]) -> tuple[str, ...]:
    return tuple(line.said for block in blocks for line in block.items)


@contextmanager
def prepared() -> Iterator[Prepared]:
    made = prepare()
    try:
        yield made
    finally:
        shutil.rmtree(made.folder, ignore_errors=True)
