"""Judges remedies by their outcome: one that was shown and then followed helped, or it did not (CON-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from holdfast.events.scene import Scene
from holdfast.ids import ConversationId, ItemId
from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import confidence, tables
from holdfast.rooms.learning.model import REMEDY, KnownRun, Remedy
from holdfast.rooms.learning.remedies import telling
from holdfast.rooms.learning.remedies.changes import COMMAND, Changes, changes_in
from holdfast.rooms.learning.remedies.signature import read_signature
from holdfast.rooms.learning.service import Learning
from holdfast.store.interface import Tx
from holdfast.times import HOUR_US

JUDGED_WITHIN = 6 * HOUR_US
"""How long after two runs, or after a remedy was shown, one is taken to follow from the other."""


def judge_shown(
    tx: Tx,
    service: Learning,
    scene: Scene,
    conversation: ConversationId,
    pairs: Sequence[tuple[KnownRun, bool, Changes]],
) -> None:
    """Remedies that were shown and then followed: did it pass, or did the failure come again? Each run comes with
    whether the last one like it came out otherwise, and with what changed since."""
    shown = tables.shown_in(tx, scene.owner, conversation, scene.at_us - JUDGED_WITHIN, scene.at_us)
    for ran, is_turned, changed in pairs if shown else ():
        if ran.verdict == "passed":
            turned = _followed(tx, service, scene, shown, changed) if is_turned else []
            warned = [each for each in _since(tx, service, scene, conversation, shown) if each.command == ran.label]
            helped = {each.id: each for each in (*turned, *warned)}
            judge(tx, service, scene, conversation, helped.values(), "worked")
        elif ran.verdict == "failed" and (signature := read_signature(ran.error)):
            again = {remedy.id for remedy in telling.fitting(tx, service, scene, signature)}
            still = {each: at for each, at in shown.items() if each in again}
            judge(tx, service, scene, conversation, _since(tx, service, scene, conversation, still), "failed")


def judge(
    tx: Tx, service: Learning, scene: Scene, conversation: ConversationId, remedies: Iterable[Remedy], came_to: str
) -> None:
    """Count the outcome of remedies, once per conversation: one attempt may take many runs, and what helped is not
    blamed when it fails again."""
    for remedy in remedies:
        if service.judge_once(conversation, remedy.id, came_to):
            tables.judge(tx, confidence.with_evidence(remedy, came_to, scene.at_us), scene.owner)
            service.remedies_changed(remedy.project_id)


def _since(
    tx: Tx, service: Learning, scene: Scene, conversation: ConversationId, shown: Mapping[ItemId, int]
) -> Iterator[Remedy]:
    """Those of the shown remedies that were followed since they were shown."""
    for each, at in shown.items():
        rows = tables.tool_uses(tx, scene.owner, conversation, at, scene.at_us)
        yield from _followed(tx, service, scene, (each,), changes_in(rows, scene.place.worktree_path))


def _followed(tx: Tx, service: Learning, scene: Scene, ids: Iterable[ItemId], changes: Changes) -> list[Remedy]:
    """Those of some remedies that were done again: a file of theirs was changed, or their command was run."""
    found = (service.index.item(tx, REMEDY.name, each, scene.owner) for each in ids)
    remedies = [each for each in found if isinstance(each, Remedy)]
    ran = [f"`{one_line(command, COMMAND)}`" for command in changes.commands]
    return [
        each
        for each in remedies
        if set(tables.texts(each.files)) & set(changes.files) or any(command in each.solution for command in ran)
    ]
