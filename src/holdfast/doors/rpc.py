"""JSON-RPC 2.0 at `POST /rpc`: the rooms' methods and tools by their names, one call or a batch. For scripts.

Input may be snake_case or camelCase; results are what the tool or method gives. A known failure is an error with its
sentence, and with its name in `data` where it has one. A method that is an event takes the road of the hooks first.
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
from holdfast.events.caller import PAUSED, Caller
from holdfast.events.method import Method, MethodEvent
from holdfast.ids import EntryId, new_id
from holdfast.road.edge import read_payload
from holdfast.sender import Sender, fitting

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
        caller = await caller_of(composition, request.headers)
        if not isinstance(asked, list):
            if isinstance(asked, dict) and asked.get("method") == "rpc.discover" and _is_id(asked.get("id")):
                described = openrpc(composition.declared)
                return json_response({"jsonrpc": "2.0", "id": asked.get("id"), "result": described})
            answer = await answer_to(asked, composition, caller)
            return json_response(answer) if answer is not None else Response(status_code=204)
        if not 0 < len(asked) <= _MOST_CALLS:
            return json_response(_error(None, _REQUEST, f"A batch holds 1 to {_MOST_CALLS} calls."))
        answers = [answer for call in asked if (answer := await answer_to(call, composition, caller)) is not None]
        return json_response(answers) if answers else Response(status_code=204)

    return [Route("/rpc", rpc, methods=["POST"])]


async def answer_to(call: Any, composition: Composition, caller: Caller) -> dict[str, Any] | None:
    """The answer to one call; None for a notification, which wants none."""
    number = call.get("id") if isinstance(call, dict) else None
    if not _is_id(number):
        return _error(None, _REQUEST, "An id is a string, a number or null.")
    if not isinstance(call, dict) or not isinstance(call.get("method"), str) or call.get("jsonrpc") != "2.0":
        return _error(number, _REQUEST, 'A call is {"jsonrpc": "2.0", "id": …, "method": …, "params": {…}}.')
    answer = await _call(call, composition, caller)
    return answer if "id" in call else None


async def _call(call: dict[str, Any], composition: Composition, caller: Caller) -> dict[str, Any]:
    name, params, number = call["method"], call.get("params", {}), call.get("id")
    if not isinstance(params, dict):
        return _error(number, _PARAMS, "Params are given by name, as an object.")
    try:
        given = {snake(key): value for key, value in params.items()}
        method = composition.declared.methods.get(name)
        if method is not None:
            result = await _run(method, given, composition, caller)
        else:
            tool = tools.find(composition.declared.tools, name)
            result = await tools.call(tool, msgspec.json.encode(given), caller)
    except tools.NoSuchTool as error:
        return _error(number, _METHOD, str(error))
    except UsageError as error:
        return _error(number, _PARAMS, str(error), error.name)
    except HoldfastError as error:
        return _error(number, _FAILED, str(error), error.name)
    except Exception:
        log.exception("%s failed", name)
        return _error(number, _INTERNAL, f"{name} failed unexpectedly; nothing was half written. See the daemon's log.")
    return {"jsonrpc": "2.0", "id": number, "result": result}


async def _run(method: Method[Any], given: dict[str, Any], composition: Composition, caller: Caller) -> Any:
    """Run a method. Where it is an event, that travels first: by the sender that the call names, as `rpc`."""
    if method.changes and not method.in_pause and caller.is_paused and caller.is_agent:
        raise UsageError(PAUSED)
    environment = given.pop("env", None)
    if method.event:
        given["hook_event_name"] = method.event
    try:
        params = msgspec.convert(given, method.params)
    except msgspec.ValidationError as error:
        raise _Unfit(f"{method.name}: {error}.") from error
    if not method.event:
        if method.changes:
            params = await tools.cleaned(method.name, params, caller, len(msgspec.json.encode(given)))
        return await method.run(params, caller, MethodEvent())
    agent = environment.get("AGENT_ID") if isinstance(environment, dict) else ""
    sender = Sender(fitting(agent) or caller.agent_name)
    arrival = new_id()
    payload = read_payload(msgspec.json.encode(given))
    travelled = await composition.road.travel(
        payload, name=method.event, source="rpc", arrival_id=arrival, sender=sender
    )
    return await method.run(params, caller, MethodEvent(EntryId(arrival), travelled.answer, travelled.repeated))


class _Unfit(UsageError):
    """Params that do not fit."""

    name = "VALIDATION_ERROR"


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


def _error(number: Any, code: int, sentence: str, name: str = "") -> dict[str, Any]:
    named = {"data": {"name": name}} if name else {}
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": sentence} | named}
