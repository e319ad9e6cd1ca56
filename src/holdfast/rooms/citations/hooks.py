"""What this room contributes to an answer: before a WebFetch, after it, and when it failed.

Each asks the service, lets `rules` decide and `words` speak, and returns a Part whose `record` writes. An event that
nobody waits for any more proves nothing; of it only the fetch is noted, because the client may now hold the page.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from holdfast.events.answer import Context, Part, refuse
from holdfast.events.event import PostToolUse, PostToolUseFailure, PreToolUse, ToolEvent
from holdfast.events.fence import new_nonce
from holdfast.events.scene import Scene
from holdfast.rooms.citations import rules, tables, words
from holdfast.rooms.citations.model import (
    Changed,
    Citation,
    Fetched,
    Fresh,
    KnownPage,
    Look,
    NotCited,
    OriginAnswer,
    Unseen,
    WebPage,
)
from holdfast.rooms.citations.service import CitationService, FreshnessProof
from holdfast.rooms.citations.web.urls import page_of
from holdfast.store.interface import Tx

log = logging.getLogger(__name__)

HIT = "citations.fresh"
"""The rule by which a fetch is refused."""
OFFLINE_TOKENS = 2_000

PageRecord = Callable[[Tx], None]


async def before_fetch(event: PreToolUse, scene: Scene) -> Part | None:
    """A kept page that its origin proves unchanged answers in place of the fetch; any other fetch goes its way.

    This is no guard: it asks for and notes only what may be kept. (A URL from which a secret was removed is not cited.)
    """
    event = await scene.kept() if scene.kept else event
    service, page = _asked(event, scene)
    if page is None:
        return None
    if not scene.is_live:
        return _let_go(event, scene, page, None)
    began = time.perf_counter()
    known = await service.known(scene, page)
    match rules.plan(page, known), known.citation:
        case "verify", Citation() as citation:
            proof = await service.prove(page, known, citation)
            took_ms = int((time.perf_counter() - began) * 1_000)
            log.debug("%s: %s, %d ms (%s)", page.url, proof.verdict, took_ms, proof.look)
            if isinstance(proof.verdict, Fresh):
                return _hit(scene, page, known, citation, proof, took_ms)
            return _miss(event, scene, page, known, citation, proof)
        case "take", _:
            look = await service.look(page, known)
            log.debug("%s: what the origin showed before the fetch: %s", page.url, look)
            return _let_go(event, scene, page, look, _learn(scene, page, known, look))
        case _:
            log.debug(
                "%s: the origin is not asked (known of the origin: %s, of the page: %s)",
                page.url,
                set(known.origin),
                set(known.page),
            )
            return _let_go(event, scene, page, None, _count(scene, "not_asked"))


async def after_fetch(event: PostToolUse, scene: Scene) -> Part | None:
    """Keep what was read, if what the origin showed before the fetch, shows now, and what the client got all agree."""
    service, page = _asked(event, scene)
    if page is None:
        return None
    if not scene.is_live:
        return _let_go(event, scene, page, None)
    fetched = _fetched(event)
    key, conversation, since = _fetch_key(event, page), event.session_id, scene.now() - rules.CLIENT_CACHE_US
    before = await scene.read(lambda reader: tables.sighting(reader, fetch_key=key, owner=scene.owner, page=page))
    if before is None or fetched is None or fetched.code != 200 or rules.unkeepable(before):
        log.debug("%s: the page is not stored (before the fetch: %s)", page.url, before)
        return None
    known = await service.known(scene, page)
    after = await service.look(page, known)
    saw = await scene.read(
        lambda reader: tables.client_saw(reader, owner=scene.owner, conversation=conversation, page=page, since=since)
    )
    why = rules.why_not_kept(fetched, before, after, saw)
    if why or isinstance(after, Unseen):
        log.info("%s: the page is not stored: %s", page.url, why)
        return Part(record=_count(scene, "not_kept"))
    place = service.reach(scene).place(rules.may_share(after))
    max_bytes = service.settings.max_bytes

    def record(tx: Tx) -> None:
        kept = tables.keep(
            tx,
            place=place,
            page=page,
            seen=after,
            fetched=fetched,
            read_by=scene.owner,
            read_at=scene.at_us,
            source="webfetch",
            max_bytes=max_bytes,
        )
        tables.note_trait(tx, scene.owner, page.origin, "validates", scene.now())
        tables.drop_trait(tx, scene.owner, page.origin, "no_validators")
        tables.count(tx, scene.owner, kept=int(kept))

    return Part(record=record)


async def after_failed_fetch(event: PostToolUseFailure, scene: Scene) -> Part | None:
    """The page could not be fetched: offer what was read earlier, clearly not verified."""
    service, page = _asked(event, scene)
    if page is None or not scene.is_live or event.is_interrupt:
        return None
    known = await service.known(scene, page)
    if known.citation is None:
        return None
    reading = words.best(page.prompt, known.readings)
    others = [other for other in known.readings if other is not reading]
    text = words.offline(
        page, known.citation, reading, others, scene.now(), OFFLINE_TOKENS, by_command=scene.has_command
    )
    return Part(contexts=(Context(text, "citations"),), record=_count(scene, "offered"))


# --- parts


def _hit(
    scene: Scene, page: WebPage, known: KnownPage, citation: Citation, proof: FreshnessProof, took_ms: int
) -> Part:
    assert isinstance(proof.verdict, Fresh)
    reading = words.best(page.prompt, known.readings)
    others = [other for other in known.readings if other is not reading]
    now = scene.now()
    text = words.hit(page, citation, reading, others, proof.verdict.how, now, new_nonce())

    def record(tx: Tx) -> None:
        tables.found_fresh(tx, citation, page, now)
        tables.note_use(tx, reading, now)
        if proof.challenged:
            tables.note_challenge(tx, citation, now)
        saved = {"saved_ms": max(0, reading.took_ms - took_ms), "saved_bytes": reading.page_bytes}
        tables.count(tx, scene.owner, hits=1, **saved)
        _note_method(tx, scene, page, known, proof.look)

    return Part(decision=refuse(HIT, text), record=record)


def _miss(
    event: PreToolUse, scene: Scene, page: WebPage, known: KnownPage, citation: Citation, proof: FreshnessProof
) -> Part:
    verdict = proof.verdict
    new_version = rules.seen_version(proof.look)

    def changed(tx: Tx) -> None:
        now = scene.now()
        tables.found_changed(tx, citation, new_version, now)
        tables.count(tx, scene.owner, changed=1)
        _note_method(tx, scene, page, known, proof.look)

    if isinstance(verdict, Changed):
        return _let_go(event, scene, page, proof.look, changed)
    assert not isinstance(verdict, Fresh)
    log.info("%s: the page may have changed, so it is fetched: %s", page.url, verdict.why)

    def unproven(tx: Tx) -> None:
        if verdict.trait:
            subject = rules.subject(page, verdict.trait, known)
            tables.note_trait(tx, scene.owner, subject, verdict.trait, scene.now())
        tables.count(tx, scene.owner, unproven=1)
        _note_method(tx, scene, page, known, proof.look)

    return _let_go(event, scene, page, proof.look, unproven)


def _let_go(event: ToolEvent, scene: Scene, page: WebPage, look: Look | None, also: PageRecord | None = None) -> Part:
    """Let the fetch happen. Store what the origin showed just before, also when that is nothing."""

    def record(tx: Tx) -> None:
        tables.note_sighting(
            tx,
            fetch_key=_fetch_key(event, page),
            owner=scene.owner,
            conversation=event.session_id,
            page=page,
            seen=look if isinstance(look, OriginAnswer) else None,
            at_us=scene.at_us,
        )
        if also:
            also(tx)

    return Part(record=record)


def _learn(scene: Scene, page: WebPage, known: KnownPage, look: Look) -> PageRecord:
    """What a first look teaches about the page or its origin."""
    reason = rules.unkeepable(look)
    if reason:
        log.info("%s: the page cannot be cited: %s", page.url, reason.why)

    def record(tx: Tx) -> None:
        if reason and reason.trait:
            tables.note_trait(tx, scene.owner, rules.subject(page, reason.trait, known), reason.trait, scene.now())
        tables.drop_old_traits(tx, scene.owner, scene.now())
        tables.count(tx, scene.owner, taken=1)
        _note_method(tx, scene, page, known, look)

    return record


def _note_method(tx: Tx, scene: Scene, page: WebPage, known: KnownPage, look: Look) -> None:
    """An origin that was better asked by GET is asked so at once the next time."""
    if (
        isinstance(look, OriginAnswer)
        and look.method == "GET"
        and look.status in (200, 304)
        and "no_head" not in known.origin
    ):
        tables.note_trait(tx, scene.owner, page.origin, "no_head", scene.now())


def _count(scene: Scene, name: str) -> PageRecord:
    return lambda tx: tables.count(tx, scene.owner, **{name: 1})


# --- what the event says


def _asked(event: ToolEvent, scene: Scene) -> tuple[CitationService, WebPage | None]:
    """The service, and the page that is asked for, if it can be cited."""
    service = scene.services.get(CitationService)
    page = page_of(event.arguments.get("url"), event.arguments.get("prompt"))
    if isinstance(page, NotCited):
        log.debug("a WebFetch is not cited: %s", page.why)
        return service, None
    return service, page if service.settings.enabled else None


def _fetch_key(event: ToolEvent, page: WebPage) -> str:
    return f"{event.session_id}:{event.tool_use_id or page.asked}"


def _fetched(event: PostToolUse) -> Fetched | None:
    """The client's result, parsed here once."""
    response = event.tool_response
    if isinstance(response, str) and response.strip():  # a script's, or another client's: the text alone
        return Fetched(200, response, 0, int(event.duration_ms or 0))
    if not isinstance(response, dict):
        return None
    code, text, size = response.get("code"), response.get("result"), response.get("bytes")
    if type(code) is not int or not isinstance(text, str):
        return None
    took = response.get("durationMs") or event.duration_ms
    return Fetched(code, text, size if type(size) is int else 0, int(took) if isinstance(took, int | float) else 0)
