"""The only speaker of `learning.sql`: rows as values, and back. What every room's items need is asked by the index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from holdfast.ids import NO_CONVERSATION, ConversationId, ItemId, stable_id
from holdfast.items import rows
from holdfast.rooms.learning import schema
from holdfast.rooms.learning.model import Ghap, KnownRun, LearnedValue, LoopState, Remedy
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.values import value_of
from holdfast.times import MINUTE_US

HEARD_US = 30 * MINUTE_US
"""A session that was not heard of for so long may be gone; its entry is offered to others."""
MOST_READ = 100_000
MOST_USES = 500
_MOST_LAST = 2_000
_ANYWHERE = 3
"""Keys of this weight hold in every project."""


class Who(NamedTuple):
    """One agent of one conversation."""

    conversation: ConversationId
    agent_id: str = ""


# --- entries


def active(reader: Reader, who: Who, owner: str) -> Ghap | None:
    return _entry(reader.one("learning.active", owner=owner, **who._asdict()))


def left_by(reader: Reader, who: Who, owner: str) -> Ghap | None:
    """The entry that this agent left when its session ended."""
    return _entry(reader.one("learning.left_by", owner=owner, **who._asdict()))


def newest_of(reader: Reader, who: Who, owner: str) -> Ghap | None:
    return _entry(reader.one("learning.newest_of", owner=owner, **who._asdict()))


def orphans(
    reader: Reader, project_id: str, conversation: ConversationId, owner: str, now: int, limit: int
) -> list[Ghap]:
    """Unresolved entries of a project that nobody works on, the newest first."""
    found = reader.all(
        "learning.orphans",
        owner=owner,
        project_id=project_id,
        conversation=conversation,
        heard_since=now - HEARD_US,
        limit=limit,
    )
    return [value_of(Ghap, row) for row in found]


def is_live(reader: Reader, entry: Ghap, owner: str, now: int) -> bool:
    """Does the agent of an entry still work?"""
    about = {"owner": owner, "conversation": entry.conversation, "agent_id": entry.agent_id}
    return not entry.left_at and reader.one("learning.is_live", heard_since=now - HEARD_US, **about) is not None


def write(tx: Tx, entry: Ghap, owner: str) -> None:
    """A new entry."""
    rows.put(tx, schema.GHAP, msgspec.to_builtins(entry), owner)


def rewrite(tx: Tx, entry: Ghap, owner: str) -> None:
    rows.rewrite(tx, schema.GHAP, msgspec.to_builtins(entry), owner)


def leave(tx: Tx, who: Who, owner: str, at: int) -> None:
    """The session of an agent ended; agent '*' is every agent of the conversation."""
    tx.run("learning.leave", owner=owner, at=at, **who._asdict())


def come_back(tx: Tx, who: Who, owner: str) -> None:
    tx.run("learning.return", owner=owner, **who._asdict())


def overdue(
    reader: Reader,
    owner: str,
    before: int,
    *,
    conversation: ConversationId = NO_CONVERSATION,
    project_id: str = "",
    began_at: int = -1,
) -> list[Ghap]:
    """Entries that nobody took up in time."""
    found = reader.all(
        "learning.overdue",
        owner=owner,
        conversation=conversation,
        project_id=project_id,
        began_at=began_at,
        before=before,
        limit=1_000,
    )
    return [value_of(Ghap, row) for row in found]


def entries(
    reader: Reader,
    owner: str,
    *,
    project_id: str = "",
    domain: str = "",
    status: str = "",
    conversation: ConversationId = NO_CONVERSATION,
    since: int = 0,
    limit: int = 20,
) -> list[Ghap]:
    found = reader.all(
        "learning.entries",
        owner=owner,
        project_id=project_id,
        domain=domain,
        status=status,
        conversation=conversation,
        since=since,
        limit=limit,
    )
    return [value_of(Ghap, row) for row in found]


def falsified(reader: Reader, owner: str, project_id: str, domain: str, limit: int) -> list[Ghap]:
    found = reader.all("learning.falsified", owner=owner, project_id=project_id, domain=domain, limit=limit)
    return [value_of(Ghap, row) for row in found]


def experiences(reader: Reader, owner: str) -> list[Ghap]:
    """All entries that were confirmed or falsified, in the order they were."""
    return [value_of(Ghap, row) for row in reader.all("learning.experiences", owner=owner, limit=MOST_READ)]


def experience_count(reader: Reader, owner: str) -> int:
    row = reader.one("learning.experience_count", owner=owner)
    return int(row["n"] or 0) if row else 0


def began_at(reader: Reader, conversation: ConversationId, owner: str) -> int:
    """When a conversation began; 0 when it was never heard of."""
    row = reader.one("learning.first_began", owner=owner, conversation=conversation)
    return int(row["started_at"] or 0) if row else 0


def newest_window(
    reader: Reader, owner: str, *, project_id: str = "", conversation: ConversationId = NO_CONVERSATION
) -> tuple[ConversationId, str] | None:
    """(conversation, project) of the newest window, live ones first."""
    row = reader.one("learning.newest_window", owner=owner, project_id=project_id, conversation=conversation)
    return (ConversationId(str(row["conversation"])), str(row["project_id"])) if row else None


def _entry(row: Row | None) -> Ghap | None:
    return value_of(Ghap, row) if row else None


# --- where an agent is


def state(reader: Reader, who: Who, owner: str) -> LoopState:
    row = reader.one("learning.state", owner=owner, **who._asdict())
    return value_of(LoopState, row) if row else LoopState()


def set_state(tx: Tx, who: Who, now: LoopState, at: int, owner: str) -> None:
    tx.run("learning.state_set", owner=owner, calls=now.calls, warned=now.warned, updated_at=at, **who._asdict())


# --- runs


def add_run(tx: Tx, run: KnownRun, owner: str) -> None:
    tx.run("learning.run_add", owner=owner, **msgspec.to_builtins(run))


def runs_before(reader: Reader, owner: str, conversation: ConversationId, before: int, limit: int) -> list[KnownRun]:
    found = reader.all(
        "learning.runs_before", owner=owner, conversation=conversation, before=before, limit=limit
    )  # fmt: skip
    return [value_of(KnownRun, row) for row in found]


def last_verdict(reader: Reader, owner: str, project_id: str, label: str) -> tuple[str, str]:
    """(verdict, error) of the last run of this name in a project."""
    row = reader.one("learning.failed_before", owner=owner, project_id=project_id, label=label)
    return (str(row["verdict"]), str(row["error"])) if row else ("", "")


def failing(reader: Reader, owner: str, project_id: str) -> dict[str, str]:
    """The commands of a project whose last run failed, with what the failure is known by."""
    last: dict[str, str] = {}
    for row in reader.all(
        "learning.last_runs", owner=owner, project_id=project_id, limit=_MOST_LAST
    ):  # the newest first
        last.setdefault(str(row["label"]), str(row["error"]))
    return {label: error for label, error in last.items() if error}


def proven_commands(reader: Reader, owner: str, project_id: str) -> dict[str, str]:
    """The commands whose remedy helped again or is a person's, each with the id of the newest."""
    found: dict[str, str] = {}
    for row in reader.all("learning.proven_commands", owner=owner, project_id=project_id, limit=_MOST_LAST):
        found.setdefault(str(row["command"]), str(row["id"]))
    return found


