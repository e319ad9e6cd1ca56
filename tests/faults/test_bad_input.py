"""Bad input at the door: each gets its sentence or a cut record; the daemon lives on and loses nothing."""

from __future__ import annotations

import http.client
import json
import socket
import uuid
from typing import Any

import pytest

from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


def kept(daemon: DaemonHome) -> str:
    """The newest entry: nothing was kept since when it is the same."""
    return max((entry["id"] for entry in daemon.journal()), default="")


def last(daemon: DaemonHome) -> dict[str, Any]:
    return daemon.journal()[-1]


def still_well(daemon: DaemonHome, worker: int) -> bool:
    """The same worker answers an ordinary event and keeps it."""
    after = f"toolu_{uuid.uuid4()}"
    fine = daemon.post("PostToolUse", BASH | {"tool_use_id": after}) == (200, {})
    return fine and last(daemon)["tool_use_id"] == after and daemon.facts["worker_pid"] == worker


@pytest.mark.requirement("EVT-4")
def test_an_empty_body_goes_only_to_those_who_ask_for_it(daemon: DaemonHome) -> None:
    asked = {"Prefer": "return=minimal"}
    assert daemon.post("PostToolUse", BASH, asked) == (200, "")
    for other in ({}, {"Prefer": "return=representation"}, {"Prefer": "x" * 4000}):
        assert daemon.post("PostToolUse", BASH, other) == (200, {})
    assert daemon.post("PostToolUse", b"{", asked)[1]["error"].startswith("The body is not valid JSON")


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "The body is not valid JSON"),
        (b"{", "The body is not valid JSON"),
        (b'{"session_id": "s-1", "tool_use_id": "toolu_x", "tool_inp', "The body is not valid JSON"),
        (b"[1, 2]", "The body is JSON, but not an object."),
        (b'"text"', "The body is JSON, but not an object."),
        (b"\xff\xfe\x00", "The body is not valid JSON"),
    ],
)
def test_malformed_bodies_get_a_sentence_and_a_record(daemon: DaemonHome, body: bytes, sentence: str) -> None:
    worker = daemon.facts["worker_pid"]
    status, answer = daemon.post("PostToolUse", body)
    assert status == 400
    assert answer["error"].startswith(sentence)
    assert answer["error"].endswith("What could be made out was kept.")
    entry = last(daemon)
    assert entry["payload"]["holdfast_fault"].startswith(sentence)
    if b"toolu_x" in body:
        assert (entry["session_id"], entry["tool_use_id"]) == ("s-1", "toolu_x")
    assert still_well(daemon, worker)


@pytest.mark.requirement("SEC-5")
def test_a_body_of_100_megabytes_leaves_a_cut_record(daemon: DaemonHome) -> None:
    worker = daemon.facts["worker_pid"]
    # As the client orders its fields: the tool_use_id comes after the huge response.
    payload = {key: value for key, value in BASH.items() if key != "tool_use_id"}
    payload["tool_response"] = {"stdout": "x" * 100_000_000}
    payload["tool_use_id"] = "toolu_huge"
    assert daemon.post("PostToolUse", payload) == (200, {})
    entry = last(daemon)
    assert (entry["event"], entry["tool_use_id"], entry["tool_name"]) == ("PostToolUse", "toolu_huge", "Bash")
    assert entry["session_id"] == BASH["session_id"]
    assert entry["cut"] > 99_000_000
    assert "more than" in entry["payload"]["holdfast_fault"]
    assert len(json.dumps(entry)) < 10_000
    assert still_well(daemon, worker)


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize("depth", [2_000, 1_000_000])
def test_deep_nesting_leaves_a_cut_record(daemon: DaemonHome, depth: int) -> None:
    worker = daemon.facts["worker_pid"]
    deep = b'{"session_id": "s-deep", "tool_input": ' + b"[" * depth + b"]" * depth + b"}"
    assert daemon.post("PreToolUse", deep) == (200, {})
    entry = last(daemon)
    assert entry["session_id"] == "s-deep"
    assert entry["payload"]["holdfast_fault"] == "The JSON is nested too deeply to be read."
    assert still_well(daemon, worker)


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        (b'"a\xff\xfeb"', "a\ufffd\ufffdb"),
        (b'"a\\u0000b"', "a\ufffdb"),
        (b'"a\\ud800b"', "a?b"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b"NaN", "NaN"),
        (b"12345678901234567890123456789", 12345678901234567890123456789),
    ],
)
def test_odd_texts_and_numbers_are_mended(daemon: DaemonHome, raw: bytes, kept: object) -> None:
    worker = daemon.facts["worker_pid"]
    name = f"toolu_{uuid.uuid4()}"
    body = json.dumps(BASH | {"tool_use_id": name, "tool_response": {"stdout": "@@"}}).encode()
    assert daemon.post("PostToolUse", body.replace(b'"@@"', raw)) == (200, {})
    entry = last(daemon)
    assert entry["tool_use_id"] == name
    assert entry["payload"]["tool_response"]["stdout"] == kept
    assert still_well(daemon, worker)


