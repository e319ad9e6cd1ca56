"""What the benchmarks send: PostToolUse bodies in the recorded shapes of the client, at the sizes of ordinary work.

The texts are pieces of the standard library's sources, so that they hold the words that sources hold (`token`,
`key=`, paths, hashes). Each body has one place for the number that makes it an event of its own.
"""

from __future__ import annotations

import json
import random
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.payloads import load

_SEED = 20
_MARK = "toolu_NUMBER"
_SOURCES = ("argparse", "ast", "ssl", "subprocess", "typing", "tarfile", "smtplib", "inspect", "tokenize", "netrc")


class Template(NamedTuple):
    """One event, but for its number and the agent it comes from."""

    tool: str
    head: bytes
    tail: bytes

    def body(self, number: str) -> bytes:
        return self.head + number.encode() + self.tail


def templates(count: int, agents: int = 1, seed: int = _SEED) -> list[Template]:
    """`count` bodies: 40 % Bash, 30 % Read, 20 % Edit, 10 % Write, from so many sessions in turn."""
    chance = random.Random(seed)
    folder = Path(sysconfig.get_path("stdlib"))
    text = "\n".join((folder / f"{name}.py").read_text("utf-8") for name in _SOURCES)
    makers: dict[str, Callable[[random.Random, str], dict[str, Any]]] = {
        "Bash": _bash,
        "Read": _read,
        "Edit": _edit,
        "Write": _write,
    }
    tools = chance.choices(list(makers), (40, 30, 20, 10), k=count)
    made = []
    for index, tool in enumerate(tools):
        session = f"5f2c1c9e-30a1-4c7e-9a55-{index % agents:012x}"
        payload = load(f"PostToolUse-{tool}", session_id=session, tool_use_id=_MARK, **makers[tool](chance, text))
        payload["transcript_path"] = f"/home/dev/.claude/projects/-home-dev-project/{session}.jsonl"
        head, _, tail = (
            json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode().partition(_MARK.encode())
        )
        made.append(Template(tool, head + b"toolu_", tail))
    return made


def sizes(made: list[Template]) -> str:
    """For the notes of a report."""
    lengths = sorted(len(template.body("0" * 20)) for template in made)
    mean = sum(lengths) / len(lengths)
    return f"bodies of {lengths[0]:,} to {lengths[-1]:,} bytes, median {lengths[len(lengths) // 2]:,}, mean {mean:,.0f}"


def _piece(chance: random.Random, text: str, typical: int) -> str:
    size = min(15_000, int(chance.lognormvariate(0, 0.8) * typical))
    start = chance.randrange(len(text) - size)
    return text[start : start + size]


def _path(chance: random.Random) -> str:
    return f"/home/dev/project/src/module_{chance.randrange(200)}.py"


def _bash(chance: random.Random, text: str) -> dict[str, Any]:
    answer = load("PostToolUse-Bash")["tool_response"]
    command = f"cd /home/dev/project && python -m pytest tests/test_{chance.randrange(99)}.py -q 2>&1 | tail -40"
    return {
        "tool_input": {"command": command, "description": "Run the tests of the module that was changed"},
        "tool_response": answer | {"stdout": _piece(chance, text, 1_200)},
    }


def _read(chance: random.Random, text: str) -> dict[str, Any]:
    path, content = _path(chance), _piece(chance, text, 3_500)
    lines = content.count("\n") + 1
    file = {"filePath": path, "content": content, "numLines": lines, "startLine": 1, "totalLines": lines}
    return {"tool_input": {"file_path": path}, "tool_response": {"type": "text", "file": file}}


def _edit(chance: random.Random, text: str) -> dict[str, Any]:
    path, original = _path(chance), _piece(chance, text, 4_000)
    old, new = original[: min(300, len(original) // 2)], _piece(chance, text, 350)
    lines = [" " + line for line in original[300:700].splitlines()]
    lines += ["-" + line for line in old.splitlines()] + ["+" + line for line in new.splitlines()]
    patch = {"oldStart": 10, "oldLines": len(lines), "newStart": 10, "newLines": len(lines), "lines": lines}
    answer = load("PostToolUse-Edit")["tool_response"]
    given = {"filePath": path, "oldString": old, "newString": new, "originalFile": original}
    return {
        "tool_input": {"file_path": path, "old_string": old, "new_string": new, "replace_all": False},
        "tool_response": answer | given | {"structuredPatch": [patch]},
    }


def _write(chance: random.Random, text: str) -> dict[str, Any]:
    path, content = _path(chance), _piece(chance, text, 2_000)
    answer = load("PostToolUse-Write")["tool_response"]
    return {
        "tool_input": {"file_path": path, "content": content},
        "tool_response": answer | {"filePath": path, "content": content},
    }
