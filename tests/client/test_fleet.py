"""Which agent needs a person, in the real client under tmux: a whole conversation, Esc, background agents, two clients
in one project, the colours of real panes."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from holdfast.install.plugin import source
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Fail, Say, Turn, Use
from tests.client.bed.tui import Tui
from tests.client.held import install
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE
from tests.support.patient import PatientHome

HOLDFAST = Path(sys.executable).parent / "holdfast"
STYLE = ("show-options", "-p", "-q", "-v", "-t", "%0", "window-style")
DIALOG = "Do you want to proceed?"
WORKING = "esc to interrupt"
Row = dict[str, Any]


@pytest.fixture
def home() -> Iterator[DaemonHome]:
    """A status is one step of an event: on a busy machine it must not be left out because it is late."""
    made = PatientHome()
    yield made
    made.remove()


def configure(claude: Claude, daemon: DaemonHome, program: str, more: str = "") -> None:
    """The client's own list is asked of the client under test, or not at all: never of one on this machine's PATH."""
    daemon.stop()
    daemon.home.config.write_text(f"[fleet]\nclient = {json.dumps(program)}\n{more}")
    daemon.start()
    install(claude, daemon)


def fleet(daemon: DaemonHome) -> list[Row]:
    status, rows = daemon.request("POST", "/api/tools/fleet", b"{}")
    assert status == 200, rows
    return list(rows)


def main_of(daemon: DaemonHome, session: str = "") -> Row:
    """The main agent of a session; of the only one when none is named."""
    found = [row for row in fleet(daemon) if row["parent"] is None and session in ("", row["session_id"])]
    return found[0] if found else {}


def until_status(daemon: DaemonHome, status: str, session: str = "", **fields: Any) -> Row:
    def is_so() -> bool:
        row = main_of(daemon, session)
        return row.get("status") == status and all(row[name] == value for name, value in fields.items())

    try:
        until(is_so, f"the status {status} {fields}", PATIENCE)
    except AssertionError as error:
        raise AssertionError(f"{error}; the fleet: {json.dumps(fleet(daemon), indent=1)}") from None
    return main_of(daemon, session)


def say(tui: Tui, daemon: DaemonHome, text: str) -> None:
    """Submit a prompt, and see that it came. A busy client takes text and Enter for one paste now and then. Enter is
    pressed again only where nothing has begun: in a dialog it would be an answer."""
    tui.submit(text)
    pressed = time.monotonic()

    def came() -> bool:
        nonlocal pressed
        if any(entry["payload"]["prompt"].startswith(text) for entry in daemon.journal(event="UserPromptSubmit")):
            return True
        if time.monotonic() > pressed + 5 and not any(begun in tui.screen() for begun in (DIALOG, WORKING)):
            tui.key("Enter")
            pressed = time.monotonic()
        return False

    until(came, f"the prompt {text!r} came")


def press(tui: Tui, key: str, shown: str) -> None:
    """Press a key while the screen shows something, until it does not. A busy client overlooks a key now and then."""
    tui.wait_for(shown)
    pressed = 0.0

    def is_gone() -> bool:
        nonlocal pressed
        if shown not in tui.screen():
            return True
        if time.monotonic() > pressed + 3:
            tui.key(key)
            pressed = time.monotonic()
        return False

    until(is_gone, f"{key} ends {shown!r}")


@pytest.mark.requirement("FLT-1")
@pytest.mark.requirement("FLT-3")
@pytest.mark.requirement("FLT-5")
def test_a_whole_conversation(claude: Claude, api: Api, daemon: DaemonHome, tui: Tui, tmp_path: Path) -> None:
    told = tmp_path / "told"
    command = json.dumps(["/bin/sh", "-c", f'cat >> "{told}"; printf "%s\\n" "$FLEET_NEEDS" >> "{told}"'])
    configure(
        claude, daemon, str(claude.binary), f'notify = ["command"]\ncommand = {command}\nnotify_after_seconds = 1\n'
    )
    claude.env |= {"AGENT_ID": "builder", "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}
    tui.start(mode="default")
    row = until_status(daemon, "done")
    assert (row["agent_id"], row["project"], row["pane"]) == ("builder", "project", "%0")
    assert row["pid"] == int(tui.tmux("display-message", "-t", "%0", "-p", "#{pane_pid}"))
    # A permission: it needs a person, who is told; the answer is seen in the next event of the tool.
    touch = Use("Bash", {"command": "touch made.txt; echo $(whoami)", "description": "make a file"})
    api.script(touch, Say("Made."))
    say(tui, daemon, "Make the file.")
    needs = until_status(daemon, "attention")["needs"]
    assert needs == "permission for Bash: touch made.txt; echo $(whoami)"
    until(lambda: told.exists() and told.read_text().count("\n") == 2, "a person was told")
    said, words = told.read_text().splitlines()
    assert json.loads(said)["needs"] == words == needs, "as values; no shell has read them"
    press(tui, "Enter", DIALOG)
    until_status(daemon, "done", message="")
    # Esc in a dialog, and in a turn: no event tells it, the client's own list does.
    api.script(touch)
    say(tui, daemon, "Again.")
    until_status(daemon, "attention")
    press(tui, "Escape", DIALOG)
    until_status(daemon, "done", message="interrupted")
    held = threading.Event()
    api.script(Turn([Say("Never said.")], hold=held))
    say(tui, daemon, "Think about it.")
    until_status(daemon, "working")
    press(tui, "Escape", "esc to interrupt")
    until_status(daemon, "done", message="interrupted")
    held.set()
    assert not [entry for entry in daemon.journal(event="Stop") if "Never" in str(entry["payload"])]
    # A turn that fails needs a person; `fleet seen` says that one has looked, and the next prompt is work again.
    api.script(Fail(429, "rate_limit_error", "scripted limit"))
    tui.key("C-u")
    say(tui, daemon, "Once more.")
    assert until_status(daemon, "error")["needs"].startswith("rate limit reached: ")
    done = subprocess.run(
        [HOLDFAST, "fleet", "seen", "builder"], env=daemon.environment, capture_output=True, text=True
    )
    assert done.stdout == "You have looked at 1 agent.\n", done.stderr
    assert main_of(daemon)["status"] == "checked"
    # A background agent: the Stop of its parent is not idle; its own question is its own.
    held = threading.Event()
    api.agent("LOOK AROUND", Turn([Say("Nothing found.")], hold=held))
    started = {"description": "look", "prompt": "LOOK AROUND", "subagent_type": "general-purpose"}
    api.script(Use("Agent", started), Say("It looks around."), Say("It found nothing."))
    say(tui, daemon, "Let somebody look around.")
    until_status(daemon, "working", background=1)
    until(lambda: [row["status"] for row in fleet(daemon) if row["parent"]] == ["working"], "its own row says so")
    (helper,) = [row for row in fleet(daemon) if row["parent"]]
    assert (helper["status"], helper["parent"], helper["agent_type"]) == ("working", "builder", "general-purpose")
    page = subprocess.run(
        [HOLDFAST, "fleet"], env=daemon.environment | {"COLUMNS": "80"}, capture_output=True, text=True
    )
    assert page.stdout.splitlines()[0] == "Working"
    assert all(len(line) <= 80 for line in page.stdout.splitlines())
    held.set()
    until_status(daemon, "done", background=0)
    assert [row for row in fleet(daemon) if row["parent"]] == []
    # A teammate: the Stop of its lead names it as running also while it is idle.
    held = threading.Event()
    api.agent("REVIEW IT", Turn([Say("It is fine.")], hold=held))
    api.script(Use("Agent", started | {"prompt": "REVIEW IT", "name": "bob"}), Say("Bob reviews."), Say("Bob is done."))
    say(tui, daemon, "Let bob review it.")
    until(lambda: [row["status"] for row in fleet(daemon) if row["name"] == "bob"] == ["working"], "bob works")
    until_status(daemon, "working", background=1)
    held.set()
    until_status(daemon, "done", background=0)
    (bob,) = [row for row in fleet(daemon) if row["parent"]]
    assert (bob["kind"], bob["name"], bob["status"], bob["parent"]) == ("teammate", "bob", "done", "builder")
    until(lambda: daemon.journal(event="TeammateIdle"), "it says that it is idle")
    tui.submit("/exit")
    tui.wait_ended()
    until_status(daemon, "done", ended=True)
    assert len(fleet(daemon)) == 1


@contextmanager
def coloured(daemon: DaemonHome, tui: Tui) -> Iterator[subprocess.Popen[str]]:
    """`holdfast fleet --tmux` in the server of this client, until the end of the block."""
    environment = daemon.environment | tui.inside
    running = subprocess.Popen([HOLDFAST, "fleet", "--tmux"], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield running
    finally:
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == 0


@contextmanager
def person_at(tui: Tui) -> Iterator[Callable[[], None]]:
    """Somebody sits at a terminal that is attached to this tmux server; calling it presses a key of tmux."""
    pid, terminal = pty.fork()
    if not pid:
        os.environ["TERM"] = "xterm-256color"
        os.environ.pop("TMUX", None)
        os.execvp("tmux", ["tmux", "-S", tui.inside["TMUX"].partition(",")[0], "attach-session"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    reading = threading.Thread(target=_read_all, args=(terminal,), daemon=True)
    reading.start()
    try:
        until(lambda: tui.tmux("list-clients"), "somebody is there")
        yield lambda: _press(terminal)
    finally:
        tui.tmux("detach-client", "-s", "0")
        os.waitpid(pid, 0)
        reading.join(PATIENCE)
        os.close(terminal)


def _press(terminal: int) -> None:
    os.write(terminal, b"\x02i")  # tmux shows a line about the pane


def _read_all(terminal: int) -> None:
    with suppress(OSError):  # the other end is gone
        while os.read(terminal, 1 << 16):
            pass


@pytest.mark.requirement("FLT-1")
@pytest.mark.requirement("FLT-2")
def test_two_clients_in_one_project_and_the_colours_of_their_panes(
    claude: Claude, api: Api, daemon: DaemonHome, tui: Tui
) -> None:
    configure(claude, daemon, "")
    plugin = claude.home / "plugin"
    shutil.copytree(source(), plugin)  # the client lays files beside what it loads
    other = Tui(claude, api)
    held = threading.Event()
    api.script(Turn([Say("Long thought.")], hold=held), when=lambda asked: "FIRST" in "".join(asked.prompts()))
    asking = Use("Bash", {"command": "touch second.txt", "description": "make a file"})
    api.script(asking, when=lambda asked: "SECOND" in "".join(asked.prompts()))
    try:
        tui.start(mode="default")
        first = until_status(daemon, "done")["session_id"]
        other.start("--plugin-dir", str(plugin), mode="default")
        until(lambda: len(fleet(daemon)) == 2, "both are known")
        second = next(row["session_id"] for row in fleet(daemon) if row["session_id"] != first)
        other.tmux("set-option", "-p", "-t", "%0", "window-style", "bg=colour100")
        with person_at(other) as person, coloured(daemon, tui), coloured(daemon, other):
            until(lambda: other.tmux("show-options", "-p", "-q", "-v", "-t", "%0", "@fleet_status"), "it is followed")
            last = int(other.tmux("list-clients", "-F", "#{client_activity}"))
            until(lambda: time.time() >= last + 1, "a second in which the person did nothing: tmux counts whole ones")
            say(tui, daemon, "FIRST: think.")
            say(other, daemon, "SECOND: touch.")
            until_status(daemon, "working", first)
            until_status(daemon, "attention", second)
            rows = fleet(daemon)
            assert [row["session_id"] for row in rows] == [second, first], "what needs a person comes first"
            assert {(row["project"], row["pane"]) for row in rows} == {("project", "%0")}, "two servers, one number"
            until(lambda: tui.tmux(*STYLE) == "bg=colour17", "the working pane is coloured")
            until(lambda: other.tmux(*STYLE) == "bg=colour58", "the pane that calls is coloured")
            held.set()
            until(lambda: tui.tmux(*STYLE) == "", "a pane that is done has its own style")
            assert main_of(daemon, second)["status"] == "attention", "a terminal alone has seen nothing"

            def was_seen() -> bool:
                person()  # again: tmux counts whole seconds, and one of that in which it called is no look
                return bool(main_of(daemon, second)["status"] == "checked")

            until(was_seen, "the person was seen")
            until(lambda: other.tmux(*STYLE) == "bg=colour236", "it is quiet now")
            assert main_of(daemon, second)["needs"].startswith("permission for Bash"), "looking is not answering"
        assert other.tmux(*STYLE) == "bg=colour100", "as it was before"
        assert "fleet" not in other.tmux("show-options", "-p", "-t", "%0")
        assert tui.tmux("show-options", "-p", "-t", "%0") == ""
        press(other, "Escape", DIALOG)
        until_status(daemon, "done", second, message="interrupted")  # the plugin's mod tells it: nothing else can
    finally:
        other.close()
