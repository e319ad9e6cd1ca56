"""Which threads are still open: what fails, what was asked, what was left for later (MEM-18). Pure.

A thread is a line of a summary's `left_open`. It is settled by a later run that includes the failed one, by the
user's answer or refusal, by later work or words that say so (`settling`), or by `done`. It is never pushed out by newer
trivia.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from holdfast.items.alike import matter_of
from holdfast.items.words import mark_of
from holdfast.prose.updates.deeds import OF_WORK
from holdfast.prose.updates.settled import deeds_needed, needs_words
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory.model import Summary, SummaryContent
from holdfast.rooms.memory.standing.giving_way import gives_way, needs_no_deed
from holdfast.rooms.memory.standing.settling import LaterWork, work_of
from holdfast.rooms.memory.standing.thread import (
    FAILING,
    OFFERED,
    SAYING,
    STILL_FAILS,
    Thread,
    ThreadKind,
    failing,
    includes,
    is_least,
    is_minor,
    kind_of,
    most_pressing,
    pressing,
    telling,
    tells_of_failure,
    threads_of,
)
from holdfast.rooms.memory.standing.told_still import instead, told_still, works_since
from holdfast.rooms.memory.standing.waiting import Waiting, waiting_for
from holdfast.rooms.memory.standing.worth import acted

__all__ = [
    "FAILING",
    "OFFERED",
    "SAYING",
    "STILL_FAILS",
    "Thread",
    "failing",
    "includes",
    "is_least",
    "is_minor",
    "kind_of",
    "most_pressing",
    "open_lines",
    "open_threads",
    "pressing",
    "still_open",
    "telling",
    "tells_of_failure",
    "threads_of",
]


def still_open(parts: Sequence[SummaryContent]) -> list[str]:
    """The open lines of the turns of one conversation, the oldest first, without what a later turn settled."""
    works = [work_of(part) for part in parts]
    waiting: list[_Left] = []
    for at, part in enumerate(parts):
        later = [(number, work, True) for number, work in enumerate(works) if number > at]
        opened = [(thread, waiting_for(thread, part)) for thread in threads_of(part)]
        waiting += [_Left(at, thread, asked, _first(asked, later)) for thread, asked in opened]
    _settle_what_was_answered(waiting, works)
    _settle_the_only_one(waiting, works)
    return list(dict.fromkeys(each.thread.line for each in waiting if each.over is None))


def open_lines(content: SummaryContent, talk: Sequence[SummaryContent], later: Sequence[SummaryContent]) -> list[str]:
    """The lines of a summary that are still open after later turns of its conversation, and after other later work."""
    if not content.left_open:
        return []
    works = [work_of(each) for each in (*talk, *later)]
    steps = [(at, work, at < len(talk)) for at, work in enumerate(works)]
    opened = [(thread, waiting_for(thread, content)) for thread in threads_of(content)]
    waiting = [_Left(-1, thread, asked, _first(asked, steps)) for thread, asked in opened]
    _settle_what_was_answered(waiting, works)
    _settle_the_only_one(waiting, works)
    _settle_asked_together(waiting, works)
    return [each.thread.line for each in waiting if each.over is None]


@dataclass(slots=True)
class _Left:
    """A thread, when it was left, and when it was settled."""

    at: int
    thread: Thread
    asked: Waiting
    over: int | None


def _settle_what_was_answered(waiting: Sequence[_Left], works: Sequence[LaterWork]) -> None:
    """Where several things wait for somebody, an answer settles those that it is most about."""
    for at, work in enumerate(works):
        ended = [each for each in waiting if each.over == at and work.answers(each.asked)]
        for each in [each for each in ended if _answers_more(work, each, ended)]:
            later = range(at + 1, len(works))
            each.over = next((n for n in later if works[n].settles(each.asked, same_talk=False)), None)


def _answers_more(work: LaterWork, thread: _Left, others: Iterable[_Left]) -> bool:
    """Does what somebody said, by which alone a thread would be settled, say more of another thread?"""
    said = work.answers(thread.asked)
    is_more = 0 < said < max((work.answers(each.asked) for each in others), default=0)
    return is_more and not work.does_it(thread.asked, same_talk=False)


def _first(asked: Waiting, later: Iterable[tuple[int, LaterWork, bool]]) -> int | None:
    """The number of the first work that settles it; with each work: is it of the same conversation?"""
    return next((at for at, work, same_talk in later if work.settles(asked, same_talk=same_talk)), None)


def _settle_the_only_one(waiting: Sequence[_Left], works: Sequence[LaterWork]) -> None:
    """An "ok, merged." says not what: it settles a thread that alone waits for such a deed, and none of several."""
    for at, work in enumerate(works):
        if any(work.may_answer(each.asked) for each in waiting):
            _settle_the_last_asked([each for each in waiting if each.at < at], at)
        if not work.is_retry and all(deed.clause for deed in work.user_did):
            continue
        then = [each for each in waiting if each.at < at and (each.over is None or each.over >= at)]
        fitting = [each for each in then if work.may_have_done(each.asked)]
        named = [each for each in fitting if each.asked.things & work.things]
        fitting = named or fitting  # "pr is merged": that which waits for a pull request, if any does
        if work.is_retry:
            fitting += [each for each in then if each.asked.is_blocked and each not in fitting]
        longest = max((each.asked.telling for each in fitting), key=len, default=frozenset[str]())
        if all(each.asked.telling <= longest for each in fitting):  # one thing, told more than once
            for each in fitting:
                each.over = at


def _settle_what_stood_beside(waiting: Sequence[_Left]) -> None:
    """A limit or a reason that stood beside what was settled since gives way, unless something of that work still waits
    for somebody."""
    for each in waiting:
        if each.over is None and needs_no_deed(each.thread):
            beside = [other for other in waiting if other.at == each.at and other is not each]
            if any(other.over is not None for other in beside) and not any(
                other.over is None and not gives_way(other.thread) for other in beside
            ):
                each.over = max(other.over for other in beside if other.over is not None)


def _settle_asked_together(waiting: Sequence[_Left], works: Sequence[LaterWork]) -> None:
    """Who answers one of several questions that were asked at once has answered each that the answer names."""
    answered = {(each.at, each.over) for each in waiting if each.thread.kind == "asked" and each.over is not None}
    for each in waiting:
        if each.thread.kind == "asked" and each.over is None:
            fitting = (over for at, over in answered if at == each.at and works[over].answers_beside(each.asked))
            each.over = next(fitting, None)


def _settle_the_last_asked(waiting: Sequence[_Left], at: int) -> None:
    """A "yes" or "not now" says not to what: it settles what was asked or offered, if that was once."""
    asked = [each for each in waiting if each.thread.kind == "asked" and (each.over is None or each.over >= at)]
    if len({each.at for each in asked}) == 1:
        for each in asked:
            each.over = at


def is_done(summary: Summary, line: str, done: frozenset[tuple[str, str]]) -> bool:
    """Did somebody declare this line, or all of the summary, settled?"""
    return (summary.subject, "") in done or (summary.subject, mark_of(line)) in done


def open_threads(
    summaries: Sequence[Summary], done: frozenset[tuple[str, str]], turns: Sequence[Summary] = ()
) -> list[tuple[Summary, Thread]]:
    """The open threads of a project, from summaries in the order of time; `done` has (subject, mark of the line)
    of those that somebody declared settled, with '' for all lines of a subject. `turns` are those of the sessions among
    the summaries: what only one of them tells settles a thread of an earlier conversation. What is told twice is said
    by the newest."""
    found: dict[str, tuple[Summary, Thread, frozenset[str]]] = {}
    works = [work_of(summary.content, _asked_before(summaries, at)) for at, summary in enumerate(summaries)]
    waiting: list[_Left] = []
    for at, summary in enumerate(summaries):
        for thread in threads_of(summary.content):
            if is_done(summary, thread.line, done):
                continue
            asked = waiting_for(thread, summary.content)
            if _is_echo(thread, asked, summary, [each for each in waiting if each.asked.telling & asked.telling]):
                continue
            later = (
                (number, works[number], each.conversation == summary.conversation and each.level == "turn")
                for number, each in enumerate(summaries[at + 1 :], at + 1)
            )
            waiting.append(_Left(at, thread, asked, _first(asked, later)))
    _settle_what_was_answered(waiting, works)
    _settle_the_only_one(waiting, works)
    _settle_asked_together(waiting, works)
    _settle_by_turns(waiting, summaries, turns)
    _settle_what_stood_beside(waiting)
    for turn, thread, asked in _still_so(waiting, summaries, turns, works, done):
        found[thread.line] = (turn, thread, asked.telling)
    for each in waiting:
        if each.over is None:
            key = " ".join(sorted(telling(each.thread.line))) or each.thread.line
            found.pop(key, None)  # what is told again stands where it was told last
            found[key] = (summaries[each.at], each.thread, each.asked.telling)
    return _each_once(list(found.values()))


def _still_so(
    waiting: Sequence[_Left],
    summaries: Sequence[Summary],
    turns: Sequence[Summary],
    works: Sequence[LaterWork],
    done: frozenset[tuple[str, str]],
) -> Iterator[tuple[Summary, Thread, Waiting]]:
    """What the user said to be open since: in these words, and until work after them settles it. It stays a thread of
    the summary that left it, so that whoever declares that one done has done this."""
    told = told_still(summaries, turns)
    known = {one.id: one for one in (*summaries, *turns)}
    for each in waiting if told else ():
        left_by = summaries[each.at]
        new = instead(each.thread, each.asked, left_by, told)
        if new is None:
            continue
        turn, whose, thread = new
        asked = waiting_for(thread, whose.content)
        later = [
            at
            for at, one in enumerate(summaries)
            if one.happened_at > turn.happened_at and one.conversation != turn.conversation
        ]
        since = [
            *(works[at] for at in later),
            *works_since(turn, known.values()),
        ]
        is_over = each.over in later or any(
            work.settles(one, same_talk=False) for work in since for one in (asked, each.asked)
        )
        each.over = len(summaries) if each.over is None else each.over
        if not (is_over or is_done(left_by, thread.line, done) or is_done(turn, thread.line, done)):
            yield replace(left_by, happened_at=turn.happened_at), thread, asked


_MOST_COMPARED = 600
_LEAST_SHARED = 2


def _settle_by_turns(waiting: Sequence[_Left], summaries: Sequence[Summary], turns: Sequence[Summary]) -> None:
    """What only a turn of a later session tells. A turn is compared with the threads that it shares words with, and not
    more than so many times in all, the newest threads first: who starts a session waits for it."""
    told = [(turn, work_of(turn.content, _asked_before(turns, at))) for at, turn in enumerate(turns)]
    compared = 0
    for each in reversed([each for each in waiting if each.over is None]):
        left_by = summaries[each.at]
        for turn, work in told:
            if turn.happened_at <= left_by.happened_at or turn.conversation == left_by.conversation:
                continue
            if len(each.asked.words & work.words) < _LEAST_SHARED:
                continue
            compared += 1
            if compared > _MOST_COMPARED:
                return
            if work.settles(each.asked, same_talk=False) and not _answers_more(work, each, waiting):
                each.over = len(summaries)
                break


def _is_echo(thread: Thread, asked: Waiting, summary: Summary, older: Sequence[_Left]) -> bool:
    """Does a session that did nothing and looked at nothing only repeat what earlier ones left open? Its agent knows
    that from its brief. An echo would outlive what it repeats, because it says so in other words."""
    content = summary.content
    if not older or thread.kind != "left" or acted(content) or content.investigated or content.runs:
        return False
    if any(each.asked.telling == asked.telling for each in older):
        return False  # in the same words it ends with what it repeats
    said = asked.telling - general_terms()
    if not any(2 * len(said & each.asked.telling) >= len(said) for each in older):
        return False  # it speaks of something else that is called alike
    new = matter_of(thread.line)
    known = [matter_of(each.thread.line) for each in older]
    return not (new.numbers | new.names).difference(*(each.numbers | each.names for each in known))


def _asked_before(summaries: Sequence[Summary], at: int) -> str:
    """The request before this one, if both are turns of one conversation."""
    new, old = summaries[at], summaries[at - 1] if at else None
    is_one = old is not None and old.conversation == new.conversation and old.level == new.level == "turn"
    return old.content.request if old is not None and is_one else ""


def _each_once(found: Sequence[tuple[Summary, Thread, frozenset[str]]]) -> list[tuple[Summary, Thread]]:
    """Without the threads of a conversation that another of its threads says with more words."""
    talks: dict[tuple[str, ThreadKind], list[tuple[Thread, frozenset[str]]]] = {}
    for summary, thread, words in found:
        talks.setdefault((summary.conversation, thread.kind), []).append((thread, words))
    return [
        (summary, thread)
        for summary, thread, words in found
        if not any(_says_more(*other, thread, words) for other in talks[summary.conversation, thread.kind])
    ]


def _says_more(fuller: Thread, other: frozenset[str], thread: Thread, words: frozenset[str]) -> bool:
    """Does another thread say the same with more words? What only this one has says what is to be done, to nothing
    else, and the other waits for the like: "Ana must approve the rollout." says no more than "The rollout to eu waits
    for Ana's ok."."""
    if len(words) < _LEAST_SHARED or len(words) >= len(other):
        return False
    own = words - other
    if not own:
        return True
    is_like = any(not kind.startswith("=") for kind in deeds_needed(thread.line) & deeds_needed(fuller.line))
    says_deed = own <= needs_words(thread.line) | general_terms() | OF_WORK
    has_number = any(word.isdigit() for word in own)
    return thread.kind == "left" and is_like and says_deed and not has_number and len(words & other) >= _LEAST_SHARED
