"""Chooses what the brief says of earlier work: by worth and age, each work once, newer decisions for older. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holdfast.ids import ItemId
from holdfast.items.alike import matter_of
from holdfast.prose.closing import classify
from holdfast.prose.updates.contradictions import given_up, gives_up
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.model import Summary, SummaryContent
from holdfast.rooms.memory.standing.decided import chooses, decided_anew, may_replace
from holdfast.rooms.memory.standing.newest import is_over, takes_up
from holdfast.rooms.memory.standing.threads import failing, includes
from holdfast.rooms.memory.standing.worth import ANSWERED, looks_back, of_item, only_ships, repeats_memory, says_result
from holdfast.rooms.memory.summaries.by_rules.of_session import main_parts

_ALIKE = 0.6
"""The share of words that two sessions have in common when they are said as one."""
_LOOKED_AT = 60
_SOLID, _NEWEST = 0.4, 1
"""Work of this worth, such as finished and tested work, has a place of its own when it is the newest."""
_LEAST = 0.04
"""What is worth less by now is not said."""


_RETOLD, _RETOLD_BY_HEART, _LEAST_RETOLD = 0.6, 0.4, 4
"""The share of an answer's words that earlier work has, when it only repeats it; and how many they are at least."""


@dataclass(frozen=True, slots=True)
class Choice:
    summary: Summary
    replaces: str = ""
    """The title of older work that this one says no longer holds; '' for none."""


def choose(
    summaries: Sequence[Summary], now: int, most: int, before: Mapping[ItemId, str] | None = None
) -> list[Choice]:
    """The work that is worth telling, the newest first. `summaries` are the newest first, too. `before` are titles of
    work that is not among them, because these say otherwise how it is now."""
    told = [each for each in summaries if each.written_by == "user" or (each.worth and says_result(each.content))]
    told = [each for each in told if not _only_committed(each.content) and not _is_beside(each, summaries)]
    told = [
        each for at, each in enumerate(told) if not (_was_finished(each, told[:at]) or _has_new_figure(each, told[:at]))
    ]
    told = [each for each in told if not _repeats(each) and not _is_over(each, summaries)]
    rated = [(of_item(each).left_after(now - each.happened_at), each) for each in told]
    best = sorted((pair for pair in rated if pair[0] >= _LEAST), key=lambda pair: -pair[0])[:_LOOKED_AT]
    worthy = sorted((each for _, each in best), key=lambda each: -each.happened_at)
    replaced = _replaced(worthy)
    retold = _retold(worthy)
    gone = {old for old, _ in replaced} | retold.keys()
    groups = _groups([each for each in worthy if each.id not in gone])
    value = {each.id: share for share, each in rated}
    for new, old in retold.items():
        value[old] = max(value[old], value[new])
    newest = [group for group in groups if max(of_item(each).value for each in group) >= _SOLID][:_NEWEST]
    groups.sort(key=lambda group: (group not in newest, -max(value[each.id] for each in group)))
    titles: dict[str, str] = dict((before or {}).items())
    titles |= {new: title for (_, new), title in replaced.items()}
    chosen = [Choice(group[0], titles.get(group[0].id, "")) for group in groups[:most]]
    return sorted(chosen, key=lambda each: -each.summary.happened_at)


def _repeats(summary: Summary) -> bool:
    """Was only something asked, and answered without a look at anything? Earlier work has said it."""
    content = summary.content
    return looks_back(content) or (summary.written_by != "user" and repeats_memory(content) and not chooses(content))


def _is_beside(summary: Summary, summaries: Sequence[Summary]) -> bool:
    """Was it only asked beside work of the same conversation?"""
    same = [each.content for each in summaries if each.conversation == summary.conversation]
    return len(same) > 1 and summary.content not in main_parts(same)


def _is_over(summary: Summary, summaries: Sequence[Summary]) -> bool:
    newer = (each.content for each in summaries if each.happened_at > summary.happened_at)
    return any(is_over(each, summary.content) for each in newer)


