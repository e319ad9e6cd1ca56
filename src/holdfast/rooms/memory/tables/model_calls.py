"""The tables `model_call` and `model_summary`: what a model's calls cost, and the summaries it wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from holdfast.rooms.memory.summaries.by_model.ledger import Cost, Spent
from holdfast.rooms.memory.tables import rows
from holdfast.store.interface import Reader, Row, Tx
from holdfast.store.values import value_of


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """What a model wrote about a subject, and the digest of the facts that it was given."""

    facts: str
    content: dict[str, str]


def keep_model_call(
    tx: Tx,
    call_id: str,
    owner: str,
    subject: str,
    *,
    purpose: str,
    model: str,
    input_tokens: int,
    output_tokens: int,
    usd: float,
    error: str,
    day: int,
    began_at: int,
    took_ms: int,
) -> None:
    """Store a call, or the result of a call that was stored when it began."""
    tx.run(
        "memory.model_call",
        id=call_id,
        owner=owner,
        day=day,
        purpose=purpose,
        subject=subject,
        model=model,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        usd=usd,
        error=error or None,
        began_at=began_at,
        took_ms=took_ms,
    )


def model_spent(reader: Reader, owner: str, since_day: int = 0) -> Spent:
    """What all calls since a day (UTC) have cost together."""
    row = reader.one("memory.model_spent", owner=owner, day=since_day) or {}
    return Spent(rows.number(row["calls"]), float(row["usd"] or 0), *_tokens(row))


def model_calls(reader: Reader, owner: str, since: int, limit: int) -> list[Cost]:
    """The single calls, the newest first."""
    return [_cost_of(row) for row in reader.all("memory.model_calls", owner=owner, since=since, limit=limit)]


def model_summary(reader: Reader, subject: str) -> ModelSummary | None:
    """What a model wrote about a subject."""
    row = reader.one("memory.model_summary", subject=subject)
    return ModelSummary(str(row["facts"]), msgspec.json.decode(str(row["by_model"]))) if row else None


def keep_model_summary(
    tx: Tx, subject: str, written: ModelSummary, *, by_rules: str, owner: str, written_at: int
) -> None:
    """Store what a model wrote about a subject, beside what the rules wrote (`by_rules`, as JSON)."""
    tx.run(
        "memory.model_summary_put",
        subject=subject,
        facts=written.facts,
        by_model=msgspec.json.encode(written.content).decode(),
        by_rules=by_rules,
        owner=owner,
        written_at=written_at,
    )


def drop_model_summaries(tx: Tx, subjects: Iterable[str]) -> None:
    """Remove what a model wrote about these subjects, and what the rules had written."""
    tx.many("memory.drop_model_summary", [{"subject": subject} for subject in subjects])


def _cost_of(row: Row) -> Cost:
    names = ("project", "conversation", "summary_id", "error")
    numbers = {name: row[name] or 0 for name in ("took_ms", "input_tokens", "output_tokens", "usd")}
    return value_of(Cost, row, **{name: row[name] or "" for name in names}, **numbers)


def _tokens(row: Row) -> tuple[int, int]:
    return rows.number(row["input_tokens"]), rows.number(row["output_tokens"])
