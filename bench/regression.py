"""A logistic regression, as small as the few things it weighs."""

from __future__ import annotations

from collections.abc import Sequence

STEPS, SMALL = 30, 1.0
"""Of the fit; `SMALL` is what large weights cost. One is the usual choice; it was not tuned on anything."""


def weights_of(
    seen: Sequence[Sequence[float]], right: Sequence[float], counts: Sequence[float] | None = None
) -> list[float]:
    """The weight of each thing that is seen, and the base: by which it is likely that what is right is taken for it.
    `counts`: how much each case counts."""
    import numpy as np

    table = np.column_stack([np.array(seen, float), np.ones(len(seen))])
    wanted = np.array(right, float)
    each = np.ones(len(seen)) if counts is None else np.array(counts, float)
    weights = np.zeros(table.shape[1])
    cost = SMALL * np.eye(len(weights))
    cost[-1, -1] = 1e-6  # the base is free
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (each * (likely - wanted)) + cost @ weights
        weights -= np.linalg.solve((table * (each * likely * (1 - likely))[:, None]).T @ table + cost, slope)
    return [float(value) for value in weights]
