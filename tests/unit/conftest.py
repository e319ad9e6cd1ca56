"""Unit tests start no process and open no server: they stay fast, and no other program can disturb them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.no_processes import no_processes


@pytest.fixture(autouse=True)
def _no_processes() -> Iterator[None]:
    with no_processes() as refused:
        yield
    assert not refused, refused
