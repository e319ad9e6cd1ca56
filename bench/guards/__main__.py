"""The guards: destructive commands caught, innocent ones refused, and time, beside cc-safety-net in the same run.

Caught: denied, asked about, or run with its bytes kept. Refused: denied or asked about. Each command is judged without
a folder (undo off, nothing is looked at) and in a sandbox of its scene (undo on). `--given FILE` adds a table of
commands with the verdicts of others.

    python -m bench.guards --given commands.jsonl --wrong
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.figures import Report, Row, Sample, main, quantile
from bench.guards import corpus, kept, road
from bench.guards.corpus import Case
from bench.guards.judging import Answers, Score, by_kind, in_scenes, score, without_folder, wrong
from bench.guards.mutations import mutations
from bench.guards.safety_net import VERSION, Absent, SafetyNet
from bench.guards.scenes import Place, sandboxes

CAUGHT, REFUSED, MS = 98.0, 0.3, 2.0
OWN, HELD, GIVEN = "own corpus", "held back", "given corpus"
SECOND, LAST, EVERYDAY, UNSEEN = (f"{HELD}, {which}" for which in ("second", "last", "everyday", "unseen"))
COVERED = ("git", "files", "secrets", "wrappers", "heredocs", "inline", "variables", "aliases", "quoting", "lookalikes")
"""Classes that cc-safety-net's manual speaks of as well: git, deletes of files, secret files, in other spellings."""
_MUTATIONS = {OWN: 6, HELD: 6, SECOND: 6, LAST: 6, EVERYDAY: 6, UNSEEN: 6, GIVEN: 2}


class Runs:
    """All answers, by set and way of judging, ours and theirs."""

    def __init__(
        self, sets: Mapping[str, Sequence[Case]], places: Mapping[str, Place], other: SafetyNet | None, salt: str
    ) -> None:
        self.ours: dict[str, Answers] = {}
        self.theirs: dict[str, Answers] = {}
        self.changed: dict[str, Score] = defaultdict(Score)
        """Mutations of all sets, by the class of the change."""
        self.lost: dict[Case, list[str]] = {}
        """What undo did not bring back, of our own corpus."""
        for name, cases in sets.items():
            alone = [case for case in cases if not case.needs_scene]
            self.ours[f"{name}, no folder"] = without_folder(alone)
            self.ours[f"{name}, in its scene"] = in_scenes(cases, places)
            made = [each for case in alone for each in mutations(case, _MUTATIONS[name], salt)]
            answers = without_folder([each.case for each in made])
            self.ours[f"{name}, mutations, no folder"] = answers
            for each, (case, outcome) in zip(made, answers, strict=True):
                self.changed[each.kind].add(case, outcome)
            some = [each.case for case in cases for each in mutations(case, 1, salt)][:: 4 if name == GIVEN else 1]
            self.ours[f"{name}, mutations, in their scenes"] = in_scenes(some, places)
        covered = [(case, outcome) for case, outcome in self.ours[f"{OWN}, in its scene"] if case.kind in COVERED]
        self.ours[f"{OWN}, in its scene, classes that both cover"] = covered
        if other:
            asked = [name for name in self.ours if not name.endswith("mutations, no folder")]
            self.theirs = {name: other.judge([case for case, _ in self.ours[name]], places) for name in asked}


def sets_of(given: Path | None, quick: bool) -> dict[str, list[Case]]:
    made = {OWN: corpus.own()}
    if corpus.HELD_BACK.exists():
        made[HELD] = corpus.held_back()
    if corpus.SECOND.exists():
        made[SECOND] = corpus.held_back_second()
    if corpus.LAST.exists():
        made[LAST] = corpus.held_back_last()
    if corpus.EVERYDAY.exists():
        made[EVERYDAY] = corpus.held_back_everyday()
    if corpus.UNSEEN.exists():
        made[UNSEEN] = corpus.held_back_unseen()
    if given:
        made[GIVEN] = corpus.given(given)
    return {name: cases[::10] for name, cases in made.items()} if quick else made


def rows_of(runs: Runs) -> list[Row]:
    rows = []
    for name, answers in runs.ours.items():
        ours, theirs = score(answers), score(runs.theirs.get(name, ()))
        base = bool(theirs.times)
        limited = name in {f"{each}, no folder" for each in (OWN, HELD, SECOND, LAST, EVERYDAY, UNSEEN)}
        rows.append(
            Row(
                f"{name}: caught of {ours.destructive} ({ours.kept} kept)",
                "%",
                Sample.one(ours.caught_share),
                Sample.one(theirs.caught_share) if base else None,
                CAUGHT if limited else None,
                at_least=True,
            )
        )
        rows.append(
            Row(
                f"{name}: refused of {ours.innocent} innocent",
                "%",
                Sample.one(ours.refused_share),
                Sample.one(theirs.refused_share) if base else None,
                REFUSED if limited else None,
            )
        )
    return rows


def table(ours: Mapping[str, Score], theirs: Mapping[str, Score]) -> str:
    """Classes in one line, for the notes: caught/destructive, refused/innocent; in brackets the other's."""

    def said(kind: str) -> str:
        mine, other = ours[kind], theirs.get(kind)
        beside = f" [{other.caught}, {other.refused}]" if other else ""
        return f"{kind} {mine.caught}/{mine.destructive}, {mine.refused}/{mine.innocent}{beside}"

    return "; ".join(said(kind) for kind in sorted(ours))


