"""JSON-RPC at the door: calls, batches, notifications, and everything that is none of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.daemon import DaemonHome


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


def rpc(daemon: DaemonHome, asked: Any) -> tuple[int, Any]:
    body = asked if isinstance(asked, bytes) else json.dumps(asked).encode()
    return daemon.request("POST", "/rpc", body)


def call(method: str, number: int | None = 1, **params: Any) -> dict[str, Any]:
    asked = {"jsonrpc": "2.0", "method": method, "params": params}
    return asked if number is None else asked | {"id": number}


@pytest.mark.requirement("MCP-3")
def test_a_call_a_batch_and_a_notification(daemon: DaemonHome) -> None:
    status, answer = rpc(daemon, call("citations_stats", 7))
    assert (status, answer["id"]) == (200, 7)
    assert "pages" in answer["result"]
    status, answers = rpc(daemon, [call("citations_stats", 1), call("nonsense", 2), call("citations_stats", None)])
    assert [(one["id"], "result" in one) for one in answers] == [(1, True), (2, False)]
    assert rpc(daemon, call("citations_stats", None)) == (204, "")


@pytest.mark.requirement("MCP-3")
@pytest.mark.parametrize(
    ("asked", "code", "sentence"),
    [
        (b"{", -32700, "This is not valid JSON"),
        ([], -32600, "A batch holds 1 to 100 calls."),
        ({"method": "citations_stats"}, -32600, "A call is"),
        (5, -32600, "A call is"),
        (call("citation_stats"), -32601, "Did you mean citations_stats?"),
        ({"jsonrpc": "2.0", "id": 1, "method": "citations_stats", "params": [1]}, -32602, "Params are given by name"),
        (call("citations_show"), -32602, "It takes url (required)"),
        (call("citations_show", uRL="https://x.example/"), -32602, "It takes url (required)"),
        (call("citations_list", limit="many"), -32602, "It takes project"),
    ],
)
def test_what_is_wrong_is_said(daemon: DaemonHome, asked: Any, code: int, sentence: str) -> None:
    status, answer = rpc(daemon, asked)
    assert status == 200
    assert answer["error"]["code"] == code
    assert sentence in answer["error"]["message"]


@pytest.mark.requirement("MCP-3")
@pytest.mark.parametrize("number", [{"a": 1}, {}, [1], [], True, False])
def test_an_id_that_is_none_is_not_repeated_and_nothing_is_called(daemon: DaemonHome, number: Any) -> None:
    asked = call("citations_stats") | {"id": number}
    refusal = {"code": -32600, "message": "An id is a string, a number or null."}
    refused = {"jsonrpc": "2.0", "id": None, "error": refusal}
    assert rpc(daemon, asked) == (200, refused)
    assert rpc(daemon, {"id": number}) == (200, refused)
    status, answers = rpc(daemon, [asked, call("citations_stats", 2)])
    assert (status, answers[0]) == (200, refused)
    assert (answers[1]["id"], "result" in answers[1]) == (2, True)


@pytest.mark.requirement("MCP-3")
@pytest.mark.parametrize("number", ["", "one", 0, -1, 1.5, None])
def test_an_id_comes_back_as_it_was_given(daemon: DaemonHome, number: Any) -> None:
    status, answer = rpc(daemon, call("citations_stats") | {"id": number})
    assert (status, answer["id"], "result" in answer) == (200, number, True)
    assert rpc(daemon, {"id": number})[1]["id"] == number
