"""What the user may choose about the learning loop: `[learning]` and its hooks' sections of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from holdfast.project_file import SWITCH

_SECONDS = Meta(gt=0, le=5, description="Time limit in seconds; a slower result is dropped.")


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What was predicted, what came true, and what solved a failure."""

    remedies: Annotated[
        bool,
        Meta(
            description="Add the earlier solution to a failure, and its lesson to a file.",
            extra=SWITCH,
        ),
    ] = True
    hold: Annotated[
        bool,
        Meta(
            description="Refuse once a command that is sure to fail again, with the lesson as the reason; the "
            "agent may run it again."
        ),
    ] = False
    implied: Annotated[bool, Meta(description="Store and count predictions that the agent makes in passing.")] = True
    values: Annotated[int, Meta(ge=0, le=10, description="Maximum number of values in the brief at session start.")] = 3


class SessionStartSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry that an earlier session left is offered at a session's start."""

    enabled: Annotated[bool, Meta(description="Offer open entries to new sessions.", extra=SWITCH)] = True
    timeout: Annotated[float, _SECONDS] = 5.0
    inject_light_context: Annotated[bool, Meta(description="Add learned values to the brief.", extra=SWITCH)] = True


class Checkin(Struct, frozen=True, forbid_unknown_fields=True):
    """While an entry is active, the agent is reminded of it every few tool calls."""

    enabled: Annotated[bool, Meta(description="Remind the agent of its entry.", extra=SWITCH)] = True
    frequency: Annotated[int, Meta(ge=1, le=1_000, description="Tool calls between two reminders.")] = 10
    timeout: Annotated[float, _SECONDS] = 0.1


class OutcomeCapture(Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a test or build is compared with the prediction; a failure without an entry gets a premortem."""

    enabled: Annotated[
        bool, Meta(description="Compare outcomes with predictions and report the result to the agent.", extra=SWITCH)
    ] = True
    timeout: Annotated[float, _SECONDS] = 0.2
    matchers: Annotated[
        tuple[str, ...],
        Meta(
            description="Beginnings of commands that count as tests, such as `./verify.sh`, besides the many that are "
            "known."
        ),
    ] = ("pytest", "npm test", "cargo test", "make test", "make build")
    auto_capture: Annotated[
        bool, Meta(description="Resolve a prediction in a checkable form from the run's result.")
    ] = True


class SessionEndSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """An unresolved entry is kept for the next session when a session ends."""

    enabled: Annotated[
        bool, Meta(description="At session end, keep open entries for the next session and abandon old ones.")
    ] = True
    timeout: Annotated[float, _SECONDS] = 1.0


SECTIONS: tuple[tuple[str, type[Struct]], ...] = (
    ("session_start", SessionStartSettings),
    ("ghap_checkin", Checkin),
    ("outcome_capture", OutcomeCapture),
    ("session_end", SessionEndSettings),
)
