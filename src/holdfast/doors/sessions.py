"""REST for scripts that spoke to a memory worker (MEM-14): sessions, observations, summaries, context.

Every body becomes the event it tells of and takes the same road as a hook's: scrubbed, journaled once, captured by the
same rules. Nothing here knows a room but the one whose context it hands out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from holdfast.composition import Composition
from holdfast.doors.answers import json_response, read_body
from holdfast.errors import HoldfastError, StoreError
from holdfast.events.fence import fence, new_nonce
from holdfast.ids import now_us
from holdfast.items.indexed import Start
from holdfast.road.edge import Payload
from holdfast.rooms.memory.service import MemoryService


class Init(Struct, rename="camel"):
    """A prompt of a session."""

    project: str = ""
    user_prompt: str = ""
    prompt_number: int | None = None
    cwd: str = ""


class Observed(Struct):
    """A tool that was used."""

    claude_session_id: str = msgspec.field(name="claudeSessionId")
    tool_name: str
    tool_input: Any = None
    tool_response: Any = None
    cwd: str = ""


class Summarise(Struct):
    """A turn that ended."""

    claude_session_id: str = msgspec.field(name="claudeSessionId")
    last_user_message: str = ""
    last_assistant_message: str = ""
    cwd: str = ""


class Complete(Struct):
    """A session that ended."""

    claude_session_id: str = msgspec.field(name="claudeSessionId")
    reason: str = "other"
    cwd: str = ""


Answering = Callable[[Request], Awaitable[Response]]


def session_routes(composition: Composition) -> list[Route]:
    """The routes of this door."""

    async def init(request: Request) -> Response:
        asked = await _decoded(request, Init)
        session = request.path_params["session"]
        await _travel(
            composition, "UserPromptSubmit", session, asked.cwd or asked.project, {"prompt": asked.user_prompt}
        )
        return json_response({"status": "initialized", "sessionDbId": session, "promptNumber": asked.prompt_number})

    async def observations(request: Request) -> Response:
        asked = await _decoded(request, Observed)
        told = {"tool_name": asked.tool_name, "tool_input": asked.tool_input, "tool_response": asked.tool_response}
        await _travel(composition, "PostToolUse", asked.claude_session_id, asked.cwd, told)
        return json_response({"status": "queued"})

    async def summarize(request: Request) -> Response:
        asked = await _decoded(request, Summarise)
        told = {"last_assistant_message": asked.last_assistant_message, "last_user_message": asked.last_user_message}
        await _travel(composition, "Stop", asked.claude_session_id, asked.cwd, told)
        return json_response({"status": "queued"})

    async def complete(request: Request) -> Response:
        asked = await _decoded(request, Complete)
        await _travel(composition, "SessionEnd", asked.claude_session_id, asked.cwd, {"reason": asked.reason})
        return json_response({"status": "completed"})

    async def processing(request: Request) -> Response:
        waiting = await composition.store.read(lambda reader: reader.all("job.counts", home=composition.jobs.home))
        depth = sum(int(row["n"] or 0) for row in waiting if row["state"] != "failed")
        return json_response({"status": "ok", "isProcessing": depth > 0, "queueDepth": depth})

    async def inject(request: Request) -> Response:
        memory, items = composition.services.get(MemoryService), composition.items
        try:
            project = await items.project(request.query_params.get("project", ""))
        except HoldfastError as error:
            return json_response({"error": str(error)}, 404)
        start, tokens = Start(composition.owner, project, now_us()), memory.settings.brief_tokens
        text, _ = await composition.store.read(lambda reader: items.brief(reader, start, tokens))
        return PlainTextResponse(fence(text, origin="memory", nonce=new_nonce()) if text else "")

    return [
        Route("/sessions/{session}/init", _told(init), methods=["POST"]),
        Route("/api/sessions/observations", _told(observations), methods=["POST"]),
        Route("/api/sessions/summarize", _told(summarize), methods=["POST"]),
        Route("/api/sessions/complete", _told(complete), methods=["POST"]),
        Route("/api/processing", _told(processing), methods=["GET", "POST"]),
        Route("/api/context/inject", _told(inject)),
    ]


async def _travel(composition: Composition, event: str, session: str, cwd: str, told: dict[str, Any]) -> None:
    fields = {"session_id": session, "cwd": cwd, "hook_event_name": event} | told
    travelled = await composition.road.travel(Payload(fields), name=event, source="http")
    if not travelled.kept:
        raise StoreError("The store would not take it at present; nothing was kept. `holdfast status` says why.")


async def _decoded(request: Request, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(await read_body(request) or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        names = ", ".join(f.encode_name for f in msgspec.structs.fields(kind))
        raise _Unfit(f"{error}. The body is a JSON object of {names}.") from error


class _Unfit(HoldfastError):
    """A body that does not fit."""


def _told(answering: Answering) -> Answering:
    async def guarded(request: Request) -> Response:
        try:
            return await answering(request)
        except _Unfit as error:
            return json_response({"error": str(error)}, 400)
        except HoldfastError as error:
            return json_response({"error": str(error)}, 503)

    return guarded
