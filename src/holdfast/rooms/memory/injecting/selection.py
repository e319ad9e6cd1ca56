"""Chooses the items of this room that are injected at the start of a window and before a file is used.

`items` chooses what fits a prompt, over every room. `brief_selection` decides what the brief says of earlier work,
`wording` writes the lines. `hooks` claims the items in the transaction of the event, so that nothing is injected twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from holdfast.ids import ItemId
from holdfast.items import tables as given
from holdfast.items.alike import repeats
from holdfast.items.indexed import Section, Start
from holdfast.items.model import Given, Listener
from holdfast.items.words import mark_of
from holdfast.prose.closing import classify
from holdfast.prose.updates.contradictions import gives_up
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.injecting import brief_selection, corrected, quoting, wording
from holdfast.rooms.memory.injecting.wording import Told
from holdfast.rooms.memory.model import Memory, MemoryItem, Summary
from holdfast.rooms.memory.standing import current, newest
from holdfast.rooms.memory.standing.anew import newest_instead, said_beside, with_news, with_words
from holdfast.rooms.memory.standing.giving_way import has_faded
from holdfast.rooms.memory.standing.thread import is_minor
from holdfast.rooms.memory.standing.threads import Thread, is_least, open_threads, pressing
from holdfast.rooms.memory.standing.worth import is_general, looks_back
from holdfast.store.interface import Reader
from holdfast.times import DAY_US

FILE_TOKENS = 300
_RECENT_US = 90 * DAY_US
_BESIDE = 2
"""How pressing a thread is at least that is not told beside one of the same work that waits for somebody."""
_MINOR_US = 3 * DAY_US
"""So long the brief tells what was only offered, left alone or not tried out; `holdfast threads` lists it longer."""
_SUMMARIES_READ = 300
_TURNS_READ = 60
_MEMORIES_READ = 12
_HISTORY_READ = 12
_FILE_MEMORIES = 5


def for_start(reader: Reader, start: Start) -> list[Section]:
    """Earlier work that is worth telling, open threads, memories, and what the user corrected in this conversation."""
    recent = tables.recent_summaries(reader, start, start.now - _RECENT_US, _SUMMARIES_READ)
    settled = tables.settled_threads(reader, start.project_id, start.owner)
    found = open_threads(list(reversed(recent)), settled, _turns(reader, start))
    standing_now = _standing(recent, found)
    oldest_first = list(reversed(standing_now))
    heirs = [(each, heir) for each in standing_now if (heir := newest_instead(each, oldest_first))]
    beside = {each.id: words for each, heir in heirs if (words := said_beside(heir, each))}
    newer = {each.id: heir for each, heir in heirs if each.id not in beside}
    before = {newer[each.id].id: each.content.title for each in oldest_first if each.id in newer}
    unsaid = [each for each in standing_now if each.id not in newer and each.id not in start.given]
    unsaid = [each for each in unsaid if mark_of(each.content.title) not in start.said]
    chosen = brief_selection.choose(unsaid, start.now, wording.MOST_WORK, before)
    dated = [with_news(each.summary, oldest_first) for each in chosen]
    dated = [with_words(each, beside[each.id]) if each.id in beside else each for each in dated]
    work = [
        replace(_with_replaced(reader, each, start.owner), summary=now) for each, now in zip(chosen, dated, strict=True)
    ]
    open_now = _open_now(reader, found, start.branch)
    threads = [each for each in open_now if each[0].id not in start.given and mark_of(each[1].line) not in start.said]
    awaited = {summary.id for summary, thread in threads if not pressing(thread)}
    threads = [each for each in threads if each[0].id not in awaited or pressing(each[1]) < _BESIDE]
    threads = [each for each in threads if not (is_least(each[1]) and each[0].happened_at < start.now - _MINOR_US)]
    threads = [each for each in threads if not has_faded(each[1], each[0].happened_at, start.now)]
    kept = tables.memories_of_project(reader, start.owner, start.project_id, _MEMORIES_READ)
    memories = [each for each in kept if each.id not in start.given]
    items: list[MemoryItem] = [*(each.summary for each in work), *memories]
    told = Told(
        start.now,
        start.branch,
        _objections(reader, items),
        _replaced(reader, memories, start.owner),
        start.files,
        start.has_command,
        _sessions_since(recent),
    )
    return wording.sections(
        work, threads, memories, corrected.here(reader, start), told, corrected.elsewhere(reader, start), len(open_now)
    )


def _sessions_since(newest_first: Sequence[Summary]) -> dict[str, int]:
    """How many sessions came after each, by the ids of its summaries and its own."""
    order: dict[str, int] = {}
    for each in newest_first:
        order.setdefault(each.conversation, len(order))
    return order | {each.id: order[each.conversation] for each in newest_first}


def threads_of_project(reader: Reader, start: Start) -> list[tuple[Summary, Thread]]:
    """Every open thread of a project, in the order in which the brief tells them."""
    recent = tables.recent_summaries(reader, start, start.now - _RECENT_US, _SUMMARIES_READ)
    settled = tables.settled_threads(reader, start.project_id, start.owner)
    return _open_now(reader, open_threads(list(reversed(recent)), settled, _turns(reader, start)), start.branch)


def all_open(reader: Reader, start: Start) -> list[Section]:
    """The same as lines, for those who ask what is open or take it up; without the sentences that were shown."""
    told = Told(start.now, start.branch)
    left = [
        (each, replace(thread, line=words))
        for each, thread in threads_of_project(reader, start)
        if (words := quoting.unsaid(thread.line, start.said))
    ]
    lines = [(each.id, wording.open_line(each, thread, told)) for each, thread in left]
    return [Section(wording.OPEN, lines, about="open")]


def _turns(reader: Reader, start: Start) -> list[Summary]:
    """The turns of sessions of several prompts, in the order of time: what one of them says about a thread may not be
    in the summary of its session."""
    return list(reversed(tables.recent_turns(reader, start, start.now - _RECENT_US, _TURNS_READ)))


def _with_replaced(reader: Reader, choice: brief_selection.Choice, owner: str) -> brief_selection.Choice:
    """With the title of the older work that it says no longer holds; a session speaks for its turns."""
    told = choice.summary
    if choice.replaces or not gives_up(told.content.title):
        return choice
    turns = tables.summaries_of_conversation(reader, told.conversation) if told.level == "session" else []
    for summary in (told, *turns):
        for each in given.supersedes(reader, ItemId(summary.id)):
            old = tables.item(reader, each.old_id, owner, ("summary",))
            if (
                isinstance(old, Summary)
                and old.conversation != told.conversation
                and classify(old.content.title).kind != "finding"  # a cause is not replaced, only done with
            ):
                return replace(choice, replaces=old.content.title)
    return choice


def _standing(recent: Sequence[Summary], found: Sequence[tuple[Summary, Thread]]) -> list[Summary]:
    """Earlier work as it stands now, the newest first: without what was replaced or settled since."""
    still: dict[str, list[str]] = {}
    for summary, thread in found:
        still.setdefault(summary.id, []).append(thread.line)
    told: list[Summary | None] = []
    for at, each in enumerate(recent):
        if each.replaced:
            continue
        waits = bool(newest.waits_for_more(each.content.title))
        later = (
            [other.content for other in reversed(recent[:at])] if waits or newest.may_be_settled(each.content) else []
        )
        now = newest.as_it_stands(each, still.get(each.id, []), later) if newest.may_be_settled(each.content) else each
        others = (
            [other.content for other in reversed(recent[:at]) if other.conversation != each.conversation]
            if waits and now
            else []
        )
        told.append(newest.without_what_came(now, others) if now else None)
    return [each for each in told if each is not None]


def _open_now(reader: Reader, found: Sequence[tuple[Summary, Thread]], branch: str) -> list[tuple[Summary, Thread]]:
    """The open threads of all summaries of that time: those that wait for somebody first, however old, what was left
    alone with a reason last; of each kind the first of each session, then those of this branch, the newest first."""
    told = [
        (summary, thread)
        for summary, thread in reversed(found)
        if not (looks_back(summary.content) or is_general(summary.content))
        and not (thread.kind == "asked" and _went_on(reader, summary))
        and not (summary.replaced and is_minor(thread))  # what was only guessed was wrong
    ]
    by_need = sorted(told, key=lambda each: pressing(each[1]))
    before: Counter[tuple[str, int]] = Counter()
    rank: list[int] = []
    for summary, thread in by_need:
        rank.append(before[summary.id, pressing(thread)])
        before[summary.id, pressing(thread)] += 1
    order = sorted(
        range(len(by_need)),
        key=lambda at: (pressing(by_need[at][1]), rank[at], by_need[at][0].content.branch not in ("", branch)),
    )
    return [by_need[at] for at in order]


def _went_on(reader: Reader, summary: Summary) -> bool:
    """Did the user say anything in this conversation after the agent asked?"""
    return bool(tables.next_prompt_at(reader, summary.conversation, summary.happened_at))


def for_file(reader: Reader, who: Listener, path: str, here: Start) -> list[Given]:
    """Why a file was changed and what was found, without what this agent did or was shown. Empty when it was given its
    history before, and of what was told at a prompt only the rest that is asked for."""
    if given.file_was_given(reader, who, path):
        return []
    had = given.said_to(reader, who)
    changed = tables.summaries_of_file(reader, who, path, here.project_id, _HISTORY_READ)
    # A turn during which the context was lost ended after it: this agent knows that.
    found = [each for each in changed if each.conversation != who.conversation or each.happened_at <= who.lost_at]
    kept = tables.memories_of_file(reader, here.owner, path, here.project_id, _FILE_MEMORIES)
    memories = [each for each in kept if each.id not in had]
    told = Told(here.now, here.branch, _objections(reader, [*found, *memories]))
    newer = current.told_anew(reader, found)
    found = list({each.id: each for old in found if (each := newer.get(old.id, old))}.values())
    found = [each for each in found if each.conversation != who.conversation or each.happened_at <= who.lost_at]
    told_now = current.with_news(reader, current.of_items(reader, found, here.owner))
    standing_now = [each for each in told_now if isinstance(each, Summary)]
    known = frozenset(mark for marks in had.values() for mark in marks)
    lines = wording.history(path, standing_now, memories, told, FILE_TOKENS, known)
    new = [each for each in lines if each.item_id not in had or had[each.item_id]]
    heard = given.heard(reader, who, here.owner) if new else []
    fresh = [each for each in new if not repeats(each.text, heard)]
    recalled = given.recalled_to(reader, who) if fresh else frozenset[str]()
    if recalled and any(quoting.was_told(each.content, path, recalled) for each in standing_now):
        # Who asked about this file was told what matters of it: the rest of its history only as far as it is asked for.
        # What the brief said of it answers nobody, and hides nothing (MEM-20).
        asked = tables.prompt_numbered(
            reader, who.conversation, tables.prompt_number_at(reader, who.conversation, here.now)
        )
        words = quoting.terms_of(asked.text) - general_terms() if asked else set()
        fresh = [each for each in fresh if words & quoting.terms_of(each.text)]
    return fresh


def _objections(reader: Reader, items: Sequence[MemoryItem]) -> dict[ItemId, str]:
    """What agents say against items, by the items' ids."""
    return {item.id: said for item in items if (said := given.objection_to(reader, ItemId(item.id)))}


def _replaced(reader: Reader, memories: Sequence[Memory], owner: str) -> dict[ItemId, str]:
    """The titles of older memories that these took the place of, by the ids of these."""
    found: dict[ItemId, str] = {}
    for memory in memories:
        for each in given.supersedes(reader, ItemId(memory.id)):
            old = tables.item(reader, each.old_id, owner, ("memory",))
            if isinstance(old, Memory):
                found[memory.id] = old.title
    return found
