"""What no line may be, in any session: patterns of lines that a reader would switch memory off for.

Pure: a line, or the lines of a session, in; the reasons out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bench.story.given import Block, Line
from bench.story.model import Turn

LONGEST = {"brief": 300, "file": 300}
LONGEST_RECALLED = 450
MOST_RECALLED = 3
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\s—\s")
_SAME = 25
"""A shorter sentence ("Tests pass.") may be said twice."""

_EDITED = r"(edited|created|changed|wrote|updated)"
_TAGS = r"(system-reminder|task-notification|command-\w+|local-command\w*|private|claude-mem-context)"
_ASKS = r"(do you want me to|should i|shall i|want me to)"

_FEW_WORDS = 3

PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (why, re.compile(pattern, re.IGNORECASE))
    for why, pattern in (
        ("says first that something was edited", rf"^(\W*\w[\w /()]*: )?{_EDITED} ([\w./-]+\.\w+\b|[\w./:(), -]+$)"),
        ("courtesy", r"\b(you're welcome|let me know if|glad to|happy to help|hope this helps)\b"),
        ("courtesy", r"\banything else( (i can|you (want|need|would))\b|\?)"),
        ("courtesy", r"^\W*(thanks|thank you|great|perfect|sure|certainly)\b"),
        ("an answer without content", r"^\W*(answered: ?)?(i see|yes|no|ok|done|understood)\W*$"),
        ("a label for the agent's words instead of what they say", r"\banswered: "),
        ("a raw command as a title", r"\bran (exit|\d+ commands?)\b|\bran [^:]{0,40} — failed \(exit"),
        ("a look that found nothing", r"\blook(ed)? for [^:]{0,60} — failed"),
        ("a raw tag", rf"</?{_TAGS}\b"),
        ("a heading or mark-up", r"(^|\s)#{1,4} |\*\*|```"),
        ("tells the user of the system", r"\(of (root|\w+)\)"),
        ("a question without its subject", rf"(^|— |: ){_ASKS} (do|change|fix|add) (that|it|this)( too| as well)?\?"),
        (
            "a question without its subject",
            r"(^|— )(what|which) (shall|should|would|do) (we|you|i) (do|like|prefer|want)\b",
        ),
        (
            "a run that passed, or a look, as all there is",
            r"^(ran [^—]*?: (\d+ )?passed\b|looked at|listed|read)\b[^—]*$",
        ),
        ("only says that tests pass", r"^\W*((all|the) )?(\d+ )?tests? (pass(ed)?|are green)\W*$"),
        ("two outcomes that exclude each other", r"\(passed\).*\bfail(ed|s)\b|\bfail(ed|s)\b.*\(passed\)"),
    )
)
_NOTE = re.compile(
    r"\((?:(?:\d+ ?\w+(?: ago)?|today|yesterday|just now)(?:, [\w ,/.-]{1,90})?|[\w ,/.-]{1,30})\)"
    r"|^\W*(?:\d+ ?(?:min|h|d|w)\w*\b(?: ago)?)"
)
"""An age or another short remark beside what is said."""
_SPEAKER = re.compile(r"^\W*(agent|subagent|user|tool|tool output|web|repository)\s*:\s*", re.IGNORECASE)

_YOU_SAID = re.compile(r"\b(you|user)\b[\w ]{0,12}\b(said|told|decided|corrected|want)\b|^\W*user:", re.IGNORECASE)


def bare(said: str) -> str:
    """What a line says, without ages and remarks."""
    return " ".join(_SPEAKER.sub("", _NOTE.sub(" ", said).strip()).split()).strip(" -–—·:;,")


def of_line(line: Line, block: Block, prompts: Sequence[Turn], places: Sequence[str]) -> Iterator[str]:
    """Why this line may not be given."""
    said, core = line.said, bare(line.said)
    if line.is_item:
        for why, pattern in PATTERNS:
            if pattern.search(core) or pattern.search(said):
                yield why
        longest = LONGEST.get(block.hook, LONGEST_RECALLED)
        if len(said) > longest:
            yield f"longer than {longest} characters"
        # What the user told may be given as what the user said, and only so.
        shown = [turn.prompt for turn in prompts if not (turn.telling and _YOU_SAID.search(said))]
        asked = (part for prompt in shown for part in (prompt, *_first_sentence(prompt)))
        if prompt := next((each for each in asked if _is_title(each, core)), ""):
            yield f"the title is a prompt ({prompt[:40]!r})"
    if any(place in line.text for place in places) or re.search(r"(?<![\w.])/(home|root|Users|tmp)/", line.text):
        yield "a path of this machine"


def of_block(block: Block) -> Iterator[tuple[Line, str]]:
    """What is wrong with the lines of a block together."""
    if block.hook == "recall" and len(block.items) > MOST_RECALLED:
        yield block.items[MOST_RECALLED], f"more than {MOST_RECALLED} items at one prompt"


def doubled(blocks: Iterable[Block], before: Iterable[Block] = ()) -> Iterator[tuple[Block, Line, str]]:
    """Sentences that one window was told twice. `before` is what a resumed conversation was told already."""
    known = {words for block in before for line in block.items for words in _sentences(line)}
    readers: dict[bool, set[str]] = {False: known, True: set()}  # a subagent is a reader of its own
    has_begun = False
    for block in blocks:
        told = readers[block.to_agent]
        if block.hook == "brief" and not block.to_agent:
            if has_begun:  # the conversation was compacted: what was told before is gone
                told.clear()
            has_begun = True
        for line in block.items:
            own: set[str] = set()
            for words in _sentences(line):
                if words in own or words in told:
                    yield block, line, f"said twice: {words[:60]!r}"
                    break
                own.add(words)
            told |= own


def _sentences(line: Line) -> Iterator[str]:
    """The words of each sentence that is long enough to be told apart."""
    for sentence in _SENTENCE_END.split(bare(line.said)):
        words = " ".join(re.findall(r"\w+", sentence.casefold()))
        if len(words) >= _SAME:
            yield words


def missing_tools(block: Block, commands: frozenset[str]) -> Iterator[tuple[Line, str]]:
    """Instructions that name a tool or a command that this session does not have."""
    for line in block.lines:
        if line.is_item:
            continue
        for named in re.findall(r"`([^`]+)`", line.text):
            word, *rest = named.split()
            if not word.replace("_", "").isalnum():
                continue  # a mark such as `agent:`, a path
            if word == "holdfast":
                if not rest or rest[0] not in commands:
                    yield line, f"names a command that does not exist ({named})"
            elif not any(tool == word or tool.endswith(f"__{word}") for tool in block.tools):
                yield line, f"names a tool that is not installed ({named})"


def _first_sentence(prompt: str) -> list[str]:
    """A title may be a prompt cut after its first sentence."""
    first = _SENTENCE_END.split(prompt)[0]
    return [first] if first != prompt and len(first.split()) > _FEW_WORDS else []


def _is_title(prompt: str, said: str) -> bool:
    """Does the line begin with the prompt, whole or cut?"""
    plain, line = (" ".join(re.findall(r"\w+", text.casefold())) for text in (prompt, said))
    return bool(plain) and (line == plain or line.startswith(plain[:60] if len(plain) > 60 else f"{plain} "))
