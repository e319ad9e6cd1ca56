"""What the search index stores about each item of this room. Pure.

For recall, an item belongs to a listener: one agent of one conversation. Its kind is the kind of the observation
(`edit`, `test`), else `prompt`, `summary` or `memory`.
"""

from __future__ import annotations

from typing import Literal

from holdfast import recall
from holdfast.ids import ListenerId
from holdfast.prose.one_line import one_line
from holdfast.rooms.memory.model import LIGHT, Ended, Memory, MemoryItem, Observation, Prompt, Summary, SummaryContent
from holdfast.rooms.memory.rules import trust_weight

_LONGEST_INDEXED = 2_000
_LONGEST_SUMMARY = 3_000
_OUTCOMES: dict[Ended, Literal["ok", "failed", "none"]] = {"": "none", "passed": "ok", "failed": "failed"}


def is_indexed(item: MemoryItem) -> bool:
    """The summary of a session with one turn repeats the summary of that turn, so only the turn is indexed."""
    return not (isinstance(item, Summary) and item.level == "session" and item.prompt_number <= 1)


def _sentences(content: SummaryContent) -> list[str]:
    """The sentences of a summary, each once."""
    said = content.said.splitlines()
    chosen = [line for part in (content.learned, content.left_open) for line in part.splitlines() if line not in said]
    return [content.request, content.done, *chosen, *said]


def document(item: MemoryItem, owner: str, listener: ListenerId) -> recall.Item:
    """The index entry of an item; `listener` is the agent that did the work."""
    match item:
        case Prompt():
            return recall.Item(
                id=item.id,
                kind="prompt",
                owner=owner,
                text=item.text[:_LONGEST_INDEXED],
                happened_at=item.happened_at,
                project_id=item.project_id,
                listener=listener,
                trust=trust_weight("user"),
            )
        case Observation():
            return recall.Item(
                id=item.id,
                kind=item.kind,
                owner=owner,
                title=item.title,
                text="" if item.kind in LIGHT else f"{one_line(item.command, 300)}\n{item.excerpt}".strip(),
                happened_at=item.happened_at,
                project_id=item.project_id,
                listener=listener,
                outcome=_OUTCOMES[item.outcome],
                trust=trust_weight(item.trust),
                light=item.kind in LIGHT,
                files=item.files,
            )
        case Summary():
            content = item.content
            return recall.Item(
                id=item.id,
                kind="summary",
                owner=owner,
                title=content.title,
                text="\n".join(_sentences(content))[:_LONGEST_SUMMARY],
                happened_at=item.happened_at,
                project_id=item.project_id,
                listener=listener,
                outcome=_OUTCOMES[content.outcome],
                trust=trust_weight("agent"),
                files=content.files,
            )
        case Memory():
            return recall.Item(
                id=item.id,
                kind="memory",
                owner=owner,
                title=item.title,
                text=f"{item.text}\n{' '.join(item.tags)}"[: 2 * _LONGEST_INDEXED],
                happened_at=item.updated_at,
                project_id=item.project_id,
                trust=trust_weight(item.trust),
                files=item.files,
            )
