"""A daemon and a command client whose clock moves with the story: the product's own, in processes with a later time.

Python's clock of the process is moved, so that ids, journal, jobs and ages all agree, as on a machine on that day. By
how much stands in a file that all of them share. The client itself does not notice: its transcripts have today's times.
"""

from __future__ import annotations

import mmap
import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.daemon import HOOK, DaemonHome
from tests.support.patience import PATIENCE, patient

from holdfast.road import patience

ROOT = Path(__file__).parents[2]
_FILE = "story-clock"
_FORM = struct.Struct("<q")
_SECOND = 1_000_000_000

_HOOK = """\
import sys, time
_now, _by = time.time_ns, int.from_bytes(open({clock!r}, "rb").read(8), "little", signed=True)
time.time_ns = lambda: _now() + _by
time.time = lambda: (_now() + _by) / 1e9
code = open({hook!r}).read().replace("DEADLINE = 4.0", "DEADLINE = 9.0")
exec(compile(code, {hook!r}, "exec"), {{"__name__": "__main__", "__file__": {hook!r}}})
"""


class StoryHome(DaemonHome):
    """A home whose daemon lives on the days of a story."""

    def __init__(self) -> None:
        super().__init__()
        self.environment["TZ"] = "UTC"
        self.clock = self.home.root / _FILE
        self.hook_file = self.home.root / "story_hook.py"
        self.hook_file.write_text(_HOOK.format(clock=str(self.clock), hook=str(HOOK)), "utf-8")
        self.set(time.time())

    def set(self, at: float) -> None:
        """It is this time now (seconds since the epoch), and goes on from there."""
        by = int(at * _SECOND) - time.time_ns()
        descriptor = os.open(self.clock, os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            os.write(descriptor, _FORM.pack(by))
        finally:
            os.close(descriptor)

    def launch(self, **environment: str) -> subprocess.Popen[bytes]:
        launched = subprocess.Popen(
            [sys.executable, "-m", "bench.story.clock", "supervisor", str(self.home.root)],
            env=self.environment | {"PYTHONPATH": str(ROOT)} | environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(launched)
        return launched

    def stop(self) -> None:
        """Also one that has not taken the lock of its home yet."""
        for process in self._processes:
            process.terminate()
        super().stop()


def _moved(clock: Path) -> Callable[[], int]:
    """The time of the story, in nanoseconds."""
    with clock.open("rb") as file:
        shared = mmap.mmap(file.fileno(), _FORM.size, prot=mmap.PROT_READ)
    real = time.time_ns
    return lambda: real() + int(_FORM.unpack_from(shared)[0])


def _record(home: Path) -> None:
    """Every payload is written down as it came, for `bench.story.replay`: the journal makes old ones lighter."""
    import json

    from holdfast.gitfiles import Heads
    from holdfast.road.edge import Payload
    from holdfast.road.road import Road, Travelled

    travel, heads = Road.travel, Heads()

    async def recorded(road: Road, payload: Payload, **how: Any) -> Travelled:
        if cwd := payload.fields.get("cwd"):
            line = {"at_us": road.now(), "source": how.get("source", "http"), "branch": heads.branch_at(str(cwd))}
            with (home / "record.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line | {"payload": payload.fields}) + "\n")
        return await travel(road, payload, **how)

    setattr(Road, "travel", recorded)  # noqa: B010


def main(words: list[str]) -> int:
    role, home, *descriptors = words
    now_ns = _moved(Path(home) / _FILE)
    for name, clock in (("time_ns", now_ns), ("time", lambda: now_ns() / _SECOND)):
        setattr(time, name, clock)
    # A busy machine must not drop a step, nor a read of one: what is judged is what is said, not how fast.
    patience.IN_ALL = PATIENCE
    from holdfast.daemon import supervisor, worker
    from holdfast.daemon.compose import Parts
    from holdfast.program import PROGRAM

    if role == "worker":
        _record(Path(home))
    if role == "supervisor":
        return supervisor.main([home, *descriptors], worker=("-m", "bench.story.clock", "worker"))
    return worker.main([home, *descriptors], Parts(program=patient(PROGRAM)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
