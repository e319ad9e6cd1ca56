"""Choosing a store by its URL: what is imported for it, and what is said when it cannot be."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

import pytest

from holdfast.errors import ConfigError
from holdfast.program import CATALOG
from holdfast.store import open_store


@pytest.mark.requirement("STO-1")
def test_a_missing_driver_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"install holdfast\[postgres\]"):
        asyncio.run(open_store("postgresql://h/d", CATALOG, backups=tmp_path))


@pytest.mark.requirement("STO-1")
def test_another_database_is_refused_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"sqlite:/// or postgresql://") as told:
        asyncio.run(open_store("mysql://me:hush@h/d", CATALOG, backups=tmp_path))
    assert "hush" not in str(told.value)
