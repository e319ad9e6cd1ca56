"""The outcome of a session of several prompts: each answer that decided, found or took back something counts, and a
later answer about the same thing takes the place of an earlier one. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from holdfast.events.subjects import ABOUT
from holdfast.patterns import lazy_pattern
from holdfast.prose.closing import TELLING, Statement, classify
from holdfast.prose.cores import tells_how_it_was
from holdfast.prose.people import spoken_to
from holdfast.prose.prompts.choices import asks
from holdfast.prose.prompts.faults import reports_a_fault
from holdfast.prose.prompts.replies import offers, takes_one
from holdfast.prose.remarks import waits_for_somebody
from holdfast.prose.sentences import split_line
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing import threads
from holdfast.rooms.memory.standing.decided import chooses
from holdfast.rooms.memory.standing.newest import matter, takes_up
from holdfast.rooms.memory.standing.threads import SAYING, STILL_FAILS
from holdfast.rooms.memory.standing.worth import acted, is_general, is_users_choice, repeats_memory, says_result
from holdfast.rooms.memory.summaries.by_rules.ended import names_sending

COMMITTED, REVERTED = "Committed: ", "Reverted: "
_CHOSEN = 4.4
"""The weight of what the user chose: it is a decision, whatever its words."""
_RESULTS = frozenset({"decision", "finding", "change"})


def decides(later: SummaryContent, earlier: SummaryContent) -> bool:
    """Did the user choose, and was the earlier answer only about what there is to choose from?"""
    if is_users_choice(later.title) and not earlier.files and not is_users_choice(earlier.title):
        return bool(matter(later.title) & matter(f"{earlier.title} {earlier.request}"))
    if earlier.files or not takes_one(later.request):
        return False
    if not offers("\n".join((earlier.request, earlier.title, earlier.learned, earlier.said, earlier.left_open))):
        return False
    return bool(matter(later.title) & matter(f"{earlier.title} {earlier.request}"))


def standing_parts(parts: Sequence[SummaryContent]) -> list[SummaryContent]:
    """The parts whose result still holds at the end of the session."""
    return [
        part
        for at, part in enumerate(parts)
        if not any(takes_up(each, part) or decides(each, part) for each in parts[at + 1 :])
        and not any(is_taken_back(part, each) for each in parts[at + 1 : at + 2])
        and not any(reverts(each, part) for each in parts[at + 2 :])
    ]


_TAKES_BACK = lazy_pattern(
    r"\W{0,9}(?:(?:no+|nope|nein|nee+|non|não|nie|nej|nei|wait|stop|halt)(?:[,.!:;]| [—–-] )\s{0,3}(?!thanks|thank"
    r"|problem|worries|need|rush|leave)|doch nicht\b"
    r"|(?:please )?(?:undo|revert) (?:that|this|it|them|your|the (?:last|change))\b)",
    re.IGNORECASE,
)
_ASKS = lazy_pattern(r"[^.!?\n]{0,300}\?")
"""A no that is a question: "wait, does that also work for refunds?"."""


def takes_back(after: SummaryContent, part: SummaryContent) -> bool:
    """Does the user begin with a no, and was something done about it in the same files? Or was its commit reverted?"""
    if reverts(after, part):
        return True
    if not _TAKES_BACK.match(after.request) or _ASKS.match(after.request):
        return False
    return bool(set(part.files) & set(after.files))


def reverts(after: SummaryContent, part: SummaryContent) -> bool:
    """Does git say that a commit of this part was reverted?"""
    gone = {line.removeprefix(REVERTED) for line in after.done.splitlines() if line.startswith(REVERTED)}
    gone = {title for title in gone if len(threads.telling(title)) > 1}  # "wip" may be any commit
    return any(line.removeprefix(COMMITTED) in gone for line in part.done.splitlines() if line.startswith(COMMITTED))


def is_taken_back(part: SummaryContent, after: SummaryContent) -> bool:
    """Did the user say no to what was done, and was it done otherwise then? What was found before stays found."""
    if not takes_back(after, part) or not says_result(after):
        return False
    return not tells_how_it_was((split_line(part.title) or [part.title])[0])


def own_parts(parts: Sequence[SummaryContent]) -> list[SummaryContent]:
    """Without general knowledge that was asked for beside work."""
    return [part for part in parts if not is_general(part)] if any(map(acted, parts)) else list(parts)


_LONGEST_REPLY = 6


def with_replies(parts: Sequence[SummaryContent]) -> list[SummaryContent]:
    """The session's own parts, and those in which the user said a few words: "no, leave it" may answer what was asked
    before, though nothing was done for it. Another question answers nothing."""
    own = own_parts(parts)
    return [part for part in parts if part in own or _is_reply(part.request)]


def _is_reply(request: str) -> bool:
    return len(request.split()) <= _LONGEST_REPLY and not request.rstrip().endswith(("?", "？"))


def main_parts(parts: Sequence[SummaryContent]) -> list[SummaryContent]:
    """The parts that a session is named after: beside work in files, neither the answer to a question about something
    else nor general knowledge."""
    if not any(part.files and says_result(part) for part in parts):
        return list(parts)
    return [part for part in parts if not _is_beside(part)]


def _is_beside(part: SummaryContent) -> bool:
    """Was only something answered, which the user neither decided nor reported as a fault?"""
    if acted(part) or part.outcome == "failed" or is_users_choice(part.title):
        return False
    if takes_one(part.request) or is_general(part):
        return not takes_one(part.request)
    return asks(part.request) and not reports_a_fault(part.request) and not chooses(part)


def results(parts: Sequence[SummaryContent]) -> list[str]:
    """The outcomes of the parts, the last first."""
    told = [part for part in standing_parts(own_parts(parts)) if says_result(part) and not repeats_memory(part)]
    found = [(part, classify(part.title)) for part in reversed(told)]
    return [each.text for part, each in found if part.files or (each.weight >= TELLING and each.kind in _RESULTS)]


def chosen(part: SummaryContent, statement: Statement) -> Statement:
    """The outcome of a part: what the user chose weighs as much as a decision, and what was done in files says enough,
    however plain its words are."""
    if is_users_choice(statement.text):
        return replace(statement, kind="decision", weight=max(statement.weight, _CHOSEN))
    if part.files and statement.text == part.title and statement.kind not in ("open", "question"):
        statement = replace(statement, weight=max(statement.weight, TELLING))
    if statement.weight < 1.0 or not takes_one(part.request):
        return statement
    return replace(statement, kind="decision", weight=max(statement.weight, _CHOSEN))


def request_of(title: str, parts: Sequence[SummaryContent]) -> str:
    """The request of the part that a session's title is from; '' when none says it."""
    bare = title.rstrip("…")
    told = [part for part in parts if bare and part.title.startswith(bare)]
    told = told or [part for part in parts if part.title and part.title in title]
    return told[-1].request if told else ""


