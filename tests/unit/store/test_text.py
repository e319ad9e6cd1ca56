"""Texts that no database can keep, and URLs that no person should see whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import ConfigError
from holdfast.store import mask, sqlite_path, sqlite_url
from holdfast.store.text import has_nul, storable


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("plain", "plain"),
        ("ü 漢 \N{GRINNING FACE}", "ü 漢 \N{GRINNING FACE}"),
        ("a\0b", "a\ufffdb"),
        ("\ud800", "\ufffd"),
        ("\udc00x\ud800", "\ufffdx\ufffd"),
        ("\ud83d\ude00", "\N{GRINNING FACE}"),
        ("\ufeffmark", "\ufeffmark"),
        (b"\0", b"\0"),
        (7, 7),
        (None, None),
    ],
)
def test_storable(given: str | bytes | int | None, kept: object) -> None:
    assert storable(given) == kept


@pytest.mark.requirement("SEC-5")
def test_a_nul_is_found() -> None:
    assert has_nul([1, None, "a", "b\0"])
    assert not has_nul([1, None, "a", b"\0"])


@pytest.mark.requirement("SEC-3")
@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (
            "postgresql://me:hush@db.example:5432/team?sslmode=require",
            "postgresql://me@db.example:5432/team?sslmode=require",
        ),
        ("postgresql://me:hu:sh@h/d", "postgresql://me@h/d"),
        ("postgresql:///d?user=me&password=hush&host=/run/pg", "postgresql:///d?user=me&host=/run/pg"),
        ("postgresql://h/d?sslpassword=hush", "postgresql://h/d"),
        ("sqlite:///home/me/holdfast.db", "sqlite:///home/me/holdfast.db"),
    ],
)
def test_mask(url: str, shown: str) -> None:
    assert mask(url) == shown


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize("path", ["/a/b.db", "/a b/100%/ü?.db", "/a/#x"])
def test_a_path_survives_its_url(path: str) -> None:
    assert sqlite_path(sqlite_url(Path(path))) == Path(path)


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite://host/a.db", "sqlite:///a.db?mode=ro"])
def test_a_url_without_a_path_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="sqlite:///absolute/path"):
        sqlite_path(url)
