"""Who may overrule whom (SEC-8)."""

from __future__ import annotations

from typing import get_args

import pytest

from holdfast.items.indexed import Trust
from holdfast.items.ranks import may_replace, outranks
from tests.support.table import each_of

TRUSTS: tuple[Trust, ...] = get_args(Trust)
BELOW: dict[str, frozenset[str]] = {
    "user": frozenset(("agent", "tool", "repository", "web")),
    "agent": frozenset(("tool", "repository", "web")),
    "tool": frozenset(("web",)),
    "repository": frozenset(("web",)),
    "web": frozenset(),
}


@pytest.mark.requirement("SEC-8")
@each_of("older", TRUSTS)
@each_of("newer", TRUSTS)
def test_a_newer_memory_replaces_one_of_equal_or_lower_rank(older: Trust, newer: Trust) -> None:
    is_lower = newer in BELOW[older]
    assert outranks(older, newer) is is_lower
    assert may_replace("rules", older, newer) is not is_lower
    assert may_replace("user", older, newer)
    assert may_replace("agent", older, newer) is (older != "user" and not is_lower)


@pytest.mark.requirement("SEC-8")
def test_without_an_heir_the_author_counts() -> None:
    assert all(may_replace("user", old, None) for old in TRUSTS)
    assert [old for old in TRUSTS if not may_replace("agent", old, None)] == ["user"]
    assert not any(may_replace("rules", old, None) for old in TRUSTS)
    assert not any(may_replace("somebody", old, None) for old in TRUSTS)
