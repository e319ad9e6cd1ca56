"""What the HTTP doors share: reading a bounded body, and answering in JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.errors import UsageError

BODY_LIMIT = 1024 * 1024


def json_response(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def read_body(request: Request, limit: int = BODY_LIMIT) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise UsageError(f"The body is longer than {limit} bytes; nothing was done.")
    return body
