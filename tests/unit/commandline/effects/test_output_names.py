"""Names of outputs, and names that are built to be read for ever."""

from __future__ import annotations

import pytest

from holdfast.commandline.effects.output_names import BY_PARTS
from tests.support.table import each_of


@pytest.mark.requirement("WRK-15")
@each_of("part", ("a_", "a-", "a.", "a_-", "*", "a-b_c."))
def test_a_long_name_that_is_nearly_an_output_is_read_to_its_end(part: str) -> None:
    assert BY_PARTS.match(part * 200 + "x") is None, "with an exponential pattern this never ends"
    assert BY_PARTS.match(part * 20 + "a-dist") is not None
