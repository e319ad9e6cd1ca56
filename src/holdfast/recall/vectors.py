"""Vectors behind one small interface: what turns text into a vector, and the job that does it for items.

Without a model there are no vectors, and everything works. A vector is stored as one signed byte per dimension, with
the id of its model. It is the mean of two vectors: of the item alone, and of the item after its predecessor, because a
turn is often understood only with the one before. The mean is the shorter, the less the two agree, and stays so.
`dense` searches them. Only code that has a model imports numpy.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from holdfast.ids import ItemId
from holdfast.store.interface import Reader, Store, Tx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

FORMAT = "b"
"""Part of a model's id in the store: vectors that were packed otherwise are made anew."""
LARGEST = 10.0
"""Times the usual size of a dimension: larger ones are cut when packed."""
LONGEST_TEXT = 2_000
"""Characters of an item that a model is shown."""

Texts = Callable[[Reader, Sequence[ItemId]], Mapping[ItemId, str]]
"""The texts of items by id, from the rooms that keep them; an id may be missing."""


class Embedder(Protocol):
    """A sentence model. Its vectors have length one. Both functions block: they are called outside the event loop."""

    id: str
    dimensions: int
    scale: tuple[float, float] | None
    """The cosine at which an item begins to be about a question, and at which it surely is; None if not measured."""

    def embed_queries(self, texts: Sequence[str], /) -> Floats: ...

    def embed_items(self, texts: Sequence[str], /) -> Floats: ...


@dataclass(frozen=True, slots=True)
class Made:
    """A vector that was just stored."""

    seq: int
    project_id: str
    vector: bytes


def pack(vectors: Floats) -> list[bytes]:
    """One signed byte per dimension, at a scale that keeps the length; the loss is too small to measure."""
    import numpy as np

    scaled = np.clip(np.rint(vectors * _scale(vectors.shape[1])), -127, 127)
    return [bytes(row.tobytes()) for row in scaled.astype(np.int8)]


def unpack(vectors: Sequence[bytes]) -> Floats:
    """The vectors, with their lengths."""
    import numpy as np

    made: Floats = np.frombuffer(b"".join(vectors), dtype=np.int8).reshape(len(vectors), -1).astype(np.float32)
    made /= _scale(made.shape[1])
    return made


def _scale(dimensions: int) -> float:
    """No dimension of a vector of length one is larger than a few times the usual; what is, is cut."""
    return 127.0 / min(1.0, LARGEST / math.sqrt(dimensions))


async def embed_missing(store: Store, embedder: Embedder, texts: Texts, /, *, batch: int = 32) -> list[Made]:
    """Make vectors for items that have none from this model, the newest first; empty when all have one.

    One batch, so that a job can stop between two. An item whose text is gone gets a vector of zeros.
    """
    rows = await store.read(lambda reader: _waiting(reader, embedder.id, batch, texts))
    if not rows:
        return []
    vectors = await asyncio.to_thread(_embed, embedder, [(row.text, row.before) for row in rows])
    made = [Made(row.seq, row.project_id, vector) for row, vector in zip(rows, vectors, strict=True)]

    def keep(tx: Tx) -> None:
        for each in made:
            # An item that was forgotten meanwhile gets none.
            tx.run("recall.add_vector", seq=each.seq, model=embedder.id, vector=each.vector)

    await store.write(keep)
    return made


@dataclass(frozen=True, slots=True)
class _Waiting:
    seq: int
    project_id: str
    text: str
    before: str


def _waiting(reader: Reader, model: str, most: int, texts: Texts) -> list[_Waiting]:
    rows = reader.all("recall.unembedded", model=model, most=most)
    wanted = {ItemId(str(row[name])) for row in rows for name in ("id", "before") if row[name]}
    known = texts(reader, sorted(wanted))
    return [
        _Waiting(
            int(row["seq"] or 0),
            str(row["project_id"]),
            known.get(ItemId(str(row["id"])), "")[:LONGEST_TEXT],
            known.get(ItemId(str(row["before"] or "")), "")[:LONGEST_TEXT],
        )
        for row in rows
    ]


def _embed(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> list[bytes]:
    alone = embedder.embed_items([text for text, _ in pairs])
    after = [number for number, (_, before) in enumerate(pairs) if before]
    if after:
        together = embedder.embed_items([f"{pairs[number][1]}\n{pairs[number][0]}" for number in after])
        alone[after] = (alone[after] + together) / 2
    return pack(alone)
