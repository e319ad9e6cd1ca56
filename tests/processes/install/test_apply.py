"""Files after an install: the right one, the right mode, through links, once, and nothing when in doubt."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import msgspec
import pytest

from holdfast.errors import HoldfastError, Refused
from holdfast.install import InstallScope, apply, describe
from tests.support.place import TOKEN, Place


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("scope", list(InstallScope))
def test_each_scope_has_its_file(place: Place, scope: InstallScope) -> None:
    place.install(scope)
    expected = {
        InstallScope.USER: place.house / ".claude" / "settings.json",
        InstallScope.PROJECT: place.root / ".claude" / "settings.json",
        InstallScope.LOCAL: place.root / ".claude" / "settings.local.json",
    }
    written = [path for path in expected.values() if path.exists()]
    assert written == [expected[scope]]
    assert len(json.loads(written[0].read_text())["hooks"]) == 32


@pytest.mark.requirement("OPS-2")
def test_claude_config_dir_moves_the_user_scope(place: Place) -> None:
    place.extra = {"CLAUDE_CONFIG_DIR": str(place.base / "config")}
    place.install()
    assert (place.base / "config" / "settings.json").exists()
    assert not (place.house / ".claude").exists()


@pytest.mark.requirement("SEC-2")
@pytest.mark.requirement("SEC-3")
@pytest.mark.parametrize("before", [None, 0o644, 0o666, 0o600, 0o400])
def test_the_token_is_the_owner_s_alone(place: Place, before: int | None) -> None:
    if before is not None:
        place.write(InstallScope.USER, "{}", before)
    place.install()
    file = place.file(InstallScope.USER)
    assert TOKEN in file.read_text()
    assert mode(file) & 0o077 == 0
    assert mode(place.home.manifest) == 0o600
    assert mode(place.home.root) == 0o700


@pytest.mark.requirement("SEC-3")
def test_committed_settings_hold_no_token_and_keep_their_mode(place: Place) -> None:
    place.write(InstallScope.PROJECT, "{}", 0o664)
    place.install(InstallScope.PROJECT)
    assert TOKEN not in place.file(InstallScope.PROJECT).read_text()
    assert mode(place.file(InstallScope.PROJECT)) == 0o664
    assert mode(place.home.launcher) == 0o700


def test_a_new_committed_file_is_not_for_others_to_write(place: Place) -> None:
    place.install(InstallScope.PROJECT)
    assert mode(place.file(InstallScope.PROJECT)) == 0o644
    assert mode(place.file(InstallScope.PROJECT).parent) == 0o755


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("scope", list(InstallScope))
def test_twice_is_once(place: Place, scope: InstallScope) -> None:
    place.install(scope)
    first = place.file(scope).read_bytes(), place.home.manifest.read_bytes()
    plan = place.plan(scope)
    assert plan.nothing_to_do
    assert "Nothing to do" in describe(plan)
    assert apply(plan).files[0].outcome == "unchanged"
    assert (place.file(scope).read_bytes(), place.home.manifest.read_bytes()) == first


@pytest.mark.requirement("OPS-2")
def test_links_are_followed_and_kept(place: Place) -> None:
    target = place.base / "dotfiles" / "settings.json"
    target.parent.mkdir()
    target.write_text("{}\n")
    link = place.file(InstallScope.USER)
    link.parent.mkdir()
    link.symlink_to(target)
    place.install()
    assert link.is_symlink()
    assert TOKEN in target.read_text()
    assert mode(target) == 0o600
    assert [path.name for path in target.parent.iterdir()] == ["settings.json"]


@pytest.mark.requirement("OPS-2")
def test_a_file_changed_after_the_plan_is_left_alone(place: Place) -> None:
    file = place.write(InstallScope.USER, "{}")
    plan = place.plan()
    file.write_text('{"model": "theirs"}')
    with pytest.raises(Refused, match="was changed by someone else after the plan"):
        apply(plan)
    assert file.read_text() == '{"model": "theirs"}'
    assert not place.home.manifest.exists()


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("data", [b'{\n  "a": 1, // why\n}', b'{"a": ', b"\xff\xfe{\x00}\x00", b'{"a": "\xe9"}'])
def test_what_is_not_json_is_refused_and_stays(place: Place, data: bytes) -> None:
    file = place.write(InstallScope.USER, data)
    with pytest.raises(Refused, match=r"is not valid JSON at line \d+, column \d+.*Nothing was changed"):
        place.plan()
    assert file.read_bytes() == data


@pytest.mark.requirement("OPS-2")
def test_the_manifest_says_what_was_done(place: Place) -> None:
    place.write(InstallScope.USER, b'{"a": 1}', 0o640)
    place.install()
    (entry,) = msgspec.json.decode(place.home.manifest.read_bytes())["files"]
    assert entry["scope"] == "user"
    assert entry["path"] == str(place.file(InstallScope.USER))
    assert entry["original_mode"] == 0o640
    assert entry["client"] == "Claude Code 2.1.325"
    assert entry["events"]["Stop"] == "http"
    assert entry["sha256_before"] != entry["sha256_after"]
    assert TOKEN not in place.home.manifest.read_text()


@pytest.mark.requirement("OPS-2")
def test_a_write_that_fails_leaves_file_and_record_as_they_were(place: Place) -> None:
    file = place.write(InstallScope.USER, "{}")
    plan = place.plan()
    # A name too long for its temporary neighbour: the write fails for root as well.
    long = file.with_name("s" * 250)
    file.rename(long)
    file.symlink_to(long)
    with pytest.raises(HoldfastError, match="It is as it was before"):
        apply(plan)
    assert long.read_text() == "{}"
    assert not place.home.manifest.exists()


@pytest.mark.requirement("OPS-5")
def test_a_home_that_cannot_be_made_is_one_sentence(place: Place) -> None:
    (place.base / "file").write_text("")
    place.home = type(place.home)(place.base / "file" / "home")
    file = place.write(InstallScope.USER, "{}")
    with pytest.raises(HoldfastError, match="cannot be") as caught:
        place.install()
    assert "\n" not in str(caught.value)
    assert file.read_text() == "{}"


@pytest.mark.requirement("OPS-2")
def test_a_new_python_replaces_the_launcher_only(place: Place) -> None:
    place.install(InstallScope.PROJECT)
    before = place.file(InstallScope.PROJECT).read_bytes()
    place.python = Path(os.path.realpath("/bin/sh"))
    plan = place.plan(InstallScope.PROJECT)
    assert not plan.nothing_to_do
    apply(plan)
    assert str(place.python) in place.home.launcher.read_text()
    assert place.file(InstallScope.PROJECT).read_bytes() == before


@pytest.mark.requirement("OPS-2")
def test_a_loose_mode_is_put_right_again(place: Place) -> None:
    place.install()
    place.file(InstallScope.USER).chmod(0o644)
    plan = place.plan()
    assert plan.change.way == "mode"
    apply(plan)
    assert mode(place.file(InstallScope.USER)) == 0o600
