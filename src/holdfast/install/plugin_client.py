"""Installs the plugin with Claude Code, by the client's own commands, and takes it out again.

The copy stands in the home. Where hooks of this home are in the settings it is written without hooks and tools: http
hooks are quicker, and the tools are registered already. The manifest remembers the client.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from holdfast.install import manifest
from holdfast.install.model import ClientInfo, InstallScope, Notice
from holdfast.install.plugin import HOOKS_FILE, MARKETPLACE, NAME, write_copy
from holdfast.install.settings import settings_file
from holdfast.install.touched import take_down
from holdfast.paths import Home

FULL_NAME = f"{NAME}@{MARKETPLACE}"
SECONDS = 60


def folder_of(home: Home) -> Path:
    return home.root / "plugin"


def has_hooks_in_settings(home: Home) -> bool:
    """Do the user's own settings hold hooks of this home? Those of one project serve only there."""
    return any(entry.scope is InstallScope.USER for entry in manifest.load(home).files)


def leaves_hooks_to_settings(home: Home) -> bool:
    """Was the plugin that is installed from this home written without hooks?"""
    if not manifest.load(home).plugin_client:
        return False
    try:
        return not json.loads((folder_of(home) / NAME / HOOKS_FILE).read_text("utf-8")).get("hooks")
    except (OSError, ValueError, AttributeError):
        return False


def install_plugin(home: Home, client: ClientInfo, environment: Mapping[str, str]) -> Notice | None:
    """Write the copy and install it, or say why not. Our copy that is installed already is replaced; what came from
    elsewhere (another home, a clone) is not."""
    if client.path is None:
        return Notice("plugin", "No Claude Code was found, so the plugin was not installed.", "Name it with --client.")
    folder = folder_of(home)
    other = _from_elsewhere(home, client.path, environment)
    if other:
        return Notice(
            "plugin",
            f"Claude Code has a marketplace `{MARKETPLACE}` from {other}. Nothing was changed.",
            f"To have this one instead: claude plugin marketplace remove {MARKETPLACE}",
        )
    take_down(home, settings_file(InstallScope.USER, folder, environment))
    write_copy(folder, with_hooks=not has_hooks_in_settings(home))
    _ask(client.path, environment, "uninstall", FULL_NAME)
    for words in (("marketplace", "add", str(folder)), ("install", FULL_NAME)):
        said = _ask(client.path, environment, *words)
        if said is not None:
            add = shlex.join(("claude", "plugin", "marketplace", "add", str(folder)))
            by_hand = f"By hand: {add}; claude plugin install {FULL_NAME}"
            return Notice("plugin", f"The plugin was not installed: {said}", by_hand)
    with manifest.exclusive(home):
        manifest.save(home, manifest.load(home).with_plugin(str(client.path)))
    return None


def remove_plugin(home: Home, environment: Mapping[str, str]) -> Notice | None:
    """Take the plugin out of the client again, or say how to do it by hand. Until it is out, the record of it stays."""
    record = manifest.load(home)
    if not record.plugin_client:
        return None
    client = Path(record.plugin_client)
    other = _from_elsewhere(home, client, environment)
    if other:
        manifest.save(home, record.with_plugin(None))
        return Notice("plugin", f"The plugin {FULL_NAME} now comes from {other}.", "It was left as it is.")
    said = _ask(client, environment, "uninstall", FULL_NAME)
    if said is None or "not installed" in said or "not found" in said:
        _ask(client, environment, "marketplace", "remove", MARKETPLACE)
        manifest.save(home, record.with_plugin(None))
        return None
    return Notice("plugin", f"The plugin is still installed: {said}", f"By hand: claude plugin uninstall {FULL_NAME}")


def _from_elsewhere(home: Home, client: Path, environment: Mapping[str, str]) -> str | None:
    """Where the client's marketplace of our name comes from, when that is not this home."""
    try:
        listed = json.loads(_run(client, environment, "marketplace", "list", "--json").stdout)
        [ours] = [one for one in listed if one["name"] == MARKETPLACE]
    except (OSError, subprocess.TimeoutExpired, ValueError, TypeError, KeyError):
        return None  # none, or a client that does not tell
    place = next((str(ours[key]) for key in ("path", "repo", "url") if ours.get(key)), "an unknown place")
    is_here = os.path.realpath(place) == os.path.realpath(folder_of(home))
    return None if is_here else place


def _run(client: Path, environment: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(client), "plugin", *words],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )


def _ask(client: Path, environment: Mapping[str, str], *words: str) -> str | None:
    """One `claude plugin` command: None when it was done, else what the client said."""
    try:
        done = _run(client, environment, *words)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{client} did not run ({type(error).__name__})."
    if done.returncode == 0:
        return None
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"{client} ended with {done.returncode}."
