"""What the user says to be open still is open, in the user's words, whatever else was done that day (MEM-18). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdfast.prose.prompts.still import still_open_in
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory.model import Summary
from holdfast.rooms.memory.standing.settling import LaterWork, work_of
from holdfast.rooms.memory.standing.thread import BY_USER, Thread, telling
from holdfast.rooms.memory.standing.waiting import Waiting

_LEAST_SHARED, _LEAST_NEWS = 2, 3
_TOLD = tuple[Summary, str, frozenset[str]]


def told_still(summaries: Sequence[Summary], turns: Sequence[Summary]) -> list[_TOLD]:
    """What the user said to be open, with the turn in which it was said and its words, the newest first."""
    prompts = {each.id: each for each in (*summaries, *turns) if each.level == "turn"}
    newest = sorted(prompts.values(), key=lambda each: each.happened_at, reverse=True)
    return [(turn, sentence, telling(sentence)) for turn in newest for sentence in still_open_in(turn.content.request)]


def works_since(turn: Summary, turns: Iterable[Summary]) -> list[LaterWork]:
    """What was done in the conversation from a turn on. The turn itself counts by what its agent did alone: its request
    says that the thing is open."""
    talk = [each for each in turns if each.level == "turn" and each.conversation == turn.conversation]
    done = [work_of(each.content) for each in talk if each.happened_at > turn.happened_at]
    content = turn.content
    if content.files and content.outcome != "failed":
        title = "" if content.title.rstrip("…") in content.request else content.title
        done.append(work_of(replace(content, request="", title=title)))
    return done


def instead(
    thread: Thread, asked: Waiting, left_by: Summary, told: Iterable[_TOLD]
) -> tuple[Summary, Summary, Thread] | None:
    """The user's newest words on the matter of a thread that another conversation left: the turn in which they were
    said, whose they are, and the thread that is told. It keeps its own words where the user's say no more. None when
    there are none."""
    if asked.kind != "left":
        return None
    for turn, sentence, words in told:
        is_later = turn.happened_at > left_by.happened_at and turn.conversation != left_by.conversation
        shared = words & asked.telling
        if is_later and len(shared) >= _LEAST_SHARED and shared - general_terms():
            if len(words - asked.telling) < _LEAST_NEWS:
                return turn, left_by, thread
            return turn, turn, Thread(f"{BY_USER}“{sentence}”", "left")
    return None
