"""Recorded sessions: what the real client's hooks told, and the transcripts it wrote meanwhile."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "sessions"
VERSIONS = ("2.1.325", "2.1.197")
_WHERE = "/home/dev/.claude/projects/-home-dev-project"

RECOVERABLE = frozenset({"UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"})
"""What a transcript can tell of; the rest of what http hooks deliver is lost with them."""
Story = Counter[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Hook:
    event: str
    at: int
    payload: dict[str, Any]

    @property
    def by_command(self) -> bool:
        """Delivered by the command client, which spools: never lost."""
        return self.event == "SessionStart"


class Session:
    """One recorded folder, laid out anew below `root`."""

    def __init__(self, version: str, root: Path) -> None:
        source = FOLDER / f"whole-{version}"
        self.root = root
        lines = (source / "hooks.jsonl").read_text("utf-8").replace(_WHERE, str(root)).splitlines()
        self.hooks = [Hook(**json.loads(line)) for line in lines]
        self._lines: list[tuple[int, Path, bytes]] = []
        for path in sorted(source.rglob("*.jsonl")):
            if path.name != "hooks.jsonl":
                self._add(path, root / path.relative_to(source))

    def _add(self, source: Path, target: Path) -> None:
        latest = 0
        for raw in source.read_bytes().splitlines(keepends=True):
            line = json.loads(raw)
            if stamp := line.get("timestamp"):
                latest = max(latest, int(datetime.fromisoformat(stamp).timestamp() * 1_000_000))
            self._lines.append((latest, target, raw))

    def set_back(self, moment: int, by: int) -> None:
        """As if the clock had been set back at a moment: what came later says smaller times, in the same order."""
        self.hooks = [replace(hook, at=hook.at - by) if hook.at >= moment else hook for hook in self.hooks]
        self._lines = [(at, path, _earlier(raw, by) if at >= moment else raw) for at, path, raw in self._lines]

    def write(self, until: int | None = None) -> None:
        """Write the transcripts as far as they were at a time; all of them without one."""
        for path in {path for _, path, _ in self._lines}:
            data = b"".join(raw for at, where, raw in self._lines if where == path and (until is None or at <= until))
            if data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

    def story(self) -> Story:
        return story(hook.payload for hook in self.hooks)


def _earlier(raw: bytes, by: int) -> bytes:
    line = json.loads(raw)
    if stamp := line.get("timestamp"):
        line["timestamp"] = (datetime.fromisoformat(stamp) - timedelta(microseconds=by)).isoformat()
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def story(payloads: Iterable[dict[str, Any]]) -> Story:
    """What happened, as far as a transcript can tell: each event, whose it is, what it is about, and how often."""
    return Counter(_told(payload) for payload in payloads if payload["hook_event_name"] in RECOVERABLE)


def _told(payload: dict[str, Any]) -> tuple[str, ...]:
    names = ("hook_event_name", "session_id", "agent_id", "prompt_id", "tool_use_id", "tool_name", "prompt", "error")
    said = str(payload.get("last_assistant_message") or "")
    told = [str(payload.get(name) or "") for name in names]
    tool_input = json.dumps(payload.get("tool_input"), sort_keys=True)
    return (*told, said, tool_input, str(payload.get("stop_hook_active", "")))
