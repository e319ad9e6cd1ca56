"""What a model's calls cost: one call, one day, all calls. `tables` reads and writes them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.ids import ConversationId


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of several calls together, failed ones included."""

    calls: int
    usd: float
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Account:
    """The cost of the model, and the user's limits per day (UTC)."""

    model: str
    """'' while none is asked."""
    today: Spent
    allowed_calls: int
    allowed_usd: float
    total: Spent


@dataclass(frozen=True, slots=True)
class Cost:
    """One call. The fields about its summary are '' when that was forgotten since."""

    began_at: int
    took_ms: int
    model: str
    project: str
    conversation: ConversationId
    summary_id: str
    input_tokens: int
    output_tokens: int
    usd: float
    error: str
