"""The rooms' own REST paths, served as they are declared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from starlette import requests
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, compile_path

from holdfast.composition import Composition
from holdfast.doors.answers import json_response, read_body
from holdfast.doors.callers import caller_of
from holdfast.errors import HoldfastError, NothingFound, StoreError, UsageError
from holdfast.events.endpoint import AnyBody, Endpoint, Request
from holdfast.road.edge import Payload
from holdfast.rooms.declaring import BadDeclaration

_PLACE = re.compile(r"\{[^{}]*\}")
"""A part of a path that stands for anything."""
_OTHER_DOORS = ("/hooks", "/mcp")
_STATUS: tuple[tuple[type[HoldfastError], int], ...] = ((NothingFound, 404), (UsageError, 400), (HoldfastError, 503))


def endpoint_routes(composition: Composition, house: Sequence[Route] = ()) -> list[Route]:
    """The routes of this door. A path that the house answers is an error with a sentence."""
    for room in composition.declared.rooms:
        for endpoint in room.endpoints:
            for route in house:
                if _meet(endpoint, route):
                    raise BadDeclaration(
                        f"The endpoint {endpoint.path} of the room {room.name} is answered by the house, "
                        f"as {route.path}. Give it another path."
                    )
            if endpoint.path.startswith(_OTHER_DOORS):
                raise BadDeclaration(
                    f"The endpoint {endpoint.path} of the room {room.name} is a door of the house. Begin it with /api/."
                )
    return [
        Route(endpoint.path, _answering(endpoint, composition), methods=list(endpoint.methods))
        for room in composition.declared.rooms
        for endpoint in room.endpoints
    ]


def _meet(endpoint: Endpoint, route: Route) -> bool:
    """Could one request mean both?"""
    if not {method.upper() for method in endpoint.methods} & (route.methods or set()):
        return False
    own = compile_path(endpoint.path)[0]
    return bool(own.match(_PLACE.sub("x", route.path)) or route.path_regex.match(_PLACE.sub("x", endpoint.path)))


def _answering(endpoint: Endpoint, composition: Composition) -> Any:
    async def tell(event: str, fields: dict[str, Any]) -> None:
        payload = Payload({"hook_event_name": event} | fields)
        if not (await composition.road.travel(payload, name=event, source="http")).kept:
            raise StoreError("The store would not take it at present; nothing was kept. `holdfast status` says why.")

    async def waiting() -> int:
        by_state = await composition.store.read(composition.jobs.counts)
        return sum(number for state, number in by_state.items() if state != "failed")

    async def answer(request: requests.Request) -> Response:
        try:
            body = _decoded(await read_body(request), endpoint.body)
            caller = await caller_of(composition, request.headers)
            asked = Request(body, request.path_params, request.query_params, caller, tell, waiting)
            result = await endpoint.run(asked)
        except HoldfastError as error:
            status = next(code for kind, code in _STATUS if isinstance(error, kind))
            return json_response({"error": str(error)}, status)
        return PlainTextResponse(result) if isinstance(result, str) else json_response(result)

    return answer


def _decoded(body: bytes, kind: type[Any]) -> Any:
    if kind is AnyBody:
        return AnyBody()
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        names = ", ".join(field.encode_name for field in msgspec.structs.fields(kind))
        raise UsageError(f"{error}. The body is a JSON object of {names}.") from error
