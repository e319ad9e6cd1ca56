"""The price in the client: a session of tool turns without hooks and with holdfast's, in turn, in one run.

A third session has the same hooks, but its http hooks are answered by a server that does nothing: what that costs is
the client's own work for hooks, and the rest is holdfast's. The real client and a scripted API on loopback; it
needs npm and git, as the client's tests do. The figure is the median of the differences within a round;
every other round runs backwards, so that none is always last. On a busy machine only differences say something, and the
processor time more than the clock.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import bare
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


KINDS = ("bare", "held", "idle")
"""Sessions without hooks; with holdfast's; with the same hooks and nobody who works for them."""


@dataclass(frozen=True, slots=True)
class Round:
    """One session of each kind, and one of each kind with a single turn: what begins and ends a session is in both."""

    long: dict[str, Price]
    short: dict[str, Price]

    def more(self, kind: str) -> float:
        """Seconds that the session took longer than without hooks."""
        return self.long[kind].wall - self.long["bare"].wall

    def more_a_turn(self, kind: str, turns: int) -> float:
        """Seconds that one more turn takes longer than without hooks."""
        return (self.more(kind) - (self.short[kind].wall - self.short["bare"].wall)) / (turns - 1)


def rounds(runs: int, turns: int) -> list[Round]:
    """What the machine does meanwhile weighs on all sessions of a round."""
    found = []
    daemon = DaemonHome()
    with tempfile.TemporaryDirectory(prefix="hf") as folder, Api() as api, bare() as server:
        try:
            daemon.start()
            claudes = {kind: Claude(Path(folder) / kind, api.url) for kind in KINDS}
            for kind in ("held", "idle"):
                install(claudes[kind], daemon)
            _point_at(claudes["idle"].config / "settings.json", daemon.facts["port"], server.port)
            order = [(kind, length) for length in (turns, 1) for kind in KINDS]
            for number in range(runs + 1):
                took = {
                    (kind, length): session(claudes[kind], api, length, None if kind == "bare" else daemon)
                    for kind, length in order
                }
                if number:  # a first start reads the program from the disk
                    long, short = ({kind: took[kind, length] for kind in KINDS} for length in (turns, 1))
                    found.append(Round(long, short))
                order.reverse()
        finally:
            daemon.remove()
    return found


def _point_at(settings: Path, old: int, new: int) -> None:
    text = settings.read_text("utf-8")
    settings.write_text(text.replace(f"http://127.0.0.1:{old}/", f"http://127.0.0.1:{new}/"), "utf-8")


def measure(options: argparse.Namespace) -> Report:
    runs = 2 if options.quick else options.runs
    if options.turns < 2:
        raise SystemExit("A session needs at least 2 turns: the price of one more turn is their difference.")
    found = rounds(runs, options.turns)
    more = [each.more("held") for each in found]
    own = [each.more("held") - each.more("idle") for each in found]
    low, high = quantile(sorted(more), 0.25), quantile(sorted(more), 0.75)
    rows = [
        Row("a session", "s", _walls(found, "held"), _walls(found, "bare")),
        Row("more for the session", "s", Sample.of(more), limit=_MORE_SECONDS),
        Row("more for one more turn", "ms", _turns_ms(found, "held", options.turns), limit=_MORE_MS),
        Row("the same hooks, and nobody works for them", "ms", _turns_ms(found, "idle", options.turns)),
        Row("more for the session, by its turns", "ms", Sample.of(each / options.turns * 1e3 for each in more)),
        Row("of that holdfast's own, for a turn", "ms", Sample.of(each / options.turns * 1e3 for each in own)),
        Row(
            "processor time of client, hooks and daemon",
            "s",
            Sample.of(each.long["held"].cpu for each in found),
            Sample.of(each.long["bare"].cpu for each in found),
        ),
        Row("more processor time for the session", "s", _more_cpu(found, "bare")),
        Row("of that holdfast's own", "s", _more_cpu(found, "idle")),
    ]
    return Report(
        "The price in the client",
        "PRF-1",
        "the same session without hooks",
        rows,
        (
            f"{runs} rounds of sessions of {options.turns} tool turns each, all rooms on; every other round backwards.",
            f"The middle half of the rounds took {low:+.2f} to {high:+.2f} s more; brackets are the whole range.",
            f"One more turn: what {options.turns} turns cost more than a single one, each with its session's start and "
            f"end, by {options.turns - 1}.",
            "The floor of one more turn is the same hooks with a server that does nothing. Until the guardian took its "
            "place, a third hook that brings a daemon back cost 4 to 5 ms a turn (docs/decisions/0040-guardian.md).",
            "holdfast's own: more than with the same hooks and a server that does nothing. The command hooks and the "
            "daemon's work for them are in both.",
        ),
    )


def _turns_ms(found: list[Round], kind: str, turns: int) -> Sample:
    return Sample.of(each.more_a_turn(kind, turns) * 1e3 for each in found)


def _more_cpu(found: list[Round], than: str) -> Sample:
    return Sample.of(each.long["held"].cpu - each.long[than].cpu for each in found)


def _walls(found: list[Round], kind: str) -> Sample:
    return Sample.of(each.long[kind].wall for each in found)


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.price --runs 12 --turns 20",
        runs=(12, "rounds of sessions: without hooks, with them, with hooks that nobody works for"),
        turns=(20, "tool turns of a session, at least 2"),
    )
