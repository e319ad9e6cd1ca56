"""The kill test as a soak: events through real sockets while worker and supervisor are killed at random, then counted.

Every event is sent again until it is acknowledged, by the http hook's road and by the command client. At the end each
acknowledged one must be in the journal, once. Exits with 1 when one is lost or doubled.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field

from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

_BASH = load("PostToolUse-Bash")
_START = load("SessionStart-startup")


@dataclass
class Course:
    """What came of a soak."""

    acknowledged: set[str] = field(default_factory=set)
    by_command: set[str] = field(default_factory=set)
    faults: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_whole(self) -> bool:
        return bool(self.acknowledged) and not self.lost and not self.doubled


def soak(seconds: float, *, clients: int = 8, seed: int = 0, say: bool = False) -> Course:
    """Send and kill for so long; what came of it."""
    home, course = DaemonHome(), Course()
    over = threading.Event()
    chance = random.Random(seed)
    try:
        home.start()
        port, token = home.facts["port"], home.token
        senders = [
            threading.Thread(target=_send, args=(home, port, token, number, course, over)) for number in range(clients)
        ]
        senders.append(threading.Thread(target=_send_by_command, args=(home, course, over)))
        for sender in senders:
            sender.start()
        _kill(home, course, chance, time.monotonic() + seconds, say)
        _revive(home)
        over.set()
        for sender in senders:
            sender.join(120)
        until(lambda: not list(home.home.spool.glob("*.json")), "the spool is drained", 120)
        _count(home, course)
    finally:
        over.set()
        home.remove()
    return course


def _send(home: DaemonHome, port: int, token: str, number: int, course: Course, over: threading.Event) -> None:
    """One session of the client: one connection, one event after the other, each until it is acknowledged."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    index = 0
    while not over.is_set():
        use = f"toolu_{number}_{index}"
        body = json.dumps(_BASH | {"session_id": f"s-{number}", "tool_use_id": use, "cwd": str(home.home.root)})
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                connection.request("POST", "/hooks/PostToolUse", body, {"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                with course.lock:
                    course.faults[type(error).__name__] += 1
                time.sleep(0.02)
                continue
            with course.lock:
                course.faults[str(answer.status)] += 1
                if answer.status == 200:
                    course.acknowledged.add(use)
            break
        index += 1
    connection.close()


def _send_by_command(home: DaemonHome, course: Course, over: threading.Event) -> None:
    """The command client between: it revives the daemon, or leaves its event in the spool."""
    index = 0
    while not over.is_set():
        name = f"c-{index}"
        done = home.hook(_START | {"session_id": name})
        with course.lock:
            if done.returncode == 0 and not done.stderr:
                course.by_command.add(name)
            else:
                course.faults[f"command: {done.stderr.decode('utf-8', 'replace')[:80]}"] += 1
        index += 1
        over.wait(0.5)


def _kill(home: DaemonHome, course: Course, chance: random.Random, until_when: float, say: bool) -> None:
    while time.monotonic() < until_when:
        time.sleep(chance.uniform(0.2, 3.0))
        facts = home.facts
        victims = chance.choice((("worker_pid",), ("worker_pid",), ("pid",), ("pid", "worker_pid")))
        for victim in victims:
            with suppress(ProcessLookupError, KeyError, TypeError):
                os.kill(int(facts[victim]), signal.SIGKILL)
        course.kills["+".join(victims)] += 1
        if say:
            print(f"{len(course.acknowledged)} acknowledged, {course.kills.total()} kills", end="\r", flush=True)


def _revive(home: DaemonHome) -> None:
    with suppress(AssertionError):
        until(home.answers, "it answers", 10)
    if not home.answers():
        home.hook(_START | {"session_id": "the last"})
    until(home.answers, "it answers", 30)


def _count(home: DaemonHome, course: Course) -> None:
    with closing(sqlite3.connect(f"file:{home.home.database}?mode=ro", uri=True)) as database:
        uses = Counter(
            row[0] for row in database.execute("SELECT tool_use_id FROM journal WHERE event = 'PostToolUse'")
        )
        starts = Counter(
            row[0] for row in database.execute("SELECT conversation FROM journal WHERE event = 'SessionStart'")
        )
    course.lost = sorted([use for use in course.acknowledged if not uses[use]])
    course.lost += sorted([name for name in course.by_command if not starts[name]])
    course.doubled = sorted(name for counts in (uses, starts) for name, n in counts.items() if n > 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0, help="Of the times and the victims.")
    options = parser.parse_args()
    course = soak(options.minutes * 60, clients=options.clients, seed=options.seed, say=sys.stdout.isatty())
    print(f"acknowledged: {len(course.acknowledged)} by http, {len(course.by_command)} by the command client")
    print(f"kills: {dict(course.kills)}")
    print(f"seen by the senders: {dict(course.faults)}")
    print(f"lost: {len(course.lost)} {course.lost[:5]}  doubled: {len(course.doubled)} {course.doubled[:5]}")
    return 0 if course.is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
