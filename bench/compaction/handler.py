"""How long the daemon takes to answer the mod at a compaction of 5,000 messages, beside an empty window (CON-14).

A real daemon, one window with a journal and a transcript of so many messages, and one with a single prompt. The mod's
own request is sent for both in turns, with `GET /api/health` between them, each on a new connection of the Unix socket,
as the mod does it. Before each call the transcript has grown by a message. Then the daemon is started again: the first
call reads the whole record.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.compaction.measure import payload
from bench.compaction.sessions import Moment, sessions
from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import processor_seconds
from tests.support.daemon import DaemonHome, until

LIMIT_MS = 100.0
_SETTINGS = '[continuity]\ncompaction = "holdfast"\nnote_tokens = {tokens}\n'
_NOTE_TOKENS = 12_000
"""The note must hold every request of so long a window; the default is for shorter ones."""
_WARMING = 5
_KEPT = 20_000
_MOST_PROMPTS = 3
_TIME = "2026-11-15T18:41:45.209Z"


@dataclass(slots=True)
class Window:
    """One conversation: what its hooks told the daemon, and its transcript."""

    home: DaemonHome
    folder: Path
    name: str
    messages: int = 0
    prompts: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)

    @property
    def transcript(self) -> Path:
        return self.folder / f"{self.name}.jsonl"

    def tell(self, event: dict[str, object]) -> None:
        own = {"session_id": self.name, "cwd": str(self.folder), "transcript_path": str(self.transcript)}
        self._posted(f"/hooks/{event['hook_event_name']}", event | own)

    def live(self, moment: Moment) -> None:
        """A prompt and a sentence are one message; a tool's call and its result are two."""
        if moment.what == "said":
            self.say(moment.text)
            return
        if moment.what == "prompt":
            self.prompts.append(moment.text)
            self.tell(payload(moment))
            self._write("user", moment.text, promptId=f"p{len(self.prompts)}")
            return
        use = f"toolu_{self.messages:08d}"
        call = {"type": "tool_use", "id": use, "name": "Bash", "input": {"command": moment.text}}
        self._write("assistant", [call])
        self.tell(payload(moment) | {"tool_use_id": use})
        self._write("user", [{"type": "tool_result", "tool_use_id": use, "content": moment.output}])

    def say(self, text: str) -> None:
        self.last = [*self.last, text][-200:]
        self._write("assistant", [{"type": "text", "text": text}])

    def _write(self, role: str, content: Any, **more: str) -> None:
        self.messages += 1
        usage = {"input_tokens": 1, "cache_read_input_tokens": 100 + 30 * self.messages}
        message = {"role": role, "content": content, "id": f"m{self.messages}", "model": "claude-opus-5-5"}
        line = {"type": role, "isSidechain": False, "timestamp": _TIME, "message": message | {"usage": usage}} | more
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def compact(self) -> dict[str, Any]:
        """The request that the mod sends."""
        kept = "\n".join(self.last)[-_KEPT:]
        asked = {"session_id": self.name, "trigger": "manual", "messages": self.messages, "kept": kept}
        return dict(self._posted("/api/continuity/compact", asked | {"prompts": self.prompts[-_MOST_PROMPTS:]}))

    def _posted(self, path: str, value: dict[str, Any]) -> Any:
        status, told = self.home.request("POST", path, json.dumps(value).encode(), {"Content-Type": "application/json"})
        assert status == 200, told
        return told

    def timed(self) -> float:
        """Milliseconds of one answer, which must be a note."""
        began = time.perf_counter()
        told = self.compact()
        took = (time.perf_counter() - began) * 1e3
        assert told["answer"] == "note", told
        return took


def filled(window: Window, messages: int) -> None:
    window.tell({"hook_event_name": "SessionStart", "source": "startup"})
    number = 0
    made = sessions(30)[::-1]
    while window.messages < messages:
        for moment in made[number % len(made)].moments:
            if window.messages >= messages:
                break
            window.live(moment)
        number += 1
    window.live(Moment("prompt", "and now the last step of it"))
    until(lambda: window.compact()["answer"] == "note", "the whole window is known")


def processor_ms(window: Window, calls: int) -> float:
    """Processor time of the daemon for one call, on average: what other work on the machine changes little."""
    worker = int(window.home.facts["worker_pid"])
    before = processor_seconds(worker)
    for _ in range(calls):
        window.timed()
    return (processor_seconds(worker) - before) * 1e3 / calls


def in_turns(home: DaemonHome, full: Window, empty: Window, calls: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of each kind of call, sorted."""
    ours, base, health = [], [], []
    for number in range(calls + _WARMING):
        full.say(f"Step {number} of it is done.")
        took, other = full.timed(), empty.timed()
        began = time.perf_counter()
        home.get("/api/health")
        if number >= _WARMING:
            ours.append(took)
            base.append(other)
            health.append((time.perf_counter() - began) * 1e3)
    return sorted(ours), sorted(base), sorted(health)


def measure(chosen: argparse.Namespace) -> Report:
    calls, messages = (20 if chosen.quick else int(chosen.calls)), (500 if chosen.quick else int(chosen.messages))
    home = DaemonHome()
    try:
        home.home.prepare()
        home.home.config.write_text(_SETTINGS.format(tokens=_NOTE_TOKENS))
        home.start()
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made).resolve()
            full, empty = Window(home, folder, "full"), Window(home, folder, "empty")
            filled(full, messages)
            filled(empty, 0)
            ours, base, health = in_turns(home, full, empty, calls)
            used = [processor_ms(window, calls) for window in (full, empty)]
            note = len(str(full.compact()["note"]))
            home.stop()
            home.start()
            first = full.timed()
    finally:
        home.remove()
    rows = [
        Row(
            f"the whole handler, {messages:,} messages, p{share * 100:g}",
            "ms",
            Sample.one(quantile(ours, share)),
            Sample.one(quantile(base, share)),
            limit,
        )
        for share, limit in ((0.5, None), (0.99, LIMIT_MS))
    ]
    rows.append(Row("processor time of the daemon per call", "ms", Sample.one(used[0]), Sample.one(used[1])))
    rows += [
        Row(f"`GET /api/health`, p{share * 100:g}", "ms", Sample.one(quantile(health, share))) for share in (0.5, 0.99)
    ]
    rows.append(Row("the first call of a daemon that was started again", "ms", Sample.one(first)))
    return Report(
        "The daemon's part of a compaction",
        "CON-14",
        "the same request for a window with one prompt, in turns",
        rows,
        (
            f"{calls} calls of each kind, each on a new connection; {full.messages:,} messages with "
            f"{len(full.prompts)} prompts, a note of {note:,} characters.",
            "A call reads what is new in the journal and the transcript, writes the note, a checkpoint and its record.",
        ),
    )


if __name__ == "__main__":
    main(
        measure, __doc__ or "", "python -m bench.compaction.handler",
        calls=(300, "calls of each kind"), messages=(5_000, "messages of the window"),
    )  # fmt: skip
