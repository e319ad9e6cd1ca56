"""Choosing what is given to an agent, on one view of the store: for a session's start, a prompt, a file.

`wording` writes the lines. `hooks` claims them in the event's transaction, so that nothing is given twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from holdfast.events.event import PreToolUse, UserPromptSubmit
from holdfast.events.scene import Scene
from holdfast.recall import FLOOR, Entry, Hit, Query, assemble, find, health
from holdfast.recall.search import Near
from holdfast.rooms.memory import index, rows, rules, tables
from holdfast.rooms.memory.capture.worktree import is_there
from holdfast.rooms.memory.injecting import wording as words
from holdfast.rooms.memory.model import Given, Item, Listener, Observation, Prompt, Summary
from holdfast.rooms.memory.service import MemoryService
from holdfast.store.interface import Reader, Value

FILE_TOKENS = 300
_RECENT_US = 90 * rules.DAY_US
_FEW, _FLOOR_OF_FEW = 40, 0.15
_LOOKED_AT = 20
"""Hits: several may stand for the same turn, and prompts without an answer give way."""
_BEHIND = 0.6
"""What has less than this share of the best one's score is left out, unless someone asked for it to be remembered."""
_MOST_OF_A_SESSION = 2
"""Observations of one session that are given beside each other; its summary says the rest."""


def for_start(reader: Reader, scene: Scene, service: MemoryService, who: Listener) -> tuple[str, list[Given]]:
    return for_project(reader, scene.place.project_id, scene.owner, scene.at_us, service.settings.brief_tokens, who)


def for_project(
    reader: Reader, project: str, owner: str, now: int, tokens: int, who: Listener
) -> tuple[str, list[Given]]:
    """The brief of a project, less what this listener had already."""
    had = tables.given_to(reader, who)

    def recent(query: str) -> list[dict[str, Value]]:
        found = reader.all(
            query,
            project_id=project,
            since=now - _RECENT_US,
            conversation=who.conversation,
            lost_at=who.lost_at,
            limit=12,
        )
        return [row for row in found if row["id"] not in had]

    summaries = [rows.summary_of(row) for row in recent("memory.recent_summaries")]
    outcomes = [] if summaries else [rows.observation_of(row) for row in recent("memory.recent_outcomes")]
    kept = reader.all("memory.memories", owner=owner, project_id=project, limit=12)
    memories = [rows.memory_of(row) for row in kept if row["id"] not in had]
    return words.brief(summaries, outcomes, memories, now, tokens)


def for_prompt(
    reader: Reader,
    event: UserPromptSubmit,
    scene: Scene,
    service: MemoryService,
    asked: str,
    near: Near | None = None,
    direction: Any = None,
) -> tuple[Listener, list[Given]]:
    who = tables.listener(reader, event.session_id, event.agent_id or "", scene.place.session_id)
    query = Query(
        text=asked,
        owners=(scene.owner,),
        project_ids=(scene.place.project_id, ""),
        kinds=index.KINDS,
        light=False,
        not_session="" if who.lost_at else who.name,
        exclude=tables.given_to(reader, who),
        limit=_LOOKED_AT,
        floor=FLOOR,
        now=scene.at_us,
        exists=is_there(scene.place.worktree_path),
    )
    fitting = _fitting(reader, find(reader, query, near, direction), who, scene.owner, query)
    if all(isinstance(item, Prompt) for item, _ in fitting):
        fitting = _fitting(reader, _of_few(reader, query), who, scene.owner, query) or fitting
    entries = [_entry(reader, item, hit, scene) for item, hit in fitting]
    budget = service.settings.recall_tokens - 40
    chosen = assemble(_not_far_behind(entries), budget, most=words.MOST_RECALLED, overhead=1)
    hits = {item.id: hit for item, hit in fitting}
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


def _fitting(reader: Reader, hits: Sequence[Hit], who: Listener, owner: str, query: Query) -> list[tuple[Item, Hit]]:
    """What the hits stand for, each once and the best first, without what this listener knows.

    A prompt of which nothing came is given only where there is nothing else."""
    found: dict[str, tuple[Item, Hit]] = {}
    of_session: Counter[str] = Counter()
    for hit in hits:
        if hit.session_id.partition("/")[0] == who.conversation and hit.happened_at > who.lost_at:
            continue
        item = _best_form(reader, hit, owner)
        if item is None or item.id in query.exclude or item.id in found:
            continue
        if isinstance(item, Prompt) and item.text == query.text:
            continue
        if isinstance(item, Observation):
            of_session[hit.session_id] += 1
            if of_session[hit.session_id] > _MOST_OF_A_SESSION:
                continue
        found[item.id] = (item, hit)
    # Of a session of which a turn is given, the turn says the same and more.
    turns = {item.conversation for item, _ in found.values() if isinstance(item, Summary) and item.level == "turn"}
    told = [
        (item, hit)
        for item, hit in found.values()
        if not (isinstance(item, Summary) and item.level == "session" and item.conversation in turns)
    ]
    return [each for each in told if not isinstance(each[0], Prompt)] or told


def _entry(reader: Reader, item: Item, hit: Hit, scene: Scene) -> Entry:
    changed = any(page.changed_at for page in tables.cited(reader, item.id, scene.owner))
    asked = frozenset(hit.matched)
    text = words.line(item, scene.at_us, snippet=True, asked=asked, stale=hit.superseded, page_changed=changed)
    return Entry(item.id, rules.family_of(item), text, hit.score)


def _not_far_behind(entries: Collection[Entry]) -> list[Entry]:
    enough = _BEHIND * max((each.score for each in entries), default=0.0)
    return [each for each in entries if each.score >= enough or each.source == "memory"]


def _of_few(reader: Reader, query: Query) -> list[Hit]:
    """In a young project there is little to mistake for what is meant: where the floor leaves nothing, two words count.

    Figures are in docs/decisions/0010-memory.md."""
    if not health.is_young(reader, query.project_ids[0], _FEW):
        return []
    return [hit for hit in find(reader, replace(query, floor=_FLOOR_OF_FEW)) if len(hit.matched) > 1]


def _best_form(reader: Reader, hit: Hit, owner: str) -> Item | None:
    """What a hit stands for: in place of a prompt the summary of its turn, which says what came of it."""
    item = tables.item(reader, hit.id, owner, index.families(hit.kind))
    if isinstance(item, Prompt):
        row = reader.one("memory.summary_of", subject=f"turn:{item.id}")
        return rows.summary_of(row) if row else item
    return item


def for_file(reader: Reader, event: PreToolUse, scene: Scene, path: str) -> tuple[Listener, list[Given]]:
    who = tables.listener(reader, event.session_id, event.agent_id or "", scene.place.session_id)
    if tables.file_was_given(reader, who, path):
        return who, []
    had = tables.given_to(reader, who)
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
