"""Which items of all rooms are given at a prompt: those that fit it. An assembled context is chosen here, too.

It reads one snapshot of the store. The step that answers the event records what it gives, in the event's transaction,
so that nothing is given twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from holdfast.events.tokens import count_tokens
from holdfast.ids import NO_LISTENER, ItemId, ListenerId, conversation_of
from holdfast.items import state, tables
from holdfast.items.alike import repeats
from holdfast.items.asked import (
    LONGEST_ASKED,
    MOST_ASKED_FOR,
    MOST_GIVEN,
    Asked,
    asks_what_was_decided,
    asks_why,
    is_settled_by,
)
from holdfast.items.catalogue import Catalogue
from holdfast.items.indexed import Saying
from holdfast.items.model import Given, Item
from holdfast.items.standing_out import FittingWorks, Works, is_other, standing_out
from holdfast.items.words import line_tokens
from holdfast.items.work import by_work
from holdfast.patterns import lazy_pattern
from holdfast.recall import Candidate, Hit, Query, assemble, find, health
from holdfast.recall.intent import Intent, read_intent, without_greeting
from holdfast.recall.keep import is_question
from holdfast.recall.time_asked import without_time
from holdfast.recall.tokens import general_terms, telling_terms, terms, time_terms
from holdfast.store.interface import Reader

_FEW, _FLOOR_OF_FEW = 40, 0.15
_LONGEST_LINE_OF_HEIRS = 8
_RIVALS = 4
"""Hits below the floor that are looked at, to see whether what fits stands out."""
_LOOKED_AT = 20
"""Hits: several may stand for the same item, and prompts without an answer give way."""
_WORTH, UNRATED = 0.5, 0.5
"""How much an item's worth counts in its score, and the worth of items that nobody rates."""


_DECISION = lazy_pattern(
    r"\b(?:decid\w+|decisions?|chose|chosen|opted|settled on|agreed|went with|entschieden|entscheidung)\b",
    re.IGNORECASE,
)
_ABOUT = lazy_pattern(r"\b(?:about|for|on|of|regarding|with|to|concerning)\b", re.IGNORECASE)
_SHORTEST_SUBJECT = 4
"""Letters of a general word that can name what a decision is about: "report" does, "new" does not."""


def for_prompt(reader: Reader, catalogue: Catalogue, asked: Asked, tokens: int, most: int) -> list[Given]:
    """What fits a prompt, the best first, within the budget; without what this agent knows."""
    if not asked.own:
        return []
    said = {} if asked.again else tables.said_to(reader, asked.who)
    intent = read_intent(asked.own, asked.now, asked.zone)
    if (
        intent.state
        and not asked.kinds
        and (standing := state.state_of(reader, catalogue, asked, intent.state, said, tokens))
    ):
        return standing
    query = query_of(catalogue, asked, intent, said)
    found = meant(reader, catalogue, asked, query, intent)
    most = min(most, MOST_ASKED_FOR if intent.many else MOST_GIVEN)
    candidates = lines_of(reader, found.works, asked, said, more=not found.judged)
    if not found.works and intent.overview and intent.before:
        since, until = intent.before
        found = meant(reader, catalogue, asked, query, replace(intent, since=since, until=until))
        candidates = lines_of(reader, found.works, asked, said, more=not found.judged)
    works = found.works
    clear = standing_out(candidates, found, intent, asked.held_to, asked.told_by_words)
    candidates = [each for each in candidates if each.id in clear or catalogue.family(each.source).remembered]
    # Only now, because what is not told still shows how far the others stand out.
    candidates = _new_and_about_it(reader, catalogue, candidates, found, asked)
    if not candidates and (intent.strength == "asks" or intent.ours) and not intent.has_time:
        works, candidates = _by_one_word(reader, catalogue, asked, query, said)
    if not candidates and intent.question:
        works, candidates = _word_for_word(reader, catalogue, asked, query, said, intent)
    if not candidates and not intent.question and not asked.kinds:
        return state.taken_up(reader, catalogue, asked, said, tokens)
    works, candidates = _by_newer(reader, works, candidates, asked, said)
    chosen = assemble(candidates, tokens, most=most, overhead=1, count=line_tokens)
    hits: dict[str, Hit] = {item.id: hit for work in works for item, hit in work}
    shown: dict[str, frozenset[str]] = {
        item.id: item.shown_in(candidate.text)
        for work in works
        for item, _ in work
        for candidate in chosen.candidates
        if candidate.id == item.id
    }
    return [
        Given(
            ItemId(candidate.id),
            candidate.text,
            count_tokens(candidate.text) + 1,
            candidate.score,
            (
                *hits[candidate.id].parts.items(),
                ("fit", hits[candidate.id].fit),
                ("covered", hits[candidate.id].covered),
                ("pairs", float(hits[candidate.id].pairs)),
            ),
            shown[candidate.id],
        )
        for candidate in chosen.candidates
    ]


