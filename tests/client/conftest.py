"""Fixtures of the client tests: a scripted API, a recorder, and the real client in a home of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.install import OLDER, PINNED
from tests.client.bed.recorder import Recorder
from tests.client.bed.tui import Tui


@pytest.fixture
def api() -> Iterator[Api]:
    """The scripted API. A request that no step answered fails the test, unless it empties `unscripted`."""
    with Api() as served:
        yield served
    asked = [request.prompts()[-1:] for request in served.unscripted]
    assert not asked, f"requests without a scripted step: {asked}"


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    with Recorder() as served:
        yield served


@pytest.fixture
def claude(tmp_path: Path, api: Api) -> Iterator[Claude]:
    yield from _claude(tmp_path, api, PINNED)


@pytest.fixture
def older(tmp_path: Path, api: Api) -> Iterator[Claude]:
    """The older supported client."""
    yield from _claude(tmp_path, api, OLDER)


@pytest.fixture
def tui(claude: Claude, api: Api) -> Iterator[Tui]:
    """The interactive client of `claude`'s home, not started yet."""
    terminal = Tui(claude, api)
    yield terminal
    terminal.close()


def _claude(root: Path, api: Api, version: str) -> Iterator[Claude]:
    made = Claude(root, api.url, version)
    yield made
    made.close()
