"""Writes the summary of a turn or a session without a model: from the requests, the observations and the last words.
Pure.

"Done" is what was edited, committed and passed. "Learned" is what made a failing run pass, and the sentences that state
a finding or a decision. "Left open" is what still fails, and what the agent asked or announced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from holdfast.items.words import one_line
from holdfast.rooms.memory.capture.excerpts import within
from holdfast.rooms.memory.model import LIGHT, Ended, Observation, SummaryContent
from holdfast.rooms.memory.rules import MOST_FILES, without_reminders

ANSWERED = "Answered: "
STILL_FAILS = "Still fails: "
PASSED_AFTER = " — passed after editing "

_MOST_LINES = 8
_MOST_SENTENCES = 4
_LONGEST_SENTENCE = 260
_LONGEST_REQUEST = 400
_LONGEST_SAID = 1_600
_LONGEST_LINE = 600

_CODE = re.compile(r"```.*?(```|\Z)", re.DOTALL)
_MARKS = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|#{1,6}|>)\s+")
_BOLD = re.compile(r"(?<![\w*])\*\*(?=\S)(.+?)(?<=\S)\*\*(?![\w*])")
"""Not __ as well: it is a part of more names than marks."""
_END = re.compile(r"(?<=[.!?])\s+(?=[\"'“(`]?[A-Z0-9`])")
_FINDING = re.compile(
    r"\b(because|root cause|caused by|the (?:problem|issue|bug|reason|culprit|fix|trick|catch) (?:was|is)|turns? out"
    r"|turned out|found (?:that|out)|discovered|realised|realized|learned|decided|decision|chose|chosen|we (?:now )?use"
    r"|instead of|rather than|must (?:be|not|have)|needs? to be|requires?|only works?|by default|means that|note that"
    r"|important|so that|does not support|doesn't support|is deprecated|not thread.?safe)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(todo|to do|fixme|next steps?|remaining|remains?|still (?:needs?|fails?|failing|to|open|missing|broken)|not yet"
    r"|follow.?ups?|left to|outstanding|later|haven't|have not|has not been|hasn't|unresolved|could not|couldn't"
    r"|was unable|need(?:s)? your)\b",
    re.IGNORECASE,
)
_STOP = re.compile(r"(?<=[.!?])\s+")
_THANKS = re.compile(r"\b(thanks|thank you|thx|well done|nice work|good catch)\b", re.IGNORECASE)
_LETTERS = re.compile(r"\w{2,}")
_CHAT_WORDS = (
    "ok okay yes no yeah sure right fair good great nice perfect fine clear cool agreed agree ah oh hm well so now then"
    " please do go on it is that this the and but we you me my one more done works lgtm hi hello morning again"
)
_CHAT = frozenset(_CHAT_WORDS.split())
_COURTESY = re.compile(r"\b(anything else|let me know|happy to|feel free|hope this)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Work:
    """The material of one summary, in the order of time."""

    requests: tuple[str, ...]
    observations: tuple[Observation, ...]
    last_message: str = ""


def sum_up(work: Work, before: Sequence[SummaryContent] = ()) -> SummaryContent | None:
    """The summary of a piece of work; `before` are the summaries of its parts. None when there is nothing to say."""
    sentences = spoken(work.last_message)
    edits = _edits(work.observations)
    pairs, still = _failures(work.observations)
    done = [*edits, *_outcomes(work.observations)]
    if not done and sentences:
        done = [f"{ANSWERED}{one_line(sentences[0], _LONGEST_SENTENCE)}"]
    request = _request(work.requests)
    if not request and not done and not work.observations:
        return None
    earlier = [line for part in before for line in part.learned.splitlines()]
    learned = _unique([*_found(sentences), *pairs, *earlier])
    left = _unique([*(f"{STILL_FAILS}{title}" for title in still), *_open(sentences)])
    files = dict.fromkeys(path for each in work.observations if each.kind == "edit" for path in each.files)
    return SummaryContent(
        title=_title(work.requests, done),
        request=request,
        investigated=_investigated(work.observations),
        done="\n".join(done[:_MOST_LINES]),
        learned="\n".join(learned[:_MOST_LINES]),
        left_open="\n".join(left[:_MOST_LINES]),
        said="\n".join(within((one_line(each, _LONGEST_LINE) for each in sentences), _LONGEST_SAID)),
        outcome=_outcome(work.observations, still),
        files=tuple(files)[:MOST_FILES],
    )


def spoken(message: str) -> list[str]:
    """The sentences of what an agent said, without code, tables and markup."""
    found: list[str] = []
    for line in _CODE.sub("\n", without_reminders(message)).splitlines():
        plain = _BOLD.sub(r"\1", _MARKS.sub("", line)).strip()
        if len(plain) < 3 or plain.startswith("|"):
            continue
        found += [sentence.strip() for sentence in _END.split(plain) if len(sentence.strip()) > 2]
    return found


def _request(requests: Sequence[str]) -> str:
    if not requests:
        return ""
    first = one_line(_main(requests), _LONGEST_REQUEST)
    return first if len(requests) == 1 else f"{first} (and {len(requests) - 1} more)"


def _main(requests: Sequence[str]) -> str:
    """The request that names the subject: the first with more than a few words."""
    return next((text for text in requests if len(text.split()) >= 4), requests[0] if requests else "")


def _title(requests: Sequence[str], done: Sequence[str]) -> str:
    asked = _main(requests)
    if len(asked.split()) >= 4 or not done:
        return one_line(_telling(asked) or "Work without a request", 120)
    return one_line(f"{asked}: {done[0]}" if asked else done[0], 120)


def _telling(request: str) -> str:
    """The first sentence of a request that names its subject, and is not mere courtesy."""
    sentences = [each for line in request.splitlines() for each in _STOP.split(line.strip()) if each]
    matters = [each for each in sentences if not _THANKS.search(each) and len(_telling_words(each)) >= 2]
    return next(iter(matters or sentences), "")


def _telling_words(sentence: str) -> set[str]:
    return {word for word in _LETTERS.findall(sentence.lower()) if word not in _CHAT}


def _investigated(observations: Iterable[Observation]) -> str:
    looked = [each for each in observations if each.kind in LIGHT or each.kind == "web"]
    files = list(dict.fromkeys(path for each in looked if each.kind == "read" for path in each.files))
    lines = [f"Read {', '.join(files[:8])}{f' and {len(files) - 8} more' if len(files) > 8 else ''}"] if files else []
    others = _unique(each.title for each in looked if each.kind != "read")
    return "\n".join([*lines, *others][:_MOST_LINES])


def _edits(observations: Iterable[Observation]) -> list[str]:
    """One line per file: what was edited in it."""
    by_file: dict[str, list[str]] = {}
    for each in observations:
        if each.kind == "edit" and each.outcome != "failed" and each.files:
            _, _, what = each.title.partition(": ")
            names = by_file.setdefault(each.files[0], [])
            names += [name for name in what.split(", ") if name and name not in names]
    return [f"Edited {path}{': ' + ', '.join(names[:5]) if names else ''}" for path, names in by_file.items()]


def _outcomes(observations: Sequence[Observation]) -> list[str]:
    """The last result of every test and build that passed in the end, and what was committed or delegated."""
    last: dict[str, Observation] = {}
    for each in observations:
        if each.kind in ("test", "build"):
            last.pop(key(each), None)
            last[key(each)] = each
    passed = [each.title for each in last.values() if each.outcome == "passed"]
    said = [each.title for each in observations if each.outcome != "failed" and _counts(each)]
    return _unique([*said, *passed])


def _counts(observation: Observation) -> bool:
    if observation.kind == "agent":
        return True
    return observation.kind == "command" and observation.title.startswith(
        ("Committed", "Pushed", "Merged", "Installed")
    )


def key(observation: Observation) -> str:
    """What makes two runs the same undertaking."""
    if observation.kind in ("test", "build"):
        return f"{observation.kind} {observation.title.partition(':')[0]}"
    return f"{observation.tool} {' '.join(observation.command.split()) or observation.title}"


def _failures(observations: Sequence[Observation]) -> tuple[list[str], list[str]]:
    """(what made a failing run pass, what still fails)."""
    failing: dict[str, tuple[Observation, list[Observation]]] = {}
    pairs: list[str] = []
    for each in observations:
        if each.kind == "edit" and each.outcome != "failed":
            for _, edits in failing.values():
                edits.append(each)
        elif each.outcome == "failed" and each.kind not in LIGHT:
            known = failing.get(key(each))
            failing[key(each)] = (each, known[1] if known else [])
        elif key(each) in failing:
            failure, edits = failing.pop(key(each))
            if edits:
                what = ", ".join(_unique(edit.title.removeprefix("Edited ") for edit in edits)[:3])
                pairs.append(f"{one_line(failure.title, 140)}{PASSED_AFTER}{one_line(what, 140)}")
    return pairs, [failure.title for failure, _ in failing.values() if failure.kind != "edit"]


def _outcome(observations: Sequence[Observation], still: Sequence[str]) -> Ended:
    if any(each.title in still and each.kind in ("test", "build") for each in observations):
        return "failed"
    return "passed" if any(each.outcome == "passed" for each in observations) else ""


def _found(sentences: Iterable[str]) -> list[str]:
    """The sentences that state a finding or a decision. An open question is not a finding."""
    found = [each for each in sentences if _FINDING.search(each) and not _OPEN.search(each) and not each.endswith("?")]
    return [one_line(each, _LONGEST_SENTENCE) for each in found if len(each.split()) >= 4][:_MOST_SENTENCES]


def _open(sentences: Sequence[str]) -> list[str]:
    asked = [sentence for sentence in sentences if sentence.endswith("?") and not _COURTESY.search(sentence)]
    announced = [sentence for sentence in sentences if _OPEN.search(sentence) and not sentence.endswith("?")]
    return [one_line(sentence, _LONGEST_SENTENCE) for sentence in [*announced[:_MOST_SENTENCES], *asked[-2:]]]


def _unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(line for line in lines if line))
