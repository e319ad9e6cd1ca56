"""The rooms' tools over HTTP: `POST /api/tools/{name}` with the arguments as JSON; `GET /api/tools` lists them.

The tools are gathered from the rooms; doors that speak another protocol find and call them here, too.
"""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from holdfast.composition import Composition
from holdfast.doors.answers import decoded, json_response, read_body
from holdfast.doors.callers import caller_of, peer_of
from holdfast.errors import HoldfastError, NothingFound, Refused, UsageError
from holdfast.events.caller import PAUSED, Caller
from holdfast.events.tool import Tool
from holdfast.items.service import Items
from holdfast.items.tools import KINDS
from holdfast.layout import told

Tools = Mapping[str, Tool[Any]]
S = TypeVar("S", bound=msgspec.Struct)

_NARROWEST, _USUAL, _WIDEST = 40, 120, 1_000
_AT_ONCE = 8_000
"""Bytes that are cleaned at once; more is work for a thread."""


class NoSuchTool(UsageError):
    """A name that is not in the table."""


_STATUS: tuple[tuple[type[HoldfastError], int], ...] = (
    (NoSuchTool, 404),
    (NothingFound, 404),
    (UsageError, 400),
    (Refused, 409),
    (HoldfastError, 422),
)


def _failure(error: HoldfastError) -> Response:
    status = next(code for kind, code in _STATUS if isinstance(error, kind))
    return json_response({"error": str(error), "exit_code": error.exit_code}, status)


async def call(tool: Tool[Any], body: bytes, caller: Caller) -> Any:
    """Run a tool on arguments as they came. What does not fit is a sentence that says what is expected.

    While recording is paused, an agent changes nothing. A person at the command line may: that is no recording. What a
    tool keeps is cleaned here, in every field: a room that forgets to do it keeps no secret (SEC-1)."""
    if tool.changes and not tool.in_pause and caller.is_paused and caller.is_agent:
        raise UsageError(PAUSED)
    try:
        arguments = decoded(body or b"{}", tool.arguments)
    except UsageError as error:
        raise UsageError(f"{tool.name}: {error} It takes {expected(tool)}.") from error
    if tool.changes and not tool.in_pause:
        arguments = await cleaned(tool.name, arguments, caller, len(body))
    return await tool.run(arguments, caller)


async def cleaned(name: str, arguments: S, caller: Caller, size: int) -> S:
    """Arguments without secrets and private spans; `size` is about how many bytes they are."""
    clean = caller.services.get(Items).cleaned
    plain = msgspec.to_builtins(arguments)
    plain = clean(plain) if size < _AT_ONCE else await asyncio.to_thread(clean, plain)
    try:
        return msgspec.convert(plain, type(arguments))
    except msgspec.ValidationError as error:
        raise UsageError(f"{name}: {error}, without what is private. Nothing was kept.") from error


def expected(tool: Tool[Any]) -> str:
    """The arguments of a tool, for a person."""
    fields = msgspec.structs.fields(tool.arguments)
    if not fields:
        return "no arguments"
    return ", ".join(f"{f.encode_name} ({'required' if f.required else 'default ' + repr(f.default)})" for f in fields)


def schema(tool: Tool[Any], kinds: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments. `kinds` are those of every room's items (see `items.tools.KINDS`)."""
    whole = msgspec.json.schema(tool.arguments)
    shape = dict(whole["$defs"][tool.arguments.__name__])
    shape.pop("title", None)
    for field in shape.get("properties", {}).values():
        if field.get("default") in ("", None, [], {}):
            field.pop("default", None)  # that it may be left out is said by `required`; each schema costs tokens
        if "description" in field:
            field["description"] = field["description"].replace(KINDS, ", ".join(kinds))
    return shape


def find(tools: Tools, name: str) -> Tool[Any]:
    tool = tools.get(name)
    if tool is None:
        near = difflib.get_close_matches(name, tools, n=1)
        hint = f" Did you mean {near[0]}?" if near else " `holdfast call` and `GET /api/tools` list them."
        raise NoSuchTool(f"There is no tool named {name}.{hint}")
    return tool


def tool_routes(composition: Composition) -> list[Route]:
    """The routes of this door."""
    tools, kinds = composition.declared.tools, composition.declared.kinds

    async def listed(request: Request) -> Response:
        return json_response(
            [
                {"name": tool.name, "summary": tool.summary, "changes": tool.changes, "arguments": schema(tool, kinds)}
                for tool in tools.values()
            ]
        )

    async def called(request: Request) -> Response:
        try:
            tool = find(tools, request.path_params["name"])
            return json_response(
                await call(
                    tool, await read_body(request), await caller_of(composition, request.headers, peer=peer_of(request))
                )
            )
        except HoldfastError as error:
            return _failure(error)
        except ClientDisconnect:
            return Response(status_code=400)

    async def with_lines(request: Request) -> Response:
        """The result, and how it reads on a terminal of a width: for the command line, which knows no room."""
        try:
            tool = find(tools, request.path_params["name"])
            width = _width(request.query_params.get("width", ""))
            caller = await caller_of(composition, request.headers, peer=peer_of(request))
            result = await call(tool, await read_body(request), caller)
        except HoldfastError as error:
            return _failure(error)
        plain = msgspec.to_builtins(result)
        lines = tool.verb.lines if tool.verb and tool.verb.lines else _told
        negative = bool(tool.verb and tool.verb.negative and tool.verb.negative(plain))
        return json_response({"result": plain, "lines": list(lines(plain, width)), "negative": negative})

    return [
        Route("/api/tools", listed),
        Route("/api/tools/{name}", called, methods=["POST"]),
        Route("/api/tools/{name}/lines", with_lines, methods=["POST"]),
    ]


def _told(result: Any, width: int) -> list[str]:
    return told(result)


def _width(text: str) -> int:
    return min(max(int(text), _NARROWEST), _WIDEST) if text.isdecimal() and len(text) < 6 else _USUAL
