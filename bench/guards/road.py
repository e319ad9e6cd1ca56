"""PreToolUse for Bash on the road: with guards, with guards off, and both while another program holds the store.

Two daemons, blocks of events in turn. The bodies are the client's, the commands our corpus's.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.figures import Row, Sample, quantile
from bench.guards.corpus import Case
from bench.guards.scenes import Place
from bench.road import Line
from tests.support.daemon import DaemonHome, until
from tests.support.locks import locked
from tests.support.payloads import load

from holdfast.store import sqlite_url

_P50, _P99_FACTS = 2.0, 150.0


@contextmanager
def daemon(mode: str, home: str) -> Iterator[DaemonHome]:
    """A daemon whose guards have this mode, and whose user lives in that home."""
    made = DaemonHome()
    made.environment["HOME"] = home
    try:
        made.home.prepare()
        made.home.config.write_text(f'[guards]\nmode = "{mode}"\n', "utf-8")
        made.start()
        until(lambda: made.facts.get("worker_pid"), "the worker is there")
        yield made
    finally:
        made.remove()


@dataclass(slots=True)
class Course:
    """One daemon, and how long each of its answers took (milliseconds, by name of the block)."""

    stand: DaemonHome
    place: Place
    times: dict[str, list[list[float]]] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    used: dict[str, float] = field(default_factory=dict)
    """Processor time by name of the block, in seconds: that of the worker and of the programs it started."""
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def run(self, name: str, cases: Sequence[Case]) -> None:
        """One block on one connection. A new one each time: the daemon closes those that wait for long."""
        took: list[float] = []
        before = processor_seconds(self.stand.facts["worker_pid"])
        with closing(Line(self.stand.facts["port"])) as line:
            for case in cases:
                took.append(line.ask(self._request(case)) * 1e3)
                refused = b'"deny"' in line.answer or b'"ask"' in line.answer
                self.refused[name] = self.refused.get(name, 0) + refused
        self.times.setdefault(name, []).append(sorted(took))
        used = processor_seconds(self.stand.facts["worker_pid"]) - before
        self.used[name] = self.used.get(name, 0.0) + used

    def processor(self, name: str) -> Sample:
        """Microseconds per event; it does not grow with the load of the machine."""
        return Sample.one(self.used[name] / sum(map(len, self.times[name])) * 1e6)

    def sample(self, name: str, share: float) -> Sample:
        return Sample.of(quantile(values, share) for values in self.times[name])

    def _request(self, case: Case) -> bytes:
        made = load(
            "PreToolUse-Bash",
            session_id="5f2c1c9e-30a1-4c7e-9a55-0000000000aa",
            tool_use_id=f"toolu_g{next(self._numbers):018d}",
            cwd=self.place.project,
            tool_input={"command": case.there(self.place.project, self.place.home), "description": "a command"},
        )
        body = json.dumps(made, ensure_ascii=False).encode()
        port, token = self.stand.facts["port"], self.stand.token
        head = (
            "POST /hooks/PreToolUse HTTP/1.1\r\nAccept: application/json, text/plain, */*\r\n"
            f"Content-Type: application/json\r\nAuthorization: Bearer {token}\r\nUser-Agent: axios/1.8.4\r\n"
            f"Content-Length: {len(body)}\r\nHost: 127.0.0.1:{port}\r\nConnection: keep-alive\r\n\r\n"
        )
        return head.encode() + body


def measure(cases: Sequence[Case], places: Mapping[str, Place], rounds: int) -> tuple[list[Row], list[str]]:
    """Rows and notes. Innocent and destructive commands are timed apart: only few of a day's commands need facts."""
    place = places["dirty"]
    kinds = {
        "ordinary commands": [case for case in cases if not case.destructive],
        "destructive commands": [case for case in cases if case.destructive],
    }
    with ExitStack() as stack:
        courses = [Course(stack.enter_context(daemon(mode, place.home)), place) for mode in ("on", "off")]
        for course in courses:
            course.run("warm", kinds["ordinary commands"][:50])
        for _ in range(rounds):
            for name, sent in kinds.items():
                for course in courses:
                    course.run(name, sent)
        with ExitStack() as held:
            for course in courses:
                held.enter_context(locked(sqlite_url(course.stand.home.database)))
            for _ in range(rounds):
                for name, sent in kinds.items():
                    for course in courses:
                        course.run(f"{name}, writer blocked", sent)
    on, off = courses
    rows = []
    for name in [name for name in on.times if name != "warm"]:
        for share in (0.5, 0.99):
            limit = _P50 if share == 0.5 and name == "ordinary commands" else None
            limit = _P99_FACTS if share == 0.99 and not name.endswith("blocked") else limit
            what = f"on the road: p{share * 100:.0f}, {name}"
            rows.append(Row(what, "ms", on.sample(name, share), off.sample(name, share), limit))
        rows.append(Row(f"on the road: processor time, {name}", "µs", on.processor(name), off.processor(name)))
    free, blocked = (on.refused[name] for name in ("destructive commands", "destructive commands, writer blocked"))
    rows.append(Row("on the road: refusals with the writer blocked", "of those without", _share(blocked, free)))
    count = {name: len(sent) for name, sent in kinds.items()}
    note = (
        f"On the road: {rounds} rounds of {count['ordinary commands']} innocent and {count['destructive commands']} "
        f"destructive commands in one dirty work tree, to each daemon in turn, then again with both stores locked; "
        f"{free // rounds} of the destructive ones were refused per round, the rest ran after keeping or passed. "
        f'Baseline of these rows: a daemon with `[guards] mode = "off"`, {sum(off.refused.values())} refusals.'
    )
    return rows, [note]


def processor_seconds(pid: int) -> float:
    """User and system time of a process so far, and of its children that ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _share(part: int, whole: int) -> Sample:
    return Sample.one(part / max(1, whole))
