"""The only speaker of `fleet.sql`."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from holdfast.rooms.fleet.model import Agent, TeamTask, WaitsFor
from holdfast.store.interface import Reader, Row, Tx

MOST = 2_000
_SAME = (
    *(
        "conversation",
        "agent_id",
        "project_id",
        "kind",
        "agent_type",
        "name",
        "parent",
        "pane",
        "pid",
        "status",
        "since",
    ),
    *("needs", "message", "background", "team", "failed", "failure", "failed_at", "idle_at", "seen_at"),
    *("ended_at", "ended_by"),
)
"""Fields that are named and stored as they are."""


class KnownAgent(NamedTuple):
    """An agent as the store knows it, with what other tables say of it."""

    agent: Agent
    home: str
    project: str
    folder: str
    transcript: str


def put(tx: Tx, agent: Agent, owner: str, home: str, at: int) -> None:
    first = agent.asks[0] if agent.asks else None
    tx.run(
        "fleet.put",
        owner=owner,
        home=home,
        in_turn=int(agent.in_turn),
        owes=int(agent.owes),
        asks=first.kind if first else "",
        asked_at=agent.asks[-1].at if agent.asks else 0,
        changed_at=at,
        **{name: getattr(agent, name) for name in _SAME},
    )


def agents(reader: Reader, owner: str, *, home: str = "", ended_since: int = 0, limit: int = MOST) -> list[KnownAgent]:
    """The newest first; '' is every daemon's."""
    rows = reader.all("fleet.agents", owner=owner, home=home, ended_since=ended_since, limit=limit)
    return [
        KnownAgent(_agent(row), *(str(row[name]) for name in ("home", "project", "folder", "transcript_path")))
        for row in rows
    ]


def _agent(row: Row) -> Agent:
    asks = (WaitsFor(row["asks"], str(row["needs"]), int(row["asked_at"] or 0)),) if row["asks"] else ()  # type: ignore[arg-type]
    told: dict[str, Any] = {name: row[name] for name in _SAME}
    more = {"in_turn": bool(row["in_turn"]), "owes": bool(row["owes"]), "last_at": row["last_at"], "asks": asks}
    return msgspec.convert(told | more, Agent)


def put_task(tx: Tx, task: TeamTask, owner: str) -> None:
    tx.run("fleet.put_task", owner=owner, **msgspec.structs.asdict(task))


def tasks(reader: Reader, owner: str, since: int, limit: int = MOST) -> list[TeamTask]:
    return [msgspec.convert(row, TeamTask) for row in reader.all("fleet.tasks", owner=owner, since=since, limit=limit)]
