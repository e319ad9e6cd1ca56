"""What was decided: rows of the table `refusal`, and counters since the start. The store is written with the event."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Any

from holdfast.errors import StoreError
from holdfast.events.scene import Scene
from holdfast.ids import ConversationId, new_id
from holdfast.judging import mcp
from holdfast.rooms.guards import tables
from holdfast.rooms.guards.model import Verdict
from holdfast.rooms.room import Ground
from holdfast.store.interface import Tx

_MOST_KNOWN = 1_000
_LONGEST = 2_000
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided about one call when it came."""

    decision: str
    rule: str
    reason: str
    kept_id: str = ""


class Records:
    """Writes and lists decisions."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._decided: OrderedDict[str, Decided] = OrderedDict()
        self.counted: Counter[str] = Counter()
        """Since the start: `deny`, `ask`, `warn`, `kept`, `dry-run`, `unguarded`, `allowed once`."""
        self.by_rule: Counter[str] = Counter()
        """Since the start, by the rule's id. The store tells rules of one id apart (`counts`)."""

    def note(self, use: str, decided: Decided) -> None:
        """Remember what was decided, in case the store takes the event only later, from the spool."""
        has_run = decided.kept_id and decided.decision in ("allow", "warn")
        self.counted["kept" if has_run else decided.decision.partition(":")[0]] += 1
        if decided.rule and (decided.rule in self.by_rule or len(self.by_rule) < _MOST_KNOWN):
            self.by_rule[decided.rule] += 1
        if use:
            self._decided[use] = decided
            while len(self._decided) > _MOST_KNOWN:
                self._decided.popitem(last=False)

    def was_decided(self, use: str) -> Decided | None:
        return self._decided.get(use)

    def add(self, tx: Tx, decided: Decided, event: Any, scene: Scene) -> None:
        """One decision, in the event's transaction. `event` is as it is kept: scrubbed."""
        tables.add(
            tx,
            id=scene.entry_id,
            owner=scene.owner,
            project_id=scene.place.project_id,
            conversation=event.session_id,
            agent_id=event.agent_id or "",
            tool=getattr(event, "tool_name", event.hook_event_name),
            decision=decided.decision,
            rule=decided.rule,
            reason=self._ground.clean(decided.reason),
            command=described(getattr(event, "tool_name", ""), getattr(event, "arguments", {})),
            kept_id=decided.kept_id,
            happened_at=scene.at_us,
        )

    async def allowed_once(self, refusal_id: str) -> bool:
        """A person allowed a refused call. False when the store could not take it down."""
        owner, now = self._ground.owner, self._ground.now()

        def work(tx: Tx) -> None:
            found = tables.by_short(tx, refusal_id, owner)
            row = (
                dict(found[0])
                if found
                else {"project_id": "", "conversation": "", "agent_id": "", "tool": "", "rule": ""}
            )
            row |= {"id": new_id(), "owner": owner, "decision": "allowed once", "happened_at": now, "kept_id": ""}
            row |= {"reason": f"a person allowed the refused call {refusal_id} once", "command": row.get("command", "")}
            tables.add(tx, **row)

        self.counted["allowed once"] += 1
        try:
            await self._ground.store.write(work, within=2.0)
        except StoreError:
            return False
        return True

    async def recent(self, limit: int) -> list[dict[str, Any]]:
        return await self._ground.store.read(lambda reader: tables.listed(reader, self._ground.owner, 0, limit))

    async def of_conversation(self, conversation: ConversationId, limit: int) -> list[dict[str, Any]]:
        """What was decided in a conversation, the newest first."""
        owner = self._ground.owner
        return await self._ground.store.read(lambda reader: tables.of_conversation(reader, conversation, owner, limit))

    async def counts(self) -> list[dict[str, Any]]:
        """How often each rule decided, with the reason that it gave."""
        return await self._ground.store.read(lambda reader: tables.counts(reader, self._ground.owner))


def decided(verdict: Verdict, kept_id: str = "", prefix: str = "") -> Decided:
    return Decided(f"{prefix}{verdict.decision}", verdict.rule, verdict.reason, kept_id)


def described(tool: str, arguments: dict[str, Any]) -> str:
    """A call in one line, for the record: a command, a file, or the name of the tool and what it was given."""
    for name in ("command", "file_path", "notebook_path"):
        if not tool.startswith(mcp.PREFIX) and isinstance(said := arguments.get(name), str):
            return said[:_LONGEST]
    told = ", ".join(f"{name}: {value}" for name, value in list(arguments.items())[:_MOST_NAMED])
    return f"{tool}({told})"[:_LONGEST] if tool else told[:_LONGEST]
