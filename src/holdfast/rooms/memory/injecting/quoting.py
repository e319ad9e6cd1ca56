"""Which of its sentences an item is told with: the outcome, and the words that answer a prompt. Pure.

What an agent was shown before is known by the marks of sentences: given means said (MEM-20).
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from holdfast.events.subjects import ABOUT, about, need, without_connective
from holdfast.items.indexed import Saying
from holdfast.items.words import mark_of
from holdfast.prose import cues
from holdfast.prose.closing import TELLING, classify, says_how_it_is
from holdfast.prose.cores import core, mended_in
from holdfast.prose.one_line import one_line
from holdfast.prose.passages import LONGEST as LONGEST_PASSAGE
from holdfast.prose.roles import without_open_label
from holdfast.prose.sentences import BEGINS, is_lead_of, split_line
from holdfast.recall.tokens import general_terms, terms, time_terms
from holdfast.rooms.memory.capture.excerpts import within
from holdfast.rooms.memory.model import MemoryItem, Summary, SummaryContent
from holdfast.rooms.memory.standing.anew import SINCE_THEN
from holdfast.rooms.memory.standing.worth import (
    ANSWERED,
    ASKED,
    PASSED_AFTER,
    THE_USER,
    TRACES,
    USER_DECIDED,
    USER_SAID,
    has_more_requests,
    is_agents,
    is_users_choice,
    says_result,
    worth,
)

_LONGEST_TOLD = 280
_LONGEST_TITLE = LONGEST_PASSAGE
_LONGEST_WITH_NEWS, _LEAST_NEWS = 360, 60
_LONGEST_TRIED = 340
"""Of what was tried in vain, with what helped."""
_LITTLE = 0.6
"""Less than a term that the question and one line alone have."""
_MOST_LINES = 2
"""Sentences that answer a prompt."""
_LONGEST_JOINED = 240
_BEFORE = 8
"""Words that are shown before the one that was asked for."""
_WORD = re.compile(r"\w+")
_FIRST_STOP = re.compile(rf"(?<=[.!?])\s+(?={BEGINS})")
_LONGEST_ASIDE = 300
_SHORT = 4
"""Words of a sentence that is too short to be told apart."""
_SHORT_ANSWER, _SHORT_BESIDE_A_CAUSE = 6, 8
"""Words of an answer ("Fixed a race in `book()`.") that is told with the outcome of the turn."""
_SHORT_TITLE = 3
"""A title with fewer terms is told with what was asked."""
_LONGEST_SUBJECT = 40
NAMED = "named"
"""The mark of an item of which a line shows no sentence."""


def sentences(content: SummaryContent) -> list[str]:
    """All sentences of a summary, each once, the most telling first."""
    done = [line.removeprefix(ANSWERED) for line in content.done.splitlines() if not line.startswith(TRACES)]
    # A question is told as long as it is open, and then not any more.
    said = _joined(line for line in content.said.splitlines() if not line.endswith(("?", "？")) and _tells(line))
    done = [] if said else done  # what was committed says less than the words about it
    parts = (content.title, content.learned, content.left_open, "\n".join(said), "\n".join(done))
    lines = [line.strip() for part in parts for line in part.splitlines() if line.strip()]
    found: list[str] = []
    known: set[str] = set()
    for each in lines:
        own = {mark_of(without_open_label(part)) for part in (single(each) or [each])}
        if not own <= known:
            found.append(each)
            known |= own | {mark_of(each)}
    return found


def _tells(line: str) -> bool:
    """Is it more than courtesy, an offer, a commit, or that something is as it was?"""
    if cues.OFFER.search(line) or cues.COURTESY.search(line) or cues.COMMITTED.match(line):
        return False
    return not cues.ASIDE.search(line[:_LONGEST_ASIDE])


def _joined(lines: Iterable[str]) -> list[str]:
    """The sentences; one that does not say what it is about stands with the one before it."""
    found: list[str] = []
    for line in lines:
        needs = need(line)
        if needs and found and len(found[-1]) + len(line) < _LONGEST_JOINED:
            found[-1] = f"{found[-1]} {line}"
        elif needs == "must" and found:
            found.append(about(line, found[-1]))
        else:
            found.append(without_connective(line) if needs == "better" else line)
    return found


def shown_in(item: MemoryItem, line: str) -> frozenset[str]:
    """Marks of the sentences of an item that a line shows; none when the item is always given as a whole."""
    if not isinstance(item, Summary):
        return frozenset()
    shown = " ".join(_WORD.findall(line.lower()))
    lines = sentences(item.content)
    each_alone = (part for each in lines for part in (each, *single(each)))
    # What an open line is about is left out where the line says it otherwise.
    found = (each for each in each_alone if " ".join(_WORD.findall(each.partition(ABOUT)[0].lower())[:14]) in shown)
    return frozenset(map(mark_of, found)) or frozenset({NAMED})


def single(line: str) -> list[str]:
    """The sentences of a line that has several; those that are too short to be known again go with the one before."""
    parts: list[str] = []
    for part in split_line(line):
        if parts and len(part.split()) < _SHORT:
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    return parts if len(parts) > 1 else []


def unsaid(line: str, said: Set[str]) -> str:
    """A line without the sentences that were shown before; '' when nothing of weight is left."""
    if mark_of(line) in said:
        return ""
    parts = single(line)
    fresh = [at for at, each in enumerate(parts) if mark_of(each) not in said]
    if len(fresh) == len(parts):
        return line
    if not any(classify(parts[at]).weight >= 1.0 for at in fresh):
        return ""
    return " ".join(_after(parts, at) if at and at - 1 not in fresh else parts[at] for at in fresh)


def _after(parts: Sequence[str], at: int) -> str:
    """A sentence whose predecessor is not shown again, with a few words of that if it needs them."""
    needs = need(parts[at])
    if needs == "better":
        return without_connective(parts[at])
    return about(parts[at], parts[at - 1], _LONGEST_SUBJECT) if needs else parts[at]


def told(content: SummaryContent, how: Saying) -> str:
    """What is said of a summary, with its subject. The words that answer lead; '' when they were shown before, or when
    nobody could tell what they are about."""
    title, mark, news = content.title.partition(SINCE_THEN)
    if not mark or THE_USER in news:
        return with_subject(as_written(content, how), content)
    text = with_subject(as_written(replace(content, title=title), how), content)
    if not text or news.rstrip("….") in text:
        return text
    text = core(text, _LONGEST_TITLE) if len(text) + len(news) > _LONGEST_WITH_NEWS else text
    return f"{text}{mark}{one_line(news, max(_LEAST_NEWS, _LONGEST_WITH_NEWS - len(text)))}"


def with_subject(text: str, content: SummaryContent) -> str:
    """Words that do not say what they are about, with what was asked, or else with the file that was changed; '' when
    there is neither."""
    if not text or ABOUT in text or ASKED in text or need(text) != "must" or _says_matter(content.request, text):
        return text
    if _names_a_subject(content.request):
        return f"{text}{ASKED}{one_line(content.request, 110)})"
    return about(text, content.files[0]) if content.files else ""


def as_written(content: SummaryContent, how: Saying) -> str:
    """What is said of a summary in its own words only: a person's stand as they are."""
    how = replace(how, asked=how.asked - time_terms())  # "last week" is no word of the answer
    result = one_line(content.title, _LONGEST_TITLE)
    if how.short:
        return _with_request(content, result) if says_result(content) else _worked(content, result)
    lines = [each for each in sentences(content) if PASSED_AFTER not in each]
    users = _top([each for each in lines if _is_rule_of_user(each)], how.asked) if how.decided else ""
    lines = [each for each in lines if not each.startswith(USER_SAID)]
    top = _top(lines, how.asked, _worth_of(how))
    if users and len(how.asked & terms_of(users)) >= len(how.asked & terms_of(top)):
        return unsaid(users, how.said)  # a correction does not answer any other question
    if not unsaid(top or content.title, how.said):
        return ""  # the answer was given
    result = one_line(unsaid(content.title, how.said), _LONGEST_TITLE)
    parts = {mark_of(each) for each in (content.title, *single(content.title))}
    others = [each for each in lines if mark_of(each) not in parts]
    fresh = [text for each in others if (text := unsaid(each, how.said))]
    answer = best("\n".join(fresh), how.asked, _LONGEST_TOLD, _worth_of(how))
    known = not result
    if not answer and known:
        return ""
    if not answer:
        learned = content.learned.splitlines()
        more = [line for line in learned if line in fresh and not terms_of(line) <= terms_of(result)]
        if not says_result(content):  # what was asked is no news
            words = more or [each for each in fresh if classify(each).weight >= 1.0]
            return one_line(words[0], _LONGEST_TITLE) if words else ""
        more = [] if result.startswith(USER_DECIDED) else more[:1]  # the agent's words are not the user's
        return " — ".join([_with_request(content, result), *(one_line(line, 170) for line in more)])
    if known:
        return answer
    if answer.rstrip(".…") in result:
        return _with_request(content, result)
    if not says_result(content) or terms_of(result) <= terms_of(answer):
        return f"{answer}{ASKED}{one_line(content.request, 110)})" if _names_a_subject(content.request) else answer
    if how.why and _tells_why(result) and (classify(answer).kind == "tried" or not _tells_why(answer)):
        return _with_request(content, result)
    if classify(answer).kind == "check":  # that it passes says nothing of what
        return f"{result} — {answer}" if len(answer) + len(result) <= _LONGEST_TOLD else _with_request(content, result)
    if answer.startswith(USER_DECIDED) or result.startswith(USER_DECIDED):
        return max(result, answer, key=lambda each: each.startswith(USER_DECIDED))  # no agent's words behind them
    ours, its = (how.asked & terms_of(each) for each in (result, answer))
    is_result = len(ours) > len(its) or its <= ours
    if is_result and how.decided and classify(result).kind == "decision":
        return _with_request(content, result)
    if classify(answer).kind == "tried" and mark_of(answer) != mark_of(result):  # and what helped
        helped = result if len(answer) + len(result) <= _LONGEST_TRIED else core(result, _LONGEST_TRIED - len(answer))
        return f"{answer} — {helped}" if len(answer) + len(helped) <= _LONGEST_TRIED else answer
    is_cause = classify(result).kind == "finding"
    longest = _SHORT_BESIDE_A_CAUSE if is_cause else _SHORT_ANSWER
    if not _is_one_matter(answer, result) and len(answer.split()) > longest:
        return answer
    if len(answer) + len(result) <= _LONGEST_TOLD:
        return f"{answer} — {result}"
    short = core(result, _LONGEST_TOLD - len(answer))  # both are too long for one line
    return f"{answer} — {short}" if len(answer) + len(short) <= _LONGEST_TOLD else result if is_result else answer