def _new_and_about_it(
    reader: Reader, catalogue: Catalogue, candidates: list[Candidate], found: FittingWorks, asked: Asked
) -> list[Candidate]:
    """Without what this agent was told in other words, and without what has none of the prompt's telling words itself:
    it was found beside something that has them, or by words that any prompt has."""
    heard = tables.heard(reader, asked.who, asked.owner) if candidates and not asked.again else []
    candidates = [
        each for each in candidates if not repeats(each.text, heard) and not is_settled_by(asked.own, each.text)
    ]
    wanted = telling_terms(asked.own)
    if not wanted or not found.judged or asked.direction is not None:
        return candidates
    of: dict[str, tuple[Item, Hit]] = {item.id: (item, hit) for work in found.works for item, hit in work}
    return [each for each in candidates if _has(reader, catalogue, asked, *of[each.id], wanted)]


def _has(reader: Reader, catalogue: Catalogue, asked: Asked, item: Item, hit: Hit, wanted: Set[str]) -> bool:
    """Has an item one of these words, or else what it is told in the place of: newer work says the same otherwise, and
    the summary of a turn not all of what was asked and done in it."""
    if not wanted.isdisjoint(terms(f"{item.words()}\n{' '.join(hit.files)}")):
        return True
    found = (
        catalogue.item(reader, hit.id, asked.owner, catalogue.family_of_kind(hit.kind)) if hit.id != item.id else None
    )
    return found is not None and not wanted.isdisjoint(terms(found.words()))


def query_of(catalogue: Catalogue, asked: Asked, intent: Intent, said: Mapping[ItemId, frozenset[str]]) -> Query:
    """The question that a prompt asks of the index."""
    return Query(
        text=without_greeting(asked.own or asked.text),
        owners=(asked.owner,),
        project_ids=(asked.project_id, "") if asked.project_id or not asked.again else (),
        kinds=asked.kinds or catalogue.unasked,
        light=False,
        not_listener=NO_LISTENER if asked.who.lost_at else asked.who.id,
        exclude=frozenset(item_id for item_id, marks in said.items() if not marks),
        limit=_LOOKED_AT,
        floor=asked.held_to.floor_for(intent),
        below=_RIVALS,
        now=asked.now,
        exists=asked.files.is_there if asked.files else None,
    )


def more_for(reader: Reader, catalogue: Catalogue, asked: Asked, most: int) -> list[tuple[Item, Candidate]]:
    """What fits less surely. Somebody who asked for a context gets it, after what a prompt would be given."""
    intent = read_intent(asked.own, asked.now, asked.zone)
    query = replace(
        query_of(catalogue, asked, intent, {}),
        floor=asked.held_to.asked_floor,
        below=0,
        limit=max(_LOOKED_AT, 2 * most),
    )
    works = fitting(reader, catalogue, find(reader, query, asked.near, asked.direction), asked, query)
    lines = ((item, candidate_of(reader, item, hit, asked, frozenset())) for work in works for item, hit in work[:1])
    return [(item, candidate) for item, candidate in lines if candidate.text]


