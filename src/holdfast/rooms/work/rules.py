"""Decisions and names of this room: heartbeat, bypass, context line, artifacts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import ceil
from typing import Any, Literal

from holdfast.ids import WindowId
from holdfast.paths import own_programs
from holdfast.rooms.work.model import Effort, Heartbeat
from holdfast.shell.own import is_own_call

BYPASSING = frozenset({"ToolSearch", "AskUserQuestion"})
_FILE_TOOLS = ("file_path", "notebook_path", "path")
_PROOF = re.compile(r"[\w -]{1,60}=")
_NOT_IN_NAME = re.compile(r"[^A-Z0-9]+")

Verdict = Literal["", "warn", "block"]


def verdict(count: int, mode: Heartbeat, block_after: int) -> Verdict:
    """What happens at the `count`th tool call since the last log entry."""
    if mode == "off":
        return ""
    if mode == "block" and count >= block_after:
        return "block"
    return "warn" if count in (warn_after(block_after), block_after - 1) or count % block_after == 0 else ""


def warn_after(block_after: int) -> int:
    return max(1, ceil(block_after * 0.7))


def bypasses(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Is this call none that counts?"""
    return tool in BYPASSING or is_own_call(tool, arguments, own_programs())


def touched(tool: str, arguments: Mapping[str, Any]) -> str:
    """The file that a tool was called on; ''."""
    if tool == "Bash":
        return ""
    named = (arguments.get(name) for name in _FILE_TOOLS)
    return next((value for value in named if isinstance(value, str) and value.startswith("/")), "")


def artifact_name(effort: Effort, kind: str) -> str:
    """`1_BRAINSTORM_LOG.md`: the effort's ordinal, its skill and the kind of document."""
    return f"{effort.ordinal}_{_capitals(effort.skill)}_{_capitals(kind)}.md"


def document_kind(text: str) -> str:
    """The kind of a document, as its name has it: `plan` is PLAN."""
    return _capitals(text[:40])


@lru_cache(maxsize=1_000)
def _capitals(text: str) -> str:
    return _NOT_IN_NAME.sub("_", text.upper()).strip("_") or "EFFORT"


def context_line(effort: Effort, *, clock: str, window_id: WindowId, heartbeat: int) -> str:
    """One line about an effort: time, session, skill, phase, heartbeat."""
    phase = f" · phase {effort.phase}" if effort.phase else ""
    beats = f" · heartbeat {heartbeat}/{effort.config.block_after}" if effort.heartbeat != "off" else ""
    return f"{clock} · session {window_id[-8:] or 'unknown'} · effort {titled(effort)}{phase}{beats}"


def named(effort: Effort) -> str:
    """How holdfast calls an effort: in no words of the skill's file."""
    return f"{effort.skill} #{effort.ordinal}"


def titled(effort: Effort) -> str:
    """The same with its mode, which the skill's file names."""
    mode = f" ({effort.mode})" if effort.mode else ""
    return f"{named(effort)}{mode}"


def noted(note: str) -> tuple[str, list[str]]:
    """A note as the reason and the proofs in it: lines such as `plan=reviewed` are proofs."""
    lines = [line.strip() for line in note.splitlines() if line.strip()]
    proofs = [line for line in lines if _PROOF.match(line)]
    return "\n".join(line for line in lines if line not in proofs), proofs


def merged(known: Iterable[str], more: Iterable[str], most: int = 500) -> tuple[str, ...]:
    """Both lists, each name once, the newest last and no more than so many."""
    return tuple(dict.fromkeys([*known, *more]))[-most:]


def cycle(name: str, parent: str, parents: Mapping[str, str]) -> bool:
    """Would `name` be its own coordinator's coordinator?"""
    seen = {name}
    while parent:
        if parent in seen:
            return True
        seen.add(parent)
        parent = parents.get(parent, "")
    return False


def may_register(who: str, name: str, parent: str, present: str) -> bool:
    """May an agent say who coordinates this one (`present`: who does so far)? For itself, or for one of its own."""
    return bool(who) and (name == who or (parent == who and present in ("", who)))


def dialogue(tool_input: Mapping[str, Any], response: Any) -> str:
    """What was asked by AskUserQuestion, and what the user answered."""
    answers = _answers(response) or _answers(tool_input)
    lines = []
    for each in tool_input.get("questions") or ():
        if isinstance(each, Mapping) and isinstance(each.get("question"), str):
            options = [str(o.get("label", "")) for o in each.get("options") or () if isinstance(o, Mapping)]
            lines.append(f"Q: {each['question']}" + (f" [{' | '.join(filter(None, options))}]" if options else ""))
            answer = answers.pop(each["question"], None)
            lines.append(f"A: {answer if answer is not None else '(not answered)'}")
    lines += [f"Q: {question}\nA: {answer}" for question, answer in answers.items()]
    if not lines and isinstance(response, str):
        lines.append(response)
    return "\n".join(lines)[:8_000]


def _answers(told: Any) -> dict[str, str]:
    answers = told.get("answers") if isinstance(told, Mapping) else None
    if not isinstance(answers, Mapping):
        return {}
    return {
        str(question): ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
        for question, answer in answers.items()
    }
