"""The newest state of what was told: what later work settled, repaired or took up is not told as if it still were so
(MEM-16, MEM-17). Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from holdfast.events.subjects import ABOUT
from holdfast.items.words import mark_of
from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.closing import TELLING, classify
from holdfast.prose.openness import leaves_open
from holdfast.prose.roles import without_open_label
from holdfast.prose.updates.settled import deeds_told
from holdfast.rooms.memory.model import Observation, RecordedRun, Summary, SummaryContent
from holdfast.rooms.memory.rules import files_named
from holdfast.rooms.memory.standing import threads
from holdfast.rooms.memory.standing.settling import work_of
from holdfast.rooms.memory.standing.threads import SAYING, STILL_FAILS, includes, telling
from holdfast.rooms.memory.standing.unfixed import was_left_open, was_left_unfixed
from holdfast.rooms.memory.standing.waiting import waiting_for
from holdfast.rooms.memory.standing.worth import FAILED, is_agents, is_users_choice, worth
from holdfast.shell.line import CHECKED
from holdfast.source.links import is_test

_SAME_MATTER = 0.3
"""The share of the shorter title's words that both name when they are about the same."""
_CAUSE = lazy_pattern(
    r"\b(?:because|since|due to|caused by|(?:comes?|came|stems?) from|weil|porque|parce que)\b", re.IGNORECASE
)
"""Behind it stands what has to be changed."""
_LEAST_OF_A_CAUSE = 2
_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+")
_BUT_FAILED = lazy_pattern(
    r"(?:,|;| —| –)?(?:(?<=;)| (?:but|though|although|while|aber|mais|pero)) [^.;\n]{0,80}\b(?:red|fails?|failing"
    r"|failed"
    r"|broken|rot|schlägt|schlagen|échoue|falla|fallan)\b[^.;\n]{0,80}(?=[.;\n]|\Z)"
    r"|(?<=[.!?]) (?![^.;\n]{0,160}\b(?:because|since|weil)\b)[^.;\n]{0,60}\b(?:fails?|(?:is|are) (?:red|broken))\b"
    r"[^.;\n]{0,80}(?:\.(?=\s|\Z)|\Z)",
    re.IGNORECASE,
)
"""What a line says of a run that failed then: ", but a test is red"."""
_BUT_NOT = lazy_pattern(
    r"(?:,|;| —| –) (?:but|though|aber|mais|pero|ma|maar) (?:[\w'’]{1,12} ){0,4}?(?:not|nicht|pas|niet|non|no)\b"
    r"[^.;\n]{0,80}(?=[.;\n]|\Z)",
    re.IGNORECASE,
)
"""What a line says that was not done then: ", but not on the store"."""
_BEFORE_THE_FIX = frozenset({"open", "none", "check"})
"""What the title of work that failed tells: how it was before somebody mended it."""


_ORDERS_A_MEND = lazy_pattern(
    r"\b(?:fix|repair|mend|solve|correct|get rid of|make|beheb\w*|reparier\w*|arregla\w*|corrige\w*|répare\w*)\b",
    re.IGNORECASE,
)
_MOST_COMPARED = 9
"""Lines of later work that are held against what was found: its title, and what it learned."""


def takes_up(later: SummaryContent, earlier: SummaryContent) -> bool:
    """Did later work change what earlier work had only found? Then what was found no longer says how things are."""
    return bool(taken_up(later, earlier))