def tool_uses(reader: Reader, owner: str, conversation: ConversationId, after: int, before: int) -> Sequence[Row]:
    """The journal's entries of what tools did between two moments."""
    about: dict[str, Value] = {"owner": owner, "conversation": conversation}
    return reader.all("learning.entries_between", after=after, before=before, limit=MOST_USES, **about)


def flaky(reader: Reader, owner: str, project_id: str) -> dict[str, int]:
    """Tests that passed and failed without a change between, and how often."""
    found = reader.all("learning.flaky", owner=owner, project_id=project_id)
    return {str(row["test"]): int(row["times"] or 0) for row in found}


def add_flaky(tx: Tx, owner: str, project_id: str, test: str, at: int) -> None:
    about = stable_id(0, "flaky", owner, project_id, test)
    tx.run("learning.flaky_add", id=about, owner=owner, project_id=project_id, test=test, at=at)


# --- remedies


def add_keys(tx: Tx, remedy_id: str, keys: Iterable[tuple[str, int]]) -> None:
    """What the failure of a remedy is known by, each with its weight."""
    tx.many("learning.remedy_keys_add", [{"remedy_id": remedy_id, "key": key, "weight": w} for key, w in keys])


def by_key(reader: Reader, owner: str, project_id: str, key: str) -> list[tuple[Remedy, int]]:
    found = reader.all(
        "learning.remedies_by_key", key=key, owner=owner, project_id=project_id, anywhere=_ANYWHERE
    )  # fmt: skip
    return [(value_of(Remedy, row), int(row["weight"] or 0)) for row in found]


def remedies(reader: Reader, owner: str, project_id: str, limit: int) -> list[Remedy]:
    found = reader.all("learning.remedies", owner=owner, project_id=project_id, limit=limit)
    return [value_of(Remedy, row) for row in found]


def remedies_of(reader: Reader, owner: str, conversation: ConversationId, since: int) -> list[Remedy]:
    found = reader.all("learning.remedies_of", owner=owner, conversation=conversation, since=since)
    return [value_of(Remedy, row) for row in found]


def remedy_files(reader: Reader, owner: str, project_id: str) -> dict[str, list[str]]:
    """The files of a project's remedies, each with the ids, the newest first."""
    found: dict[str, list[str]] = {}
    for row in reader.all("learning.remedy_files", owner=owner, project_id=project_id, limit=5_000):
        for path in texts(str(row["files"])):
            found.setdefault(path, []).append(str(row["id"]))
    return found


def judge(tx: Tx, remedy: Remedy, owner: str) -> None:
    """What is thought of a remedy now."""
    tx.run(
        "learning.remedy_judge",
        owner=owner,
        id=remedy.id,
        good=float(remedy.good),
        bad=float(remedy.bad),
        shown=remedy.shown,
        used=remedy.used,
        worked=remedy.worked,
        outdated=remedy.outdated,
        judged_at=remedy.judged_at,
    )