def _is_rule_of_user(line: str) -> bool:
    """Is it something that the user said, and does it say what it is about?"""
    return line.startswith(USER_SAID) and need(line.removeprefix(USER_SAID).strip("“”")) != "must"


def change_of(content: SummaryContent) -> str:
    """What was changed for what the title found or decided, else another outcome of a session of several prompts; ''
    when the title says it, or when nobody told it."""
    return _changed_for(content) or _other_result(content)


def _other_result(content: SummaryContent) -> str:
    return next(results(content), "") if has_more_requests(content) else ""


def results(content: SummaryContent) -> Iterator[str]:
    """What was found, decided or changed besides what the title tells."""
    title = content.title.rstrip("….")
    for line in content.learned.splitlines():
        if cues.BOOKKEEPING.search(line) or cues.UNSHIPPED.search(line[:_LONGEST_TOLD]):
            continue  # what was committed or could not be sent is no result
        if line.endswith(":"):
            continue  # it leads to what is not quoted
        first, *_ = split_line(line) or [line]
        if first.rstrip("….") in title:
            continue  # the title tells it in short
        told = classify(line) if is_agents(line) and title not in line and line.rstrip("….") not in title else None
        if told and told.weight >= TELLING and told.kind in ("decision", "finding", "change") and not need(line):
            yield line


