"""What the store holds about the items of every room: injections, lost contexts, supersessions,
objections, cited pages.

The only speaker of `items.sql`. Two words differ from the columns: `occasion` is the column `place`, `by` is `made_by`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from holdfast import recall
from holdfast.events.said_once import lines_of_items
from holdfast.ids import ConversationId, EntryId, ItemId, new_id
from holdfast.items.indexed import Indexed
from holdfast.items.model import CitedPage, Given, Injection, Listener, Objection, Occasion, Origin, Superseded
from holdfast.items.words import urls_named
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.values import value_of
from holdfast.times import DAY_US

MOST_OBJECTIONS = 50
"""Kept of one item; an agent that objects without end does not fill the store."""
SHOWN_OBJECTIONS = 5
_MOST_TOLD = 60
_MOST_HEARD, _MOST_LINES_HEARD = 40, 200
"""Events at which an agent was given something, and lines of them, that a new line is compared with."""
_LATELY_US = DAY_US

# --- who was given what


def listener(reader: Reader, conversation: ConversationId, agent_id: str) -> Listener:
    """The agent whose context this is. (A subagent's context is its own and never compacted with its parent's.)"""
    row = None if agent_id else reader.one("items.lost_context", conversation=conversation)
    return Listener(ConversationId(conversation), agent_id, int(row["happened_at"] or 0) if row else 0)


def lose_context(tx: Tx, conversation: ConversationId, at: int) -> None:
    """A compaction: what was given up to this moment may be given again."""
    tx.run("items.lose_context", conversation=conversation, at=at)


def inject(
    tx: Tx, entry_id: EntryId, at: int, who: Listener, occasion: Occasion, about: str, given: Iterable[Given]
) -> None:
    """Record what was given to whom, and why."""
    common: dict[str, Value] = {
        "entry_id": entry_id,
        "place": occasion,
        "about": about,
        "conversation": who.conversation,
        "agent_id": who.agent_id,
        "happened_at": at,
    }
    tx.many(
        "items.inject",
        [
            common
            | {
                "item_id": each.item_id,
                "score": float(each.score),
                "parts": _parts(each.parts),
                "tokens": each.tokens,
                "said": " ".join(sorted(each.said)),
            }
            for each in given
        ],
    )


def _parts(of_score: tuple[tuple[str, float], ...]) -> str | None:
    """The parts of a score that made a difference, to three places, as JSON."""
    telling = {name: round(value, 3) for name, value in of_score if round(value, 3) != 1}
    return msgspec.json.encode(telling).decode() if telling else None


def was_given(reader: Reader, who: Listener, given: Given) -> bool:
    """Was this agent shown all that would be given? What was only named, or shown in part, can be given (MEM-20)."""
    rows = reader.all("items.said_of", item_id=given.item_id, **_since_lost(who))
    if not rows:
        return False
    shown = {mark for row in rows for mark in str(row["said"]).split()}
    return any(not row["said"] for row in rows) or not given.said or given.said <= shown


def file_was_given(reader: Reader, who: Listener, path: str) -> bool:
    """Was the history of this file given to this agent?"""
    return reader.one("items.about_was_given", about=path, **_since_lost(who)) is not None


def given_to(reader: Reader, who: Listener) -> frozenset[str]:
    """The ids of all that this agent was given, whole or in part, and has not lost since."""
    return frozenset(str(row["item_id"]) for row in reader.all("items.given_to", **_since_lost(who)))


def said_to(reader: Reader, who: Listener) -> dict[str, frozenset[str]]:
    """What this agent was shown of each item: the marks of its sentences; none, when it was the whole item."""
    found: dict[str, set[str]] = {}
    whole: set[str] = set()
    for row in reader.all("items.given_to", **_since_lost(who)):
        marks = str(row["said"]).split()
        found.setdefault(str(row["item_id"]), set()).update(marks)
        if not marks:
            whole.add(str(row["item_id"]))
    return {item_id: frozenset() if item_id in whole else frozenset(marks) for item_id, marks in found.items()}


def recalled_to(reader: Reader, who: Listener) -> frozenset[str]:
    """The marks of the sentences that this agent was given at its prompts, and has not lost since."""
    rows = reader.all("items.recalled_to", **_since_lost(who))
    return frozenset(mark for row in rows for mark in str(row["said"]).split())


def heard(reader: Reader, who: Listener, owner: str) -> list[str]:
    """The lines that this agent was given and has not lost since, in the words that it read."""
    found = reader.all("items.heard", owner=owner, limit=_MOST_HEARD, **_since_lost(who))
    return [line for row in found for line in lines_of_items(str(row["text"]))][:_MOST_LINES_HEARD]


def _since_lost(who: Listener) -> dict[str, Value]:
    return {"conversation": who.conversation, "agent_id": who.agent_id, "lost_at": who.lost_at}


def injections_of(reader: Reader, item_id: ItemId, limit: int) -> tuple[Injection, ...]:
    """When an item was given to whom, the newest first."""
    return tuple(map(_injection, reader.all("items.injections_of", id=item_id, limit=limit)))


def _injection(row: Row) -> Injection:
    parts = msgspec.json.decode(str(row["parts"])) if row["parts"] else {}
    return value_of(Injection, row, occasion=row["place"], parts=parts)


def given_in(reader: Reader, conversation: ConversationId, owner: str, limit: int) -> Sequence[Row]:
    """What the model was given in a conversation, in its words."""
    return reader.all("items.given_in", conversation=conversation, owner=owner, limit=limit)


def injected_in(reader: Reader, conversation: ConversationId, limit: int) -> Sequence[Row]:
    """The items that were given in a conversation, by entry."""
    return reader.all("items.injected_in", conversation=conversation, limit=limit)


def prompts_in(reader: Reader, conversation: ConversationId, owner: str) -> list[int]:
    """When the user asked something in a conversation."""
    found = reader.all("items.prompts_in", conversation=conversation, owner=owner)
    return [int(row["happened_at"] or 0) for row in found]


def last_prompt(reader: Reader, conversation: ConversationId, owner: str) -> int:
    """When the user asked last in a conversation; 0 before the first prompt."""
    row = reader.one("items.last_prompt", conversation=conversation, owner=owner)
    return int(row["happened_at"] or 0) if row else 0


def given_since(reader: Reader, conversation: ConversationId, owner: str, since: int, limit: int) -> Sequence[Row]:
    """At which events the model was given something from a moment on, and at what cost."""
    return reader.all("items.given_since", conversation=conversation, owner=owner, since=since, limit=limit)


def conversations_named(reader: Reader, beginning: str, owner: str, limit: int) -> list[tuple[str, str]]:
    """Conversations and their projects, by the beginning of their ids, the newest first."""
    escaped = beginning.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    found = reader.all("items.conversations_named", like=f"{escaped}%", owner=owner, limit=limit)
    return [(str(row["conversation"]), str(row["project_id"])) for row in found]


def last_conversation(reader: Reader, project_id: str, owner: str) -> tuple[ConversationId, str] | None:
    """The newest conversation of a project ('' is any), and its project."""
    row = reader.one("items.last_conversation", project_id=project_id, owner=owner)
    return (ConversationId(str(row["conversation"])), str(row["project_id"])) if row else None


def unsay(tx: Tx, owner: str, since: int = 0, origin: str = "") -> None:
    """Forget the words in which anything was given since, or what came from one room."""
    tx.run("items.unsay", owner=owner, since=since, origin=f"{origin}%" if origin else "")


# --- what no longer holds


def supersede(tx: Tx, superseded: Superseded, owner: str) -> None:
    tx.run(
        "items.supersede",
        old_id=superseded.old_id,
        new_id=superseded.new_id,
        reason=superseded.reason,
        made_by=superseded.by,
        happened_at=superseded.happened_at,
        owner=owner,
    )
    recall.mark(tx, [superseded.old_id], superseded=True)


def superseded(reader: Reader, item_id: ItemId) -> Superseded | None:
    row = reader.one("items.superseded", id=item_id)
    return _superseded(row) if row else None


def supersedes(reader: Reader, item_id: ItemId) -> tuple[Superseded, ...]:
    """What an item took the place of."""
    return tuple(map(_superseded, reader.all("items.supersedes", id=item_id)))


def _superseded(row: Row) -> Superseded:
    return Superseded(
        old_id=ItemId(str(row["old_id"])),
        new_id=ItemId(str(row["new_id"])),
        reason=str(row["reason"]),
        by=str(row["made_by"]),
        happened_at=int(row["happened_at"] or 0),
    )


# --- what agents say against a person's words


def objects(tx: Tx, objection: Objection, owner: str) -> None:
    """Keep an objection beside an item, which stays in force. Said again, it counts once."""
    about: dict[str, Value] = {"item_id": objection.item_id, "new_id": objection.new_id, "reason": objection.reason}
    tx.run("items.unsay_objection", **about)
    newest = objections(tx, objection.item_id, 1)
    at = max(objection.happened_at, newest[0].happened_at + 1 if newest else 0)
    tx.run("items.object", made_by=objection.by, happened_at=at, owner=owner, **about)
    tx.run("items.drop_old_objections", id=objection.item_id, most=MOST_OBJECTIONS)


def objections(reader: Reader, item_id: ItemId, limit: int = SHOWN_OBJECTIONS) -> tuple[Objection, ...]:
    """What agents say against an item, the newest first."""
    return tuple(
        Objection(
            item_id=ItemId(str(row["item_id"])),
            new_id=ItemId(str(row["new_id"])),
            reason=str(row["reason"]),
            by=str(row["made_by"]),
            happened_at=int(row["happened_at"] or 0),
        )
        for row in reader.all("items.objections", id=item_id, limit=limit)
    )


def objection_to(reader: Reader, item_id: ItemId) -> str:
    """What an agent says against an item, the newest of it, and how much more there is; '' when none does."""
    found = objections(reader, item_id, MOST_OBJECTIONS)
    return _newest([each.reason for each in found]) if found else ""


def _newest(reasons: list[str]) -> str:
    return reasons[0] if len(reasons) == 1 else f"({len(reasons)} objections) {reasons[0]}"


def settle_objection(tx: Tx, item_id: ItemId) -> None:
    """A person corrected an item: what was said against its former words goes."""
    tx.run("items.settle_objection", id=item_id)


# --- the web pages that items cite (CIT-9)


def cite(tx: Tx, item_id: ItemId, text: str, owner: str, since: int = 0) -> None:
    """Record the versions of the pages that a text names, as far as they were verified since this moment."""
    for url in urls_named(text):
        tx.run("items.cite", item_id=item_id, url=url, owner=owner, since=since)


def cited(reader: Reader, item_id: ItemId, owner: str) -> tuple[CitedPage, ...]:
    found = reader.all("items.cited", id=item_id, owner=owner)
    return tuple(CitedPage(str(row["url"]), str(row["version"]), int(row["changed_at"] or 0)) for row in found)


def page_changed(reader: Reader, item_id: ItemId, owner: str) -> bool:
    """Does an item cite a page that is another one now?"""
    return any(page.changed_at for page in cited(reader, item_id, owner))


# --- the index, and all of it at once


def put_in_index(tx: Tx, room: Indexed, value: object, owner: str) -> None:
    """Make an item findable by the words it has now, and ranked by whether it still holds."""
    item_id = room.listed(value).id
    entry = document(tx, room, value, owner)
    if entry is None:
        recall.remove(tx, [item_id])
    else:
        recall.index(tx, [entry])


def document(reader: Reader, room: Indexed, value: object, owner: str) -> recall.Item | None:
    """What the index holds of an item that may have been superseded."""
    found = room.found_by(reader, value, owner)
    if found is None or superseded(reader, ItemId(found.id)) is None:
        return found
    return replace(found, superseded=True)


def drop_traces(tx: Tx, item_id: ItemId) -> None:
    """An item was removed: its index entry, injections, supersessions, objections and cited pages go."""
    recall.remove(tx, [item_id])
    for what in ("injections", "supersession", "objection", "cited"):
        tx.run(f"items.drop_{what}", id=item_id)


# --- projects and the journal, as far as items need them


def projects_named(reader: Reader, named: str, owner: str) -> list[str]:
    """The ids of the projects with this id, name or folder."""
    return [str(row["id"]) for row in reader.all("items.projects_named", owner=owner, project=named)]


def places_named(reader: Reader, named: str, owner: str) -> list[str]:
    """The places of the projects with this id, name or folder."""
    return [str(row["place"]) for row in reader.all("items.projects_named", owner=owner, project=named)]


def projects_at(reader: Reader, place: str, owner: str) -> list[str]:
    """The id of the project at this place; empty for none."""
    row = reader.one("session.project_by_place", owner=owner, place=place)
    return [str(row["id"])] if row else []


def folder_of_conversation(reader: Reader, conversation: ConversationId, owner: str) -> str:
    row = reader.one("items.folder_of_conversation", conversation=conversation, owner=owner)
    return str(row["path"] or "") if row else ""


def folder_of_project(reader: Reader, project_id: str) -> str:
    """Where it was worked on last; '' when nobody told."""
    row = reader.one("items.folder_of_project", id=project_id)
    return str(row["path"] or "") if row else ""


def move_project(tx: Tx, project_id: str, place: str, name: str, owner: str) -> None:
    tx.run("items.project_to", id=project_id, place=place, name=name, owner=owner)


def project_at(tx: Tx, place: str, name: str, owner: str, now: int) -> str:
    """The id of the project at this place, made if there is none."""
    tx.run("session.project_add", id=new_id(), owner=owner, place=place, name=name, created_at=now)
    row = tx.one("session.project_by_place", owner=owner, place=place) or {}
    return str(row["id"])


def project_name(reader: Reader, project_id: str, owner: str) -> str:
    row = reader.one("items.project", id=project_id, owner=owner)
    return str(row["name"]) if row else ""


def origin(reader: Reader, entry_id: EntryId) -> Origin | None:
    """The journal entry that an item was made from."""
    row = reader.one("items.entry", id=entry_id)
    if row is None:
        return None
    return Origin(
        entry_id=EntryId(str(row["id"])),
        event=str(row["event"]),
        source=str(row["source"]),
        tool=str(row["tool_name"] or ""),
        happened_at=int(row["happened_at"] or 0),
        scrubbed=tuple(str(row["scrubbed"]).split(",")) if row["scrubbed"] else (),
        cut_bytes=int(row["cut_bytes"] or 0),
    )


def told_by_tools(reader: Reader, conversation: ConversationId, owner: str, now: int) -> list[object]:
    """What commands and other tools answered last; in a conversation, or of a day in any."""
    if conversation:
        found = reader.all("items.told_by_tools", conversation=conversation, owner=owner, limit=_MOST_TOLD)
    else:
        found = reader.all("items.told_by_tools_lately", owner=owner, since=now - _LATELY_US, limit=_MOST_TOLD)
    return [_answered(str(row["payload"] or "")) for row in found]


class _Answered(msgspec.Struct):
    """The fields that are read from the journal's copy of a tool's use."""

    tool_response: object = None
    error: object = None


def _answered(payload: str) -> object:
    try:
        told = msgspec.json.decode(payload, type=_Answered)
    except msgspec.MsgspecError:
        return ""
    return [told.tool_response, told.error]
