"""The decisions of this room: what is stored, who wrote it, how items are named. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.events.content import LONGEST_PROMPT
from holdfast.events.own_tools import own_tool
from holdfast.items.indexed import TRUST_WEIGHTS, Change, Trust
from holdfast.items.ranks import outranks
from holdfast.prose.one_line import one_line
from holdfast.prose.sentence_ends import ends_abbreviated
from holdfast.rooms.memory.model import FamilyName, Memory, MemoryItem, Observation, Prompt, Summary
from holdfast.worktree_paths import relative

LONGEST_PATH = 400
MOST_FILES = 20


def is_skipped(tool: str, skip: frozenset[str]) -> bool:
    """Is this a tool whose use is not stored?"""
    return not tool or tool in skip or bool(own_tool(tool))


def trust_weight(trust: Trust) -> float:
    """How much a thing's origin counts when things are ranked."""
    return TRUST_WEIGHTS[trust]


def may_be_remembered(trust: str) -> bool:
    """What the web or a tool says never becomes a memory by itself (SEC-6)."""
    return trust in ("user", "agent")


# --- names


def family_of(item: MemoryItem) -> FamilyName:
    match item:
        case Prompt():
            return "prompt"
        case Observation():
            return "observation"
        case Summary():
            return "summary"
        case Memory():
            return "memory"


def stored_path(path: str, worktree: str, cwd: str = "") -> str:
    """A path as it is stored: relative to the worktree if it is inside; '' when it is not a path."""
    return relative(path, worktree, cwd) if path and "\n" not in path and len(path) <= LONGEST_PATH else ""


# --- memories

LONGEST_MEMORY = 8_000
_SENTENCE = re.compile(r"(.+?[.!?])(?:\s|$)", re.DOTALL)
_ENDINGS = "py|ts|tsx|js|jsx|go|rs|java|rb|md|toml|json|yml|yaml|sql|sh|c|h|cpp|cs|kt|swift"
_PATH = re.compile(rf"(?<![\w/:.-])(?:[\w.-]+/)+[\w.-]*\w\.\w{{1,8}}\b|(?<![\w/:.-])[\w-]+\.(?:{_ENDINGS})\b")
_WORD = re.compile(r"\w+")


def first_sentence(text: str) -> str:
    first = text.strip().split("\n", 1)[0]
    ends = (match.end(1) for match in _SENTENCE.finditer(first[:LONGEST_MEMORY]))
    end = next((end for end in ends if not ends_abbreviated(first[max(0, end - 30) : end])), len(first))
    return first[:end]


def files_named(text: str) -> tuple[str, ...]:
    """The files that a text names."""
    return tuple(dict.fromkeys(path for path in _PATH.findall(text) if len(path) <= LONGEST_PATH))[:MOST_FILES]


def moment(item: MemoryItem) -> int:
    return item.updated_at if isinstance(item, Memory) else item.happened_at


def all_words(item: MemoryItem) -> str:
    """All words that are stored of an item."""
    match item:
        case Prompt():
            return item.text
        case Observation():
            return "\n".join((item.title, item.command, item.excerpt, *item.files))
        case Summary():
            content = item.content
            told = (
                content.title,
                content.request,
                content.investigated,
                content.done,
                content.learned,
                content.left_open,
                content.said,
            )
            return "\n".join((*told, *content.files))
        case Memory():
            return "\n".join((item.title, item.text, *item.tags, *item.files))


def replaces(new: Memory, old: Memory, share: float) -> bool:
    """Do two memories speak of the same, so that the newer one counts? It never does against words that outrank it."""
    if new.project_id != old.project_id or outranks(old.trust, new.trust):
        return False
    if _bare(new.title) == _bare(old.title):
        return True
    ours, theirs = set(_bare(new.text)), set(_bare(old.text))
    return min(len(ours), len(theirs)) >= 4 and len(ours & theirs) / len(ours | theirs) >= share


def _bare(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


def _title_of(memory: Memory, text: str) -> str:
    """Its title; one that was made of the old words is made of the new ones: what a person corrected is not told in a
    title."""
    made_of_text = memory.title == one_line(first_sentence(memory.text))
    return one_line(first_sentence(text)) if made_of_text else memory.title


def edited(item: MemoryItem, change: Change) -> MemoryItem:
    """The item with the user's words. The other fields of a summary are emptied: they described the old words."""
    title, text, tags = change.title, change.text, change.tags
    match item:
        case Memory():
            words = item.text if text is None else text[:LONGEST_MEMORY]
            return replace(
                item,
                title=_title_of(item, words) if title is None else one_line(title),
                text=words,
                tags=item.tags if tags is None else tags,
                trust="user" if change.by == "user" and (title is not None or text is not None) else item.trust,
                updated_at=change.now,
            )
        case Observation():
            return replace(
                item,
                title=item.title if title is None else one_line(title),
                excerpt=item.excerpt if text is None else text[:LONGEST_MEMORY],
            )
        case Summary():
            words = (text or "")[:LONGEST_MEMORY]
            new_title = title or first_sentence(words)
            content = replace(item.content, title=one_line(new_title) if new_title else item.content.title)
            if text is not None:
                content = replace(content, done=words, request="", investigated="", learned="", left_open="", said="")
            return replace(item, content=content, written_by=change.by)
        case Prompt():
            return replace(item, text=item.text if text is None else text[:LONGEST_PROMPT])
