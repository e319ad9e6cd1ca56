"""The table `correction`: what users corrected, and whether they confirmed it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast

from holdfast.events.correction import Correction, CorrectionKind
from holdfast.ids import NO_CONVERSATION, NO_ITEM, ConversationId, ItemId
from holdfast.rooms.memory.model import Prompt
from holdfast.rooms.memory.tables import rows
from holdfast.store.interface import Reader, Tx

CorrectionState = Literal["open", "confirmed", "dismissed"]


@dataclass(frozen=True, slots=True)
class KeptCorrection:
    """A correction with the prompt that it was said in."""

    prompt_item_id: ItemId
    part: str
    """Its number in the prompt: "1" for the first."""
    text: str
    kind: CorrectionKind
    state: CorrectionState
    memory_id: ItemId
    """The memory that it became; '' until it is confirmed."""
    project_id: str
    project: str
    conversation: ConversationId
    happened_at: int


def keep_corrections(tx: Tx, prompt: Prompt, found: Iterable[Correction]) -> None:
    """Store what a prompt corrects, once."""
    for number, each in enumerate(found, 1):
        tx.run(
            "memory.correction_put",
            prompt_id=prompt.id,
            part=str(number),
            text=each.text,
            kind=each.kind,
            state="open",
            memory_id="",
            happened_at=prompt.happened_at,
        )


def decide_correction(tx: Tx, which: KeptCorrection, state: CorrectionState, memory_id: ItemId = NO_ITEM) -> None:
    tx.run(
        "memory.correction_decide", prompt_id=which.prompt_item_id, part=which.part, state=state, memory_id=memory_id
    )


def drop_corrections(tx: Tx, prompt_item_id: ItemId) -> None:
    tx.run("memory.correction_drop", prompt_id=prompt_item_id)


def corrections(
    reader: Reader,
    owner: str,
    *,
    state: str = "",
    project_id: str = "",
    conversation: ConversationId = NO_CONVERSATION,
    limit: int = 1_000,
) -> list[KeptCorrection]:
    """What users corrected, the newest first."""
    about = {"owner": owner, "state": state, "project_id": project_id, "conversation": conversation}
    return [
        KeptCorrection(
            prompt_item_id=ItemId(str(row["prompt_id"])),
            part=str(row["part"]),
            text=str(row["text"]),
            kind=cast(CorrectionKind, row["kind"]),
            state=cast(CorrectionState, row["state"]),
            memory_id=ItemId(str(row["memory_id"])),
            project_id=str(row["project_id"]),
            project=str(row["project"]),
            conversation=ConversationId(str(row["conversation"])),
            happened_at=rows.number(row["happened_at"]),
        )
        for row in reader.all("memory.corrections", **about, limit=limit)
    ]
