"""Experiences, remedies and values as items: how they are found, listed, said and corrected.

Each family is the rows of one table. A GHAP that is not resolved is shown by its id and is not found by a search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from holdfast import recall
from holdfast.errors import UsageError
from holdfast.items import rows
from holdfast.items import tables as shared
from holdfast.items.by_family import IndexByFamily
from holdfast.items.indexed import Background, Change, Listed, Saying, Section, Start
from holdfast.items.table_index import TableIndex
from holdfast.items.words import WRITER_MARKS, against, short_id
from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import confidence, rules, schema, tables
from holdfast.rooms.learning.model import EXPERIENCE, REMEDY, TIER_WEIGHTS, VALUE, Ghap, LearnedValue, Remedy
from holdfast.store.interface import Reader, Tx
from holdfast.times import age

_LONGEST = 420
_SHORT = 180
LONGEST_VALUE = 500


class ExperienceIndex(TableIndex[Ghap]):
    def __init__(self) -> None:
        super().__init__(schema.GHAP, EXPERIENCE, Ghap)

    def listed(self, item: Ghap) -> Listed:
        worth = 0.3 + 0.5 * TIER_WEIGHTS.get(item.tier, 0.0) if item.lesson or item.cause else 0.4
        outcome = {"confirmed": "passed", "falsified": "failed"}.get(item.status, "")
        return Listed(
            item.id,
            EXPERIENCE.name,
            EXPERIENCE.name,
            rules.title(item),
            item.project_id,
            item.resolved_at or item.created_at,
            outcome=outcome,
            trust=item.trust,
            worth=worth,
        )

    def whole(self, item: Ghap) -> dict[str, Any]:
        told = {name: getattr(item, name) for name in item.__struct_fields__ if name not in ("id", "history", "trust")}
        past = [
            {"hypothesis": r.hypothesis, "action": r.action, "prediction": r.prediction} for r in rules.rounds(item)
        ]
        return told | {"history": past, "trust": item.trust}

    def words(self, item: Ghap) -> str:
        return rules.of_axis(item, "full")

    def background(self, reader: Reader, item: Ghap, owner: str) -> Background:
        more = {"status": item.status, "tier": item.tier, "auto_captured": bool(item.auto_captured)}
        return Background(conversation=self.conversation(item), more=more)

    def found_by(self, reader: Reader, item: Ghap, owner: str) -> recall.Item | None:
        return super().found_by(reader, item, owner) if item.resolved_at and item.status != "abandoned" else None

    def count(self, reader: Reader, owner: str) -> int:
        return 0  # some are not to be found, so the index may hold fewer than there are rows

    def said(self, item: Ghap, how: Saying) -> str:
        facts = [item.status, *([item.tier] if item.tier else []), age(how.now, item.resolved_at or item.created_at)]
        facts += ["no longer holds"] if how.stale else []
        facts += how.facts
        named = short_id(EXPERIENCE.letter, item.id)
        text = rules.title(item)
        if not how.short and item.lesson:
            cause = item.cause or item.root_cause.replace("-", " ")
            text = f"{text} — goal: {one_line(item.goal, 100)}" + (
                f"; root cause: {one_line(cause, 100)}" if cause else ""
            )
        return f"[{named}] {WRITER_MARKS[item.trust]}{text} ({', '.join(facts)}){against(how.objection)}"

    def edited(self, item: Ghap, change: Change) -> Ghap:
        if change.title is not None or change.tags is not None:
            raise UsageError("An experience has neither title nor tags; `text` is its lesson.")
        return replace(item, lesson=rules.text("text", change.text or ""), trust=change.by, updated_at=change.now)


class RemedyIndex(TableIndex[Remedy]):
    made_from = "entry_id"

    def __init__(self) -> None:
        super().__init__(schema.REMEDY, REMEDY, Remedy)

    def listed(self, item: Remedy) -> Listed:
        title = one_line(f"{item.problem} — {item.solution}" if item.solution else item.problem)
        return Listed(
            item.id, REMEDY.name, REMEDY.name, title, item.project_id, item.happened_at,
            outcome="passed", trust=item.trust, worth=0.6,
        )  # fmt: skip

    def whole(self, item: Remedy) -> dict[str, Any]:
        told = {name: getattr(item, name) for name in item.__struct_fields__ if name not in ("id", "trust")}
        sure = confidence.of_remedy(item, item.judged_at)
        return told | {"files": tables.texts(item.files), "confidence": round(sure, 3), "trust": item.trust}

    def said(self, item: Remedy, how: Saying) -> str:
        facts = [age(how.now, item.happened_at)]
        facts += [f"helped again {item.worked} of {item.used} times"] if item.used else []
        facts += ["outdated"] if item.outdated or how.stale else []
        facts += how.facts
        files = tables.texts(item.files)
        where = f" [{', '.join(files[:3])}]" if files else ""
        named = short_id(REMEDY.letter, item.id)
        # What somebody said of the cause says more than the raw words of a failure.
        subject = item.problem if item.trust == "user" else item.root_cause or item.problem
        text = one_line(f"{subject} — what helped: {item.solution}", _SHORT if how.short else _LONGEST)
        return f"[{named}] {WRITER_MARKS[item.trust]}{text}{where} ({', '.join(facts)}){against(how.objection)}"

    def edited(self, item: Remedy, change: Change) -> Remedy:
        problem = item.problem if change.title is None else rules.text("title", change.title)
        solution = item.solution if change.text is None else rules.text("text", change.text)
        return replace(item, problem=problem, solution=solution, trust=change.by)


class ValueIndex(TableIndex[LearnedValue]):
    def __init__(self) -> None:
        super().__init__(schema.VALUE, VALUE, LearnedValue)

    def listed(self, item: LearnedValue) -> Listed:
        title = one_line(item.text)
        return Listed(
            item.id, VALUE.name, VALUE.name, title, item.project_id, item.created_at, trust=item.trust, worth=0.7
        )

    def said(self, item: LearnedValue, how: Saying) -> str:
        facts = [f"from {item.support} experiences", age(how.now, item.created_at)]
        facts += ["no longer holds"] if how.stale else []
        facts += how.facts
        named = short_id(VALUE.letter, item.id)
        text = one_line(item.text, _LONGEST)
        return f"[{named}] {WRITER_MARKS[item.trust]}{text} ({', '.join(facts)}){against(how.objection)}"

    def edited(self, item: LearnedValue, change: Change) -> LearnedValue:
        text = item.text if change.text is None else rules.text("text", change.text, required=True)
        if change.by != "user":
            rules.learned_here(text)
        return replace(item, text=text, made_by=change.by, trust=change.by)


class LearningIndex(IndexByFamily):
    """The items of this room."""

    def __init__(self, most_values: int = 3) -> None:
        self._values = ValueIndex()
        super().__init__(ExperienceIndex(), RemedyIndex(), self._values)
        self._most_values = most_values

    def put(self, tx: Tx, item: Any, owner: str) -> None:
        """Make an item findable as it is now."""
        shared.put_in_index(tx, self, item, owner)

    def add(self, tx: Tx, item: Remedy | LearnedValue, owner: str) -> None:
        """Write a new item and make it findable."""
        self.of(item).add(tx, item, owner)

    def rewrite(self, tx: Tx, item: Remedy, owner: str) -> None:
        """Write an item anew, and make it findable by its new words."""
        rows.rewrite(tx, schema.REMEDY, structs.asdict(item), owner)
        self.put(tx, item, owner)

    # --- given to an agent that did not ask

    def as_told(self, reader: Reader, items: Sequence[Any], owner: str, *, on_request: bool = False) -> Sequence[Any]:
        """An experience whose lesson became a value is said by the value. A remedy belongs to its failure: at a prompt
        it is said only when it helped again, when a person wrote it, or when somebody asks; one that is outdated only
        then."""
        told = {one_line(item.text) for item in items if isinstance(item, LearnedValue)}

        def is_told(item: Any) -> bool:
            if isinstance(item, Remedy):
                return on_request or (not item.outdated and (item.worked > 0 or item.trust == "user"))
            return not (isinstance(item, Ghap) and rules.title(item) in told)

        return [item for item in items if is_told(item)]

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        """The values that experience taught, the best first."""
        most = start.most or self._most_values
        if not most:
            return ()
        found = tables.values(reader, start.owner, start.project_id)
        best = confidence.ranked(found, start.now)
        how = Saying(start.now, short=True)
        lines = [(value.id, self._values.said(value, how)) for value in best if value.id not in start.given]
        return (Section("Learned:", lines[:most], weight=2, share=0.25),) if lines else ()

    # --- changing

    def after_forget(self, tx: Tx, removed: Sequence[Any], owner: str, now: int) -> None:
        """Clusters that held a forgotten experience go, with the values that rules made of them: their words are
        those of an experience. They are made anew of what is left."""
        gone = [item for item in removed if isinstance(item, Ghap)]
        if not gone:
            return
        dropped = tables.drop_clusters_with(tx, owner, [item.id for item in gone])
        lessons = {one_line(item.lesson, LONGEST_VALUE) for item in gone if item.lesson}
        made = [
            value.id
            for value in tables.values(tx, owner, limit=tables.MOST_READ)
            if value.made_by == "rules" and (value.cluster_id in dropped or value.text in lessons)
        ]
        self._values.remove(tx, made, owner)
        for each in made:
            shared.drop_traces(tx, each)
