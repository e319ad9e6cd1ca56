"""Does scrubbing a text take time in proportion to its length?"""

from __future__ import annotations

from bench.scrub_worst import repeated, took

from holdfast.scrub import default_scrubber

SMALL, LARGE = 1024, 8 * 1024
TOLERATED = 5 * LARGE / SMALL
"""Eight times the text may take eight times as long, and some more on a busy machine; quadratic would be 64 times."""


def grows_linearly(seed: str) -> bool:
    scrubber = default_scrubber()
    small, large = repeated(seed, SMALL), repeated(seed, LARGE)
    return any(
        took(scrubber, large, rounds) <= TOLERATED * took(scrubber, small, rounds) + 0.002 for rounds in (1, 3, 7)
    )
