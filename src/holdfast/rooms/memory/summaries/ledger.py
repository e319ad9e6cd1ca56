"""What a model's calls cost: one call, one day, all calls. `tables` reads and writes them. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls have cost together, failures included."""

    calls: int
    usd: float
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Account:
    """What the model has cost, against what is allowed in a day (UTC)."""

    model: str
    """'' while none is asked."""
    today: Spent
    allowed_calls: int
    allowed_usd: float
    total: Spent


@dataclass(frozen=True, slots=True)
class Cost:
    """One call. What it was about is '' when that was forgotten since."""

    began_at: int
    took_ms: int
    model: str
    project: str
    conversation: str
    summary_id: str
    input_tokens: int
    output_tokens: int
    usd: float
    error: str
