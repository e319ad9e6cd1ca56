"""Out again: the bytes and the mode from before, or only what is ours; and a receipt."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError, Refused
from holdfast.install import InstallReceipt, InstallScope, apply_uninstall, as_json, describe, plan_uninstall
from holdfast.times import clock_time, microseconds
from tests.support.odd_json import OddJson
from tests.support.older_hooks import add_revive_hook
from tests.support.place import TOKEN, Place


def uninstall(place: Place) -> InstallReceipt:
    return apply_uninstall(plan_uninstall(place.home))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("seed", range(0, 120, 3))
def test_bytes_and_mode_come_back(place: Place, seed: int) -> None:
    data = OddJson(seed).document()
    scope = list(InstallScope)[seed % len(InstallScope)]
    file = place.write(scope, data, 0o664)
    place.install(scope)
    assert file.read_bytes() != data
    receipt = uninstall(place)
    assert (file.read_bytes(), mode(file)) == (data, 0o664)
    assert receipt.files[0].outcome == "restored byte for byte"
    assert not place.home.manifest.exists()
    assert not place.home.launcher.exists()


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("scope", list(InstallScope))
def test_what_was_not_there_is_gone_again(place: Place, scope: InstallScope) -> None:
    before = sorted(place.root.rglob("*")) + sorted(place.house.rglob("*"))
    place.install(scope)
    uninstall(place)
    assert sorted(place.root.rglob("*")) + sorted(place.house.rglob("*")) == before


def test_a_folder_with_something_else_in_it_stays(place: Place) -> None:
    place.install(InstallScope.LOCAL)
    (place.root / ".claude" / "notes.md").write_text("theirs")
    uninstall(place)
    assert [path.name for path in (place.root / ".claude").iterdir()] == ["notes.md"]


@pytest.mark.requirement("OPS-2")
def test_a_change_by_others_is_kept(place: Place) -> None:
    file = place.write(InstallScope.USER, '{\n    "model": "opus"\n}\n', 0o640)
    place.install()
    file.write_text(file.read_text().replace('"opus"', '"sonnet",\n    "theme": "dark"'))
    receipt = uninstall(place)
    assert file.read_text() == '{\n    "model": "sonnet",\n    "theme": "dark"\n}\n'
    assert mode(file) == 0o640
    assert receipt.files[0].outcome == "our hooks removed"


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("again", [False, True])
def test_a_layout_the_client_changed_comes_back(place: Place, again: bool) -> None:
    file = place.write(InstallScope.USER, '{ "a":1,\t"hooks": { } }')
    place.install()
    file.write_text(json.dumps(json.loads(file.read_text()), indent=2))
    if again:
        place.port += 1
        place.install()
    assert uninstall(place).files[0].outcome == "restored byte for byte"
    assert file.read_text() == '{ "a":1,\t"hooks": { } }'


@pytest.mark.requirement("OPS-2")
def test_installed_edited_and_installed_again(place: Place) -> None:
    """A foreign edit, then a re-install with another port: uninstall gives the edited file without us."""
    file = place.write(InstallScope.USER, '{\n  "a": 1\n}\n')
    place.install()
    file.write_text(file.read_text().replace('"a": 1', '"a": 2'))
    place.port += 1
    place.install()
    assert f":{place.port}/" in file.read_text()
    assert f":{place.port - 1}/" not in file.read_text()
    assert uninstall(place).files[0].outcome == "restored byte for byte"
    assert file.read_text() == '{\n  "a": 2\n}\n'


@pytest.mark.requirement("OPS-2")
def test_a_link_stays_a_link(place: Place) -> None:
    target = place.base / "dotfiles.json"
    target.write_text('{"a":1}')
    target.chmod(0o644)
    link = place.file(InstallScope.USER)
    link.parent.mkdir()
    link.symlink_to(target)
    place.install()
    uninstall(place)
    assert link.is_symlink()
    assert (target.read_text(), mode(target)) == ('{"a":1}', 0o644)


@pytest.mark.requirement("OPS-2")
def test_the_receipt_is_kept_and_private(place: Place) -> None:
    place.write(InstallScope.USER, "{}")
    place.install()
    place.install(InstallScope.PROJECT)
    receipt = uninstall(place)
    assert receipt.path is not None
    kept = json.loads(receipt.path.read_text())
    assert [file["outcome"] for file in kept["files"]] == ["restored byte for byte", "removed"]
    assert mode(receipt.path) == 0o600
    assert mode(receipt.path.parent) == 0o700
    assert str(receipt.path) in describe(receipt)
    moment = microseconds(receipt.time)
    assert moment
    assert f"Uninstalled at {clock_time(moment)}\n" in describe(receipt)
    assert TOKEN not in receipt.path.read_text() + describe(receipt)


@pytest.mark.requirement("OPS-2")
def test_one_scope_can_go_alone(place: Place) -> None:
    place.install(InstallScope.USER)
    place.install(InstallScope.PROJECT)
    apply_uninstall(plan_uninstall(place.home, scope=InstallScope.USER))
    assert not place.file(InstallScope.USER).exists()
    assert place.file(InstallScope.PROJECT).exists()
    assert place.home.launcher.exists()
    assert [change.scope for change in plan_uninstall(place.home).changes] == [InstallScope.PROJECT]


@pytest.mark.requirement("OPS-2")
def test_a_file_broken_since_then_is_named_and_the_rest_goes(place: Place) -> None:
    place.install(InstallScope.USER)
    place.install(InstallScope.LOCAL)
    place.file(InstallScope.USER).write_text("{ broken")
    plan = plan_uninstall(place.home)
    assert "line 1, column 3" in describe(plan)
    apply_uninstall(plan)
    assert place.file(InstallScope.USER).read_text() == "{ broken"
    assert not place.file(InstallScope.LOCAL).exists()
    assert len(plan_uninstall(place.home).notices) == 1


@pytest.mark.requirement("OPS-2")
def test_a_change_after_the_plan_stops_everything(place: Place) -> None:
    place.install(InstallScope.USER)
    place.install(InstallScope.LOCAL)
    plan = plan_uninstall(place.home)
    place.file(InstallScope.LOCAL).write_text("{}")
    with pytest.raises(Refused, match="after the plan was made"):
        apply_uninstall(plan)
    assert place.file(InstallScope.USER).exists()


@pytest.mark.requirement("OPS-2")
def test_a_hook_of_an_earlier_version_goes_too(place: Place) -> None:
    place.settle()
    file = place.write(InstallScope.USER, '{\n  "a": 1\n}')
    place.install()
    add_revive_hook(file, place.python, place.hook, place.home.root)
    apply_uninstall(plan_uninstall(place.home))
    assert json.loads(file.read_text()) == {"a": 1}


@pytest.mark.requirement("OPS-2")
def test_without_a_manifest_ours_are_recognised(place: Place) -> None:
    place.settle()
    file = place.write(InstallScope.USER, '{\n  "a": 1\n}')
    place.install()
    place.home.manifest.unlink()
    assert plan_uninstall(place.home).nothing_to_do
    apply_uninstall(plan_uninstall(place.home, also=[(InstallScope.USER, file)]))
    assert file.read_text() == '{\n  "a": 1\n}'


def test_a_lost_manifest_is_written_again(place: Place) -> None:
    file = place.write(InstallScope.USER, '{\n  "a": 1\n}')
    place.install()
    place.home.manifest.unlink()
    place.install()
    uninstall(place)
    assert file.read_text() == '{\n  "a": 1\n}'


def test_a_damaged_manifest_is_one_sentence(place: Place) -> None:
    place.install()
    place.home.manifest.write_text("{]")
    with pytest.raises(HoldfastError, match=r"is damaged .* rename it"):
        plan_uninstall(place.home)


@pytest.mark.requirement("SEC-3")
def test_the_plan_shows_no_token(place: Place) -> None:
    place.install()
    plan = plan_uninstall(place.home)
    assert TOKEN not in json.dumps(as_json(plan)) + describe(plan) + repr(plan)


def test_two_homes_in_one_file_come_and_go_alone(place: Place) -> None:
    file = place.write(InstallScope.USER, '{\n  "a": 1\n}\n')
    other = Place(place.base / "other", port=place.port + 1, token="o" * 43)
    other.house = place.house
    place.install()
    alone = file.read_bytes()
    other.install()
    uninstall(other)
    assert file.read_bytes() == alone
    other.install()
    uninstall(place)
    assert f":{place.port}/" not in file.read_text()
    uninstall(other)
    assert file.read_text() == '{\n  "a": 1\n}\n'


def test_nothing_installed_and_file_gone(place: Place) -> None:
    assert "Nothing to uninstall" in describe(plan_uninstall(place.home))
    assert uninstall(place).files == ()
    assert not place.home.root.exists()
    place.install()
    place.file(InstallScope.USER).unlink()
    assert uninstall(place).files[0].outcome == "was gone already"
