"""Why: all that is known about how a thing came to be kept and shown (MEM-10)."""

from __future__ import annotations

from holdfast.rooms.memory import rows, rules, tables
from holdfast.rooms.memory.model import Explained, Item, Memory, Observation, Summary
from holdfast.store.interface import Reader

_MOST_SHOWN = 100


def explain(reader: Reader, item: Item, owner: str) -> Explained:
    """Where it came from, what was asked for then, when it was shown to whom, and whether it still holds."""
    entry = reader.one("memory.entry", id=item.source if isinstance(item, Memory) else item.id)
    conversation = tables.conversation_of(reader, item)
    number = item.prompt_number if isinstance(item, Observation | Summary) else 0
    asked = reader.one("memory.prompt_numbered", conversation=conversation, number=number) if number else None
    project = reader.one("memory.project", id=item.project_id, owner=owner)
    shown = reader.all("memory.injections_of", id=item.id, limit=_MOST_SHOWN)
    old = reader.one("memory.superseded", id=item.id)
    return Explained(
        item=item,
        family=rules.family_of(item),
        project=str(project["name"]) if project else "",
        conversation=conversation,
        origin=rows.origin_of(entry) if entry else None,
        prompt=rows.prompt_of(asked) if asked else None,
        shown=tuple(rows.injection_of(row) for row in shown),
        superseded=rows.superseded_of(old) if old else None,
        pages=tables.cited(reader, item.id, owner),
        supersedes=tuple(rows.superseded_of(row) for row in reader.all("memory.supersedes", id=item.id)),
    )