def lines_of(
    reader: Reader, works: Works, asked: Asked, said: Mapping[ItemId, frozenset[str]], *, more: bool = False
) -> list[Candidate]:
    """A line for each piece of work: of the item that says most, without what this agent was shown already, be it by
    a line before, and be it in other words. `more`: somebody asks what was done; who was shown the beginning of that is
    told the rest, whatever words it has."""
    shown = {mark for marks in said.values() for mark in marks}
    heard = [item.listed.title for work in works for item, _ in work if _was_shown_title(item, said, shown)]
    found: list[Candidate] = []
    for work in works:
        for item, hit in work:
            candidate = candidate_of(reader, item, hit, asked, frozenset(shown))
            if more and not candidate.text and item.id in said:
                rest = replace(hit, matched=tuple({*terms(item.words())} - {*terms(item.listed.title)}))
                candidate = candidate_of(reader, item, rest, asked, frozenset(shown))
            if candidate.text and not repeats(candidate.text, heard):
                found.append(candidate)
                heard.append(candidate.text)
                shown |= item.shown_in(candidate.text)
                break
    return found


def _was_shown_title(item: Item, said: Mapping[ItemId, frozenset[str]], shown: Set[str]) -> bool:
    """Of an item that was given in part, another sentence may have been shown than its title: given means said."""
    return item.id in said and (not said[item.id] or item.shown_in(item.listed.title) <= shown)


def meant(reader: Reader, catalogue: Catalogue, asked: Asked, query: Query, intent: Intent) -> FittingWorks:
    """What fits in the time that is asked for; where no subject is named, what was done then; else what fits at all."""
    if intent.has_time:
        within = replace(query, since=intent.since, until=intent.until)
        # The name of a day is no word of what was done on it.
        subject = without_time(query.text, datetime.fromtimestamp(asked.now / 1_000_000, asked.zone).date())
        found = _found(reader, catalogue, asked, replace(within, text=subject), query)
        if found.works:
            return found
        if intent.overview:
            return FittingWorks(_done_then(reader, catalogue, asked, within), judged=False)
    found = _found(reader, catalogue, asked, query, query)
    if all(catalogue.family(item.listed.family).last_resort for work in found.works for item, _ in work):
        if few := fitting(reader, catalogue, _of_few(reader, query), asked, query):
            return FittingWorks(few)
        if decided := _decided(reader, catalogue, asked, query, intent):
            return FittingWorks(decided, judged=False)
    return found


def _found(reader: Reader, catalogue: Catalogue, asked: Asked, within: Query, query: Query) -> FittingWorks:
    """What fits, and how good the best of the other work is that does not."""
    hits = find(reader, within, asked.near, asked.direction)
    works = fitting(reader, catalogue, [hit for hit in hits if hit.fit >= within.floor], asked, query)
    if not works:
        return FittingWorks(works)
    for hit in hits:
        if hit.fit < within.floor:
            other = catalogue.item(reader, hit.id, asked.owner, catalogue.family_of_kind(hit.kind))
            if other is not None and is_other(other, works):
                return FittingWorks(works, _weighed(other, hit))
    return FittingWorks(works)


def _done_then(reader: Reader, catalogue: Catalogue, asked: Asked, within: Query) -> Works:
    """The sums of what was done in a time, the worthiest and then the newest first, each piece of work once."""
    kinds = tuple(kind for family in catalogue if family.sums_up for kind in family.unasked)
    hits = find(reader, replace(within, text="", kinds=kinds, floor=0.0, limit=3 * _LOOKED_AT)) if kinds else []
    found = fitting(reader, catalogue, hits, asked, within)
    worth = {id(work): max(item.listed.worth for item, _ in work) for work in found}
    return sorted((work for work in found if worth[id(work)]), key=lambda work: -worth[id(work)])[:_LOOKED_AT]


