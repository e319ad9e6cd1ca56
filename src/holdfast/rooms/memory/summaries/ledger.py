"""The ledger of a model's calls, as it is read: what each has cost, what a day has, and what all have."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.rooms.memory import rows
from holdfast.store.interface import Reader, Row


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


def spent(reader: Reader, owner: str, since_day: int = 0) -> Spent:
    row = reader.one("memory.model_spent", owner=owner, day=since_day) or {}
    return Spent(rows.number(row["calls"]), float(row["usd"] or 0), *_tokens(row))


def calls(reader: Reader, owner: str, since: int, limit: int) -> list[Cost]:
    """The single calls, the newest first."""
    return [_cost_of(row) for row in reader.all("memory.model_calls", owner=owner, since=since, limit=limit)]


def _cost_of(row: Row) -> Cost:
    input_tokens, output_tokens = _tokens(row)
    return Cost(
        began_at=rows.number(row["began_at"]),
        took_ms=rows.number(row["took_ms"]),
        model=str(row["model"]),
        project=str(row["project"] or ""),
        conversation=str(row["conversation"] or ""),
        summary_id=str(row["summary_id"] or ""),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        usd=float(row["usd"] or 0),
        error=str(row["error"] or ""),
    )


def _tokens(row: Row) -> tuple[int, int]:
    return rows.number(row["input_tokens"]), rows.number(row["output_tokens"])
