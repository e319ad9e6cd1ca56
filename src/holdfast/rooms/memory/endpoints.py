"""REST for scripts that spoke to a memory worker (MEM-14): sessions, observations, summaries, context.

Every body becomes the event it is about and takes the same road as a hook's: scrubbed, journaled once, captured by the
same rules.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from holdfast.errors import HoldfastError, NothingFound
from holdfast.events.endpoint import Endpoint, Request
from holdfast.events.fence import fence, new_nonce
from holdfast.ids import ConversationId
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


async def init(request: Request) -> dict[str, Any]:
    asked: Init = request.body
    session = request.path["session"]
    of = await _of(request, session, asked.cwd, asked.project)
    await request.tell("UserPromptSubmit", of | {"prompt": asked.user_prompt})
    number = asked.prompt_number
    if number is None:
        number = (await _service(request).last_prompt(ConversationId(session)))[0]
    return {"status": "initialized", "sessionDbId": session, "promptNumber": number}


async def observations(request: Request) -> dict[str, Any]:
    asked: Observed = request.body
    used = {"tool_name": asked.tool_name, "tool_input": asked.tool_input, "tool_response": asked.tool_response}
    await request.tell("PostToolUse", await _of(request, asked.claude_session_id, asked.cwd) | used)
    return {"status": "queued"}


async def summarize(request: Request) -> dict[str, Any]:
    asked: Summarise = request.body
    of = await _of(request, asked.claude_session_id, asked.cwd)
    if not await _service(request).was_asked(ConversationId(asked.claude_session_id), asked.last_user_message):
        # A script that never told of its prompt: the turn is summarised with what was asked.
        await request.tell("UserPromptSubmit", of | {"prompt": asked.last_user_message})
    await request.tell("Stop", of | {"last_assistant_message": asked.last_assistant_message})
    return {"status": "queued"}


async def complete(request: Request) -> dict[str, Any]:
    asked: Complete = request.body
    of = await _of(request, asked.claude_session_id, asked.cwd)
    await request.tell("SessionEnd", of | {"reason": asked.reason})
    return {"status": "completed"}


async def processing(request: Request) -> dict[str, Any]:
    depth = await request.waiting()
    return {"status": "ok", "isProcessing": depth > 0, "queueDepth": depth}


async def inject(request: Request) -> str:
    """What a session of a project would be given at its start. A new project has an empty context: who asks puts the
    answer before the model, and an error does not belong there."""
    try:
        text = await _service(request).brief_of(request.query.get("project", ""))
    except HoldfastError as error:
        raise NothingFound(str(error)) from error
    return fence(text, origin="memory", nonce=new_nonce()) if text else ""


def _service(request: Request) -> MemoryService:
    return request.caller.services.get(MemoryService)


async def _of(request: Request, session: str, cwd: str, project: str = "") -> dict[str, Any]:
    """A script may tell the folder at each step, once, or only the project's name."""
    folder = await _service(request).folder_of(ConversationId(session), folder=cwd, named=project)
    return {"session_id": session, "cwd": folder}


ENDPOINTS = (
    Endpoint("/sessions/{session}/init", init, Init),
    Endpoint("/api/sessions/observations", observations, Observed),
    Endpoint("/api/sessions/summarize", summarize, Summarise),
    Endpoint("/api/sessions/complete", complete, Complete),
    Endpoint("/api/processing", processing, methods=("GET", "POST")),
    Endpoint("/api/context/inject", inject, methods=("GET",)),
)
