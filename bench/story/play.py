"""Plays one session of a story with the real client, and gives what was put before the model in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.story import given
from bench.story.model import DAY, Session, Step, Story, Turn
from bench.story.world import World
from tests.client.bed.claude import Running
from tests.client.bed.script import Say, Usage, Use
from tests.client.bed.script import Turn as Answer
from tests.client.held import counts, settled

_DIGESTS = 30.0
_FULL = Usage(input_tokens=990_000)


class Mismatch(Exception):
    """A session does not play as it is written."""


class Stopped(Exception):
    """The user ended the bench."""


@dataclass(slots=True)
class Played:
    """A session that was played, with all that was given in it."""

    story: Story
    session: Session
    blocks: list[given.Block] = field(default_factory=list)
    before: list[given.Block] = field(default_factory=list)
    """What the conversation was given before it was resumed."""

    @property
    def name(self) -> str:
        return f"{self.story.name}/{self.session.name}"


class Player:
    """Plays the sessions of a world, one after the other."""

    def __init__(self, world: World, first_day: float) -> None:
        self._world = world
        self._first_day = first_day
        self._conversations: dict[tuple[str, str], str] = {}
        self._given: dict[tuple[str, str], list[given.Block]] = {}
        self._known: set[str] = set()
        self._requests = 0

    def play(self, story: Story, session: Session) -> Played:
        if self._world.stopped.is_set():
            raise Stopped
        at = self._first_day + session.day * DAY
        world, repository = self._world, self._world.folders[story.name]
        world.daemon.set(at)
        world.claude.env |= world.environment(at)
        for command in session.before:
            world.shell(command, repository)
        folder = repository.parent / session.folder if session.folder else repository
        played = Played(story, session, before=self._given.get((story.name, session.resume), []))
        resume = self._conversations[story.name, session.resume] if session.resume else None
        words = ["--input-format", "stream-json"]
        first = _message(session.turns[0].prompt)
        scripted = [self._script(turn, folder) for turn in session.turns[:1]]
        running = world.claude.start(None, *words, resume=resume, stdin=first, cwd=folder)
        lines = _events(running)
        conversation = ""
        for number, turn in enumerate(session.turns, 1):
            if number > 1:
                scripted.append(self._script(turn, folder))
                _send(running, turn.prompt)
            conversation = self._until_result(lines, played, number)
            self._look(played, number)
            self._examine(f"{played.name}, prompt {number}", turn, scripted[-1])
        assert running.process.stdin is not None
        running.process.stdin.close()
        for _ in lines:
            pass
        running.process.wait()
        self._conversations[story.name, session.name] = conversation
        self._given[story.name, session.name] = [*played.before, *played.blocks]
        if world.stopped.is_set():
            raise Stopped
        self._settle(played.name, conversation)
        return played

    def _settle(self, name: str, conversation: str) -> None:
        """Wait until the daemon has digested the session. On a crowded machine a hook may come too late: then nothing
        was given there, which the reader has to know, and the story goes on."""
        daemon = self._world.daemon
        try:
            entries = settled(daemon, conversation, "Stop", "SessionEnd", seconds=_DIGESTS)
            late = [entry["event"] for entry in entries if entry["source"] not in ("http", "command")]
            if late:
                print(f"{name}: did not reach the daemon in time: {', '.join(late)}", file=sys.stderr, flush=True)
        except AssertionError:
            seen, jobs = counts(daemon.journal(session=conversation)), daemon.status()["queue"]["jobs"]
            print(
                f"{name}: not settled within {_DIGESTS} s: {dict(seen)}, {jobs} jobs wait", file=sys.stderr, flush=True
            )

    def _until_result(self, lines: Iterator[dict[str, Any]], played: Played, number: int) -> str:
        for line in lines:
            if line.get("type") == "result":
                if line.get("is_error"):
                    raise Mismatch(f"{played.name}, prompt {number}: {str(line)[:1_000]}")
                return str(line["session_id"])
        if self._world.stopped.is_set():
            raise Stopped
        raise Mismatch(f"{played.name}: the client ended before prompt {number} was answered.")

    def _look(self, played: Played, number: int) -> None:
        requests = self._world.api.requests[self._requests :]
        self._requests += len(requests)
        played.blocks += given.blocks(requests, number, self._known)

    def _script(self, turn: Turn, folder: Path) -> list[tuple[Use, Step]]:
        uses = []
        for step in turn.steps:
            use = self._use(step, folder)
            uses.append((use, step))
            if step.agent or step.answer:
                inner = [self._use(each, folder) for each in step.agent]
                uses += zip(inner, step.agent, strict=True)
                self._world.api.agent(str(step.input["prompt"]), *inner, Say(step.answer))
            blocks: list[Say | Use] = [Say(step.says), use] if step.says else [use]
            self._world.api.script(Answer(blocks, usage=_FULL) if step.compacts else Answer(blocks))
        self._world.api.script(Say(turn.says))
        return uses

    def _use(self, step: Step, folder: Path) -> Use:
        def whole(text: str) -> str:
            memory = str(self._world.memory_folder(folder))
            return text.replace("{root}", str(folder)).replace("{memory}", memory)

        return Use(step.tool, {name: whole(value) if isinstance(value, str) else value
                               for name, value in step.input.items()})  # fmt: skip

    def _examine(self, name: str, turn: Turn, uses: list[tuple[Use, Step]]) -> None:
        """Did every tool end as the story says?"""
        api = self._world.api
        if api.left() or api.unscripted:
            raise Mismatch(f"{name}: {api.left()} steps were not asked for, {len(api.unscripted)} requests had none.")
        for use, step in uses:
            result = api.result(use)
            if bool(result.is_error) != step.fails or "hook error" in result.text:
                how = "failed" if result.is_error else "went well"
                raise Mismatch(f"{name}: {step.tool} {dict(use.input)} {how}: {result.text[:1_500]}")


def _message(prompt: str) -> str:
    content = [{"type": "text", "text": prompt}]
    return json.dumps({"type": "user", "message": {"role": "user", "content": content}}) + "\n"


def _send(running: Running, prompt: str) -> None:
    assert running.process.stdin is not None
    running.process.stdin.write(_message(prompt))
    running.process.stdin.flush()


def _events(running: Running) -> Iterator[dict[str, Any]]:
    assert running.process.stdout is not None
    for line in running.process.stdout:
        if line.startswith("{"):
            yield json.loads(line)
