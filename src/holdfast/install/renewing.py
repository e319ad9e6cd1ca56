"""Gives a Claude Code that was updated, or installed later, the hooks that it can have (OPS-11).

`python -m holdfast.install.renewing HOME VERSION [proxy]`, started by the daemon when a session of that version begins.
It changes only what `up` made with the user's word: files that still have our hooks, and never a project's settings,
which are committed. What it did is one line per file, for the log.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from holdfast import config
from holdfast.errors import HoldfastError
from holdfast.events.steps import used_events
from holdfast.install import client as clients
from holdfast.install import manifest
from holdfast.install.apply import apply
from holdfast.install.manifest import InstalledFile
from holdfast.install.model import ClientInfo, InstallPlan, InstallScope
from holdfast.install.plan import ours_of, plan_install
from holdfast.install.settings import all_hooks, decode, parse_settings, settings_file
from holdfast.paths import Home, token_of
from holdfast.program import PROGRAM

HOOK = Path(__file__).absolute().parents[1] / "hook.py"
"""The command client."""


def renew(home: Home, client: ClientInfo, environment: Mapping[str, str], is_proxied: bool) -> Iterator[str]:
    """Renew the hooks in every file that was installed for an older client. Says what was done."""
    for entry in manifest.load(home).files:
        if entry.scope is InstallScope.PROJECT or not _is_older(entry, client):
            continue
        try:
            yield from _renewed(home, entry, client, environment, is_proxied)
        except HoldfastError as error:
            yield f"{entry.path} was left as it is: {error}"


def _is_older(entry: InstalledFile, client: ClientInfo) -> bool:
    before = clients.parse_version(entry.client)
    return client.version is not None and (before is None or before < client.version)


def _renewed(
    home: Home, entry: InstalledFile, client: ClientInfo, environment: Mapping[str, str], is_proxied: bool
) -> Iterator[str]:
    path, root = Path(entry.path), Path(entry.root)
    if entry.scope is InstallScope.USER:
        environment = {**environment, "CLAUDE_CONFIG_DIR": str(path.parent)}
    if settings_file(entry.scope, root, environment) != path or not _has_our_hooks(home, entry):
        yield f"{path} was left as it is: our hooks are no longer in it."
        return
    plan = _plan(home, entry, client, environment, is_proxied)
    change = plan.change
    if plan.nothing_to_do:
        plan = replace(plan, change=replace(change, way="record"))
    apply(plan)
    added, changed = len(change.added), len(change.replaced)
    yield f"{path}: {client.name} began a session, so {added} hooks were added and {changed} changed for it."


def _plan(
    home: Home, entry: InstalledFile, client: ClientInfo, environment: Mapping[str, str], is_proxied: bool
) -> InstallPlan:
    """Hooks that are commands although that client could post had their reason: they stay commands."""
    before = ClientInfo(version=clients.parse_version(entry.client))
    had_http = "http" in entry.events.values()
    return plan_install(
        entry.scope,
        root=Path(entry.root),
        home=home,
        port=config.load(home.config).config.daemon.port,
        token=token_of(home) or "",
        python=Path(sys.executable),
        hook=HOOK,
        client=client,
        environment=environment,
        used=used_events(PROGRAM),
        may_post=had_http or not (clients.accepts_http(before) or is_proxied),
    )


def _has_our_hooks(home: Home, entry: InstalledFile) -> bool:
    path = Path(entry.path)
    try:
        text = decode(path.read_bytes(), path)
    except OSError:
        return False
    ours = ours_of(home, entry, None, token_of(home))
    return any(hook in ours for _, hook in all_hooks(parse_settings(text, path)))


def main(words: Sequence[str]) -> int:
    home, client = Home(Path(words[0])), ClientInfo(version=clients.parse_version(words[1]))
    try:
        for line in renew(home, client, dict(os.environ), "proxy" in words[2:]):
            print(line)
    except HoldfastError as error:
        print(f"The hooks were not renewed: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
