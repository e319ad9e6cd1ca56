"""Failures of this room, each with a name that scripts read and a sentence for people."""

from __future__ import annotations

from holdfast.errors import HoldfastError, UsageError


class WorkError(HoldfastError):
    """A request that cannot be served. The sentence begins with the failure's name."""

    name = "VALIDATION_ERROR"

    def __init__(self, sentence: str) -> None:
        super().__init__(f"{self.name}: {sentence}")


class NotFound(WorkError):
    """There is no such effort, task or agent."""

    name = "NOT_FOUND"


class AlreadyEnded(WorkError):
    """The window ended before."""

    name = "ALREADY_ENDED"


class EffortFinished(WorkError):
    """The effort is finished: it takes no more entries and no more phases."""

    name = "EFFORT_FINISHED"


class UnknownPhase(WorkError):
    """The skill has no such phase."""

    name = "UNKNOWN_PHASE"


class PhaseNotSequential(WorkError):
    """The phase is not the next one, and no reason was given."""

    name = "PHASE_NOT_SEQUENTIAL"


class Invalid(WorkError, UsageError):
    """What was given does not fit."""

    name = "VALIDATION_ERROR"
