"""LoCoMo conversations as items and questions, and how well a ranking finds what the questions are about.

The file (`locomo10.json` of snap-research/locomo, CC BY-NC 4.0) is named on the command line and never kept here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from holdfast.ids import ItemId, ListenerId
from holdfast.recall import Item

OWNER = "bench"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]
    """Ids of the items that answer it."""
    category: int


@dataclass(frozen=True, slots=True)
class Conversation:
    name: str
    items: Sequence[Item]
    questions: Sequence[Question]


def load(path: Path) -> list[Conversation]:
    return [_conversation(value) for value in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(value: Mapping[str, object]) -> Conversation:
    name = str(value["sample_id"])
    told = value["conversation"]
    asked = value["qa"]
    assert isinstance(told, dict)
    assert isinstance(asked, list)
    items: list[Item] = []
    number = 1
    while f"session_{number}" in told:
        at = datetime.strptime(told[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for turn in told[f"session_{number}"]:
            seen = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            items.append(
                Item(
                    id=ItemId(f"{name}/{turn['dia_id']}"),
                    kind="observation",
                    owner=OWNER,
                    text=f"{turn['speaker']}: {turn['text']}{seen}",
                    happened_at=int(at.timestamp() * 1_000_000),
                    project_id=name,
                    listener=ListenerId(f"{name}-{number}"),
                )
            )
        number += 1
    known = {item.id for item in items}
    questions = []
    for question in asked:
        # Some lists of evidence are written as one text, or with a colon too many.
        turns = re.findall(r"D:?(\d+):(\d+)", " ".join(question["evidence"]))
        evidence = frozenset(f"{name}/D{session}:{turn}" for session, turn in turns) & known
        if evidence:
            questions.append(Question(question["question"], evidence, question["category"]))
    return Conversation(name, items, questions)


@dataclass(slots=True)
class Tally:
    """Sums over questions; recall counts the share of a question's evidence that is among the first."""

    count: int = 0
    recall5: float = 0.0
    recall10: float = 0.0
    recall20: float = 0.0
    mrr: float = 0.0
    ndcg10: float = 0.0
    took: float = 0.0
    """Seconds."""

    def add(self, ranking: Sequence[str], evidence: frozenset[str]) -> None:
        found = [item in evidence for item in ranking]
        self.count += 1
        self.recall5 += sum(found[:5]) / len(evidence)
        self.recall10 += sum(found[:10]) / len(evidence)
        self.recall20 += sum(found[:20]) / len(evidence)
        self.mrr += next((1 / place for place, hit in enumerate(found, 1) if hit), 0.0)
        ideal = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(evidence)) + 1))
        self.ndcg10 += sum(hit / math.log2(place + 1) for place, hit in enumerate(found[:10], 1)) / ideal

    def percent(self) -> dict[str, float]:
        names = {"recall5": "R@5", "recall10": "R@10", "recall20": "R@20", "mrr": "MRR", "ndcg10": "nDCG@10"}
        return {shown: 100 * float(getattr(self, name)) / max(1, self.count) for name, shown in names.items()}
