"""What the learning loop adds to the road: the same events with its steps and without them, in one process.

    python -m bench.learning_steps

Blocks of events alternate between two compositions on stores of their own; they differ in the learning room's steps
only. Processor time of one event, in microseconds: what a hook waits for, and all of it with the later steps.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.figures import Report, Row, Sample, main

from holdfast.config import Config, Loaded
from holdfast.daemon.compose import Parts, assemble
from holdfast.events.steps import Program, Step
from holdfast.paths import Home
from holdfast.program import CATALOG, PROGRAM
from holdfast.road.edge import read_payload
from holdfast.scrub import default_scrubber
from holdfast.store import open_store, sqlite_url

_BLOCK = 200
_FAILED = "Exit code 1\nFAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2\n1 failed, 3 passed in 0.2s"
Event = Callable[[int], dict[str, Any]]


def only(keeps: Callable[[Step], bool]) -> Program:
    """The program with these steps."""
    return {
        name: replace(entry, steps=tuple(step for step in entry.steps if keeps(step)))
        for name, entry in PROGRAM.items()
    }


def is_learnings(step: Step) -> bool:
    return step.run.__module__.startswith("holdfast.rooms.learning")


def _bash(event: str, command: str, **own: Any) -> Event:
    return lambda number: {
        "hook_event_name": event,
        "session_id": "s1",
        "cwd": "/p",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": f"toolu_{event}_{number}",
        **own,
    }


def _said(text: str) -> dict[str, Any]:
    return {"tool_response": {"stdout": text, "stderr": ""}}


def _asked(prompt: str) -> Event:
    return lambda number: {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "cwd": "/p",
        "prompt": prompt,
        "prompt_id": f"prompt_{len(prompt)}_{number}",
    }


KINDS: dict[str, Event] = {
    "a prompt": _asked("Please make the report faster, and say what took the time. " * 5),
    "a prompt that names a command": _asked("Run `pytest -q` and tell me which test fails."),
    "before a call": _bash("PreToolUse", "ls -la"),
    "after a look around": _bash("PostToolUse", "cd src && grep -rn error . | head -50", **_said("a: error\n" * 50)),
    "after a run that passed": _bash("PostToolUse", "pytest -q", **_said("4 passed in 1s")),
    "after a run whose failure is hidden": _bash("PostToolUse", "pytest -q | tail -5", **_said(_FAILED)),
    "after a run that failed": _bash("PostToolUseFailure", "pytest -q", error=_FAILED),
}


async def taken(blocks: int, later: bool) -> dict[str, tuple[list[float], list[float]]]:
    """For each kind of event: microseconds with learning and without, by block."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in KINDS}
    with tempfile.TemporaryDirectory() as folder:
        made = []
        ours, base = (
            only(lambda step: later or not step.later),
            only(lambda step: (later or not step.later) and not is_learnings(step)),
        )
        for name, program in (("with", ours), ("without", base)):
            store = await open_store(sqlite_url(Path(folder) / f"{name}.db"), CATALOG, backups=Path(folder))
            parts = Parts(program=program, owner="me", follows=False)
            made.append(
                (store, assemble(Home(Path(folder) / name), Loaded(Config()), default_scrubber(), store, parts))
            )
        for block in range(blocks + 1):
            for name, event in KINDS.items():
                for at, (_, composition) in enumerate(made):
                    bodies = [
                        read_payload(json.dumps(event(block * _BLOCK + number)).encode()) for number in range(_BLOCK)
                    ]
                    began = time.process_time()
                    for body in bodies:
                        await composition.road.travel(body)
                    if block:  # the first one warms up
                        found[name][at].append((time.process_time() - began) / _BLOCK * 1e6)
        for store, _ in made:
            await store.close()
    return found


def measure(chosen: argparse.Namespace) -> Report:
    rows, added = [], []
    for later in (False, True):
        found = asyncio.run(taken(2 if chosen.quick else int(chosen.blocks), later))
        unit = "µs with the later steps" if later else "µs that a hook waits"
        for name, (ours, base) in found.items():
            rows.append(Row(name, unit, Sample.of(ours), Sample.of(base)))
            added.append(statistics.median(ours) - statistics.median(base))
    notes = [f"Added, in the order of the rows: {', '.join(f'{each:.0f}' for each in added)} µs."]
    return Report("Steps of the learning loop", "PRF-1", "the same program without its steps", rows, notes)


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.learning_steps", blocks=(10, "blocks of 200 events of each kind"))
