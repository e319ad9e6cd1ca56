"""The sentences that agents and people read. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.events.tokens import count_tokens
from holdfast.ids import ConversationId
from holdfast.items.words import short_id
from holdfast.prose.one_line import one_line
from holdfast.rooms.continuity.model import CHECKPOINT, Checkpoint, Stand
from holdfast.rooms.continuity.telling import note
from holdfast.times import age

INSTRUCTION_TOKENS = 2_300
_FIRST = (
    "Keep in the summary, word for word: every request and every correction of the user. Keep each decision with its "
    "reason, what was tried and did not work, files changed, runs and their results, names and ids, and the next step."
)


def instructions(stand: Stand, trigger: str) -> str:
    """What the client's summary must not lose. What is said at `/compact` in a terminal stands in the next window as
    that command's output (2.1.325), so there it is short: the facts are given back afterwards."""
    if trigger == "manual":
        return _FIRST
    parts = note.parts_of(stand)
    text, _ = note.written(parts, INSTRUCTION_TOKENS - count_tokens(_FIRST))
    return f"{_FIRST}\n\n{text}" if text else ""


def given_back(text: str, lost: Sequence[str], *, by_command: bool) -> str:
    """What a compaction dropped."""
    is_all = all(line.removeprefix("- ") in text for line in lost)
    more = "" if is_all or not by_command else " `holdfast lost` shows all of it."
    return f"The summary of this conversation leaves out what follows, from the record of the session.{more}\n\n{text}"


def resumed(checkpoint: Checkpoint, text: str, now: int) -> str:
    named = short_id(CHECKPOINT.letter, checkpoint.id)
    return f"Checkpoint {named}, {age(now, checkpoint.made_at)}: where the session before stood.\n\n{text}"


def overflow(percent: int, *, by_tool: bool, by_command: bool) -> str:
    if not by_tool and not by_command:  # what is named must be there (MEM-28); what is said is kept anyway
        return (
            f"The context window is {percent} % full. Before you go on, say where the work stands: last action, next "
            "steps, and the files to read first."
        )
    way = "call `dehydrate`" if by_tool else "run `holdfast dehydrate SUMMARY`"
    return (
        f"The context window is {percent} % full. Before you go on, {way}: summary, last action, next steps, and the "
        "files to read first. The next window gets it back."
    )


def call_threshold(percent: int, project: str, conversation: ConversationId) -> str:
    return (
        f"The context window is {percent} % full. Call `context_threshold` with project_id={project}, "
        f"session_id={conversation}, percent={percent}."
    )


def restart_prompt(request: str, effort: str, phase: str) -> str:
    """What a client is started again with."""
    lines = ["Go on with the work of the session before: its context window was full, so a new one was begun."]
    lines += [f"Task: {one_line(request, 400)}"] if request else []
    lines += [f"Skill: {effort}{f', phase: {phase}' if phase else ''}."] if effort else []
    lines.append("Its hand-over is in your context. Read the files that it names first; do not repeat what is done.")
    return "\n".join(lines)


RESTARTED = (
    "The context window is full: a hand-over was kept, and the client is started again with it (`holdfast run`)."
)

BLOCKED = (
    "Automatic compaction is refused by continuity.on_auto_compact. A checkpoint was saved: `holdfast checkpoint list`."
    " Begin a new session, or type /compact."
)
