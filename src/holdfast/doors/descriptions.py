"""The HTTP doors described for programs: REST by OpenAPI, RPC by OpenRPC. Made from what is declared.

`make docs` writes both to docs/reference; the daemon serves the first at `/api/openapi.json`, and RPC answers
`rpc.discover` with the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from holdfast import __version__
from holdfast.doors.tools import schema
from holdfast.events.event import EVENTS
from holdfast.events.method import Method
from holdfast.rooms.gather import Gathered

_OBJECT = {"type": "object"}
_NUMBER = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string"}
_PATH = {"type": "object", "properties": {"path": _TEXT}, "required": ["path"]}
_TITLE = "holdfast"
_ABOUT = (
    "One daemon behind every Claude Code hook. Loopback TCP needs `Authorization: Bearer TOKEN` (the file `token` in "
    "the home); the Unix socket needs none."
)

HOUSE: tuple[tuple[str, str, str, dict[str, Any], Any], ...] = (
    ("GET", "/api/health", "Is the daemon there? Open to everybody on this machine.", {}, None),
    ("GET", "/api/status", "The daemon, its store, and how every event was handled.", {}, None),
    ("GET", "/api/checks", "What the rooms' checks say.", {}, None),
    ("GET", "/api/pane", "The rooms' lines for the plugin's pane.", {"session": _TEXT}, None),
    (
        "GET",
        "/api/journal",
        "What arrived, the newest last.",
        {"session": _TEXT, "event": _TEXT, "since": _NUMBER, "after": _TEXT, "limit": _NUMBER},
        None,
    ),
    ("POST", "/api/backup", "Copy the whole store into one new file.", {}, _PATH),
    ("GET", "/metrics", "Counters and latencies, for Prometheus.", {}, None),
    ("GET", "/api/tools", "The tools, with what they take.", {}, None),
    ("POST", "/api/tools/{name}/lines", "Call a tool; also how its result reads on a terminal.", {}, _OBJECT),
    ("GET", "/api/export", "What is kept, as JSON Lines.", {"project": _TEXT}, None),
    ("POST", "/api/import", "Take lines of an export in.", {}, {"type": "object", "properties": {"lines": {}}}),
    ("GET", "/api/import/claude", "How far the take-over of transcripts is.", {}, None),
    ("POST", "/api/import/claude", "Take over the sessions that Claude Code has recorded.", {}, _PATH),
    ("DELETE", "/api/import/claude", "Pause that take-over.", {}, None),
    ("POST", "/api/import/{name}", "One step of an import that a room declares.", {}, _PATH),
    ("GET", "/api/reindex", "How far the index is.", {}, None),
    ("POST", "/api/reindex", "Make the search index anew.", {}, _OBJECT),
    ("GET", "/api/openapi.json", "This description.", {}, None),
    ("POST", "/rpc", "JSON-RPC 2.0: tools and methods by name; `rpc.discover` lists them.", {}, _OBJECT),
)
"""Method, path, what it is for, its query and its body."""


def openapi(declared: Gathered) -> dict[str, Any]:
    """REST, by OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for method, path, operation in _operations(declared):
        paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": _TITLE, "version": __version__, "description": _ABOUT, "license": {"name": "Apache-2.0"}},
        "servers": [{"url": "http://127.0.0.1:{port}", "variables": {"port": {"default": "0"}}}],
        "paths": dict(sorted(paths.items())),
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
    }


def _operations(declared: Gathered) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for method, path, summary, query, body in HOUSE:
        yield method, path, _operation(f"{method} {path}", summary, path, query, body)
    for tool in declared.tools.values():
        path = f"/api/tools/{tool.name}"
        yield "POST", path, _operation(f"POST {path}", tool.summary, path, {}, schema(tool, declared.kinds))
    for endpoint in (each for room in declared.rooms for each in room.endpoints):
        for method in endpoint.methods:
            summary = f"{endpoint.path.rsplit('/', 1)[-1]}: for scripts that expect this shape."
            body = _OBJECT if method != "GET" else None
            yield method, endpoint.path, _operation(f"{method} {endpoint.path}", summary, endpoint.path, {}, body)
    path = "/hooks/{event}"
    operation = _operation(f"POST {path}", "A hook's event in, the client's answer out.", path, {}, _OBJECT)
    operation["parameters"][0]["schema"]["examples"] = list(EVENTS)
    yield "POST", path, operation


def _operation(name: str, summary: str, path: str, query: dict[str, Any], body: Any) -> dict[str, Any]:
    inside = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [{"name": each, "in": "path", "required": True, "schema": dict(_TEXT)} for each in inside]
    parameters += [{"name": each, "in": "query", "schema": shape} for each, shape in query.items()]
    told: dict[str, Any] = {"operationId": name, "summary": summary}
    if parameters:
        told["parameters"] = parameters
    if body is not None:
        told["requestBody"] = {"content": {"application/json": {"schema": body}}}
    failed = {"description": "A sentence that says what is wrong, as `error`."}
    return told | {"responses": {"200": {"description": "Done."}, "4XX": failed, "503": failed}}


def openrpc(declared: Gathered) -> dict[str, Any]:
    """RPC, by OpenRPC 1.3."""
    methods: list[dict[str, Any]] = []
    for tool in declared.tools.values():
        shape = schema(tool, declared.kinds)
        required = set(shape.get("required", ()))
        params: list[dict[str, Any]] = [
            {"name": name, "required": name in required, "schema": about}
            for name, about in shape.get("properties", {}).items()
        ]
        result = {"name": "result", "schema": {}}
        methods.append(
            {
                "name": tool.name,
                "summary": tool.summary,
                "paramStructure": "by-name",
                "params": sorted(params, key=lambda each: not each["required"]),
                "result": result,
            }
        )
    for method in declared.methods.values():
        methods.append(_method(method))
    info = {"title": _TITLE, "version": __version__, "description": _ABOUT}
    return {"openrpc": "1.3.2", "info": info, "methods": methods}


def _method(method: Method[Any]) -> dict[str, Any]:
    """A room's own method. Params may be written in camelCase, and are described so."""
    shape, result = _shape(method.params), _shape(method.result)
    required = set(shape.get("required", ()))
    params: list[dict[str, Any]] = [
        {"name": camel(name), "required": name in required, "schema": about}
        for name, about in shape.get("properties", {}).items()
    ]
    return {
        "name": method.name,
        "summary": method.summary,
        "paramStructure": "by-name",
        "params": sorted(params, key=lambda each: not each["required"]),
        "result": {"name": "result", "schema": result},
    }


def _shape(kind: type[Struct]) -> dict[str, Any]:
    """The JSON Schema of a type, with what it refers to inside it."""
    whole = msgspec.json.schema(kind)
    shape: dict[str, Any] = dict(_inlined(whole["$defs"][kind.__name__], whole["$defs"]))
    shape.pop("title", None)
    return shape


def _inlined(shape: Any, known: dict[str, Any]) -> Any:
    match shape:
        case {"$ref": str(name)}:
            return _inlined(known[name.rpartition("/")[2]], known)
        case dict():
            return {name: _inlined(each, known) for name, each in shape.items()}
        case list():
            return [_inlined(each, known) for each in shape]
        case _:
            return shape


def camel(name: str) -> str:
    """`session_id` as `sessionId`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
