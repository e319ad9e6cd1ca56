"""Writes the summary of a turn or a session without a model: from the requests, the observations and the last words.
Pure.

The title states the outcome (MEM-16): the weightiest sentence of the closing words, else what was committed, else the
request. "Done" is what was edited, committed and passed. "Learned" is what made a failing run pass, the sentences
that state a finding or a decision, and what was changed for it. "Left open" is what still fails, and what the agent
asked or announced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdfast.events.correction import corrections_in
from holdfast.events.subjects import need
from holdfast.items.web_words import marked
from holdfast.patterns import lazy_pattern
from holdfast.prose import closing, cues
from holdfast.prose.closing import Statement
from holdfast.prose.one_line import one_line
from holdfast.prose.orders import orders
from holdfast.prose.people import people_in, waits_for
from holdfast.prose.prompts.before import with_subject
from holdfast.prose.prompts.conditions import conditions_in
from holdfast.prose.prompts.pasted import own_words
from holdfast.prose.sentences import split_line, spoken
from holdfast.prose.updates.settled import deeds_told
from holdfast.rooms.memory.capture.excerpts import within
from holdfast.rooms.memory.model import LIGHT, Observation, SummaryContent
from holdfast.rooms.memory.rules import MOST_FILES
from holdfast.rooms.memory.standing import threads
from holdfast.rooms.memory.standing.threads import STILL_FAILS
from holdfast.rooms.memory.standing.worth import (
    ANSWERED,
    HELPERS,
    PASSED_AFTER,
    USER_SAID,
    claims_the_user,
    is_users_choice,
)
from holdfast.rooms.memory.summaries.by_rules import of_session
from holdfast.rooms.memory.summaries.by_rules.chosen import answered_by_user, is_quoted
from holdfast.rooms.memory.summaries.by_rules.ended import Runs, failures, not_sent
from holdfast.rooms.memory.summaries.by_rules.left_open import left_open
from holdfast.rooms.memory.summaries.by_rules.matters import with_matter
from holdfast.rooms.memory.summaries.by_rules.titles import answer_in, main_request, names_a_subject, title_of
from holdfast.rooms.memory.summaries.by_rules.work import Work
from holdfast.shell.line import CHECKED

__all__ = ["ANSWERED", "PASSED_AFTER", "STILL_FAILS", "Work", "names_a_subject", "spoken", "sum_up"]

_MOST_LINES = 8
_MOST_SENTENCES = 4
_MOST_RUNS = 12
_LONGEST_SENTENCE = 260
_LONGEST_REQUEST = 400
_LONGEST_TOLD = 200
"""Characters of what the user told was done in later requests."""
_LONGEST_RULE = 340
"""Characters of a rule or a condition, with the sentence that names its subject."""
_LONGEST_SAID = 1_600
_LONGEST_LINE = 600

_LEAVING = threads.telling("touch touched untouched change changed update edit modify leave left alone")
"""They say that something was left alone, and not what."""


def sum_up(work: Work, before: Sequence[SummaryContent] = ()) -> SummaryContent | None:
    """The summary of a piece of work; `before` are the summaries of its parts. None when there is nothing to say."""
    users = [*work.requests, *(each.words for each in work.answers)]
    before = [_checked(part, users) for part in before]
    said = _from_web(closing.statements(work.last_message), work.pages)
    said = [each for each in said if not claims_the_user(each.text)]  # so begin the user's own words
    said = _with_who_is_waited_for(said, people_in((*work.requests, work.context, work.question)))
    ended = Runs(work.observations)
    ended.believe(work.last_message, said, before)
    done = [*_edits(work.observations), *_outcomes(work.observations, ended)]
    if not done and (answer := answer_in(said)):
        done = [f"{ANSWERED}{one_line(answer, _LONGEST_SENTENCE)}"]
    sentences = _spoken(work)
    request = _request(work.requests)
    if not request and not done and not work.observations:
        return None
    told = [*answered_by_user(work), *_corrected(work.requests)]
    earlier = [
        line for part in of_session.own_parts(before) for line in part.learned.splitlines() if _may_be_told(line, told)
    ]
    told = [] if before else told
    title = title_of(work, said, done, before, ended)
    found = [*closing.learned(said, _MOST_SENTENCES), closing.changed(said, title), *closing.dead_ends(said, 2)]
    learned = _unique([*found, *of_session.results(before), *told, *ended.lessons, *earlier])
    unshipped = not_sent(ended, said)
    failing, spoken_of = failures(ended.failing, said, unshipped)
    still = [line for line in threads.still_open(of_session.with_replies(before)) if threads.kind_of(line) != "fails"]
    left = of_session.failures_told(failing, before, still) + of_session.handed_on(still, before)
    if asked_for := of_session.request_of(title, before):
        request = _request(work.requests, asked_for)
    if not before:
        others = [each for each in _not_of_the_failure(said, spoken_of) if not _was_wanted(each, work.requests)]
        others = [each for each in others if not (failing and cues.STATE_ONLY.fullmatch(each.text))]  # the run says it
        asked = request if names_a_subject(request) else ""
        worked = _has_worked(work.observations)
        found = left_open(others, title, asked, asks=bool(work.observations) or work.has_helpers, worked=worked)
        left += (with_matter(each, title, asked, done) for each in found)
        left += _wanted_first(work.requests, left)
    left = _unique(_without_nameless(left))
    return SummaryContent(
        title=title,
        request=request,
        investigated=_investigated(work.observations) or (HELPERS if work.has_helpers else ""),
        done="\n".join(done[:_MOST_LINES]),
        learned="\n".join(learned[:_MOST_LINES]),
        left_open="\n".join(threads.most_pressing(left, _MOST_LINES)),
        said="\n".join(within((one_line(each, _LONGEST_LINE) for each in sentences), _LONGEST_SAID)),
        outcome="failed" if unshipped else ended.outcome,
        files=_changed(work.observations),
        branch=_branch(work.observations),
        runs=tuple(ended.last[-_MOST_RUNS:]),
    )


def _not_of_the_failure(said: Sequence[Statement], spoken_of: Sequence[Statement]) -> list[Statement]:
    """The statements without those that describe a failure, and without what only goes on about it in the next
    paragraph: "I didn't merge it." behind a push that was rejected waits for nothing of its own."""
    blocks = {each.block for each in spoken_of}

    def goes_on(each: Statement) -> bool:
        return each.kind == "open" and not each.role and each.block - 1 in blocks and need(each.text) == "must"

    return [each for each in said if each not in spoken_of and not goes_on(each)]


_NAME_IN = lazy_pattern(r"\w{3,20}")


def _wanted_first(requests: Sequence[str], left: Sequence[str]) -> list[str]:
    """What the user said must happen first, in the user's words; without what the agent's words leave open already:
    they wait for the same, or name who must act."""
    known = [threads.telling(line) for line in _pressing(left)]
    found = [each for request in requests for each in conditions_in(own_words(request))]
    return [
        f"{USER_SAID}“{one_line(each, _LONGEST_RULE)}”"
        for each in found
        if not _waits_for_any(requests, left, frozenset(_NAME_IN.findall(each.lower())))
        and not any(2 * len(words & threads.telling(each)) > len(words) for words in known)
    ]


_NAMELESS = lazy_pattern(
    r"\b(?:his|her|their) (?:sign-?off|ok|okay|approval|answer|reply|review|word|go-?ahead|decision|yes)\b",
    re.IGNORECASE,
)


def _without_nameless(left: Sequence[str]) -> list[str]:
    """Without what waits for somebody's word where only the user names who that is: "it waits for his sign-off"."""
    by_user = any(line.startswith(USER_SAID) for line in left)
    return [line for line in left if not (by_user and _NAMELESS.search(line) and not line.startswith(USER_SAID))]


