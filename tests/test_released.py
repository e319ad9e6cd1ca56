"""A released migration never changes: stores that ran it keep its checksum and refuse another."""

from __future__ import annotations

import tomllib

import pytest

from tests.support.released import PAGE, changed, here, released, with_version
from tests.test_architecture import SOURCE


@pytest.mark.requirement("HSE-8")
def test_released_migrations_are_what_they_were() -> None:
    assert changed(released(PAGE.read_text("utf-8")), here()) == []


@pytest.mark.requirement("HSE-8")
def test_there_is_something_to_compare() -> None:
    """The page once was empty, and the list of this checkout too: nothing could ever differ."""
    first = tomllib.loads(PAGE.read_text("utf-8"))["0.1.0"]
    assert [name[:4] for name in first] == ["0001", "0002", "0003", "0004", "0005"]
    assert len(here()) == len(list(SOURCE.rglob("migrations/*.sql"))) > len(first)


@pytest.mark.requirement("HSE-8")
def test_a_version_writes_down_what_is_new_in_it() -> None:
    first = with_version("# a comment\n", "0.1.0", {"0001_road": "a"})
    second = with_version(first, "0.2.0", {"0001_road": "a", "0002_more": "b"})
    assert second == '# a comment\n\n["0.1.0"]\n"0001_road" = "a"\n\n["0.2.0"]\n"0002_more" = "b"\n'
    assert released(second) == {"0001_road": "a", "0002_more": "b"}
    with pytest.raises(ValueError, match="next version"):
        with_version(second, "0.2.0", {"0001_road": "a", "0002_more": "b"})


@pytest.mark.requirement("HSE-8")
@pytest.mark.parametrize("now", [{"0001_road": "changed"}, {"0001_renamed": "a"}, {}])
def test_a_changed_or_missing_one_is_found(now: dict[str, str]) -> None:
    page = with_version("", "0.1.0", {"0001_road": "a"})
    assert changed(released(page), now) == ["0001_road"]
    with pytest.raises(ValueError, match="0001_road"):
        with_version(page, "0.2.0", now)
