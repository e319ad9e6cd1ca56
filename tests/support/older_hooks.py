"""Hooks that earlier versions wrote, as they stand in settings that nobody has brought up to date."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

REVIVED = "PostToolBatch"
"""The event at which they brought a daemon back."""


def revive_command(python: Path, hook: Path, home: Path) -> str:
    lock, revive = shlex.quote(str(home / "daemon.lock")), shlex.quote(str(hook.with_name("revive.py")))
    return (
        f"{{ IFS=' ,' read -r _ p _ < {lock}; kill -0 \"$p\" && "
        '{ [ ! -e /proc/self/exe ] || [ -e "/proc/$p/exe" ]; }; } 2>/dev/null || '
        f"exec {shlex.quote(str(python))} -I -S -E {revive} {shlex.quote(str(home))}"
    )


def add_revive_hook(settings: Path, python: Path, hook: Path, home: Path) -> None:
    """As if an earlier version had written these settings."""
    read: dict[str, Any] = json.loads(settings.read_text("utf-8"))
    line = revive_command(python, hook, home)
    read["hooks"][REVIVED] = [{"hooks": [{"type": "command", "command": line, "async": True, "timeout": 5}]}]
    settings.write_text(json.dumps(read), "utf-8")