def fitting(reader: Reader, catalogue: Catalogue, hits: Sequence[Hit], asked: Asked, query: Query) -> Works:
    """What the hits stand for, each once and the best first, by piece of work; without what this agent knows."""
    found: dict[str, tuple[Item, Hit]] = {}
    of_session: Counter[tuple[str, ListenerId]] = Counter()
    for hit in hits:
        conversation = conversation_of(hit.listener)
        is_own = conversation != "" and conversation == asked.who.conversation
        if is_own and hit.happened_at > asked.who.lost_at:
            continue
        item = _best_form(reader, catalogue, hit, asked.owner)
        stale = False
        if item is not None and (hit.superseded or item.id != hit.id):
            item, stale = _in_force(reader, catalogue, item, asked)
        if item is None or item.id in query.exclude or item.id in found or item.words() == asked.text:
            continue
        if is_own and item.id != hit.id and item.listed.happened_at > asked.who.lost_at:
            continue
        family = catalogue.family(item.listed.family)
        if family.last_resort and is_question(item.words()):
            continue  # who asked the same before was not answered by it
        of_session[family.name, hit.listener] += 1
        if family.most_of_a_session and of_session[family.name, hit.listener] > family.most_of_a_session:
            continue
        found[item.id] = (item, replace(hit, superseded=stale))
    told = _as_told(reader, [item for item, _ in found.values()], asked)
    better = [item for item in told if not catalogue.family(item.listed.family).last_resort]
    return by_work([(item, found[item.id][1]) for item in better or told], catalogue.last_resorts)


def _best_form(reader: Reader, catalogue: Catalogue, hit: Hit, owner: str) -> Item | None:
    item = catalogue.item(reader, hit.id, owner, catalogue.family_of_kind(hit.kind))
    if item is None:
        return None
    value = item.room.instead(reader, item.value, owner)
    return item if value is item.value else Item(value, item.room.listed(value), item.room)


def _in_force(reader: Reader, catalogue: Catalogue, item: Item, asked: Asked) -> tuple[Item | None, bool]:
    """What took the place of an item, if anything did, and whether that no longer holds either. None when this agent
    put it there itself."""
    for _ in range(_LONGEST_LINE_OF_HEIRS):
        old = tables.superseded(reader, item.id)
        if old is None:
            return item, False
        heir = catalogue.item(reader, old.new_id, asked.owner) if old.new_id else None
        if heir is None:
            return item, True
        if _is_known(reader, heir, asked):
            return None, False
        item = heir
    return item, True


def _by_newer(
    reader: Reader, works: Works, candidates: list[Candidate], asked: Asked, said: Mapping[ItemId, frozenset[str]]
) -> tuple[Works, list[Candidate]]:
    """The lines, with those of newer work that says the same thing otherwise in the place of older ones. Only now,
    because it was the older that fits the prompt. The newer is left out where this agent knows it."""
    items: dict[str, tuple[Item, Hit]] = {item.id: (item, hit) for work in works for item, hit in work}
    told = [items[each.id][0] for each in candidates if each.id in items]
    newer: dict[str, Item] = {}
    for room in {id(item.room): item.room for item in told}.values():
        values = [item.value for item in told if item.room is room]
        for old_id, value in room.told_anew(reader, values, asked.owner).items():
            newer[old_id] = Item(value, room.listed(value), room)
    if not newer:
        return works, candidates
    standing = {each.id: each for each in _as_told(reader, list(newer.values()), asked)}
    shown = frozenset(mark for marks in said.values() for mark in marks)
    lines: dict[str, Candidate] = {each.id: each for each in candidates if each.id not in newer}
    heirs: list[list[tuple[Item, Hit]]] = []
    for each in candidates:
        heir = standing.get(newer[each.id].id) if each.id in newer else None
        if (
            heir is None
            or heir.id in lines
            or (heir.id in said and not said[heir.id])
            or _is_known(reader, heir, asked)
        ):
            continue
        hit = items[each.id][1]
        if (line := candidate_of(reader, heir, hit, asked, shown)).text:
            lines[heir.id] = line
            heirs.append([(heir, hit)])
    return [*works, *heirs], sorted(lines.values(), key=lambda each: -each.score)


def _is_known(reader: Reader, item: Item, asked: Asked) -> bool:
    """Was it made in this conversation, since its context was lost?"""
    made_in = item.room.background(reader, item.value, asked.owner).conversation
    return made_in != "" and made_in == asked.who.conversation and item.listed.happened_at > asked.who.lost_at