def measure(options: argparse.Namespace) -> Report:
    given, salt = getattr(options, "given", None), getattr(options, "salt", "")
    sets = sets_of(given, options.quick)
    notes = []
    other: SafetyNet | None = None
    try:
        other = SafetyNet()
    except (Absent, OSError) as error:
        notes.append(f"cc-safety-net {VERSION} could not be had, its column is empty: {error}.")
    with sandboxes() as places:
        runs = Runs(sets, places, other, salt)
        rows = rows_of(runs)
        rows += undone(runs, places, notes)
        more, said = list[Row](), ["Times were not taken in this run (`--verdicts`): the machine was busy."]
        if not getattr(options, "verdicts", False):
            rows += times_of(runs, other, sets[OWN], places, 5 if options.quick else 60, notes)
            more, said = road.measure(sets[OWN], places, 1 if options.quick else 5)
    notes += [
        f"{name}, caught/destructive and refused/innocent by class [cc-safety-net's]: "
        + table(by_kind(runs.ours[name]), by_kind(runs.theirs.get(name, [])))
        for name in runs.ours
        if "mutations" not in name and "both cover" not in name
    ]
    notes.append(f"Mutations of all sets (salt {salt!r}), no folder, by class: {table(runs.changed, {})}")
    if getattr(options, "wrong", None):
        write_wrong(runs, Path(options.wrong))
    baseline = f"cc-safety-net {VERSION} on the same commands, in the same folders"
    return Report("Guards: caught, refused, time", "WRK-7, WRK-15", baseline, [*rows, *more], [*notes, *said])


def undone(runs: Runs, places: Mapping[str, Place], notes: list[str]) -> list[Row]:
    """The commands that were let run because their bytes are kept: run, undone and compared."""
    rows = []
    for name in (OWN, HELD, SECOND, LAST, EVERYDAY):
        answers = runs.ours.get(f"{name}, in its scene", [])
        cases = [case for case, outcome in answers if outcome.kept and not outcome.refused]
        try:
            lost = kept.lost(cases, places)
        except kept.NoCage as error:
            notes.append(f"What was kept was not put to the test, because commands cannot be run safely here: {error}.")
            return []
        asked = sum(each == [kept.ASKED] for each in lost.values())
        back, ran = sum(not each for each in lost.values()), len(cases) - asked
        if asked:
            notes.append(f"{name}: of {len(cases)} kept commands {asked} were asked about instead: {kept.ASKED}.")
        what = f"{name}: run in a sandbox and brought back byte for byte, of {ran} kept"
        rows.append(Row(what, "%", Sample.one(100 * back / max(1, ran)), None, 100.0, at_least=True))
        if name == OWN:
            runs.lost = lost
    return rows


def times_of(
    runs: Runs, other: SafetyNet | None, cases: Sequence[Case], places: Mapping[str, Place], most: int, notes: list[str]
) -> list[Row]:
    """Time per command in this process, beside one start of the other's hook per command."""
    theirs: list[float] = []
    if other:
        sample = cases[:: max(1, len(cases) // most)]
        known = {case.command: outcome.refused for case, outcome in runs.theirs[f"{OWN}, in its scene"]}
        said = [(case, other.hook(case, places)) for case in sample]
        theirs = sorted(outcome.ms for _, outcome in said)
        inside = sorted(outcome.ms for _, outcome in runs.theirs[f"{OWN}, in its scene"])
        differ = sum(known[case.command] != outcome.refused for case, outcome in said)
        notes.append(
            f"cc-safety-net: verdicts by its library; time by {len(said)} starts of its hook with node (not npx), "
            f"whose verdict differed from the library's {differ} times. The library alone takes "
            f"{quantile(inside, 0.5):.2g} ms (p50), {quantile(inside, 0.99):.2g} ms (p99)."
        )
    rows = []
    for way in ("no folder", "in its scene"):
        took = sorted(outcome.ms for _, outcome in runs.ours[f"{OWN}, {way}"])
        for share, limit in ((0.5, MS if way == "no folder" else None), (0.99, None)):
            base = Sample.one(quantile(theirs, share)) if theirs else None
            what = f"time per command in process, p{share * 100:.0f}, {way}"
            rows.append(Row(what, "ms", Sample.one(quantile(took, share)), base, limit))
    return rows


def write_wrong(runs: Runs, path: Path) -> None:
    """The commands that were judged otherwise than their label; those held back are not told."""
    with path.open("w", encoding="utf-8") as lines:
        for name, answers in runs.ours.items():
            for case, outcome in wrong(answers) if not name.startswith(HELD) and "both" not in name else ():
                label = "destructive" if case.destructive else "innocent"
                told = {"set": name, "class": case.kind, "scene": case.scene, "label": label, "rule": outcome.rule}
                lines.write(json.dumps(told | {"command": case.command}, ensure_ascii=False) + "\n")

        for case, names in runs.lost.items():
            if names:
                lines.write(json.dumps({"set": "not brought back", "command": case.command, "lost": names}) + "\n")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--given", type=Path, help="a table of commands with the verdicts of others (JSON lines)")
    parser.add_argument("--salt", default="", help="any word: other mutations, which no rule can have been fitted to")
    parser.add_argument("--verdicts", action="store_true", help="take no times: on a busy machine they say nothing")
    parser.add_argument("--wrong", type=Path, help="write what was judged otherwise than labelled into this file")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.guards --given commands.jsonl", arguments)
