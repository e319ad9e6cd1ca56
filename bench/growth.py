"""How the store grows in a year of heavy use: sessions in the recorded shapes on the real road, by a simulated clock.

A sample of the year's events is spread over its 365 days, with the default retention applied as the days pass; what the
file then takes is reckoned up to two million events. Days, and the mix of events, are those of the whole year; only its
density is less, so per event nothing is left out but what is shared (a project's row, pages that are half full).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from bench.bodies import templates
from bench.figures import Report, Row, Sample, main

from holdfast import config
from holdfast.composition import Composition
from holdfast.daemon.compose import compose, scrubber_of
from holdfast.ids import new_id, now_us
from holdfast.paths import Home
from holdfast.road.edge import Payload
from holdfast.rooms.gather import days_of
from holdfast.times import DAY_US
from holdfast.upkeep.retention import Retention
from holdfast.upkeep.settings import RetentionSettings

YEAR = 2_000_000
DAYS = 365
_TURNS = 8
"""Prompts per session."""
_TOOLS = 9
"""Tool uses per prompt, on average: a heavy day of 5,480 events then has about 17 sessions of 140 tool uses."""
_WORDS = (
    *("fix the flaky test of the importer", "why does the cache miss after a restart", "add a flag for dry runs"),
    *("rename the module and its tests", "make the parser accept empty lines", "review what changed in the store"),
)
_SAID = (
    "I changed `{path}` so that the {word} is checked before it is used. The cause was a stale entry, because the "
    "cleanup ran before the commit. All tests pass now. Still open: the second caller needs the same change.\n"
)

Event = tuple[str, dict[str, Any]]


def sessions(count: int) -> Iterator[list[Event]]:
    """Sessions as lists of events, until so many events are there."""
    chance = random.Random(7)
    bodies = [msgspec.json.decode(template.body("0")) for template in templates(2_000, seed=7)]
    made = 0
    while made < count:
        events = list(_session(chance, bodies))
        made += len(events)
        yield events


def _session(chance: random.Random, bodies: list[dict[str, Any]]) -> Iterator[Event]:
    session = new_id()
    base = {
        "session_id": session,
        "cwd": f"/home/dev/project{chance.randrange(6)}",
        "transcript_path": f"/home/dev/.claude/projects/-home-dev-project/{session}.jsonl",
    }
    yield "SessionStart", base | {"source": "startup"}
    for _ in range(_TURNS):
        base |= {"prompt_id": new_id(), "permission_mode": "default"}
        asked = " ".join(chance.choices(_WORDS, k=chance.randrange(1, 6)))
        yield "UserPromptSubmit", base | {"prompt": asked}
        for _ in range(max(1, int(chance.expovariate(1 / _TOOLS)))):
            body = chance.choice(bodies)
            use = {"tool_use_id": f"toolu_{new_id().replace('-', '')[:24]}"}
            use |= {name: body[name] for name in ("tool_name", "tool_input")}
            yield "PreToolUse", base | use
            yield "PostToolUse", base | use | {"tool_response": body["tool_response"], "duration_ms": 40}
            text = str(body["tool_response"])[:4_000]
            yield "PostToolBatch", base | {"tool_calls": [use | {"tool_response": text}]}
            if chance.random() < 0.4:
                delta = _SAID.format(path="src/store.py", word=chance.choice(asked.split()))
                yield "MessageDisplay", base | {"message_id": new_id(), "index": 0, "final": True, "delta": delta}
        said = _SAID.format(path=f"src/module_{chance.randrange(200)}.py", word=chance.choice(asked.split())) * 3
        yield "Stop", base | {"stop_hook_active": False, "last_assistant_message": said}
    yield "SessionEnd", base | {"reason": "prompt_input_exit"}


async def live(folder: Path, events: int, step_days: int) -> tuple[Composition, Counter[str], int, int]:
    """A year in a store: (the daemon's parts, events per kind, the largest size of its file, its size when empty)."""
    home = Home(folder)
    home.prepare()
    loaded = config.load(home.config, None, {})
    parts = await compose(home, loaded, scrubber_of(loaded.config))
    policy = RetentionSettings(journal_bytes=int(RetentionSettings().journal_bytes * events / YEAR))
    days = days_of(parts.declared.rooms, loaded.section)
    retention = Retention(parts.store, parts.store.catalog, parts.items, parts.owner, policy, days)
    kinds: Counter[str] = Counter()
    end = now_us()
    begin, next_aging = end - DAYS * DAY_US, end - DAYS * DAY_US + step_days * DAY_US
    await parts.store.settle()
    empty = home.database.stat().st_size
    following = asyncio.create_task(parts.follower.run())
    done = peak = 0
    for session in sessions(events):
        for name, fields in session:
            at = begin + int(DAYS * DAY_US * min(1.0, done / events))
            payload = Payload({"hook_event_name": name} | fields)
            travelled = await parts.road.travel(payload, name=name, happened_at=at)
            assert travelled.kept
            kinds[name] += 1
            done += 1
        await parts.follower.caught_up()
        await parts.jobs.run_due()
        if at > next_aging:
            await retention.run(at)
            next_aging += step_days * DAY_US
        peak = max(peak, home.database.stat().st_size)
    following.cancel()
    await retention.run(end)
    await parts.store.settle()
    return parts, kinds, peak, empty


def measure(chosen: argparse.Namespace) -> Report:
    events = 5_000 if chosen.quick else int(chosen.events)

    async def run() -> Report:
        with tempfile.TemporaryDirectory(prefix="hf") as folder, suppress(asyncio.CancelledError):
            parts, kinds, peak, empty = await live(Path(folder), events, int(chosen.days))
            try:
                return await _report(parts, kinds, peak, empty)
            finally:
                await parts.store.close()
        raise SystemExit(1)

    return asyncio.run(run())


async def _report(parts: Composition, kinds: Counter[str], peak: int, empty: int) -> Report:
    size = await parts.store.size(tables=True)
    total = sum(kinds.values())
    scale = YEAR / total
    after, largest = (_year(taken, empty, scale) / 1e9 for taken in (size.bytes, max(peak, size.bytes)))
    rows = [
        Row("the store after a year of 2,000,000 events", "GB", Sample.one(after), limit=2.0),
        Row("its file at its largest in between", "GB", Sample.one(largest)),
        Row("bytes per event, after a year", "B", Sample.one((size.bytes - empty) / total)),
    ]
    used = sorted(size.tables.items(), key=lambda item: -item[1])[:8]
    for name, taken in used:
        if count := size.rows.get(name, 0):
            what = f"{name}: {count * scale / 1000:,.0f} thousand rows of {taken / count:,.0f} B"
            rows.append(Row(what, "MB", Sample.one(taken * scale / 1e6)))
        else:
            rows.append(Row(name, "MB", Sample.one(taken * scale / 1e6)))
    mix = ", ".join(f"{name} {count / total:.0%}" for name, count in kinds.most_common(6))
    notes = [
        f"{total:,} events over {DAYS} simulated days, reckoned up by {scale:.1f}; {mix}.",
        "Retention with its defaults; `journal_bytes` scaled like the sample. Per-table figures include indexes.",
        "No model's vectors are in it: one of 384 signed bytes would add about 0.4 KiB per item.",
    ]
    return Report("A year in the store", "MEM-15", "none", rows, notes)


def _year(size: int, empty: int, scale: float) -> float:
    """What an empty store takes, it takes once."""
    return (size - empty) * scale + empty


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.growth --events 100000",
        events=(100_000, "events in the sample"),
        days=(5, "simulated days between two runs of retention"),
    )