def _changed_for(content: SummaryContent) -> str:
    lines = [line for line in content.learned.splitlines() if is_agents(line)]
    title = mark_of(content.title)
    if is_users_choice(content.title):
        return ""
    at = next((at for at, line in enumerate(lines) if mark_of(line) == title), -1)
    if classify(content.title).kind not in ("finding", "decision"):
        return lines[0] if lines and _is_what_was_done(content, lines[0]) else ""
    if at < 0:
        return ""
    for later, line in enumerate(lines[at + 1 :]):
        if classify(line).kind == "change" and (later == 0 or _is_one_matter(line, content.title)):
            return line
    return ""


def _is_what_was_done(content: SummaryContent, line: str) -> bool:
    """Is it what was changed for a title that tells how things were?"""
    return not says_how_it_is(content.title) and classify(line).kind == "change"


_REMARKS = re.compile(r"(?: \([^()]*\))+\Z")


def followed_by(line: str, sentence: str) -> str:
    """A line with a sentence behind its words, before its remarks."""
    remarks = _REMARKS.search(line)
    if not sentence or not remarks:
        return line
    words = line[: remarks.start()]
    bare = sentence.rstrip("….")
    if bare in words:
        return line
    told = words.partition("agent: ")[2]
    if told and sentence.startswith(told.rstrip("….")):  # it was joined with the sentence before it
        return f"{words.removesuffix(told)}{sentence}{remarks[0]}"
    return f"{words.rstrip('.')}. {sentence.rstrip('.')}.{remarks[0]}" if words[-1] != "…" else line


