"""The words of the learning verbs."""

from __future__ import annotations

from typing import Any

import msgspec

from holdfast.rooms.learning.calibration import calibrated
from holdfast.rooms.learning.tools import verbs


def test_calibration_says_what_settles_a_prediction_where_none_was() -> None:
    result: dict[str, Any] = msgspec.to_builtins(calibrated([], [], {}))
    nothing = " ".join(verbs.calibration(result, 80))
    assert nothing.startswith("No prediction was settled yet.")
    assert "holdfast ghap resolve" in nothing
    assert "0 of 0" not in nothing
