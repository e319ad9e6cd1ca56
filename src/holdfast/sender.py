"""Which agent sent an event, in which terminal: what the environment of a session says, and nothing else of it.

`AGENT_ID` names the agent, `TMUX_PANE` its pane, `CLAUDE_PID` the client's process, `HOLDFAST_RUN` the start by
`holdfast run`. The command client sends all of them as headers; an http hook sends `AGENT_ID` (`allowedEnvVars`).
Standard library only: the spool keeps it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

AGENT_HEADER = b"x-holdfast-agent-id"
PANE_HEADER = b"x-holdfast-pane"
PID_HEADER = b"x-holdfast-pid"
RUN_HEADER = b"x-holdfast-run"
LONGEST = 128


@dataclass(frozen=True, slots=True)
class Sender:
    """What is known of the process behind an event; nothing of it is proven."""

    agent: str = ""
    """`AGENT_ID`; '' without one."""
    pane: str = ""
    """`TMUX_PANE`, such as %3."""
    pid: int = 0
    """The client's process."""
    run: str = ""
    """The id of the start by `holdfast run`; '' without one. It matters while the client waits; it is not kept."""

    def told(self) -> dict[str, str]:
        """The fields that are known, as texts."""
        pid = str(self.pid) if self.pid else ""
        return {name: value for name, value in (("agent", self.agent), ("pane", self.pane), ("pid", pid)) if value}


NOBODY = Sender()


def sender_of(headers: Mapping[bytes, bytes]) -> Sender:
    """The sender that a request's headers name. Most name none."""
    agent, pane, pid = headers.get(AGENT_HEADER), headers.get(PANE_HEADER), headers.get(PID_HEADER)
    if not agent and not pane and not pid:
        return NOBODY
    run = _text(headers.get(RUN_HEADER))
    return read_sender({"agent": _text(agent), "pane": _text(pane), "pid": _text(pid), "run": run})


def read_sender(told: Any) -> Sender:
    """A sender from texts that somebody wrote; what does not fit is unknown."""
    if not isinstance(told, Mapping):
        return NOBODY
    agent, pane, pid, run = (fitting(told.get(name)) for name in ("agent", "pane", "pid", "run"))
    return Sender(agent, pane, int(pid) if pid.isdecimal() and pid.isascii() and len(pid) < 10 else 0, run)


def fitting(value: object) -> str:
    """A name as it is kept: printable, of a bounded length. A client that fills in no variables sends `$AGENT_ID`."""
    if not isinstance(value, str):
        return ""
    text = value.strip()
    return text if text.isprintable() and len(text) <= LONGEST and not text.startswith("$") else ""


def _text(value: bytes | None) -> str:
    """A header is latin-1 to HTTP; what is sent in ours is UTF-8."""
    return value[: 4 * LONGEST].decode("utf-8", "replace") if value else ""
