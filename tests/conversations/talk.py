"""A conversation with the road: the client's hook JSON in, the client's answer out, on a real store."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from typing import Any

from holdfast.daemon.services import Registry
from holdfast.events.answer import client_body
from holdfast.events.scene import Source
from holdfast.program import PROGRAM, UNKNOWN
from holdfast.road.edge import read_payload
from holdfast.road.identity import Atlas
from holdfast.road.mend import mend_text
from holdfast.road.meter import Meter
from holdfast.road.road import Road
from holdfast.road.windows import Windows
from holdfast.rooms.citations.service import Asks, CitationService, Habits
from holdfast.rooms.memory.service import Habits as MemoryHabits
from holdfast.rooms.memory.service import MemoryService
from holdfast.scrub import default_scrubber
from holdfast.store.interface import Store
from tests.contract.site import Site
from tests.support.patience import PATIENCE, patient

LOOPBACK = Habits(allow_private=("127.0.0.1",), probe_seconds=PATIENCE)
_USES = itertools.count(1)


def clean(text: str) -> str:
    """As the daemon cleans what does not come by a hook."""
    return default_scrubber().text(mend_text(text)).text


class Talk:
    """One daemon's road; several sessions and projects may talk over it."""

    def __init__(self, store: Store, habits: Habits = LOOPBACK, owner: str = "me", prober: Asks | None = None) -> None:
        self.store = store
        self.owner = owner
        self.service = CitationService(
            store, owner, habits, locate=lambda folder: (folder, "a project"), clean=clean, prober=prober
        )
        self.services = Registry()
        self.services.add(self.service)
        self.asked: dict[str, dict[str, Any]] = {}
        self.memory = MemoryService(
            store,
            owner,
            MemoryHabits(),
            ask=lambda tx, subject, arguments, seconds: self.asked.update({subject: arguments}),
            locate=lambda folder: (folder, "a project"),
            clean=clean,
        )
        self.services.add(self.memory)
        self.meter = Meter(owner)
        self._road = Road(
            program=patient(PROGRAM),
            unknown=UNKNOWN,
            store=store,
            scrubber=default_scrubber(),
            atlas=Atlas(lambda root: ""),
            windows=Windows(store, owner),
            meter=self.meter,
            services=self.services,
            owner=owner,
            on_recover=lambda tx, event: None,
            put_aside=lambda arrival, kind, payload: False,
        )

    async def tell(
        self, payload: dict[str, Any], *, source: Source = "http", happened_at: int | None = None
    ) -> dict[str, Any]:
        body = read_payload(json.dumps(payload).encode())
        travelled = await self._road.travel(body, source=source, happened_at=happened_at)
        assert travelled.kept
        answer = json.loads(client_body(travelled.event, travelled.answer))
        assert isinstance(answer, dict)
        return answer

    async def settle(self) -> None:
        """Do the jobs that were asked for."""
        while self.asked:
            _, arguments = self.asked.popitem()
            await self.memory.summarise(arguments)

    async def before(
        self, url: str, prompt: str = "what is it", *, session: str = "s1", cwd: str = "/p", use: str = "", **more: Any
    ) -> dict[str, Any]:
        """A WebFetch is about to run."""
        return await self.tell(_payload("PreToolUse", url, prompt, session, cwd, use), **more)

    async def after(
        self,
        url: str,
        prompt: str = "what is it",
        *,
        text: str = "a reading",
        code: int = 200,
        session: str = "s1",
        cwd: str = "/p",
        use: str = "",
        **more: Any,
    ) -> dict[str, Any]:
        """It ran."""
        response = {"bytes": 1000, "code": code, "codeText": "OK", "result": text, "durationMs": 2500, "url": url}
        return await self.tell(_payload("PostToolUse", url, prompt, session, cwd, use, tool_response=response), **more)

    async def failed(self, url: str, prompt: str = "what is it", **changes: Any) -> dict[str, Any]:
        """It failed."""
        more: dict[str, Any] = {"error": "getaddrinfo ENOTFOUND", "is_interrupt": False} | changes
        return await self.tell(_payload("PostToolUseFailure", url, prompt, "s1", "/p", "", **more))

    async def fetch(
        self, url: str, prompt: str = "what is it", *, text: str = "a reading", **more: Any
    ) -> dict[str, Any]:
        """A whole WebFetch: before it, and (if it was let go) after it. The first answer."""
        use = f"toolu_{next(_USES)}"
        answer = await self.before(url, prompt, use=use, **more)
        if not denied(answer):
            await self.after(url, prompt, text=text, use=use, **more)
        return answer


def _payload(event: str, url: str, prompt: str, session: str, cwd: str, use: str, **own: Any) -> dict[str, Any]:
    return {
        "session_id": session,
        "transcript_path": f"/t/{session}.jsonl",
        "cwd": cwd,
        "hook_event_name": event,
        "tool_name": "WebFetch",
        "tool_input": {"url": url, "prompt": prompt},
        "tool_use_id": use or f"toolu_{next(_USES)}",
        **own,
    }


def denied(answer: dict[str, Any]) -> str:
    """The reason of a denial, '' when there was none."""
    told = answer.get("hookSpecificOutput", {})
    return str(told["permissionDecisionReason"]) if told.get("permissionDecision") == "deny" else ""


def context(answer: dict[str, Any]) -> str:
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def converse(
    site: Site, story: Callable[[Talk], Awaitable[None]], habits: Habits = LOOPBACK, prober: Asks | None = None
) -> None:
    """Open the site's store and tell the story on it."""

    async def told() -> None:
        async with site.open() as store:
            talk = Talk(store, habits, prober=prober)
            try:
                await story(talk)
            finally:
                await talk.service.close()

    asyncio.run(told())
