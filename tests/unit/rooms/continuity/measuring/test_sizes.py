"""The size of a context window."""

from __future__ import annotations

import pytest

from holdfast.rooms.continuity.measuring.sizes import window_size
from holdfast.rooms.continuity.settings import Settings


@pytest.mark.requirement("CON-4")
def test_the_users_word_counts_before_the_clients_and_that_before_ours() -> None:
    chosen = Settings(windows=("claude-opus=300000", "claude-opus-5-5=400000")).window_sizes()
    told = {"claude-opus-5-5": 500_000, "claude-new": 700_000}
    cases: tuple[tuple[str, dict[str, int], dict[str, int], int, int], ...] = (
        ("claude-opus-5-5", {}, {}, 0, 1_000_000),
        ("claude-opus-5-5-20260601", {}, {}, 0, 1_000_000),
        ("claude-sonnet-4-5", {}, {}, 0, 200_000),
        ("claude-sonnet-4-5[1m]", {}, {}, 0, 1_000_000),
        ("", {}, {}, 0, 200_000),
        ("claude-new", {}, told, 0, 700_000),
        ("claude-opus-5-5", {}, told, 0, 500_000),
        ("claude-opus-5-5", chosen, told, 0, 400_000),
        ("claude-opus-4", chosen, told, 0, 300_000),
        ("claude-sonnet-4-5", {}, {}, 250_000, 1_000_000),
    )
    for model, by_user, by_client, used, wanted in cases:
        assert window_size(model, chosen=by_user, told=by_client, used=used) == wanted, (model, by_user, by_client)
