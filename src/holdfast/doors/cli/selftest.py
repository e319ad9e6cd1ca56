"""The self-test of `up`: real requests through the hooks that settings files hold, and what the journal then has.

It has an event and a session of its own, so that nothing pretends to be the client.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import string
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from holdfast.doors.cli.client import Client
from holdfast.errors import HoldfastError
from holdfast.events.event import SELF_TEST, SELF_TEST_SESSIONS
from holdfast.ids import now_us
from holdfast.install import DoctorContext, InstallScope
from holdfast.install.asking import NoAnswer, ask
from holdfast.install.surroundings import hooks_off
from holdfast.paths import token_of

EVENT = SELF_TEST
SESSION = "holdfast-selftest"
_PATIENCE = 15.0
_OF_A_SESSION = ("CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT")


@dataclass(frozen=True, slots=True)
class TrialResult:
    """One thing that was tried, and its outcome."""

    number: int
    name: str
    passed: bool
    sentence: str


class _Failed(Exception):
    """The sentence of what did not hold."""


class _NotAsked(Exception):
    """This Claude Code cannot be asked: it is too old."""


def run(context: DoctorContext, url: str) -> list[TrialResult]:
    """All proofs, whatever the outcome of the earlier ones."""
    test = _SelfTest(context, url)
    tries = [
        ("command hook", test.command_hook),
        ("http hook" if test.http else "http door", test.http_hook if test.http else test.http_door),
        ("wrong token", test.wrong_token),
        ("scrubbing", test.scrubbing),
    ]
    if test.can_ask_client:
        tries.append(("hooks by Claude Code", test.client))
    proofs: list[TrialResult] = []
    for number, (name, attempt) in enumerate(tries, 1):
        try:
            proofs.append(TrialResult(number, name, True, attempt()))
        except _NotAsked:
            continue
        except (_Failed, HoldfastError, OSError, http.client.HTTPException, NoAnswer) as error:
            proofs.append(TrialResult(number, name, False, f"The {name} failed: {error}"))
    return proofs


@dataclass(frozen=True, slots=True)
class _Installed:
    """A hook as it stands in a settings file."""

    event: str
    hook: dict[str, Any]
    path: Path

    @property
    def name(self) -> str:
        return f"hook of {self.event} in {self.path}"


class _SelfTest:
    """Tries the hooks that the settings files really hold, not those that were planned."""

    def __init__(self, context: DoctorContext, url: str) -> None:
        self._context = context
        self._home = context.home
        self._client = Client(context.home)
        self._off = " ".join(dict.fromkeys(notice.sentence for notice in hooks_off(context.sources)))
        installed = [
            _Installed(event, hook, source.path)
            for _, source in context.installed
            for event, hook in context.our_hooks(source)
        ]
        self.command = next((one for one in installed if _delivers(one.hook)), None)
        self.http = next((one for one in installed if one.hook.get("type") == "http"), None)
        sample = self.http.hook if self.http else {}
        self._url = str(sample.get("url", f"{url}/hooks/")).rsplit("/", 1)[0] + f"/{EVENT}"
        headers = sample.get("headers")
        given = headers if isinstance(headers, dict) else {"Authorization": f"Bearer {token_of(context.home)}"}
        self._headers = {str(name): str(value) for name, value in given.items()}

    def command_hook(self) -> str:
        if self.command is None:
            raise _Failed("no settings file that Claude Code reads here has one")
        proof = secrets.token_hex(8)
        began = time.perf_counter()
        words = ["/bin/sh", "-c", str(self.command.hook["command"])]
        environment = {**os.environ, "HOLDFAST_HOME": str(self._home.root)}
        done = ask(words, environment, _PATIENCE, given=json.dumps(_payload(proof)).encode())
        took = (time.perf_counter() - began) * 1_000
        if done.code or done.output != "{}":
            said = done.errors.strip() or done.output[:200]
            raise _Failed(f"it ended with {done.code}: {said or 'no answer'}")
        source = self._once(proof)["source"]
        if source != "command":
            raise _Failed(f"its event came by way of the {source}")
        return self._runs(f"The command {self.command.name} answered in {took:.0f} ms")

    def http_hook(self) -> str:
        assert self.http is not None
        return self._runs(f"The http {self.http.name} answered in {self._posted():.0f} ms")

    def http_door(self) -> str:
        took = self._posted()
        return (
            f"No http hook is installed. The daemon's door for them answered in {took:.0f} ms, and its event is in "
            "the journal exactly once."
        )

    def _runs(self, answered: str) -> str:
        """A hook that works is of no use while Claude Code does not run it."""
        if self._off:
            raise _Failed(f"it works, but Claude Code does not run it. {self._off}")
        return f"{answered}, and its event is in the journal exactly once."

    def _posted(self) -> float:
        proof = secrets.token_hex(8)
        began = time.perf_counter()
        status, answer = self._post(_payload(proof), self._headers)
        took = (time.perf_counter() - began) * 1_000
        if status != 200:
            raise _Failed(f"{self._url} answered {status}: {answer}")
        self._once(proof)
        return took

    @property
    def can_ask_client(self) -> bool:
        return self._context.client.path is not None and self._context.client.version is not None

    def client(self) -> str:
        """`claude --init-only` runs the hooks of a session's start and end and asks no API (2.1.197, 2.1.325). Only the
        settings with our hooks are loaded, so that no repository's hooks run here."""
        context, session = self._context, f"{SELF_TEST_SESSIONS}{secrets.token_hex(6)}"
        scopes = [scope for scope, _ in context.installed] or [InstallScope.USER]
        words = [str(context.client.path), "--init-only", "--session-id", session]
        words += ["--setting-sources", ",".join(scope.value for scope in scopes)]
        folder = context.home.root if scopes == [InstallScope.USER] else context.root
        answer = ask(words, _quiet(context.environment), _PATIENCE, folder)
        if answer.code:
            raise _NotAsked
        arrived = self._client.get("/api/journal", session=session, limit=100)
        if not arrived:
            raise _Failed(f"{context.client.name} ran a session, and no hook of it arrived. {self._off}".rstrip())
        told = ", ".join(f"{entry['event']} by {entry['source']}" for entry in arrived)
        return f"{context.client.name} itself ran the hooks of a session: {told}."

    def wrong_token(self) -> str:
        proof = secrets.token_hex(8)
        status, _ = self._post(_payload(proof), {"Authorization": f"Bearer {secrets.token_urlsafe(32)}"})
        if status != 401:
            raise _Failed(f"it was answered with {status} instead of 401")
        if self._entries(proof):
            raise _Failed("it was refused, and yet its event is in the journal")
        return "A request with a wrong token was refused (401) and left nothing."

    def scrubbing(self) -> str:
        proof = secrets.token_hex(8)
        letters = string.ascii_letters + string.digits
        secret = "ghp_" + "".join(secrets.choice(letters) for _ in range(36))
        status, answer = self._post(_payload(proof) | {"note": f"a made-up token: {secret}"}, self._headers)
        if status != 200:
            raise _Failed(f"{self._url} answered {status}: {answer}")
        entry = self._once(proof)
        if secret in json.dumps(entry) or not entry["scrubbed"]:
            raise _Failed("the made-up secret is in the journal")
        for place in self._written():
            if secret.encode() in place:
                raise _Failed("the made-up secret was written to the disk")
        return f"A made-up secret was scrubbed ({', '.join(entry['scrubbed'])}) before anything was written."

    def _written(self) -> Iterator[bytes]:
        """What was written last: the write-ahead log of the database, and the daemon's log."""
        database = self._home.database
        for path in (database.with_name(database.name + "-wal"), self._home.log):
            if path.exists():
                yield path.read_bytes()

    def _post(self, payload: dict[str, Any], headers: dict[str, str]) -> tuple[int, str]:
        # Not urllib: it would ask a proxy.
        place = urlsplit(self._url)
        connection = http.client.HTTPConnection(place.hostname or "127.0.0.1", place.port, timeout=_PATIENCE)
        try:
            content = {"Content-Type": "application/json", **headers}
            connection.request("POST", place.path, json.dumps(payload), content)
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def _entries(self, proof: str) -> list[dict[str, Any]]:
        since = now_us() - 60_000_000
        found = self._client.get("/api/journal", session=SESSION, event=EVENT, since=since, limit=10_000)
        return [entry for entry in found if entry["payload"].get("proof") == proof]

    def _once(self, proof: str) -> dict[str, Any]:
        entries = self._entries(proof)
        if len(entries) != 1:
            raise _Failed(f"its event is in the journal {len(entries)} times instead of once")
        return entries[0]


def _delivers(hook: dict[str, Any]) -> bool:
    """A command that brings its event; not the one that only brings the daemon back."""
    return hook.get("type") == "command" and not hook.get("async")


def _quiet(environment: Mapping[str, str]) -> dict[str, str]:
    """For a run of the client beside the one that perhaps started us: it knows nothing of that, and calls nobody."""
    kept = {name: value for name, value in environment.items() if name not in _OF_A_SESSION}
    return kept | {
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def _payload(proof: str) -> dict[str, Any]:
    return {"hook_event_name": EVENT, "session_id": SESSION, "proof": proof}


def without(status: dict[str, Any]) -> dict[str, Any]:
    """A status as if no self-test had been: what remains came from the client."""
    return status | {"events": {name: one for name, one in status["events"].items() if name != EVENT}}
