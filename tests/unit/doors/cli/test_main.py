"""The table of verbs, and the one door through which every error leaves."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import click
import pytest

from holdfast import __version__
from holdfast.build import identity
from holdfast.doors.cli import main as door
from holdfast.doors.cli.table import VERBS, read_rooms
from holdfast.doors.cli.verbs import status as status_verb
from tests.support.table import each_of

SPEAKS_ITS_OWN = {"run", "hook", "completion", "mcp", "call", "statusline"}
"""A shell's script; JSON already; the client's own words."""


def all_commands() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    for name in (*VERBS, *read_rooms()["verbs"]):
        command = door.load(name)
        found.append((name, command))
        if isinstance(command, click.Group):
            found += [(f"{name} {below}", one) for below, one in command.commands.items()]
    return found


@pytest.mark.requirement("OPS-9")
@each_of(("name", "command"), all_commands())
def test_every_help_text_has_an_example(name: str, command: click.Command) -> None:
    assert "\b\nExample" in inspect.cleandoc(command.help or "")
    assert f"holdfast {name}" in (command.help or "")


@each_of("name", VERBS)
def test_the_table_says_in_short_what_the_verb_says(name: str) -> None:
    summary, words = VERBS[name].summary, inspect.cleandoc(door.load(name).help or "").split()
    assert summary.split()[0] == words[0]
    assert summary.endswith(".")
    assert len(summary) < 75


@pytest.mark.requirement("OPS-9")
@each_of(("name", "command"), all_commands())
def test_what_prints_data_prints_json(name: str, command: click.Command) -> None:
    if not isinstance(command, click.Group) and name not in SPEAKS_ITS_OWN:
        assert "--json" in {word for param in command.params for word in param.opts}


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["--version"]) == 0
    assert capsys.readouterr().out == f"holdfast {__version__} (build {identity()})\n"


@pytest.fixture
def home_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "home"
    monkeypatch.setenv("HOLDFAST_HOME", str(path))
    return path


@pytest.mark.requirement("OPS-9")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nonsense"], 2, "No such command"),
        (["journal", "--limit", "0"], 2, "--limit"),
        (["journal", "--since", "yesterday"], 2, "is no time"),
        (["journal"], 3, "Run `holdfast up`."),
        (["status"], 3, ""),
        (["logs"], 1, "There is no log yet"),
        (["up", "--client", "/nowhere/claude"], 4, "Nothing was changed"),
        (["--help"], 0, ""),
    ],
)
def test_exit_codes(
    words: list[str], code: int, said: str, home_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert door.main(words) == code
    assert said in capsys.readouterr().err
    assert not home_path.exists()


@pytest.mark.requirement("OPS-9")
@pytest.mark.parametrize(("words", "code"), [(["journal", "--json"], 3), (["logs", "--json", "-n", "x"], 2)])
def test_errors_are_json_for_those_who_asked(
    words: list[str], code: int, home_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert door.main(words) == code
    error = json.loads(capsys.readouterr().err)
    assert error["exit_code"] == code
    assert error["error"]


class Broken:
    def __init__(self, home: object) -> None:
        self.secret = "ghp_" + "x7Kd93mQpLzR4tVw" * 2 + "aB3d"
        raise RuntimeError(f"unexpected: {self.secret}")


@pytest.mark.requirement("OPS-9")
@pytest.mark.requirement("SEC-1")
def test_the_unexpected_becomes_a_report_without_secrets(
    home_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(status_verb, "Client", Broken)
    monkeypatch.setenv("SOMETHING_OF_MINE", "only-in-the-environment")
    assert door.main(["status"]) == 70
    [report] = (home_path / "logs").glob("report-*.txt")
    assert str(report) in capsys.readouterr().err
    text = report.read_text()
    assert "RuntimeError: unexpected: [scrubbed:" in text
    assert f"holdfast {__version__}\nPython 3." in text
    assert "x7Kd93mQ" not in text
    assert "only-in-the-environment" not in text
    assert report.stat().st_mode & 0o777 == 0o600


def test_a_report_is_written_elsewhere_when_the_home_cannot_take_it(
    tmp_path: Path, home_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home_path.write_text("a file where the home should be")
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    monkeypatch.setattr(status_verb, "Client", Broken)
    assert door.main(["status"]) == 70
    assert str(elsewhere) in capsys.readouterr().err
    assert len(list(elsewhere.glob("report-*.txt"))) == 1


def test_ctrl_c_is_one_line(
    home_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(home: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(status_verb, "Client", interrupted)
    assert door.main(["status"]) == 130
    assert capsys.readouterr().err.strip() == "holdfast: Interrupted."


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize("name", ["~nobody-of-this-name/x", "relative"])
def test_a_home_that_leads_nowhere_is_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    monkeypatch.setenv("HOLDFAST_HOME", name)
    assert door.main(["status"]) == 2
    assert capsys.readouterr().err.startswith(f"holdfast: {name} cannot be the home: it leads nowhere")


@pytest.mark.requirement("OPS-5")
def test_a_folder_that_is_no_longer_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    assert door.main(["up", "--yes"]) == 1
    assert "is no longer there" in capsys.readouterr().err
