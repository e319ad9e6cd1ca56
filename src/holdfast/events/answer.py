"""What may be answered: the parts that contributions give, and the one answer they are merged into.

`client_body` is the only place that knows the client's output schemas; where the client has none, the body is `{}`,
because anything else there is shown to the user as a hook error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from holdfast.events.event import JsonObject
from holdfast.store.interface import Tx

CONTEXT_CAP = 10_000
"""The client moves an additionalContext of more characters into a file and shows a preview (2.1.325)."""

CONTEXT_EVENTS = frozenset(
    {
        *("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "SubagentStart"),
        *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
    }
)
"""Events whose additionalContext reaches the model and has no other effect. (At Stop it makes the turn go on.)"""

BLOCKABLE_EVENTS = frozenset(
    {"PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact"}
)


@dataclass(frozen=True, slots=True)
class Context:
    """Text for the model, with the name of the room or source it comes from."""

    text: str
    origin: str
    marks: tuple[tuple[str, str | bool], ...] = ()
    """What kind of words they are, for `seen`: names and values of a few fixed words."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the thing may happen. Made by `refuse`, `ask` and `allow`, nowhere else."""

    kind: Literal["deny", "ask", "allow"]
    reason: str
    rule: str


def refuse(rule: str, reason: str) -> Decision:
    """The one way to say no. `rule` names what matched, so that `why` can explain it."""
    return Decision("deny", reason, rule)


def ask(rule: str, reason: str) -> Decision:
    return Decision("ask", reason, rule)


def allow(rule: str, reason: str) -> Decision:
    return Decision("allow", reason, rule)


@dataclass(frozen=True, slots=True)
class Part:
    """What one contribution adds to the answer of one event.

    `record` runs inside the event's transaction, after its journal entry, and only the first time the event is seen.
    It may return another Part to be used instead (a claim that was lost drops its context), or None to keep this one.

    `after` runs on the event loop when that transaction is committed: what a room holds in memory changes here, so that
    it never mentions something that the store refused. It runs whatever `record` returned, and must be quick.
    """

    contexts: tuple[Context, ...] = ()
    decision: Decision | None = None
    updated_input: JsonObject | None = None
    message: str | None = None
    sign: str = ""
    """A few words for the line that tells the user at a session's start that holdfast is there, such as `guards on`."""
    record: Callable[[Tx], Part | None] | None = None
    after: Callable[[], None] | None = None
    noted: tuple[tuple[str, str], ...] = ()
    """What was decided without the daemon, for its record when the event is taken from the spool."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The merged answer to one event, and what it took to make it fit."""

    context: str = ""
    instructions: str = ""
    decision: Decision | None = None
    updated_input: JsonObject | None = None
    message: str | None = None
    dropped: int = 0


NOTHING = Answer()
EMPTY_BODY = b"{}"


def client_body(event: str, answer: Answer) -> bytes:
    """The JSON that the client understands for this event."""
    if answer == NOTHING:
        return EMPTY_BODY
    body: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    if answer.context and event in CONTEXT_EVENTS:
        specific["additionalContext"] = answer.context
    decision = answer.decision
    if decision and event == "PreToolUse":
        specific["permissionDecision"] = decision.kind
        specific["permissionDecisionReason"] = decision.reason
    elif decision and event == "PermissionRequest" and decision.kind != "ask":
        verdict = {"behavior": decision.kind}
        specific["decision"] = verdict | ({"message": decision.reason} if decision.kind == "deny" else {})
    elif decision and event in BLOCKABLE_EVENTS and decision.kind == "deny":
        body |= {"decision": "block", "reason": decision.reason}
    if answer.updated_input is not None and event == "PreToolUse":
        specific["updatedInput"] = answer.updated_input
    if specific:
        body["hookSpecificOutput"] = {"hookEventName": event, **specific}
    if answer.message:
        body["systemMessage"] = answer.message
    return msgspec.json.encode(body)


def command_body(event: str, answer: Answer) -> bytes:
    """What the command client is told. The same, but for PreCompact: only plain text reaches the summary's prompt."""
    if event == "PreCompact" and answer.instructions and answer.decision is None:
        return answer.instructions.encode()
    return client_body(event, answer)