def _pressing(left: Sequence[str]) -> list[str]:
    return [line for line in left if threads.pressing(threads.Thread(line, threads.kind_of(line))) == 0]


def _waits_for_any(requests: Sequence[str], left: Sequence[str], words: frozenset[str]) -> bool:
    """Does an open line wait for somebody whom these words name, or say what is theirs to do?"""
    names = (each for line in _pressing(left) for each in _NAME_IN.findall(line) if each[0].isupper())
    named = {each.lower() for each in names if threads.telling(each)}
    people = words & people_in(requests)
    return bool(named & words) or any(waits_for(part, people) for line in left for part in split_line(line))


def _checked(part: SummaryContent, requests: Sequence[str]) -> SummaryContent:
    """A part whose title gives words as the user's, only if they are."""
    if not is_users_choice(part.title) or is_quoted(part.title, requests):
        return part
    return replace(part, title=part.request)


def _corrected(requests: Sequence[str]) -> list[str]:
    """What the user corrected, as the user's words (MEM-31)."""
    found = [with_subject(request, each.text) for request in requests for each in corrections_in(request)]
    return [f"{USER_SAID}“{one_line(each, _LONGEST_RULE)}”" for each in found]


def _may_be_told(line: str, told: Sequence[str]) -> bool:
    """What a part says that the user said counts only if the user did: a model may have written that part."""
    return not claims_the_user(line) or line in told


def _changed(observations: Iterable[Observation]) -> tuple[str, ...]:
    """The files that were edited, or written by a command inside the worktree."""
    found: dict[str, None] = {}
    for each in observations:
        if each.kind == "edit":
            found |= dict.fromkeys(each.files)
        elif each.kind in ("command", "test", "build") and each.outcome != "failed":
            found |= dict.fromkeys(path for path in each.files if not path.startswith(("/", "~", "..")))
    return tuple(found)[:MOST_FILES]


