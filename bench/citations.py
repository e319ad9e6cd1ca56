"""Web citations: what a WebFetch waits for, beside a plain conditional request to the same origin by the same library.

A hit, a miss because the page changed, a page never seen before, an origin known not to validate, and an event that is
no WebFetch. Each is a whole event on the road (scrub, journal, commit, answer) on SQLite; the origin is on loopback,
so the network costs next to nothing and what is left is ours. The cases are shuffled.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import httpcore2
from bench.figures import Report, Row, Sample, main, quantile
from tests.conversations import origin as origins
from tests.conversations.origin import Origin
from tests.conversations.talk import Talk, denied

from holdfast.events.steps import OnEvent
from holdfast.program import CATALOG, PROGRAM
from holdfast.store import open_store, sqlite_url

_PER_ROUND = 50
_NUMBERS = itertools.count(1)

Case = Callable[[], Awaitable[None]]


def _expect(answer: dict[str, object], hit: bool) -> None:
    if bool(denied(answer)) is not hit:
        raise RuntimeError(f"expected {'a hit' if hit else 'no hit'}, got {answer}")


async def _cases(talk: Talk, origin: Origin, silent: Origin, pool: httpcore2.AsyncConnectionPool) -> dict[str, Case]:
    kept, changed = origin.add("/kept"), origin.add("/changed")
    plain = silent.add("/plain", origins.page(""))
    for url in (kept, changed, plain):
        await talk.fetch(url, text="a reading of some length " * 100, session="first")
    origin.sheets["/changed"].turn()
    _expect(await talk.before(kept), True)  # the daily cross-examination is over

    async def request() -> None:
        answer = await pool.request("HEAD", kept, headers=[(b"If-None-Match", b'"v1"')])
        if answer.status != 304:
            raise RuntimeError(f"the origin answered {answer.status}")

    async def hit() -> None:
        _expect(await talk.before(kept), True)

    async def miss() -> None:
        _expect(await talk.before(changed), False)

    async def unknown() -> None:
        _expect(await talk.before(origin.add(f"/new/{next(_NUMBERS)}")), False)

    async def not_asked() -> None:
        _expect(await talk.before(plain), False)

    async def other_tool() -> None:
        await talk.tell(_bash())

    return {"request": request, "hit": hit, "miss": miss, "new": unknown, "not asked": not_asked, "other": other_tool}


def _without_room(entry: OnEvent) -> OnEvent:
    return replace(entry, steps=tuple(step for step in entry.steps if not step.name.startswith("citations.")))


def _bash() -> dict[str, object]:
    return {
        "session_id": "s1",
        "cwd": "/p",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": f"toolu_bash_{next(_NUMBERS)}",
    }


async def _measure(rounds: int) -> tuple[dict[str, list[float]], int]:
    took: dict[str, list[float]] = {}
    chance = random.Random(1)
    with Origin() as origin, Origin() as silent, tempfile.TemporaryDirectory(prefix="hf") as folder:
        store = await open_store(sqlite_url(Path(folder) / "holdfast.db"), CATALOG, backups=Path(folder))
        alone = {**PROGRAM, "PreToolUse": _without_room(PROGRAM["PreToolUse"])}
        talk, bare = Talk(store), Talk(store, program=alone)
        async with httpcore2.AsyncConnectionPool() as pool:
            cases = await _cases(talk, origin, silent, pool)

            async def without_room() -> None:
                await bare.tell(_bash())

            cases["road alone"] = without_room
            asked = len(silent.requests)
            for _ in range(rounds):
                seconds: dict[str, list[float]] = {name: [] for name in cases}
                for _ in range(_PER_ROUND):
                    # In another order every time: what runs after a request pays for what the request left behind.
                    for name in chance.sample(sorted(cases), len(cases)):
                        began = time.perf_counter()
                        await cases[name]()
                        seconds[name].append(time.perf_counter() - began)
                for name, values in seconds.items():
                    took.setdefault(name, []).append(quantile(sorted(values), 0.5) * 1_000)
        wasted = len(silent.requests) - asked
        await talk.service.close()
        await store.close()
    return took, wasted


def measure(chosen: argparse.Namespace) -> Report:
    rounds = 3 if chosen.quick else chosen.rounds
    took, wasted = asyncio.run(_measure(rounds))
    samples = {name: Sample.of(values) for name, values in took.items()}
    added = Sample.of([one - other for one, other in zip(took["not asked"], took["road alone"], strict=True)])
    plain, road = samples["request"], samples["road alone"]
    rows = [
        Row("hit", "ms", samples["hit"], plain),
        Row("miss, the page changed", "ms", samples["miss"], plain),
        Row("no entry, validators taken", "ms", samples["new"], plain),
        Row("an origin known not to validate, added to the road", "ms", added, limit=1.0),
        Row("an event that is no WebFetch", "ms", samples["other"], road, limit=1.1, of_ratio=True),
    ]
    return Report(
        "Web citations: what a WebFetch waits for",
        "CIT-1",
        "a conditional HEAD by the same library on a kept connection; in the last row the road without the room",
        rows,
        (
            f"{rounds} rounds of {_PER_ROUND} events of each case, shuffled; medians of rounds' medians, their range.",
            f"The road alone (journal and commit) takes {road} ms of each event. A WebFetch itself takes seconds.",
            f"Requests to the origin that does not validate: {wasted}.",
        ),
    )


if __name__ == "__main__":
    main(
        measure, __doc__ or "", "python -m bench.citations --rounds 20", rounds=(20, "rounds of 50 events of each case")
    )