def taken_up(later: SummaryContent, earlier: SummaryContent) -> str:
    """The line by which later work says that it changed what earlier work had only found; '' when it did not. Of a
    session of several turns it need not be the title."""
    if not later.files or any(run.outcome == "failed" and run.kind in CHECKED for run in later.runs):
        return ""
    if not _only_found(earlier):
        return ""
    theirs = matter(earlier.title)
    cause = matter(_CAUSE.split(earlier.title, maxsplit=1)[-1])
    orders = matter(later.request) if _ORDERS_A_MEND.search(later.request) else frozenset[str]()
    lines = (later.title, *(line for line in later.learned.splitlines() if is_agents(line)))
    for line in dict.fromkeys(lines[:_MOST_COMPARED]):
        ours = matter(line)
        asked = ours | orders if line == later.title else ours
        if len(asked & theirs) < max(2.0, _SAME_MATTER * min(len(asked), len(theirs))):
            continue
        if not orders & theirs and len(cause) >= _LEAST_OF_A_CAUSE and len(ours & cause) < _LEAST_OF_A_CAUSE:
            continue  # it is about the same page, and not about why that is slow
        made = classify(line)
        is_finding = made.kind == "finding" and line != later.title
        if made.weight >= TELLING and made.kind not in ("open", "question") and not is_finding:
            return line
    return ""


def is_over(later: SummaryContent, earlier: SummaryContent) -> bool:
    """Did earlier work only tell that something fails, and does the user say later that this was done or works?"""
    if earlier.files or not (cues.FAILS.search(earlier.title) or _FAILS_NOW.search(earlier.title)):
        return False
    if later.left_open or later.outcome == "failed":
        return False
    was = matter(earlier.title)
    done = [deed for deed in deeds_told(later.request) if deed.words & was]
    return bool(done) and len((matter(later.request) | matter(later.title)) & was) > 1


