"""The facts of one conversation, as they come: what is settled goes, what is said twice is kept once. Pure.

A story is made of events and of what was said. It can be made anew from the journal at any time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from holdfast.events.event import Event, PostToolUseFailure
from holdfast.ids import ClientPromptId, EntryId
from holdfast.rooms.continuity.measuring.usage import Passage
from holdfast.rooms.continuity.model import FactKind, RunState, Stand, StoryFact
from holdfast.rooms.continuity.telling import folding
from holdfast.rooms.continuity.telling.folding import Ran
from holdfast.rooms.continuity.telling.undoing import Attempts
from holdfast.shell.scope import covers

MOST: dict[FactKind, int] = {
    "correction": 200,
    "request": 600,
    "decision": 300,
    "dead_end": 150,
    "finding": 200,
    "run": 200,
    "file": 400,
    "identifier": 300,
    "next_step": 60,
    "question": 40,
}
"""Facts of a kind that are kept, the newest; the first request always."""
_WORD = re.compile(r"\w+")
_LONGEST_LAST = 6_000
_LONGEST_CORRECTION = 2_000


class Story:
    """One conversation's facts. Times are in microseconds."""

    def __init__(self) -> None:
        self.last_said = ""
        self.last_at = 0
        self.prompts: set[ClientPromptId] = set()
        """Ids of the prompts that were recorded: what was said beside them may be kept, too."""
        self._facts: dict[FactKind, dict[str, StoryFact]] = {kind: {} for kind in MOST}
        self._entries: set[str] = set()
        self._ran: dict[str, Ran] = {}
        self._interruptions: list[int] = []
        self._attempts = Attempts()

    def knows(self, entry_id: EntryId) -> bool:
        return entry_id in self._entries

    @property
    def entries(self) -> int:
        """How many journal entries are in it."""
        return len(self._entries)

    def take(self, event: Event, at: int, entry_id: EntryId, root: str) -> None:
        """Fold one event in; one that is known changes nothing."""
        if entry_id in self._entries:
            return
        self._entries.add(entry_id)
        self.last_at = max(self.last_at, at)
        if event.prompt_id:
            self.prompts.add(event.prompt_id)
        path = ""
        for fact, ran in folding.facts_of(event, at, entry_id, root):
            self._add(fact, ran)
            if fact.kind == "file":
                path = fact.text
            elif ran and fact.outcome:
                self._attempts.checked(fact.text if fact.outcome == "failed" else "")
        for told, replaced in self._attempts.given_up(event, path):
            self._add(StoryFact("dead_end", told, at, entry_id=entry_id, by="tool"))
            if replaced:
                self._facts["run"].pop(f"command:{replaced}", None)
        if isinstance(event, PostToolUseFailure) and event.is_interrupt:
            self._interruptions.append(at)
        if (text := getattr(event, "last_assistant_message", None)) and not event.agent_id:
            self.last_said = str(text)[:_LONGEST_LAST]

    def hear(self, passage: Passage, text: str, facts: Iterable[StoryFact] | None = None) -> None:
        """Fold in what the transcript tells: its cleaned text, and the facts in it where they are known already."""
        if passage.kind == "interrupted" or (passage.kind == "refused" and not text):
            self._interruptions.append(passage.at_us)
        elif passage.kind == "refused":
            self._add(StoryFact("correction", f"Refused a tool call: {text}", passage.at_us, by="user"))
        elif passage.kind == "said":
            self.last_said = text[:_LONGEST_LAST]
            for fact in folding.said(text, passage.at_us) if facts is None else facts:
                self._add(fact)

    def _add(self, fact: StoryFact, ran: Ran | None = None) -> None:
        kept = self._facts[fact.kind]
        key = fact.subject or _mark(fact.text)
        if fact.kind == "next_step" and fact.outcome == "done":
            kept.pop(key, None)
            return
        if ran:
            self._settle(ran)
            self._ran[key] = ran
        if fact.kind == "file" and key in kept and kept[key].outcome == "created":
            fact = StoryFact("file", fact.text, fact.at, fact.subject, "created", fact.entry_id, fact.by)
        if fact.kind == "request" and key in kept:
            key = f"{key}:{fact.at}"
        kept.pop(key, None)
        kept[key] = fact
        if len(kept) > MOST[fact.kind]:
            names = iter(kept)
            first = next(names)
            gone = next(names) if fact.kind == "request" else first
            kept.pop(gone)
            if fact.kind == "run":
                self._ran.pop(gone, None)

    def _settle(self, ran: Ran) -> None:
        """A run that ended takes the place of those that it includes."""
        if not ran.outcome:
            return
        for key in [key for key, old in self._ran.items() if covers(ran.scope, old.scope)]:
            del self._ran[key]
            self._facts["run"].pop(key, None)

    # --- asking

    def of(self, *kinds: FactKind) -> list[StoryFact]:
        """Facts of these kinds, in the order of time."""
        return sorted((fact for kind in kinds for fact in self._facts[kind].values()), key=lambda fact: fact.at)

    def corrections(self) -> list[StoryFact]:
        """The user's corrections in the order of time: what was recognised as one, and what followed an interruption
        or a refusal."""
        asked = self.of("request")
        moments = [fact.at for fact in asked]
        after = [bisect_right(moments, at) for at in self._interruptions]
        said = [asked[index] for index in after if index < len(asked) and len(asked[index].text) <= _LONGEST_CORRECTION]
        found = {fact.text: fact for fact in sorted((*said, *self.of("correction")), key=lambda fact: fact.at)}
        return list(found.values())

    @property
    def is_empty(self) -> bool:
        return not any(self._facts.values())

    @property
    def request(self) -> str:
        """The last request that names what it is about, and corrects nothing."""
        asked, corrected = self.of("request"), {fact.text for fact in self.corrections()}
        for least in (7, 4, 0):
            telling = [fact for fact in asked if len(fact.text.split()) >= least and fact.text not in corrected]
            if telling:
                return telling[-1].text
        return asked[-1].text if asked else ""

    def stand(self) -> Stand:
        """Where the conversation stands, without what only the disk and the client know."""
        runs = [fact for fact in self.of("run") if fact.outcome]
        return Stand(
            request=self.request,
            corrections=_texts(self.corrections()),
            requests=_texts(self.of("request")),
            decisions=_texts(self.of("decision")),
            dead_ends=_texts(self.of("dead_end")),
            findings=_texts(self.of("finding")),
            runs=tuple(RunState(fact.text, fact.outcome) for fact in runs),
            identifiers=_texts(self.of("identifier")),
            next_steps=_texts(self.of("next_step")),
            questions=_texts(self.of("question")[-5:]),
            last_said=self.last_said,
        )


def _texts(facts: Iterable[StoryFact]) -> tuple[str, ...]:
    return tuple(fact.text for fact in facts)


def _mark(text: str) -> str:
    return " ".join(_WORD.findall(text.lower())[:40])
