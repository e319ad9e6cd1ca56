"""The values of this room: GHAPs of the loop, runs, remedies, learned values. Fields are named as columns."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from holdfast.ids import ConversationId, EntryId, ItemId
from holdfast.items.indexed import Family, Trust

EXPERIENCE = Family("experience", "e", unasked=("experience",), context_type="experiences")
"""A resolved GHAP. A GHAP that is not resolved has the same id, and is not found by a search."""
REMEDY = Family("remedy", "r", unasked=("remedy",), context_type="remedies", context_weight=0.8)
VALUE = Family("value", "v", unasked=("value",), remembered=True, context_type="values", context_weight=0.8)
FAMILIES = (EXPERIENCE, REMEDY, VALUE)

DOMAINS = (
    *("debugging", "refactoring", "feature", "testing", "configuration", "documentation", "performance"),
    *("security", "integration"),
)
STRATEGIES = (
    *("systematic-elimination", "trial-and-error", "research-first", "divide-and-conquer", "root-cause-analysis"),
    *("copy-from-similar", "check-assumptions", "read-the-error", "ask-user"),
)
ROOT_CAUSES = (
    *("wrong-assumption", "missing-knowledge", "oversight", "environment-issue", "misleading-symptom"),
    *("incomplete-fix", "wrong-scope", "test-isolation", "timing-issue"),
)
Resolution = Literal["confirmed", "falsified", "abandoned"]
RESOLUTIONS: tuple[str, ...] = get_args(Resolution)
GhapStatus = Literal["active", "confirmed", "falsified", "abandoned"]
Tier = Literal["", "gold", "silver", "bronze", "abandoned"]
TIER_WEIGHTS: dict[str, float] = {"gold": 1.0, "silver": 0.8, "bronze": 0.5, "abandoned": 0.2}
"""How much an experience counts, by how its outcome is known."""
Axis = Literal["full", "strategy", "surprise", "root_cause"]
AXES: tuple[str, ...] = get_args(Axis)
Compared = Literal["", "match", "mismatch"]
"""What a captured run says of a prediction; '' when it says nothing."""


class Round(Struct, frozen=True):
    """What was believed, done and expected before a GHAP was changed."""

    hypothesis: str
    action: str
    prediction: str
    until: int = 0
    """When it was given up."""


class Ghap(Struct, frozen=True):
    """One GHAP: goal, hypothesis, action and prediction, and their outcome. The row of the table `ghap`."""

    id: ItemId
    project_id: str
    conversation: ConversationId
    agent_id: str
    """'' for the main agent."""
    goal: str
    hypothesis: str
    action: str
    prediction: str
    domain: str
    strategy: str
    iterations: int
    history: str
    """The rounds before this one, as JSON."""
    status: GhapStatus
    tier: Tier
    result: str
    """The evidence: what was seen, in the agent's words or in those of the captured run."""
    surprise: str
    root_cause: str
    """One of `ROOT_CAUSES`; '' for none."""
    cause: str
    """The root cause in words."""
    lesson: str
    notes: str
    captured: Compared
    """What the last captured run of this round says of the prediction."""
    captured_run: str
    """That run, in words."""
    auto_captured: int
    """1: a captured run settled it, without the agent."""
    trust: Trust
    created_at: int
    updated_at: int
    resolved_at: int
    """0 while it is active."""
    left_at: int
    """When its session ended without resolving it; 0 when it did not."""


class LoopState(Struct, frozen=True):
    """Where one agent of a conversation is in the loop."""

    calls: int = 0
    """Tool calls since the last check-in, update or start."""
    warned: int = 0
    """1: it had its premortem in this cycle."""


class KnownRun(Struct, frozen=True):
    """One run that passed or failed, as it is kept. The row of the table `known_run`."""

    id: str
    """The journal entry of the run, with its number if it is not the first of that entry."""
    project_id: str
    conversation: ConversationId
    agent_id: str
    kind: str
    tool: str
    label: str
    """The tool and what it ran, such as `pytest tests/test_auth.py`."""
    paths: str
    """What it covered, as a JSON list; see `shell.scope`."""
    narrowed: str
    verdict: str
    error: str
    """What the failure is known by, as JSON (`remedies.signature`); '' when it passed."""
    tests: str
    """The names of the tests that failed, as a JSON list."""
    happened_at: int


class Remedy(Struct, frozen=True):
    """What solved a failure. The row of the table `remedy`."""

    id: ItemId
    project_id: str
    conversation: ConversationId
    entry_id: EntryId
    """The journal entry of the run that passed."""
    problem: str
    symptoms: str
    root_cause: str
    solution: str
    files: str
    """A JSON list."""
    category: str
    command: str
    """The run that failed."""
    learned: str
    """How it was learned: `gold`, `silver`, `bronze`, `seen` (a failure that later passed)."""
    good: float
    bad: float
    """What spoke for and against it since, as of `judged_at`."""
    shown: int
    used: int
    worked: int
    outdated: int
    judged_at: int
    trust: Trust
    happened_at: int


class LearnedValue(Struct, frozen=True):
    """What experience taught, in a sentence. The row of the table `learned_value`."""

    id: ItemId
    project_id: str
    """'' for all projects."""
    text: str
    axis: str
    cluster_id: str
    distance: float
    most: float
    """The distance that was allowed."""
    support: int
    """Experiences in its cluster."""
    made_by: str
    """`agent`, `user` or `rules`."""
    trust: Trust
    created_at: int
