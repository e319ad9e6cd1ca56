"""The baseline of the road: uvicorn and Starlette with the worker's settings, which read the body and answer `{}`.

Run with the descriptor of a listening socket. Imports nothing of holdfast.
"""

from __future__ import annotations

import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def take(request: Request) -> Response:
    await request.body()
    asks_for_nothing = request.headers.get("prefer") == "return=minimal"
    return Response(b"" if asks_for_nothing else b"{}", media_type="application/json")


def main() -> None:
    app = Starlette(routes=[Route("/hooks/{event}", take, methods=["POST"])])
    settings = uvicorn.Config(
        app,
        http="httptools",
        loop="uvloop",
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=3600,
        backlog=4096,
    )
    uvicorn.Server(settings).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])


if __name__ == "__main__":
    main()
