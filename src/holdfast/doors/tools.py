"""The rooms' tools over HTTP: `POST /api/tools/{name}` with the arguments as JSON; `GET /api/tools` lists them.

The table below is all there is to adding a room's tools; a door that speaks another protocol takes them from it too.
"""

from __future__ import annotations

import difflib
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from holdfast.doors.answers import decoded, json_response, read_body
from holdfast.errors import HoldfastError, Refused, UsageError
from holdfast.events.scene import Services
from holdfast.events.tool import Tool
from holdfast.rooms.citations import tools as citations
from holdfast.rooms.memory import tools as memory
from holdfast.rooms.memory import upkeep

_ALL: tuple[Tool[Any], ...] = (*citations.TOOLS, *memory.TOOLS, *upkeep.TOOLS)
TOOLS: dict[str, Tool[Any]] = {tool.name: tool for tool in _ALL}


class NoSuchTool(UsageError):
    """A name that is not in the table."""


_STATUS: tuple[tuple[type[HoldfastError], int], ...] = (
    (NoSuchTool, 404),
    (UsageError, 400),
    (Refused, 409),
    (HoldfastError, 422),
)


async def call(tool: Tool[Any], body: bytes, services: Services) -> Any:
    """Run a tool on arguments as they came. What does not fit is a sentence that says what is expected."""
    try:
        arguments = decoded(body or b"{}", tool.arguments)
    except UsageError as error:
        raise UsageError(f"{tool.name}: {error} It takes {expected(tool)}.") from error
    return await tool.run(arguments, services)


def expected(tool: Tool[Any]) -> str:
    """The arguments of a tool, for a person."""
    fields = msgspec.structs.fields(tool.arguments)
    if not fields:
        return "no arguments"
    return ", ".join(f"{f.encode_name} ({'required' if f.required else 'default ' + repr(f.default)})" for f in fields)


def schema(tool: Tool[Any]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    whole = msgspec.json.schema(tool.arguments)
    return dict(whole["$defs"][tool.arguments.__name__])


def find(name: str) -> Tool[Any]:
    tool = TOOLS.get(name)
    if tool is None:
        near = difflib.get_close_matches(name, TOOLS, n=1)
        hint = f" Did you mean {near[0]}?" if near else " `GET /api/tools` lists them."
        raise NoSuchTool(f"There is no tool named {name}.{hint}")
    return tool


def tool_routes(services: Services) -> list[Route]:
    """The routes of this door."""

    async def listed(request: Request) -> Response:
        return json_response(
            [
                {"name": tool.name, "summary": tool.summary, "changes": tool.changes, "arguments": schema(tool)}
                for tool in TOOLS.values()
            ]
        )

    async def called(request: Request) -> Response:
        try:
            tool = find(request.path_params["name"])
            return json_response(await call(tool, await read_body(request), services))
        except HoldfastError as error:
            status = next(code for kind, code in _STATUS if isinstance(error, kind))
            return json_response({"error": str(error)}, status)
        except ClientDisconnect:
            return Response(status_code=400)

    return [Route("/api/tools", listed), Route("/api/tools/{name}", called, methods=["POST"])]