def is_told(words: str, lines: str) -> bool:
    """Does one of these lines say half of the words that matter?"""
    own = terms_of(words.partition(ABOUT)[0]) - general_terms()
    return bool(own) and any(2 * len(own & terms_of(line)) >= len(own) for line in lines.splitlines())


def _says_matter(request: str, words: str) -> bool:
    """Do these words say what was asked about?"""
    own = terms_of(request) - general_terms()
    return bool(own) and 3 * len(own & terms_of(words)) >= 2 * len(own)


def _is_one_matter(answer: str, result: str) -> bool:
    """Are two sentences of a turn about the same? Else each of them is a line of its own."""
    return bool((terms_of(answer) & terms_of(result)) - general_terms())


def _tells_why(text: str) -> bool:
    """Does it tell a cause, be it by what was done about it, or why something was decided?"""
    parts = split_line(text) or [text]
    return mended_in(parts) > 0 or any(classify(each).kind in ("finding", "decision") for each in parts)


def _worth_of(how: Saying) -> Callable[[str], float]:
    """What a line of an agent's words is worth as an answer, beside the terms it has: that the tests pass answers
    hardly anything, and who asks why is answered by a cause, or by what was tried instead."""

    def worth_of(line: str) -> float:
        kind = classify(line).kind
        if kind in ("check", "none"):
            return -_LITTLE
        return _LITTLE if how.why and (kind == "tried" or _tells_why(line)) else 0.0

    return worth_of


def _worth_nothing_more(line: str) -> float:
    return 0.0


def _top(lines: Sequence[str], asked: Set[str], more: Callable[[str], float] = _worth_nothing_more) -> str:
    """The line with the most of these terms, of equals one that tells what was tried in vain; '' when none has any. A
    term that few of the lines have tells more: the others are about what all of them are about."""
    has = {each: asked & set(terms(each)) for each in lines}
    lines_with = Counter(term for found in has.values() for term in found)
    value = {each: sum(0.5 + 0.5 / lines_with[term] for term in has[each]) + more(each) for each in lines if has[each]}
    if not value:
        return ""
    most = max(value.values())
    equals = [each for each in value if value[each] >= most]
    return next((each for each in equals if len(equals) > 1 and cues.TRIED.search(each)), equals[0])


def _with_request(content: SummaryContent, result: str) -> str:
    is_clear = len(terms_of(result)) >= _SHORT_TITLE and not cues.REPLY.match(result) and not _has_lead(result)
    asks = _names_a_subject(content.request) or (_has_lead(result) and content.request.endswith(("?", "？")))
    if is_clear or ASKED in result or not asks or not says_result(content):
        return result
    if not (cues.REPLY.match(result) or _has_lead(result)) and _says_matter(content.request, result):
        return result
    return f"{result}{ASKED}{one_line(content.request, 80)})"


def _has_lead(text: str) -> bool:
    """Does it begin with a lead such as "50.", which answers a question that must be known?"""
    lead = _FIRST_STOP.split(text, maxsplit=1)[0]
    return is_lead_of(lead) and cues.DEED.fullmatch(lead) is None


def _names_a_subject(request: str) -> bool:
    """Does a request say what it is about? "continue" and "yes, do it" do not."""
    return len(terms_of(request) - general_terms()) > 1


def _worked(content: SummaryContent, result: str) -> str:
    done = [line for line in content.done.splitlines() if not line.startswith(ANSWERED)][:2]
    return f"{result} — {one_line('; '.join(done), 140)}" if done else result


