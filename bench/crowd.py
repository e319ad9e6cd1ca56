"""One session sends the worst texts without pause; what do the hooks of the others feel? (SEC-7)

The texts are generated: 256 KiB of one keyword repeated, of half secrets, of long runs, of lines, of what command lines
are made of; in every place where an event has a text (output, error, command, file, prompt, last message). While one
connection sends them as fast as they are answered, others send ordinary events at a steady pace; their p99 and maximum
stand beside those without the crowd, in the same run, and beside a crowd of ordinary events. The slowest of the worst
texts are named with their times. A thread in the daemon notes the longest time in which it did not get the interpreter;
the texts that were sent then are named, too. That it would notice one is shown by calls that are planted at the
daemon's start.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from bench.figures import quantile
from bench.stand import Stand
from bench.watched import holds, planted, watched
from tests.support.payloads import load

SIZE = 256 * 1024
JsonObject = dict[str, Any]
Place = Callable[[str], JsonObject]


def _calls(name: str, argument: str) -> Place:
    payload = load(name)
    return lambda text: payload | {"tool_input": payload["tool_input"] | {argument: text}}


PLACES: dict[str, Place] = {
    "output": lambda text: load("PostToolUse-Bash") | {"tool_response": {"stdout": text, "stderr": ""}},
    "error": lambda text: load("PostToolUseFailure-Bash-exit3") | {"error": f"Exit code 3\n{text}"},
    "command": _calls("PreToolUse-Bash", "command"),
    "file": _calls("PreToolUse-Write", "content"),
    "prompt": lambda text: load("UserPromptSubmit") | {"prompt": text},
    "last message": lambda text: load("Stop") | {"last_assistant_message": text},
}
"""Where a text can stand in an event."""
ORDINARY = PLACES["output"]("12 passed in 0.31s")
_KEYWORDS = (
    *("X-AMZ-SECURITY-TOKEN=", "access_token=a%26refresh_token=b%26", "azdo", "sk-ant-", "password: ", "AKIA", "ghp_"),
    *(
        "-----BEGIN PRIVATE KEY-----\n",
        "Authorization: Bearer ",
        "xoxb-",
        "eyJ",
        "https://a:b@c/",
        "<private>",
        "secret=",
    ),
    *(
        "key-",
        "aws_secret_access_key",
        "\u200b",
        "\x1b[0m",
        "a.b@c.d ",
        "/home/dev/",
        "0123456789abcdef",
        "%41",
        "\\u0041",
    ),
)


_SHELL = (
    *(
        "rm -rf ~; ",
        "$(",
        "`",
        '"$(',
        "python -c 'import os;",
        "{ ",
        "((",
        "'",
        "<<EOF\n",
        "a|",
        "x && ",
        "\\\n",
        "${a:-",
    ),
    *("for i in *; do ", "eval ", 'sh -c "', "xargs ", "find . -exec ", "os.remove(a);", "cd a; ", ">a ", "sudo "),
    *(
        ";",
        "\n",
        "kubectl delete a a a a a a a a; ",
        "git checkout -- f; ",
        "git stash drop; ",
        "psql -c 'drop table a'; ",
    ),
)
"""What command lines are made of."""
READ_WHOLE = 15 * 1024
"""A command of 256 KiB is asked about unread. One of this size is read, which costs more."""


def texts() -> Iterator[tuple[str, JsonObject]]:
    """The worst that we could think of, each 256 KiB and with a name, in every place of an event in turn; then mixtures
    of them, without end."""
    places = itertools.cycle(PLACES)

    def put(name: str, text: str, where: str = "") -> tuple[str, JsonObject]:
        place = where or next(places)
        return f"{name} as {place}", PLACES[place](text[:SIZE])

    chance = random.Random(7)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for keyword, shell in itertools.zip_longest(_KEYWORDS, _SHELL):
        if shell:
            yield put(repr(shell), shell * (SIZE // len(shell) + 1), "command")
            yield put(f"{shell!r}, 15 KiB", (shell * (READ_WHOLE // len(shell) + 1))[:READ_WHOLE], "command")
        for where in ("output", ""):
            yield put(repr(keyword), keyword * (SIZE // len(keyword) + 1), where)
            yield put(f"{keyword!r} in lines", f"{keyword}\n" * (SIZE // (len(keyword) + 1) + 1), where)
    for where in PLACES:
        yield put("letters and digits", "".join(chance.choices(letters, k=SIZE)), where)
        lines = ("".join(chance.choices(letters, k=76)) for _ in range(SIZE // 77))
        yield put("lines of letters and digits", "\n".join(lines), where)
    while True:
        mixed = "".join(chance.choices(_KEYWORDS + _SHELL, k=chance.randint(2, 5)))
        yield put(repr(mixed), mixed * (SIZE // len(mixed) + 1))


class Sender:
    """One connection that is kept, as the client keeps one per session."""

    def __init__(self, stand: Stand, name: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", stand.port, timeout=300)
        self._headers = {"Authorization": f"Bearer {stand.token}", "Content-Type": "application/json"}
        self._name = name
        self._numbers = itertools.count()

    def send(self, event: JsonObject) -> float:
        """Seconds until the answer."""
        number = f"{self._name}{next(self._numbers)}"
        own = {"session_id": self._name, "tool_use_id": f"toolu_{number}", "prompt_id": f"prompt-{number}"}
        body = json.dumps(event | own)
        began = time.perf_counter()
        self._connection.request("POST", f"/hooks/{event['hook_event_name']}", body, self._headers)
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        return time.perf_counter() - began


def others(
    stand: Stand, seconds: float, sessions: int, crowd: Iterator[tuple[str, JsonObject]] | None
) -> tuple[list[float], list[tuple[float, str, float]]]:
    """(latencies of the other sessions, latencies of the one that crowds with what it sent and when), in
    milliseconds."""
    until = time.monotonic() + seconds
    quiet: list[float] = []
    loud: list[tuple[float, str, float]] = []

    def work(number: int) -> None:
        sender, chance = Sender(stand, f"quiet{number}-{crowd is not None}-{seconds}"), random.Random(number)
        while time.monotonic() < until:
            quiet.append(sender.send(ORDINARY) * 1e3)
            time.sleep(chance.uniform(0.02, 0.08))

    def crowded(given: Iterator[tuple[str, JsonObject]]) -> None:
        sender = Sender(stand, f"loud{id(given)}")
        while time.monotonic() < until:
            name, event = next(given)
            loud.append((sender.send(event) * 1e3, name, time.time()))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(sessions)]
    if crowd is not None:
        threads.append(threading.Thread(target=crowded, args=(crowd,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return quiet, loud


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.crowd", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="For each of the three courses.")
    parser.add_argument("--sessions", type=int, default=4)
    options = parser.parse_args()
    with watched() as stand:
        print(f"of a planted call that holds the interpreter {planted(stand):.1f} ms were noticed")
        courses = (
            ("alone", None),
            ("beside ordinary events without pause", itertools.repeat(("ordinary", ORDINARY))),
            ("beside the worst texts without pause", texts()),
        )
        heads = " ".join(f"{name:>8}" for name in ("p50 ms", "p99 ms", "max ms", "hold ms"))
        print(f"{'other sessions':40} {'events':>7} {heads}   the one that crowds")
        for name, crowd in courses:
            began = time.time()
            quiet, loud = others(stand, options.seconds, options.sessions, crowd)
            held = sorted(holds(stand, began), key=lambda hold: -hold.ms)
            values = sorted(quiet)
            told = f"{len(loud)} events, slowest {max(loud)[0]:.0f} ms" if loud else "-"
            longest = held[0].ms if held else 0.0
            figures = (quantile(values, 0.5), quantile(values, 0.99), values[-1], longest)
            print(f"{name:40} {len(values):7} " + " ".join(f"{value:8.1f}" for value in figures) + f"   {told}")
    for took, name, _ in sorted(loud, reverse=True)[:8]:
        print(f"  {took:8.0f} ms  {name}")
    print("longest without the interpreter:")
    for hold in held[:8]:
        sent = next((name for _, name, answered in loud if answered >= hold.at), "")
        print(f"  {hold.ms:8.1f} ms  {sent}  ({'; '.join(hold.frames)[:200]})")


if __name__ == "__main__":
    main()
