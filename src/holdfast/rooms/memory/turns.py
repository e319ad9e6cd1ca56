"""Turns and sessions: gathering what belongs to one, and keeping its summary. Runs as a job, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec

from holdfast.ids import new_id
from holdfast.rooms.memory import rows, shelf
from holdfast.rooms.memory.model import Item, Level, Memory, Observation, Prompt, Summary
from holdfast.rooms.memory.summarise import Work, sum_up
from holdfast.store.interface import Reader, Row, Tx

_MOST_OBSERVATIONS = 2_000
_END_OF_TIME = 2**62


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be summed up: the turn of a prompt, a conversation, or the work of one subagent."""

    level: Level
    conversation: str
    session_id: str
    project_id: str
    agent_id: str = ""
    number: int = 0

    @property
    def name(self) -> str:
        return f"{self.level}:{self.conversation}:{self.agent_id or self.number or ''}"


class _Stop(msgspec.Struct):
    """What is read of the journal's copy of a Stop."""

    last_assistant_message: str | None = None
    prompt_id: str | None = None


def resum(tx: Tx, subject: Subject, owner: str) -> None:
    """Write the summary of this subject anew, or drop it when nothing is left of it."""
    work, parts, last_at, key = _gather(tx, subject)
    sums = sum_up(work, [part.sums for part in parts]) if work.requests or work.observations else None
    if sums and parts:
        sums = replace(sums, said="")
    name = f"{subject.level}:{key}"
    if not key:
        return
    if sums is None:
        shelf.drop_summary(tx, name)
        return
    summary = Summary(
        id=new_id(),
        subject=name,
        level=subject.level,
        conversation=subject.conversation,
        session_id=subject.session_id,
        project_id=subject.project_id,
        prompt_number=_number(tx, subject),
        sums=sums,
        written_by="rules",
        happened_at=last_at,
    )
    shelf.keep_summary(tx, summary, owner)


def _number(tx: Tx, subject: Subject) -> int:
    if subject.level == "turn":
        return subject.number
    row = tx.one("memory.prompt_number", conversation=subject.conversation, at=_END_OF_TIME)
    return rows.number(row["number"]) if row else 0


def _gather(reader: Reader, subject: Subject) -> tuple[Work, list[Summary], int, str]:
    """(the work, the summaries of its parts, when it ended, the name of its subject)."""
    conversation = subject.conversation
    if subject.level == "agent":
        found = reader.all("memory.observations_of_session", session_id=subject.session_id, limit=_MOST_OBSERVATIONS)
        message, at = _said(reader, conversation, subject.agent_id, "SubagentStop", 0, _END_OF_TIME, None)
        observations = tuple(rows.observation_of(row) for row in found)
        return Work((), observations, message), [], _last(observations, at), subject.session_id
    if subject.level == "session":
        prompts = reader.all("memory.prompts_of", conversation=conversation, limit=1_000)
        rows_found = reader.all(
            "memory.observations_of_conversation", conversation=conversation, limit=_MOST_OBSERVATIONS
        )
        observations = tuple(rows.observation_of(row) for row in reversed(rows_found))
        known = {str(row["prompt_id"]) for row in prompts}
        message, at = _said(reader, conversation, "", "Stop", 0, _END_OF_TIME, known)
        summaries = [rows.summary_of(row) for row in reader.all("memory.summaries_of", conversation=conversation)]
        turns = [summary for summary in summaries if summary.level == "turn"]
        last = _last(observations, max([at, *(rows.number(row["happened_at"]) for row in prompts)]))
        return Work(tuple(str(row["text"]) for row in prompts), observations, message), turns, last, conversation
    asked = reader.one("memory.prompt_numbered", conversation=conversation, number=subject.number)
    if asked is None:
        return Work((), ()), [], 0, ""
    since, until = shelf.turn_span(reader, conversation, subject.number)
    found = reader.all(
        "memory.observations_of_turn",
        conversation=conversation,
        agent_id="",
        number=subject.number,
        limit=_MOST_OBSERVATIONS,
    )
    observations = tuple(rows.observation_of(row) for row in found)
    message, at = _said(reader, conversation, "", "Stop", since, until, {str(asked["prompt_id"])})
    last = _last(observations, max(at, since))
    return Work((str(asked["text"]),), observations, message), [], last, str(asked["id"])


def _said(
    reader: Reader, conversation: str, agent_id: str, event: str, since: int, until: int, prompts: set[str] | None
) -> tuple[str, int]:
    """What the agent said last, and when. Only after prompts that were kept: the answer to a private one is private."""
    found = reader.all(
        "memory.last_words",
        conversation=conversation,
        agent_id=agent_id,
        event=event,
        since=since,
        until=until,
        limit=10,
    )
    for row in found:
        stop = _read_stop(row)
        if stop and stop.last_assistant_message and (prompts is None or (stop.prompt_id or "") in prompts):
            return stop.last_assistant_message, rows.number(row["happened_at"])
    return "", 0


def _read_stop(row: Row) -> _Stop | None:
    try:
        return msgspec.json.decode(str(row["payload"]), type=_Stop)
    except msgspec.MsgspecError:
        return None


def _last(observations: Iterable[Observation], at: int) -> int:
    return max([at, *(each.happened_at for each in observations)])


# --- which turn and listener a thing belongs to


def conversation_of(reader: Reader, item: Item) -> str:
    """The client's session id of a thing; '' for a memory."""
    match item:
        case Prompt() | Summary():
            return item.conversation
        case Observation():
            row = reader.one("memory.conversation_of", id=item.session_id)
            return str(row["conversation"]) if row else ""
        case Memory():
            return ""


def listener_of(reader: Reader, item: Item) -> str:
    """Whose session recall counts a thing to."""
    if isinstance(item, Observation):
        row = reader.one("memory.conversation_of", id=item.session_id)
        if row:
            agent = str(row["agent_id"])
            conversation = str(row["conversation"])
            return f"{conversation}/{agent}" if agent else conversation
    return conversation_of(reader, item)


def resum_after(tx: Tx, removed: Iterable[Item], owner: str) -> None:
    """Write anew the summaries in which words of removed things may stand."""
    subjects: dict[str, Subject] = {}
    for item in removed:
        if not isinstance(item, Prompt | Observation):
            continue
        conversation = conversation_of(tx, item)
        number = item.number if isinstance(item, Prompt) else item.prompt_number
        for row in tx.all("memory.summaries_of", conversation=conversation):
            summary = rows.summary_of(row)
            if summary.level == "turn" and summary.prompt_number != number:
                continue
            window = tx.one("memory.conversation_of", id=summary.session_id) if summary.level == "agent" else None
            agent = str(window["agent_id"]) if window else ""
            subject = Subject(summary.level, conversation, summary.session_id, summary.project_id, agent, number)
            subjects[summary.subject] = subject
    for name, subject in subjects.items():
        if name.startswith("turn:") and not tx.one("memory.prompt", id=name.removeprefix("turn:")):
            shelf.drop_summary(tx, name)
        else:
            resum(tx, subject, owner)
