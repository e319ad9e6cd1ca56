"""The code index: its speed and size, how soon an edit is in it, what a Read waits for, and how well code is found.

Read are the packages that this Python has (its site-packages and its standard library), or the folders that are named.
They are copied; the copies are edited. Search is asked with the first sentence of a function's docstring, after that
docstring was taken out of the file; beside it SQLite's FTS5 alone, on the same functions as they are written. With jedi
installed, it judges which of the said uses are true.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import os
import random
import re
import resource
import shutil
import sqlite3
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import processor_seconds

from holdfast.ids import now_us
from holdfast.rooms.code.service import Code, Tree
from holdfast.rooms.code.settings import Settings
from holdfast.rooms.room import Ground
from holdfast.source.child import UpdateFiles
from holdfast.source.index_file import IndexFile
from holdfast.source.languages import language_of
from holdfast.source.links import is_test

_KINDS = ("function", "method")
_WORD = re.compile(r"\w+")
_DEEP = 10
"""Results of a search that count."""


class Asked(NamedTuple):
    """A sentence, and the function that it describes."""

    text: str
    path: str
    name: str
    line: int


def packages() -> list[Path]:
    paths = sysconfig.get_paths()
    return [Path(paths["purelib"]), Path(paths["stdlib"])]


def copy_sources(folders: Sequence[Path], target: Path) -> None:
    """Copy the source files of some folders, each into a folder of its own."""
    for number, folder in enumerate(folders):
        inner = folder.name if (folder / "__init__.py").exists() else ""  # a package, or a folder of packages
        for at, below, files in os.walk(folder):
            below[:] = [name for name in below if name not in ("site-packages", "__pycache__", "node_modules")]
            into = target / f"source{number}" / inner / Path(at).relative_to(folder)
            for name in files:
                if language_of(name):
                    into.mkdir(parents=True, exist_ok=True)
                    with suppress(OSError):
                        shutil.copyfile(Path(at) / name, into / name)


def take_out(root: Path, wanted: int) -> list[Asked]:
    """Take the docstrings of some functions out of their files; what these said."""
    files = [path for path in sorted(root.rglob("*.py")) if not is_test(str(path.relative_to(root)))]
    random.Random(1).shuffle(files)
    asked: list[Asked] = []
    for path in files:
        if len(asked) >= wanted:
            break
        with suppress(SyntaxError, UnicodeDecodeError, ValueError, RecursionError):
            text = path.read_text("utf-8")
            found = list(described(ast.parse(text)))[:2]
            lines = text.split("\n")
            for node, sentence in sorted(found, key=lambda each: -each[0].lineno):
                doc = node.body[0]
                lines[doc.lineno - 1 : doc.end_lineno] = [" " * doc.col_offset + "pass"]
                asked.append(Asked(sentence, str(path.relative_to(root)), node.name, node.lineno))
            path.write_text("\n".join(lines), "utf-8")
    return asked[:wanted]


def described(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Functions with a docstring whose first sentence says something, and does not say the name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and len(node.body) > 1 and not node.name.startswith("__"):
            doc = ast.get_docstring(node) or ""
            sentence = re.split(r"\.\s|\n\s*\n", doc)[0].replace("\n", " ").strip()
            if 4 < len(_WORD.findall(sentence)) < 30 and node.name not in sentence and len(node.name) > 3:
                yield node, sentence


def plain_index(root: Path, index: IndexFile, tree: int) -> sqlite3.Connection:
    """FTS5 as it comes, on the text of the same functions."""
    plain = sqlite3.connect(":memory:")
    plain.execute("CREATE VIRTUAL TABLE t USING fts5(path UNINDEXED, name UNINDEXED, body)")
    for path, known in index.files(tree).items():
        units = [unit for unit in index.units_of(known.content) if unit.kind in _KINDS]
        if units:
            lines = (root / path).read_text("utf-8", "replace").split("\n")
            plain.executemany(
                "INSERT INTO t VALUES (?, ?, ?)",
                [(path, unit.name, "\n".join(lines[unit.line - 1 : unit.end_line])) for unit in units],
            )
    return plain


def rank(found: Sequence[tuple[str, str]], asked: Asked) -> int:
    """The place of the function among the results; 0: it is not there."""
    wanted = (asked.path, asked.name)
    return found.index(wanted) + 1 if wanted in found else 0


def figures_of(ranks: Sequence[int]) -> tuple[float, float]:
    """Mean reciprocal rank, and the share that is found at all."""
    return sum(1 / rank for rank in ranks if rank) / len(ranks), sum(map(bool, ranks)) / len(ranks)


def milliseconds(began: float) -> float:
    return (time.perf_counter() - began) * 1e3


class Bench:
    def __init__(self, folder: Path, root: Path) -> None:
        ground: Any = Ground(
            *(
                None,
                "me",
                now_us,
                lambda value: value,
                lambda at: (at, at),
                None,
                None,
                folder,
                lambda section: section(),
            ),  # type: ignore[arg-type]
        )
        self.code = Code(ground, Settings(most_files=200_000))
        self.root = str(root)

    async def build(self) -> tuple[float, Tree]:
        began = time.perf_counter()
        while (done := await self.code.step(self.root, 60.0)) and done.left:
            pass
        took = time.perf_counter() - began
        tree = await self.code.tree_at(self.root)
        assert tree is not None
        return took, tree

    async def edits(self, tree: Tree, paths: Sequence[str]) -> tuple[list[float], float]:
        """How long it takes until an edit is in the index, and the processor time of one, in milliseconds."""
        took, reader = [], self.code.worker.pid
        before = processor_seconds(reader)
        for number, path in enumerate(paths):
            with (Path(self.root) / path).open("a") as file:
                file.write(f"\n# edit {number}\n")
            began = time.perf_counter()
            await self.code.worker.update(UpdateFiles(str(tree.file), self.root, self.code.limits, [path]))
            took.append(milliseconds(began))
        assert reader == self.code.worker.pid
        return sorted(took), 1e3 * (processor_seconds(reader) - before) / len(paths)

    async def reads(self, tree: Tree, paths: Sequence[str]) -> tuple[list[float], int]:
        """How long a Read waits for its lines; and how many Reads had some."""
        took, said = [], 0
        for path in paths:
            began = time.perf_counter()
            said += bool(await self.code.lines_at_read(tree, path, 0, 0))
            took.append(milliseconds(began))
        return sorted(took), said


_PLAIN = "SELECT path, name FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?"


async def measured(root: Path, folder: Path, options: argparse.Namespace) -> tuple[list[Row], list[str]]:
    asked = take_out(root, 60 if options.quick else 600)
    bench = Bench(folder, root)
    seconds, tree = await bench.build()
    index = IndexFile(tree.file)
    tree_id = index.tree_id(bench.root) or 0
    counts = index.counts(tree_id)
    began = time.perf_counter()
    await bench.code.step(bench.root)
    again = milliseconds(began)
    files = sorted(path for path, known in index.files(tree_id).items() if index.units_of(known.content))
    some = random.Random(2).sample(files, min(len(files), 40 if options.quick else 400))
    reads, said = await bench.reads(tree, some)
    searches, ours, base = [], [], []
    plain = plain_index(root, index, tree_id)
    for each in asked:
        began = time.perf_counter()
        hits = await bench.code.search(tree, each.text, kinds=_KINDS, limit=_DEEP)
        searches.append(milliseconds(began))
        ours.append(rank([(hit.path, hit.name) for hit in hits], each))
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(each.text))
        base.append(rank(plain.execute(_PLAIN, (words, _DEEP)).fetchall(), each))
    edits, used = await bench.edits(tree, some[: 10 if options.quick else 200])
    await bench.code.worker.close()
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    size = sum(file.stat().st_size for file in folder.glob("*.db*"))
    searches.sort()
    (our_mrr, our_share), (base_mrr, base_share) = figures_of(ours), figures_of(base)
    rows = [
        Row("functions and classes indexed", "", Sample.one(counts["units"])),
        Row("indexed per second", "", Sample.one(counts["units"] / seconds)),
        Row("memory of the process that reads", "MB", Sample.one(memory), limit=500.0),
        Row("index on disk, per function or class", "bytes", Sample.one(size / max(1, counts["units"]))),
        Row("comparison of the whole folder, nothing changed", "ms", Sample.one(again)),
        Row("an edit is in the index, p50", "ms", Sample.one(quantile(edits, 0.5)), limit=50.0),
        Row("an edit is in the index, p99", "ms", Sample.one(quantile(edits, 0.99))),
        Row("an edit is in the index, processor time, mean", "ms", Sample.one(used), limit=25.0),
        Row("lines at a Read, p50", "ms", Sample.one(quantile(reads, 0.5)), limit=2.0),
        Row("lines at a Read, p99", "ms", Sample.one(quantile(reads, 0.99))),
        Row("search, p50", "ms", Sample.one(quantile(searches, 0.5))),
        Row("search, p99", "ms", Sample.one(quantile(searches, 0.99))),
        Row("docstring → function, MRR at 10", "", Sample.one(our_mrr), Sample.one(base_mrr), 1.0, True, True),
        Row("docstring → function, found in 10", "", Sample.one(our_share), Sample.one(base_share)),
    ]
    notes = [
        f"{counts['files']} files: {', '.join(f'{name} {count}' for name, count in counts['languages'].items())}; "
        f"left out: {', '.join(f'{count} because {why}' for why, count in counts['left_out'].items()) or 'none'}.",
        f"{said} of {len(some)} Reads had lines. {len(asked)} docstrings were asked.",
    ]
    judged = judge(root, index, tree_id, bench.code, tree, some)
    if judged:
        right, wrong, unknown = judged
        rows.append(
            Row("said uses that jedi confirms, of those it can tell", "", Sample.one(right / max(1, right + wrong)))
        )
        notes.append(f"jedi: {right} right, {wrong} wrong, {unknown} that it cannot tell.")
    index.close()
    return rows, notes


def judge(
    root: Path, index: IndexFile, tree_id: int, code: Code, tree: Tree, paths: Sequence[str]
) -> tuple[int, int, int] | None:
    """Ask jedi where the names of the said uses are declared: right, wrong, not known. None without jedi."""
    try:
        import jedi
    except ImportError:
        return None
    right = wrong = unknown = 0
    project = jedi.Project(
        root,
        added_sys_path=[str(path) for path in root.glob("source*")],
        smart_sys_path=False,
    )
    for path in [each for each in paths if each.endswith(".py")][:120]:
        for relation in code.relations_of(index, tree, path)[:3]:
            text = (root / relation.path).read_text("utf-8", "replace")
            script = jedi.Script(text, path=root / relation.path, project=project)
            for name in list(relation.names)[:3]:
                verdict = _declared_in(script, text, name, path.partition("/")[2])
                right += verdict is True
                wrong += verdict is False
                unknown += verdict is None
    return right, wrong, unknown


def _declared_in(script: Any, text: str, name: str, path: str) -> bool | None:
    """Does one use of the name lead into this file? None: jedi does not know where any leads."""
    known = False
    for match in list(re.finditer(rf"\b{re.escape(name)}\b", text))[:6]:
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - (text.rfind("\n", 0, match.start()) + 1)
        with suppress(Exception):
            for found in script.goto(line, column, follow_imports=True):
                if found.module_path is None or found.type == "module":
                    continue
                if str(found.module_path).endswith(f"/{path}"):  # the copy, or the package's own place
                    return True
                known = True
    return False if known else None


def measure(options: argparse.Namespace) -> Report:
    with tempfile.TemporaryDirectory(prefix="holdfast-code-") as made:
        root = Path(made) / "packages"
        copy_sources(options.folders or packages(), root)
        rows, notes = asyncio.run(measured(root.resolve(), Path(made) / "index", options))
    return Report("Code index", "CTX-3", "FTS5 alone", rows, tuple(notes))


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.code ~/src/django ~/src/flask",
        lambda parser: parser.add_argument("folders", nargs="*", type=Path, help="folders with packages"),
    )
