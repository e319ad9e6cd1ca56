"""The guard of the unit tests: whichever way a process or a server is started, it is refused and written down."""

from __future__ import annotations

import asyncio
import http.server
import os
import socket
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.support.no_processes import ProcessRefused, no_processes


async def _subprocess() -> None:
    await asyncio.create_subprocess_exec(sys.executable, "-c", "")


async def _server() -> None:
    await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)


def _listen() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()


@pytest.mark.requirement("HSE-7")
@pytest.mark.parametrize(
    "start",
    [
        lambda: subprocess.run([sys.executable, "-c", ""], check=False),
        lambda: os.system("true"),
        lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}),
        lambda: os.fork() or os._exit(1),
        lambda: asyncio.run(_subprocess()),
        lambda: asyncio.run(_server()),
        lambda: http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler),
        _listen,
    ],
    ids=["run", "system", "posix_spawn", "fork", "asyncio process", "asyncio server", "http server", "listen"],
)
def test_a_process_or_a_server_is_refused(start: Callable[[], object]) -> None:
    with no_processes() as refused:
        with pytest.raises(ProcessRefused):
            start()
    assert len(refused) == 1


@pytest.mark.requirement("HSE-7")
def test_swallowing_the_refusal_does_not_help() -> None:
    with no_processes() as refused:
        try:
            subprocess.run(["true"], check=False)
        except Exception:
            assert refused
    assert refused
