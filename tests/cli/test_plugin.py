"""plugin: where it is written, how it is installed, and what is said when that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.shell import Shell


@pytest.mark.requirement("OPS-3")
def test_it_is_written_installed_or_the_sentence_says_why_not(shell: Shell, tmp_path: Path) -> None:
    unsaid = shell.run("plugin")
    assert (unsaid.returncode, "Name a folder to write the plugin to" in unsaid.stderr) == (2, True)
    written = shell.run("plugin", str(tmp_path / "market"))
    assert f"claude plugin marketplace add {tmp_path / 'market'}" in written.stdout
    assert (tmp_path / "market" / "holdfast" / "hooks" / "hooks.json").exists()
    refused = shell.run("plugin", "--install", "--client", str(shell.client))
    assert refused.returncode == 1
    assert "error: unknown option plugin" in refused.stderr
    assert "By hand: claude plugin marketplace add" in refused.stderr
    shell.client.write_text("#!/bin/sh\necho '2.1.325 (Claude Code)'\n")
    installed = shell.run("plugin", "--install", "--client", str(shell.client), "--json")
    assert json.loads(installed.stdout)["hooks"] is True
    assert (shell.daemon.home.root / "bin" / "holdfast").exists(), "its hooks need no `holdfast` on PATH"