_WORD = lazy_pattern(r"\w+")
HANDED = " — the user asks "
"""Behind an open line: whom the user will ask about it, or has asked."""


def handed_on(lines: Sequence[str], parts: Sequence[SummaryContent]) -> list[str]:
    """The open lines, each with the person to whom the user gave it next: "that one's for Ingrid, I'll put it to her".
    Her answer may have no other word of it."""
    told = list(lines)
    for part, after in pairwise(parts):
        ours = [at for at, line in enumerate(told) if line in part.left_open.splitlines()]
        who = spoken_to(after.request) if ours and not after.files else ""
        if not who:
            continue
        words = threads.telling(after.request) - threads.telling(who) - general_terms()
        at = max(ours, key=lambda at: (len(threads.telling(told[at]) & words), waits_for_somebody(told[at])))
        is_about_it = bool(threads.telling(told[at]) & words) or (len(ours) == 1 and waits_for_somebody(told[at]))
        if is_about_it and who.lower() not in _WORD.findall(told[at].lower()):
            bare, mark, rest = told[at].partition(ABOUT)
            told[at] = f"{bare}{HANDED}{who}{mark}{rest}"
    return told


def failures_told(failing: Sequence[str], parts: Sequence[SummaryContent], still: Sequence[str]) -> list[str]:
    """The lines of runs that still fail, with what an earlier part said of them; without those that another open line
    is about."""
    told: list[str] = []
    for line in failing:
        known = [each for part in parts for each in part.left_open.splitlines() if each.startswith(f"{line}{SAYING}")]
        if known:
            told += known[-1:] if known[-1] in threads.still_open(parts) else []
        elif not (line.startswith(STILL_FAILS) and SAYING not in line and _is_told(line, parts, still)):
            told.append(line)
    return told


def _is_told(line: str, parts: Sequence[SummaryContent], still: Sequence[str]) -> bool:
    """Does a part in which this run failed say why, and is that still open?"""
    title = line.removeprefix(STILL_FAILS)
    failed = [part for part in parts if any(run.title == title for run in threads.failing(part))]
    words = (each for part in failed for each in part.left_open.splitlines() if each in still)
    runs = [run for part in failed for run in threads.failing(part) if run.title == title]
    return any(
        not each.startswith(STILL_FAILS)
        and (threads.tells_of_failure(each) or any(names_sending(each, run) for run in runs))
        for each in words
    )
