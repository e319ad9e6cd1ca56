"""The decisions of this room: thresholds, what a checkpoint holds and tells, what is offered. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence, Set

import msgspec
from msgspec.structs import replace

from holdfast.errors import HoldfastError, UsageError
from holdfast.events.tokens import count_tokens, fit_tokens
from holdfast.items.words import short_id
from holdfast.prose.one_line import one_line
from holdfast.rooms.continuity.model import (
    CHECKPOINT,
    Checkpoint,
    DetailLevel,
    FileState,
    HandoverText,
    Measured,
    Stand,
)
from holdfast.rooms.continuity.telling import note
from holdfast.times import DAY_US, MINUTE_US, age

MOST_FILES = 60
MOST_REQUIRED = 8
"""Files that a hand-over may name."""
OFFER_DAYS = 14
QUIET_US = 10 * MINUTE_US
"""A session whose client is not known is at work until it was not heard of for so long."""
_MOST = {"requests": 400, "corrections": 200, "decisions": 200, "dead_ends": 100, "findings": 100, "runs": 60}
_MOST_BYTES = 200_000
"""Characters of a stand that are kept."""
CONTEXT_TOKENS = 1_800
"""Of the second level of a resume."""
_LEVEL = {"summary": 300, "context": CONTEXT_TOKENS, "full": 40_000}


# --- thresholds


def percent(told: object) -> int:
    """Context use as a caller tells it, in per cent."""
    if isinstance(told, bool) or not isinstance(told, int | float | str):
        raise UsageError(f"percent must be a whole number from 1 to 100, not {told!r}. Nothing was saved.")
    try:
        number = float(told.strip().removesuffix("%")) if isinstance(told, str) else float(told)
    except ValueError:
        number = float("nan")
    if not 1 <= number <= 100 or number != int(number):
        shown = one_line(str(told), 40)
        raise UsageError(f"percent must be a whole number from 1 to 100, not {shown}. Nothing was saved.")
    return int(number)


def crossed(measured: Measured, thresholds: Iterable[int], done: Set[int]) -> list[int]:
    """The thresholds that this use has reached and that were not told before in this window, the lowest first."""
    return sorted(each for each in set(thresholds) if measured.percent >= each and each not in done)


# --- checkpoints


def bounded(stand: Stand) -> Stand:
    """A stand within what a row may hold: of long lists the newest, the first request always."""
    kept = {}
    for name, most in _MOST.items():
        values = getattr(stand, name)
        if len(values) > most:
            kept[name] = (values[0], *values[-(most - 1) :]) if name == "requests" else values[-most:]
    stand = replace(stand, **kept) if kept else stand
    for name in ("requests", "decisions", "findings", "dead_ends", "identifiers", "next_steps", "corrections"):
        while len(msgspec.json.encode(stand)) > _MOST_BYTES and len(values := getattr(stand, name)) > 2:
            newer = values[-(len(values) // 2) :]
            stand = replace(stand, **{name: (values[0], *newer) if name == "requests" else newer})
    return stand


def digest_of(stand: str) -> str:
    return hashlib.sha256(stand.encode()).hexdigest()


def stand_of(checkpoint: Checkpoint) -> Stand:
    """The stand that a checkpoint keeps. A sentence when it does not read back as it was written."""
    if digest_of(checkpoint.stand) != checkpoint.digest:
        named = short_id(CHECKPOINT.letter, checkpoint.id)
        raise HoldfastError(f"Checkpoint {named} is not what was once written; it is not used. Take an older one.")
    return msgspec.json.decode(checkpoint.stand, type=Stand)


def told(stand: Stand, level: DetailLevel) -> str:
    """A stand as text. `full` leaves nothing out that fits 40,000 tokens."""
    if level == "summary":
        return fit_tokens(note.summary(stand), _LEVEL[level])
    text, dropped = note.written(note.parts_of(stand), _LEVEL[level])
    if stand.last_said and level == "full":
        text += f"\n\nThe agent's last words:\n{note.verbatim(stand.last_said, 6_000)}"
    if dropped and level == "context":
        text += f"\n\n({len(dropped)} more lines at the level full.)"
    return text or note.title(stand)


def changes_since(files: Sequence[FileState], now: Sequence[FileState]) -> list[str]:
    """What happened to files since they were last looked at."""
    today = {file.path: file for file in now}
    lines = []
    for file in files:
        current = today.get(file.path)
        if current is None or (not current.sha256 and file.sha256):
            lines.append(f"{file.path}: gone since")
        elif current.sha256 == file.sha256:
            lines.append(f"{file.path}: unchanged")
        elif not file.sha256:
            lines.append(f"{file.path}: made since ({current.bytes:,} bytes)")
        else:
            lines.append(f"{file.path}: changed since ({file.bytes:,} → {current.bytes:,} bytes)")
    return lines


def moved(folder: str, here: str, *, is_there: bool) -> str:
    """A sentence when the folder of a checkpoint is gone; '' when it is there, or was never known."""
    if not folder or is_there:
        return ""
    rest = f"Its files are compared with those in {here}." if here != folder else "Its files cannot be compared."
    return f"The project stood in {folder} then, and that folder is gone. {rest} The checkpoint itself is whole."


def difference(old: Stand, new: Stand) -> list[tuple[str, list[str], list[str]]]:
    """(what, gone, new) for each list in which two stands differ."""
    found = []
    for name in ("corrections", "requests", "decisions", "dead_ends", "next_steps", "questions", "identifiers"):
        before, after = getattr(old, name), getattr(new, name)
        gone, added = [x for x in before if x not in after], [x for x in after if x not in before]
        if gone or added:
            found.append((name.replace("_", " "), gone, added))
    ran = [f"{run.title} [{run.outcome}]" for run in old.runs], [f"{run.title} [{run.outcome}]" for run in new.runs]
    gone, added = [x for x in ran[0] if x not in ran[1]], [x for x in ran[1] if x not in ran[0]]
    if gone or added:
        found.append(("runs", gone, added))
    hashes = {file.path: file.sha256 for file in old.files}
    changed = [file.path for file in new.files if hashes.get(file.path) != file.sha256]
    if changed:
        found.append(("files", [], changed))
    return found


def is_at_work(running: bool | None, heard_at: int, now: int) -> bool:
    """Is a session whose window is open at work? Its client tells; when nobody knows that, its last event does."""
    return now - heard_at < QUIET_US if running is None else running


def is_worth_offering(stand: Stand, checkpoint: Checkpoint, now: int) -> bool:
    """Work that was left in the middle, lately. The memory room tells about a session that ended."""
    recent = now - checkpoint.made_at < OFFER_DAYS * DAY_US
    return recent and checkpoint.reason != "end" and bool(stand.request or stand.note)


def offer(checkpoint: Checkpoint, now: int, *, by_command: bool, by_tool: bool) -> str:
    """One line: there is a checkpoint, and how to take it up."""
    named = short_id(CHECKPOINT.letter, checkpoint.id)
    when = f"{age(now, checkpoint.made_at)}, {_REASONS[checkpoint.reason]}"
    way = ""
    if by_tool:
        way = f" If the user goes on with that, `resume_checkpoint` with id {named} gives it back."
    elif by_command:
        way = f" If the user goes on with that, `holdfast checkpoint resume {named}` gives it back."
    title = one_line(checkpoint.title, 200)
    stop = "" if title.endswith((".", "!", "?", "…")) else "."
    return f"Checkpoint {named} ({when}): {title}{stop}{way}"


_REASONS = {
    "threshold": "as its window filled up",
    "compact": "before a compaction",
    "clear": "before /clear",
    "end": "at the end of its session",
    "request": "saved on request",
    "crash": "its client crashed or was killed",
}


# --- hand-overs


def handover_of(stand: Stand) -> HandoverText:
    """A hand-over that nobody wrote, from the journal."""
    last = stand.runs[-1].title if stand.runs else next((f"changed {file.path}" for file in stand.files[-1:]), "")
    return HandoverText(
        summary=one_line(stand.request, 600) or note.title(stand),
        last_action=last,
        next_steps=tuple(one_line(step, 300) for step in stand.next_steps[-5:]),
        required_files=stand.files[-MOST_REQUIRED:],
        user_history="\n".join(stand.corrections[-5:]),
        built=True,
    )


def handover_text(text: HandoverText, now: Sequence[FileState], tokens: int) -> str:
    """A hand-over as the next session reads it."""
    head = "Hand-over, made from the journal:" if text.built else "Hand-over of the session before:"
    lines = [head]
    told = [("Summary", text.summary), ("Last action", text.last_action), ("Hand-over", text.handover)]
    lines += [f"{name}: {words}" for name, words in told if words]
    lines += ["Next steps:", *(f"- {step}" for step in text.next_steps)] if text.next_steps else []
    lines += ["The user's words:", text.user_history] if text.user_history else []
    if text.documents:
        rest = len(text.documents) - MOST_REQUIRED
        more = f" and {rest} more" if rest > 0 else ""
        lines.append(f"Documents of the effort {text.effort}: {', '.join(text.documents[:MOST_REQUIRED])}{more}.")
    if text.required_files:
        lines += ["Files to read first:", *(f"- {line}" for line in changes_since(text.required_files, now))]
    whole = "\n".join(lines)
    return whole if count_tokens(whole) <= tokens else fit_tokens(whole, tokens)
