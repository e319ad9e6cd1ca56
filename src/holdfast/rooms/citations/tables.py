"""This room's tables: rows of the store as values, and back. The only module of the room that calls named queries.

A row that does not match its own digest was changed or damaged. It is not used, and it is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from holdfast.ids import ConversationId, new_id
from holdfast.rooms.citations import rules
from holdfast.rooms.citations.model import Citation, Fetched, KnownPage, OriginAnswer, PageReading, Trait, WebPage
from holdfast.store.interface import Reader, Tx, Value
from holdfast.store.values import value_of

_READINGS_KEPT = 20


@dataclass(frozen=True, slots=True)
class PageReach:
    """Whose pages an event may use, and where it keeps new ones: its project's, all of the owner's, or the team's."""

    owner: str
    project: str
    shared: bool = False
    team: bool = False

    def place(self, may_share: bool) -> tuple[str, str]:
        """The (owner, scope) of a new page."""
        if not self.shared:
            return self.owner, self.project
        return ("", "") if self.team and may_share else (self.owner, "")


def known(reader: Reader, reach: PageReach, page: WebPage, now_us: int) -> tuple[KnownPage, list[str]]:
    """What is stored about a page, and the ids of rows that do not match their own digest."""
    traits = reader.all("citations.traits", owner=reach.owner, origin=page.origin, url=page.url, now=now_us)

    def of(subject: str) -> frozenset[Trait]:
        return frozenset(cast(Trait, row["trait"]) for row in traits if row["subject"] == subject)

    bad: list[str] = []
    rows = reader.all(
        "citations.find",
        url=page.url,
        owner=reach.owner,
        project=reach.project,
        shared=int(reach.shared),
        team=int(reach.shared and reach.team),
    )
    for row in rows:
        citation = _citation(row)
        readings = _readings(reader, citation) if citation else ()
        if citation and readings:
            return KnownPage(citation, readings, of(page.origin), of(page.url)), bad
        bad.append(str(row["id"]))
    return KnownPage(origin=of(page.origin), page=of(page.url)), bad


def _citation(row: Mapping[str, Value]) -> Citation | None:
    etag, last_modified = row["etag"], row["last_modified"]
    validators = rules.checked(cast("str | None", etag), cast("str | None", last_modified))
    if validators is None or (validators.etag, validators.last_modified) != (etag, last_modified):
        return None
    final_url, content_type = str(row["final_url"]), str(row["content_type"])
    if rules.version(final_url, validators, content_type) != row["version"]:
        return None
    about = {"etag": validators.etag, "last_modified": validators.last_modified}
    return value_of(Citation, row, validators=about, changed_at=row["changed_at"])


def _readings(reader: Reader, citation: Citation) -> tuple[PageReading, ...]:
    found: list[PageReading] = []
    for row in reader.all("citations.readings", citation_id=citation.id, version=citation.version):
        prompt, text = str(row["prompt"]), str(row["text"])
        if rules.digest(citation.url, citation.version, prompt, text) == row["digest"]:
            found.append(value_of(PageReading, row))
    return tuple(found)


def readings_of(reader: Reader, row: Mapping[str, Value]) -> tuple[PageReading, ...]:
    """The readings of a listed page."""
    citation = _citation(row)
    return _readings(reader, citation) if citation else ()


def listed(
    reader: Reader, owner: str, *, url: str = "", project: str = "", limit: int = 1_000
) -> list[dict[str, Value]]:
    """The stored pages, the last used first; `url` is a normalised URL, '' is every page."""
    return reader.all("citations.list", owner=owner, url=url, project=project, limit=limit)


def size(reader: Reader, owner: str) -> dict[str, int]:
    """How many pages, readings and bytes are stored."""
    return {name: _int(value) for name, value in (reader.one("citations.size", owner=owner) or {}).items()}


def counts(reader: Reader, owner: str) -> dict[str, int]:
    """What was counted so far: hits, kept pages, evicted readings."""
    return {str(row["name"]): _int(row["value"]) for row in reader.all("citations.counts", owner=owner)}


def project_at(reader: Reader, owner: str, place: str) -> str:
    """The id of the project at a place; '' when there is none."""
    row = reader.one("session.project_by_place", owner=owner, place=place)
    return str(row["id"]) if row else ""


def drop(tx: Tx, citation_id: str, owner: str) -> None:
    tx.run("citations.drop_readings", id=citation_id)
    tx.run("citations.drop", id=citation_id)
    tx.run("citations.drop_unread_pages", owner=owner)


def drop_sightings(tx: Tx, owner: str, url: str) -> None:
    """Remove what was seen of a page before fetches."""
    tx.run("citations.drop_sightings", owner=owner, url=url)


def drop_empty(tx: Tx, owner: str) -> None:
    """Drop pages of which no reading is left."""
    tx.run("citations.drop_empty", owner=owner)
    drop_unread(tx, owner)


def drop_unread(tx: Tx, owner: str) -> None:
    """Of pages that are gone no version is in force."""
    tx.run("citations.drop_unread_pages", owner=owner)


def found_fresh(tx: Tx, citation: Citation, page: WebPage, now_us: int) -> None:
    """The page is still as it was read."""
    tx.run("citations.verified", id=citation.id, at=now_us)
    about = {"url": citation.url, "shown_url": page.asked, "version": citation.version}
    tx.run("citations.page_in_force", owner=citation.owner, at=now_us, **about)


def note_use(tx: Tx, reading: PageReading, now_us: int) -> None:
    """A reading was given to an agent: it is evicted later than others."""
    tx.run("citations.used", id=reading.id, at=now_us)


