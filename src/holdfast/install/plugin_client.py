"""Installs the plugin with Claude Code, by the client's own commands, and takes it out again.

The copy stands in the home. Where hooks of this home are in the settings it is written without hooks and tools: http
hooks are quicker, and the tools are registered already. The manifest remembers the client.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

from holdfast.install import manifest
from holdfast.install.model import ClientInfo, Notice, Scope
from holdfast.install.plugin import HOOKS_FILE, MARKETPLACE, NAME, write_copy
from holdfast.paths import Home

FULL_NAME = f"{NAME}@{MARKETPLACE}"
SECONDS = 60


def folder_of(home: Home) -> Path:
    return home.root / "plugin"


def has_hooks_in_settings(home: Home) -> bool:
    """Do the user's own settings hold hooks of this home? Those of one project serve only there."""
    return any(entry.scope is Scope.USER for entry in manifest.load(home).files)


def leaves_hooks_to_settings(home: Home) -> bool:
    """Was the plugin that is installed from this home written without hooks?"""
    if not manifest.load(home).plugin_client:
        return False
    try:
        return not json.loads((folder_of(home) / NAME / HOOKS_FILE).read_text("utf-8")).get("hooks")
    except (OSError, ValueError, AttributeError):
        return False


def install_plugin(home: Home, client: ClientInfo, environment: Mapping[str, str]) -> Notice | None:
    """Write the copy and install it, or say why not. A copy that is installed already is replaced."""
    if client.path is None:
        return Notice("plugin", "No Claude Code was found, so the plugin was not installed.", "Name it with --client.")
    folder = folder_of(home)
    write_copy(folder, with_hooks=not has_hooks_in_settings(home))
    _ask(client.path, environment, "uninstall", FULL_NAME)
    for words in (("marketplace", "add", str(folder)), ("install", FULL_NAME)):
        said = _ask(client.path, environment, *words)
        if said is not None:
            by_hand = f"By hand: claude plugin marketplace add {folder}; claude plugin install {FULL_NAME}"
            return Notice("plugin", f"The plugin was not installed: {said}", by_hand)
    with manifest.exclusive(home):
        manifest.save(home, manifest.load(home).with_plugin(str(client.path)))
    return None


def remove_plugin(home: Home, environment: Mapping[str, str]) -> Notice | None:
    """Take the plugin out of the client again, or say how to do it by hand."""
    record = manifest.load(home)
    if not record.plugin_client:
        return None
    client = Path(record.plugin_client)
    said = _ask(client, environment, "uninstall", FULL_NAME)
    _ask(client, environment, "marketplace", "remove", MARKETPLACE)
    manifest.save(home, record.with_plugin(None))
    if said is None or "not installed" in said or "not found" in said:
        return None
    return Notice("plugin", f"The plugin is still installed: {said}", f"By hand: claude plugin uninstall {FULL_NAME}")


def _ask(client: Path, environment: Mapping[str, str], *words: str) -> str | None:
    """One `claude plugin` command: None when it was done, else what the client said."""
    try:
        done = subprocess.run(
            [str(client), "plugin", *words],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{client} did not run ({type(error).__name__})."
    if done.returncode == 0:
        return None
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"{client} ended with {done.returncode}."
