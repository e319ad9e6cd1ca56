"""The price in the client: a session of tool turns without hooks and with holdfast's, in pairs, in one run.

The real client and a scripted API on loopback. It needs npm and git, as the client's tests do. The figure is the median
of the pairs' differences; every other pair begins with the session that has hooks, so that neither is always second.
On a busy machine only that difference says something, and the processor time more than the clock.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Report, Row, Sample, main, quantile
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.held import install
from tests.support.daemon import DaemonHome

_MORE_SECONDS, _MORE_MS = 0.3, 12.0
"""The targets: what holdfast may add to a session of twenty turns, and to one turn."""


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
    price = Price(wall, _cpu(daemon) - before)
    api.requests.clear()  # each holds the whole conversation
    return price


def _cpu(daemon: DaemonHome | None) -> float:
    """Seconds of the children that have ended, and of the daemon, which goes on."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = used.ru_utime + used.ru_stime
    for pid in (daemon.facts["pid"], daemon.facts["worker_pid"]) if daemon else ():
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / 100
    return total


def sessions(runs: int, turns: int) -> list[tuple[Price, Price]]:
    """Pairs of a session without hooks and one with: what the machine does meanwhile weighs on both."""
    found = []
    daemon = DaemonHome()
    with tempfile.TemporaryDirectory(prefix="hf") as folder, Api() as api:
        try:
            daemon.start()
            bare, held = Claude(Path(folder) / "bare", api.url), Claude(Path(folder) / "held", api.url)
            install(held, daemon)
            for claude, behind in ((bare, None), (held, daemon)):  # a first start reads the program from the disk
                session(claude, api, turns, behind)
            for number in range(runs):
                if number % 2:
                    with_hooks = session(held, api, turns, daemon)
                    found.append((session(bare, api, turns, None), with_hooks))
                else:
                    found.append((session(bare, api, turns, None), session(held, api, turns, daemon)))
        finally:
            daemon.remove()
    return found


def measure(options: argparse.Namespace) -> Report:
    runs = 2 if options.quick else options.runs
    found = sessions(runs, options.turns)
    more = [held.wall - bare.wall for bare, held in found]
    more_cpu = [held.cpu - bare.cpu for bare, held in found]
    low, high = quantile(sorted(more), 0.25), quantile(sorted(more), 0.75)
    rows = [
        Row("a session", "s", Sample.of(held.wall for _, held in found), Sample.of(bare.wall for bare, _ in found)),
        Row("more for the session", "s", Sample.of(more), limit=_MORE_SECONDS),
        Row("more for a turn", "ms", Sample.of(each / options.turns * 1e3 for each in more), limit=_MORE_MS),
        Row(
            "processor time of client, hooks and daemon",
            "s",
            Sample.of(held.cpu for _, held in found),
            Sample.of(bare.cpu for bare, _ in found),
        ),
        Row("more processor time for the session", "s", Sample.of(more_cpu)),
    ]
    return Report(
        "The price in the client",
        "PRF-1",
        "the same session without hooks",
        rows,
        (
            f"{runs} pairs of sessions of {options.turns} tool turns each; all rooms on. Every other pair begins with "
            "the session that has hooks.",
            f"The middle half of the pairs took {low:+.2f} to {high:+.2f} s more; brackets are the whole range.",
        ),
    )


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.price --runs 12 --turns 20",
        runs=(12, "pairs of sessions, one without hooks and one with"),
        turns=(20, "tool turns of a session"),
    )
