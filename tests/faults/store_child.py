"""A process that writes to a store and says what was acknowledged, until somebody kills it.

`python -m tests.faults.store_child FOLDER WRITERS`: prints the key of each write after its answer.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from pathlib import Path

from holdfast.ids import new_id, now_us
from holdfast.program import CATALOG
from holdfast.store import open_store, sqlite_url


async def main(folder: Path, writers: int) -> None:
    store = await open_store(sqlite_url(folder / "holdfast.db"), CATALOG, backups=folder / "backups")
    numbers = itertools.count()

    async def write_on() -> None:
        for number in numbers:
            key, now = f"k{number}", now_us()
            await store.write(
                lambda tx: tx.run(
                    "journal.insert",
                    id=new_id(),
                    event_key=key,  # noqa: B023
                    owner="me",
                    event="Stop",
                    conversation="c",
                    agent_id="",
                    session_id=None,
                    project_id=None,
                    worktree_id=None,
                    prompt_id=None,
                    tool_name=None,
                    tool_use_id=None,
                    happened_at=now,  # noqa: B023
                    received_at=now,  # noqa: B023
                    source="http",
                    payload="x" * 2_000,
                    scrubbed=None,
                    cut_bytes=0,
                )
            )
            os.write(1, f"{key}\n".encode())

    await asyncio.gather(*(write_on() for _ in range(writers)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
