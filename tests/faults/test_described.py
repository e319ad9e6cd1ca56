"""What OpenAPI and OpenRPC say of the doors: all routes, and a client that is made from it never meets a 5xx."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import MagicMock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from holdfast.build import Running
from holdfast.doors.descriptions import openapi, openrpc
from holdfast.doors.endpoints import endpoint_routes
from holdfast.doors.rest import rest_routes
from holdfast.doors.rpc import rpc_routes
from holdfast.doors.tools import tool_routes
from holdfast.doors.upkeep_routes import upkeep_routes
from holdfast.program import HOUSE_TOOLS, ROOMS
from holdfast.rooms.gather import gather
from tests.support.daemon import DaemonHome

DECLARED = gather(ROOMS, HOUSE_TOOLS)
API = openapi(DECLARED)
LEFT_ALONE = {"/api/backup", "/api/import/claude", "/api/import/{name}", "/api/export"}
"""They read or write files that the text would name."""


@pytest.mark.requirement("MCP-3")
def test_every_route_is_described_and_every_tool_too() -> None:
    composed = MagicMock(declared=DECLARED)
    routes: list[Route] = [
        *rest_routes(composed, 0, Running()),
        *endpoint_routes(composed),
        *tool_routes(composed),
        *rpc_routes(composed),
        *upkeep_routes(composed),
    ]
    served = {(method, route.path) for route in routes for method in (route.methods or ()) if method != "HEAD"}
    told = {(method.upper(), path) for path, methods in API["paths"].items() for method in methods}
    one_by_one = {("POST", f"/api/tools/{name}") for name in DECLARED.tools}
    assert told - one_by_one - {("POST", "/hooks/{event}")} == served - {("POST", "/api/tools/{name}")}
    methods = openrpc(DECLARED)["methods"]
    assert [method["name"] for method in methods] == [*DECLARED.tools, *DECLARED.methods]
    assert "$ref" not in json.dumps([API, methods]), "every schema is whole"


def values(shape: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a JSON Schema, mostly fitting."""
    if "anyOf" in shape:
        return st.one_of([values(each) for each in shape["anyOf"]])
    match shape.get("type"):
        case "object":
            fields = {name: values(about) for name, about in shape.get("properties", {}).items()}
            needed = {name: fields.pop(name) for name in shape.get("required", ()) if name in fields}
            return st.fixed_dictionaries(needed, optional=fields)
        case "array":
            return st.lists(values(shape.get("items", {})), max_size=3)
        case "integer":
            return st.integers(-3, 10**6)
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case _:
            return st.one_of(st.text(max_size=12), st.sampled_from(["3d", "o3fa9c21b", "all", "/nowhere", "*", '"']))


OPERATIONS = [
    (method.upper(), path, operation)
    for path, methods in API["paths"].items()
    if path not in LEFT_ALONE
    for method, operation in methods.items()
]


@pytest.mark.requirement("MCP-3")
def test_a_client_made_from_the_description_meets_no_5xx(daemon: DaemonHome) -> None:
    assert daemon.get("/api/openapi.json")[1] == json.loads(json.dumps(API))
    call = {"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}
    told = daemon.request("POST", "/rpc", json.dumps(call).encode())[1]
    assert told["result"] == json.loads(json.dumps(openrpc(DECLARED)))

    @settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def asks(data: st.DataObject) -> None:
        method, path, operation = data.draw(st.sampled_from(OPERATIONS))
        query = []
        for each in operation.get("parameters", ()):
            if each["in"] == "path":
                path = path.replace(f"{{{each['name']}}}", data.draw(st.sampled_from(["Stop", "search", "x", "1"])))
            elif data.draw(st.booleans()):
                query.append(f"{each['name']}={data.draw(st.sampled_from(['', '1', 'x', '-1', '0']))}")
        content = operation.get("requestBody", {}).get("content", {})
        shape = content.get("application/json", {}).get("schema")
        body = None if shape is None else json.dumps(data.draw(values(shape))).encode()
        status, answer = daemon.request(method, f"{path}?{'&'.join(query)}" if query else path, body)
        assert status < 500, (method, path, body, answer)

    asks()

    @settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def calls(data: st.DataObject) -> None:
        method = data.draw(st.sampled_from(list(DECLARED.methods)))
        about = next(each for each in told["result"]["methods"] if each["name"] == method)
        fields = {each["name"]: values(each["schema"]) for each in about["params"]}
        params = data.draw(st.fixed_dictionaries({}, optional=fields))
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        status, answer = daemon.request("POST", "/rpc", json.dumps(body).encode())
        assert status == 200
        failed = answer.get("error", {}).get("code")
        assert failed in ((None, -32602) if method.startswith("hooks.") else (None, -32000, -32602)), (body, answer)

    calls()
    assert "Traceback" not in daemon.log()
