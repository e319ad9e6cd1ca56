"""How long capture and recall take with ten thousand, a hundred thousand and a million observations (PRF-2).

A daemon with so many made-up observations of twenty projects, one of which has half of everything. Recall: a prompt of
a new session in at the socket, its answer with what fits out. Capture: from a tool's event in at the socket until
another reader of the store sees the observation; its answer goes out before. Search: over all projects, by `/rpc`.
Also the bytes that an observation takes, and the time to write one. The baseline of a latency is the same on a daemon
that has kept nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.bodies import templates
from bench.coding import Asked, Sessions
from bench.figures import Report, Row, Sample, main, quantile
from bench.kept import fill, folder_of
from bench.road import Line
from bench.stand import processor_seconds
from tests.support.daemon import DaemonHome, until

from holdfast.ids import new_id

LIMITS = {100_000: {0.50: 15.0, 0.99: 50.0}, 1_000_000: {0.99: 100.0}}
"""Of a prompt's recall."""
_LARGEST, _SMALL = 0, 3
_PATIENCE = 20.0


@dataclass(slots=True)
class Measured:
    """One daemon: what was asked of it, in milliseconds by round."""

    prompts: dict[str, list[list[float]]] = field(default_factory=dict)
    searches: list[list[float]] = field(default_factory=list)
    answers: list[list[float]] = field(default_factory=list)
    captures: list[list[float]] = field(default_factory=list)
    given: int = 0
    asked: int = 0
    processor: list[float] = field(default_factory=list)
    bytes: int = 0


class Subject:
    """A daemon with so many observations, and prompts about them."""

    def __init__(self, home: DaemonHome, asked: list[tuple[int, Asked]]) -> None:
        self.home = home
        self._asked = asked
        self._line = Line(home.facts["port"])
        self._database = sqlite3.connect(f"file:{home.home.database}?mode=ro", uri=True)
        self._uses = [json.loads(template.body("0")) for template in templates(200, agents=4)]
        self._chance = random.Random(7)

    def recall(self, project: int, count: int, into: Measured) -> list[float]:
        """Prompts of as many new sessions."""
        about = [each for number, each in self._asked if number == project] or [each for _, each in self._asked]
        pid, took, used = int(self.home.facts["worker_pid"]), [], 0.0
        for each in self._chance.sample(about, k=min(count, len(about))):
            body = {"prompt": each.prompt, "prompt_id": new_id(), "permission_mode": "default"}
            request = self._event("UserPromptSubmit", body | {"session_id": new_id(), "cwd": folder_of(project)})
            before = processor_seconds(pid)
            took.append(1e3 * self._line.ask(request))
            used += processor_seconds(pid) - before
            into.asked += 1
            into.given += b"holdfast-context" in self._line.answer
            time.sleep(0.002)  # what follows an answer is not the next one's
        into.processor.append(1e3 * used / len(took))
        return sorted(took)

    def search(self, count: int) -> list[float]:
        """The agent's own search over all projects."""
        took = []
        for _, each in self._chance.choices(self._asked, k=count):
            call = {"jsonrpc": "2.0", "id": 1, "method": "search", "params": {"query": each.prompt, "project": "all"}}
            took.append(1e3 * self._line.ask(self._post("/rpc", call)))
        return sorted(took)

    def capture(self, count: int) -> tuple[list[float], list[float]]:
        """(until it was answered, until it was kept)"""
        answered, kept = [], []
        session = {"session_id": new_id(), "cwd": folder_of(_LARGEST)}
        for use in self._chance.choices(self._uses, k=count):
            body = use | session | {"tool_use_id": f"toolu_{new_id().replace('-', '')[:24]}"}
            request = self._event("PostToolUse", body)
            before = self._count()
            began = time.perf_counter()
            answered.append(1e3 * self._line.ask(request))
            while self._count() == before:
                if time.perf_counter() - began > _PATIENCE:
                    raise RuntimeError("an observation was not kept")
                time.sleep(0.0002)
            kept.append(1e3 * (time.perf_counter() - began))
        return sorted(answered), sorted(kept)

    def close(self) -> None:
        self._line.close()
        self._database.close()

    def _count(self) -> int:
        return int(self._database.execute("SELECT max(rowid) FROM observation").fetchone()[0] or 0)

    def _event(self, name: str, body: Mapping[str, object]) -> bytes:
        transcript = "/home/dev/.claude/projects/-home-dev/none.jsonl"
        return self._post(f"/hooks/{name}", {"hook_event_name": name, "transcript_path": transcript, **body})

    def _post(self, path: str, value: Mapping[str, object]) -> bytes:
        body = json.dumps(value).encode()
        return (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.home.facts['port']}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self.home.token}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body


