"""A daemon whose worker has one thread more: it notes for how long it did not get the interpreter.

The thread sleeps a few milliseconds at a time. Where it wakes late, another thread may have held the interpreter: no
longer than that thread was at work meanwhile (Linux says it in nanoseconds), whatever else the machine did. Each gap is
a line of `holds.jsonl` in the home: when it ended, its milliseconds, and where the other threads stood.

At its start the worker holds the interpreter some times, in one call of a known kind each. `planted` says what was
noticed of it: a figure of zero means that nothing was held, and not that nothing is seen on this machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.stand import Stand
from tests.support.daemon import DaemonHome, until

from holdfast.daemon import supervisor, worker

ROOT = Path(__file__).parents[1]
_FILE = "holds.jsonl"
_SLEEP = 0.002
_LEAST = 0.001
"""Seconds. The daemon's threads take turns every half a millisecond."""
_PLANTED = 3_000_000
"""Numbers that one call adds up, to hold the interpreter for some ten milliseconds."""


@dataclass(frozen=True, slots=True)
class Hold:
    """For so long a thread did not get the interpreter."""

    at: float
    ms: float
    frames: tuple[str, ...]


def watch(path: Path) -> None:
    me = threading.get_ident()
    at_work = _at_work()
    with path.open("w", encoding="utf-8") as file:
        while True:
            began = time.perf_counter()
            time.sleep(_SLEEP)
            late = time.perf_counter() - began - _SLEEP
            before, at_work = at_work, _at_work()
            held = min(late, max((ran - before.get(thread, ran) for thread, ran in at_work.items()), default=0.0))
            if held >= _LEAST:
                frames = [
                    f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {frame.f_code.co_name}"
                    for thread, frame in sys._current_frames().items()
                    if thread != me
                ]
                file.write(json.dumps([time.time(), held * 1e3, frames]) + "\n")
                file.flush()


def _at_work() -> dict[str, float]:
    """Seconds that each other thread of this process has run so far."""
    ran = {}
    for task in Path("/proc/self/task").iterdir():
        if task.name != str(threading.get_native_id()):
            try:
                ran[task.name] = int((task / "schedstat").read_bytes().split()[0]) / 1e9
            except OSError:
                continue  # it has just ended
    return ran


def holds(stand: Stand, since: float) -> Iterator[Hold]:
    """Those that ended after a moment."""
    assert stand.home is not None
    for line in (stand.home.home.root / _FILE).read_text("utf-8").splitlines():
        try:
            at, ms, frames = json.loads(line)
        except ValueError:
            continue  # it is being written, or a worker was replaced while it wrote
        if at >= since:
            yield Hold(at, ms, tuple(frames))


def planted(stand: Stand) -> float:
    """Milliseconds that were noticed of a call that surely held the interpreter."""

    def noticed() -> float:
        found = [hold.ms for hold in holds(stand, 0) if any(hold_now_and_then.__name__ in each for each in hold.frames)]
        return max(found, default=0.0)

    until(noticed, "a planted call is noticed")
    return noticed()


def hold_now_and_then() -> None:
    for _ in range(4):
        time.sleep(0.2)
        sum(range(_PLANTED))
    time.sleep(0.2)


class _Home(DaemonHome):
    def launch(self, **environment: str) -> subprocess.Popen[bytes]:
        launched = subprocess.Popen(
            [sys.executable, "-m", "bench.watched", "supervisor", str(self.home.root)],
            env=self.environment | {"PYTHONPATH": str(ROOT)} | environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(launched)
        return launched


@contextmanager
def watched() -> Iterator[Stand]:
    home = _Home()
    try:
        home.home.prepare()
        home.start()
        until(lambda: home.facts.get("worker_pid"), "the worker is there")
        yield Stand(home.facts["port"], home.token, home.facts["worker_pid"], home)
    finally:
        home.remove()


def main(words: list[str]) -> int:
    role, *arguments = words
    if role == "supervisor":
        return supervisor.main(arguments, worker=("-m", "bench.watched", "worker"))
    threading.Thread(target=watch, args=(Path(arguments[0]) / _FILE,), daemon=True).start()
    threading.Thread(target=hold_now_and_then, daemon=True).start()
    return worker.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
