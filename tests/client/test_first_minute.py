"""The README, followed: `up`, the import it offers, and a first recall in the next session of the real client."""

from __future__ import annotations

import subprocess

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE
from tests.support.shell import COMMAND


@pytest.mark.requirement("OPS-1")
def test_sessions_from_before_are_offered_and_remembered(claude: Claude, api: Api, home: DaemonHome) -> None:
    def holdfast(*words: str) -> str:
        done = subprocess.run(
            [*COMMAND, "--home", str(home.home.root), *words],
            env=claude.environment() | {"COLUMNS": "300"},
            cwd=claude.project,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    write = Use("Write", {"file_path": str(claude.project / "vat.py"), "content": "CENTS = True\n"})
    api.script(
        write, Say("The cause was Python's banker's rounding. I decided to round VAT half up, in integer cents.")
    )
    claude.run("Why is the VAT on our invoices one cent off?")
    page = holdfast("up", "--yes", "--client", str(claude.binary))
    assert "1 earlier session of Claude Code was found. `holdfast import claude` takes them in" in page
    assert "Took over" in holdfast("import", "claude")
    assert "earlier session" not in holdfast("up", "--yes", "--client", str(claude.binary))
    until(lambda: "rounding" in holdfast("search", "VAT rounding"), "what was done before is found")
    api.script(Say("It was the rounding."))
    claude.run("What did we decide about the VAT rounding on invoices?")
    assert api.reached("round VAT half up, in integer cents")
