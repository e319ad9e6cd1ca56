"""Settings from the environment: a word that is neither yes nor no is told, not guessed. And settings of two names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Meta, Struct

from holdfast import config
from holdfast.errors import ConfigError
from holdfast.project_file import SWITCH, ProjectFiles
from holdfast.rooms.memory.settings import Settings
from holdfast.sections import same_as
from tests.rooms import bells


@pytest.mark.requirement("OPS-6")
@pytest.mark.parametrize(("word", "meant"), [("on", True), ("YES", True), ("0", False), (" off ", False)])
def test_words_for_yes_and_no(tmp_path: Path, word: str, meant: bool) -> None:
    loaded = config.load(tmp_path / "none", environment={"HOLDFAST_MEMORY_INJECT": word})
    assert loaded.section(Settings).inject is meant


@pytest.mark.requirement("OPS-6")
def test_any_other_word_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="HOLDFAST_MEMORY_INJECT='ture' is neither yes nor no"):
        config.load(tmp_path / "none", environment={"HOLDFAST_MEMORY_INJECT": "ture"})


@pytest.mark.requirement("OPS-6")
@pytest.mark.requirement("MEM-15")
def test_a_key_that_was_renamed_is_still_read(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[retention]\nobservation_days = 40\n")
    loaded = config.load(file, environment={}, rooms=())
    assert (loaded.config.retention.detail_days, loaded.unknown) == (40, ())
    file.write_text("[retention]\nobservation_days = 40\ndetail_days = 50\n")
    assert config.load(file, environment={}, rooms=()).config.retention.detail_days == 50
    variables = {"HOLDFAST_RETENTION_OBSERVATION_DAYS": "60"}
    loaded = config.load(file, environment=variables, rooms=())
    assert loaded.config.retention.detail_days == 60
    variables["HOLDFAST_RETENTION_DETAIL_DAYS"] = "70"
    assert config.load(file, environment=variables, rooms=()).config.retention.detail_days == 70


@pytest.mark.requirement("OPS-6")
def test_a_wrong_value_of_a_renamed_key_is_told(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[retention]\nobservation_days = -1\n")
    with pytest.raises(ConfigError, match=r"retention\.observation_days = -1 does not fit"):
        config.load(file, environment={}, rooms=())


@pytest.mark.requirement("MEM-25")
@pytest.mark.parametrize(
    ("user", "project", "variables", "is_on"),
    [
        ("", "", {}, True),
        ("[memory]\nbrief = false", "", {}, False),
        ("[inject]\nbrief = false", "", {}, False),
        ("[memory]\nbrief = false\n[inject]\nbrief = true", "", {}, False),
        ("[memory]\nbrief = true\n[inject]\nbrief = false", "", {}, False),
        ("[memory]\nbrief = false", "", {"HOLDFAST_MEMORY_BRIEF": "yes"}, True),
        ("[memory]\nbrief = false", "", {"HOLDFAST_INJECT_BRIEF": "yes"}, True),
        ("", "", {"HOLDFAST_INJECT_BRIEF": "yes", "HOLDFAST_MEMORY_BRIEF": "no"}, False),
        ("", "", {"HOLDFAST_MEMORY_BRIEF": "no"}, False),
        ("", "[memory]\nbrief = false", {"HOLDFAST_INJECT_BRIEF": "yes"}, False),
        ("[inject]\nbrief = false", "[memory]\nbrief = true", {}, False),
    ],
)
def test_a_switch_of_two_names_is_off_if_either_name_says_so(
    tmp_path: Path, user: str, project: str, variables: dict[str, str], is_on: bool
) -> None:
    (tmp_path / "user.toml").write_text(user)
    (tmp_path / "project.toml").write_text(project)
    loaded = config.load(tmp_path / "user.toml", tmp_path / "project.toml", variables)
    assert (loaded.config.inject.brief, loaded.section(Settings).brief) == (is_on, is_on)
    assert bool(loaded.unknown) is (project.endswith("true")), "a project may switch it off, never on"


@pytest.mark.parametrize(
    ("user", "tokens"),
    [
        ("", 340),
        ("[memory]\nbrief_tokens = 120", 120),
        ("[memory]\nbrief_tokens = 120\n[inject]\nbrief_tokens = 200", 200),
    ],
)
def test_of_two_values_the_one_under_the_name_of_the_house_counts(tmp_path: Path, user: str, tokens: int) -> None:
    (tmp_path / "user.toml").write_text(user)
    loaded = config.load(tmp_path / "user.toml", environment={})
    assert (loaded.config.inject.brief_tokens, loaded.value("memory.brief_tokens")) == (tokens, tokens)


@pytest.mark.requirement("OPS-6")
def test_the_limits_hold_under_both_names(tmp_path: Path) -> None:
    (tmp_path / "user.toml").write_text("[memory]\nbrief_tokens = 9000")
    with pytest.raises(ConfigError, match=r"memory\.brief_tokens = 9000 does not fit"):
        config.load(tmp_path / "user.toml", environment={})


@pytest.mark.requirement("MEM-25")
def test_a_project_that_switches_one_name_off_switches_off_the_other(tmp_path: Path) -> None:
    (tmp_path / ".holdfast.toml").write_text("[memory]\nrecall = false\nfile_history = false\n")
    off = ProjectFiles(config.other_names()).at(str(tmp_path)).off
    assert off == {"memory.recall", "user_prompt_submit.enabled", "memory.file_history"}


class _Nothing(Struct, frozen=True):
    own: Annotated[bool, Meta(description="Own.", extra=SWITCH | same_as("inject.nothing"))] = True


class _Otherwise(Struct, frozen=True):
    own: Annotated[bool, Meta(description="Own.", extra=SWITCH | same_as("inject.brief"))] = False


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize("section", [_Nothing, _Otherwise])
def test_another_name_of_nothing_is_refused(tmp_path: Path, section: type[Struct]) -> None:
    with pytest.raises(ConfigError, match=r"The setting bells\.own is declared as another name of inject\."):
        config.load(tmp_path / "none", environment={}, rooms=[replace(bells.ROOM, settings=section)])
