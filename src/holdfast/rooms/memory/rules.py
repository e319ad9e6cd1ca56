"""Decisions of this room: what is kept, whose words it is, how things are named and dated. Pure."""

from __future__ import annotations

import posixpath
import re

from holdfast.rooms.memory.model import Family, Item, Memory, Observation, Prompt, Summary, Trust

SKIP_TOOLS = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
"""Tools without substance. Ours are skipped whatever the settings say."""

LIGHT = frozenset({"read", "search"})
"""Kinds of which only the title is kept: what was read is in the repository, and reading is no news."""
LONGEST_PROMPT = 4_000
LONGEST_TITLE = 160
LONGEST_PATH = 400
MOST_FILES = 20

MINUTE_US = 60_000_000
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US

_OWN = re.compile(r"^mcp__(plugin_holdfast_)?holdfast__")
_REMINDER = re.compile(r"<system-reminder>.*?(</system-reminder>|\Z)", re.DOTALL)
_SPACE = re.compile(r"\s+")
_LETTERS: dict[str, Family] = {"p": "prompt", "o": "observation", "s": "summary", "m": "memory"}
_SHORT = re.compile(r"([posm])?([0-9a-f]{8})")
_FULL = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TRUST: dict[Trust, float] = {"user": 1.0, "agent": 0.8, "repository": 0.7, "tool": 0.6, "web": 0.4}


def is_skipped(tool: str, skip: frozenset[str]) -> bool:
    """Is this a tool of which nothing is kept?"""
    return not tool or tool in skip or bool(_OWN.match(tool))


def said(prompt: str) -> str:
    """A prompt as it is kept; '' when there is nothing to keep (all of it was private)."""
    return without_reminders(prompt).strip()[:LONGEST_PROMPT]


def without_reminders(text: str) -> str:
    """`text` without what the client put into it."""
    return _REMINDER.sub("", text) if "<system-reminder>" in text else text


def one_line(text: str, longest: int = LONGEST_TITLE) -> str:
    """`text` on one line, cut at a word where possible."""
    flat = _SPACE.sub(" ", text).strip()
    if len(flat) <= longest:
        return flat
    cut = flat[: longest - 1]
    space = cut.rfind(" ")
    return f"{(cut[:space] if space > longest // 2 else cut).rstrip(' ,;:')}…"


def trust_weight(trust: Trust) -> float:
    """How much a thing's origin counts when things are ranked."""
    return _TRUST[trust]


def may_be_remembered(trust: str) -> bool:
    """What the web or a tool says never becomes a memory by itself (SEC-6)."""
    return trust in ("user", "agent")


# --- names


def family_of(item: Item) -> Family:
    match item:
        case Prompt():
            return "prompt"
        case Observation():
            return "observation"
        case Summary():
            return "summary"
        case Memory():
            return "memory"


def short(family: Family, item_id: str) -> str:
    """An id as people and agents are shown it: its family's letter and its last eight characters."""
    return f"{family[0]}{item_id[-8:]}"


def read_id(text: str) -> tuple[Family | None, str] | None:
    """(family, full id or last eight characters) of an id in either form; None when it is no id."""
    text = text.strip().strip("[]").lower()
    if _FULL.fullmatch(text):
        return None, text
    match = _SHORT.fullmatch(text)
    return (_LETTERS[match[1]] if match[1] else None, match[2]) if match else None


def age(now_us: int, then_us: int) -> str:
    """How long ago, in one word."""
    passed = max(0, now_us - then_us)
    if passed < 2 * MINUTE_US:
        return "just now"
    if passed < 2 * HOUR_US:
        return f"{passed // MINUTE_US} min ago"
    if passed < 2 * DAY_US:
        return f"{passed // HOUR_US} h ago"
    if passed < 60 * DAY_US:
        return f"{passed // DAY_US} days ago"
    return f"{passed // (30 * DAY_US)} months ago"


def inside(path: str, worktree: str, cwd: str = "") -> str:
    """A path as it is kept: relative to the worktree where it lies inside, '' when it is none."""
    if not path or "\n" in path or len(path) > LONGEST_PATH:
        return ""
    if not path.startswith(("/", "~")):
        path = posixpath.join(cwd or worktree, path)
    path = posixpath.normpath(path)
    if worktree and path.startswith(worktree.rstrip("/") + "/"):
        return path[len(worktree.rstrip("/")) + 1 :]
    return path
