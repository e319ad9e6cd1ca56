"""This room's things as `recall` sees them: what is indexed of each, and what may be given unasked. Pure, but for
`with_text`.

To recall, a session is a listener: one agent of one conversation. The kind is an observation's own (`edit`, `test`),
else `prompt`, `summary` or `memory`.
"""

from __future__ import annotations

import posixpath
import re
from typing import Literal

from holdfast import recall
from holdfast.rooms.memory.model import Family, Item, Memory, Observation, Outcome, Prompt, Summary, SummaryContent
from holdfast.rooms.memory.rules import LIGHT, one_line, pattern, trust_weight
from holdfast.store.interface import Reader

KINDS = ("memory", "summary", "prompt", "edit", "test", "build", "command", "web", "agent", "other")
"""What may be given to an agent unasked. Reads and searches are only found by who looks for them."""
ALL_KINDS = (*KINDS, *sorted(LIGHT))

MOST_WITH_TEXT = 2_000
"""Of what holds a text word for word, the newest that are looked at."""

_LONGEST_INDEXED = 2_000
_LONGEST_SUMMARY = 3_000
_NO_NAME = re.compile(r"[^\w.-]+")
_OUTCOMES: dict[Outcome, Literal["ok", "failed", "none"]] = {"": "none", "passed": "ok", "failed": "failed"}


def kind_of(item: Item) -> str:
    match item:
        case Observation():
            return item.kind
        case Summary():
            return "summary"
        case Prompt():
            return "prompt"
        case Memory():
            return "memory"


def families(kind: str) -> tuple[Family, ...]:
    """Where a thing of this kind is kept."""
    match kind:
        case "memory" | "summary" | "prompt":
            return (kind,)
        case _:
            return ("observation",)


def with_text(reader: Reader, text: str, asked: recall.Query) -> frozenset[str]:
    """The ids of what holds a text, and perhaps a few more: the index knows words, but neither "->" nor "it is"."""
    only = asked.kinds[0] if len(asked.kinds) == 1 else ""
    family = families(only)[0] if only else ""
    found = reader.all(
        "memory.listed",
        owner=asked.owners[0],
        project_id=asked.project_ids[0] if asked.project_ids else "",
        since=asked.since,
        until=asked.until,
        family=family,
        kind=only if family == "observation" else "",
        file=f"%{_NO_NAME.sub('%', posixpath.basename(asked.file))}%" if asked.file else "",
        conversation=asked.session,
        like=pattern(text),
        limit=MOST_WITH_TEXT,
    )
    return frozenset(str(row["id"]) for row in found)


def is_indexed(item: Item) -> bool:
    """A session of one turn says what the summary of that turn says; one of them is enough to be found."""
    return not (isinstance(item, Summary) and item.level == "session" and item.prompt_number <= 1)


def _told(content: SummaryContent) -> list[str]:
    """What a summary says, each sentence once."""
    said = content.said.splitlines()
    chosen = [line for part in (content.learned, content.left_open) for line in part.splitlines() if line not in said]
    return [content.request, content.done, *chosen, *said]


def indexed(item: Item, owner: str, session: str) -> recall.Item:
    """What recall keeps of an item."""
    match item:
        case Prompt():
            return recall.Item(
                id=item.id,
                kind="prompt",
                owner=owner,
                text=item.text[:_LONGEST_INDEXED],
                happened_at=item.happened_at,
                project_id=item.project_id,
                session_id=session,
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
                session_id=session,
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
                text="\n".join(_told(content))[:_LONGEST_SUMMARY],
                happened_at=item.happened_at,
                project_id=item.project_id,
                session_id=session,
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