def about_file(content: SummaryContent, path: str, known: Set[str] = frozenset()) -> str:
    """Why a turn changed a file, in a sentence: one that names the file or what is in it, else the outcome of the turn;
    with what was changed for it, so that a cause does not read as if it still were so. '' when the turn says nothing
    but that it was edited, or all that it says is `known`."""
    title, mark, news = content.title.partition(SINCE_THEN)
    if mark:
        told = about_file(replace(content, title=title), path, known)
        return f"{told}{mark}{news}" if told and news.rstrip("….") not in told else told
    if not worth(content).because or not says_result(content):
        return ""
    stem = set(terms(posixpath.basename(path).rpartition(".")[0]))
    lines = [line for line in content.learned.splitlines() if is_agents(line)]
    stated = [each for each in lines if _says_why(each, TELLING)]
    stated = [content.title, *stated] if _says_why(content.title, 1.0) else stated
    stated = [each for each in stated if unsaid(each, known)]
    near = [each for each in stated if stem & set(terms(each))]
    if len(content.files) == 1:  # all of the turn is about this file: a cause that names it leads, and else its title
        near = [each for each in near if cues.FINDING.search(each)]
    chosen = one_line(next(iter(near or stated), ""), _LONGEST_TITLE)
    if chosen == content.title and _has_lead(chosen):
        return _with_request(content, chosen)
    if not chosen or not content.files or says_how_it_is(chosen):
        return chosen
    others = [each for each in (content.title, *lines) if mark_of(each) != mark_of(chosen)]
    made = [each for each in others if classify(each).kind == "change" or _holds_now(each, chosen)]
    if made and classify(chosen).kind != "decision":
        return f"{chosen.rstrip('.…')}. {one_line(made[0], 170)}"
    return f"Fixed: {chosen.removeprefix('Cause: ')}" if content.outcome == "passed" and _is_past(chosen) else chosen


def _holds_now(line: str, cause: str) -> bool:
    """Does it say how things are since then, of the same matter?"""
    return _says_why(line, 1.0) and says_how_it_is(line) and _is_one_matter(line, cause)


def _is_past(text: str) -> bool:
    """Is it a cause, told as it was before?"""
    main = _SUBORDINATE.split(text.removeprefix("Cause: "), maxsplit=1)[0]
    return bool(cues.FINDING.search(text) and cues.WAS.search(main) and not _PRESENT.search(main))


_SUBORDINATE = re.compile(r"\b(?:because|since|so|weil|which|that)\b|[,;:]", re.IGNORECASE)
_PRESENT = re.compile(
    r"\b(?:is|are|has|have|must|should|will|can|may|stays?|uses?|does|do|ist|sind|hat|haben|muss)\b", re.IGNORECASE
)


def _says_why(line: str, least: float) -> bool:
    """Does it state the outcome of the work? What waits for somebody, and what was tried in vain, does not."""
    told = classify(line)
    if told.kind in ("open", "question", "tried", "check", "none") or cues.UNSHIPPED.search(line):
        return False
    return told.weight >= least


def was_told(content: SummaryContent, path: str, said: Set[str]) -> bool:
    """Was what a turn says of a file shown before?"""
    text = about_file(content, path)
    return bool(text) and not unsaid(text, said)


def terms_of(text: str) -> set[str]:
    return set(terms(text))


def best(text: str, asked: Set[str], longest: int, more: Callable[[str], float] = _worth_nothing_more) -> str:
    """The lines of a text with the most of these terms, in their order, within a length; '' when none has any."""
    lines = list(dict.fromkeys(each.strip() for each in text.splitlines() if each.strip())) if asked else []
    count = {each: len(asked & set(terms(each))) for each in lines}
    top = _top(lines, asked, more)
    if not top:
        return ""
    if len(top) > longest:
        return _around(top, asked, longest)
    left = asked - terms_of(top)
    near = [each for each in lines if 2 * count[each] >= count[top] and count[each] and _goes_with(each, top, left)]
    # Two lines with the same of these terms say less than one with these and one with others.
    near.sort(key=lambda each: (-more(each), -len(left & terms_of(each)), -count[each]))
    ranked: Iterable[str] = [top, *near][:_MOST_LINES]
    chosen = within(ranked, longest + 1)
    return " ".join(each for each in lines if each in chosen)


def _goes_with(line: str, top: str, left: Set[str]) -> bool:
    """May two sentences stand in one line? Each must say what it is about, and both the same, or the second what else
    was asked (`left`)."""
    if line in top or top in line or need(line) or need(top) or ABOUT in f"{line}{top}":
        return False
    return bool(left & terms_of(line)) or _is_one_matter(line, top)


def _around(line: str, asked: Set[str], longest: int) -> str:
    """A part of a long line: the words about the first that was asked for."""
    parts = line.split()
    first = next((at for at, word in enumerate(parts) if asked & set(terms(word))), 0)
    begin = max(0, first - _BEFORE)
    return ("… " if begin else "") + one_line(" ".join(parts[begin:]), longest)
