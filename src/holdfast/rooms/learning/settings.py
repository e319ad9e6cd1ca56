"""What the user may choose about the learning loop: `[learning]` and its hooks' sections of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from holdfast.project_file import SWITCH

_SECONDS = Meta(gt=0, le=5, description="The most seconds that this hook may take; later it is left out.")


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What was predicted, what came true, and what solved a failure."""

    remedies: Annotated[
        bool,
        Meta(
            description="Whether a failure is given with what solved it before, and a file with its lesson.",
            extra=SWITCH,
        ),
    ] = True
    hold: Annotated[
        bool,
        Meta(
            description="Whether a command that surely fails again is held once, with the lesson as the reason; the "
            "agent may run it again."
        ),
    ] = False
    implied: Annotated[
        bool, Meta(description="Whether predictions that the agent makes in passing are kept and counted.")
    ] = True
    values: Annotated[int, Meta(ge=0, le=10, description="The most values in the brief at a session's start.")] = 3


class SessionStart(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry that an earlier session left is offered at a session's start."""

    enabled: Annotated[bool, Meta(description="Whether it is offered.", extra=SWITCH)] = True
    timeout: Annotated[float, _SECONDS] = 5.0
    inject_light_context: Annotated[
        bool, Meta(description="Whether the brief holds the values that experience taught.", extra=SWITCH)
    ] = True


class Checkin(Struct, frozen=True, forbid_unknown_fields=True):
    """While an entry is active, the agent is reminded of it every few tool calls."""

    enabled: Annotated[bool, Meta(description="Whether it is reminded.", extra=SWITCH)] = True
    frequency: Annotated[int, Meta(ge=1, le=1_000, description="Tool calls between two reminders.")] = 10
    timeout: Annotated[float, _SECONDS] = 0.1


class OutcomeCapture(Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a test or build is compared with the prediction; a failure without an entry gets a premortem."""

    enabled: Annotated[bool, Meta(description="Whether outcomes are compared and told.", extra=SWITCH)] = True
    timeout: Annotated[float, _SECONDS] = 0.2
    matchers: Annotated[
        tuple[str, ...],
        Meta(
            description="Beginnings of commands that count as tests, such as `./verify.sh`, besides the many that are "
            "known."
        ),
    ] = ("pytest", "npm test", "cargo test", "make test", "make build")
    auto_capture: Annotated[
        bool, Meta(description="Whether a prediction in a checkable form is settled by the run itself.")
    ] = True


class SessionEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """An unresolved entry is kept for the next session when a session ends."""

    enabled: Annotated[bool, Meta(description="Whether entries are left and abandoned at the end.")] = True
    timeout: Annotated[float, _SECONDS] = 1.0


SECTIONS: dict[str, type[Struct]] = {
    "session_start": SessionStart,
    "ghap_checkin": Checkin,
    "outcome_capture": OutcomeCapture,
    "session_end": SessionEnd,
}
