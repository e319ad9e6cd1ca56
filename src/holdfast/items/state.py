"""How things stand in a project, for those who ask for that or take up what was left open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from holdfast.events.tokens import count_tokens
from holdfast.ids import ConversationId, ItemId
from holdfast.items import tables
from holdfast.items.alike import repeats
from holdfast.items.asked import MOST_ASKED_FOR, MOST_GIVEN, Asked
from holdfast.items.catalogue import Catalogue
from holdfast.items.indexed import Start
from holdfast.items.model import Given
from holdfast.patterns import lazy_pattern
from holdfast.prose.people import people_in
from holdfast.recall.tokens import telling_terms, terms
from holdfast.store.interface import Reader

_PROOF, _MOST_TAKEN_UP, _LONGEST_TAKEN_UP = 2, 2, 400
"""Telling words that a prompt shares with what it takes up, lines of that, and characters of such a prompt."""
_PROOF_SHARE = 1 / 3
"""And the share of its telling words: a prompt about something else shares two of many by chance."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_TAKES_UP = lazy_pattern(
    r"\A\W{0,4}(?:re|about|regarding|as for)\b|\b(?:finish\w*|continue|go on|carry on|back to|resume"
    r"|answered|replied|approved|agreed|signed"
    r"|is (?:done|ready|back|out"
    r"|fine|happy|ok(?:ay)?)|(?:is|are|was|came) (?:in|there|through)|that thing|the \w+ thing|weiter"
    r"|fertig|merge|push|deploy"
    r"|release|ship)\b",
    re.IGNORECASE,
)
_ORDERS_NEW = lazy_pattern(
    r"\s{0,8}(?:(?:please|now|ok(?:ay)?|then|and|also|next)[,:]? )*(?:add|write|create|implement|build"
    r"|refactor|rename|mark|document|bump|upgrade)\b",
    re.IGNORECASE,
)
_SAYS = (
    r"(?:says?|said|is|was|came|answer(?:s|ed)|repl(?:ies|ied)|wrote|writes|told|tells|agree[sd]?|approve[sd]?|signed"
    r"|confirmed|did|has(?! to)|had|got back|wants?|meint|sagte?|hat|schreibt|dice|dijo|ha|a (?:dit|répondu))"
)
_EXPLAIN = lazy_pattern(r"\s{0,8}(?:explain|what (?:is|are) (?:an?|the) \w+|how do (?:i|you))\b", re.IGNORECASE)
_NAMES_NOBODY = lazy_pattern(
    r"\s{0,8}(?:mark|will|bill|grant|chase|drew|pat|rob|sue|jack|frank|grace|hope)\b", re.IGNORECASE
)
_MATTER = re.compile(r" \(about: [^()]{1,90}\)")
_NEWEST_WORK = 2
"""Pieces of work that are given to a prompt that asks what was done last."""


def state_of(
    reader: Reader, catalogue: Catalogue, asked: Asked, state: str, said: Mapping[ItemId, frozenset[str]], tokens: int
) -> list[Given]:
    """How things stand: all that is open, or the newest work and what it left open, as the brief would say it. Without
    what this agent was shown already."""
    if state == "open":
        chosen = _lines(reader, catalogue, asked, said, only_open=True)["open"][:MOST_ASKED_FOR]
    else:
        lines = _lines(reader, catalogue, asked, said)
        chosen = [*lines["work"][:_NEWEST_WORK], *lines["open"]][:MOST_GIVEN]
    return _given(reader, catalogue, asked, chosen, said, tokens)


def taken_up(
    reader: Reader, catalogue: Catalogue, asked: Asked, said: Mapping[ItemId, frozenset[str]], tokens: int
) -> list[Given]:
    """What was left open and a prompt takes up ("finish the flow thing", "Telwave answered")."""
    if len(asked.own) > _LONGEST_TAKEN_UP:
        return []
    found = _lines(reader, catalogue, asked, said, only_open=True)["open"]
    # Who takes it up knows what it is about.
    chosen = [(item_id, _MATTER.sub("", text)) for item_id, text in found if takes_up(asked.own, text)]
    return _given(reader, catalogue, asked, chosen[:_MOST_TAKEN_UP], said, tokens)


def takes_up(prompt: str, line: str) -> bool:
    """Has a line about something open the telling words of a prompt: a third of them and at least two, or one in the
    sentence that takes something up ("finish the flow thing"), or the name of somebody that the prompt speaks of? Few
    threads are open, so fewer words prove that one of them is meant than of all that was ever done."""
    if _EXPLAIN.match(prompt):
        return False
    has = frozenset(terms(line))
    wanted = telling_terms(prompt)
    shared = wanted & has
    names = {} if _NAMES_NOBODY.match(prompt) else {term: name for name in people_in([prompt]) for term in terms(name)}
    if any(_has_said(prompt, name) for term, name in names.items() if term in shared):
        return True
    if any(_TAKES_UP.search(part) and not has.isdisjoint(telling_terms(part)) for part in _SENTENCE.split(prompt)):
        return True
    return len(shared) >= max(_PROOF, _PROOF_SHARE * len(wanted)) and not _ORDERS_NEW.match(prompt)


def _has_said(prompt: str, name: str) -> bool:
    """Is something told of somebody: "ingrid says yes"? Who has to be asked first has said nothing."""
    said = rf"\b{re.escape(name)}\b(?:['’]s)?,? (?:\w{{2,8}}ly |just |now )?{_SAYS}\b"
    return re.search(said, prompt, re.IGNORECASE) is not None


def _lines(
    reader: Reader,
    catalogue: Catalogue,
    asked: Asked,
    said: Mapping[ItemId, frozenset[str]],
    *,
    only_open: bool = False,
) -> dict[str, list[tuple[ItemId, str]]]:
    start = Start(asked.owner, asked.project_id, asked.now, lost_at=asked.who.lost_at, branch=asked.branch)
    start = replace(start, conversation=ConversationId(asked.who.conversation), files=asked.files)
    if only_open:
        start = replace(start, only_open=True, said=frozenset(mark for marks in said.values() for mark in marks))
    sections = [each for room in catalogue.rooms for each in room.for_start(reader, start)]
    return {
        about: [line for each in sections if each.about == about for line in each.lines] for about in ("work", "open")
    }


def _given(
    reader: Reader,
    catalogue: Catalogue,
    asked: Asked,
    lines: Sequence[tuple[ItemId, str]],
    said: Mapping[ItemId, frozenset[str]],
    tokens: int,
) -> list[Given]:
    """Those of some lines that this agent was not shown, those of one item together."""
    shown = {mark for marks in said.values() for mark in marks}
    heard = tables.heard(reader, asked.who, asked.owner) if lines else []
    given: dict[str, Given] = {}
    for item_id, text in lines:
        item = catalogue.item(reader, item_id, asked.owner)
        marks = item.shown_in(text) if item else frozenset[str]()
        cost = count_tokens(text) + 1
        if cost > tokens or (item_id in said and (not said[item_id] or marks <= shown)) or repeats(text, heard):
            continue
        tokens -= cost
        before = given.get(item_id)
        words = f"{before.text}\n{text}" if before else text
        given[item_id] = Given(
            item_id, words, count_tokens(words) + 1, 1.0, said=marks | (before.said if before else marks)
        )
    return list(given.values())
