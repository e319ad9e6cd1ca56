"""The doctor on the programs that run hooks: Claude Code itself, its copies of our plugin, and other agents."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast import __version__
from holdfast.events.client import CLAUDE_CODE
from holdfast.events.event import EVENTS, SELF_TEST
from holdfast.install import client as clients
from holdfast.install.examination import CheckResult, DoctorContext
from holdfast.install.model import InstallScope
from holdfast.install.settings import user_folder

PLUGIN = "holdfast"


def client(context: DoctorContext) -> CheckResult:
    found = context.client
    if found.version is None:
        fact = found.problem or "the version of Claude Code is unknown"
        sentence = f"{fact[:1].upper()}{fact[1:]}."
        if found.path is not None:
            return CheckResult(
                "client", "fail", sentence, "Repair or update it, or name another one with --client PATH."
            )
        if context.client_was_named:
            return CheckResult("client", "fail", sentence, "Name a Claude Code that is there, or leave --client out.")
        return CheckResult("client", "warn", sentence, "Install Claude Code, or name it with --client PATH.")
    if not clients.known_events(found):
        return CheckResult("client", "fail", f"{found.name} is older than any holdfast was tried with.", "Update it.")
    if not clients.accepts_http(found):
        return CheckResult("client", "warn", f"{found.name} has no http hooks; command hooks are slower.", "Update it.")
    return CheckResult("client", "ok", f"{found.name} at {found.path}.")


def tools(context: DoctorContext) -> CheckResult:
    """`up` registers the tools with the client that it finds. One that was installed later has none."""
    record = context.manifest
    by_plugin = any(name.startswith(f"{PLUGIN}@") for source in context.sources for name in _enabled(source.values))
    if record.server or by_plugin:
        return CheckResult("tools", "ok", "The tools (MCP) are registered with Claude Code.")
    if context.client.version is None or not any(entry.scope is InstallScope.USER for entry in record.files):
        return CheckResult("tools", "ok", "Not asked: there is no Claude Code, or no hooks for all of its projects.")
    sentence = "The tools (MCP) are not registered with Claude Code, so the agent cannot search what is kept."
    return CheckResult("tools", "warn", sentence, "Run `holdfast up`: it registers them for new sessions.")


@dataclass(frozen=True, slots=True)
class PluginCopy:
    """A copy of our plugin that Claude Code keeps; the client loads it, and not the folder it was made from."""

    name: str
    """As the client calls it: holdfast@MARKETPLACE."""
    folder: Path
    version: str


def plugin_copies(context: DoctorContext) -> CheckResult:
    enabled = {name for source in context.sources for name in _enabled(source.values)}
    copies = list(_copies(user_folder(context.environment) / "plugins" / "cache"))
    current = {copy.name for copy in copies if copy.version == __version__}
    left = [one for one in copies if one.name not in enabled or (one.version != __version__ and one.name in current)]
    old = [one for one in copies if one.name in enabled and one.name not in current]
    if old:
        one = old[0]
        sentence = f"Claude Code loads a copy of the plugin of version {one.version or 'unknown'} ({one.folder})."
        return CheckResult("plugin copies", "warn", sentence, f"Run: claude plugin update {one.name}")
    if left:
        folders = " ".join(str(copy.folder) for copy in left)
        sentence = f"Copies of the holdfast plugin that no settings enable are left behind: {folders}."
        return CheckResult("plugin copies", "warn", sentence, f"Run: rm -r {folders}")
    return CheckResult("plugin copies", "ok", "Claude Code keeps no old copy of the plugin.")


def _enabled(values: dict[str, Any]) -> list[str]:
    plugins = values.get("enabledPlugins")
    return [str(name) for name, on in plugins.items() if on] if isinstance(plugins, dict) else []


def _copies(cache: Path) -> Iterator[PluginCopy]:
    """`plugins/cache/MARKETPLACE/PLUGIN/VERSION/.claude-plugin/plugin.json` (2.1.325)."""
    for file in sorted(cache.glob(f"*/{PLUGIN}/*/.claude-plugin/plugin.json")):
        folder = file.parents[1]
        try:
            told = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            told = {}
        version = told.get("version") if isinstance(told, dict) else None
        yield PluginCopy(f"{PLUGIN}@{folder.parents[1].name}", folder, str(version or folder.name))


def other_agents(context: DoctorContext) -> CheckResult:
    """Other programs load Claude Code's settings, and send what they call their events."""
    status = context.status or {}
    told = status.get("clients")
    named = {name: count for name, count in told.items() if name != CLAUDE_CODE} if isinstance(told, dict) else {}
    strange = sorted(set(status.get("events") or ()) - set(EVENTS) - {SELF_TEST})
    if named or strange:
        who = ", ".join(f"{name} ({count} sessions)" for name, count in named.items()) or "a program that has no name"
        events = f"; it sends {', '.join(strange[:3])}" if strange else ""
        sentence = (
            f"Another agent loads the same settings: {who}{events}. Its events are kept; guards may not know them."
        )
        fix = "Switch off the hooks of other tools in that program, or use `holdfast install --scope local`."
        return CheckResult("other agents", "warn", sentence, fix)
    rejected = _rejected_by_copilot(context)
    if rejected:
        sentence = f"Copilot CLI is installed and reads {rejected}; it rejects a file that posts to this machine."
        fix = "Set COPILOT_HOOK_ALLOW_LOCALHOST=1 where you start it, or use `holdfast install --scope project`."
        return CheckResult("other agents", "warn", sentence, fix)
    return CheckResult("other agents", "ok", "No other agent uses these settings.")


def _rejected_by_copilot(context: DoctorContext) -> Path | None:
    """It reads a repository's settings.json, and rejects it whole because of one loopback http hook."""
    if not shutil.which("copilot", path=context.environment.get("PATH", "")):
        return None
    for source in context.sources:
        posts = any(isinstance(hook, dict) and hook.get("type") == "http" for _, hook in source.hooks)
        if source.name == InstallScope.PROJECT.value and posts:
            return source.path
    return None
