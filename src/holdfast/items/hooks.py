"""The house's own steps: what an agent is given unasked, from every room's items.

Items are chosen on a read view and claimed in the transaction of the event: if another event of the same agent claimed
some of them first, only the rest is injected. Nobody waits for the answer to a late event, so it is given nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from holdfast.events.answer import Context, Part
from holdfast.events.content import prompt_text
from holdfast.events.correction import only_corrects
from holdfast.events.event import SessionStart, UserPromptSubmit
from holdfast.events.scene import Scene
from holdfast.events.tokens import count_tokens
from holdfast.gitfiles import Heads
from holdfast.items import tables, wording
from holdfast.items.asked import MOST_GIVEN, Asked
from holdfast.items.assembling import ContextAssembler
from holdfast.items.indexed import Start
from holdfast.items.injecting import ORIGIN, Injecting, claimed
from holdfast.items.model import Given, Listener
from holdfast.items.service import Items
from holdfast.items.sources import ContextLine, ContextQuery
from holdfast.prose.typed import typed
from holdfast.recall import FLOOR
from holdfast.recall.intent import read_intent
from holdfast.store.interface import Reader, Tx

log = logging.getLogger(__name__)
RECALL_TOKENS, LIGHT_TOKENS = 600, 200
"""The most that recalled items cost, with their quotations and without."""
HEADLINE_TOKENS = 40
"""What the line above recalled items and the fence around them may cost."""


async def brief(event: SessionStart, scene: Scene) -> Part | None:
    """At the start of a window: inject the rooms' sections, such as recent work, open threads and memories."""
    injecting = scene.services.get(Injecting)
    lost, lost_at = event.source == "compact", scene.at_us - 1  # what this very event gives is not lost

    def lose(tx: Tx) -> None:
        tables.lose_context(tx, event.session_id, lost_at)

    if not scene.is_live or not injecting.gives_brief(scene.off):
        sign = wording.SIGN_OFF if scene.is_live else ""
        return Part(sign=sign, record=lose if lost else None) if lost or sign else None

    place, items = scene.place, scene.services.get(Items)
    files = scene.services.get(ContextAssembler).files(place.project_id, place.worktree_path)

    def choose(reader: Reader) -> tuple[Listener, str, list[Given], str]:
        who = tables.listener(reader, event.session_id, "")
        who = replace(who, lost_at=lost_at) if lost else who
        said = tables.said_to(reader, who)
        start = Start(
            scene.owner,
            place.project_id,
            scene.at_us,
            who.conversation,
            lost_at=0 if lost else who.lost_at,  # of its own conversation another room tells it
            given=frozenset(said),
            branch=scene.services.get(Heads).branch_at(place.worktree_path),
            said=frozenset(mark for shown in said.values() for mark in shown),
            files=files,
            has_command=scene.has_command,
            transcript=event.transcript_path,
        )
        text, chosen = items.brief(reader, start, injecting.settings.brief_tokens)
        is_known = not text and items.knows(reader, place.project_id)
        return who, text, chosen, wording.sign(text, is_known=is_known)

    who, text, given, sign = await scene.read(choose)

    def record(tx: Tx) -> None:
        if lost:
            lose(tx)
        tables.inject(tx, scene.entry_id, scene.at_us, who, "brief", "", given)

    return Part(contexts=(Context(text, ORIGIN),) if text else (), sign=sign, record=record if text or lost else None)


async def recall(event: UserPromptSubmit, scene: Scene) -> Part | None:
    """Inject items that fit this prompt and that this conversation was not given before."""
    injecting = scene.services.get(Injecting)
    text = prompt_text(event.prompt)
    if (
        event.is_notification
        or not text
        or not scene.is_live
        or not injecting.recalls(scene.off)
        or (only_corrects(text) and read_intent(text, 0).strength != "asks")
    ):
        return None
    place, items, chosen = scene.place, scene.services.get(Items), injecting.at_prompt
    is_light = chosen.context_depth == "light"
    tokens = min(chosen.token_budget, LIGHT_TOKENS if is_light else RECALL_TOKENS) - HEADLINE_TOKENS
    files = scene.services.get(ContextAssembler).files(place.project_id, place.worktree_path)

    async def find() -> tuple[Listener, list[Given]]:
        near, direction = await items.direction(typed(text) or text)

        def choose(reader: Reader) -> tuple[Listener, list[Given]]:
            who = tables.listener(reader, event.session_id, event.agent_id or "")
            branch = scene.services.get(Heads).branch_at(place.worktree_path)
            asked = Asked(text, scene.owner, place.project_id, who, scene.at_us, files, near=near, direction=direction)
            asked = replace(asked, branch=branch, short=is_light)
            return who, items.for_prompt(reader, asked, tokens=tokens, most=MOST_GIVEN)

        found: tuple[Listener, list[Given]] = await scene.read(choose)
        return found

    try:
        async with asyncio.timeout(chosen.timeout):
            who, given = await find()
            lines = await _lines(event, scene, text, given, tokens)
    except TimeoutError:
        log.warning("a prompt was given nothing: it took more than %g s", chosen.timeout)
        return None
    way = wording.way_to_the_whole(has_tools=scene.has_tools, has_command=scene.has_command)
    if not given and lines:
        return Part(contexts=(Context(wording.recalled(lines, way), ORIGIN),))
    return claimed(scene, who, "recall", "", given, lambda rest: wording.recalled([*rest, *lines], way))


async def _lines(
    event: UserPromptSubmit, scene: Scene, text: str, given: Sequence[Given], tokens: int
) -> list[ContextLine]:
    """Lines of rooms that are no items, where places and tokens are left, and only those that surely fit."""
    injecting = scene.services.get(Injecting)
    left = MOST_GIVEN - len(given)
    if left <= 0 or not injecting.gives_lines(scene.off):
        return []
    place = scene.place
    query = ContextQuery(text, scene.owner, place.project_id, place.worktree_path, scene.at_us, left, unasked=True)
    found = await scene.services.get(ContextAssembler).lines(query, at_prompt=True)
    known = injecting.lines_given(event.session_id, event.agent_id or "")
    spent = sum(each.tokens for each in given)
    chosen: list[ContextLine] = []
    for line in found:
        cost = count_tokens(line.text) + 1
        if line.fit >= FLOOR and line.id not in known and spent + cost <= tokens and len(chosen) < left:
            spent += cost
            known.add(line.id)
            chosen.append(line)
    return chosen
