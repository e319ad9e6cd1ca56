"""Asks the daemon: HTTP over its Unix socket, or over TCP with the token where there is none.

Standard library only, so that `status` is quick. A daemon that does not answer is one sentence with what to do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.doors.http_client import HAS_UNIX, HttpAnswer, HttpConnection
from holdfast.errors import DaemonAway, HoldfastError, Refused, StoreWaits, UsageError
from holdfast.lock import holder
from holdfast.paths import Home

PATIENCE = 15.0
"""Seconds. While a worker is replaced, a request waits in the socket's backlog; that is no reason to give up."""
_ERRORS: dict[int, type[HoldfastError]] = {400: UsageError, 403: Refused, 409: Refused, 503: StoreWaits}
"""503: its door is open, but its store is not there yet."""


class Client:
    """One home's daemon, as the command line sees it."""

    def __init__(self, home: Home, patience: float = PATIENCE, *, may_start: bool = False) -> None:
        """`may_start`: a daemon that does not run is started when it is asked something (OPS-15)."""
        self.home = home
        self.is_outdated = False
        """The daemon said that newer code is installed than it runs."""
        self._patience = patience
        self._may_start = may_start

    def get(self, path: str, **asked: str | int) -> Any:
        """The JSON at `path`; parameters that are empty are left out."""
        return self._ask("GET", _with_query(path, asked))

    def post(self, path: str, value: Any) -> Any:
        return self._ask("POST", path, json.dumps(value).encode())

    def delete(self, path: str) -> Any:
        return self._ask("DELETE", path)

    def stream(self, path: str, **asked: str | int) -> Iterator[bytes]:
        """What is at `path`, in blocks as they come."""
        try:
            connection, answer = self._sent("GET", _with_query(path, asked))
            try:
                if answer.status >= 400:
                    told = json.loads(answer.read() or b"{}")
                    raise _ERRORS.get(answer.status, HoldfastError)(told.get("error") or f"The daemon refused {path}.")
                yield from answer.blocks()
            finally:
                connection.close()
        except OSError as error:
            raise DaemonAway(away_sentence(self.home, error)) from error

    def status(self) -> dict[str, Any]:
        answer = self.get("/api/status")
        assert isinstance(answer, dict)
        return answer

    def _ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        try:
            connection, answer = self._sent(method, path, body)
            try:
                status, content = answer.status, answer.read()
            finally:
                connection.close()
        except OSError as error:
            raise DaemonAway(away_sentence(self.home, error)) from error
        try:
            value = json.loads(content)
        except ValueError:
            value = None
        if status >= 400:
            told = value if isinstance(value, dict) else {}
            kind = UsageError if told.get("exit_code") == UsageError.exit_code else _ERRORS.get(status, HoldfastError)
            raise kind(told.get("error") or f"The daemon answered {path} with {status}.")
        return value

    def _sent(self, method: str, path: str, body: bytes | None = None) -> tuple[HttpConnection, HttpAnswer]:
        """A request that was sent, and the beginning of its answer. The caller closes the connection."""
        try:
            connection, headers = self._connection()
            connection.request(method, path, body, headers | whereabouts())
        except (ConnectionRefusedError, FileNotFoundError):
            if not self._may_start or not self._started():
                raise
            connection, headers = self._connection()
            connection.request(method, path, body, headers | whereabouts())
        try:
            answer = connection.answer()
        except BaseException:
            connection.close()
            raise
        self._may_start = False  # one that goes away later was sent away
        self.is_outdated = self.is_outdated or "x-holdfast-outdated" in answer.headers
        return connection, answer

    def _started(self) -> bool:
        """Start the daemon of a home that had one before. An agent does not start what a person has stopped."""
        self._may_start = False
        is_stopped = inside_an_agent() and self.home.stopped.exists()
        if is_stopped or not self.home.token.exists() or lock_holder(self.home) is not None:
            return False
        from holdfast.doors.cli.control import start

        start(self.home)
        return True

    def _connection(self) -> tuple[HttpConnection, dict[str, str]]:
        if HAS_UNIX:
            return HttpConnection(str(self.home.socket), self._patience), {}
        port = int((holder(self.home.lock) or {}).get("port") or 0)
        token = self.home.token.read_text("ascii").strip()
        return HttpConnection(port, self._patience), {"Authorization": f"Bearer {token}"}


def _with_query(path: str, asked: Mapping[str, str | int]) -> str:
    given = {name: value for name, value in asked.items() if value not in ("", 0)}
    if not given:
        return path
    from urllib.parse import urlencode

    return f"{path}?{urlencode(given)}"


def inside_an_agent() -> bool:
    """Was this command started by an agent and not by a person?"""
    return bool(os.environ.get("CLAUDECODE") or os.environ.get("AI_AGENT"))


def only_a_person(verb: str, doing: str = "") -> None:
    """Refuse a command that an agent started: what protects the person's work is not the agent's to switch off."""
    if inside_an_agent():
        raise Refused(
            f"Only a person may {doing or verb}: run `holdfast {verb}` in a terminal of your own. Nothing was changed."
        )


def whereabouts(folder: str = "") -> dict[str, str]:
    """Who calls and from where: tools take the folder's project as their default, and an agent's words are an agent's.

    Claude Code sets CLAUDECODE and AI_AGENT for what its Bash tool runs, and CLAUDE_CODE_SESSION_ID (2.1.325)."""
    told = {"X-Holdfast-Agent": "1"} if inside_an_agent() else {}
    if session := _header(os.environ.get("CLAUDE_CODE_SESSION_ID", "")):
        told["X-Holdfast-Session"] = session
    if agent := _header(os.environ.get("AGENT_ID", "")):
        told["X-Holdfast-Agent-Id"] = agent
    try:
        here = _header(folder or os.getcwd())
    except OSError:
        here = ""
    return told | ({"X-Holdfast-Cwd": here} if here else {})


def _header(value: str) -> str:
    """A text as a header carries it; '' for one that cannot be carried: a line break in it would be one there."""
    if any(ord(letter) < 32 for letter in value):
        return ""
    return value.encode("utf-8", "replace").decode("latin-1")


def away_sentence(home: Home, error: Exception | None = None) -> str:
    """What is known about a daemon that does not answer, and what to do about it."""
    facts = lock_holder(home)
    if facts is not None:
        how = "does not answer" if isinstance(error, TimeoutError) else "is not ready to answer"
        return (
            f"A daemon (pid {facts.get('pid', 'not told yet')}) holds {home.lock} but {how}. Nothing is lost; "
            "`holdfast logs` says what it does, `holdfast restart` renews it."
        )
    if home.stopped.exists():
        return f"The daemon of {home.root} was stopped. Start it with `holdfast start`; events wait in the spool."
    if not home.token.exists() and last_error(home) is None:
        return f"There is no holdfast at {home.root} yet. Run `holdfast up`."
    reason = last_error(home)
    why = f" The last start failed: {reason}" if reason else ""
    return f"The daemon of {home.root} is not running. Start it with `holdfast start`.{why}"


def lock_holder(home: Home) -> dict[str, Any] | None:
    """Who holds the home's lock; None when nobody does, or when we may not look."""
    try:
        return holder(home.lock)
    except OSError:
        return None


def last_error(home: Home) -> str | None:
    """Why the last start failed, as the supervisor wrote it down."""
    try:
        return (home.logs / "last-error").read_text("utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None
