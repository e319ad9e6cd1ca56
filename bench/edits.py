"""What a Read before an edit names, and which tests then changed: the three lines together, beside co-change alone.

A step is a commit of a repository (this project's own by default), a session of `bench.recorded` with the files that it
edited, or the way from one release of a public package to the next (`--releases DIR`: a folder per package with its
source archives). Before each step the code is indexed as it
stood, and each source file that the step changes is taken as the one that is read. The lines name at most three tests,
by the index and by the steps before. Held against them are the test files that the step changes. The baseline is
co-change: of the steps before, the three tests that changed most often with the file.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.cochange import Seen
from bench.code import Bench
from bench.figures import Report, Row, Sample, main
from bench.work import scene

from holdfast.git_calls import git_environment
from holdfast.items.sources import ChangedWith
from holdfast.rooms.code import rules
from holdfast.rooms.commits.git import GitHistory
from holdfast.rooms.commits.history import MOST_TOGETHER, NOW_AND_THEN, SOME_SHARE, sure_partners
from holdfast.source.index_file import IndexFile
from holdfast.source.languages import language_of
from holdfast.source.links import is_test, is_test_file
from holdfast.source.uses import Relation

_MOST_IN_RELEASE = 60
"""Files of a release that say something about each other. A larger one changes everything."""
_VERSION = re.compile(r"-(\d[\w.]*)\.tar\.gz$")


@dataclass(slots=True)
class Tally:
    reads: int = 0
    named: int = 0
    right: int = 0
    changed: int = 0
    any_right: int = 0

    def add(self, named: set[str], changed: set[str]) -> None:
        self.reads += 1
        self.named += len(named)
        self.right += len(named & changed)
        self.changed += len(changed)
        self.any_right += bool(named & changed)

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def share(self) -> float:
        """Of the named tests, those that changed."""
        return self.right / max(1, self.named)

    @property
    def found(self) -> float:
        """Of the tests that changed, those that were named."""
        return self.right / max(1, self.changed)


@dataclass(slots=True)
class Way:
    """One history, as far as it was walked."""

    lines: Tally = field(default_factory=Tally)
    index: Tally = field(default_factory=Tally)
    cochange: Tally = field(default_factory=Tally)
    steps: int = 0

    def with_(self, other: Way) -> Way:
        """Both together."""
        return Way(
            self.lines + other.lines,
            self.index + other.index,
            self.cochange + other.cochange,
            self.steps + other.steps,
        )

    def add(self, using: Sequence[Relation], seen: Seen, path: str, changed: set[str], root: Path) -> None:
        """One Read: what was named, and which tests then changed."""
        with_it = seen.together.get(path, Counter())
        often = [each for each, _ in with_it.most_common() if is_test_file(each) and (root / each).exists()]
        sure = sure_partners(seen.of[path], with_it, least=NOW_AND_THEN, share=SOME_SHARE, most=len(with_it))
        beside = [ChangedWith(each.path, each.together, each.of) for each in sure if each.path in often]
        own, most = [each.path for each in using], rules.FILES_SAID
        self.lines.add(set(rules.best_tests(path, own, beside)[:most]), changed)
        self.index.add(set(own[:most]), changed)
        self.cochange.add(set(often[:most]), changed)


@dataclass(frozen=True, slots=True)
class Step:
    """What changed; `bring` makes the folder what it was before."""

    changed: frozenset[str]
    before: str | Mapping[str, str]
    """A commit, the archive of a release, or the texts of all files."""


def of_repository(path: Path, most: int) -> list[Step]:
    git = GitHistory(str(path), seconds=600)
    commits = [each for each in git.commits(reversed(git.newest(most)), "names") if not each.is_merge]
    return [Step(frozenset(change.path for change in each.changes), f"{each.hash}^") for each in commits]


def of_releases(folder: Path) -> list[Step]:
    archives = sorted(folder.glob("*.tar.gz"), key=_version)
    contents = [contents_of(each) for each in archives]
    return [
        Step(frozenset(path for path in {*old, *new} if old.get(path) != new.get(path)), str(archive))
        for archive, old, new in zip(archives, contents, contents[1:], strict=False)
    ]


def of_scene(name: str) -> list[Step]:
    """The sessions of a scene, with the files that each edited. What its commands changed is not seen."""
    played = scene.load(name)
    files, steps = dict(played.files), []
    for session in played.sessions:
        before, changed = dict(files), set()
        for step in (step for turn in session.turns for step in turn.steps if step.tool in ("Edit", "Write")):
            path = str(step.input["file_path"]).removeprefix("{root}/")
            if step.tool == "Write":
                files[path] = str(step.input["content"])
            else:
                count = -1 if step.input.get("replace_all") else 1
                files[path] = files.get(path, "").replace(step.input["old_string"], step.input["new_string"], count)
            changed.add(path)
        steps.append(Step(frozenset(changed), before))
    return steps


def _version(archive: Path) -> tuple[int, ...]:
    found = _VERSION.search(archive.name)
    return tuple(map(int, re.findall(r"\d+", found[1]))) if found else ()


def contents_of(archive: Path) -> dict[str, bytes]:
    """The source files of a release, by their paths in it."""
    with tarfile.open(archive) as tar:
        return {path: data for path, data in _files(tar) if language_of(path)}


def _files(tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in tar:
        path = member.name.partition("/")[2]
        if member.isfile() and path and ".." not in path and (file := tar.extractfile(member)):
            yield path, file.read()


def bring(root: Path, before: str | Mapping[str, str]) -> None:
    """Make the folder what it was before a step."""
    if not isinstance(before, str) or before.endswith(".tar.gz"):
        for each in root.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        contents = contents_of(Path(before)) if isinstance(before, str) else {}
        contents |= {} if isinstance(before, str) else {path: text.encode() for path, text in before.items()}
        for path, data in contents.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
    else:
        words = ["git", "-C", str(root), "checkout", "-qf", before]
        subprocess.run(words, check=True, env=git_environment(), capture_output=True)


async def walk(root: Path, folder: Path, steps: Sequence[Step], wanted: int, widest: int) -> Way:
    """Learn from the first quarter; of the rest, take so many steps that change a source file and a test."""
    way, seen = Way(), Seen()
    bench = Bench(folder, root)
    later = [step for step in steps[len(steps) // 4 :] if 1 < len(step.changed) <= widest and _has_both(step)]
    chosen = {id(step) for step in later[:: max(1, len(later) // wanted)]}
    for step in steps:
        if id(step) in chosen:
            bring(root, step.before)
            await judge(way, bench, step, seen)
        if len(step.changed) <= widest:
            seen.learn(step.changed)
    await bench.code.worker.close()
    return way


def _has_both(step: Step) -> bool:
    return any(map(is_test_file, step.changed)) and any(map(_is_source, step.changed))


def _is_source(path: str) -> bool:
    return bool(language_of(path)) and not is_test(path)


async def judge(way: Way, bench: Bench, step: Step, seen: Seen) -> None:
    _, tree = await bench.build()
    root = Path(bench.root)
    tests = {path for path in step.changed if is_test_file(path) and (root / path).exists()}
    if not tests:
        return
    way.steps += 1
    index = IndexFile(tree.file)
    for path in sorted(filter(_is_source, step.changed)):
        if not (root / path).exists():
            continue
        way.add(rules.tests_of(path, bench.code.relations_of(index, tree, path)), seen, path, tests, root)
    index.close()


def measure(options: argparse.Namespace) -> Report:
    ways: dict[str, Way] = {}
    wanted = 5 if options.quick else int(options.steps)
    with tempfile.TemporaryDirectory(prefix="holdfast-edits-") as made:
        for path in options.repositories:
            copy = Path(made) / path.resolve().name
            subprocess.run(["git", "clone", "-q", "--shared", str(path.resolve()), str(copy)], check=True)
            steps = of_repository(path, int(options.most))
            name = "this repository" if path == _HERE else path.resolve().name
            ways[name] = asyncio.run(walk(copy, Path(made) / "index", steps, wanted, MOST_TOGETHER))
        for name in scene.names():
            root = Path(made) / f"{name}-scene"
            root.mkdir()
            together = asyncio.run(walk(root, Path(made) / "index", of_scene(name), wanted, MOST_TOGETHER))
            ways["recorded sessions"] = ways.get("recorded sessions", Way()).with_(together)
        for folder in sorted(options.releases.iterdir()) if options.releases else ():
            root = Path(made) / f"{folder.name}-root"
            root.mkdir()
            steps = of_releases(folder)
            ways[folder.name] = asyncio.run(walk(root, Path(made) / "index", steps, wanted, _MOST_IN_RELEASE))
    rows, notes = [], []
    for name, way in ways.items():
        for label, own, base in (
            ("named tests that changed", way.lines.share, way.cochange.share),
            ("changed tests that were named", way.lines.found, way.cochange.found),
        ):
            rows.append(Row(f"{name}: {label}", "share", Sample.one(own), Sample.one(base)))
        notes.append(
            f"{name}: {way.steps} steps, {way.lines.reads} reads; tests named {way.lines.named} (index alone "
            f"{way.index.named}, of which {way.index.right} changed; co-change {way.cochange.named}); a right one at "
            f"{way.lines.any_right} reads (co-change {way.cochange.any_right})."
        )
    return Report(
        "Tests named before an edit", "CTX-3, CTX-4", "the three tests that changed with it most", rows, notes
    )


_HERE = Path(__file__).parents[1]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("repositories", nargs="*", type=Path, default=[_HERE])
    parser.add_argument("--releases", type=Path, help="a folder per package with its source archives (NAME-1.2.tar.gz)")


if __name__ == "__main__":
    main(
        measure, __doc__ or "", "python -m bench.edits --releases ~/releases", arguments,
        most=(5_000, "commits of a repository"), steps=(60, "steps of each history that are judged"),
    )  # fmt: skip
