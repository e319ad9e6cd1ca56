"""The installation is deleted while a session is open: the session goes on, and its settings are free of our hooks."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from holdfast import leave
from holdfast.events.steps import used_events
from holdfast.install import InstallScope, apply, find_client, plan_install
from holdfast.program import PROGRAM
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.install import client
from tests.client.bed.script import Say
from tests.client.bed.tui import Tui
from tests.client.held import of
from tests.support.daemon import HOOK, DaemonHome, until


@pytest.mark.requirement("OPS-10")
def test_a_session_outlives_the_installation(
    tui: Tui, claude: Claude, api: Api, daemon: DaemonHome, tmp_path: Path
) -> None:
    python = tmp_path / "installation" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    claude.env["HOLDFAST_HOME"] = str(daemon.home.root)
    environment = claude.env | {"CLAUDE_CONFIG_DIR": str(claude.config), "HOME": str(claude.home)}
    settings = claude.config / "settings.json"
    apply(
        plan_install(
            InstallScope.USER,
            root=claude.project,
            home=daemon.home,
            port=daemon.facts["port"],
            token=daemon.token,
            python=python,
            hook=HOOK,
            client=find_client(str(client()), environment),
            environment=environment,
            used=used_events(PROGRAM),
        )
    )
    api.script(Say("One."), Say("Two."), Say("Three."))
    tui.start()
    tui.ask("First.")
    until(lambda: of(daemon.journal(), "Stop"), "the first turn")
    shutil.rmtree(python.parent)
    mark = daemon.home.root / "gone-since"
    mark.write_text("a hook missed it before")
    os.utime(mark, (time.time() - 2 * leave.PATIENCE,) * 2)
    daemon.kill()
    tui.ask("Second.")
    until(lambda: "Two." in tui.screen(), "the second answer")
    # The client itself keeps a choice of the person in that file.
    until(lambda: "hooks" not in json.loads(settings.read_text()), "the settings without hooks")
    tui.ask("Third.")
    until(lambda: "Three." in tui.screen(), "the third answer")
    assert tui.screen().count("installation of holdfast was moved or deleted") == 1
    _, _, third = tui.screen().partition("Third.")
    assert "ECONNREFUSED" not in third
