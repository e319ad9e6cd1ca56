"""A call that could not be judged is asked about where it may destroy something, whatever its arguments are called."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.judging.suspicious import is_suspicious


@pytest.mark.requirement("WRK-6")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"command": "rm -rf x"}, True),
        ({"command": "ls -la"}, False),
        ({"cmd": ["git", "push"]}, True),
        ({"sql": "DROP TABLE users"}, True),
        ({"Script": "unlink x"}, True),
        ({"sql": "select 1"}, False),
        ({"file_path": "/home/u/.bashrc"}, True),
        ({"file_path": "/home/u/p/src/app.py"}, False),
        ({"query": "how to remove a file"}, False),
        ({}, False),
    ],
)
def test_what_may_destroy_is_suspicious(arguments: dict[str, Any], expected: bool) -> None:
    assert is_suspicious(arguments) is expected
