"""What the tests of recall share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.model import arctic


@pytest.fixture(scope="session")
def model_folder() -> Path:
    return arctic()
