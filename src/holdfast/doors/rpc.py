"""JSON-RPC 2.0 at `POST /rpc`: the rooms' tools by their names, one call or a batch. For scripts.

Input may be snake_case or camelCase; results are what the tool gives. A known failure is an error with its sentence.
"""

from __future__ import annotations

import logging
import re
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdfast.composition import Composition
from holdfast.doors import tools
from holdfast.doors.answers import json_response, read_body
from holdfast.doors.callers import caller_of
from holdfast.doors.descriptions import openrpc
from holdfast.errors import HoldfastError, UsageError
from holdfast.events.caller import Caller

log = logging.getLogger(__name__)

_PARSE, _REQUEST, _METHOD, _PARAMS, _INTERNAL, _FAILED = -32700, -32600, -32601, -32602, -32603, -32000
_MOST_CALLS = 100
_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


def rpc_routes(composition: Composition) -> list[Route]:
    """The routes of this door."""

    async def rpc(request: Request) -> Response:
        try:
            asked = msgspec.json.decode(await read_body(request))
        except HoldfastError as error:
            return json_response(_error(None, _REQUEST, str(error)))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return json_response(_error(None, _PARSE, f"This is not valid JSON ({error})."))
        listed, caller = composition.declared.tools, await caller_of(composition, request.headers)
        if not isinstance(asked, list):
            if isinstance(asked, dict) and asked.get("method") == "rpc.discover" and _is_id(asked.get("id")):
                described = openrpc(composition.declared)
                return json_response({"jsonrpc": "2.0", "id": asked.get("id"), "result": described})
            answer = await answer_to(asked, listed, caller)
            return json_response(answer) if answer is not None else Response(status_code=204)
        if not 0 < len(asked) <= _MOST_CALLS:
            return json_response(_error(None, _REQUEST, f"A batch holds 1 to {_MOST_CALLS} calls."))
        answers = [answer for call in asked if (answer := await answer_to(call, listed, caller)) is not None]
        return json_response(answers) if answers else Response(status_code=204)

    return [Route("/rpc", rpc, methods=["POST"])]


async def answer_to(call: Any, listed: tools.Tools, caller: Caller) -> dict[str, Any] | None:
    """The answer to one call; None for a notification, which wants none."""
    number = call.get("id") if isinstance(call, dict) else None
    if not _is_id(number):
        return _error(None, _REQUEST, "An id is a string, a number or null.")
    if not isinstance(call, dict) or not isinstance(call.get("method"), str) or call.get("jsonrpc") != "2.0":
        return _error(number, _REQUEST, 'A call is {"jsonrpc": "2.0", "id": …, "method": …, "params": {…}}.')
    answer = await _call(call, listed, caller)
    return answer if "id" in call else None


async def _call(call: dict[str, Any], listed: tools.Tools, caller: Caller) -> dict[str, Any]:
    name, params, number = call["method"], call.get("params", {}), call.get("id")
    if not isinstance(params, dict):
        return _error(number, _PARAMS, "Params are given by name, as an object.")
    try:
        tool = tools.find(listed, name)
        body = msgspec.json.encode({snake(key): value for key, value in params.items()})
        result = await tools.call(tool, body, caller)
    except tools.NoSuchTool as error:
        return _error(number, _METHOD, str(error))
    except UsageError as error:
        return _error(number, _PARAMS, str(error))
    except HoldfastError as error:
        return _error(number, _FAILED, str(error))
    except Exception:
        log.exception("%s failed", name)
        return _error(number, _INTERNAL, f"{name} failed unexpectedly; nothing was half written. See the daemon's log.")
    return {"jsonrpc": "2.0", "id": number, "result": result}


def failed_call(call: Any, sentence: str) -> dict[str, Any]:
    """The answer to a call that cannot be made at present."""
    number = call.get("id") if isinstance(call, dict) else None
    return _error(number if _is_id(number) else None, _FAILED, sentence)


def _is_id(value: Any) -> bool:
    """What the protocol allows; to Python a truth value is a number, too."""
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def snake(name: str) -> str:
    """`sessionId` as `session_id`."""
    return _HUMP.sub(lambda match: "_" + match[1].lower(), name)


def _error(number: Any, code: int, sentence: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": sentence}}
