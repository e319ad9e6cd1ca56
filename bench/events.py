"""The four events that a session waits for most, with every room on: p95 of each, beside bare uvicorn (PRF-7).

Whole turns come one after the other: a session starts, asks, reads a file, runs a command. The project is a git
repository with source files, and the store already holds many events of it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.figures import Report, Row, Sample, main, quantile
from bench.road import Line
from bench.stand import Stand, bare, daemon

LIMITS = {"SessionStart": 500.0, "UserPromptSubmit": 200.0, "PreToolUse": 50.0, "PostToolUse": 100.0}
"""Milliseconds at the most, by event."""
_PROMPTS = (
    "Why does the parser of dates fail for the last day of a leap year?",
    "Please add a test for the retry of uploads in upload.py",
    "What did we decide about rounding in billing.py?",
    "The build is red again, have a look at module_{number}.py",
)


def project(folder: Path) -> Path:
    """A small repository with a history."""
    for number in range(40):
        code = f"def work_{number}(value: int) -> int:\n    return value + {number}\n"
        (folder / f"module_{number}.py").write_text(code, "utf-8")
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "all"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return folder


def turn(folder: Path, number: int) -> Iterator[dict[str, Any]]:
    """The events of one short session."""
    common = {"session_id": f"11111111-2222-4333-8444-{number:012x}", "cwd": str(folder), "transcript_path": ""}
    path = str(folder / f"module_{number % 40}.py")
    yield common | {"hook_event_name": "SessionStart", "source": "startup"}
    asked = _PROMPTS[number % len(_PROMPTS)].format(number=number % 40)
    yield common | {"hook_event_name": "UserPromptSubmit", "prompt": asked}
    tools: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("Read", {"file_path": path}, {"type": "text", "file": {"filePath": path, "content": "def work(): ..."}}),
        ("Bash", {"command": f"pytest -q module_{number % 40}.py"}, {"stdout": "4 passed in 0.1s", "stderr": ""}),
        ("Bash", {"command": "rm -rf build && git status --short"}, {"stdout": "", "stderr": ""}),
    ]
    for place, (tool, given, answer) in enumerate(tools):
        use = common | {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{number}_{place}"}
        yield use | {"hook_event_name": "PreToolUse"}
        yield use | {"hook_event_name": "PostToolUse", "tool_response": answer}


def measure(options: argparse.Namespace) -> Report:
    turns = 30 if options.quick else options.turns
    took: dict[tuple[str, str], list[float]] = defaultdict(list)
    with ExitStack() as stack:
        folder = project(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="holdfast-bench-"))))
        stands: dict[str, Stand] = {
            "bare": stack.enter_context(bare()),
            "ours": stack.enter_context(daemon(2_000 if options.quick else options.stored)),
        }
        lines = {name: Line(stand.port) for name, stand in stands.items()}
        for line in lines.values():
            stack.callback(line.close)
        for number in range(turns + 5):
            for event in turn(folder, number):
                for name, stand in stands.items():
                    body = json.dumps(event).encode()
                    head = stand.head(len(body)).replace(
                        b"/hooks/PostToolUse", f"/hooks/{event['hook_event_name']}".encode()
                    )
                    ms = lines[name].ask(head + body) * 1e3
                    if number >= 5:  # the first ones load what is loaded once
                        took[name, event["hook_event_name"]].append(ms)
    rows = [
        Row(
            f"{event}, p{share:.0%}".replace("%", ""),
            "ms",
            Sample.one(quantile(sorted(took["ours", event]), share)),
            Sample.one(quantile(sorted(took["bare", event]), share)),
            limit if share == 0.95 else None,
        )
        for event, limit in LIMITS.items()
        for share in (0.5, 0.95)
    ]
    said = f"{turns} sessions of {sum(1 for _ in turn(Path('/'), 0))} events, one after the other, with every room on."
    return Report("The events that a session waits for", "PRF-7", "bare uvicorn and Starlette, in turn", rows, [said])


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.events",
        turns=(200, "sessions"),
        stored=(20_000, "events stored before"),
    )
