"""The command line as a process: what it loads, which home it takes, how a pipe and a completion end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.doors.cli import main as door
from tests.support.patience import PATIENCE
from tests.support.shell import Shell


def test_help_loads_no_verb() -> None:
    script = (
        "import sys; from holdfast.doors.cli.main import main; code = main(['--help'])\n"
        "loaded = [n for n in sys.modules if 'cli.verbs' in n or n in ('msgspec', 'starlette')]\n"
        "sys.exit(code or ('loaded: ' + ', '.join(loaded) if loaded else 0))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert all(verb.summary in done.stdout for verb in door.VERBS.values())


def test_status_does_without_the_daemons_libraries(tmp_path: Path) -> None:
    script = (
        "import sys; from holdfast.doors.cli.main import main; main(sys.argv[1:])\n"
        "sys.exit(', '.join(n for n in ('msgspec', 'starlette', 'uvicorn', 'tomlkit') if n in sys.modules) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "--home", str(tmp_path / "home"), "status"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "not running" in done.stdout


def test_home_is_the_option_before_the_variable(shell: Shell, tmp_path: Path) -> None:
    done = shell.run("--home", str(tmp_path / "other"), "status", "--json")
    assert json.loads(done.stdout)["home"] == str(tmp_path / "other")


def test_a_reader_that_leaves_early_is_no_failure(shell: Shell) -> None:
    shell.daemon.home.logs.mkdir()
    (shell.daemon.home.logs / "daemon.log").write_text("a line\n" * 50_000)
    process = shell.begin("logs", "-n", "50000")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait(PATIENCE)
    assert "Traceback" not in said
    assert "unexpected" not in said


@pytest.mark.requirement("OPS-9")
def test_completion_knows_verbs_options_and_events(shell: Shell) -> None:
    def completed(*words: str) -> str:
        shell.extra = {
            "_HOLDFAST_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(("holdfast", *words)),
            "COMP_CWORD": str(len(words)),
        }
        return shell.run().stdout

    assert "plain,restart" in completed("rest")
    assert "plain,--follow" in completed("journal", "--fo")
    assert "plain,PreToolUse" in completed("journal", "--event", "pret")


@pytest.mark.requirement("OPS-9")
@pytest.mark.parametrize(("kind", "mark"), [("bash", "complete"), ("zsh", "compdef"), ("fish", "complete")])
def test_completion_scripts(kind: str, mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["completion", kind]) == 0
    script = capsys.readouterr().out
    assert "_HOLDFAST_COMPLETE" in script
    assert mark in script
