"""Settings from the environment: a word that is neither yes nor no is told, not guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import config
from holdfast.errors import ConfigError
from holdfast.rooms.memory.settings import Settings


@pytest.mark.requirement("OPS-6")
@pytest.mark.parametrize(("word", "meant"), [("on", True), ("YES", True), ("0", False), (" off ", False)])
def test_words_for_yes_and_no(tmp_path: Path, word: str, meant: bool) -> None:
    loaded = config.load(tmp_path / "none", environment={"HOLDFAST_MEMORY_INJECT": word})
    assert loaded.section(Settings).inject is meant


@pytest.mark.requirement("OPS-6")
def test_any_other_word_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="HOLDFAST_MEMORY_INJECT='ture' is neither yes nor no"):
        config.load(tmp_path / "none", environment={"HOLDFAST_MEMORY_INJECT": "ture"})


OLD = "retention.observation_days is called retention.detail_days now. It is still read."


@pytest.mark.requirement("OPS-6")
@pytest.mark.requirement("MEM-15")
def test_a_key_that_was_renamed_is_still_read_and_named(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[retention]\nobservation_days = 40\n")
    loaded = config.load(file, environment={}, rooms=())
    assert (loaded.config.retention.detail_days, loaded.unknown) == (40, ())
    assert loaded.renamed == (f"{file}: {OLD}",)
    file.write_text("[retention]\nobservation_days = 40\ndetail_days = 50\n")
    assert config.load(file, environment={}, rooms=()).config.retention.detail_days == 50
    variables = {"HOLDFAST_RETENTION_OBSERVATION_DAYS": "60"}
    loaded = config.load(file, environment=variables, rooms=())
    assert loaded.config.retention.detail_days == 60
    assert "HOLDFAST_RETENTION_OBSERVATION_DAYS is called HOLDFAST_RETENTION_DETAIL_DAYS now" in loaded.renamed[-1]
    variables["HOLDFAST_RETENTION_DETAIL_DAYS"] = "70"
    assert config.load(file, environment=variables, rooms=()).config.retention.detail_days == 70


@pytest.mark.requirement("OPS-6")
def test_a_wrong_value_of_a_renamed_key_is_told(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[retention]\nobservation_days = -1\n")
    with pytest.raises(ConfigError, match=r"retention\.detail_days = -1 does not fit"):
        config.load(file, environment={}, rooms=())


def test_no_renamed_key_is_a_key_of_today() -> None:
    known = {key.name for key in config.keys(rooms=None)}
    assert known >= set(config.RENAMED.values())
    assert known.isdisjoint(config.RENAMED)
