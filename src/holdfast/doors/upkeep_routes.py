"""Upkeep over HTTP: the export as it is read, the import by parts, taking over with its progress, reindexing.

Long work goes in steps that the caller asks for, or in jobs whose progress it polls: the daemon answers all the while.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from holdfast.composition import Composition
from holdfast.doors.answers import decoded, json_response, read_body
from holdfast.errors import Refused, UsageError
from holdfast.items.service import Items
from holdfast.paths import named
from holdfast.road.backfill import Backfill
from holdfast.upkeep.export import Export
from holdfast.upkeep.reindex import Reindexing
from holdfast.upkeep.take_in import TakeIn

BODY_LIMIT = 16 * 1024 * 1024


class _Lines(msgspec.Struct):
    lines: list[str]


class _Folder(msgspec.Struct):
    path: str


def upkeep_routes(composition: Composition) -> list[Route]:
    """The routes of this door."""
    services = composition.services

    async def export(request: Request) -> Response:
        named = request.query_params.get("project", "")
        project = await services.get(Items).project(named) if named else ""
        service = services.get(Export)
        also = [room for room in service.on_request if request.query_params.get(room) == "1"]
        lines = service.lines(project, also=also)
        return StreamingResponse(_blocks(lines), media_type="application/x-ndjson")

    async def take_in(request: Request) -> Response:
        lines = await _body(request, _Lines)
        _only_a_person(request, "FILE")
        taken = await services.get(TakeIn).take(lines.lines)
        return json_response({"new": taken.new, "left_out": taken.left_out})

    async def take_transcripts(request: Request) -> Response:
        backfill = services.get(Backfill)
        if request.method == "GET":
            return json_response(asdict(await backfill.progress()))
        _only_a_person(request, "claude")
        if request.method == "DELETE":
            return json_response(asdict(await backfill.pause()))
        return json_response(asdict(await backfill.begin(named((await _body(request, _Folder)).path))))

    async def take_over(request: Request) -> Response:
        """One step of an import that a room declares."""
        name = request.path_params["name"]
        declared = composition.declared.imports.get(name)
        if declared is None:
            known = ", ".join(composition.declared.imports)
            raise UsageError(f"There is no import named {name}. There are claude, {known}.")
        _only_a_person(request, name)
        asked = await _body(request, declared.step)
        asked.path = str(named(asked.path))
        return json_response(await declared.run(asked, services, services.get(TakeIn)))

    async def reindex(request: Request) -> Response:
        """Begin, or say how far it is."""
        reindexing = services.get(Reindexing)
        progress = await (reindexing.progress() if request.method == "GET" else reindexing.begin())
        told = ("phase", "entries", "read", "made", "items", "error")
        return json_response({name: getattr(progress, name) for name in told})

    return [
        Route("/api/export", export),
        Route("/api/import", take_in, methods=["POST"]),
        Route("/api/import/claude", take_transcripts, methods=["GET", "POST", "DELETE"]),
        Route("/api/import/{name}", take_over, methods=["POST"]),
        Route("/api/reindex", reindex, methods=["GET", "POST"]),
    ]


def _only_a_person(request: Request, what: str) -> None:
    """What is imported holds a user's words, or says so. An agent that could bring them in could write them (SEC-8)."""
    if request.headers.get("x-holdfast-agent"):
        raise Refused(
            f"Only a person may import: run `holdfast import {what}` in a terminal of your own. Nothing was taken in."
        )


async def _blocks(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines in blocks: a message per line costs more than the line."""
    block = b""
    async for line in lines:
        block += line
        if len(block) > 64 * 1024:
            yield block
            block = b""
    yield block


async def _body(request: Request, kind: type[Any]) -> Any:
    body = await read_body(request, BODY_LIMIT)
    return decoded(body, kind)
