"""The command line as a process: what it loads, which home it takes, how a pipe and a completion end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.doors.cli import main as door
from holdfast.doors.cli.table import VERBS, read_rooms
from tests.support.patience import PATIENCE
from tests.support.shell import Shell

HEAVY = ("asyncio", "msgspec", "tree_sitter", "sqlite3", "starlette", "uvicorn", "tomlkit", "jinja2", "mcp")
OURS = ("holdfast.rooms", "holdfast.store", "holdfast.program", "holdfast.recall", "holdfast.road", "holdfast.config")
LIGHT = ("holdfast.road", "holdfast.road.identity", "holdfast.road.recording")
"""They say whether recording is on here, and need only the standard library."""


def _run(folder: Path, words: tuple[str, ...], is_heavy: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own. The last line of its errors names the modules `n` it loaded that are heavy."""
    script = (
        "import sys; from holdfast.doors.cli.main import main; code = main(sys.argv[1:])\n"
        f"loaded = [n for n in sys.modules if {is_heavy}]\n"
        "print('loaded:', *loaded, file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-c", script, "--home", str(folder / "home"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.requirement("HSE-9")
@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("status",),
        ("search", "pump"),
        ("search", "--help"),
        ("citations", "--help"),
        ("citations", "list"),
        ("remember", "a pump"),
        ("costs", "--since", "3d"),
    ],
    ids=" ".join,
)
def test_a_command_loads_no_room_and_no_library_of_the_daemon(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Also with the daemon down: its help is there, and its call is a sentence."""
    heavy = f"n not in {LIGHT!r} and (n in {HEAVY!r} or n.startswith({OURS!r}))"
    done = _run(tmp_path, words, heavy)
    assert done.returncode == (0 if "--help" in words else 3), done.stderr
    assert done.stderr.splitlines()[-1] == "loaded:"


@pytest.mark.requirement("HSE-9")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("config", "show"), 0),
        (("config", "check"), 0),
        (("doctor",), 1),
        (("install",), 4),
        (("uninstall", "--purge"), 0),
    ],
    ids=str,
)
def test_verbs_that_read_settings_load_no_room_either(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    """What they need of the rooms is in `rooms.json`. Only `restore` loads them, because it writes their tables."""
    done = _run(tmp_path, words, "n.startswith(('holdfast.rooms', 'holdfast.program', 'tree_sitter'))")
    assert done.returncode == code, done.stderr
    assert done.stderr.splitlines()[-1] == "loaded:"


@pytest.mark.requirement("HSE-9")
def test_help_lists_every_verb_and_loads_none() -> None:
    script = (
        "import sys; from holdfast.doors.cli.main import main; code = main(['--help'])\n"
        "sys.exit(code or ', '.join(n for n in sys.modules if 'cli.verbs' in n or 'cli.generated' in n) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stdout.split())
    assert all(verb.summary in shown for verb in VERBS.values())
    assert all(declared["summary"] in shown for declared in read_rooms()["verbs"].values())


def test_status_says_that_nothing_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "holdfast.doors.cli", "--home", str(tmp_path / "home"), "status"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
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
