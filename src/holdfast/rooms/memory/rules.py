"""Decisions of this room: what is kept, whose words it is, how things are named and dated. Pure."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from datetime import datetime

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
_URL = re.compile(r"https?://[^\s<>\"')\]}]+")
_MOST_URLS = 8
DAY_US = 24 * HOUR_US

_OWN = re.compile(r"^mcp__(plugin_holdfast_)?holdfast__")
_REMINDER = re.compile(r"<system-reminder>.*?(</system-reminder>|\Z)", re.DOTALL)
_SPACE = re.compile(r"\s+")
_LETTERS: dict[str, Family] = {"p": "prompt", "o": "observation", "s": "summary", "m": "memory"}
_SHORT = re.compile(r"([posm])?([0-9a-f]{8})")
_FULL = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_AGO = re.compile(r"(\d{1,9})\s*([smhdw])(?: ago)?")
_SPANS = {"s": 1_000_000, "m": MINUTE_US, "h": HOUR_US, "d": DAY_US, "w": 7 * DAY_US}
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


def read_time(text: str, now_us: int) -> int | None:
    """Microseconds of an ISO time (local unless it says otherwise) or of an age: 30m, 12h, 3d, 2w."""
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return max(0, now_us - int(ago[1]) * _SPANS[ago[2]])
    try:
        return max(0, int(datetime.fromisoformat(text.strip()).timestamp() * 1_000_000))
    except (ValueError, OverflowError, OSError):
        return None


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


# --- memories

LONGEST_MEMORY = 8_000
_SENTENCE = re.compile(r"(.+?[.!?])(?:\s|$)", re.DOTALL)
_ENDINGS = "py|ts|tsx|js|jsx|go|rs|java|rb|md|toml|json|yml|yaml|sql|sh|c|h|cpp|cs|kt|swift"
_PATH = re.compile(rf"(?<![\w/:.])(?:[\w.-]+/)+[\w.-]*\w\.\w{{1,8}}\b|(?<![\w/:.-])[\w-]+\.(?:{_ENDINGS})\b")
_WORD = re.compile(r"\w+")


def first_sentence(text: str) -> str:
    first = text.strip().split("\n", 1)[0]
    match = _SENTENCE.match(first)
    return match[1] if match else first


def files_named(text: str) -> tuple[str, ...]:
    """The files that a text names."""
    return tuple(dict.fromkeys(path for path in _PATH.findall(text) if len(path) <= LONGEST_PATH))[:MOST_FILES]


def moment(item: Item) -> int:
    return item.updated_at if isinstance(item, Memory) else item.happened_at


def all_words(item: Item) -> str:
    """Everything that is kept in words of a thing."""
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


def pattern(text: str) -> str:
    """What `LIKE` is given to find all that holds a text, and perhaps a little more; '!' escapes. A letter beyond ASCII
    may be any character, because the databases do not agree on its lower case."""
    escaped = text.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{''.join('_' if not each.isascii() and each.upper() != each else each for each in escaped)}%"


def replaces(new: Memory, old: Memory, share: float) -> bool:
    """Do two memories speak of the same, so that the newer one counts? An agent never overrules a user so."""
    if new.project_id != old.project_id or (old.trust == "user" and new.trust != "user"):
        return False
    if _bare(new.title) == _bare(old.title):
        return True
    ours, theirs = set(_bare(new.text)), set(_bare(old.text))
    return min(len(ours), len(theirs)) >= 4 and len(ours & theirs) / len(ours | theirs) >= share


def _bare(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


def is_users(item: Item) -> bool:
    """Are its words the user's own? Then an agent may doubt them, but not change them (SEC-6)."""
    match item:
        case Prompt():
            return True
        case Summary():
            return item.written_by == "user"
        case Observation() | Memory():
            return item.trust == "user"


def edited(
    item: Item, title: str | None, text: str | None, tags: tuple[str, ...] | None, now_us: int, by: str = "user"
) -> Item:
    """The item with these words instead. What a summary said beside them was about the words before."""
    match item:
        case Memory():
            words = item.text if text is None else text[:LONGEST_MEMORY]
            return replace(
                item,
                title=item.title if title is None else one_line(title),
                text=words,
                tags=item.tags if tags is None else tags,
                updated_at=now_us,
            )
        case Observation():
            return replace(
                item,
                title=item.title if title is None else one_line(title),
                excerpt=item.excerpt if text is None else text[:LONGEST_MEMORY],
            )
        case Summary():
            content = replace(item.content, title=item.content.title if title is None else one_line(title))
            if text is not None:
                words = text[:LONGEST_MEMORY]
                content = replace(content, done=words, request="", investigated="", learned="", left_open="", said="")
            return replace(item, content=content, written_by=by)
        case Prompt():
            return replace(item, text=item.text if text is None else text[:LONGEST_PROMPT])


def urls_named(text: str) -> tuple[str, ...]:
    """The web pages that a text names, each with and without its fragment."""
    found: dict[str, None] = {}
    for match in _URL.finditer(text):
        url = match[0].rstrip(".,;:!?")
        found |= dict.fromkeys((url, url.partition("#")[0]))
    return tuple(found)[:_MOST_URLS]
