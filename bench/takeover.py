"""Taking over existing transcripts: time and memory of `holdfast import claude`, beside just reading the same lines.

The sessions that the real client recorded for `bench.recorded`, each many times under new ids, spread over projects.
Meanwhile another session's tool uses go on, one every tenth of a second, and how long each is answered is measured;
then everything is imported again, which must find nothing new. The baseline is a bare loop of `json.loads` over the
same lines in a process of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from bench.bodies import templates
from bench.figures import Report, Row, Sample, main, quantile
from bench.road import Line
from bench.stand import Stand, processor_seconds
from bench.work import scene
from bench.work.record import played
from tests.support.daemon import DaemonHome, until

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_USE = re.compile(r"(?<=toolu_)[0-9a-f]{8}")
_SESSION = re.compile(r'"sessionId":"([0-9a-f-]{36})"')
_READING = """
import json, pathlib, sys, time
began = time.perf_counter()
for path in pathlib.Path(sys.argv[1]).rglob("*.jsonl"):
    with path.open("rb") as file:
        for line in file:
            json.loads(line)
took = time.perf_counter() - began
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([took, int(peak.split()[1]) / 1024]))
"""


def lay(folder: Path, sessions: int) -> int:
    """So many transcripts under a folder like Claude Code's; their bytes."""
    texts = [(name, text) for name in scene.names() for text in played(name).sessions.values()]
    total = 0
    for number in range(sessions):
        name, text = texts[number % len(texts)]
        copy = number // len(texts)
        if copy:
            salt = f"{copy}-".encode()
            text = _UUID.sub(lambda found, salt=salt: _another(salt + found[0].encode()), text)  # type: ignore[misc]
            text = _USE.sub(lambda found, salt=salt: hashlib.md5(salt + found[0].encode()).hexdigest()[:8], text)  # type: ignore[misc]
            text = text.replace(f"/home/dev/{name}", f"/home/dev/{name}{copy}")
        session = _SESSION.search(text)
        assert session
        place = folder / "projects" / f"-home-dev-{name}{copy or ''}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{session[1]}.jsonl").write_text(text, "utf-8")
        total += len(text.encode())
    return total


def _another(seed: bytes) -> str:
    text = hashlib.md5(seed).hexdigest()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"


class Meanwhile(threading.Thread):
    """A session that works on while others are imported."""

    def __init__(self, stand: Stand) -> None:
        super().__init__()
        self._stand = stand
        self._over = threading.Event()
        self.took: list[float] = []

    def run(self) -> None:
        line = Line(self._stand.port)
        made = templates(50, agents=1, seed=3)
        number = 0
        while not self._over.wait(0.1):
            request = self._stand.request(made[number % len(made)], f"m{number:018d}")
            try:
                self.took.append(1e3 * line.ask(request))
            except ConnectionError:  # on a busy machine this thread may sleep longer than a connection is kept
                line.close()
                line = Line(self._stand.port)
            number += 1
        line.close()

    def stop(self) -> list[float]:
        self._over.set()
        self.join()
        return sorted(self.took)


def measure(chosen: argparse.Namespace) -> Report:
    sessions = 100 if chosen.quick else int(chosen.sessions)
    home = DaemonHome()
    try:
        folder = home.home.root / "claude"
        size = lay(folder, sessions)
        home.start()
        until(lambda: home.facts.get("worker_pid"), "the worker is there")
        pid = int(home.facts["worker_pid"])
        stand = Stand(home.facts["port"], home.token, pid, home)
        quiet = Meanwhile(stand)
        quiet.start()
        time.sleep(5)
        alone = quiet.stop()
        before = _peak(pid)
        other = Meanwhile(stand)
        other.start()
        took, used, taken = _import(home, folder, pid)
        began = time.perf_counter()
        until(lambda: home.status()["queue"]["jobs"] == 0, "all summaries are made", 1_800)
        settling = time.perf_counter() - began
        beside = other.stop()
        again, _, second = _import(home, folder, pid)
        assert taken["transcripts"] == sessions, taken
        assert second["events"] == 0, second
        store = home.status()["store"]["bytes"]
        reading = subprocess.run(
            [sys.executable, "-I", "-c", _READING, str(folder)], capture_output=True, text=True, check=True
        )
        read_seconds, read_peak = json.loads(reading.stdout)
        peak = _peak(pid)
    finally:
        home.remove()
    megabytes = size / 1e6
    base = Sample.of([read_seconds])
    rows = [
        Row("import, whole", "s", Sample.of([took]), base),
        Row("import", "MB/s", Sample.of([megabytes / took]), Sample.of([megabytes / read_seconds])),
        Row("import", "events/s", Sample.of([taken["events"] / took])),
        Row("processor time", "s", Sample.of([used]), base),
        Row("until the last summary after it", "s", Sample.of([settling])),
        Row("import again, nothing new", "s", Sample.of([again]), base),
        Row("peak memory of the worker", "MB", Sample.of([peak]), Sample.of([read_peak])),
        Row("hooks meanwhile, p50", "ms", Sample.of([quantile(beside, 0.5)]), Sample.of([quantile(alone, 0.5)])),
        Row("hooks meanwhile, p99", "ms", Sample.of([quantile(beside, 0.99)]), Sample.of([quantile(alone, 0.99)])),
        Row("store afterwards", "MB", Sample.of([store / 1e6]), Sample.of([megabytes])),
    ]
    notes = [
        f"{sessions:,} sessions, {megabytes:,.0f} MB, {taken['events']:,} events; the peak before was {before:.0f} MB.",
        "Baseline of the hooks: the same session on the same daemon before the import; of the store: the transcripts.",
    ]
    return Report("Taking over transcripts", "MEM-13", "`json.loads` of every line in a bare process", rows, notes)


def _import(home: DaemonHome, folder: Path, pid: int) -> tuple[float, float, dict[str, int]]:
    began, used = time.perf_counter(), processor_seconds(pid)
    done = subprocess.run(
        [sys.executable, "-m", "holdfast.doors.cli.main", "import", "claude", str(folder), "--json"],
        env=home.environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return time.perf_counter() - began, processor_seconds(pid) - used, json.loads(done.stdout)


def _peak(pid: int) -> float:
    """The most memory that a process had so far, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    main(
        measure, __doc__ or "", "python -m bench.takeover --sessions 2000", sessions=(2_000, "transcripts to take over")
    )
