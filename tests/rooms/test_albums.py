"""Rows that mean nothing without others (`Table.only_with`): an album goes with its last picture, by a declaration."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.rooms.test_notebook import House, furnished

pytestmark = pytest.mark.requirement("HSE-3")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with ExitStack() as stack:
        made = furnished(request, stack, tmp_path_factory.mktemp("house"), request.param, "albums")
        made.home.start()
        yield made


def albums(house: House) -> list[list[str]]:
    found: list[list[str]] = house.tool("list_albums")
    return found


def test_what_goes_with_others_stands_in_the_preview_and_does_not_come_back(house: House, tmp_path: Path) -> None:
    for title, caption in {
        "harbour": "a heron on the mole",
        "summit": "the heron above the hut",
        "summer": "only a tent",
    }.items():
        house.tool("paste", title=title, caption=caption)
    house.tool("paste", title="summit", caption="fog at noon")
    older = tmp_path / "older.jsonl"
    house.run("export", str(older))
    assert "harbour" in older.read_text("utf-8")

    preview = house.tool("forget", text="heron", preview=True)
    assert preview["counts"] == {"albums": 1, "pictures": 2}
    receipt = json.loads(house.run("forget", "--text", "heron", "--yes", "--json"))
    assert receipt["counts"] == preview["counts"]
    left = [["summer", "only a tent"], ["summit", "fog at noon"]]
    assert albums(house) == left

    house.run("import", str(older))
    assert albums(house) == left
    house.tool("paste", title="harbour", caption="a new quay")
    assert ["harbour", "a new quay"] in albums(house)
