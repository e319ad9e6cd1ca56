"""The records of an export, one by one: reading a line, and taking what it tells into the store.

A record that is there already, or was forgotten here, changes nothing. Ids of projects and sessions that this store
knows under others are translated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import msgspec

from holdfast.errors import UsageError
from holdfast.events import tombstone
from holdfast.items import tables as items
from holdfast.items.indexed import Trust
from holdfast.items.model import Superseded
from holdfast.rooms.memory import rows, tables
from holdfast.rooms.memory.model import LIGHT, Ended, Kind, Level, MemoryItem
from holdfast.store.interface import Reader, Tx, Value

FORMAT = 1

Record = dict[str, Value]

COLUMNS: dict[str, tuple[str, ...]] = {
    name: tuple(columns.split())
    for name, columns in {
        "project": "id place name created_at",
        "worktree": "id project_id path created_at",
        "session": "id conversation agent_id agent_type window_number project_id worktree_id transcript_path began_by "
        "started_at last_event_at ended_at end_reason",
        "prompt": "id conversation prompt_id session_id project_id number text happened_at",
        "observation": "id session_id project_id prompt_number kind tool title outcome trust files command excerpt "
        "commit_hash happened_at",
        "summary": "id subject level conversation session_id project_id prompt_number title request investigated done "
        "learned left_open said outcome files written_by happened_at",
        "memory": "id project_id title text tags files trust source created_at updated_at",
        "supersession": "old_id new_id reason made_by happened_at",
        "cited_page": "item_id url version changed_at new_version",
        "injection": "entry_id item_id place about conversation agent_id score parts tokens happened_at",
        "lost_context": "conversation happened_at",
        "model_summary": "subject facts by_model by_rules written_at",
        "citation": "id scope url shown_url final_url etag last_modified content_type vary version source created_at "
        "verified_at challenged_at changed_at",
        "reading": "id citation_id prompt_key prompt text version digest code bytes page_bytes took_ms read_by read_at "
        "used_at uses",
    }.items()
}
"""The fields of each record. Others (of a newer holdfast) are passed over."""

_NULLABLE = frozenset(
    (
        *("files", "tags", "command", "excerpt", "commit_hash", "agent_type", "transcript_path", "ended_at", "parts"),
        *("end_reason", "changed_at", "new_version", "etag", "last_modified"),
    )
)
_NUMBERS = frozenset(
    (*("number", "prompt_number", "window_number", "score", "tokens", "code", "bytes", "page_bytes", "took_ms"), "uses")
)
_LISTS = frozenset(("files", "tags"))
_CHOICES: dict[str, tuple[str, ...]] = {
    name: get_args(of) for name, of in {"level": Level, "kind": Kind, "trust": Trust, "outcome": Ended}.items()
}
_SINCE: dict[str, Record] = {"summary": {"said": ""}}
"""Fields that older exports do not have."""


def put(tx: Tx, record: Record, owner: str) -> bool:
    """Take one record in. Was it new?"""
    kind = str(record["record"])
    return _TAKERS[kind](tx, {name: record[name] for name in COLUMNS[kind]}, owner)


def read(line: str, number: int) -> Record | None:
    """One record; None for the first and the last line."""
    try:
        value = msgspec.json.decode(line)
    except msgspec.MsgspecError as error:
        raise UsageError(f"Line {number + 1} is not JSON ({error}); nothing of this part was taken.") from error
    if not isinstance(value, dict):
        raise UsageError(f"Line {number + 1} is not a record of an export; nothing of this part was taken.")
    if "holdfast_export" in value:
        if value["holdfast_export"] != FORMAT:
            raise UsageError(f"This export is of format {value['holdfast_export']}, and this holdfast reads {FORMAT}.")
        return None
    if "end" in value:
        return None
    kind = value.get("record")
    if kind not in COLUMNS:
        raise UsageError(f"Line {number + 1} is an unknown record ({kind!r}); nothing of this part was taken.")
    value = _SINCE.get(kind, {}) | value
    wrong = [name for name in COLUMNS[kind] if name not in value or not _fits(name, value[name])]
    if wrong:
        raise UsageError(f"Line {number + 1} ({kind}) has no fit {wrong[0]}; nothing of this part was taken.")
    return value


def _fits(name: str, value: object) -> bool:
    """May this be the value of a column? What is counted or timed is a number, what is told is text."""
    if value is None:
        return name in _NULLABLE
    if name in _CHOICES:
        return value in _CHOICES[name]
    if name in _LISTS:
        return isinstance(value, str) and _is_list(value)
    if name in _NUMBERS or name.endswith("_at"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, str)


def _is_list(text: str) -> bool:
    try:
        msgspec.json.decode(text, type=list[str])
    except msgspec.MsgspecError:
        return False
    return True


def _local(reader: Reader, foreign: Value) -> str:
    """What this store calls a project, session or page of the other."""
    if not foreign:
        return ""
    row = reader.one("upkeep.alias", id=foreign)
    return str(row["local_id"]) if row else str(foreign)


def _same(tx: Tx, foreign: Value, local: Value) -> None:
    if local and foreign != local:
        tx.run("upkeep.alias_add", foreign_id=foreign, local_id=local)


def _project(tx: Tx, record: Record, owner: str) -> bool:
    added = tx.run("upkeep.project_put", owner=owner, **record) == 1
    row = tx.one("session.project_by_place", owner=owner, place=record["place"])
    _same(tx, record["id"], row["id"] if row else None)
    return added


def _worktree(tx: Tx, record: Record, owner: str) -> bool:
    record["project_id"] = _local(tx, record["project_id"])
    added = tx.run("upkeep.worktree_put", **record) == 1
    row = tx.one("session.worktree_by_path", project_id=record["project_id"], path=record["path"])
    _same(tx, record["id"], row["id"] if row else None)
    return added


def _session(tx: Tx, record: Record, owner: str) -> bool:
    record |= {name: _local(tx, record[name]) for name in ("project_id", "worktree_id")}
    added = tx.run("upkeep.session_put", owner=owner, **record) == 1
    window = {name: record[name] for name in ("conversation", "agent_id", "window_number")}
    row = tx.one("upkeep.session_by_window", **window)
    _same(tx, record["id"], row["id"] if row else None)
    return added


def _item(tx: Tx, record: Record, owner: str, family: str) -> MemoryItem | None:
    """A prompt, observation or summary to be written; None when it is there, or was forgotten."""
    record |= {name: _local(tx, record[name]) for name in ("project_id", "session_id")}
    conversation = record.get("conversation")
    if conversation is None:
        row = tx.one("memory.conversation_of", id=record["session_id"])
        conversation = row["conversation"] if row else ""
    marks = [
        tombstone.of_item(str(record["id"])),
        tombstone.of_conversation(str(conversation)),
        tombstone.of_owner(owner),
    ]
    if tombstone.lies_on(tx, int(record["happened_at"] or 0), *marks) or tx.one(f"memory.{family}", id=record["id"]):
        return None
    match family:
        case "prompt":
            return rows.prompt_of(record)
        case "observation":
            return rows.observation_of(record)
        case _:
            return rows.summary_of(record)


def _prompt(tx: Tx, record: Record, owner: str) -> bool:
    item = _item(tx, record, owner, "prompt")
    return item is not None and tx.run("memory.prompt_add", **record) == 1 and _index(tx, item, owner)


def _observation(tx: Tx, record: Record, owner: str) -> bool:
    item = _item(tx, record, owner, "observation")
    if item is None or not tx.run("memory.observe", **record):
        return False
    observation = rows.observation_of(record)
    if observation.kind not in LIGHT:
        tables.touch(tx, observation, observation.happened_at, owner)
    return _index(tx, item, owner)


def _summary(tx: Tx, record: Record, owner: str) -> bool:
    item = _item(tx, record, owner, "summary")
    if item is None or tx.one("memory.summary_of", subject=record["subject"]):
        return False
    if tombstone.lies_on(tx, int(record["happened_at"] or 0), tombstone.of_subject(str(record["subject"]))):
        return False
    return tx.run("memory.summary_put", **record) == 1 and _index(tx, item, owner)


def _memory(tx: Tx, record: Record, owner: str) -> bool:
    record |= {"project_id": _local(tx, record["project_id"]), "owner": owner}
    if tx.one("memory.memory", id=record["id"]) or tombstone.lies_on(tx, 0, tombstone.of_item(str(record["id"]))):
        return False
    memory = rows.memory_of(record)
    tx.run("memory.memory_add", **rows.memory_row(memory))
    tables.touch(tx, memory, memory.created_at, owner)
    # Not `tables.keep_memory`: the pages that it names were read where it was made, and not as they are here today.
    return _index(tx, memory, owner)


def _index(tx: Tx, item: MemoryItem, owner: str) -> bool:
    tables.put_in_index(tx, item, owner)
    return True


def _supersession(tx: Tx, record: Record, owner: str) -> bool:
    if tx.one("items.superseded", id=record["old_id"]) or tables.item(tx, str(record["old_id"]), owner) is None:
        return False
    told = {name: str(record[name]) for name in ("old_id", "new_id", "reason")}
    items.supersede(
        tx, Superseded(**told, by=str(record["made_by"]), happened_at=int(record["happened_at"] or 0)), owner
    )
    return True


def _cited_page(tx: Tx, record: Record, owner: str) -> bool:
    if tables.item(tx, str(record["item_id"]), owner) is None:
        return False
    return tx.run("upkeep.cited_page_put", owner=owner, **record) > 0


def _injection(tx: Tx, record: Record, owner: str) -> bool:
    if tables.item(tx, str(record["item_id"]), owner) is None or _is_closed(tx, record):
        return False
    record["score"] = float(record["score"] or 0)
    return tx.run("items.inject", **record) == 1


def _lost_context(tx: Tx, record: Record, owner: str) -> bool:
    conversation = record["conversation"]
    if not tx.one("upkeep.has_conversation", owner=owner, conversation=conversation) or _is_closed(tx, record):
        return False
    return tx.run("items.lose_context", conversation=conversation, at=record["happened_at"]) == 1


def _is_closed(tx: Tx, record: Record) -> bool:
    """Was the conversation that this happened in forgotten?"""
    mark = tombstone.of_conversation(str(record["conversation"]))
    return tombstone.lies_on(tx, int(record["happened_at"] or 0), mark)


def _model_summary(tx: Tx, record: Record, owner: str) -> bool:
    subject = str(record["subject"])
    row = tx.one("memory.summary_of", subject=subject)
    if row is None or tables.item(tx, str(row["id"]), owner, ("summary",)) is None:
        return False
    if tombstone.lies_on(tx, int(record["written_at"] or 0), tombstone.of_written(subject)):
        return False
    return _are_sums(record) and tx.run("upkeep.model_summary_add", owner=owner, **record) == 1


def _are_sums(record: Record) -> bool:
    """Scrubbing by a newer rule may have taken a quotation mark along."""
    try:
        return all(isinstance(msgspec.json.decode(str(record[name])), dict) for name in ("by_model", "by_rules"))
    except msgspec.MsgspecError:
        return False


def _citation(tx: Tx, record: Record, owner: str) -> bool:
    record["scope"] = _local(tx, record["scope"])
    added = tx.run("upkeep.citation_put", owner=owner, **record) == 1
    row = tx.one("upkeep.citation_by_place", owner=owner, scope=record["scope"], url=record["url"])
    _same(tx, record["id"], row["id"] if row else None)
    return added


def _reading(tx: Tx, record: Record, owner: str) -> bool:
    record["citation_id"] = _local(tx, record["citation_id"])
    return tx.run("upkeep.reading_put", **record) == 1


_TAKERS: dict[str, Callable[[Tx, Record, str], bool]] = {
    "project": _project,
    "worktree": _worktree,
    "session": _session,
    "prompt": _prompt,
    "observation": _observation,
    "summary": _summary,
    "memory": _memory,
    "supersession": _supersession,
    "cited_page": _cited_page,
    "injection": _injection,
    "lost_context": _lost_context,
    "model_summary": _model_summary,
    "citation": _citation,
    "reading": _reading,
}
