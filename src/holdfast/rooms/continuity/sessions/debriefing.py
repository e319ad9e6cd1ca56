"""The outcome of a session, as an item that later sessions find. Pure.

The words are of the one who ended the session; what really happened is added to them. A session that nobody debriefs is
summed up by the memory room.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from holdfast.ids import ConversationId, ItemId
from holdfast.prose.one_line import one_line
from holdfast.rooms.continuity.model import Debrief, SessionOutcome, Stand

_LONGEST = 2_000


def made(
    task: str,
    approach: str,
    outcome: SessionOutcome,
    tags: list[str],
    notes: str,
    *,
    item_id: ItemId,
    stand: Stand,
    conversation: ConversationId,
    project_id: str,
    at: int,
    trust: Literal["user", "agent"],
) -> Debrief:
    return Debrief(
        id=item_id,
        project_id=project_id,
        conversation=conversation,
        task=task.strip()[:_LONGEST],
        approach=approach.strip()[:_LONGEST],
        outcome=outcome,
        tags=msgspec.json.encode([tag.strip()[:80] for tag in tags if tag.strip()][:20]).decode(),
        notes="\n".join(filter(None, (notes.strip(), *happened(stand))))[:_LONGEST],
        trust=trust,
        made_at=at,
    )


def happened(stand: Stand) -> list[str]:
    """What the record adds: corrections, dead ends, last runs, what is open."""
    return [
        *(f"Correction by the user: {one_line(text, 300)}" for text in stand.corrections[-3:]),
        *(f"Did not work: {text}" for text in stand.dead_ends[-3:]),
        *(f"{'Failing' if run.outcome == 'failed' else 'Passed'}: {run.title}" for run in stand.runs[-2:]),
        *(f"Open: {text}" for text in stand.next_steps[-3:]),
    ]
