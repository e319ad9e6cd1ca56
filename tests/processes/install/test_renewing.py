"""Hooks for a client that was updated, or installed later: what is renewed, and what is left as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.daemon.renewal import is_behind
from holdfast.install import ClientInfo, InstallScope
from holdfast.install.renewing import main, renew
from tests.support.place import Place

pytestmark = pytest.mark.requirement("OPS-11")

OLD = ClientInfo(Path("/opt/claude"), (2, 1, 100))
NEW = ClientInfo(version=(2, 1, 325))


def kinds(file: Path) -> dict[str, str]:
    table = json.loads(file.read_text())["hooks"]
    return {event: groups[0]["hooks"][0]["type"] for event, groups in table.items()}


def test_what_is_renewed_and_what_is_left(tmp_path: Path) -> None:
    def place(name: str, client: ClientInfo, scope: InstallScope = InstallScope.USER, **extra: str) -> Place:
        made = Place(tmp_path / name, client=client, extra=extra)
        made.settle()
        made.home.config.write_text(f"[daemon]\nport = {made.port}\n")
        made.install(scope)
        return made

    def told(made: Place, *, is_proxied: bool = False) -> str:
        return " ".join(renew(made.home, NEW, made.environment, is_proxied))

    updated = place("updated", OLD)
    before = kinds(updated.file(InstallScope.USER))
    assert is_behind(updated.home, "2.1.325")
    assert "Claude Code 2.1.325 began a session" in told(updated)
    after = kinds(updated.file(InstallScope.USER))
    assert before.items() < after.items()
    assert (is_behind(updated.home, "2.1.325"), told(updated)) == (False, ""), "once"
    assert told(updated, is_proxied=True) == ""

    later = place("later", ClientInfo(problem="no Claude Code was found (PATH)"))
    assert set(kinds(later.file(InstallScope.USER)).values()) == {"command"}
    told(later)
    assert "http" in kinds(later.file(InstallScope.USER)).values()

    behind_a_proxy = place("proxy", ClientInfo(problem="no Claude Code was found (PATH)"))
    told(behind_a_proxy, is_proxied=True)
    assert set(kinds(behind_a_proxy.file(InstallScope.USER)).values()) == {"command"}, "the token would go to the proxy"

    commands = place("commands", OLD, HTTP_PROXY="http://proxy:3128")
    commands.extra = {}
    told(commands)
    assert set(kinds(commands.file(InstallScope.USER)).values()) == {"command"}, "they were commands for a reason"

    removed = place("removed", OLD)
    removed.write(InstallScope.USER, '{"model": "opus"}')
    assert "our hooks are no longer in it" in told(removed)
    assert removed.file(InstallScope.USER).read_text() == '{"model": "opus"}'

    broken = place("broken", OLD)
    broken.write(InstallScope.USER, "{ not settings")
    assert "was left as it is" in told(broken)

    committed = place("committed", OLD, InstallScope.PROJECT)
    untouched = committed.file(InstallScope.PROJECT).read_bytes()
    assert (told(committed), committed.file(InstallScope.PROJECT).read_bytes()) == ("", untouched)


def test_a_damaged_record_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = Place(tmp_path)
    made.settle()
    made.home.manifest.write_text("{")
    assert not is_behind(made.home, "2.1.325")
    assert main([str(made.home.root), "2.1.325"]) == 1
    assert capsys.readouterr().out.startswith("The hooks were not renewed: ")
