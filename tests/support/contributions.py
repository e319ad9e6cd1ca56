"""Small contributions with effects that can be counted, and programs made of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from holdfast.events.answer import Context, Part, client_body, refuse
from holdfast.events.steps import OnEvent, Step
from holdfast.road.road import Travelled
from holdfast.store.interface import Tx
from tests.support.roads import House


def effect(name: str) -> Callable[[Tx], None]:
    """An effect that can be counted: one more of `name`."""

    def record(tx: Tx) -> None:
        tx.run("session.meter_add", owner="effects", event="e", name=name, value=1)

    return record


async def effects(here: House) -> dict[str, int]:
    rows = await here.store.read(lambda view: view.all("session.meters", owner="effects"))
    return {str(row["name"]): int(row["value"] or 0) for row in rows}


async def remembers(event: Any, scene: Any) -> Part | None:
    return Part(contexts=(Context("remembered", "memory"),), record=effect("remembers"))


async def guards(event: Any, scene: Any) -> Part | None:
    denied = "rm -rf" in event.arguments.get("command", "")
    return Part(decision=refuse("destructive", "that would destroy work"), record=effect("guards")) if denied else None


async def breaks(event: Any, scene: Any) -> Part | None:
    raise ValueError("broken")


async def dawdles(event: Any, scene: Any) -> Part | None:
    await asyncio.sleep(60)
    return None


async def breaks_in_writing(event: Any, scene: Any) -> Part | None:
    def record(tx: Tx) -> None:
        effect("half")(tx)
        raise ValueError("broken in the middle of its effect")

    return Part(contexts=(Context("never told", "broken"),), record=record)


async def guards_but_cannot_write(event: Any, scene: Any) -> Part | None:
    def record(tx: Tx) -> None:
        raise ValueError("the refusal cannot be written down")

    return Part(decision=refuse("destructive", "no"), record=record)


GUARD = Step(guards, may_deny=True)


def program(*steps: Step, event: str = "PreToolUse") -> dict[str, OnEvent]:
    return {event: OnEvent(steps=steps, tokens=1_000)}


def answered(travelled: Travelled) -> dict[str, Any]:
    return dict(json.loads(client_body(travelled.event, travelled.answer)).get("hookSpecificOutput", {}))