def _has_new_figure(summary: Summary, later: Sequence[Summary]) -> bool:
    """Did a later turn of the same conversation change the same file to another figure: at most 4, and not 6?"""
    old = matter_of(summary.content.title)
    for each in later:
        if each.conversation != summary.conversation or not set(each.content.files) & set(summary.content.files):
            continue
        new = matter_of(each.content.title)
        if old.numbers and new.numbers - old.numbers and (old.words & new.words) - general_terms():
            return True
    return False


def _only_committed(content: SummaryContent) -> bool:
    """Was nothing done but to commit or push what an earlier turn tells?"""
    return only_ships(content) or (not content.files and f"Committed: {content.title}" in content.done.splitlines())


def _retold(summaries: Sequence[Summary]) -> dict[ItemId, ItemId]:
    """The ids of answers that only say what earlier work said, and of that work."""
    found: dict[ItemId, ItemId] = {}
    for at, new in enumerate(summaries):
        if new.written_by == "user":
            continue
        older = (each for each in summaries[at + 1 :] if retells(new.content, each.content))
        if first := next(older, None):
            found[new.id] = first.id
    return {new: old for new, old in found.items() if old not in found}


def retells(answer: SummaryContent, work: SummaryContent) -> bool:
    """Was only something asked, and does the answer say what earlier work had said? Whoever looked nothing up for it
    repeats what is known."""
    if answer.files or any(not line.startswith(ANSWERED) for line in answer.done.splitlines()):
        return False
    said = matter_of(answer.title)
    lines = "\n".join((work.title, work.learned, work.request, work.left_open)).splitlines()
    known = [matter_of(line) for line in lines]
    new = said.numbers.union(said.names).difference(*(each.numbers | each.names for each in known))
    if new:
        return False
    words = said.words - general_terms()
    nearest = max(known, key=lambda each: len(words & each.words))
    if said.denials and not (nearest.denials or nearest.is_open):
        return False  # it denies what the work said
    share = _RETOLD if answer.investigated else _RETOLD_BY_HEART
    shared = words.intersection(word for each in known for word in each.words)
    return len(shared) >= max(_LEAST_RETOLD, share * len(words))


def _was_finished(summary: Summary, later: Sequence[Summary]) -> bool:
    """Did it only find something that later work changed? Or did it fail, and later work on the same files, or a run
    that includes its own, pass?"""
    if any(takes_up(each.content, summary.content) for each in later):
        return True
    failed = failing(summary.content)
    only_found = bool(failed) and classify(summary.content.title).kind == "finding"
    if summary.content.outcome != "failed" and not only_found:
        return False
    for each in later:
        runs = [run for run in each.content.runs if run.outcome == "passed"]
        if failed and all(any(includes(run, old) for run in runs) for old in failed):
            return True
        if not failed and each.content.outcome == "passed" and set(each.content.files) & set(summary.content.files):
            return True
    return False


def _replaced(summaries: Sequence[Summary]) -> dict[tuple[str, str], str]:
    """(old id, new id) of work of equal rank that newer work says no longer holds, with the old title."""
    found: dict[tuple[str, str], str] = {}
    for at, new in enumerate(summaries):
        may_give_up = gives_up(new.content.title) and may_replace(new.content)
        if not may_give_up and not chooses(new.content):
            continue
        for old in summaries[at + 1 :]:
            if (new.written_by == "user") < (old.written_by == "user"):
                continue
            if old.content.title == new.content.title:  # what it had found is told as it was mended
                continue
            if (may_give_up and given_up(new.content.title, old.content.title)) or decided_anew(
                new.content, old.content
            ):
                found[old.id, new.id] = old.content.title
    return found


def _groups(summaries: Sequence[Summary]) -> list[list[Summary]]:
    """Near-duplicates together; the first of each group, the newest, stands for it."""
    groups: list[tuple[set[str], list[Summary]]] = []
    for each in summaries:
        own = set(terms(each.content.title))
        home = next((group for words, group in groups if _are_alike(words, own)), None)
        if home is None:
            groups.append((own, [each]))
        else:
            home.append(each)
    return [group for _, group in groups]


def _are_alike(one: set[str], other: set[str]) -> bool:
    return bool(one and other) and len(one & other) >= _ALIKE * len(one | other)
