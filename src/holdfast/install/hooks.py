"""Which hook each event gets, and the exact commands: the one page that says what holdfast registers.

Pure decisions on values. How they get into a file is `surgery.py`; what keeps http out, `surroundings.py`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path

from holdfast.errors import UsageError
from holdfast.install.model import Hook, InstallScope

COMMAND_ONLY = frozenset({"SessionStart", "Setup", "PreCompact", "UserPromptSubmit"})
"""The client silently skips http for the first two; for PreCompact only a command's stdout has effect; and what runs at
every prompt brings a daemon back when even its guardian is gone (EVT-15)."""

GUARDED = "PreToolUse"
"""As an http hook it fails open while the daemon is away, and guards are off; as a command it starts the daemon."""

NEVER = {"WorktreeCreate": "registering it would replace git worktrees"}

TIMEOUTS = {"PreToolUse": 10, "SessionStart": 10, "SessionEnd": 10}
"""Seconds. SessionEnd has 1.5 s unless its hook asks for more (client 2.1.325)."""
USUAL_TIMEOUT = 5

PROJECT_COMMAND = (
    'for h in "${HOLDFAST_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/holdfast}"'
    ' "${HOLDFAST_HOME:-$HOME/Library/Application Support/holdfast}";'
    ' do [ -x "$h/hook" ] && exec "$h/hook"; done; exit 0'
)
"""Committed with the project: no token, no machine's paths, silent for colleagues without holdfast."""
PROJECT_MARK = '[ -x "$h/hook" ] && exec "$h/hook"'

AGENT_HEADER, AGENT_VARIABLE = "X-Holdfast-Agent-Id", "AGENT_ID"
"""An http hook has no environment: the client fills this one variable in, because the hook names it (2.1.325)."""

QUIET_HEADER, QUIET = "Prefer", "return=minimal"
"""An http hook asks for an empty body where there is nothing to say: the client reads even `{}` against a schema, which
costs it 2 ms at every event (2.1.325). Whoever does not ask gets `{}`."""

_HOOK_URL = re.compile(r"http://(?:127\.0\.0\.1|localhost):(\d{1,5})/hooks/[A-Za-z]+")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,}")


def hook_command(python: Path, hook: Path, home: Path) -> str:
    """The command client for one home, quoted for a POSIX shell.

    When the installation was moved or deleted, the program in the home takes the hooks out of the settings. The shell
    that the client starts anyway looks for that, so it costs no process.
    """
    program, script = shlex.quote(str(python)), shlex.quote(str(hook))
    gone = shlex.quote(str(home / "bin" / "holdfast"))
    return (
        f"[ -x {program} ] && [ -e {script} ] || exec {gone} hook; exec {program} -I -S -E {script} "
        f"{shlex.quote(str(home))}"
    )


def launcher_script(python: Path, hook: Path, home: Path) -> str:
    """The executable in the home that `PROJECT_COMMAND` looks for."""
    return (
        "#!/bin/sh\n"
        "# Written by `holdfast install`; hooks in project settings call it.\n"
        f"{hook_command(python, hook, home)}\n"
    )


def hook_url(port: int, event: str) -> str:
    return f"http://127.0.0.1:{port}/hooks/{event}"


def wanted_hooks(
    events: Sequence[str],
    *,
    scope: InstallScope,
    http: bool,
    command: str,
    port: int,
    token: str,
    used: Collection[str] | None = None,
    commands: Collection[str] = (),
) -> dict[str, Hook]:
    """Each event's hook. Without `http`, and in project scope always, every event gets a command.

    `used` are the events that something listens to; None means all. `commands` get a command although http would do:
    it starts a daemon that is away, and waits for it.
    """
    if not _TOKEN.fullmatch(token):
        # Anything else could break the header, and the client would read a `$` in it as a variable.
        raise UsageError("The token file holds no usable token. Remove it and run `holdfast restart` to get a new one.")
    if not 0 < port < 65536:
        raise UsageError("No port is settled yet. Run `holdfast start` first: it chooses one and keeps it.")
    hooks: dict[str, Hook] = {}
    for event in events:
        if event in NEVER:
            continue
        timeout = TIMEOUTS.get(event, USUAL_TIMEOUT)
        if used is not None and event not in used:
            continue
        if scope is InstallScope.PROJECT:
            hooks[event] = {"type": "command", "command": PROJECT_COMMAND, "timeout": timeout}
        elif http and event not in COMMAND_ONLY and event not in commands:
            hooks[event] = {
                "type": "http",
                "url": hook_url(port, event),
                "headers": {
                    "Authorization": f"Bearer {token}",
                    AGENT_HEADER: f"${AGENT_VARIABLE}",
                    QUIET_HEADER: QUIET,
                },
                "allowedEnvVars": [AGENT_VARIABLE],
                "timeout": timeout,
            }
        else:
            hooks[event] = {"type": "command", "command": command, "timeout": timeout}
    return hooks


def port_of(hook: object) -> int | None:
    """The port of a hook that posts to some holdfast on this machine."""
    url = hook.get("url") if isinstance(hook, dict) and hook.get("type") == "http" else None
    match = _HOOK_URL.fullmatch(url) if isinstance(url, str) else None
    return int(match[1]) if match else None


def token_of(hook: object) -> str | None:
    """The token in an http hook's header."""
    headers = hook.get("headers") if isinstance(hook, dict) else None
    value = headers.get("Authorization") if isinstance(headers, dict) else None
    return value.removeprefix("Bearer ") if isinstance(value, str) and value.startswith("Bearer ") else None


def command_parts(hook: object) -> tuple[str, str, str] | None:
    """Python, hook file and home of a command made by `hook_command`, or by an older version to bring a daemon back."""
    command = hook.get("command") if isinstance(hook, dict) and hook.get("type") == "command" else None
    if not isinstance(command, str):
        return None
    try:
        parts = shlex.split(command)
    except ValueError:
        return None
    *before, python, first, second, third, script, home = ["", "", "", "", "", "", *parts][-max(6, len(parts)) :]
    name = Path(script).name
    # Earlier versions wrote the command client without anything before it.
    ours = (name == "hook.py" and before[-1:] in ([], [""], ["exec"])) or (
        name == "revive.py" and before[-1:] == ["exec"]
    )
    return (python, script, home) if ours and [first, second, third] == ["-I", "-S", "-E"] else None


def is_project_command(hook: object) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and PROJECT_MARK in command


def is_holdfast(hook: object) -> bool:
    """Made by some holdfast: this home's or another's."""
    posts = port_of(hook) is not None and token_of(hook) is not None
    return posts or command_parts(hook) is not None or is_project_command(hook)
