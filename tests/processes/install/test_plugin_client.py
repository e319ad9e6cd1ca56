"""The plugin is installed and taken out by the client's own commands; what the client says is passed on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.install import Scope, manifest, run_checks
from holdfast.install.model import ClientInfo
from holdfast.install.plugin import HOOKS_FILE, NAME
from holdfast.install.plugin_client import folder_of, install_plugin
from holdfast.install.uninstall import apply_uninstall, plan_uninstall
from tests.support.place import Place


def made_up(place: Place, answer: str = "exit 0") -> ClientInfo:
    """A client that writes down what it is asked."""
    program = place.base / "claude"
    program.write_text(f'#!/bin/sh\necho "$@" >> {place.base}/asked\n{answer}\n')
    program.chmod(0o755)
    return ClientInfo(program, (2, 1, 325))


def asked(place: Place) -> list[str]:
    return (place.base / "asked").read_text().splitlines()


@pytest.mark.requirement("OPS-3")
def test_it_is_installed_from_a_copy_in_the_home_and_taken_out_by_uninstall(place: Place) -> None:
    place.settle()
    assert install_plugin(place.home, made_up(place), place.environment) is None
    folder = folder_of(place.home)
    assert asked(place)[1:] == [f"plugin marketplace add {folder}", "plugin install holdfast@holdfast"]
    assert json.loads((folder / NAME / HOOKS_FILE).read_text())["hooks"]
    plan = plan_uninstall(place.home)
    assert plan.plugin == str(place.base / "claude")
    apply_uninstall(plan, place.environment)
    assert asked(place)[-2:] == ["plugin uninstall holdfast@holdfast", "plugin marketplace remove holdfast"]
    assert plan_uninstall(place.home).nothing_to_do


@pytest.mark.requirement("OPS-3")
def test_beside_hooks_in_the_users_settings_it_comes_without_hooks(place: Place) -> None:
    place.settle()
    place.install(Scope.USER)
    assert install_plugin(place.home, made_up(place), place.environment) is None
    assert json.loads((folder_of(place.home) / NAME / HOOKS_FILE).read_text())["hooks"] == {}
    apply_uninstall(plan_uninstall(place.home, scope=Scope.USER), place.environment)
    place.write(Scope.USER, '{"enabledPlugins": {"holdfast@holdfast": true}}')
    [check] = [each for each in run_checks(place.context()) if each.name == "hooks"]
    assert (check.state, "without hooks of its own" in check.sentence) == ("fail", True)


@pytest.mark.requirement("OPS-3")
def test_a_client_that_refuses_or_is_not_there_is_named_with_the_way_by_hand(place: Place) -> None:
    place.settle()
    refusing = made_up(place, 'echo "plugins are disabled" >&2; exit 1')
    notice = install_plugin(place.home, refusing, place.environment)
    assert notice is not None
    assert "plugins are disabled" in notice.sentence
    assert "claude plugin install holdfast@holdfast" in str(notice.fix)
    for client, words in ((ClientInfo(), "No Claude Code"), (ClientInfo(Path("/nowhere")), "did not run")):
        notice = install_plugin(place.home, client, place.environment)
        assert notice is not None
        assert words in notice.sentence
    assert manifest.load(place.home).plugin_client is None
