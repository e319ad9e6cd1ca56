"""A burst of events over kept connections, as many clients at once send it; each event until it is acknowledged."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE
from tests.support.payloads import load


@dataclass
class Burst:
    """What came of a burst: acknowledged ids, and the faults that the senders saw."""

    acknowledged: set[str] = field(default_factory=set)
    faults: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)


def send(daemon: DaemonHome, events: int, clients: int, burst: Burst) -> None:
    """Send so many PostToolUse events from so many clients. An event without an answer is sent again, as it was."""
    template = load("PostToolUse-Bash", cwd=str(daemon.home.root))
    port, token = daemon.facts["port"], daemon.token

    def client(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {token}"}
        for index in range(events // clients):
            use = f"toolu_{number}_{index}"
            body = json.dumps(template | {"session_id": f"agent-{number}", "tool_use_id": use})
            while True:
                try:
                    connection.request("POST", "/hooks/PostToolUse", body, headers)
                    answer = connection.getresponse()
                    answer.read()
                except (OSError, http.client.HTTPException) as error:
                    connection.close()
                    with burst.lock:
                        burst.faults[type(error).__name__] += 1
                    continue
                with burst.lock:
                    burst.faults[str(answer.status)] += 1
                    burst.acknowledged.add(use)
                break
        connection.close()

    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(client, range(clients)))
