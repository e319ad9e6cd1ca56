"""The price in the client: a session of tool turns without hooks and with holdfast's, alternating, in one run.

Real client, scripted API on loopback. `python -m bench.price [RUNS] [TURNS]`; three runs of twenty turns by default.
Needs npm and git, as the client's tests do. On a busy machine only the difference within one run says something.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.held import install
from tests.support.daemon import DaemonHome

RUNS, TURNS = 3, 20


@dataclass(frozen=True, slots=True)
class Price:
    """What one session took: seconds on the clock, and of the processors (client, hooks and daemon together)."""

    wall: float
    cpu: float


def session(claude: Claude, api: Api, turns: int, daemon: DaemonHome | None) -> Price:
    uses = [Use("Bash", {"command": f"echo {n}", "description": "a scripted command"}) for n in range(turns)]
    api.script(*uses, Say("Done."))
    before, began = _cpu(daemon), time.perf_counter()
    done = claude.run("Run them all.", timeout=600)
    wall = time.perf_counter() - began
    if done.text != "Done.":
        raise SystemExit(f"The session did not end as scripted: {done.stderr[-500:]}")
    return Price(wall, _cpu(daemon) - before)


def _cpu(daemon: DaemonHome | None) -> float:
    """Seconds of the children that have ended, and of the daemon, which goes on."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = used.ru_utime + used.ru_stime
    for pid in (daemon.facts["pid"], daemon.facts["worker_pid"]) if daemon else ():
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / 100
    return total


def measure(runs: int, turns: int) -> dict[str, list[Price]]:
    """One session without hooks, one with, and so on: what the machine does meanwhile hits both."""
    found: dict[str, list[Price]] = {"no hooks": [], "holdfast": []}
    daemon = DaemonHome()
    with tempfile.TemporaryDirectory(prefix="hf") as folder, Api() as api:
        try:
            daemon.start()
            bare, held = Claude(Path(folder) / "bare", api.url), Claude(Path(folder) / "held", api.url)
            install(held, daemon)
            session(bare, api, 1, None)  # the first start of a client reads its program from the disk
            for _ in range(runs):
                found["no hooks"].append(session(bare, api, turns, None))
                found["holdfast"].append(session(held, api, turns, daemon))
        finally:
            daemon.remove()
    return found


def main(arguments: list[str]) -> None:
    runs, turns = (*map(int, arguments), *(RUNS, TURNS)[len(arguments) :])
    found = measure(runs, turns)
    middle = {
        name: Price(statistics.median(one.wall for one in each), statistics.median(one.cpu for one in each))
        for name, each in found.items()
    }
    for name, price in middle.items():
        print(f"{name:<10} {price.wall:6.2f} s   {price.cpu:6.2f} s of processor time")
    bare, held = middle["no hooks"], middle["holdfast"]
    more = held.wall - bare.wall
    print(f"more       {more:+6.2f} s   {held.cpu - bare.cpu:+6.2f} s   {more / turns * 1000:+.0f} ms per turn")
    print(f"({runs} sessions of {turns} tool turns each, alternating, medians)")


if __name__ == "__main__":
    main(sys.argv[1:])
