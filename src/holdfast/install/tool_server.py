"""Registers holdfast's tools (MCP) with Claude Code, by the client's own command, and takes them out again.

The client starts `holdfast mcp`, a relay to the daemon, so its file holds no token. The manifest remembers what was
registered: the client's own file holds more than is ours to read.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from holdfast.install import manifest
from holdfast.install.asking import NoAnswer, ask
from holdfast.install.model import ClientInfo, InstallScope, Notice
from holdfast.paths import Home

NAME = "holdfast"
SECONDS = 30


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """What to register, with which client; None when it is registered already or cannot be."""

    client: Path | None
    command: tuple[str, ...]
    was: str | None = None
    """The command that was registered before."""

    @property
    def nothing_to_do(self) -> bool:
        return self.client is None


def plan_server(home: Home, client: ClientInfo, scope: InstallScope) -> ServerPlan:
    """For all of the user's projects; hooks of one project bring no tools to the others."""
    command = (str(home.command), "mcp")
    registered = manifest.load(home).server
    wanted = scope is InstallScope.USER and client.path is not None and client.version is not None
    return ServerPlan(client.path if wanted and registered != command[0] else None, command, registered)


def adding(plan: ServerPlan) -> str:
    """The command that registers them, to be shown and typed."""
    return shlex.join(("claude", "mcp", "add", "--scope", "user", NAME, "--", *plan.command))


def register(home: Home, plan: ServerPlan, environment: Mapping[str, str]) -> Notice | None:
    """Register, or say why not. Nothing else depends on it, so a client that refuses is no failure."""
    if plan.client is None:
        return None
    if plan.was:
        _ask(plan.client, environment, "remove", "--scope", "user", NAME)
    said = _ask(plan.client, environment, "add", "--scope", "user", NAME, "--", *plan.command)
    if said is not None:
        by_hand = adding(plan)
        return Notice("tools", f"The tools were not registered with Claude Code: {said}", f"By hand: {by_hand}")
    with manifest.exclusive(home):
        manifest.save(home, manifest.load(home).with_server(plan.command[0], str(plan.client)))
    return None


def unregister(home: Home, environment: Mapping[str, str]) -> Notice | None:
    """Take the tools out of the client again, or say how to do it by hand."""
    record = manifest.load(home)
    if not record.server or not record.server_client:
        return None
    said = _ask(Path(record.server_client), environment, "remove", "--scope", "user", NAME)
    manifest.save(home, record.with_server(None, None))
    if said is None or "No MCP server" in said:
        return None
    return Notice("tools", f"The tools are still registered: {said}", f"By hand: claude mcp remove --scope user {NAME}")


def _ask(client: Path, environment: Mapping[str, str], *words: str) -> str | None:
    """One `claude mcp` command: None when it was done, else what the client said."""
    try:
        done = ask([str(client), "mcp", *words], environment, SECONDS)
    except NoAnswer as error:
        return f"`{client} mcp {words[0]}` {error}."
    if done.code == 0:
        return None
    lines = (done.errors or done.output).strip().splitlines()
    return lines[-1] if lines else f"{client} ended with {done.code}."
