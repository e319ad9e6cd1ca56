"""The page of `holdfast status`."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import __version__
from holdfast.doors.cli.verbs.status import lines

ANSWER: dict[str, Any] = {
    "running": True,
    "version": __version__,
    "pid": 1,
    "worker_pid": 2,
    "url": "http://127.0.0.1:1",
    "home": "/home/me/.holdfast",
    "started_at": 0,
    "store": {"kind": "sqlite", "url": "sqlite:///x", "bytes": 1, "rows": {}},
    "queue": {"jobs": 0, "spool": 0},
    "sessions": {"active": 1, "total": 3},
    "events": {},
}


@pytest.mark.requirement("EVT-12")
def test_what_a_room_says_in_its_line_and_in_its_pane_is_said_once() -> None:
    pane = [{"title": "fleet", "lines": ["tester (3 min): a permission", "1 working, 2 idle"]}]
    page = list(lines({**ANSWER, "lines": [["fleet", "1 working, 2 idle"]], "pane": pane}))
    fleet = [line for line in page if "working" in line or "tester" in line]
    assert len(fleet) == 2
    assert "1 working, 2 idle" in fleet[0]
    assert "tester (3 min)" in fleet[1]


@pytest.mark.requirement("EVT-15")
def test_the_guardian_is_named_beside_the_others() -> None:
    [pids] = [line for line in lines({**ANSWER, "guardian_pid": 3}) if "supervisor" in line]
    assert pids.endswith("1 supervisor, 2 worker, 3 guardian")
    [pids] = [line for line in lines(ANSWER) if "supervisor" in line]
    assert pids.endswith("2 worker"), "one of an earlier version has none"
