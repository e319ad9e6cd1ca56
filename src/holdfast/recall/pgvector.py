"""Searches vectors inside PostgreSQL, where pgvector is installed: the vectors of a team are too many for one daemon.

The vectors are the same bytes as elsewhere. `prepare` makes an index over them, one per model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from holdfast.recall.vectors import Embedder, unpack
from holdfast.store.interface import Reader, Store, Tx

if TYPE_CHECKING:
    from holdfast.recall.vectors import Floats

SAMPLE = 200
"""Vectors from which the background of a question is estimated."""


class Pgvector:
    """See `search.Near`."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    async def prepare(self, store: Store) -> None:
        """Make the functions and the index, unless they are there."""

        def make(tx: Tx) -> None:
            tx.run("recall.prepare_near")
            tx.one("recall.near_index", model=self.embedder.id, dimensions=self.embedder.dimensions)

        await store.write(make)

    @property
    def scale(self) -> tuple[float, float] | None:
        return self.embedder.scale

    def direction(self, text: str, /) -> Floats:
        return cast("Floats", self.embedder.embed_queries([text])[0])

    def nearest(
        self, reader: Reader, direction: Floats, owners: Sequence[str], projects: Sequence[str], most: int, /
    ) -> dict[int, float]:
        rows = reader.all(
            "recall.nearest",
            model=self.embedder.id,
            dimensions=self.embedder.dimensions,
            asked="[" + ",".join(f"{value:.6f}" for value in direction.tolist()) + "]",
            projects=",".join(projects),
            owners=",".join(owners),
            most=most,
        )
        return {cast(int, row["seq"]): cast(float, row["cosine"]) for row in rows}

    def cosines(
        self, reader: Reader, direction: Floats, projects: Sequence[str], seqs: Sequence[int], /
    ) -> dict[int, float]:
        text = "{" + ",".join(map(str, seqs)) + "}"
        rows = reader.all("recall.vectors_of", model=self.embedder.id, seqs=text)
        if not rows:
            return {}
        values = unpack([bytes(cast(bytes, row["vector"])) for row in rows]) @ direction
        return {cast(int, row["seq"]): float(value) for row, value in zip(rows, values, strict=True)}

    def background(self, reader: Reader, direction: Floats, projects: Sequence[str], /) -> tuple[float, float]:
        rows = reader.all("recall.some_vectors", model=self.embedder.id, projects=",".join(projects), most=SAMPLE)
        if len(rows) < 2:
            return 0.5, 0.1
        values = unpack([bytes(cast(bytes, row["vector"])) for row in rows]) @ direction
        return float(np.mean(values)), max(0.01, float(np.std(values)))
