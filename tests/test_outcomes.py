"""Outputs that tools really printed: the verdict is that of their exit code, also where the status is hidden."""

from __future__ import annotations

import pytest
from bench.outcomes import judged, recorded


@pytest.mark.requirement("LRN-5")
@pytest.mark.requirement("EVT-13")
def test_recorded_outputs_are_read_as_their_exit_codes_say() -> None:
    outputs = recorded()
    wrong = []
    for each in outputs:
        said = judged(each, hidden=False)
        if said not in (each.truth, "none") and not (each.name.endswith("-hidden") and said == "unknown"):
            wrong.append((each.name, "told", said))
        hidden = judged(each, hidden=True)
        if hidden not in (each.truth, "unknown", "none"):
            wrong.append((each.name, "hidden", hidden))
    assert wrong == []
    sure = sum(judged(each, hidden=True) == each.truth for each in outputs)
    assert sure >= 0.85 * len(outputs), f"only {sure} of {len(outputs)} tell by their output"
    assert len(outputs) >= 100
