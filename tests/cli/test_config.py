"""config: every key, its value and its origin; what the files say that cannot be."""

from __future__ import annotations

import json

import pytest

from holdfast.config import keys
from tests.support.shell import Shell


@pytest.mark.requirement("OPS-6")
def test_show_names_every_key_and_its_origin(shell: Shell) -> None:
    home = shell.daemon.home
    home.config.write_text('project = "mine"\n[daemon]\nport = 4711\n')
    (shell.folder / ".git").mkdir()
    (shell.folder / ".holdfast.toml").write_text('project = "theirs"\n[daemon]\nport = 1\n')
    shell.extra = {"HOLDFAST_LOG_LEVEL": "debug", "HOLDFAST_STORE": "postgresql://me:hush@host/db"}
    found = {one["key"]: one for one in shell.json("config", "show")}
    assert list(found) == [key.name for key in keys()]
    assert found["project"] == {"key": "project", "value": "theirs", "origin": str(shell.folder / ".holdfast.toml")}
    assert found["daemon.port"] == {"key": "daemon.port", "value": 4711, "origin": str(home.config)}
    assert found["log.level"]["origin"] == "HOLDFAST_LOG_LEVEL"
    assert found["scrub.allow"]["origin"] == "default"
    assert "hush" not in json.dumps(found)
    page = shell.ok("config", "show")
    assert "4711" in page
    assert "hush" not in page


@pytest.mark.requirement("OPS-6")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[daemon]\nprot = 1\n", "daemon.prot"),
        ("[daemon]\nport = 'high'\n", "daemon.port = 'high' does not fit"),
        ("[daemon\n", "is not valid TOML"),
    ],
)
def test_check_names_what_is_wrong(shell: Shell, content: str, said: str) -> None:
    shell.daemon.home.config.write_text(content)
    done = shell.run("config", "check")
    assert done.returncode == 1
    assert said in done.stdout
    document = json.loads(shell.run("config", "check", "--json").stdout)
    assert document["valid"] is False
    assert said in document["complaints"][0]


@pytest.mark.requirement("OPS-6")
def test_check_names_every_fault_of_all_places_at_once(shell: Shell) -> None:
    home = shell.daemon.home
    home.config.write_text(
        "daemon = 5\nbogus = 1\n[retention]\ndetail_days = -1\n[log]\nlevel = 'loud'\n[memory]\ninject = 3\n"
    )
    (shell.folder / ".holdfast.toml").write_text("capture = 'perhaps'\n[memory]\ninject = false\n")
    shell.extra = {"HOLDFAST_STORE_BACKUPS": "many", "HOLDFAST_COMMITS_INDEX": "maybe"}
    told = shell.run("config", "check", "--json")
    assert told.returncode == 1
    complaints = json.loads(told.stdout)["complaints"]
    wrong = (
        "daemon = 5",
        "retention.detail_days = -1",
        "log.level = 'loud'",
        "memory.inject = 3",
        "capture = 'perhaps'",
    )
    for said in (*wrong, "HOLDFAST_STORE_BACKUPS='many'", "HOLDFAST_COMMITS_INDEX='maybe'", "bogus is unknown"):
        assert len([each for each in complaints if said in each]) == 1, (said, complaints)
    assert len(complaints) == 8
    assert len(shell.run("config", "check").stdout.splitlines()) == 8

    home.config.write_text("[daemon\n")
    complaints = json.loads(shell.run("config", "check", "--json").stdout)["complaints"]
    assert ["not valid TOML" in each or "capture" in each for each in complaints[:2]] == [True, True]


@pytest.mark.requirement("OPS-6")
def test_check_looks_at_the_project_too(shell: Shell) -> None:
    (shell.folder / ".holdfast.toml").write_text("[daemon]\nport = 1\n")
    done = shell.run("config", "check")
    assert done.returncode == 1
    assert "daemon.port is unknown (or not a project's to set)" in done.stdout


@pytest.mark.requirement("OPS-6")
def test_a_key_of_an_earlier_version_works_and_shows_what_it_means(shell: Shell) -> None:
    file = shell.daemon.home.config
    file.write_text("[retention]\nobservation_days = 40\n")
    assert shell.json("config", "check") == {"valid": True, "complaints": []}
    found = {one["key"]: one for one in shell.json("config", "show")}
    assert found["retention.detail_days"] == {
        "key": "retention.detail_days",
        "value": 40,
        "origin": str(file),
    }
    assert found["retention.observation_days"]["value"] == 40


def test_check_is_content_with_nothing(shell: Shell) -> None:
    assert shell.ok("config", "check") == "The configuration is valid.\n"


def test_path(shell: Shell) -> None:
    assert shell.ok("config", "path") == f"{shell.daemon.home.config}\n"
    assert shell.json("config", "path")["project"] == str(shell.folder / ".holdfast.toml")
