"""Settles predictions in passing: the words before a run are compared with the outcome of the run.

It runs after the answer went out. The client writes its transcript a little later than it fires its hooks, so a call
that is not there yet is looked for again by a job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from holdfast.events.event import PostToolUse, PostToolUseFailure
from holdfast.events.scene import Scene, Services
from holdfast.ids import ConversationId, EntryId
from holdfast.rooms.learning import tables, words
from holdfast.rooms.learning.model import KnownRun
from holdfast.rooms.learning.predictions import passing
from holdfast.rooms.learning.service import Learning
from holdfast.rooms.learning.tables import Who
from holdfast.shell.recognise import ToolRun
from holdfast.store.interface import Tx

JOB = "implied"
_LATER = (0.5, 2.0, 8.0)
"""Seconds until the transcript is read again."""


class EndedRun(Struct, frozen=True):
    """A run that ended, as the job gets it: no words, so that nothing private waits in the queue."""

    entry_id: EntryId
    conversation: ConversationId
    agent: str
    project_id: str
    owner: str
    cwd: str
    transcript: str
    tool_use_id: str
    domain: str
    verdict: str
    at_us: int
    looked: int = 0


async def settled(
    service: Learning, event: PostToolUse | PostToolUseFailure, scene: Scene, ran: KnownRun, run: ToolRun | None
) -> Callable[[Tx], None] | None:
    """What to write of the agent's words before this run, or that they are to be read later."""
    if run is None or not service.settings.implied or not scene.is_live:
        return None
    return await _read(
        service,
        EndedRun(
            scene.entry_id,
            event.session_id,
            event.agent_id or "",
            scene.place.project_id,
            scene.owner,
            event.cwd,
            event.transcript_path,
            event.tool_use_id or "",
            words.domain_of(ran.kind),
            ran.verdict,
            scene.at_us,
        ),
    )


async def read_again(arguments: dict[str, Any], services: Services) -> None:
    """The job: read the words of a run whose call was not in the transcript."""
    service = services.get(Learning)
    if write := await _read(service, convert(arguments, EndedRun)):
        await service.ground.store.write(write)


async def _read(service: Learning, ended: EndedRun) -> Callable[[Tx], None] | None:
    def is_recorded(at: int | None) -> bool:
        return service.ground.is_recorded(ended.cwd, ended.at_us if at is None else at, ended.conversation)

    def read() -> str | None:
        found = passing.said_before(ended.transcript, ended.tool_use_id, is_recorded)
        # Clean as a whole: a private span may go over many sentences.
        return service.ground.clean(found) if found else found

    said = await asyncio.to_thread(read)
    if said is None:
        return _later(service, ended)
    found = passing.predictions_in(said)
    if not found:
        return None
    implied = tables.Implied(
        ended.entry_id,
        ended.project_id,
        found[0].words,
        found[0].expects,
        ended.domain,
        int(found[0].expects == ended.verdict),
        ended.at_us,
    )
    return lambda tx: tables.add_implied(tx, implied, Who(ended.conversation, ended.agent), ended.owner)


def _later(service: Learning, ended: EndedRun) -> Callable[[Tx], None] | None:
    if ended.looked >= len(_LATER):
        return None
    arguments = to_builtins(replace(ended, looked=ended.looked + 1))
    return lambda tx: service.ground.jobs.ask(tx, JOB, ended.entry_id, arguments, in_seconds=_LATER[ended.looked])
