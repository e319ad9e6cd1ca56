"""Files that change together: what would have been said at each Read before an edit, and what then changed.

Each history is walked from its oldest commit. Before a commit, each of its files is taken as the one that is read
first; what the rule names, from the commits before it, is held against the other files of the commit. Limits are chosen
on some histories and reported on others: the commit logs that Debian installs beside public programs
(`bench.commits`), and repositories that are given by path, this project's own by default. Beside it stands what costs
nothing to know: the files that changed most so far, and those that changed last in the same folder.
"""

from __future__ import annotations

import argparse
import posixpath
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.commits import load, there
from bench.figures import Report, Row, Sample, main

from holdfast.rooms.commits.git import GitHistory
from holdfast.rooms.commits.history import LEAST_SHARE, LEAST_TOGETHER, MOST_PARTNERS, MOST_TOGETHER, sure_partners

CHOSEN_ON = ("findutils", "grep", "gnupg")
LEASTS, SHARES = (3, 4, 5), (0.3, 0.4, 0.5, 0.6, 0.7)
_TEST = re.compile(r"(^|[/_.-])tests?([/_.-]|$)|_spec\.", re.IGNORECASE)

Changed = frozenset[str]
Rule = Callable[[str], Sequence[str]]


@dataclass(slots=True)
class Seen:
    """What is known before a commit."""

    of: Counter[str] = field(default_factory=Counter)
    together: dict[str, Counter[str]] = field(default_factory=dict)
    folders: dict[str, OrderedDict[str, None]] = field(default_factory=dict)

    def learn(self, files: Changed) -> None:
        for path in sorted(files):
            self.of[path] += 1
            of_folder = self.folders.setdefault(posixpath.dirname(path), OrderedDict())
            of_folder[path] = None
            of_folder.move_to_end(path)
            self.together.setdefault(path, Counter()).update(sorted(files - {path}))

    def partners(self, path: str, least: int = LEAST_TOGETHER, share: float = LEAST_SHARE) -> list[str]:
        found = sure_partners(self.of[path], self.together.get(path, {}), least=least, share=share)
        return [each.path for each in found]

    def churned(self, path: str) -> list[str]:
        return [each for each, _ in self.of.most_common(MOST_PARTNERS + 1) if each != path][:MOST_PARTNERS]

    def beside(self, path: str) -> list[str]:
        near = reversed(self.folders.get(posixpath.dirname(path), OrderedDict()))
        return [each for each in near if each != path][:MOST_PARTNERS]


@dataclass(slots=True)
class Tally:
    """Of all reads: how often something was said, how much of it changed, how much of what changed was said."""

    reads: int = 0
    spoken: int = 0
    named: int = 0
    right: int = 0
    changed: int = 0
    tests: int = 0
    tests_named: int = 0

    def add(self, named: Iterable[str], others: Changed) -> None:
        said = set(named)
        self.reads += 1
        self.spoken += bool(said)
        self.named += len(said)
        self.right += len(said & others)
        self.changed += len(others)
        tests = {each for each in others if _TEST.search(each)}
        self.tests += len(tests)
        self.tests_named += len(said & tests)

    @property
    def precision(self) -> float:
        return self.right / self.named if self.named else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.changed if self.changed else 0.0

    def told(self) -> str:
        tests = f"{self.tests_named / self.tests:.0%}" if self.tests else "-"
        return (
            f"said at {self.spoken / max(1, self.reads):.0%} of {self.reads} reads; {self.precision:.0%} of what was "
            f"named changed; {self.recall:.0%} of what changed was named (tests: {tests})"
        )


def walk(history: Sequence[Changed], rules: dict[str, Callable[[Seen], Rule]]) -> dict[str, Tally]:
    """Each rule over a whole history; the first quarter of it only teaches."""
    seen, tallies = Seen(), {name: Tally() for name in rules}
    ready = {name: make(seen) for name, make in rules.items()}
    for number, files in enumerate(history):
        if not 1 <= len(files) <= MOST_TOGETHER:
            continue
        if number >= len(history) // 4:
            for path in sorted(files):
                for name, rule in ready.items():
                    tallies[name].add(rule(path), files - {path})
        seen.learn(files)
    return tallies


def of_package(folder: Path, package: str) -> list[Changed]:
    commits = load(folder, package).commits
    return [frozenset(file for file, _ in each.changes if file and "/" not in file[:1]) for each in commits]


def of_repository(path: Path, most: int) -> list[Changed]:
    git = GitHistory(str(path), seconds=600)
    found = git.commits(reversed(git.newest(most)), "names")
    return [frozenset(change.path for change in each.changes) for each in found if not each.is_merge]


def chosen(histories: Sequence[Sequence[Changed]]) -> tuple[int, float, list[str]]:
    """The limits that are right in at least half of what they name: with the fewest commits, because a young project
    has few, and then the lowest share."""
    grid = {(least, share): Tally() for least in LEASTS for share in SHARES}
    for history in histories:
        rules: dict[str, Callable[[Seen], Rule]] = {
            f"{least} {share}": lambda seen, least=least, share=share: (  # type: ignore[misc]
                lambda path: seen.partners(path, least, share)
            )
            for least, share in grid
        }
        for name, tally in walk(history, rules).items():
            least, share = name.split()
            total = grid[int(least), float(share)]
            for each in ("reads", "spoken", "named", "right", "changed", "tests", "tests_named"):
                setattr(total, each, getattr(total, each) + getattr(tally, each))
    lines = [f"least {least}, share {share}: {tally.told()}" for (least, share), tally in grid.items()]
    good = [key for key, tally in grid.items() if tally.precision >= 0.5] or list(grid)
    return *min(good), lines


def measure(options: argparse.Namespace) -> Report:
    packages = there(options.docs)
    learnt = [of_package(options.docs, each) for each in packages if each in CHOSEN_ON]
    notes: list[str] = []
    if learnt and not options.quick:
        least, share, notes = chosen(learnt)
        notes.insert(0, f"Chosen on {', '.join(CHOSEN_ON)}: at least {least} commits and a share of {share}.")
    shown = {each: of_package(options.docs, each) for each in packages if each not in CHOSEN_ON}
    shown |= {path.resolve().name: of_repository(path, int(options.most)) for path in options.repositories}
    rows: list[Row] = []
    for name, history in shown.items():
        tallies = walk(
            history,
            {"ours": lambda seen: seen.partners, "most": lambda seen: seen.churned, "last": lambda seen: seen.beside},
        )
        ours, base = tallies["ours"], tallies["last"]
        rows += [
            Row(f"{name}: named files that changed", "share", Sample.one(ours.precision), Sample.one(base.precision)),
            Row(f"{name}: changed files that were named", "share", Sample.one(ours.recall), Sample.one(base.recall)),
        ]
        notes += [f"{name}, {len(history)} commits, {rule}: {tally.told()}." for rule, tally in tallies.items()]
    return Report("Files that change together", "CTX-4", "the files that changed last in the folder", rows, notes)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("repositories", nargs="*", type=Path, default=[Path(__file__).parents[1]])
    parser.add_argument("--docs", type=Path, default=Path("/usr/share/doc"), help="where Debian puts changelogs")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.cochange", arguments, most=(5_000, "commits of a repository"))