@pytest.mark.requirement("EVT-1")
def test_unknown_events_are_kept_and_impossible_names_are_refused(daemon: DaemonHome) -> None:
    assert daemon.post("NewEventOf2027", {"session_id": "s", "cwd": "/", "novelty": 1}) == (200, {})
    entry = last(daemon)
    assert (entry["event"], entry["payload"]["novelty"]) == ("NewEventOf2027", 1)
    status, answer = daemon.post("../../etc", {})
    assert (status, answer["error"]) == (404, "The path is /hooks/ and the name of an event.")


@pytest.mark.requirement("SEC-2")
@pytest.mark.parametrize(
    ("headers", "status", "sentence"),
    [
        ({"Authorization": "Bearer wrong"}, 401, "The token is missing or wrong."),
        ({"Authorization": ""}, 401, "The token is missing or wrong."),
        ({"Authorization": "Basic {token}"}, 401, "The token is missing or wrong."),
        ({"Host": "evil.example:{port}"}, 421, "This daemon answers to 127.0.0.1"),
        ({"Host": "127.0.0.1"}, 421, "This daemon answers to 127.0.0.1"),
        ({"Origin": "http://evil.example"}, 403, "Requests from web pages of another origin"),
        ({"Origin": "null"}, 403, "Requests from web pages of another origin"),
        ({"Origin": "http://localhost:3000"}, 403, "Requests from web pages of another origin"),
    ],
)
def test_strangers_are_refused(daemon: DaemonHome, headers: dict[str, str], status: int, sentence: str) -> None:
    before = kept(daemon)
    facts = {"port": str(daemon.facts["port"]), "token": daemon.token}
    given = {name: value.format(**facts) for name, value in headers.items()}
    answered, answer = daemon.post("PostToolUse", BASH, given)
    assert answered == status
    assert answer["error"].startswith(sentence)
    assert kept(daemon) == before
    assert daemon.token not in daemon.log()


@pytest.mark.requirement("SEC-2")
def test_every_path_but_health_needs_the_token(daemon: DaemonHome) -> None:
    def status(path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", daemon.facts["port"], timeout=PATIENCE)
        connection.request("GET", path)
        return connection.getresponse().status

    assert status("/api/health") == 200
    for path in ("/", "/api/status", "/api/journal", "/metrics", "/mcp", "/rpc", "/api/health/../status", "/nonsense"):
        assert status(path) == 401, path


@pytest.mark.requirement("SEC-5")
def test_what_is_not_http_is_refused(daemon: DaemonHome) -> None:
    worker = daemon.facts["worker_pid"]
    for noise in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 4096):
        with socket.create_connection(("127.0.0.1", daemon.facts["port"]), 5) as stranger:
            stranger.sendall(noise)
            assert b" 200 " not in stranger.recv(4096)
    assert still_well(daemon, worker)


