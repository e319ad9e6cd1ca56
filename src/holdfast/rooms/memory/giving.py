"""Choosing what is given to an agent, on one view of the store: for a session's start, a prompt, a file.

What it reads like is `brief`'s; that nothing is given twice is claimed by `hooks` in the event's transaction.
"""

from __future__ import annotations

from holdfast.events.event import PreToolUse, UserPromptSubmit
from holdfast.events.scene import Scene
from holdfast.recall import FLOOR, Entry, Query, assemble, find
from holdfast.rooms.memory import brief as words
from holdfast.rooms.memory import rows, rules, seeking, shelf
from holdfast.rooms.memory.model import Given, Listener, Prompt
from holdfast.rooms.memory.service import MemoryService, is_there
from holdfast.store.interface import Reader

FILE_TOKENS = 300
_RECENT_US = 90 * rules.DAY_US


def for_start(reader: Reader, scene: Scene, service: MemoryService, who: Listener) -> tuple[str, list[Given]]:
    project, since = scene.place.project_id, scene.at_us - _RECENT_US
    recent = reader.all("memory.recent_summaries", project_id=project, since=since, limit=12)
    summaries = [rows.summary_of(row) for row in recent]
    recent = reader.all("memory.recent_outcomes", project_id=project, since=since, limit=12)
    outcomes = [rows.observation_of(row) for row in recent]
    kept = reader.all("memory.memories", owner=scene.owner, project_id=project, limit=12)
    memories = [rows.memory_of(row) for row in kept]
    if not who.lost_at:
        # A resumed conversation still has its own work before its eyes.
        summaries = [each for each in summaries if each.conversation != who.conversation]
        outcomes = [each for each in outcomes if each.session_id != who.session_id]
        had = shelf.given_to(reader, who)
        summaries = [each for each in summaries if each.id not in had]
        outcomes = [each for each in outcomes if each.id not in had]
        memories = [each for each in memories if each.id not in had]
    return words.brief(summaries, outcomes, memories, scene.at_us, service.habits.brief_tokens)


def for_prompt(
    reader: Reader, event: UserPromptSubmit, scene: Scene, service: MemoryService, asked: str
) -> tuple[Listener, list[Given]]:
    who = shelf.listener(reader, event.session_id, event.agent_id or "", scene.place.session_id)
    query = Query(
        text=asked,
        owners=(scene.owner,),
        project_ids=(scene.place.project_id, ""),
        kinds=seeking.KINDS,
        not_session="" if who.lost_at else who.name,
        exclude=shelf.given_to(reader, who),
        limit=2 * words.MOST_RECALLED,
        floor=FLOOR,
        now=scene.at_us,
        exists=is_there(scene.place.worktree_path),
    )
    entries: list[Entry] = []
    hits = {}
    for hit in find(reader, query):
        own = hit.session_id.partition("/")[0] == who.conversation and hit.happened_at > who.lost_at
        item = None if own else shelf.item(reader, hit.id, scene.owner)
        if item is None or (isinstance(item, Prompt) and item.text == asked):
            continue
        text = words.line(item, scene.at_us, snippet=True, stale=hit.superseded)
        entries.append(Entry(hit.id, rules.family_of(item), text, hit.score))
        hits[hit.id] = hit
    budget = service.habits.recall_tokens - 40
    chosen = assemble(entries, budget, most=words.MOST_RECALLED, overhead=1)
    return who, [
        Given(
            entry.id,
            entry.text,
            rows.tokens(entry.text),
            entry.score,
            (*hits[entry.id].parts.items(), ("fit", hits[entry.id].fit)),
        )
        for entry in chosen.entries
    ]


def for_file(reader: Reader, event: PreToolUse, scene: Scene, path: str) -> tuple[Listener, list[Given]]:
    who = shelf.listener(reader, event.session_id, event.agent_id or "", scene.place.session_id)
    if shelf.file_was_given(reader, who, path):
        return who, []
    had = shelf.given_to(reader, who)
    project = scene.place.project_id
    found = reader.all(
        "memory.file_history",
        path=path,
        project_id=project,
        conversation=who.conversation,
        agent_id=who.agent_id,
        lost_at=who.lost_at,
        limit=30,
    )
    kept = reader.all("memory.file_memories", path=path, owner=scene.owner, project_id=project, limit=5)
    observations = [each for each in map(rows.observation_of, found) if each.id not in had]
    memories = [each for each in map(rows.memory_of, kept) if each.id not in had]
    return who, words.history(path, observations, memories, scene.at_us, FILE_TOKENS)
