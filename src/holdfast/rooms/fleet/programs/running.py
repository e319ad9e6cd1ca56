"""Runs other programs for this room: bounded in time and in output, without a shell, and with nothing left behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

MOST_BYTES = 1024 * 1024


async def output_of(
    command: Sequence[str], environment: Mapping[str, str], seconds: float, given: bytes = b""
) -> tuple[int | None, bytes]:
    """The exit code of a program and what it printed; None when its time was over, and it was ended.

    It is ended with all that it started: a child that keeps the output open is not waited for."""
    process = await asyncio.create_subprocess_exec(
        *command,
        env=dict(environment),
        cwd="/",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        printed = await asyncio.wait_for(_exchange(process, given), seconds)
    except TimeoutError:
        return None, b""
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, 9)
        with suppress(TimeoutError):  # a child that left its group may hold the output open; nobody reads it
            await asyncio.wait_for(process.communicate(), 1.0)
    return process.returncode, printed


async def _exchange(process: asyncio.subprocess.Process, given: bytes) -> bytes:
    assert process.stdin
    assert process.stdout
    with suppress(ConnectionError):  # a program need not read what it is given
        process.stdin.write(given)
        await process.stdin.drain()
    process.stdin.close()
    parts, size = [], 0
    while size < MOST_BYTES and (part := await process.stdout.read(1 << 16)):
        parts.append(part)
        size += len(part)
    await process.wait()
    return b"".join(parts)
