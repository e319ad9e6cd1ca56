"""The table `summary`: one summary of each turn, session and subagent."""

from __future__ import annotations

from dataclasses import replace

from holdfast.events import tombstone
from holdfast.ids import ConversationId, ItemId
from holdfast.items import tables as item_tables
from holdfast.items.indexed import Start
from holdfast.items.model import Listener
from holdfast.rooms.memory.model import Observation, Prompt, Summary
from holdfast.rooms.memory.summaries import marks
from holdfast.rooms.memory.tables import rows
from holdfast.rooms.memory.tables.items import put_in_index
from holdfast.rooms.memory.tables.prompts import prompt_numbered
from holdfast.rooms.memory.tables.windows import agent_of_window
from holdfast.store.interface import Reader, Tx


def keep_summary(tx: Tx, summary: Summary, owner: str) -> Summary | None:
    """Store a summary in place of an older one of the same subject, unless a user wrote or forgot it. None then."""
    if tombstone.lies_on(tx, summary.happened_at, marks.of_subject(summary.subject)):
        return None
    old = tx.one("memory.summary_of", subject=summary.subject)
    kept = replace(summary, id=ItemId(str(old["id"]))) if old else summary
    if not tx.run("memory.summary_put", **rows.summary_row(kept)):
        return None
    put_in_index(tx, kept, owner)
    return kept


def rewrite_summary(tx: Tx, summary: Summary, owner: str) -> None:
    """Change the content of a summary, whoever wrote it."""
    tx.run("memory.summary_rewrite", **rows.summary_row(summary))
    put_in_index(tx, summary, owner)


def drop_summary(tx: Tx, subject: str, *, even_a_users: bool = False) -> None:
    """Remove the summary of a subject of which nothing is left. A user's summary stays unless `even_a_users`."""
    old = tx.one("memory.summary_of", subject=subject)
    if old and (even_a_users or old["written_by"] != "user"):
        tx.run("memory.drop_summary", id=old["id"])
        item_tables.drop_traces(tx, ItemId(str(old["id"])))


def summary_of(reader: Reader, subject: str) -> Summary | None:
    """The summary of a subject (`turn:…`, `session:…`, `agent:…`)."""
    row = reader.one("memory.summary_of", subject=subject)
    return rows.summary_of(row) if row else None


def turn_summary(reader: Reader, prompt: Prompt) -> Summary | None:
    """The summary of the turn that a prompt began."""
    return summary_of(reader, f"turn:{prompt.id}")


def summary_of_observation(reader: Reader, observation: Observation) -> Summary | None:
    """The summary of the turn, or of the subagent's work, that an observation was part of."""
    who = agent_of_window(reader, observation.window_id)
    if who is None:
        return None
    if who.agent_id:
        return summary_of(reader, f"agent:{observation.window_id}")
    asked = prompt_numbered(reader, who.conversation, observation.prompt_number)
    return turn_summary(reader, asked) if asked else None


def summaries_of_conversation(reader: Reader, conversation: ConversationId) -> list[Summary]:
    """All summaries of a conversation, the oldest first."""
    return [rows.summary_of(row) for row in reader.all("memory.summaries_of", conversation=conversation)]


def subjects_of_conversation(reader: Reader, conversation: ConversationId) -> set[str]:
    """The subjects of the summaries of a conversation."""
    return {str(row["subject"]) for row in reader.all("memory.summaries_of", conversation=conversation)}


def session_has_summary(reader: Reader, conversation: ConversationId) -> bool:
    """Was this session summed up before?"""
    return reader.one("memory.session_was_summed", conversation=conversation) is not None


def summaries_of_file(reader: Reader, who: Listener, path: str, project_id: str, limit: int) -> list[Summary]:
    """The turns of others that changed a file of a project, the newest first; else those that took it back."""
    found = reader.all(
        "memory.file_summaries",
        path=path,
        project_id=project_id,
        conversation=who.conversation,
        agent_id=who.agent_id,
        lost_at=who.lost_at,
        limit=limit,
    )
    if not found:
        found = reader.all(
            "memory.file_heirs", path=path, project_id=project_id, conversation=who.conversation, limit=limit
        )
    return [rows.summary_of(row) for row in found]


def settle_thread(tx: Tx, subject: str, line: str, by: str, at: int, owner: str) -> None:
    """A thread of a summary is settled; `line` is its mark, '' for all of them."""
    tx.run("memory.settle_thread", subject=subject, line=line, made_by=by, happened_at=at, owner=owner)


def projects_with_summaries(reader: Reader, owner: str) -> list[str]:
    return [str(row["project_id"]) for row in reader.all("memory.projects_with_summaries", owner=owner)]


def settled_threads(reader: Reader, project_id: str, owner: str) -> frozenset[tuple[str, str]]:
    """(subject, mark of the line) of the threads of a project that somebody declared settled."""
    found = reader.all("memory.settled_threads", project_id=project_id, owner=owner)
    return frozenset((str(row["subject"]), str(row["line"])) for row in found)


def summaries_after(reader: Reader, project_id: str, at: int, limit: int) -> list[Summary]:
    """Turns and sessions of a project after a moment, the newest first."""
    found = reader.all("memory.summaries_after", project_id=project_id, at=at, limit=limit)
    return [rows.summary_of(row) for row in found]


def summaries_before(reader: Reader, new: Summary, since: int, limit: int) -> list[Summary]:
    """Turns and sessions of a project before a summary that still hold, the newest first; not the session that it is
    part of."""
    found = reader.all(
        "memory.summaries_before",
        project_id=new.project_id,
        since=since,
        until=new.happened_at,
        conversation=new.conversation,
        level=new.level,
        limit=limit,
    )
    return [rows.summary_of(row) for row in found]


def recent_summaries(reader: Reader, start: Start, since: int, limit: int) -> list[Summary]:
    """The last sessions and turns of a project that this conversation does not know, the newest first."""
    return _recent(reader, "memory.recent_summaries", start, since, limit)


def recent_turns(reader: Reader, start: Start, since: int, limit: int) -> list[Summary]:
    """The last turns that the summaries of their sessions stand for, the newest first."""
    return _recent(reader, "memory.recent_turns", start, since, limit)


def _recent(reader: Reader, query: str, start: Start, since: int, limit: int) -> list[Summary]:
    found = reader.all(
        query,
        project_id=start.project_id,
        since=since,
        conversation=start.conversation,
        lost_at=start.lost_at,
        limit=limit,
    )
    return [rows.summary_of(row) for row in found]
