"""The plugin is installed and taken out by the client's own commands; what the client says is passed on."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from holdfast.install import InstallScope, manifest, run_checks
from holdfast.install.model import ClientInfo
from holdfast.install.plugin import HOOKS_FILE, NAME
from holdfast.install.plugin_client import folder_of, install_plugin
from holdfast.install.status_line import with_ours
from holdfast.install.touched import take_down
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
    assert asked(place)[2:] == [f"plugin marketplace add {folder}", "plugin install holdfast@holdfast"]
    assert json.loads((folder / NAME / HOOKS_FILE).read_text())["hooks"]
    plan = plan_uninstall(place.home)
    assert plan.plugin == str(place.base / "claude")
    apply_uninstall(plan, place.environment)
    assert asked(place)[-2:] == ["plugin uninstall holdfast@holdfast", "plugin marketplace remove holdfast"]
    assert plan_uninstall(place.home).nothing_to_do


@pytest.mark.requirement("OPS-3")
def test_beside_hooks_in_the_users_settings_it_comes_without_hooks(place: Place) -> None:
    place.settle()
    place.install(InstallScope.USER)
    assert install_plugin(place.home, made_up(place), place.environment) is None
    assert json.loads((folder_of(place.home) / NAME / HOOKS_FILE).read_text())["hooks"] == {}
    apply_uninstall(plan_uninstall(place.home, scope=InstallScope.USER), place.environment)
    place.write(InstallScope.USER, '{"enabledPlugins": {"holdfast@holdfast": true}}')
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


def keeping(place: Place) -> ClientInfo:
    """A client that keeps the user's settings and its marketplaces as 2.1.325 does: keys in another order, laid out
    anew, and empty tables left behind."""
    program = place.base / "claude"
    file = place.file(InstallScope.USER)
    program.write_text(f"""#!{sys.executable} -I
import json, pathlib, sys
words = sys.argv[2:]
file = pathlib.Path({str(file)!r})
settings = json.loads(file.read_text()) if file.exists() else {{}}
markets = settings.get("extraKnownMarketplaces", {{}})
if words[:2] == ["marketplace", "list"]:
    print(json.dumps([{{"name": name, "path": path}} for name, path in markets.items()]))
    sys.exit()
if words[:2] == ["marketplace", "add"]:
    settings["extraKnownMarketplaces"] = {{"holdfast": words[2]}}
if words[:2] == ["marketplace", "remove"]:
    settings["extraKnownMarketplaces"] = {{}}
if words[0] == "install":
    settings["enabledPlugins"] = {{"holdfast@holdfast": True}}
if words[0] == "uninstall":
    settings["enabledPlugins"] = {{}}
file.parent.mkdir(exist_ok=True)
file.write_text(json.dumps(dict(reversed(settings.items())), indent=2))
""")
    program.chmod(0o755)
    return ClientInfo(program, (2, 1, 325))


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("data", [None, '{ "a":1,\t"model": "opus" }'])
@pytest.mark.parametrize("order", ["hooks plugin", "plugin hooks", "plugin", "hooks plugin hooks", "line plugin hooks"])
def test_the_bytes_come_back_although_the_client_wrote_them_anew(place: Place, data: str | None, order: str) -> None:
    place.settle()
    file = place.file(InstallScope.USER)
    if data is not None:
        place.write(InstallScope.USER, data, 0o640)
    for step in order.split():
        if step == "hooks":
            place.port += 1
            place.install(InstallScope.USER)
        elif step == "line":
            take_down(place.home, file)
            text = file.read_text() if file.exists() else None
            place.write(
                InstallScope.USER, with_ours(text, place.python, Path("/x/statusline.py"), place.home.root, file)
            )
        else:
            assert install_plugin(place.home, keeping(place), place.environment) is None
    apply_uninstall(plan_uninstall(place.home), place.environment)
    assert (file.read_text() if file.exists() else None) == data
    assert file.parent.exists() == (data is not None)
    assert not place.home.manifest.exists()


@pytest.mark.requirement("OPS-2", "OPS-3")
def test_the_plugin_of_another_home_is_neither_replaced_nor_removed(place: Place) -> None:
    other = Place(place.base / "other")
    other.house = place.house
    for one in (place, other):
        one.settle()
    client = keeping(place)
    assert install_plugin(place.home, client, place.environment) is None
    refused = install_plugin(other.home, client, place.environment)
    assert refused is not None
    assert str(folder_of(place.home)) in refused.sentence
    assert manifest.load(other.home).plugin_client is None
    manifest.save(other.home, manifest.load(other.home).with_plugin(str(client.path)))
    before = place.file(InstallScope.USER).read_text()
    receipt = apply_uninstall(plan_uninstall(other.home), place.environment)
    assert f"now comes from {folder_of(place.home)}" in str(receipt.notes)
    assert place.file(InstallScope.USER).read_text() == before


@pytest.mark.requirement("OPS-3")
def test_a_client_that_does_not_take_it_out_is_asked_again_the_next_time(place: Place) -> None:
    place.settle()
    install_plugin(place.home, made_up(place), place.environment)
    made_up(place, 'echo "settings are locked" >&2; exit 1')
    receipt = apply_uninstall(plan_uninstall(place.home), place.environment)
    assert "still installed: settings are locked" in str(receipt.notes)
    made_up(place)
    assert plan_uninstall(place.home).plugin
    apply_uninstall(plan_uninstall(place.home), place.environment)
    assert plan_uninstall(place.home).nothing_to_do
