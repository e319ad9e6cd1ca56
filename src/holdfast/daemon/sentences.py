"""The optional sentence model in the daemon: loads it in a thread, and makes vectors of items that have none.

Recall works without it, so nothing waits for it: until it is loaded, and when it cannot be, words alone decide.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError, StoreError
from holdfast.recall.search import Near
from holdfast.recall.vectors import Embedder, Texts, embed_missing
from holdfast.store.interface import Store

log = logging.getLogger(__name__)

_LOOK_SECONDS = 5.0
_BREATH_SECONDS = 0.05
"""Between two batches: embedding takes a whole core while it runs, and hooks go first."""


class Sentences:
    """Holds the model, or none."""

    def __init__(self, store: Store, folder: str, graphs: Path, texts: Texts) -> None:
        self._store = store
        self._folder = folder
        self._graphs = graphs
        self._texts = texts
        self._near: Any = None
        self.model: str | None = None
        """The id of the model in use; None while there is none."""
        self.problem: str | None = None

    def near(self) -> Near | None:
        """Finds the items whose vectors are near; None without a model."""
        near: Near | None = self._near
        return near

    async def run(self) -> None:
        """Load the model, then make vectors of all items that have none, until cancelled."""
        if not self._folder:
            return
        try:
            embedder = await asyncio.to_thread(_load, Path(self._folder))
            near = await self._open(embedder)
        except HoldfastError as error:
            self.problem = str(error)
            log.warning("%s", error)
            return
        self._near, self.model = near, embedder.id
        while True:
            try:
                made = await embed_missing(self._store, embedder, self._texts)
                if made and hasattr(near, "add"):
                    await asyncio.to_thread(near.add, made)
                elif not made and hasattr(near, "keep"):
                    await asyncio.to_thread(near.keep)
                if not made and hasattr(embedder, "rest"):
                    await asyncio.to_thread(embedder.rest)
            except StoreError as error:
                log.warning("vectors are made later, because the store does not answer: %s", error)
                made = []
            await asyncio.sleep(_BREATH_SECONDS if made else _LOOK_SECONDS)

    async def reload(self) -> None:
        """After a forget: what is searched in memory is read from the store again."""
        if self._near is not None and hasattr(self._near, "load"):
            self._near = await self._open(self._near.embedder)

    async def _open(self, embedder: Embedder) -> Any:
        if self._store.vectors:
            from holdfast.recall.pgvector import Pgvector

            inside = Pgvector(embedder)
            await inside.prepare(self._store)
            return inside
        from holdfast.recall.dense import Dense

        dense = Dense(embedder, self._graphs)
        count = await dense.load(self._store)
        log.info("the sentence model %s is in use, with %d vectors", embedder.id, count)
        return dense


def _load(folder: Path) -> Embedder:
    from holdfast.recall.sentence_models import load

    return load(folder)
