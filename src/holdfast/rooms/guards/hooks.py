"""What this room contributes: a decision before a tool runs, and the ledger of what a conversation made.

The decision sees the call as it came. What is written of it (a refusal) is the scrubbed form.
"""

from __future__ import annotations

from holdfast.events.answer import Context, Part, ask, refuse
from holdfast.events.event import PostToolUse, PreToolUse, SessionStart
from holdfast.events.scene import Scene
from holdfast.rooms.guards import tables, words
from holdfast.rooms.guards.service import Guards, ToolCall
from holdfast.store.interface import Tx

ORIGIN = "guards"


async def guard(event: PreToolUse, scene: Scene) -> Part | None:
    """Refuse, ask, or keep what a call would destroy."""
    service = scene.services.get(Guards)
    if service.settings.mode == "off":
        return None
    call = ToolCall(event.tool_name, event.arguments, event.cwd, scene.place.worktree_path, event.session_id)
    acting = scene.is_live and service.settings.mode == "on"
    judged = await service.judge(call, keep=acting, now=scene.now())
    verdict = judged.verdict
    if verdict.decision == "allow" and judged.kept is None:
        return None
    if verdict.decision in ("ask", "deny") and service.was_allowed(call):
        return None
    kept = judged.kept
    seen = await scene.kept() if scene.kept else event

    def record(tx: Tx) -> None:
        tables.add(
            tx,
            id=scene.entry_id,
            owner=scene.owner,
            project_id=scene.place.project_id,
            conversation=event.session_id,
            agent_id=event.agent_id or "",
            tool=event.tool_name,
            decision=verdict.decision if acting else f"dry-run: {verdict.decision}",
            rule=verdict.rule,
            reason=service.clean(verdict.reason),
            command=service.described(seen.tool_name, seen.arguments),
            kept_id=kept.id if kept else "",
            happened_at=scene.at_us,
        )

    if not acting:
        return Part(record=record)
    if kept is not None:
        files = sum(each.kind != "folder" for each in kept.files)
        return Part(contexts=(Context(words.kept(kept.id, files, len(kept.commits)), ORIGIN),), record=record)
    if verdict.decision == "warn":
        return Part(contexts=(Context(words.refusal(verdict), ORIGIN),), record=record)
    short = scene.entry_id[-8:]
    said = words.refusal(verdict)
    decision = refuse(verdict.rule, said) if verdict.decision == "deny" else ask(verdict.rule, said)
    return Part(decision=decision, message=words.override(short, service.code_for(short, call)), record=record)


_SIGNS = {"on": "guards on", "dry-run": "guards only watch (dry-run)", "off": "guards OFF"}


async def sign(event: SessionStart, scene: Scene) -> Part | None:
    """Tell the user whether guards are on."""
    settings = scene.services.get(Guards).settings
    some = f", {len(settings.allow)} rules off" if settings.mode == "on" and settings.allow else ""
    return Part(sign=f"{_SIGNS[settings.mode]}{some}")


async def note_made(event: PostToolUse, scene: Scene) -> Part | None:
    """Files that this conversation wrote anew are its own to remove."""
    response = event.tool_response
    if event.tool_name == "Write" and isinstance(response, dict) and response.get("type") == "create":
        path = event.arguments.get("file_path")
        if isinstance(path, str):
            scene.services.get(Guards).note_made(event.session_id, path)
    return None
