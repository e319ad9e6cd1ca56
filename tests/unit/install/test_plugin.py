"""The plugin's files say what the program does; a copy of it is whole, and the owner's alone."""

from __future__ import annotations

import json
import os
import re
import struct
import zlib
from pathlib import Path

import pytest

from holdfast import __version__
from holdfast.doors.cli.table import VERBS, read_rooms
from holdfast.errors import Refused
from holdfast.events.steps import used_events
from holdfast.install import plugin
from holdfast.install.client import known_events
from holdfast.program import HOUSE_TOOLS, PROGRAM, ROOMS

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "plugin"


@pytest.mark.requirement("OPS-3")
def test_the_hooks_are_those_of_the_program_and_hold_nothing_of_a_machine() -> None:
    text = (PLUGIN / plugin.HOOKS_FILE).read_text()
    assert text == plugin.hooks_text(used_events(PROGRAM)), "run `make docs`"
    hooks = json.loads(text)["hooks"]
    assert set(hooks) == set(used_events(PROGRAM)) & set(known_events(plugin.OLDEST))
    assert [word for word in ("http", "Bearer", "127.0.0.1", str(Path.home()) + "/") if word in text] == []
    newer = plugin.plugin_events([*used_events(PROGRAM), "PreModelSwitch", "WorktreeCreate"])
    assert newer == tuple(hooks), "one unknown event, and an older client runs no hook of the plugin"


@pytest.mark.requirement("CON-13")
def test_the_skill_and_the_commands_name_what_there_is() -> None:
    offered = {tool.name for room in ROOMS for tool in room.tools if tool.for_agents}
    offered |= {tool.name for tool in HOUSE_TOOLS if tool.for_agents}
    skill = (PLUGIN / "skills" / "holdfast" / "SKILL.md").read_text()
    assert [name for name in sorted(offered) if f"`{name}`" not in skill] == [], "the skill leaves a tool out"
    verbs = {*VERBS, *read_rooms()["verbs"]}
    commands = {path.stem for path in (PLUGIN / "commands").glob("*.md")}
    for path in [*PLUGIN.rglob("*.md")]:
        text = path.read_text()
        assert set(re.findall(r"`holdfast (\w+)", text)) <= verbs, path
        assert set(re.findall(r"/holdfast:(\w+)", text)) <= commands, path
    readme = (PLUGIN / "README.md").read_text()
    assert [name for name in sorted(commands) if f"/holdfast:{name}" not in readme] == []


@pytest.mark.requirement("OPS-3")
def test_a_slash_command_lets_the_model_run_nothing_but_its_own_line() -> None:
    for path in (PLUGIN / "commands").glob("*.md"):
        _, head, body = path.read_text().split("---\n", 2)
        runs = [f"allowed-tools: Bash({line})" for line in re.findall(r"^!`(.+)`$", body, re.MULTILINE)]
        assert [line for line in head.splitlines() if line.startswith("allowed-tools")] == runs, path
        assert "disable-model-invocation: true" in head, "only a person calls it"


@pytest.mark.requirement("OPS-3")
def test_manifest_licence_and_icon_are_as_the_public_directory_wants_them() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == (plugin.NAME, __version__)
    listed = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())
    assert [each["source"] for each in listed["plugins"]] == ["./plugin"]
    assert (PLUGIN / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert len((PLUGIN / "README.md").read_text().split()) >= 40
    data = (PLUGIN / ".claude-plugin" / "icon.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (512, 512)
    size = struct.unpack(">I", data[33:37])[0]
    assert data[37:41] == b"IDAT"
    assert len(zlib.decompress(data[41 : 41 + size])) == 512 * (1 + 4 * 512)


@pytest.mark.requirement("OPS-3")
def test_a_copy_is_whole_owner_only_and_replaces_only_a_plugin(tmp_path: Path) -> None:
    target = tmp_path / "made" / "here"
    made = plugin.write_copy(target, with_hooks=True)
    assert made == target / plugin.NAME
    copied = {path.relative_to(made): path.read_bytes() for path in plugin.files_of(made)}
    assert copied == {path.relative_to(PLUGIN): path.read_bytes() for path in plugin.files_of(PLUGIN)}
    open_to_others = [path for path in target.rglob("*") if path.stat().st_mode & 0o077]
    assert open_to_others == []
    assert os.access(made / "bin" / "holdfast", os.X_OK)
    (made / "left over.txt").touch()
    plugin.write_copy(target, with_hooks=False)
    assert not (made / "left over.txt").exists()
    assert json.loads((made / plugin.HOOKS_FILE).read_text())["hooks"] == {}
    assert not (made / ".mcp.json").exists()
    strange = tmp_path / "strange"
    (strange / plugin.NAME).mkdir(parents=True)
    with pytest.raises(Refused, match="is no plugin"):
        plugin.write_copy(strange, with_hooks=True)