def _has_worked(observations: Iterable[Observation]) -> bool:
    return any(each.kind == "edit" or _commits(each) for each in observations if each.outcome != "failed")


def _branch(observations: Sequence[Observation]) -> str:
    """The branch that holds the work: that of the last edit, commit or merge, and not of a checkout after it."""
    on_one = [each for each in observations if each.branch]
    changing = [each for each in on_one if each.kind == "edit" or _commits(each)]
    return next((each.branch for each in reversed(changing or on_one)), "")


def _commits(observation: Observation) -> bool:
    return any(run.kind == "commit" for run in observation.runs) or observation.title.startswith(
        ("Committed", "Merged")
    )


def _from_web(said: Sequence[Statement], pages: Sequence[str]) -> list[Statement]:
    """The statements; those that repeat a page are marked. An order of a page is told to nobody, whatever its label or
    its heading says that it is."""
    texts = marked([each.text for each in said], pages)
    found = [(each, text, text != each.text) for each, text in zip(said, texts, strict=True)]
    return [replace(each, text=text) for each, text, is_webs in found if not (is_webs and orders(each.text))]


def _with_who_is_waited_for(said: Sequence[Statement], people: frozenset[str]) -> list[Statement]:
    """The statements; one that waits for somebody of whom the user spoke is open, whatever its other words say."""
    told: list[Statement] = []
    before = ""
    for each in said:
        own = each.text.removeprefix(before)  # a statement may begin with the sentence that it points to
        waits = people and each.kind in _STATED and waits_for(own, people)
        told.append(replace(each, kind="open", weight=min(each.weight, 1.0)) if waits else each)
        before = each.text
    return told


_STATED = frozenset({"answer", "change", "check", "decision", "finding"})


def _spoken(work: Work) -> list[str]:
    """All sentences of the last message, marked in the same way; without what it says that the user said."""
    said = spoken(work.last_message)
    found = zip(said, marked(said, work.pages), strict=True)
    return [text for raw, text in found if not claims_the_user(text) and (text == raw or not orders(raw))]


def _request(requests: Sequence[str], chosen: str = "") -> str:
    """What was asked for: the request whose answer is told, else the first that names a subject; and what the user told
    was done. What was pasted is none of it."""
    if not requests:
        return ""
    first = one_line(chosen or main_request(requests), _LONGEST_REQUEST)
    if len(requests) == 1:
        return first
    told = [each for each in map(own_words, requests) if each and each not in first and deeds_told(each)]
    also = one_line("; ".join(told), _LONGEST_TOLD)
    return f"{first}{f'; {also}' if also else ''} (and {len(requests) - 1} more)"


def _investigated(observations: Iterable[Observation]) -> str:
    looked = [each for each in observations if each.kind in LIGHT or each.kind == "web"]
    files = list(dict.fromkeys(path for each in looked if each.kind == "read" for path in each.files))
    lines = [f"Read {', '.join(files[:8])}{f' and {len(files) - 8} more' if len(files) > 8 else ''}"] if files else []
    ran = [each for each in observations if each.kind == "command" and not each.runs]
    rest = (each for each in (*looked, *ran) if not (each.kind == "read" and each.files) and not _counts(each))
    others = _unique(each.title for each in rest)
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


def _outcomes(observations: Sequence[Observation], ended: Runs) -> list[str]:
    """What was committed or delegated, and how the tests and builds ended that passed."""
    said: list[str] = []
    for each in observations:
        if each.runs:
            said = _without_amended(said, each)
            said += [run.title for run in each.runs if run.kind in ("commit", "push") and run.outcome != "failed"]
        elif each.outcome != "failed" and _counts(each):
            said.append(each.title)
    passed = [run.title for run in ended.last if run.outcome == "passed" and run.kind in CHECKED]
    return _unique([*said, *passed])


def _without_amended(said: Sequence[str], by: Observation) -> list[str]:
    """What was told so far, without the commit that a command wrote anew."""
    is_anew = "--amend" in by.command and by.outcome != "failed" and by.title.startswith("Committed: ")
    last = next((at for at in reversed(range(len(said))) if said[at].startswith("Committed")), -1) if is_anew else -1
    return [each for at, each in enumerate(said) if at != last]


def _counts(observation: Observation) -> bool:
    if observation.kind == "agent":
        return True
    return observation.kind == "command" and observation.title.startswith(
        ("Committed", "Pushed", "Merged", "Installed")
    )


def _was_wanted(statement: Statement, requests: Sequence[str]) -> bool:
    """ "I did not touch the loader." leaves nothing open when the user said that nobody changes the loader."""
    if statement.kind != "open" or not cues.LEFT_ALONE.search(statement.text):
        return False
    alone = threads.telling(statement.text) - _LEAVING
    told = (threads.telling(each.text) for request in requests for each in corrections_in(request))
    return any(2 * len(alone & words) > len(alone) for words in told)


def _unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(line for line in lines if line))
