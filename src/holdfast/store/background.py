"""Long work on a thread of its own, at a lower priority where the system has priorities of threads (Linux)."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

_NICE = 10


async def in_background(work: Callable[[], T]) -> T:
    """Run `work`; whoever waits for an answer of the daemon goes first. The thread ends with it."""

    def nicely() -> T:
        if sys.platform == "linux":
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        return work()

    pool = ThreadPoolExecutor(1, thread_name_prefix="holdfast-background")
    try:
        return await asyncio.get_running_loop().run_in_executor(pool, nicely)
    finally:
        pool.shutdown(wait=False)