def note_challenge(tx: Tx, citation: Citation, now_us: int) -> None:
    """The origin's 304 was tested against a validator that no page has."""
    tx.run("citations.challenged", id=citation.id, at=now_us)


def found_changed(tx: Tx, citation: Citation, new_version: str, now_us: int) -> None:
    """The page is another one now. Who cites it is told."""
    tx.run("citations.changed", id=citation.id, at=now_us)
    about = {"owner": citation.owner, "url": citation.url, "version": citation.version}
    tx.run("citations.page_changed", **about)
    tx.run("citations.mark_cited", new_version=new_version, at=now_us, **about)


# --- before and after a fetch


def note_sighting(
    tx: Tx,
    *,
    fetch_key: str,
    owner: str,
    conversation: ConversationId,
    page: WebPage,
    seen: OriginAnswer | None,
    at_us: int,
) -> None:
    """A fetch is let through; this is what its origin showed just before."""
    tx.run("citations.old_sightings", owner=owner, before=at_us - 4 * rules.CLIENT_CACHE_US)
    tx.run(
        "citations.note_sighting",
        id=new_id(),
        fetch_key=fetch_key,
        owner=owner,
        conversation=conversation,
        asked_url=page.asked,
        url=page.url,
        version=rules.seen_version(seen) if seen else "",
        seen=msgspec.json.encode(seen).decode() if seen else "",
        seen_at=at_us,
    )


def sighting(reader: Reader, *, fetch_key: str, owner: str, page: WebPage) -> OriginAnswer | None:
    """What was seen before this fetch."""
    row = reader.one("citations.sighting", owner=owner, fetch_key=fetch_key)
    if row is None or not row["seen"] or row["url"] != page.url:
        return None
    return msgspec.json.decode(str(row["seen"]), type=OriginAnswer)


def client_saw(reader: Reader, *, owner: str, conversation: ConversationId, page: WebPage, since: int) -> list[str]:
    """The versions that this client process may hold of this very URL."""
    rows = reader.all(
        "citations.same_client", owner=owner, asked_url=page.asked, conversation=conversation, since=since
    )
    return [str(row["version"]) for row in rows]


# --- keeping


def keep(
    tx: Tx,
    *,
    place: tuple[str, str],
    page: WebPage,
    seen: OriginAnswer,
    fetched: Fetched,
    read_by: str,
    read_at: int,
    source: str,
    max_bytes: int,
) -> bool:
    """Keep a reading. False when a newer version of the page is there already."""
    owner, scope = place
    validators = rules.checked(seen.etag, seen.last_modified)
    assert validators is not None
    version = rules.version(seen.final_url, validators, seen.content_type)
    tx.run(
        "citations.put",
        id=new_id(),
        owner=owner,
        scope=scope,
        url=page.url,
        shown_url=page.asked,
        final_url=seen.final_url,
        etag=validators.etag,
        last_modified=validators.last_modified,
        content_type=seen.content_type,
        vary=seen.vary,
        version=version,
        source=source,
        verified_at=seen.at_us,
    )
    row = tx.one("citations.at", owner=owner, scope=scope, url=page.url)
    if row is None or row["version"] != version:
        return False
    tx.run("citations.drop_old_readings", citation_id=row["id"], version=version)
    in_force: dict[str, Value] = {"url": page.url, "shown_url": page.asked, "version": version, "at": seen.at_us}
    tx.run("citations.page_in_force", owner=owner, **in_force)
    tx.run(
        "citations.put_reading",
        id=new_id(),
        citation_id=row["id"],
        prompt_key=rules.prompt_key(page.prompt),
        prompt=page.prompt,
        text=fetched.text,
        version=version,
        digest=rules.digest(page.url, version, page.prompt, fetched.text),
        code=fetched.code,
        bytes=len(fetched.text.encode("utf-8", "replace")),
        page_bytes=fetched.page_bytes,
        took_ms=fetched.took_ms,
        read_by=read_by,
        read_at=read_at,
    )
    for extra in tx.all("citations.readings", citation_id=row["id"], version=version)[_READINGS_KEPT:]:
        tx.run("citations.drop_reading", id=extra["id"])
    evict(tx, owner, max_bytes)
    return True


def evict(tx: Tx, owner: str, max_bytes: int) -> int:
    """Let the least recently used readings go until the rest fits; how many went."""
    stored = size(tx, owner)["bytes"]
    gone = 0
    while stored > max_bytes:
        oldest = tx.all("citations.least_used", owner=owner)
        if not oldest:
            break
        for row in oldest:
            if stored <= max_bytes:
                break
            stored -= _int(row["bytes"])
            gone += tx.run("citations.drop_reading", id=row["id"])
    if gone:
        drop_empty(tx, owner)
        count(tx, owner, evicted=gone)
    return gone


def note_trait(tx: Tx, owner: str, subject: str, trait: Trait, now_us: int) -> None:
    tx.run(
        "citations.note_trait",
        owner=owner,
        subject=subject,
        trait=trait,
        now=now_us,
        until=now_us + rules.lasting(trait),
    )


def drop_trait(tx: Tx, owner: str, subject: str, trait: Trait) -> None:
    """A trait does not hold any more."""
    tx.run("citations.drop_trait", owner=owner, subject=subject, trait=trait)


def drop_old_traits(tx: Tx, owner: str, now_us: int) -> None:
    """Remove the traits whose time is over."""
    tx.run("citations.old_traits", owner=owner, now=now_us)


def count(tx: Tx, owner: str, **values: int) -> None:
    for name, value in values.items():
        if value:
            tx.run("citations.count", owner=owner, name=name, value=value)


def _int(value: Any) -> int:
    return int(value or 0)
