"""The self-test of `up`: real requests through the installed hooks' own road, and what the journal then holds.

It has an event and a session of its own, so that nothing pretends to be the client.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import string
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from holdfast.doors.cli.client import Client
from holdfast.errors import HoldfastError
from holdfast.events.event import SELF_TEST
from holdfast.ids import now_us
from holdfast.install import Plan
from holdfast.paths import Home, token_of

EVENT = SELF_TEST
SESSION = "holdfast-selftest"
_PATIENCE = 15.0


@dataclass(frozen=True, slots=True)
class Proof:
    """One thing that was tried, and what came of it."""

    number: int
    name: str
    passed: bool
    sentence: str


class _Failed(Exception):
    """The sentence of what did not hold."""


def run(home: Home, plan: Plan, url: str) -> list[Proof]:
    """All proofs, whatever the earlier ones came to."""
    test = _SelfTest(home, plan, url)
    tries = (
        ("command hook", test.command_hook),
        ("http hook", test.http_hook),
        ("wrong token", test.wrong_token),
        ("scrubbing", test.scrubbing),
    )
    proofs: list[Proof] = []
    for number, (name, attempt) in enumerate(tries, 1):
        try:
            proofs.append(Proof(number, name, True, attempt()))
        except (_Failed, HoldfastError, OSError, http.client.HTTPException, subprocess.TimeoutExpired) as error:
            proofs.append(Proof(number, name, False, f"The {name} failed: {error}"))
    return proofs


class _SelfTest:
    def __init__(self, home: Home, plan: Plan, url: str) -> None:
        self._home = home
        self._plan = plan
        self._client = Client(home)
        posting = plan.events("http")
        sample = plan.hooks[posting[0]] if posting else {}
        # Without http hooks in the settings (project scope, a proxy in the way) the door itself is tried.
        self._url = str(sample.get("url", f"{url}/hooks/")).rsplit("/", 1)[0] + f"/{EVENT}"
        headers = sample.get("headers", {"Authorization": f"Bearer {token_of(home)}"})
        assert isinstance(headers, dict)
        self._headers = {str(name): str(value) for name, value in headers.items()}

    def command_hook(self) -> str:
        event = next(iter(self._plan.events("command")))
        command = str(self._plan.hooks[event]["command"])
        proof = secrets.token_hex(8)
        began = time.perf_counter()
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(_payload(proof)).encode(),
            env={**os.environ, "HOLDFAST_HOME": str(self._home.root)},
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
        took = (time.perf_counter() - began) * 1_000
        if done.returncode or done.stdout != b"{}":
            said = done.stderr.decode("utf-8", "replace").strip() or done.stdout[:200].decode("utf-8", "replace")
            raise _Failed(f"it ended with {done.returncode}: {said or 'no answer'}")
        source = self._once(proof)["source"]
        if source != "command":
            raise _Failed(f"its event came by way of the {source}")
        return f"The command hook answered in {took:.0f} ms, and its event is in the journal exactly once."

    def http_hook(self) -> str:
        proof = secrets.token_hex(8)
        began = time.perf_counter()
        status, answer = self._post(_payload(proof), self._headers)
        took = (time.perf_counter() - began) * 1_000
        if status != 200:
            raise _Failed(f"{self._url} answered {status}: {answer}")
        self._once(proof)
        return f"The http hook answered in {took:.0f} ms, and its event is in the journal exactly once."

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
        for path in (database.with_name(database.name + "-wal"), self._home.logs / "daemon.log"):
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


def _payload(proof: str) -> dict[str, Any]:
    return {"hook_event_name": EVENT, "session_id": SESSION, "proof": proof}


def without(status: dict[str, Any]) -> dict[str, Any]:
    """A status as if no self-test had been: what remains came from the client."""
    return status | {"events": {name: one for name, one in status["events"].items() if name != EVENT}}
