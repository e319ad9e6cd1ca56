"""Searches vectors inside the daemon: with numpy, exactly, while a project is small; with an HNSW graph beyond that.

Each project has its own vectors, so that no search reads other people's work. They are loaded from the store once, and
the job that makes vectors adds to them. A graph is also saved in a file, because building it takes long. The store is
the truth: an item that is not there any more is never shown, even if its vector still is.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from holdfast.recall.vectors import Embedder, Made, unpack
from holdfast.store.interface import Reader, Store

if TYPE_CHECKING:
    from holdfast.recall.vectors import Floats

EXACT = 10_000
"""Vectors of a project that numpy searches: 15 MB, about a millisecond."""
SAMPLE = 1_000
"""Vectors from which the background of a question is estimated."""
_PAGE = 2_000


class ProjectVectors:
    """The vectors of one project."""

    def __init__(self, dimensions: int, file: Path | None) -> None:
        self._dimensions = dimensions
        self._file = file
        self._rows: dict[int, int] = {}
        self._matrix: Floats = np.empty((256, dimensions), dtype=np.float32)
        self._sample: Floats = np.empty((0, dimensions), dtype=np.float32)
        self._graph: Any = None
        self._lengths: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._graph) if self._graph is not None else len(self._rows)

    def add(self, seqs: Sequence[int], directions: Floats) -> None:
        if len(self._sample) < SAMPLE:
            self._sample = np.concatenate([self._sample, directions[: SAMPLE - len(self._sample)]])
        self._put(seqs, directions)

    def _put(self, seqs: Sequence[int], directions: Floats) -> None:
        self._lengths.update(zip(seqs, map(float, np.linalg.norm(directions, axis=1)), strict=True))
        if self._graph is None and len(self._rows) + len(seqs) > EXACT:
            self._switch_to_graph()
        if self._graph is not None:
            fresh = [number for number, seq in enumerate(seqs) if _key(seq) not in self._graph]
            if fresh:
                keys = np.array([_key(seqs[number]) for number in fresh], dtype=np.uint64)
                self._graph.add(keys, directions[fresh], threads=1)
            return
        for seq, direction in zip(seqs, directions, strict=True):
            row = self._rows.setdefault(seq, len(self._rows))
            if row >= len(self._matrix):
                self._matrix = np.concatenate([self._matrix, np.empty_like(self._matrix)])
            self._matrix[row] = direction

    def _switch_to_graph(self) -> None:
        self._graph = _graph(self._dimensions)
        if self._file is not None and self._file.is_file():
            try:
                self._graph.load(str(self._file))
            except Exception:  # a damaged or foreign file: it is made anew
                self._graph = _graph(self._dimensions)
        seqs, matrix = list(self._rows), self._matrix[: len(self._rows)]
        self._rows, self._matrix = {}, np.empty((0, self._dimensions), dtype=np.float32)
        if seqs:
            self._put(seqs, matrix)

    def drop(self, seqs: Iterable[int]) -> None:
        for seq in seqs:
            self._lengths.pop(seq, None)
            if self._graph is not None:
                if _key(seq) in self._graph:
                    self._graph.remove(_key(seq))
            elif (row := self._rows.pop(seq, None)) is not None:
                last = len(self._rows)
                if row != last:
                    moved = next(other for other, at in self._rows.items() if at == last)
                    self._rows[moved] = row
                    self._matrix[row] = self._matrix[last]
                self._matrix[last] = 0

    def keep(self, known: set[int] | None = None) -> None:
        """Save the graph in its file; with `known`, first remove all other vectors."""
        if self._graph is None:
            return
        if known is not None:
            wanted = {_key(seq) for seq in known}
            for key in [int(key) for key in self._graph.keys if int(key) not in wanted]:
                self._graph.remove(key)
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._graph.save(str(self._file))
            self._file.chmod(0o600)

    def nearest(self, direction: Floats, most: int) -> dict[int, float]:
        if self._graph is not None:
            found = self._graph.search(direction, most, threads=1)
            return {_seq(int(k)): 1.0 - float(d) for k, d in zip(found.keys, found.distances, strict=True)}
        if not self._rows:
            return {}
        cosines = self._matrix[: len(self._rows)] @ direction
        most = min(most, len(cosines))
        best = set(np.argpartition(-cosines, most - 1)[:most].tolist())
        return {seq: float(cosines[row]) for seq, row in self._rows.items() if row in best}

    def cosines(self, direction: Floats, seqs: Iterable[int]) -> dict[int, float]:
        if self._graph is not None:
            have = [seq for seq in seqs if _key(seq) in self._graph]
            if not have:
                return {}
            raw = self._graph.get(np.array([_key(seq) for seq in have], dtype=np.uint64))
            matrix = np.asarray(raw, dtype=np.float32).reshape(len(have), -1)
            matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
            lengths = [self._lengths.get(seq, 1.0) for seq in have]  # the graph keeps directions only
            return dict(zip(have, map(float, (matrix @ direction) * np.array(lengths)), strict=True))
        have = [seq for seq in seqs if seq in self._rows]
        values = self._matrix[[self._rows[seq] for seq in have]] @ direction
        return dict(zip(have, map(float, values), strict=True))

    def sample(self, direction: Floats) -> Floats:
        return cast("Floats", self._sample @ direction)


class Dense:
    """The vectors of all projects, for one model."""

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self.embedder = embedder
        self._folder = folder
        self._projects: dict[str, ProjectVectors] = {}
        self._lock = threading.Lock()

    async def load(self, store: Store) -> int:
        """Load the vectors from the store; how many there are."""
        after, count = -(2**63), 0
        known: dict[str, set[int]] = {}
        while True:
            start = after
            rows = await store.read(
                lambda reader, at=start: reader.all(  # type: ignore[misc]
                    "recall.vectors", model=self.embedder.id, after=at, most=_PAGE
                )
            )
            if not rows:
                break
            made = [Made(int(row["seq"] or 0), str(row["project_id"]), cast(bytes, row["vector"])) for row in rows]
            self.add(made)
            for each in made:
                known.setdefault(each.project_id, set()).add(each.seq)
            after, count = made[-1].seq, count + len(made)
        with self._lock:
            for project, vectors in self._projects.items():
                vectors.keep(known.get(project, set()))
        return count

    def add(self, made: Sequence[Made]) -> None:
        """Add what `embed_missing` made."""
        by_project: dict[str, list[Made]] = {}
        for each in made:
            by_project.setdefault(each.project_id, []).append(each)
        with self._lock:
            for project, some in by_project.items():
                vectors = self._projects.get(project)
                if vectors is None:
                    vectors = self._projects[project] = ProjectVectors(self.embedder.dimensions, self._file(project))
                vectors.add([each.seq for each in some], unpack([each.vector for each in some]))

    def keep(self) -> None:
        """Save the graphs in their files. Called when the job has no more to do, because each file is written whole."""
        with self._lock:
            for vectors in self._projects.values():
                vectors.keep()

    def drop(self, seqs: Iterable[int]) -> None:
        """Remove vectors whose items were removed."""
        gone = list(seqs)
        with self._lock:
            for vectors in self._projects.values():
                vectors.drop(gone)
                vectors.keep()

    def _file(self, project: str) -> Path | None:
        if self._folder is None:
            return None
        name = hashlib.blake2b(f"{self.embedder.id}/{project}".encode(), digest_size=12).hexdigest()
        return self._folder / f"{name}.usearch"

    @property
    def scale(self) -> tuple[float, float] | None:
        return self.embedder.scale

    def direction(self, text: str, /) -> Floats:
        return cast("Floats", self.embedder.embed_queries([text])[0])

    def nearest(
        self, reader: Reader | None, direction: Floats, owners: Sequence[str], projects: Sequence[str], most: int, /
    ) -> dict[int, float]:
        """See `search.Near`. The rows say later who owns an item."""
        with self._lock:
            found: dict[int, float] = {}
            for vectors in self._chosen(projects):
                found |= vectors.nearest(direction, most)
        best = sorted(found, key=lambda seq: -found[seq])[:most]
        return {seq: found[seq] for seq in best}

    def cosines(
        self, reader: Reader | None, direction: Floats, projects: Sequence[str], seqs: Sequence[int], /
    ) -> dict[int, float]:
        with self._lock:
            found: dict[int, float] = {}
            for vectors in self._chosen(projects):
                found |= vectors.cosines(direction, seqs)
            return found

    def background(self, reader: Reader | None, direction: Floats, projects: Sequence[str], /) -> tuple[float, float]:
        with self._lock:
            samples = [vectors.sample(direction) for vectors in self._chosen(projects)]
        values = np.concatenate(samples) if samples else np.zeros(0, dtype=np.float32)
        if len(values) < 2:
            return 0.5, 0.1
        return float(values.mean()), max(0.01, float(values.std()))

    def _chosen(self, projects: Sequence[str]) -> list[ProjectVectors]:
        if not projects:
            return list(self._projects.values())
        return [self._projects[project] for project in projects if project in self._projects]


def _graph(dimensions: int) -> Any:
    # Importing ONNX Runtime 1.31 after usearch 2.26 crashes the process; the other way round all is well.
    with suppress(ImportError):
        import onnxruntime  # noqa: F401
    from usearch.index import Index

    return Index(ndim=dimensions, metric="cos", dtype="i8")


def _key(seq: int) -> int:
    """usearch's keys have no sign; PostgreSQL's numbers have one."""
    return seq & 0xFFFF_FFFF_FFFF_FFFF


def _seq(key: int) -> int:
    return key - (1 << 64) if key >= 1 << 63 else key
