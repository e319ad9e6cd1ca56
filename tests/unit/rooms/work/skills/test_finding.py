"""Where a skill is found, whose words it has, and which files a repository cannot have read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.rooms.work.model import SkillConfig
from holdfast.rooms.work.skills.finding import Skills


def write(folder: Path, phases: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(f"---\nphases: [{phases}]\n---\n")


@pytest.mark.requirement("WRK-3")
def test_the_nearest_skill_is_read_and_it_is_known_whose_it_is(tmp_path: Path) -> None:
    root, own = tmp_path / "repo", tmp_path / "config"
    cache = own / "plugins" / "cache" / "market" / "tools"
    write(root / ".claude" / "skills" / "build", "Repository")
    write(own / "skills" / "build", "Mine")
    write(own / "skills" / "mine", "Mine")
    write(cache / "2.0.0" / "skills" / "build", "New")
    write(cache / "10.0.0" / "skills" / "build", "Installed")
    write(own / "plugins" / "cache" / "market" / "other" / "1" / "skills" / "go", "Copy")
    noted = {"tools@market": [{"scope": "user", "installPath": str(cache / "10.0.0")}], "odd@market": 7}
    (own / "plugins" / "installed_plugins.json").write_text(json.dumps({"version": 2, "plugins": noted}))

    def found(name: str, config_dir: Path = own) -> tuple[str, bool]:
        config = Skills().config(name, str(root), str(root), str(config_dir))
        return (config.phases[0].label if config.phases else "", config.from_repository)

    noted.pop("odd@market")
    assert found("tools:build")[0] in ("Installed", "New"), "a list that does not read is none"
    (own / "plugins" / "installed_plugins.json").write_text(json.dumps({"version": 2, "plugins": noted}))
    assert found("build") == ("Repository", True)
    assert found("mine") == ("Mine", False)
    assert found("tools:build") == ("Installed", False), "not the repository's skill of the same name"
    assert found("other:go") == ("Copy", False)
    assert found("build", root / ".claude") == ("Repository", False), "the user's home may be the project"
    assert found("nobody")[0] == ""
    assert SkillConfig().from_repository, "of what an older version kept, it is not known"


@pytest.mark.requirement("WRK-3")
def test_a_repository_cannot_have_files_outside_of_it_read(tmp_path: Path) -> None:
    root, own, away = tmp_path / "repo", tmp_path / "config", tmp_path / "away"
    write(away / "skill", "Secret")
    (away / "private.toml").write_text('phases = ["Secret"]')
    skills = root / ".claude" / "skills"
    write(skills / "beside", "Ours")
    (skills / "beside" / "effort.toml").symlink_to(away / "private.toml")
    (skills / "linked").symlink_to(away / "skill")
    (skills / "file").mkdir()
    (skills / "file" / "SKILL.md").symlink_to(away / "skill" / "SKILL.md")
    (skills / "inside").symlink_to(skills / "beside")
    (own / "skills").mkdir(parents=True)
    (own / "skills" / "dotfile").symlink_to(away / "skill")
    labels = {}
    for name in ("beside", "linked", "file", "inside", "dotfile", "../beside", ".."):
        config = Skills().config(name, str(root), str(root), str(own))
        labels[name] = [phase.label for phase in config.phases]
    assert labels == {
        "beside": ["Ours"],
        "linked": [],
        "file": [],
        "inside": ["Ours"],
        "dotfile": ["Secret"],
        "../beside": [],
        "..": [],
    }