_FAILS_NOW = lazy_pattern(
    r"\b(?:is|are) (?:down|off|locked|broken|gone|blocked|dead|stuck)\b"
    r"|\b(?:does|do|did)(?: not|n't) (?:run|start|work)\b|\b(?:läuft|laufen|startet|geht) nicht\b"
    r"|\b(?:ist|sind) (?:aus|down|gesperrt|kaputt)\b|\bne (?:marche|démarre) pas\b"
    r"|\bno (?:arranca|funciona|corre)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4_096)
def matter(title: str) -> frozenset[str]:
    """What a title is about; a file counts as one word."""
    files = files_named(title)
    for path in files:
        title = title.replace(path, " ")
    return telling(title) | frozenset(posixpath.basename(path) for path in files)


def may_be_settled(content: SummaryContent) -> bool:
    """Is there anything in it that later work can settle?"""
    return bool(content.left_open) or content.outcome == "failed" or _only_found(content) or only_asks_the_user(content)


def only_asks_the_user(content: SummaryContent) -> bool:
    """Did a turn come to nothing but a question to the user? What the user answered is told by the next turn."""
    said = content.said.splitlines()
    return bool(said) and said[-1].endswith(("?", "？")) and not worth(content).value


def _only_found(content: SummaryContent) -> bool:
    only_tests = all(map(is_test, content.files)) and content.outcome != "passed"
    if not only_tests:
        return False
    kind = classify(content.title).kind
    is_unfixed = bool(content.files) and kind != "decision" and was_left_open(content)
    return kind == "finding" or is_unfixed or was_left_unfixed(content)


def as_it_stands(summary: Summary, still: Sequence[str], later: Sequence[SummaryContent]) -> Summary | None:
    """A summary without what was settled since, and with what later work made of it; None when nothing is left.

    `still` are its lines that are open still, `later` is the work after it, in the order of time."""
    content = summary.content
    if summary.written_by == "user":
        return summary
    if not still and only_puts_off(content):
        return None
    is_repaired = content.outcome == "failed" and _was_repaired(content, later, still)
    outcome = "" if is_repaired else content.outcome
    gone = {mark for line in content.left_open.splitlines() if line not in still for mark in _marks(line)}
    found = ((each, taken_up(each, content)) for each in reversed(later))
    newer, line = next(((each, line) for each, line in found if line), (None, ""))
    if not gone and outcome == content.outcome and newer is None:
        return summary
    left = replace(
        content,
        outcome=outcome,
        left_open="\n".join(still),
        learned=_kept(content.learned, gone),
        said=_kept(content.said, gone),
    )
    if is_repaired and newer is None and classify(content.title).kind in _BEFORE_THE_FIX:
        return None  # the work that made it pass says more
    if not still and content.left_open:
        left = replace(left, title=_BUT_NOT.sub("", left.title))
    if is_repaired:
        title, learned, said = (_BUT_FAILED.sub("", each) for each in (left.title, left.learned, left.said))
        left = replace(left, title=title, learned=learned, said=said)
    if newer is not None:
        left = replace(left, title=line, outcome=newer.outcome, branch=newer.branch)
    elif mark_of(content.title) in gone or (is_repaired and _tells_of_what_is_over(left.title, gone)):
        title = _another_title(left)
        if not title:
            return None
        left = replace(left, title=title)
    return replace(summary, content=left)


_PUTS_OFF = lazy_pattern(
    r"\b(?:after|until|till|once (?!per\b|an?\b|every\b|each\b|for\b|in\b)\w+|as soon as|not (?:now|yet)|later"
    r"|next (?:week|month|sprint|year|release)|tomorrow"
    r"|nach|bis|sobald|später|nächste|después|hasta|luego|après|plus tard)\b|来週|来月|後で",
    re.IGNORECASE,
)


def only_puts_off(content: SummaryContent) -> bool:
    """Did the user only decide to do something later, and was that left open? Once it is done, that tells nothing."""
    is_choice = is_users_choice(content.title) and _PUTS_OFF.search(content.title) is not None
    return is_choice and bool(content.left_open) and not content.files


def _tells_of_what_is_over(title: str, gone: set[str]) -> bool:
    """Does a title say that something failed, or what stood in the way?"""
    parts = _SENTENCE.split(title)
    return title.endswith(FAILED) or any(mark_of(each) in gone or threads.tells_of_failure(each) for each in parts)


def _marks(line: str) -> list[str]:
    """The marks of an open line, and of the words that it was made from."""
    bare = line.partition(ABOUT)[0]
    words = bare.partition(SAYING)[2] if bare.startswith(STILL_FAILS) else ""
    parts = _SENTENCE.split(words or bare)
    return [mark_of(each) for each in (line, bare, words, *parts) if each]


def _kept(lines: str, gone: set[str]) -> str:
    return "\n".join(
        line
        for line in lines.splitlines()
        if mark_of(line) not in gone and mark_of(without_open_label(line)) not in gone
    )


def _another_title(content: SummaryContent) -> str:
    """The weightiest of the words that are left; '' when none states the outcome."""
    lines = [line for line in (*content.learned.splitlines(), *content.said.splitlines()) if is_agents(line)]
    told = [classify(line) for line in dict.fromkeys(lines)]
    telling_ones = [each for each in told if each.weight >= TELLING and each.kind not in ("open", "question")]
    return max(telling_ones, key=lambda each: each.weight).text if telling_ones else ""


def _was_repaired(content: SummaryContent, later: Sequence[SummaryContent], still: Sequence[str]) -> bool:
    """Did each run that failed pass later? Work whose failure only the words tell is repaired when that is settled."""
    failed = threads.failing(content)
    is_settled = bool(content.left_open) and not still
    if not failed or (is_settled and all(run.kind in ("push", "deploy") for run in failed)):
        return is_settled
    return all(passes_later(run, later) for run in failed)


def passes_later(failed: RecordedRun, later: Sequence[SummaryContent]) -> bool:
    return any(run.outcome == "passed" and includes(run, failed) for each in later for run in each.runs)


def is_repaired(observation: Observation, later: Sequence[SummaryContent]) -> bool:
    """Is this a run that failed then, and passed later?"""
    failed = [run for run in observation.runs if run.outcome == "failed" and run.kind in threads.FAILING]
    return bool(failed) and all(passes_later(run, later) for run in failed)


_STANDS_IN_THE_WAY = lazy_pattern(
    r"\b(?:wait(?:s|ing)? (?:for|on|until)|until then|not yet|yet\b|still|blocked|missing|fails?|failing"
    r"|cannot|can't|does not|do not|doesn't|don't|wartet|warten|bis dahin|noch nicht"
    r"|fehlt|fehlen|attend|pas encore|manque|espera|falta|todavía|ainda|manca|ancora"
    r"|(?:is|are|has|have)(?: not|n't)|did(?: not|n't) go (?:out|live)|no \w+(?: for| in| of|$))\b",
    re.IGNORECASE,
)
_OBLIGES = lazy_pattern(r"\b(?:must|(?:has|have|needs?) to)\b", re.IGNORECASE)
"""What somebody must do ends with the deed; "The key must not be logged." is a rule, which no deed ends."""
_SHOULD_ACT = lazy_pattern(r"\bshould (?!not\b|be\b|never\b|always\b)\w", re.IGNORECASE)
"""Somebody is to do it once: "A native speaker should read the pages."."""
_SAYS_UNTOUCHED = lazy_pattern(
    r"(?:so far,? )?(?:i|we)(?:'ve| have)? (?:(?:not|n't) (?:yet )?(?:changed|touched|fixed)"
    r" (?:anything|it|any of (?:it|that))|(?:changed|touched|fixed) nothing)(?: yet| so far| so)?[.!]?\Z",
    re.IGNORECASE,
)
"""It was true for a turn: where the work went on to change code, it says what no longer is so."""
_LEAST_NAMED = 2
_PART = lazy_pattern(r"[;:,] (?:but |and |aber |und )?| (?:but|aber|mais|pero) ")
_LEAST_OF_A_PART = 4
"""Words of a part that says by itself what waits: "parser and checker are done, the printer is still C"."""
_GOES_ON = lazy_pattern(r"(?:until then|then|so|after that|instead|once that)\b|.*\binstead[.!]?\Z", re.IGNORECASE)
"""A sentence that says what was done because of the one before."""


def waits_for_more(title: str) -> list[str]:
    """The sentences of a title that tell what stands in the way, or is to come, as an open thread would."""
    return [each for each in _SENTENCE.split(title) if _waits(each) and not each.endswith(("?", "？"))]


def _waits(text: str) -> bool:
    if cues.UNSHIPPED.search(text) or cues.UNDEPLOYED.search(text) or _BUT_NOT.search(text) or _SHOULD_ACT.search(text):
        return True
    return _STANDS_IN_THE_WAY.search(text) is not None or (_OBLIGES.search(text) is not None and leaves_open(text))


def without_what_came(summary: Summary, later: Sequence[SummaryContent]) -> Summary | None:
    """A summary without the sentences of its title that later work, or the user's word, settled; None when nothing is
    left. They are compared as open threads are."""
    content = summary.content
    told = waits_for_more(content.title) if summary.written_by != "user" else []
    changed = any(not is_test(path) for path in content.files)
    gone = {each for each in told if (changed and _SAYS_UNTOUCHED.match(each)) or _has_come(each, content, later)}
    if not gone:
        return summary
    sentences = _SENTENCE.split(content.title)
    gone |= {each for before, each in pairwise(sentences) if before in gone and _GOES_ON.match(each)}
    parts = [each for each in sentences if each not in gone]
    marks = {mark_of(each) for each in gone}
    left = replace(content, learned=_kept(content.learned, marks), said=_kept(content.said, marks))
    title = " ".join(parts) or _another_title(left)
    return replace(summary, content=replace(left, title=title)) if title else None


def _has_come(sentence: str, content: SummaryContent, later: Sequence[SummaryContent]) -> bool:
    parts = [each for each in _PART.split(sentence) if _waits(each)]
    is_one = len(parts) == 1 and len(parts[0].split()) >= _LEAST_OF_A_PART
    told = parts if is_one and not _only_found(content) else []  # a cause is told whole
    about = threads.telling(content.title)
    works = [work_of(each) for each in later]
    for line in dict.fromkeys((sentence, *told)):
        asked = waiting_for(threads.Thread(line, "left"), content)
        near = (each for each in works if asked.is_unfixed or len((about | asked.words) & each.words) >= _LEAST_NAMED)
        if any(work.settles(asked, same_talk=False) for work in near):
            return True
    return False
