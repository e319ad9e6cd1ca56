"""How much work one event may cost (SEC-7): counted in steps, never in seconds, so that the same event always gives
the same record. A step is about what a failed attempt of a rule costs; judging a value costs more, by its length.

A text may take a quarter of a step for each byte up to the place that is looked at, and beyond that what is left in the
event's pool. So where the steps run out depends on nothing behind that place: a text that was cut is not cut again.
"""

from collections.abc import Callable

Breathes = Callable[[], None]
"""Called now and then in a long work. It may wait: what is found does not depend on it."""
POOL = 65_536
"""Steps that an event may take beyond its bytes' share: enough for about 100 KB of nothing but secrets."""
QUICK_POOL = 2_048
"""The same for one that is looked at while others wait: a few milliseconds."""
PER_BYTE = 0.25
"""Ordinary texts take a tenth of that."""
JUDGED_BYTES = 8
"""Bytes of a candidate that cost one step to judge."""
BREATH = 256
"""Steps between two looks whether others want the interpreter: one to two milliseconds."""


class Budget:
    """The steps of one pass over one text."""

    __slots__ = ("_next_breath", "breathe", "pool", "used")

    def __init__(self, pool: int = POOL, breathe: Breathes | None = None) -> None:
        self.pool = pool
        self.used = 0
        self.breathe = breathe
        self._next_breath = BREATH

    def is_over(self, at: int) -> bool:
        """Have the steps run out at this place of the text?"""
        if self.breathe is not None and self.used >= self._next_breath:
            self._next_breath = self.used + BREATH
            self.breathe()
        return self.used > self.pool + at * PER_BYTE


class Busy(Exception):
    """There is more to look at than can be looked at quickly."""


class Pool:
    """What is left of an event's pool, from one text to the next. A quick one is small, and raises when it is empty."""

    __slots__ = ("breathe", "is_quick", "left")

    def __init__(self, *, quick: bool = False, breathe: Breathes | None = None) -> None:
        self.left = QUICK_POOL if quick else POOL
        self.is_quick = quick
        self.breathe = breathe


def judging(size: int) -> int:
    """Steps for judging a candidate of so many bytes."""
    return 6 + min(size, 512) // JUDGED_BYTES
