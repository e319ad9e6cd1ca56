"""The road itself: one PostToolUse in at the TCP socket, its answer out, one after the other on one connection.

Compared: the daemon with an empty store and with many events stored, and bare uvicorn with Starlette (same loop, same
parser, same settings) that reads the body and answers `{}`. Blocks of events alternate between the three.
"""

from __future__ import annotations

import argparse
import socket
import time
from contextlib import ExitStack

from bench.bodies import Template, sizes, templates
from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import Stand, bare, daemon, processor_seconds

_BLOCK = 250
_LIMIT_P50, _LIMIT_P99 = 2.0, 10.0


class Line:
    """One kept-alive connection, without an HTTP library: its cost is the kernel's and a few lines of Python."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), 30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answer = b""
        """The last one, whole."""

    def ask(self, request: bytes) -> float:
        """Send, wait for the whole answer; the seconds that took."""
        began = time.perf_counter()
        self._socket.sendall(request)
        answer = self._socket.recv(65_536)
        while not is_whole(answer):
            more = self._socket.recv(65_536)
            if not more:
                raise ConnectionError("the connection was closed before the answer")
            answer += more
        took = time.perf_counter() - began
        self.answer = answer
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"not answered: {answer[:200]!r}")
        return took

    def close(self) -> None:
        self._socket.close()


def is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    if not end:
        return False
    _, _, length = head.lower().partition(b"content-length:")
    return len(body) >= int(length.split(b"\r\n", 1)[0])


class Course:
    """What one stand was sent, and how long each answer took (milliseconds, by round)."""

    def __init__(self, stand: Stand, made: list[Template]) -> None:
        self._stand = stand
        self._made = made
        self._line = Line(stand.port)
        self._sent = 0
        self.rounds: list[list[float]] = []
        self._used = 0.0

    def run(self, count: int) -> None:
        requests = [
            self._stand.request(self._made[number % len(self._made)], f"r{number:018d}")
            for number in range(self._sent, self._sent + count)
        ]
        self._sent += count
        before = processor_seconds(self._stand.pid)
        self.rounds.append(sorted(self._line.ask(request) * 1e3 for request in requests))
        self._used += processor_seconds(self._stand.pid) - before

    def forget(self) -> None:
        """What was sent to warm up does not count."""
        self.rounds.clear()
        self._used = 0.0

    def sample(self, share: float) -> Sample:
        return Sample.of(quantile(values, share) for values in self.rounds)

    def mean(self) -> Sample:
        """What a whole session waits, divided by its events."""
        return Sample.of(sum(values) / len(values) for values in self.rounds)

    def all(self, share: float) -> float:
        return quantile(sorted(value for values in self.rounds for value in values), share)

    def processor_us(self) -> float:
        return self._used / sum(len(values) for values in self.rounds) * 1e6

    def close(self) -> None:
        self._line.close()


def measure(options: argparse.Namespace) -> Report:
    rounds = 4 if options.quick else options.rounds
    stored = 5_000 if options.quick else options.stored
    made = templates(200, agents=4)
    with ExitStack() as stack:
        stands = [stack.enter_context(opened) for opened in (bare(), daemon(), daemon(stored))]
        courses = [Course(stand, made) for stand in stands]
        for course in courses:
            stack.callback(course.close)
            course.run(_BLOCK)
            course.forget()
        for _ in range(rounds):
            for course in courses:
                course.run(_BLOCK)
    base, empty, full = courses
    rows = []
    for name, course in (("empty store", empty), (f"{stored:,} events stored", full)):
        for share, limit in ((0.50, _LIMIT_P50), (0.99, _LIMIT_P99)):
            what = f"p{share * 100:.0f}, {name}"
            rows.append(Row(what, "ms", course.sample(share), base.sample(share), limit))
        rows.append(Row(f"mean, {name}", "ms", course.mean(), base.mean()))
        used, bare_used = course.processor_us(), base.processor_us()
        rows.append(Row(f"processor time per event, {name}", "µs", Sample.of([used]), Sample.of([bare_used])))
    return Report(
        "The road: an event in, its answer out",
        "PRF-1",
        "bare uvicorn and Starlette, which read the body and answer `{}`",
        rows,
        (
            f"{rounds} rounds of {_BLOCK} events each, in turn, when the daemons were done with what they do at their "
            "start; the median of the rounds, in brackets their range.",
            f"p99 over all rounds together: {full.all(0.99):.2f} ms with the full store, {empty.all(0.99):.2f} ms with "
            f"the empty one, {base.all(0.99):.2f} ms for the baseline.",
            f"Bash, Read, Edit and Write: {sizes(made)}.",
        ),
    )


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.road --rounds 20 --stored 100000",
        rounds=(20, "rounds of 250 events to each of the three"),
        stored=(100_000, "events in the store of the full daemon"),
    )