def said_on(daemon: DaemonHome, data: bytes) -> bytes:
    """All that is answered to `data` on a connection of its own, until the daemon closes it."""
    answer = b""
    with socket.create_connection(("127.0.0.1", daemon.facts["port"]), 20) as stranger:
        stranger.sendall(data)
        while part := stranger.recv(65536):
            answer += part
    return answer


@pytest.mark.requirement("SEC-2")
def test_whoever_has_not_shown_the_token_cannot_keep_connections(daemon: DaemonHome) -> None:
    """There are only so many descriptors: another user of the machine could take them all from the hooks."""
    host = f"Host: 127.0.0.1:{daemon.facts['port']}\r\n\r\n".encode()
    assert b" 401 " in said_on(daemon, b"GET /api/status HTTP/1.1\r\n" + host)
    assert b" 421 " in said_on(daemon, b"GET /api/status HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    assert b" 200 " in said_on(daemon, b"GET /api/health HTTP/1.1\r\n" + host)
    assert said_on(daemon, b"POST /hooks/Stop HTTP/1.1\r\nHost") == b""


@pytest.mark.requirement("SEC-2")
@pytest.mark.parametrize("path", ["/api/health", "/api/status", "/hooks/Stop"])
@pytest.mark.parametrize(
    "hosts",
    [
        "Host: evil.example\r\nHost: {own}\r\n",
        "Host: {own}\r\nHost: evil.example\r\n",
        "Host: {own}\r\nhost: {own}\r\n",
    ],
    ids=["the last is ours", "the first is ours", "both are ours"],
)
def test_a_request_with_more_than_one_host_is_refused(daemon: DaemonHome, path: str, hosts: str) -> None:
    """What stands before the daemon (a browser, a proxy) may have judged by the other one."""
    before = kept(daemon)
    own = f"127.0.0.1:{daemon.facts['port']}"
    head = f"POST {path} HTTP/1.1\r\n{hosts.format(own=own)}Authorization: Bearer {daemon.token}\r\n"
    answer = said_on(daemon, f"{head}Content-Length: 2\r\n\r\n{{}}".encode())
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"Requests with more than one Host are not answered."' in answer
    assert kept(daemon) == before


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(
    "framing",
    [
        "Content-Length: 2\r\nContent-Length: 2\r\n",
        "Content-Length: 2\r\nContent-Length: 4\r\n",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
    ],
)
def test_a_body_whose_length_is_ambiguous_is_refused(daemon: DaemonHome, framing: str) -> None:
    before = kept(daemon)
    head = f"POST /hooks/Stop HTTP/1.1\r\nHost: 127.0.0.1:{daemon.facts['port']}\r\n"
    answer = said_on(daemon, f"{head}Authorization: Bearer {daemon.token}\r\n{framing}\r\n{{}}".encode())
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert kept(daemon) == before


@pytest.mark.requirement("SEC-5")
def test_a_time_past_all_times_is_no_failure(daemon: DaemonHome) -> None:
    assert daemon.get(f"/api/journal?since={10**30}") == (200, [])


@pytest.mark.requirement("SEC-5")
def test_a_client_that_leaves_in_the_middle_costs_nothing(daemon: DaemonHome) -> None:
    worker, before = daemon.facts["worker_pid"], len(daemon.journal())
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", daemon.facts["port"]), 5) as quitter:
            head = f"POST /hooks/Stop HTTP/1.1\r\nHost: 127.0.0.1:{daemon.facts['port']}\r\n"
            quitter.sendall(f"{head}Authorization: Bearer {daemon.token}\r\nContent-Length: 99\r\n\r\n{{".encode())
    assert still_well(daemon, worker)
    assert len(daemon.journal()) == before + 1, "of those that left nothing is kept"


@pytest.mark.requirement("EVT-6")
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"hook_event_name": 5}', b"[" * 500_000])
def test_the_command_client_never_fails_whatever_it_is_given(daemon: DaemonHome, body: bytes) -> None:
    done = daemon.hook(body)
    assert (done.returncode, done.stdout) == (0, b"{}")