def _as_told(reader: Reader, items: Sequence[Item], asked: Asked) -> list[Item]:
    """Each room says which of its items are told, and how they stand now."""
    told: dict[str, Item] = {}
    for room in {id(item.room): item.room for item in items}.values():
        values = [item.value for item in items if item.room is room]
        for value in room.as_told(reader, values, asked.owner, on_request=asked.on_request):
            listed = room.listed(value)
            told[listed.id] = Item(value, listed, room)
    return [told[item.id] for item in items if item.id in told]


def candidate_of(reader: Reader, item: Item, hit: Hit, asked: Asked, said: frozenset[str]) -> Candidate:
    """The line of an item; its text is '' when this agent was shown already what it would say."""
    changed = tables.page_changed(reader, item.id, asked.owner)
    how = Saying(
        now=asked.now,
        asked=frozenset(hit.matched) | (frozenset(terms(asked.own)) - general_terms()),
        stale=hit.superseded,
        objection=tables.objection_to(reader, item.id),
        page_changed=changed,
        branch=asked.branch,
        said=said,
        short=asked.short,
        decided=asks_what_was_decided(asked.own),
        why=asks_why(asked.own),
        facts=_file_facts(reader, item, hit, asked),
    )
    there = asked.files.names_there(item.words()) if _is_here(item, asked) and asked.files else 1.0
    return Candidate(item.id, item.listed.family, item.said(how), _weighed(item, hit) * there)


def _weighed(item: Item, hit: Hit) -> float:
    """The score of a hit, with the worth of what it says."""
    return hit.score * (1 + _WORTH * (item.listed.worth - UNRATED))


def _file_facts(reader: Reader, item: Item, hit: Hit, asked: Asked) -> tuple[str, ...]:
    """What happened to the files and functions that an item of this project names."""
    if asked.files is None or not _is_here(item, asked):
        return ()
    files: Sequence[str] = hit.files
    if item.id != hit.id:
        document = item.room.found_by(reader, item.value, asked.owner)
        files = document.files if document else ()
    return asked.files.facts(files, item.listed.happened_at, item.words())


def _decided(reader: Reader, catalogue: Catalogue, asked: Asked, query: Query, intent: Intent) -> Works:
    """Who asks what was decided is told the only decision that names what the question is about, be it by a general
    word: "the query builder for reports"."""
    asks = _DECISION.search(asked.own[:LONGEST_ASKED]) if intent.strength == "asks" else None
    about = _ABOUT.search(asked.own[:LONGEST_ASKED], asks.end()) if asks else None
    if about is None:
        return []
    subject = frozenset(word for word in terms(asked.own[about.end() :]) if len(word) >= _SHORTEST_SUBJECT)
    hits = [hit for hit in find(reader, replace(query, floor=0.0)) if not subject.isdisjoint(hit.matched)]
    works = [
        [
            (item, hit)
            for item, hit in work
            if _DECISION.search(item.listed.title) and subject & {*terms(item.listed.title)}
        ]
        for work in fitting(reader, catalogue, hits, asked, query)
    ]
    told = [work for work in works if work]
    return told if len(told) == 1 else []


def _by_one_word(
    reader: Reader, catalogue: Catalogue, asked: Asked, query: Query, said: Mapping[ItemId, frozenset[str]]
) -> tuple[Works, list[Candidate]]:
    """Who asks for memory is told the line of the work that shares a word of the question's subject, if it had an
    outcome, and is far ahead of others that share one: here a line too many is better than none."""
    subject = frozenset(word for word in terms(_ASKING.sub(" ", asked.own)) if len(word) >= _SHORTEST_NAME)
    subject -= general_terms() | time_terms()
    telling = tuple(kind for family in catalogue if family.sums_up for kind in family.unasked)
    query = replace(query, kinds=asked.kinds or telling, floor=0.0, below=0)
    hits = [hit for hit in find(reader, query) if not subject.isdisjoint(hit.matched)]
    found = fitting(reader, catalogue, hits, asked, query)
    works = [
        work
        for each in found
        if (
            work := [
                (item, hit)
                for item, hit in each
                if item.listed.worth >= _CAME_TO and _has(reader, catalogue, asked, item, hit, subject)
            ]
        )
    ]
    lines = far_ahead(lines_of(reader, works, asked, said), subject)
    return works, _new_and_about_it(reader, catalogue, lines, FittingWorks(works), asked)


