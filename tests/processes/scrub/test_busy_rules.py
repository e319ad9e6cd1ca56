"""No rule of the scrubber can be kept busy (SEC-7). Not among the unit tests: it takes half a minute."""

from __future__ import annotations

import pytest
from bench.scrub_worst import seeds

from holdfast.scrub import SecretRule, default_rules
from tests.support.linear import grows_linearly

pytestmark = pytest.mark.requirement("SEC-7")


def made(rule: SecretRule) -> list[str]:
    """Four of the worst texts of a rule."""
    several = list(seeds(rule))
    return [*several[:: max(1, len(several) // 2)][:2], *several[-2:]]


@pytest.mark.parametrize("start", range(0, len(default_rules().rules), 200))
def test_no_rule_can_be_kept_busy(start: int) -> None:
    rules = default_rules().rules[start : start + 200]
    assert [(rule.id, seed) for rule in rules for seed in made(rule) if not grows_linearly(seed)] == []
