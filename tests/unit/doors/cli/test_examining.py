"""How the results of doctor's checks read on a terminal."""

from __future__ import annotations

import pytest

from holdfast.doors.cli import examining
from holdfast.install.examination import CheckResult


@pytest.mark.requirement("WRK-6")
def test_each_line_of_a_check_stands_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.doors.cli.show.width", lambda: 120)
    said = list(examining.lines([CheckResult("guard rules", "warn", "a.toml, line 3: wrong.\nb.toml, line 5: wrong.")]))
    assert [line.split("  ")[-1].strip() for line in said] == ["a.toml, line 3: wrong.", "b.toml, line 5: wrong."]
