"""What the HTTP doors share: reading a bounded body, and answering in JSON."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from holdfast.errors import HoldfastError, Refused, StoreError, UsageError

T = TypeVar("T")

BODY_LIMIT = 1024 * 1024
LEAVE = {"connection": "close"}
"""For whoever has not shown the token: an open connection is for those who have, because there are only so many."""


def json_response(value: Any, status: int = 200) -> Response:
    try:
        body = msgspec.json.encode(value)
    except UnicodeEncodeError:  # the name of a file may be any bytes
        body = msgspec.json.encode(_encodable(msgspec.to_builtins(value)))
    return Response(body, status, media_type="application/json")


def _encodable(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_encodable(name): _encodable(each) for name, each in value.items()}
        case list():
            return [_encodable(each) for each in value]
        case _:
            return value


def decoded(body: bytes, kind: type[T]) -> T:
    """A body as the type it should have. What does not fit, is not UTF-8 or is too deep is a sentence."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"The body does not fit: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


async def told(request: Request, error: Exception) -> Response:
    """What a door answers to a failure that it did not answer itself: its sentence."""
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    return json_response({"error": str(error)}, status)


async def gone(request: Request, error: Exception) -> Response:
    """The caller went away while it was sending; nobody reads this."""
    return Response(status_code=400)


_STATUS: tuple[tuple[type[Exception], int], ...] = (
    (UsageError, 400),
    (Refused, 403),
    (StoreError, 503),
    (HoldfastError, 422),
)

FAILURES: dict[Any, Any] = {HoldfastError: told, ClientDisconnect: gone}
"""For Starlette: no known failure is an Internal Server Error, whichever route it happens on."""


async def read_body(request: Request, limit: int = BODY_LIMIT) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise UsageError(f"The body is longer than {limit} bytes; nothing was done.")
    return body
