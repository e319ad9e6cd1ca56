"""The interactive client in a terminal: a tmux server of its own, keys in, screen out.

The home and its settings are claude.py's business; this only starts, types, waits and ends.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude, options
from tests.support.patience import PATIENCE

_WORKING = "esc to interrupt"
_PROMPT = "❯"


class Tui:
    """One interactive client. `close` ends its tmux server and with it the client."""

    def __init__(self, claude: Claude, api: Api, *, width: int = 160, height: int = 50) -> None:
        tmux = shutil.which("tmux")
        if tmux is None:
            raise AssertionError("tmux is not on PATH, so the interactive client cannot be driven: install tmux.")
        self._claude = claude
        self._api = api
        # Sockets have short paths, so not below the test's own directory.
        self._sockets = Path(tempfile.mkdtemp(prefix="bed-"))
        self._base = [tmux, "-L", "bed", "-f", os.devnull]
        self._size = ["-x", str(width), "-y", str(height)]

    def start(
        self,
        *args: str,
        model: str | None = None,
        mode: str = "bypassPermissions",
        resume: str | None = None,
        before: Sequence[str] = (),
        timeout: float = PATIENCE,
    ) -> None:
        """Starts the client (behind the command that runs it, if there is one) and waits for its prompt box."""
        command = [*before, str(self._claude.binary), "--permission-mode", mode, *options(model, resume), *args]
        self._tmux("new-session", "-d", *self._size, "-c", str(self._claude.project), *command)
        # What the client leaves on the screen when it ends is worth reading.
        self._tmux("set-option", "-g", "remain-on-exit", "on")
        self.wait_for(_PROMPT, timeout)
        self.wait_idle(timeout)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-t", ":0", "-l", text)

    def key(self, *names: str) -> None:
        """Presses keys by their tmux names: Enter, Escape, C-c, Up."""
        self._tmux("send-keys", "-t", ":0", *names)

    def submit(self, text: str, timeout: float = PATIENCE) -> None:
        """Types a line, waits until the client shows it, and presses Enter."""
        self.type(text)
        self.wait_for(text[-60:], timeout)
        # Text and Enter in one burst would be taken for a paste, where Enter is a newline.
        time.sleep(0.1)
        self.key("Enter")

    def ask(self, text: str, timeout: float = PATIENCE) -> None:
        """Submits a line and waits until the client has nothing left to do."""
        self.submit(text)
        self.wait_idle(timeout)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-t", ":0", "-p", check=False)

    def wait_for(self, text: str, timeout: float = PATIENCE) -> str:
        """The screen once it shows this text."""
        deadline = time.monotonic() + timeout
        while text not in (screen := self.screen()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{text!r} did not appear within {timeout} s. The screen:\n{screen}")
            time.sleep(0.05)
        return screen

    def wait_idle(self, timeout: float = PATIENCE, quiet: float = 0.7) -> str:
        """The screen once it has stood still for `quiet` seconds, no request waits and no turn runs."""
        deadline = time.monotonic() + timeout
        last, since = "", time.monotonic()
        while True:
            screen, now = self.screen(), time.monotonic()
            if screen != last or self._api.busy() or _WORKING in screen:
                last, since = screen, now
            elif now - since >= quiet:
                return screen
            if now > deadline:
                raise AssertionError(f"the client was not idle within {timeout} s. The screen:\n{screen}")
            time.sleep(0.05)

    def ended(self) -> bool:
        """Whether the client has ended by itself."""
        return self._tmux("display-message", "-t", ":0", "-p", "#{pane_dead}", check=False).strip() != "0"

    def wait_ended(self, timeout: float = PATIENCE) -> None:
        deadline = time.monotonic() + timeout
        while not self.ended():
            if time.monotonic() > deadline:
                raise AssertionError(f"the client did not end within {timeout} s. The screen:\n{self.screen()}")
            time.sleep(0.05)

    def tmux(self, *args: str) -> str:
        """Any command of the tmux server that the client runs in; its output."""
        return self._tmux(*args).strip()

    @property
    def inside(self) -> dict[str, str]:
        """What a program in this server finds in its environment."""
        return {"TMUX": f"{self._sockets}/tmux-{os.getuid()}/bed,0,0"}

    def close(self) -> None:
        self._tmux("kill-server", check=False)
        shutil.rmtree(self._sockets, ignore_errors=True)

    def _tmux(self, *args: str, check: bool = True) -> str:
        # The server keeps the environment it was started with and hands it to the client.
        environment = {**self._claude.environment(), "TMUX_TMPDIR": str(self._sockets), "LC_ALL": "C.UTF-8"}
        done = subprocess.run([*self._base, *args], env=environment, capture_output=True, text=True, timeout=PATIENCE)
        if check and done.returncode != 0:
            raise AssertionError(f"tmux {args[0]} failed: {done.stderr.strip()}")
        return done.stdout
