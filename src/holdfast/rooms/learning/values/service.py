"""Groups experiences anew, and keeps the values that hold for a group."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import msgspec

from holdfast.errors import NothingFound, UsageError
from holdfast.ids import NO_CONVERSATION, ConversationId, new_id, new_item_id
from holdfast.items.indexed import Author, Trust
from holdfast.items.web_words import is_marked
from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import rules, tables
from holdfast.rooms.learning.index import LONGEST_VALUE, LearningIndex
from holdfast.rooms.learning.model import AXES, Ghap, LearnedValue
from holdfast.rooms.learning.tables import Cluster
from holdfast.rooms.learning.values.clusters import Group, grouped, with_old_ids
from holdfast.rooms.learning.values.vectors import Vector, distance_of_sentence, terms_of, vector, weights
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx

_SPREAD = 0.5
"""A value may be as far from the middle as its members on average, and half a standard deviation."""
LEAST_FOR_A_VALUE = 3


@dataclass(frozen=True, slots=True)
class Validated:
    """How near a sentence is to its cluster."""

    valid: bool
    distance: float
    most: float
    cluster_id: str
    size: int


class Values:
    """The clusters and values of one owner."""

    def __init__(self, ground: Ground, index: LearningIndex) -> None:
        self._ground = ground
        self._owner = ground.owner
        self._index = index

    async def regroup(self) -> int:
        """The job: group all experiences anew on every axis. How many clusters there are."""
        ghaps = await self._ground.store.read(lambda reader: tables.experiences(reader, self._owner))
        count = 0
        for axis in AXES:
            told = [(ghap, rules.of_axis(ghap, rules.axis(axis))) for ghap in ghaps]
            found = [ghap for ghap, text in told if text]
            groups, vectors = await asyncio.to_thread(_grouped, [text for _, text in told if text])
            count += len(groups)
            await self._ground.store.write(
                lambda tx, axis=axis, groups=groups, found=found, vectors=vectors: self._replace(  # type: ignore[misc]
                    tx, axis, groups, found, vectors
                )
            )
        return count

    def _replace(self, tx: Tx, axis: str, groups: list[Group], ghaps: list[Ghap], vectors: list[Vector]) -> None:
        now = self._ground.now()
        old = {name: set(each) for name, each in tables.members(tx, self._owner, axis).items()}
        ids = [{ghaps[number].id for number in group.members} for group in groups]
        names = with_old_ids([{str(each) for each in group} for group in ids], old)
        kept: list[tuple[Cluster, dict[str, float]]] = []
        for group, name in zip(groups, names, strict=True):
            cluster = Cluster(
                name or new_id(),
                axis,
                msgspec.json.encode(group.centre).decode(),
                len(group.members),
                group.mean,
                group.deviation,
                now,
            )
            members = {ghaps[n].id: far for n, far in zip(group.members, group.distances, strict=True)}
            kept.append((cluster, {str(each): far for each, far in members.items()}))
        tables.replace_clusters(tx, self._owner, axis, kept)
        for (cluster, _), group in zip(kept, groups, strict=True):
            self._support(tx, cluster, [ghaps[number] for number in group.members], group, now)

    def _support(self, tx: Tx, cluster: Cluster, ghaps: list[Ghap], group: Group, now: int) -> None:
        """Values of a cluster know how many experiences support them; on the axis `full` a cluster without one gets the
        lesson that stands nearest to its middle."""
        values = tables.values_of(tx, self._owner, cluster.id)
        for value in values:
            if value.support != cluster.size:
                tables.set_support(tx, self._owner, value.id, cluster.size)
        if values or cluster.axis != "full" or cluster.size < LEAST_FOR_A_VALUE:
            return
        nearest = sorted(zip(group.distances, ghaps, strict=True), key=lambda pair: (pair[0], pair[1].id))
        for _, ghap in nearest:
            if not ghap.lesson or is_marked(ghap.lesson):  # what a page or a tool says is no experience (SEC-6)
                continue
            checked = self._validated(cluster, ghap.lesson)
            if checked.valid:
                projects = {each.project_id for each in ghaps}
                project = ghap.project_id if len(projects) == 1 else ""
                self._keep(tx, ghap.lesson, project, cluster, checked, "rules", ghap.trust, now)
                return

    def _validated(self, cluster: Cluster, text: str) -> Validated:
        centre = msgspec.json.decode(cluster.terms, type=dict[str, float])
        far = distance_of_sentence(terms_of(text), centre)
        most = cluster.mean + _SPREAD * cluster.deviation
        return Validated(far <= most, round(far, 4), round(most, 4), cluster.id, cluster.size)

    def _keep(
        self,
        tx: Tx,
        text: str,
        project_id: str,
        cluster: Cluster,
        checked: Validated,
        by: str,
        trust: Trust,
        now: int,
    ) -> LearnedValue:
        value = LearnedValue(
            id=new_item_id(),
            project_id=project_id,
            text=one_line(text, LONGEST_VALUE),
            axis=cluster.axis,
            cluster_id=cluster.id,
            distance=checked.distance,
            most=checked.most,
            support=cluster.size,
            made_by=by,
            trust=trust,
            created_at=now,
        )
        self._index.add(tx, value, self._owner)
        return value

    # --- what people and agents do

    async def validate(self, text: str, cluster_id: str) -> Validated:
        """How near a sentence is to a cluster, and whether that is near enough."""
        words = rules.text("text", self._ground.clean(text), required=True)
        cluster = await self._cluster(cluster_id)
        return self._validated(cluster, words)

    async def store(
        self, text: str, cluster_id: str, project_id: str, by: Author, conversation: ConversationId = NO_CONVERSATION
    ) -> tuple[LearnedValue, Validated]:
        """Keep a value, if it is near enough to its cluster, and no page's or tool's words (SEC-6)."""
        words = rules.text("text", self._ground.clean(text), required=True)
        if by == "agent":
            [said] = await self._ground.items.marked([words], conversation)
            rules.learned_here(*await self._ground.items.marked_by_tools([said], conversation))
        cluster = await self._cluster(cluster_id)
        checked = self._validated(cluster, words)
        if not checked.valid:
            raise UsageError(
                f"This value is too far from its cluster: {checked.distance} of at most {checked.most}. It was not "
                "kept. Say it in the words of the experiences, or choose another cluster."
            )

        def write(tx: Tx) -> LearnedValue:
            same = [
                each
                for each in tables.values_of(tx, self._owner, cluster.id)
                if each.text == one_line(words, LONGEST_VALUE)
            ]
            return same[0] if same else self._keep(tx, words, project_id, cluster, checked, by, by, self._ground.now())

        return await self._ground.store.write(write), checked

    async def _cluster(self, cluster_id: str) -> Cluster:
        def find(reader: Reader) -> Cluster | None:
            whole = tables.cluster(reader, self._owner, cluster_id)
            if whole is not None or len(cluster_id) < 6:
                return whole
            near = [each for each in tables.clusters(reader, self._owner) if each.id.endswith(cluster_id)]
            return near[0] if len(near) == 1 else None

        found = await self._ground.store.read(find)
        if found is None:
            raise NothingFound(f"There is no cluster {cluster_id}. `holdfast ghap values` shows them.")
        return found


def _grouped(texts: list[str]) -> tuple[list[Group], list[Vector]]:
    found = [terms_of(text) for text in texts]
    worth = weights(found)
    vectors: list[Vector] = [vector(each, worth) for each in found]
    return grouped(vectors), vectors
