"""The start and the rest: from no daemon at all to the first answer, and the memory of a daemon that does nothing.

Compared: one command hook in a fresh home, until it has its answer, with `import starlette, uvicorn` in a fresh
interpreter; supervisor and worker after some idle seconds with a bare interpreter and the bare application.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from bench.figures import Report, Row, Sample, main
from bench.stand import bare, bare_interpreter, daemon, megabytes
from tests.support.daemon import DaemonHome, until
from tests.support.model import arctic
from tests.support.payloads import load

_LIMIT_SECONDS, _LIMIT_MEGABYTES = 1.0, 150.0


def cold_start() -> float:
    """Seconds until one hook of a home without a daemon has its answer; the event must be in the journal."""
    home = DaemonHome()
    try:
        payload = load("SessionStart-startup")
        began = time.perf_counter()
        done = home.hook(payload)
        took = time.perf_counter() - began
        if not done.stdout.startswith(b"{"):
            raise ValueError(f"the client answered {done.stdout[:200]!r}")
        if len(home.journal(session=payload["session_id"])) != 1 or home.status()["queue"]["spool"]:
            raise ValueError("the first event was not journaled at once")
        return took
    finally:
        home.remove()


def import_only() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", "import starlette.applications, uvicorn"], check=True)
    return time.perf_counter() - began


def idle(seconds: float, stored: int) -> tuple[float, float]:
    """Megabytes of ours (the guardian too) and of the baseline (an interpreter and the bare application)."""
    with daemon(stored) as stand, bare() as base, bare_interpreter() as interpreter:
        assert stand.home is not None
        time.sleep(seconds)
        return _ours(stand.home), megabytes(interpreter) + megabytes(base.pid)


def idle_with_model(seconds: float) -> float:
    """Megabytes of ours with a sentence model loaded, once a question was asked of it."""
    home = DaemonHome()
    try:
        home.home.prepare()
        home.home.config.write_text(f'[recall]\nmodel = "{arctic()}"\n')
        home.start()
        until(lambda: home.status()["model"]["id"], "the model is loaded", 60)
        home.request("POST", "/api/tools/search", b'{"query": "how is the login redirect tested", "project": "all"}')
        time.sleep(seconds)
        return _ours(home)
    finally:
        home.remove()


def _ours(home: DaemonHome) -> float:
    return sum(megabytes(int(home.facts[name])) for name in ("pid", "guardian_pid", "worker_pid"))


def measure(options: argparse.Namespace) -> Report:
    runs = 3 if options.quick else options.runs
    cold_start()  # what was never compiled is compiled now: that happens once, at the installation
    starts, imports = [], []
    for _ in range(runs):
        imports.append(import_only())
        starts.append(cold_start())
    memory = [
        idle(1.0 if options.quick else options.idle, 0 if options.quick else 20_000)
        for _ in range(1 if options.quick else 3)
    ]
    ours, base = zip(*memory, strict=True)
    with_model = [idle_with_model(1.0 if options.quick else options.idle) for _ in range(1 if options.quick else 3)]
    return Report(
        "Start and rest",
        "PRF-4",
        "`import starlette.applications, uvicorn` in a fresh interpreter; a bare interpreter and the bare application",
        [
            Row("cold start to the first answer", "s", Sample.of(starts), Sample.of(imports), _LIMIT_SECONDS),
            Row("idle memory (PSS) of supervisor and worker", "MB", Sample.of(ours), Sample.of(base), _LIMIT_MEGABYTES),
            Row("the same with a sentence model", "MB", Sample.of(with_model), Sample.of(base), _LIMIT_MEGABYTES),
        ],
        (
            f"{runs} starts in fresh homes and as many imports, in turn; each first event was found in the journal.",
            "The sentence model (arctic-embed-s, int8) is an option, and off by default.",
        ),
    )


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.start --runs 15 --idle 5",
        runs=(15, "cold starts"),
        idle=(5.0, "idle seconds before memory is read"),
    )
