"""The load: many agents, each with a connection of its own, that send events at times fixed beforehand.

A process of its own, started by `offer`. Latency counts from the time an event was to be sent, whether or not its
agent was still waiting for an earlier answer: a slow answer makes the ones behind it late too, and that is measured.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import subprocess
import sys
import time
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

import uvloop
from bench.bodies import Template, templates
from bench.road import is_whole
from bench.stand import Stand

_PATIENCE = 15.0
_TEMPLATES_PER_AGENT = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What is offered: `rate` events per second in all; 0 means that each agent sends as soon as it was answered."""

    port: int
    token: str
    run: str
    agents: int
    rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it. Latencies in milliseconds, in the order of the intended times; None was not answered."""

    sent: int
    latencies: list[float | None]
    took: float
    processor: float
    """Seconds of processor time that the load itself used."""

    @property
    def answered(self) -> list[float]:
        return [value for value in self.latencies if value is not None]


def offer(plan: Plan) -> Outcome:
    """Run the load in a process of its own."""
    command = [sys.executable, "-m", "bench.load"]
    given = json.dumps(asdict(plan)).encode()
    done = subprocess.run(
        command, input=given, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[1],
        timeout=plan.seconds + 3 * _PATIENCE,
    )  # fmt: skip
    return Outcome(**json.loads(done.stdout))


def name_of(plan: Plan, number: int) -> str:
    """What stands behind `toolu_` in the event of this number."""
    return f"{plan.run}{number:010d}"


class Agent(asyncio.Protocol):
    """One session of the client: one connection, one event at a time, the others wait their turn."""

    def __init__(self, load: Load, made: list[Template]) -> None:
        self._load = load
        self._parts = [(load.stand.head(len(t.body(name_of(load.plan, 0)))) + t.head, t.tail) for t in made]
        self._waiting: deque[int] = deque()
        self._current = -1
        self._buffer = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's own class does not inherit it

    def due(self, number: int) -> None:
        if self._current >= 0:
            self._waiting.append(number)
        else:
            self._send(number)

    def _send(self, number: int) -> None:
        assert self.transport is not None
        self._current = number
        head, tail = self._parts[number % len(self._parts)]
        self.transport.write(head + name_of(self._load.plan, number).encode() + tail)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not is_whole(self._buffer):
            return
        is_good = self._buffer.startswith(b"HTTP/1.1 200")
        number, self._current, self._buffer = self._current, -1, b""
        self._load.answered(number, is_good)
        if self._load.plan.rate == 0:
            self._load.next_of(self)
        elif self._waiting:
            self._send(self._waiting.popleft())


class Load:
    """The schedule, the agents, and what they measured."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.stand = Stand(plan.port, plan.token, 0)
        self.intended: list[float] = []
        self.done: list[float] = []
        self._open = 0
        self._begin = 0.0
        self._made = templates(plan.agents * _TEMPLATES_PER_AGENT, agents=plan.agents)

    async def run(self) -> Outcome:
        agents = [await self._connect(index) for index in range(self.plan.agents)]
        schedule = self._schedule()
        before = resource.getrusage(resource.RUSAGE_SELF)
        self._begin = time.perf_counter() + 0.05
        if self.plan.rate:
            await self._keep_to(schedule, agents)
        else:
            for agent in agents:
                self.next_of(agent)
            await asyncio.sleep(self.plan.seconds)
        until = time.perf_counter() + _PATIENCE
        while self._open and time.perf_counter() < until:  # noqa: ASYNC110 (an event would cost every answer)
            await asyncio.sleep(0.01)
        after = resource.getrusage(resource.RUSAGE_SELF)
        for agent in agents:
            if agent.transport:
                agent.transport.close()
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        pairs = zip(self.intended, self.done, strict=True)
        latencies = [round((end - start) * 1e3, 3) if end else None for start, end in pairs]
        return Outcome(len(latencies), latencies, max(self.done, default=0.0) - self._begin, used)

    async def _connect(self, index: int) -> Agent:
        made = self._made[index :: self.plan.agents]
        _, agent = await asyncio.get_running_loop().create_connection(
            lambda: Agent(self, made), "127.0.0.1", self.plan.port
        )
        return agent

    def _schedule(self) -> list[tuple[float, int]]:
        """Every agent at its own pace, with pauses of half to one and a half of the usual length."""
        if not self.plan.rate:
            return []
        chance = random.Random(self.plan.agents)
        pause = self.plan.agents / self.plan.rate
        times = []
        for agent in range(self.plan.agents):
            at = chance.uniform(0, pause)
            while at < self.plan.seconds:
                times.append((at, agent))
                at += pause * chance.uniform(0.5, 1.5)
        return sorted(times)

    async def _keep_to(self, schedule: list[tuple[float, int]], agents: list[Agent]) -> None:
        for at, agent in schedule:
            if (ahead := at + self._begin - time.perf_counter()) > 0:
                await asyncio.sleep(ahead)
            self._due(self._begin + at, agents[agent])

    def next_of(self, agent: Agent) -> None:
        """Flat out: now is when it was intended."""
        now = time.perf_counter()
        if now - self._begin < self.plan.seconds:
            self._due(now, agent)

    def _due(self, at: float, agent: Agent) -> None:
        self.intended.append(at)
        self.done.append(0.0)
        self._open += 1
        agent.due(len(self.intended) - 1)

    def answered(self, number: int, is_good: bool) -> None:
        self._open -= 1
        if is_good:
            self.done[number] = time.perf_counter()


def main() -> None:
    plan = Plan(**json.load(sys.stdin))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps(asdict(runner.run(Load(plan).run()))))


if __name__ == "__main__":
    main()
