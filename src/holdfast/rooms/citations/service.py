"""The room's service: the kept pages and their origins together."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from holdfast.errors import HoldfastError, StoreError
from holdfast.events.fence import new_nonce
from holdfast.events.scene import Scene
from holdfast.items import tables as given
from holdfast.items import tables as item_tables
from holdfast.rooms.citations import rules, tables, takeover
from holdfast.rooms.citations.model import (
    Citation,
    KnownPage,
    Look,
    NotCited,
    OriginAnswer,
    PageReading,
    PageVerdict,
    Validators,
    WebPage,
)
from holdfast.rooms.citations.settings import Settings
from holdfast.rooms.citations.tables import PageReach
from holdfast.rooms.citations.web.address import Policy
from holdfast.rooms.citations.web.urls import normalise
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx, Value

log = logging.getLogger(__name__)

PROBE_SECONDS = 3.0
"""For one probe with all its hops. The steps in `program.py` allow a little more."""

_DROP_SECONDS = 0.2
"""An event waits no longer for a row to be dropped."""


class AsksOrigin(Protocol):
    """What the service needs of a prober."""

    async def look(self, url: str, validators: Validators | None, *, method: str, seconds: float) -> Look: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class FreshnessProof:
    """The outcome of asking the origin whether a kept page is still the page."""

    look: Look
    verdict: PageVerdict
    challenged: bool


class CitationService:
    """Finds, verifies, lists and forgets pages. What an event causes is written by the event's own transaction."""

    def __init__(
        self,
        ground: Ground,
        settings: Settings,
        *,
        prober: AsksOrigin | None = None,
        probe_seconds: float = PROBE_SECONDS,
    ) -> None:
        self.settings = settings
        if settings.debug:
            logging.getLogger(__package__).setLevel(logging.DEBUG)
        self.now = ground.now
        self._store = ground.store
        self._owner = ground.owner
        self._locate = ground.locate
        self._clean = ground.clean
        self._prober = prober
        self._probe_seconds = probe_seconds
        self._making = asyncio.Lock()

    # --- for the hooks

    def reach(self, scene: Scene, project_id: str = "") -> PageReach:
        project = project_id or scene.place.project_id
        return PageReach(scene.owner, project, self.settings.shared, self._store.kind == "postgresql")

    async def known(self, scene: Scene, page: WebPage) -> KnownPage:
        """What is stored about a page. Rows that do not match their own digest are dropped."""
        now = self.now()

        def find(reader: Reader) -> tuple[KnownPage, list[str]]:
            place = scene.place
            project = "" if place.project_id else tables.project_at(reader, scene.owner, place.identity)
            return tables.known(reader, self.reach(scene, project), page, now)

        found, bad = await scene.read(find)
        if bad:
            log.warning("%s: the stored reading is corrupt and was deleted", page.url)

            def clear(tx: Tx) -> None:
                for citation_id in bad:
                    tables.drop(tx, citation_id, scene.owner)

            with suppress(StoreError):  # then it is dropped the next time
                await self._store.write(clear, within=_DROP_SECONDS)
        known: KnownPage = found
        return known

    async def look(self, page: WebPage, known: KnownPage, validators: Validators | None = None) -> Look:
        """Ask the page's origin, in the way that is known to work there."""
        prober = await self._ready()
        method = "GET" if "no_head" in known.origin else "HEAD"
        return await prober.look(page.url, validators, method=method, seconds=self._probe_seconds)

    async def prove(self, page: WebPage, known: KnownPage, citation: Citation) -> FreshnessProof:
        """Is the kept page still the page? A 304 that was not tested lately is: against a validator no page has."""
        began = time.monotonic()
        look = await self.look(page, known, citation.validators)
        challenge: Look | None = None
        if isinstance(look, OriginAnswer) and rules.needs_challenge(citation, look, self.now()):
            other = rules.impossible(citation.validators, new_nonce())
            left = self._probe_seconds - (time.monotonic() - began)
            prober = await self._ready()
            challenge = await prober.look(page.url, other, method=look.method, seconds=left)
        return FreshnessProof(look, rules.judge(citation, look, challenge), challenge is not None)

    async def _ready(self) -> AsksOrigin:
        """The prober; its library and the trusted certificates are loaded at the first use, beside the loop."""
        if self._prober is None:
            async with self._making:
                if self._prober is None:
                    self._prober = await asyncio.to_thread(_make_prober, self.settings, self.now)
        return self._prober

    async def close(self) -> None:
        if self._prober is not None:
            await self._prober.close()

    # --- for people

    async def pages(self, *, url: str = "", project: str = "", limit: int = 200) -> list[dict[str, Value]]:
        """The pages that are kept, the last used first."""
        key = self._key(url) if url else ""
        return await self._store.read(
            lambda reader: tables.listed(reader, self._owner, url=key, project=project, limit=limit)
        )

    async def readings(self, url: str) -> list[tuple[dict[str, Value], tuple[PageReading, ...]]]:
        """Every kept copy of a page with its readings."""
        key = self._key(url)

        def find(reader: Reader) -> list[tuple[dict[str, Value], tuple[PageReading, ...]]]:
            return [(row, tables.readings_of(reader, row)) for row in tables.listed(reader, self._owner, url=key)]

        return await self._store.read(find)

    async def forget(self, url: str) -> tuple[int, int]:
        """Remove a page everywhere: how many copies and readings went."""
        key = self._key(url)

        def remove(tx: Tx) -> tuple[int, int]:
            rows = tables.listed(tx, self._owner, url=key)
            for row in rows:
                tables.drop(tx, str(row["id"]), str(row["owner"]))
            tables.drop_sightings(tx, self._owner, key)
            given.unsay(tx, self._owner, origin="citation")
            return len(rows), sum(int(row["readings"] or 0) for row in rows)

        return await self._store.write(remove)

    async def stats(self) -> tuple[dict[str, int], dict[str, int]]:
        """What is kept, and what happened so far."""

        def find(reader: Reader) -> tuple[dict[str, int], dict[str, int]]:
            return tables.size(reader, self._owner), tables.counts(reader, self._owner)

        return await self._store.read(find)

    async def take_over(self, directory: str) -> tuple[int, list[str]]:
        """Take over the cache that the sdd-cache scripts left in a folder: how many pages, and what was left out."""
        found, left_out = await asyncio.to_thread(takeover.read, directory, self._clean, self.now())
        place, name = self._locate(directory)

        def write(tx: Tx) -> int:
            project = item_tables.project_at(tx, place, name, self._owner, self.now())
            reach = PageReach(self._owner, project, self.settings.shared)
            kept = 0
            for entry in found:
                kept += tables.keep(
                    tx,
                    place=reach.place(may_share=False),
                    page=entry.page,
                    seen=entry.seen,
                    fetched=entry.fetched,
                    read_by=self._owner,
                    read_at=entry.read_at,
                    source=takeover.SOURCE,
                    max_bytes=self.settings.max_bytes,
                )
            return kept

        kept = await self._store.write(write)
        if kept < len(found):
            left_out.append(f"{len(found) - kept} pages of which a newer version is kept already")
        return kept, left_out

    @staticmethod
    def _key(url: str) -> str:
        key = normalise(url.strip())
        if isinstance(key, NotCited):
            raise HoldfastError(f"{url} is never cited: {key.why}.")
        return key


def _make_prober(settings: Settings, now: Callable[[], int]) -> AsksOrigin:
    from holdfast.rooms.citations.web.probe import Prober

    policy = Policy.of(settings.allow_private)
    try:
        return Prober(policy, now, settings.ca_file)
    except OSError as error:  # an ssl.SSLError is one, too
        log.warning(
            "citations.ca_file = %r cannot be used (%s); the system's certificates count", settings.ca_file, error
        )
        return Prober(policy, now)
