"""Predictions in passing: how many are found, and how many of those are right, on sentences that somebody labelled.

    python -m bench.predictions [--file FILE] [--wrong]

The format is in bench/labelled/README.md. A sentence counts as found when it is read as what its label says.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Report, Row, Sample

from holdfast.rooms.learning.predictions.passing import predictions_in

LABELLED = Path(__file__).with_name("labelled")
PARTS = {"told": LABELLED / "predictions_told.jsonl", "kept": LABELLED / "predictions_kept.jsonl"}
_LEAST_PRECISION, _LEAST_RECALL = 0.85, 0.8
_LABELS = ("passed", "failed", None)


@dataclass(frozen=True, slots=True)
class Sentence:
    said: str
    expects: str | None


def read(lines: Iterable[str]) -> list[Sentence]:
    """The sentences of a file; a sentence that ends the program for a line that is none."""
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        told = json.loads(line)
        if not isinstance(told.get("said"), str) or told.get("expects") not in _LABELS:
            raise SystemExit(f"Line {number}: `said` is a text, `expects` is passed, failed or null.")
        found.append(Sentence(told["said"], told["expects"]))
    return found


def judged(sentence: Sentence) -> str | None:
    """What the rule reads in it; of several predictions the one nearest to the run."""
    found = predictions_in(sentence.said)
    return found[0].expects if found else None


def figures(sentences: Iterable[Sentence]) -> dict[str, float]:
    counted = Counter[str]()
    for each in sentences:
        said = judged(each)
        counted["all"] += 1
        counted["labelled"] += each.expects is not None
        counted["found"] += said is not None
        counted["right"] += said is not None and said == each.expects
    return {
        "sentences": counted["all"],
        "predictions": counted["labelled"],
        "precision": counted["right"] / counted["found"] if counted["found"] else 1.0,
        "recall": counted["right"] / counted["labelled"] if counted["labelled"] else 1.0,
    }


def measure(chosen: argparse.Namespace) -> Report:
    rows, notes = [], []
    for name, file in PARTS.items():
        found = figures(read(file.read_text("utf-8").splitlines()))
        is_kept = name == "kept"
        for what, least in (("precision", _LEAST_PRECISION), ("recall", _LEAST_RECALL)):
            title = f"predictions in passing, {name} part: {what}"
            limit = least if is_kept else None
            rows.append(Row(title, "share", Sample.one(found[what]), None, limit, at_least=is_kept))
        notes.append(
            f"{name}: {found['sentences']:.0f} sentences, {found['predictions']:.0f} of them predict something."
        )
    notes.append("Who wrote the rule read the told part; nobody who writes it reads the kept part (bench/labelled).")
    return Report("Predictions in passing", "LRN-14", "none", rows, notes)


def main() -> None:
    parser = argparse.ArgumentParser(description="Precision and recall of predictions in passing.")
    parser.add_argument("--file", type=Path, help="other sentences than the two parts of bench/labelled")
    parser.add_argument("--wrong", action="store_true", help="list what was read otherwise than labelled")
    chosen = parser.parse_args()
    parts = {"given": chosen.file} if chosen.file else PARTS
    for name, file in parts.items():
        if not file.is_file():
            raise SystemExit(f"{file.name} is not there; bench/labelled/README.md tells how it is made.")
        sentences = read(file.read_text("utf-8").splitlines())
        for each in sentences if chosen.wrong else ():
            if (said := judged(each)) != each.expects:
                print(f"  {said or 'nothing'}, labelled {each.expects or 'nothing'}: {each.said}")
        found = figures(sentences)
        print(
            f"{name}: {found['sentences']:.0f} sentences, {found['predictions']:.0f} predictions: "
            f"precision {found['precision']:.3f}, recall {found['recall']:.3f}"
        )


if __name__ == "__main__":
    main()
