"""Makes what is missing from old journal entries, by the steps that would have made it (STO-5).

A store may hold entries from before a room existed, or have lost rows. Entries are read in the order of arrival, a few
at a time; steps marked `rebuilds` run on them. What they write and how far the reading got is one transaction, so a
daemon that dies goes on there. Events on the road go first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from holdfast.errors import StoreError
from holdfast.events.answer import Part
from holdfast.events.event import Event, JsonObject, ToolEvent
from holdfast.events.light import is_light
from holdfast.events.parse import parse
from holdfast.events.reading import JournalReading
from holdfast.events.scene import Place, Scene, Services
from holdfast.events.steps import OnEvent, Program, Step
from holdfast.ids import EntryId, WindowId
from holdfast.road.deadlines import run_steps
from holdfast.road.own import is_own
from holdfast.store.interface import Row, Store, Tx, Value

log = logging.getLogger(__name__)

_AT_ONCE = 16
"""An entry has up to 128 KiB: a batch stays within two megabytes."""
_SECONDS = 30.0
"""Nobody waits for the answer, so a step has more time than on the road; but not for ever."""


_Done = tuple[str, tuple[Part, ...]]


class Replay:
    """Runs steps on one owner's old entries."""

    def __init__(self, store: Store, program: Program, unknown: OnEvent, services: Services, owner: str) -> None:
        self._store = store
        self._program = program
        self._unknown = unknown
        self._services = services
        self._owner = owner

    async def count(self, until: str) -> int:
        """How many entries there are to read."""
        row = await self._store.read(
            lambda reader: reader.one("journal.count_to_rebuild", until=until, owner=self._owner)
        )
        return int((row or {}).get("n") or 0)

    async def read_some(
        self, reading: JournalReading, note: Callable[[Tx, JournalReading], None]
    ) -> JournalReading | None:
        """Read the next entries; `note` stores how far, with what was made of them. None when none is left."""
        about: dict[str, Value] = {
            "after": reading.after,
            "until": reading.until,
            "owner": self._owner,
            "limit": _AT_ONCE,
        }
        rows = await self._store.read(lambda reader: reader.all("journal.to_rebuild", **about))
        if not rows:
            return None
        done: list[_Done] = []
        for row in rows:
            if parts := await self._run(row):
                done.append((str(row["id"]), parts))
            await asyncio.sleep(0)
        there = replace(
            reading, after=str(rows[-1]["id"]), read=reading.read + len(rows), made=reading.made + len(done)
        )
        await self._write(done, there, note)
        return there

    async def _run(self, row: Row) -> tuple[Part, ...]:
        fields = _fields(row)
        if fields is None or row["window_number"] is None or row["worktree_path"] is None:
            return ()
        event = parse(fields, str(row["event"]))
        steps = self._steps(event)
        if not steps or is_own(event):
            return ()
        place = Place(
            project_id=str(row["project_id"]),
            project_name=str(row["project_name"]),
            worktree_id=str(row["worktree_id"]),
            worktree_path=str(row["worktree_path"]),
            window_id=WindowId(str(row["session_id"])),
            window_number=int(row["window_number"]),
            identity=str(row["identity"]),
        )
        scene = Scene(
            entry_id=EntryId(str(row["id"])),
            at_us=int(row["happened_at"] or 0),
            owner=self._owner,
            source="journal",
            place=place,
            services=self._services,
            read=self._store.read,
        )
        outcome = await run_steps(steps, event, scene)
        return tuple(part for part in outcome.parts if part.record)

    def _steps(self, event: Event) -> list[Step]:
        tool = event.tool_name if isinstance(event, ToolEvent) else None
        on_event = self._program.get(event.hook_event_name, self._unknown)
        return [replace(step, seconds=_SECONDS) for step in on_event.steps if step.rebuilds and step.fits(tool)]

    async def _write(
        self, done: Sequence[_Done], reading: JournalReading, note: Callable[[Tx, JournalReading], None]
    ) -> None:
        def write(tx: Tx, some: Sequence[_Done]) -> None:
            for entry_id, parts in some:
                if tx.one("journal.is_there", id=entry_id):  # else it was forgotten meanwhile
                    for part in parts:
                        if part.record:
                            part.record(tx)

        def write_all(tx: Tx) -> None:
            write(tx, done)
            note(tx, reading)

        try:
            await self._store.write(write_all)
            return
        except StoreError:
            raise
        except Exception:
            log.exception(
                "the items of some old entries could not be made anew together; the entries are tried one by one"
            )
        for one in done:
            try:
                await self._store.write(lambda tx, one=one: write(tx, [one]))  # type: ignore[misc]
            except StoreError:
                raise
            except Exception:
                log.exception("the items of the old entry %s could not be made anew; they are left out", one[0])
        await self._store.write(lambda tx: note(tx, reading))


def _fields(row: Row) -> JsonObject | None:
    """The payload of an entry with what its columns say; None when nothing can be made of it.

    Left out are bodies that could not be read, calls of our own (they have no `tool_input`), and tool uses in the light
    form, which has lost their result.
    """
    text = str(row["payload"])
    try:
        payload = msgspec.json.decode(text)
    except msgspec.MsgspecError:
        return None
    if not isinstance(payload, dict) or "holdfast_fault" in payload:
        return None
    if row["tool_name"] and (is_light(text) or "tool_input" not in payload):
        return None
    columns = {
        "session_id": row["conversation"],
        "agent_id": row["agent_id"] or None,
        "prompt_id": row["prompt_id"],
        "tool_name": row["tool_name"],
        "tool_use_id": row["tool_use_id"],
        "cwd": row["worktree_path"],
    }
    return {name: value for name, value in columns.items() if value is not None} | payload