def far_ahead(lines: Sequence[Candidate], subject: Set[str]) -> list[Candidate]:
    """The best line, if it is far ahead of the others; less is enough for one that says a word of the subject."""
    ranked = sorted(lines, key=lambda each: -each.score)
    rival = ranked[1].score if len(ranked) > 1 else 0.0
    if ranked and not subject.isdisjoint(terms(ranked[0].text)):
        rival = min(rival, _SAYS_IT)
    return [each for each in ranked[:1] if each.score >= max(_LEAST_SCORE, _FAR_AHEAD * rival)]


def _word_for_word(
    reader: Reader,
    catalogue: Catalogue,
    asked: Asked,
    query: Query,
    said: Mapping[ItemId, frozenset[str]],
    intent: Intent,
) -> tuple[Works, list[Candidate]]:
    """A short question whose words are all general ("where do sessions live?") is answered by a line that has all of
    them side by side: "Sessions live in Postgres". Who asks for memory needs two such words ("the nightly import is
    dead again"), where one work only has them."""
    wanted = terms(asked.own)
    if general_terms().issuperset(wanted) and 2 <= len(wanted) <= _MOST_WORDS:
        pairs = [" ".join(wanted)]
    elif intent.strength == "asks" and not intent.has_time:
        words = terms(_ASKING.sub(" . ", asked.own))
        pairs = [
            f"{one} {other}" for one, other in pairwise(words) if one != other and not time_terms() >= {one, other}
        ]
    else:
        return [], []
    kinds = tuple(kind for family in catalogue if family.sums_up for kind in family.unasked)
    hits = find(reader, replace(query, kinds=asked.kinds or kinds, floor=0.0, below=0))
    works = [
        work
        for each in fitting(reader, catalogue, hits, asked, query)
        if (work := [(item, hit) for item, hit in each if item.listed.worth >= _CAME_TO and _says(item, pairs)])
    ]
    if len(works) > 1 and len(pairs) > 1:
        return [], []
    lines = lines_of(reader, works[:1], asked, said)
    return works[:1], _new_and_about_it(reader, catalogue, lines, FittingWorks(works[:1], judged=False), asked)


def _says(item: Item, pairs: Sequence[str]) -> bool:
    lines = [f" {' '.join(terms(line))} " for line in (item.listed.title, *item.words().splitlines())]
    return any(f" {pair} " in line for pair in pairs for line in lines)


_MOST_WORDS = 4
_ASKING = lazy_pattern(
    r"\b(?:cause[sd]?|reasons?|fix(?:e[sd])?|outcome|decision|problem|issue|bug|error|time|solved?|happen\w*|ursache|grund"
    r"|fehler|gelöst|behoben|problème|corrigé|réglé|problema|causa|arreglamos)\b",
    re.IGNORECASE,
)
"""They ask for what was found, and do not say of what."""
_SHORTEST_NAME = 3
_FAR_AHEAD, _LEAST_SCORE, _SAYS_IT = 2.0, 0.1, 0.25
"""So many times the score of the next work is far ahead; a tenth of what the best of all hits has is too little; and of
a line that says the word that was asked for the next work counts as no better than this."""
_CAME_TO = 0.4
"""The worth of finished and tested work; what was found or decided is worth more."""


def _is_here(item: Item, asked: Asked) -> bool:
    return item.listed.project_id == asked.project_id


def _of_few(reader: Reader, query: Query) -> list[Hit]:
    """In a young project few items can be confused: when no item reaches the floor, two common words are enough.

    Figures are in docs/decisions/0010-memory.md."""
    if not query.project_ids or not health.is_young(reader, query.project_ids[0], _FEW):
        return []
    return [hit for hit in find(reader, replace(query, floor=_FLOOR_OF_FEW)) if len(hit.matched) > 1]
