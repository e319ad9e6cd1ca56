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
