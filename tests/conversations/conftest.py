"""The stores of the contract tests, so that every conversation is had twice; and an origin to talk about."""

from collections.abc import Iterator

import pytest

from tests.contract.conftest import postgres_server, site
from tests.conversations.origin import Origin

__all__ = ["origin", "postgres_server", "site"]


@pytest.fixture
def origin() -> Iterator[Origin]:
    with Origin() as served:
        yield served