def shown_in(reader: Reader, owner: str, conversation: ConversationId, since: int, before: int) -> dict[str, int]:
    """The ids of remedies that were given in a conversation, and when last."""
    found = reader.all("learning.shown_in", owner=owner, conversation=conversation, since=since, before=before)
    return {str(row["item_id"]): int(row["happened_at"] or 0) for row in reversed(found)}


def texts(held: str) -> list[str]:
    """A JSON list of texts; what an import brought may be anything."""
    try:
        return msgspec.json.decode(held, type=list[str]) if held else []
    except msgspec.MsgspecError:
        return []


# --- predictions


class Implied(Struct, frozen=True):
    """A prediction in passing, and whether it came true."""

    id: str
    project_id: str
    words: str
    expects: str
    domain: str
    came_true: int
    happened_at: int


def add_implied(tx: Tx, implied: Implied, who: Who, owner: str) -> None:
    tx.run("learning.implied_add", owner=owner, **who._asdict(), **msgspec.to_builtins(implied))


def implied(reader: Reader, owner: str, project_id: str, since: int) -> list[Implied]:
    found = reader.all("learning.implied", owner=owner, project_id=project_id, since=since, limit=MOST_READ)
    return [value_of(Implied, row) for row in found]


class SettledGhap(Struct, frozen=True):
    """An entry whose prediction came true or not."""

    id: ItemId
    project_id: str
    domain: str
    strategy: str
    status: str
    tier: str
    resolved_at: int


def settled(reader: Reader, owner: str, project_id: str, since: int) -> list[SettledGhap]:
    found = reader.all("learning.settled", owner=owner, project_id=project_id, since=since, limit=MOST_READ)
    return [value_of(SettledGhap, row) for row in found]


def project_names(reader: Reader, owner: str) -> dict[str, str]:
    return {str(row["id"]): str(row["name"]) for row in reader.all("learning.project_names", owner=owner)}


# --- clusters and values


class Cluster(Struct, frozen=True):
    """Experiences about the same thing on one axis. `terms` is its centroid, as JSON."""

    id: str
    axis: str
    terms: str
    size: int
    mean: float
    deviation: float
    updated_at: int


def heaviest(cluster: Cluster, most: int) -> list[str]:
    """The terms that a cluster is about."""
    found = msgspec.json.decode(cluster.terms, type=dict[str, float])
    return sorted(found, key=lambda term: (-found[term], term))[:most]


def clusters(reader: Reader, owner: str, axis: str = "") -> list[Cluster]:
    found = reader.all("learning.clusters", owner=owner, axis=axis, limit=10_000)
    return [value_of(Cluster, row) for row in found]


def cluster(reader: Reader, owner: str, cluster_id: str) -> Cluster | None:
    row = reader.one("learning.cluster", owner=owner, id=cluster_id)
    return value_of(Cluster, row) if row else None


def members(reader: Reader, owner: str, axis: str) -> dict[str, dict[str, float]]:
    """The members of every cluster of an axis, with their distances to its centroid."""
    found: dict[str, dict[str, float]] = {}
    for row in reader.all("learning.members", owner=owner, axis=axis):
        found.setdefault(str(row["cluster_id"]), {})[str(row["ghap_id"])] = float(row["distance"] or 0)
    return found


def replace_clusters(tx: Tx, owner: str, axis: str, found: Iterable[tuple[Cluster, dict[str, float]]]) -> None:
    """The clusters of an axis, anew."""
    tx.run("learning.drop_members", owner=owner, axis=axis)
    tx.run("learning.drop_clusters", owner=owner, axis=axis)
    for each, distances in found:
        about: dict[str, Value] = msgspec.to_builtins(each)
        tx.run("learning.cluster_add", owner=owner, **about)
        tx.many(
            "learning.member_add",
            [{"cluster_id": each.id, "ghap_id": entry, "distance": far} for entry, far in distances.items()],
        )


def drop_clusters_with(tx: Tx, owner: str, ids: Sequence[str]) -> set[str]:
    """Entries were forgotten: the clusters that they were in go, too. Which those were."""
    gone = {str(row["cluster_id"]) for each in ids for row in tx.all("learning.clusters_of", owner=owner, ghap_id=each)}
    for each in ids:
        tx.run("learning.drop_members_of", ghap_id=each)
    tx.run("learning.drop_empty_clusters", owner=owner)
    return gone


def values(reader: Reader, owner: str, project_id: str = "", axis: str = "", limit: int = 1_000) -> list[LearnedValue]:
    found = reader.all("learning.values", owner=owner, project_id=project_id, axis=axis, limit=limit)
    return [value_of(LearnedValue, row) for row in found]


def values_of(reader: Reader, owner: str, cluster_id: str) -> list[LearnedValue]:
    found = reader.all("learning.value_of_cluster", owner=owner, cluster_id=cluster_id)
    return [value_of(LearnedValue, row) for row in found]


def set_support(tx: Tx, owner: str, value_id: str, support: int) -> None:
    tx.run("learning.value_support", owner=owner, id=value_id, support=support)
