"""A conversation with the road: the client's hook JSON in, the client's answer out, on a real store."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import structs

from holdfast.config import Config, Loaded, load
from holdfast.daemon.compose import Parts, assemble
from holdfast.doors.mcp import called
from holdfast.events.answer import client_body
from holdfast.events.caller import Caller
from holdfast.events.scene import Source
from holdfast.events.steps import Program
from holdfast.items.injecting import Injecting
from holdfast.paths import Home
from holdfast.program import PROGRAM, ROOMS
from holdfast.road.edge import read_payload
from holdfast.rooms import citations
from holdfast.rooms.citations.service import AsksOrigin, CitationService
from holdfast.rooms.citations.settings import Settings
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.room import Ground, Room
from holdfast.scrub import default_scrubber
from holdfast.store.interface import Store, Tx
from tests.contract.site import Site
from tests.support.patience import PATIENCE, patient

LOOPBACK = Settings(allow_private=("127.0.0.1",))
_USES = itertools.count(1)


class Talk:
    """One daemon's road; several sessions and projects may talk over it."""

    def __init__(
        self,
        store: Store,
        settings: Settings = LOOPBACK,
        owner: str = "me",
        prober: AsksOrigin | None = None,
        program: Program = PROGRAM,
        probe_seconds: float = PATIENCE,
        home: Path | None = None,
        rooms: Sequence[Room] = ROOMS,
        follows: bool = False,
        written: str = "",
    ) -> None:
        """`written` is the user's config.toml."""
        self._own_home = TemporaryDirectory(prefix="hf-talk-", ignore_cleanup_errors=True)
        self.store = store
        self.owner = owner
        self.asked: dict[str, tuple[str, dict[str, Any]]] = {}

        def cite(ground: Ground) -> tuple[CitationService]:
            return (CitationService(ground, ground.chosen(Settings), prober=prober, probe_seconds=probe_seconds),)

        composed = tuple(replace(room, build=cite) if room is citations.ROOM else room for room in rooms)
        parts = Parts(
            rooms=composed, program=patient(program), owner=owner, jobs=self, follows=follows, patience=PATIENCE
        )
        chosen = self._read(written, composed) if written else Loaded(Config())
        unhurried = structs.replace(chosen.config.user_prompt_submit, timeout=PATIENCE)
        house = structs.replace(chosen.config, user_prompt_submit=unhurried)
        loaded = Loaded(house, rooms={**chosen.rooms, "citations": settings})
        self.composed = assemble(Home(home or Path(self._own_home.name)), loaded, default_scrubber(), store, parts)
        self.services = self.composed.services
        self.service = self.services.get(CitationService)
        self.memory = self.services.get(MemoryService)
        self.injecting = self.services.get(Injecting)
        self.items = self.composed.items
        self.meter = self.composed.meter

    def _read(self, written: str, rooms: tuple[Room, ...]) -> Loaded:
        file = Path(self._own_home.name) / "config.toml"
        file.write_text(written, "utf-8")
        return load(file, environment={}, rooms=rooms)

    def caller(self, *, project: str = "", folder: str = "", is_agent: bool = False) -> Caller:
        """Somebody who calls a tool."""
        return Caller(self.services, self.owner, self.composed.now, is_agent, folder, project)

    async def call(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """An agent calls a tool by MCP: the text it reads, and whether it is an error."""
        return await called(tool, arguments, self.composed.declared.tools, self.caller(is_agent=True))

    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        """The queue: what is asked for is done when the story says so."""
        self.asked[subject] = (name, arguments)

    async def tell(
        self, payload: dict[str, Any], *, source: Source = "http", happened_at: int | None = None
    ) -> dict[str, Any]:
        body = read_payload(json.dumps(payload).encode())
        travelled = await self.composed.road.travel(body, source=source, happened_at=happened_at)
        assert travelled.kept
        answer = json.loads(client_body(travelled.event, travelled.answer))
        assert isinstance(answer, dict)
        return answer

    async def settle(self) -> None:
        """Do the jobs that were asked for."""
        while self.asked:
            _, (name, arguments) = self.asked.popitem()
            await self.composed.kinds[name](arguments)

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
    site: Site,
    story: Callable[[Talk], Awaitable[None]],
    settings: Settings = LOOPBACK,
    prober: AsksOrigin | None = None,
    probe_seconds: float = PATIENCE,
    rooms: Sequence[Room] = ROOMS,
    follows: bool = False,
) -> None:
    """Open the site's store and tell the story on it."""

    async def told() -> None:
        async with site.open() as store:
            talk = Talk(store, settings, prober=prober, probe_seconds=probe_seconds, rooms=rooms, follows=follows)
            try:
                await story(talk)
            finally:
                await talk.service.close()

    asyncio.run(told())
