"""Indexing whole packages through the daemon: speed and memory, while hooks go on, and interrupted three times.

Each folder that is named becomes a repository of its own; `holdfast code index` reads it as a person calls it. The
first one is stopped by Ctrl-C, then its reader is killed, then the daemon's worker; what is in the index in the end is
held against a reading of the same files that nothing interrupted. Meanwhile another session's tool uses go on, one
every tenth of a second, and how long each is answered is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

from bench.code import Bench, copy_sources, packages
from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import Stand, processor_seconds
from bench.takeover import Meanwhile
from tests.support.daemon import DaemonHome, until

from holdfast.git_calls import git_environment
from holdfast.source.index_file import IndexFile

_WAIT = 1_800.0
Contents = dict[str, list[tuple[str, str, int]]]


def make_repository(folder: Path, into: Path) -> Path:
    copy_sources([folder], into)
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "all"],
    ):
        subprocess.run(["git", *words], cwd=into, check=True, capture_output=True, env=git_environment())
    return into.resolve()


def contents(file: Path, root: Path) -> Contents:
    """Each file of an index with its functions and classes."""
    with closing(IndexFile(file)) as index:
        tree = index.tree_id(str(root))
        files = index.files(tree) if tree is not None else {}
        return {
            path: sorted((unit.kind, unit.qualified, unit.line) for unit in index.units_of(known.content))
            for path, known in files.items()
        }


def units_in(read: Contents) -> int:
    return sum(kind not in ("file", "section") for units in read.values() for kind, _, _ in units)


class Run:
    """A daemon, and the index of each repository in its home."""

    def __init__(self, home: DaemonHome) -> None:
        self.home = home
        self.memory = 0.0
        """Of the process that reads, at its largest, in MB."""
        self.used = 0.0
        """Its processor time, in seconds."""

    @property
    def worker(self) -> int:
        return int(self.home.facts["worker_pid"])

    def index(self, root: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-m", "holdfast.doors.cli", "code", "index"],
            cwd=root,
            env=self.home.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def whole(self, root: Path) -> float:
        """Index a repository; the seconds that it took."""
        began, readers = time.perf_counter(), set[int]()
        running = self.index(root)
        before = {pid: processor_seconds(pid) for pid in self.readers()}
        last: dict[int, float] = {}
        while running.poll() is None:
            time.sleep(0.05)
            readers |= set(self.readers())
            for pid in readers:
                with suppress(OSError, IndexError, ValueError):
                    self.memory = max(self.memory, peak(pid))
                    last[pid] = processor_seconds(pid)
        assert running.returncode == 0, running.returncode
        self.used += sum(seconds - before.get(pid, 0.0) for pid, seconds in last.items())
        return time.perf_counter() - began

    def interrupt(self, root: Path) -> list[int]:
        """Stop the indexing three times, in three ways; how many files were in the index each time."""
        kept = []
        for way in ("Ctrl-C", "reader", "worker"):
            before = len(self.read(root))
            running = self.index(root)
            until(lambda before=before: len(self.read(root)) > before, f"some files are read before {way}", _WAIT)  # type: ignore[misc]
            if way == "Ctrl-C":
                running.send_signal(signal.SIGINT)
                running.wait(60)
            elif way == "reader":
                os.kill(self.readers()[0], signal.SIGKILL)
                running.send_signal(signal.SIGINT)
                running.wait(60)
            else:
                killed = self.worker
                os.kill(killed, signal.SIGKILL)
                running.wait(60)
                until(lambda killed=killed: self.home.answers() and self.worker != killed, "another worker answers")  # type: ignore[misc]
            kept.append(len(self.read(root)))
        return kept

    def read(self, root: Path) -> Contents:
        for file in (self.home.home.root / "code").glob("*.db"):
            with suppress(Exception):  # it may be made just now
                if found := contents(file, root):
                    return found
        return {}

    def readers(self) -> list[int]:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True)
        rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
        worker = str(self.home.facts.get("worker_pid"))
        return [int(pid) for pid, parent, command in rows if parent == worker and "holdfast.source.child" in command]


def peak(pid: int) -> float:
    """The most memory that a process had so far, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


async def undisturbed(root: Path, folder: Path) -> Contents:
    bench = Bench(folder, root)
    _, tree = await bench.build()
    await bench.code.worker.close()
    return contents(tree.file, root)


def measure(options: argparse.Namespace) -> Report:
    folders = (options.folders or packages())[: 1 if options.quick else None]
    home = DaemonHome()
    try:
        with tempfile.TemporaryDirectory(prefix="holdfast-indexing-") as made:
            roots = [make_repository(each, Path(made) / each.name) for each in folders]
            home.start()
            until(lambda: home.facts.get("worker_pid"), "the worker is there")
            run = Run(home)
            kept = run.interrupt(roots[0])
            stand = Stand(home.facts["port"], home.token, run.worker, home)
            quiet = Meanwhile(stand)
            quiet.start()
            time.sleep(5)
            alone = quiet.stop()
            idle = peak(run.worker)
            other = Meanwhile(stand)
            other.start()
            seconds = {root: run.whole(root) for root in roots}
            beside = other.stop()
            busy = peak(run.worker)
            units = {root: units_in(run.read(root)) for root in roots}
            lost = run.read(roots[0]) != asyncio.run(undisturbed(roots[0], Path(made) / "index"))
    finally:
        home.remove()
    total, taken = (
        sum(units.values()),
        sum(each for root, each in seconds.items() if root != roots[0] or len(roots) == 1),
    )
    fresh = total - (units[roots[0]] if len(roots) > 1 else 0)
    rows = [
        Row("functions and classes", "", Sample.one(total)),
        Row("indexed per second", "", Sample.one(fresh / taken)),
        Row("indexed per second of processor time", "", Sample.one(fresh / max(0.01, run.used))),
        Row("memory of the process that reads", "MB", Sample.one(run.memory), limit=500.0),
        Row("memory that the worker needed more", "MB", Sample.one(busy - idle), limit=50.0),
        Row("hooks meanwhile, p50", "ms", Sample.one(quantile(beside, 0.5)), Sample.one(quantile(alone, 0.5))),
        Row("hooks meanwhile, p99", "ms", Sample.one(quantile(beside, 0.99)), Sample.one(quantile(alone, 0.99))),
        Row("repositories whose index lacks something after the interruptions", "", Sample.one(int(lost)), limit=0.0),
    ]
    notes = [
        ", ".join(f"{root.name}: {units[root]:,} in {seconds[root]:.1f} s" for root in roots) + ".",
        f"{roots[0].name} was stopped by Ctrl-C with {kept[0]:,} files read, its reader killed with {kept[1]:,}, the "
        f"worker killed with {kept[2]:,}; its time is that of the rest, and is not in the speed.",
        "Baseline of the hooks: the same session on the same daemon before.",
    ]
    return Report("Indexing whole packages", "CTX-3", "the same hooks before it", rows, notes)


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.indexing ~/src/django ~/src/sympy",
        lambda parser: parser.add_argument("folders", nargs="*", type=Path, help="folders with packages"),
    )
