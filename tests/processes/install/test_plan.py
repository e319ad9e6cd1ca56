"""What the plan says before anything happens: files, hooks, warnings with the exact thing to set, no secrets."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from holdfast.errors import Refused
from holdfast.install import ClientInfo, InstallPlan, InstallScope, as_json, describe
from tests.support.place import PORT, TOKEN, Place


def about(plan: InstallPlan) -> dict[str, str]:
    return {notice.about: f"{notice.sentence} {notice.fix}" for notice in plan.notices}


@pytest.mark.requirement("OPS-1")
@pytest.mark.requirement("SEC-3")
def test_the_page_shows_all_but_secrets(place: Place) -> None:
    place.write(InstallScope.USER, '{"env": {"API_KEY": "sk-secret-value"}}')
    plan = place.plan()
    page = describe(plan)
    assert "28 events: PreToolUse" in page
    assert "4 events: UserPromptSubmit SessionStart" in page
    assert "mode 0600 (was 0644)" in page
    assert "WorktreeCreate: registering it would replace git worktrees" in page
    assert '+{"env": {"API_KEY": "<hidden>"}, "hooks": {"PreToolUse": [{"hooks": [{"type": "http"' in page
    for text in (page, json.dumps(as_json(plan)), repr(plan)):
        assert TOKEN not in text
        assert "sk-secret-value" not in text
    assert "Bearer <token>" in page


@pytest.mark.requirement("OPS-2")
def test_a_plan_changes_nothing(place: Place) -> None:
    before = sorted(place.base.rglob("*"))
    for scope in InstallScope:
        place.plan(scope)
    assert sorted(place.base.rglob("*")) == before


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize(
    ("extra", "line"),
    [
        ({"HTTP_PROXY": "http://user:pw@proxy:3128"}, "Set NO_PROXY=127.0.0.1,localhost where"),
        ({"http_proxy": "http://proxy", "no_proxy": "corp.local"}, "Set no_proxy=corp.local,127.0.0.1,localhost where"),
        ({"ALL_PROXY": "socks5://proxy", "NO_PROXY": "localhost"}, "Set NO_PROXY=localhost,127.0.0.1,localhost where"),
    ],
)
def test_a_proxy_in_the_way_is_named_and_gets_no_token(place: Place, extra: dict[str, str], line: str) -> None:
    place.extra = extra
    plan = place.plan()
    assert line in about(plan)["proxy"]
    assert "user:pw" not in describe(plan)
    assert plan.events("http") == ()
    assert plan.change.after is not None
    assert TOKEN.encode() not in plan.change.after


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"HTTPS_PROXY": "http://proxy"},
        {"HTTP_PROXY": "http://proxy", "NO_PROXY": "127.0.0.1,localhost"},
        {"HTTP_PROXY": "http://proxy", "NO_PROXY": "a.b *"},
        {"HTTP_PROXY": "http://proxy", "no_proxy": f"127.0.0.1:{PORT}"},
        {"HTTP_PROXY": ""},
    ],
)
def test_a_proxy_out_of_the_way_is_not_mentioned(place: Place, extra: dict[str, str]) -> None:
    place.extra = extra
    assert "proxy" not in about(place.plan())


@pytest.mark.requirement("OPS-2")
def test_a_proxy_set_in_settings_counts(place: Place) -> None:
    file = place.write(InstallScope.LOCAL, '{"env": {"HTTP_PROXY": "http://proxy"}}')
    assert str(file) in about(place.plan())["proxy"]
    place.write(InstallScope.USER, '{"env": {"NO_PROXY": "127.0.0.1"}}')
    assert "proxy" not in about(place.plan())


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize(
    ("allowed", "blocked"),
    [
        ([], True),
        (["https://hooks.example.com/*"], True),
        (["http://127.0.0.1:1/*"], True),
        (["http://127.0.0.1:*"], False),
        (["https://x", f"http://127.0.0.1:{PORT}/hooks/*"], False),
    ],
)
def test_an_allow_list_without_us_means_commands(place: Place, allowed: list[str], blocked: bool) -> None:
    place.write(InstallScope.PROJECT, json.dumps({"allowedHttpHookUrls": allowed}))
    plan = place.plan(InstallScope.LOCAL)
    assert ("allowedHttpHookUrls" in about(plan)) is blocked
    assert (plan.events("http") == ()) is blocked
    if blocked:
        assert 'Add "http://127.0.0.1:*" to "allowedHttpHookUrls"' in about(plan)["allowedHttpHookUrls"]


@pytest.mark.requirement("OPS-2")
def test_hooks_switched_off_anywhere_are_named(place: Place) -> None:
    managed = place.base / "managed.json"
    managed.write_text('{"allowManagedHooksOnly": true}')
    place.managed = (managed,)
    for scope in InstallScope:
        file = place.write(scope, '{"disableAllHooks": true}')
        sentences = about(place.plan(InstallScope.LOCAL))
        assert str(file) in sentences["disableAllHooks"]
        file.unlink()
    assert str(managed) in sentences["allowManagedHooksOnly"]


@pytest.mark.requirement("OPS-2")
def test_a_second_scope_is_named_and_the_plugin_is_silent_beside_hooks(place: Place) -> None:
    place.install(InstallScope.USER)
    assert str(place.file(InstallScope.USER)) in about(place.plan(InstallScope.LOCAL))["twice"]
    assert "twice" not in about(place.plan(InstallScope.USER))
    place.write(InstallScope.PROJECT, '{"enabledPlugins": {"holdfast@somewhere": true}}')
    assert "twice" not in about(place.plan(InstallScope.USER))


@pytest.mark.requirement("OPS-2")
def test_old_unknown_and_ancient_clients(place: Place) -> None:
    place.client = ClientInfo(Path("/opt/claude"), (2, 1, 72))
    plan = place.plan()
    assert "PreModelSwitch" not in plan.hooks
    assert "drops all hooks when it meets an event it does not know" in about(plan)["client"]
    place.client = ClientInfo(problem="no Claude Code was found (PATH)")
    plan = place.plan()
    assert plan.events("http") == ()
    assert "PreToolUse" in plan.hooks
    assert "--client PATH" in about(plan)["client"]
    place.client = ClientInfo(Path("/opt/claude"), (0, 2, 9))
    with pytest.raises(Refused, match="older than any holdfast was tried with"):
        place.plan()


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


@pytest.mark.requirement("SEC-3")
def test_a_settings_file_in_a_dotfiles_repository_is_named(place: Place) -> None:
    dotfiles = place.base / "dotfiles"
    dotfiles.mkdir()
    git(dotfiles, "init", "-q")
    (dotfiles / "claude.json").write_text("{}")
    git(dotfiles, "add", "claude.json")
    place.file(InstallScope.USER).parent.mkdir()
    place.file(InstallScope.USER).symlink_to(dotfiles / "claude.json")
    assert "is tracked by git and will carry the token" in about(place.plan())["token in git"]


@pytest.mark.requirement("SEC-3")
def test_local_settings_that_git_does_not_ignore_are_named(place: Place) -> None:
    git(place.root, "init", "-q")
    assert ".git/info/exclude" in about(place.plan(InstallScope.LOCAL))["token in git"]
    (place.root / ".gitignore").write_text("settings.local.json\n")
    assert "token in git" not in about(place.plan(InstallScope.LOCAL))
    assert "token in git" not in about(place.plan(InstallScope.PROJECT))


@pytest.mark.requirement("OPS-2")
def test_the_house_itself_is_no_project(place: Place) -> None:
    place.root = place.house
    with pytest.raises(Refused, match="use --scope user"):
        place.plan(InstallScope.PROJECT)


def test_a_home_elsewhere_is_named_for_committed_hooks(place: Place) -> None:
    assert f"HOLDFAST_HOME={place.home.root}" in about(place.plan(InstallScope.PROJECT))["home"]
    place.extra = {"XDG_DATA_HOME": str(place.base)}
    place.home = type(place.home)(place.base / "holdfast")
    assert "home" not in about(place.plan(InstallScope.PROJECT))
