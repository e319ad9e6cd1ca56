"""service at the command line: a manager that refuses costs nobody the daemon."""

from __future__ import annotations

import pytest

from tests.support.shell import Shell


@pytest.mark.requirement("OPS-14")
def test_a_refused_service_leaves_the_daemon_running(shell: Shell) -> None:
    folder = shell.folder / "tools"
    folder.mkdir()
    for name in ("systemctl", "launchctl"):
        (folder / name).write_text("#!/bin/sh\necho 'Failed to connect to bus' >&2; exit 1\n")
        (folder / name).chmod(0o755)
    shell.extra = {"PATH": f"{folder}:/usr/bin:/bin", "XDG_CONFIG_HOME": str(shell.folder / "config")}
    shell.ok("start")
    done = shell.run("service", "install", "--yes")
    assert done.returncode == 1
    assert "Failed to connect to bus" in done.stderr
    assert "The daemon runs again without it" in done.stderr
    assert shell.daemon.answers()
    assert not (shell.folder / "config").exists()
