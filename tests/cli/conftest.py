"""A shell for every test of the command line, in a home and a project of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.daemon import DaemonHome
from tests.support.shell import Shell


@pytest.fixture
def shell(home: DaemonHome, tmp_path: Path) -> Shell:
    folder = tmp_path / "project"
    folder.mkdir()
    client = tmp_path / "claude"
    client.write_text(
        '#!/bin/sh\ncase "$1" in --version|mcp) echo "2.1.325 (Claude Code)";; '
        '*) echo "error: unknown option $1" >&2; exit 1;; esac\n'
    )
    client.chmod(0o755)
    return Shell(home, folder, client)


@pytest.fixture
def running(shell: Shell) -> Shell:
    """The same, with its daemon running."""
    shell.daemon.start()
    return shell
