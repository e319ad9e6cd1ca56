"""holdfast installed for the real client: a daemon of the test's own, and its hooks in the client's settings."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from holdfast.events.steps import used_events
from holdfast.install import InstallScope, apply, find_client, plan_install
from holdfast.program import PROGRAM
from tests.client.bed.claude import Claude
from tests.client.bed.install import client
from tests.support.daemon import HOOK, DaemonHome, until
from tests.support.patience import PATIENCE

Entries = list[dict[str, Any]]


def install(
    claude: Claude,
    daemon: DaemonHome,
    scope: str = "user",
    version: str | None = None,
    *,
    all_events: bool = False,
    guard_command: bool | None = None,
) -> None:
    """Put the hooks into the client's settings, as `holdfast install` does."""
    claude.env["HOLDFAST_HOME"] = str(daemon.home.root)
    environment = claude.env | {"CLAUDE_CONFIG_DIR": str(claude.config), "HOME": str(claude.home)}
    binary = client(version) if version else client()
    plan = plan_install(
        InstallScope(scope),
        root=claude.project,
        home=daemon.home,
        port=daemon.facts["port"],
        token=daemon.token,
        python=Path(sys.executable),
        hook=HOOK,
        client=find_client(str(binary), environment),
        environment=environment,
        used=used_events(PROGRAM),
        all_events=all_events,
        guard_command=guard_command,
    )
    apply(plan)


def counts(entries: Entries) -> Counter[str]:
    """How often each event is in the journal."""
    return Counter(entry["event"] for entry in entries)


def settled(daemon: DaemonHome, session: str, *events: str, seconds: float = PATIENCE) -> Entries:
    """The journal of a conversation, once each of these events is there and no job waits."""

    def there() -> bool:
        seen = counts(daemon.journal(session=session))
        return all(seen[event] for event in events) and daemon.status()["queue"]["jobs"] == 0

    until(there, f"{events} of {session} in the journal and all jobs done", seconds)
    return daemon.journal(session=session)


def of(entries: Entries, event: str) -> Entries:
    return [entry for entry in entries if entry["event"] == event]
