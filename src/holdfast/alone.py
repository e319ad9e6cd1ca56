"""What the command client does when the daemon does not answer, or fails: start it, try again, or keep the event.

Standard library only, like the client itself. Within the deadline the event is delivered or it is in the spool,
scrubbed; the answer is then empty and the session goes on. Only a tool call is then
decided here (`offline_decision.py`).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from holdfast import revive, spool
from holdfast.command_client import DEADLINE, KEEPING, command_here, exchange, said_by, sent_by
from holdfast.ids import ConversationId
from holdfast.lock import holder
from holdfast.paths import Home
from holdfast.road.clean import clean
from holdfast.road.recording import recording_alone
from holdfast.sender import Sender, sender_of

_STEP = 0.02
_BRIEF = 0.5
_LEAST_KEEPING = 0.2
_KEPT_LENGTH = 512 * 1024
"""Characters of an event that are spooled: all of it is scrubbed first, in plain Python, on the session's time."""
_SALVAGED, _BEGINNING = 64 * 1024, 2048
"""Bytes that are cleaned of a body that is no JSON; what is kept of them, cut only then, so that nothing is halved."""
_DECIDING = 8.0
"""Seconds from the beginning in which a tool may be decided about here: PreToolUse has ten (`install/hooks.py`)."""
_WHERE = ("session_id", "cwd", "transcript_path")


def deliver(
    home_path: str, event: bytes, arrival_id: bytes, body: bytes, began: float, started: int = 0
) -> tuple[int, bytes]:
    """Bring the event home, one way or the other. `started` is the daemon that was just started for it."""
    home = Home(Path(home_path))
    unanswered = _absence(home) if event == b"SessionStart" else b"{}"
    until = began + DEADLINE - KEEPING
    if not started and not _is_held(home):
        if not revive.can_be_written(home_path):
            return _lose(home, "it cannot be written, so no daemon can run in it", unanswered)
        if home.stopped.exists():
            until = began
        elif not revive.may_start(home_path, time.time()):
            until = began + _BRIEF
        else:
            started = revive.start(home_path)
            until = until if started else began + _BRIEF
    while (left := until - time.monotonic()) > 0:
        try:
            connection, credentials = _connect(home, left)
            status, answer = exchange(connection, event, arrival_id, body, credentials + command_here(home_path))
            if status < 500:
                return status, answer
            unanswered = b"{}"
            # Whether it failed before or after its commit is not known. The event keeps its id in the spool, so it is
            # in the journal once in any case; to ask a failing daemon again and again would cost the session its time.
            break
        except (OSError, ValueError):
            if started and _has_failed(started):  # it could not start, and said why; waiting longer helps nobody
                break
            time.sleep(min(_STEP, max(0.0, left)))
    answer, decided, deadline = unanswered, dict[str, str](), DEADLINE
    if event == b"PreToolUse" and not home.stopped.exists():
        answer, decided = _decided_here(home, arrival_id, body, began)
        deadline = _DECIDING + KEEPING
    try:
        with _within(began + deadline - time.monotonic()):
            keep(home, event, arrival_id, body, decided)
    except TimeoutError as error:
        return _lose(home, str(error), answer)
    except OSError as error:
        return _lose(home, f"its spool cannot be written ({error.strerror})", answer)
    return 200, answer


def _absence(home: Home) -> bytes:
    """What the user is told at a session's start, in place of the sign of life."""
    if home.stopped.exists():
        said = "holdfast is stopped: nothing is refused, recalled or kept for undo until `holdfast start`."
    else:
        said = (
            "holdfast's daemon does not answer: nothing is recalled, and a tool call is judged only where its hook is "
            "a command. `holdfast doctor` says why."
        )
    return json.dumps({"systemMessage": said}).encode()


def _decided_here(home: Home, arrival_id: bytes, body: bytes, began: float) -> tuple[bytes, dict[str, str]]:
    """What rooms say that need no daemon. Whatever goes wrong there, the session goes on."""
    try:
        with _within(began + _DECIDING - time.monotonic()):
            import site

            site.main()  # this interpreter was started without its packages
            from holdfast.offline_decision import decide

            return decide(home, _payload(body), arrival_id.decode())
    except Exception as error:
        sys.stderr.write(f"holdfast: nothing was decided without the daemon: {type(error).__name__}: {error}\n")
        return b"{}", {}


def _lose(home: Home, why: str, answer: bytes = b"{}") -> tuple[int, bytes]:
    """The event cannot be kept anywhere. One sentence for the debug log, and the session goes on."""
    sys.stderr.write(f"holdfast: this event was not kept. The home is {home.root}; {why}.\n")
    return 200, answer


def _has_failed(pid: int) -> bool:
    """Did the daemon that we started end with an error?"""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return False
    return ended != 0 and status != 0


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Ends what takes longer: what was not scrubbed by then is not written, and is left to the transcript.

    The steps of scrubbing are bounded, so this is for a machine that hardly moves.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def too_late(*_: object) -> None:
        raise TimeoutError("the event could not be scrubbed in time")

    before = signal.signal(signal.SIGALRM, too_late)
    signal.setitimer(signal.ITIMER_REAL, max(_LEAST_KEEPING, seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def keep(
    home: Home, event: bytes, arrival_id: bytes, body: bytes, decided: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Leave the event in the spool, scrubbed and cut; nothing while recording is paused."""
    from holdfast.scrub import default_scrubber

    payload = _payload(body)
    now = time.time_ns() // 1_000
    where = [value if isinstance(value := payload.get(name), str) else "" for name in _WHERE]
    if recording_alone(home.root).pause_of(ConversationId(where[0]), where[1], where[2], now, now):
        return
    cleaned = clean(payload, default_scrubber(), limit=_KEPT_LENGTH)
    fields = cleaned.fields
    if isinstance(beginning := fields.get("holdfast_beginning"), str):
        fields = fields | {"holdfast_beginning": beginning[:_BEGINNING]}
    if decided:
        fields = fields | {"holdfast_decided": clean(dict(decided), default_scrubber()).fields}
    name = event.decode("ascii", "replace")
    try:
        spool.put(home.spool, spool.Spooled(arrival_id.decode(), name, now, fields, _agent(), _sender()))
    except spool.SpoolFull:
        spool.count_unkept(home.spool)
        raise


def _agent() -> str:
    return said_by().decode("ascii").partition(" ")[2].strip()


def _sender() -> Sender:
    lines = (line.partition(b": ") for line in sent_by().split(b"\r\n") if line)
    return sender_of({name.lower(): value for name, _, value in lines})


def _payload(body: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        payload = None
    if isinstance(payload, dict):
        return payload
    return {
        "holdfast_fault": "The body is not a JSON object.",
        "holdfast_beginning": body[:_SALVAGED].decode("utf-8", "replace"),
    }


def _connect(home: Home, seconds: float) -> tuple[socket.socket, bytes]:
    """The Unix socket; where there is none, TCP and the header that opens it."""
    if hasattr(socket, "AF_UNIX") and home.socket.exists():
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(seconds)
        connection.connect(str(home.socket))
        return connection, b"Host: localhost\r\n"
    port, token = int((holder(home.lock) or {}).get("port") or 0), home.token.read_bytes().strip()
    connection = socket.create_connection(("127.0.0.1", port), seconds)
    return connection, b"Host: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n" % (port, token)


def _is_held(home: Home) -> bool:
    try:
        return holder(home.lock) is not None
    except OSError:
        return False
