"""The port of a home: chosen once, another for every home, and found again when the file that named it is lost."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import DaemonHome
from tests.support.shell import Shell


@pytest.fixture
def second(tmp_path: Path, shell: Shell) -> Iterator[Shell]:
    """Another home on the same machine, with a client configuration of its own."""
    made = DaemonHome()
    folder = tmp_path / "second"
    folder.mkdir()
    try:
        yield Shell(made, folder, shell.client)
    finally:
        made.remove()


def ports_of(settings: Path) -> set[int]:
    """The ports that the http hooks in a settings file post to."""
    return {int(found) for found in re.findall(r"127\.0\.0\.1:(\d+)/hooks/", settings.read_text())}


def checks(shell: Shell) -> dict[str, dict[str, str]]:
    done = shell.run("doctor", "--client", str(shell.client), "--json")
    return {one["name"]: one for one in json.loads(done.stdout)["checks"]}


@pytest.mark.requirement("OPS-5")
def test_two_homes_have_a_port_each_and_a_lost_one_is_found_again(shell: Shell, second: Shell) -> None:
    for one in (shell, second):
        assert not one.daemon.home.config.exists()
        one.up()
    mine, other = ({int(each.daemon.facts["port"])} for each in (shell, second))
    assert (ports_of(shell.settings), ports_of(second.settings)) == (mine, other)
    assert mine != other
    [port] = mine

    # config.toml is lost while the daemon runs: the doctor says so, and `up` writes the port down again.
    config = shell.daemon.home.config
    config.unlink()
    found = checks(shell)
    assert (found["port"]["state"], found["port same"]["state"]) == ("warn", "ok")
    assert f"The daemon listens on port {port}, but {config} does not name it" in found["port"]["sentence"]
    assert "The hooks were installed already" in shell.up()
    assert f"port = {port}" in config.read_text()

    # Lost while the daemon is down: the hooks' port is taken again.
    shell.ok("stop")
    config.unlink()
    found = checks(shell)
    assert f"The hooks post to port {port}, but {config} does not name it" in found["port"]["sentence"]
    shell.ok("start")
    assert (int(shell.daemon.facts["port"]), f"port = {port}" in config.read_text()) == (port, True)
    assert checks(shell)["port"]["state"] == "ok"

    # Another program has taken it meanwhile: the daemon starts elsewhere, the doctor names both ports, `up` mends.
    shell.ok("stop")
    config.unlink()
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        stranger.bind(("127.0.0.1", port))
        stranger.listen()
        shell.ok("start")
        new = int(shell.daemon.facts["port"])
        assert new != port
        wrong = checks(shell)["port same"]
        assert wrong["sentence"] == f"Hooks post to port {port}, but the daemon's port is {new}."
        assert wrong["fix"] == "Run `holdfast install`."
        shell.up()
    assert ports_of(shell.settings) == {new}
    assert checks(shell)["port same"]["state"] == "ok"
    assert {int(second.daemon.facts["port"])} == other, "the other home was left alone"
