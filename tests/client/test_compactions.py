"""Every way of a compaction, by trigger and surface: what the next window holds, and who was asked for it.

The table is in docs/how-to/continuity.md. A client stays open while the choice changes: the daemon is renewed between.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from holdfast.install.plugin import source
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.later import Later
from tests.client.bed.request import Kind, Request
from tests.client.bed.script import Say, Turn, Usage, Use
from tests.client.bed.tui import Tui
from tests.client.held import install
from tests.client.test_continuity import DECIDED, FULL, POOR, call, told
from tests.support.daemon import DaemonHome, until
from tests.support.patient import PatientHome

LARGE = Usage(input_tokens=5, cache_read_input_tokens=300_000)
IDLE_SECONDS = 54 * 60
MOD_WAITS, MOD_WAITS_HERE = "const SECOND = 1000\n", "const SECOND = 3000\n"
"""How long the mod waits for the daemon before it leaves a compaction to the client: a busy machine needs longer. Far
less than the supervisor waits for a worker that hangs: else the next one answers."""
BACK, BESIDE, NOTE = (
    "The summary of this conversation leaves out what follows",
    "[holdfast-note] The summary above leaves out",
    "[holdfast-note] Where this conversation stands",
)
WAYS = {"client": (1, 0, 0), "both": (0, 1, 0), "holdfast": (0, 0, 1)}
"""How often each of the three stands in the next window."""


@pytest.fixture
def home() -> Iterator[DaemonHome]:
    """What a window holds is made by steps of events: on a busy machine none must be left out because it is late."""
    made = PatientHome()
    yield made
    made.remove()


class Compactions:
    """A conversation that is compacted again and again."""

    def __init__(self, api: Api, daemon: DaemonHome, ask: Callable[[str], None]) -> None:
        self.api = api
        self.daemon = daemon
        self.ask = ask
        self.way = "client"
        self.asked: list[str] = []
        self.compacted = self.summaries = 0

    def choose(self, way: str, policy: str = "checkpoint") -> None:
        self.way = way
        chosen = f'[continuity]\ncompaction = "{way}"\non_auto_compact = "{policy}"\n'
        self.daemon.home.config.write_text(chosen)
        self.daemon.stop()
        self.daemon.start()  # on the port that the hooks name

    def turn(self, text: str, *turns: Turn | Say) -> None:
        """A prompt and all that the model answers to it."""
        self.asked.append(text)
        self.api.script(*turns)
        self.ask(text)
        until(lambda: self.api.left() == 0 and not self.api.busy(), f"the turn of {text!r} is over")

    def automatic(self, name: str) -> None:
        first, second = (Use("Bash", {"command": f"echo {name} {each}", "description": "say it"}) for each in (1, 2))
        turns = Turn([Say(DECIDED), first]), Turn([Say("Working."), second], usage=FULL), Say(f"{name} done.")
        self.turn(f"Please do {name} of UPL-311.", *turns)
        self.settled()
        self.check(self.api.of(Kind.MAIN)[-1], name)

    def later(self, name: str, usage: Usage, compact: Callable[[], None]) -> None:
        """A compaction between two turns."""
        self.turn(f"Please do {name} of UPL-311.", Turn([Say(DECIDED)], usage=usage))
        until(lambda: len(self.daemon.journal(event="Stop")) >= len(self.asked), "the turn was followed")
        compact()
        self.settled()
        self.turn(f"Go on after {name}.", Say("Going on."))
        self.check(self.api.of(Kind.MAIN)[-1], name)

    def hung(self) -> None:
        """The daemon hangs while the client compacts: after a while the mod leaves it to the client. Its supervisor is
        stopped, too: on a slow machine it would replace the worker before the client asks, and the next one answers."""
        status = self.daemon.status()
        stopped = [status[name] for name in ("pid", "worker_pid")]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            self.ask("/compact")
            until(lambda: sum(map(is_summary, self.api.requests)) > self.summaries, "the client sums up by itself")
        finally:
            for pid in reversed(stopped):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
        asked = told([each for each in self.api.requests if is_summary(each)][-1])
        assert "Additional Instructions:\n{}" not in asked, "a hook with nothing to say adds nothing, not even `{}`"
        self.settled()
        self.summaries = sum(map(is_summary, self.api.requests))

    def killed(self, way: str) -> None:
        """The daemon and its guardian are killed while the mod waits for an answer: the client compacts by itself, a
        hook brings the daemon back, and that gives back what the summary lost."""
        self.choose(way)
        self.turn(f"Please do killed-{way} of UPL-311.", Say(DECIDED))
        until(lambda: len(self.daemon.journal(event="Stop")) >= len(self.asked), "the turn was followed")
        for name in ("pid", "worker_pid"):
            os.kill(self.daemon.facts[name], signal.SIGSTOP)
        self.ask("/compact")
        until(lambda: is_waited_for(self.daemon.home.socket), "the mod asks the daemon")
        self.daemon.kill()
        until(lambda: sum(map(is_summary, self.api.requests)) > self.summaries, "the client sums up by itself")
        until(self.daemon.answers, "a hook brought the daemon back")
        self.turn(f"Go on after killed-{way}.", Say("Going on."))
        self.way = "client"
        self.check(self.api.of(Kind.MAIN)[-1], f"killed-{way}")
        self.compacted = len(self.daemon.journal(event="PostCompact"))

    def refused(self, policy: str) -> None:
        """An automatic compaction is refused: nothing is summed up, and where the work stands is saved."""
        self.choose("holdfast", policy)
        saved, before = len(call(self.daemon, "list_checkpoints")), len(self.daemon.journal(event="PreCompact"))
        first, second = (Use("Bash", {"command": f"echo {each}", "description": "say it"}) for each in (1, 2))
        self.api.script(Turn([Say(DECIDED), first]), Turn([Say("Working."), second], usage=FULL))
        self.ask("Please do the last of UPL-311.")
        until(lambda: len(self.daemon.journal(event="PreCompact")) > before, "it was refused")
        until(lambda: len(call(self.daemon, "list_checkpoints")) > saved, "it was saved")
        assert len(self.daemon.journal(event="PostCompact")) == self.compacted
        assert sum(map(is_summary, self.api.requests)) == self.summaries

    def settled(self) -> None:
        self.compacted += 1
        until(lambda: len(self.daemon.journal(event="PostCompact")) == self.compacted, "the compaction is over")

    def check(self, request: Request, name: str) -> None:
        window = told(request)
        asked = f"Please do {name} of UPL-311."
        assert window.count(asked) == 1, (self.way, name, window)
        assert tuple(window.count(each) for each in (BACK, BESIDE, NOTE)) == WAYS[self.way], (self.way, name, window)
        assert "POOR-SUMMARY" in window or self.way == "holdfast", (self.way, name)
        summaries = sum(map(is_summary, self.api.requests))
        assert (summaries > self.summaries) is (self.way != "holdfast"), "no model is asked when holdfast answers"
        self.summaries = summaries
        session = self.daemon.journal(event="SessionStart")[0]["session_id"]
        assert call(self.daemon, "lost", window=session)["way"] == self.way


def is_summary(request: Request) -> bool:
    """Is the model asked to sum the conversation up? (With instructions of ours it asks in other words.)"""
    return "Your task is to create a detailed summary of " in told(request)


def is_waited_for(socket: Path) -> bool:
    """Has somebody connected to this socket whom nobody has accepted yet? (Known on Linux only.)"""
    if sys.platform != "linux":
        return True
    rows = (line.split() for line in Path("/proc/net/unix").read_text().splitlines())
    return any(row[-1] == str(socket) and row[5] == "02" for row in rows)


def by_plugin(claude: Claude) -> tuple[str, str]:
    folder = claude.home / "plugin"
    shutil.copytree(source(), folder)  # the client lays files beside what it loads
    waits = folder / "hooks" / "daemon.mjs"
    said = waits.read_text("utf-8")
    assert said.count(MOD_WAITS) == 1
    waits.write_text(said.replace(MOD_WAITS, MOD_WAITS_HERE), "utf-8")
    return "--plugin-dir", str(folder)


class Streamed:
    """A client in print mode that takes one prompt after the other."""

    def __init__(self, claude: Claude, *arguments: str) -> None:
        self.running = claude.start(None, "--input-format", "stream-json", *arguments, stdin="")

    def send(self, text: str) -> None:
        message = {"role": "user", "content": [{"type": "text", "text": text}]}
        stdin = self.running.process.stdin
        assert stdin is not None
        stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
        stdin.flush()

    def end(self) -> None:
        self.running.kill()
        self.running.process.wait()


@pytest.mark.requirement("CON-6")
@pytest.mark.requirement("CON-14")
def test_every_compaction_in_print_mode(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    plugin = by_plugin(claude)
    api.summary = POOR
    api.script(*[POOR] * 20, when=is_summary)
    client = Streamed(claude, *plugin)
    talk = Compactions(api, daemon, client.send)
    for way in WAYS:
        talk.choose(way)
        talk.automatic(f"auto-{way}")
        talk.later(f"manual-{way}", Usage(), lambda: client.send("/compact"))
    talk.hung()
    talk.killed("holdfast")
    talk.refused("block")
    client.end()


@pytest.mark.requirement("CON-6")
@pytest.mark.requirement("CON-14")
def test_a_compaction_while_the_client_waits(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    """On a host of its maker the client compacts while it waits, shortly before it would end (2.1.325)."""
    install(claude, daemon)
    api.summary = POOR
    api.script(*[POOR] * 20, when=is_summary)
    claude.env |= {"CLAUDE_CODE_REMOTE": "1", "CLAUDE_CODE_SLEEP_COMPACT": "1"}
    claude.env |= {"CLAUDE_CODE_EXIT_AFTER_STOP_DELAY": "30500", "CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS": "100000"}
    client = Streamed(claude, *by_plugin(claude))
    talk = Compactions(api, daemon, client.send)
    for way in WAYS:
        talk.choose(way)
        talk.later(f"idle-{way}", LARGE, lambda: None)
    client.end()


@pytest.mark.requirement("CON-6")
@pytest.mark.requirement("CON-14")
def test_every_compaction_in_the_terminal(claude: Claude, api: Api, daemon: DaemonHome, tui: Tui) -> None:
    install(claude, daemon)
    api.summary = POOR
    api.script(*[POOR] * 20, when=is_summary)
    tui.start(*by_plugin(claude))
    talk = Compactions(api, daemon, tui.submit)
    for way in WAYS:
        talk.choose(way)
        talk.automatic(f"auto-{way}")
        talk.later(f"manual-{way}", Usage(), lambda: tui.submit("/compact"))
    talk.refused("block")


@pytest.mark.requirement("CON-6")
@pytest.mark.requirement("CON-14")
@pytest.mark.skipif(sys.platform != "linux", reason="the client's clocks are set by Linux's dynamic linker")
def test_a_compaction_while_the_terminal_is_idle(
    claude: Claude, api: Api, daemon: DaemonHome, tui: Tui, tmp_path: Path
) -> None:
    """The client compacts when nine tenths of the prompt cache's hour are over (2.1.325). Its clocks are set forward.
    It looks at them by itself, because the mod asks for its pane again and again. A key would be a user who is back."""
    install(claude, daemon)
    api.summary = POOR
    api.script(*[POOR] * 20, when=is_summary)
    claude.env |= {"ENABLE_PROMPT_CACHING_1H": "1", "CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS": "100000"}
    later = Later(tmp_path)
    tui.start(*by_plugin(claude), before=later.command)
    talk = Compactions(api, daemon, tui.submit)

    def wait() -> None:
        tui.wait_idle()
        later.forward(IDLE_SECONDS)

    for way in WAYS:
        talk.choose(way)
        talk.later(f"idle-{way}", LARGE, wait)
