"""A component that a test needs is not there: a failure in CI, a reason to skip on a person's own machine.

A CI host that cannot have one says so: TESTS_WITHOUT=mount. Then everybody can read in its file what it does not prove.
"""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def absent(component: str, reason: str) -> NoReturn:
    if os.environ.get("CI") and component not in os.environ.get("TESTS_WITHOUT", "").split():
        pytest.fail(f"CI must have {component}: {reason}")
    pytest.skip(reason)