@contextmanager
def subject(count: int, into: Measured) -> Iterator[tuple[Subject, float]]:
    """A daemon that has kept so much, and the µs that writing one observation took."""
    home = DaemonHome()
    try:
        home.home.prepare()
        began = time.perf_counter()
        asked = fill(home.home, count) or _about_nothing()
        took = time.perf_counter() - began
        into.bytes = home.home.database.stat().st_size
        home.start()
        until(lambda: home.facts.get("worker_pid"), "the worker is there")
        made = Subject(home, asked)
        yield made, 1e6 * took / max(1, count)
        made.close()
    finally:
        home.remove()


def _about_nothing() -> list[tuple[int, Asked]]:
    """What is asked of a daemon that has kept nothing."""
    asked: list[Asked] = []
    list(Sessions(1).items(20_000, asked))
    return [(_LARGEST, each) for each in asked]


def _measured(count: int, rounds: int, prompts: int) -> tuple[Measured, float]:
    into = Measured()
    with subject(count, into) as (daemon, each_us):
        daemon.recall(_LARGEST, 20, Measured())
        daemon.search(20)
        daemon.capture(20)
        for _ in range(rounds):
            for name, project in (("the largest project", _LARGEST), ("a small project", _SMALL)):
                into.prompts.setdefault(name, []).append(daemon.recall(project, prompts, into))
            into.searches.append(daemon.search(prompts))
            answered, kept = daemon.capture(prompts)
            into.answers.append(answered)
            into.captures.append(kept)
    return into, each_us


def _rows(count: int, own: Measured, base: Measured, each_us: float) -> Iterator[Row]:
    limits = LIMITS.get(count, {})

    def latency(
        what: str, rounds: list[list[float]], beside: list[list[float]], limited: bool = False
    ) -> Iterator[Row]:
        for share in (0.50, 0.99):
            ours, theirs = (Sample.of(quantile(values, share) for values in each) for each in (rounds, beside))
            limit = limits.get(share) if limited else None
            yield Row(f"{count:,}: {what}, p{share * 100:.0f}", "ms", ours, theirs, limit)

    for name, rounds in own.prompts.items():
        yield from latency(f"recall, {name}", rounds, base.prompts[name], limited=True)
    yield Row(f"{count:,}: processor time of a recall", "ms", Sample.of(own.processor), Sample.of(base.processor))
    yield from latency("search, all projects", own.searches, base.searches)
    yield from latency("capture, until answered", own.answers, base.answers)
    yield from latency("capture, until kept", own.captures, base.captures)
    yield Row(f"{count:,}: in the store, each", "bytes", Sample.of([own.bytes / count]))
    yield Row(f"{count:,}: to write one of many", "µs", Sample.of([each_us]))


def measure(chosen: argparse.Namespace) -> Report:
    sizes = [size for size in (10_000, 100_000, 1_000_000) if size <= (10_000 if chosen.quick else chosen.most)]
    rounds, prompts = (2, 50) if chosen.quick else (int(chosen.rounds), int(chosen.prompts))
    base, _ = _measured(0, rounds, prompts)
    rows: list[Row] = []
    notes = [f"{rounds} rounds of {prompts} each; the median of the rounds, in brackets their range."]
    for size in sizes:
        own, each_us = _measured(size, rounds, prompts)
        rows += _rows(size, own, base, each_us)
        notes.append(f"{size:,}: {100 * own.given / own.asked:.0f} % of the prompts were given something.")
    return Report("Capture and recall", "PRF-2", "the same on a daemon that has kept nothing", rows, notes)


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.memory --most 100000",
        most=(1_000_000, "the largest store to make"),
        rounds=(5, "rounds of each"),
        prompts=(200, "prompts, searches and tool uses per round"),
    )
