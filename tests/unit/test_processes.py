"""Whether another process runs."""

from __future__ import annotations

import os

import pytest

from holdfast.processes import is_running
from tests.support.table import each_of


@each_of(
    ("fault", "running"),
    [
        (None, True),
        (PermissionError(), True),
        (OSError(), True),
        (ProcessLookupError(), False),
        (OverflowError(), False),
    ],
)
def test_a_process_runs_unless_the_system_knows_none(fault: Exception | None, running: bool) -> None:
    def kill(pid: int, signal: int) -> None:
        assert (pid, signal) == (4711, 0)
        if fault:
            raise fault

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "kill", kill)
        assert is_running(4711) is running


def test_this_process_runs_and_one_of_no_possible_number_does_not() -> None:
    assert is_running(os.getpid())
    assert not is_running(1 << 80)
