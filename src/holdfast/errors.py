"""Known errors. Each is one sentence for a person: what happened, what was kept, what to do next.

The command line turns them into that sentence and an exit code; anything else becomes a report (exit 70).
"""

from __future__ import annotations

from typing import ClassVar


class HoldfastError(Exception):
    """A failure we know. The message is the sentence the user gets."""

    exit_code: ClassVar[int] = 1
    name: ClassVar[str] = ""
    """A word by which scripts tell it from others; '' where the sentence is all there is."""


class NothingFound(HoldfastError):
    """A lookup that came out empty for a reason worth a sentence. To an agent it is an answer, not a failure."""


class UsageError(HoldfastError):
    """The command was called with words it does not take."""

    exit_code = 2


class ConfigError(UsageError):
    """The configuration says something that cannot be."""


class DaemonAway(HoldfastError):
    """The daemon could not be reached or started."""

    exit_code = 3


class StoreWaits(DaemonAway):
    """The daemon is there, but its store is not, or is unfit."""


class Refused(HoldfastError):
    """The user, or a rule of the user's, said no."""

    exit_code = 4


class StoreError(HoldfastError):
    """The store could not be read or written."""


class StoreFull(StoreError):
    """The disk is full: nothing was written, and what had been written before is safe."""


class StoreAway(StoreError):
    """The database cannot be used at present. It may be again by itself, so whoever can wait tries again."""


class StoreBusy(StoreAway):
    """Another program holds a lock that a write needs."""


class StoreSlow(StoreAway):
    """The database did not answer in the time that an event may wait for it."""


class StoreUnfit(StoreError):
    """The store is damaged, gone, or another one. It was left as it is; a person has to say what happens to it."""

    def __init__(self, sentence: str, kind: str = "damaged") -> None:
        super().__init__(sentence)
        self.kind = kind
