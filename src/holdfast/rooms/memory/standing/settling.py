"""Does later work settle a thread? By a run that includes the failed one, by words that say that it was done, wherever
and by whom, by a file that was written, or by the user who does not want it (MEM-18). Pure.

A deed settles what waits for such a deed, and is compared by what it was done to; what code does is settled by work
that names most of it. Who speaks of the same thing has not done it.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from functools import cached_property, lru_cache

from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.closing import classify
from holdfast.prose.prompts.replies import defers
from holdfast.prose.updates.deeds import ALL_PASS, DONE
from holdfast.prose.updates.refused import answers, refused
from holdfast.prose.updates.settled import (
    ANY,
    ToldDeed,
    all_deeds,
    are_one,
    came_to_nothing,
    deeds_told,
    names_nothing,
    things_of,
)
from holdfast.prose.updates.settled import is_done as was_done
from holdfast.prose.updates.states import PLACES, may_say_a_state, other_state
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.capture.merges import TRUNKS
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.replies import Replies
from holdfast.rooms.memory.standing.reported import NOT_SO, Reported
from holdfast.rooms.memory.standing.thread import COMMON, MOST_LINES, are_named, is_whole_of, naming, scope, telling
from holdfast.rooms.memory.standing.waiting import MERGED, PROSE, SHIPPING, NamedFile, Waiting, code_names, found
from holdfast.shell.scope import Scope, covers

_NEARLY_ALL = 0.75
"""The share of a thread's words that settles it although they do not say what was done."""
_SENTENCE = lazy_pattern(r"(?<=[.!?？])\s+")
_MENDS = lazy_pattern(
    r"\b(?:fix|repair|mend|get|make|bring)\b[^.;?]{0,40}\b(?:tests?|specs?|checks?)\b|\b(?:tests?|specs?)\b[^.;?]{0,20}"
    r"\b(?:reparieren|beheben|grün)\b|\brepariere?\b[^.;?]{0,30}\btests?\b",
    re.IGNORECASE,
)
_RAN = "Ran "
_COMMITS = ("Committed", "Amended", "Pushed", "Merged ")
_RUN_IT = lazy_pattern(r"\b(?:re-?run|run|execute|try|start|do|lass|starte)\b", re.IGNORECASE)
_LEAST_NAMES, _NAMED_SHARE = 2, 0.6
_BEGUN, _BEGUN_SHARE, _FEW_WORDS = 3, 0.25, 5
"""Words of what was not begun that later work names when it is that: one less where it has few."""
_LEAST_NAME = 6
"""Letters of a command that is known again in a sentence."""
_BEGINNING = telling("start started begin begun build built run ran execute implemented port ported done there come")
"""They say what is to be done, and not to what."""
_ANY_THING = telling("thing things stuff topic story business")
"""They stand for any matter: "forget the iphone thing"."""
_DECLINED = lazy_pattern(r"(?:no+|nope|nah|nein|non)\b[,.! ]", re.IGNORECASE)
_NOT_TOLD = frozenset({"open", "question", "tried"})
_LONGEST = 1_200
_LONGEST_ORDER = 14
"""Words of a request that only asks to try again: "we don't retry bookings any more: …" tells something else."""
_IN_PIPELINES = frozenset({"test", "build", "lint", "types"})
_ALL_GREEN = lazy_pattern(
    r"(?:\A|[.;,:] |\band )(?:the )?(?:ci|pipeline|ci (?:run|build|job)|all (?:the )?(?:checks|jobs)"
    r"|(?P<suite>(?:whole |full )(?:test )?suite|all \d+ (?:tests|checks|specs))) (?:is|are|runs?|went|has|have)? ?"
    r"(?:all |now |again )?(?:green|passed|pass(?:es)?|succeed(?:s|ed)?|grün|vertes?|verde)\b",
    re.IGNORECASE,
)
_BRANCHES = lazy_pattern(
    r"(?P<into>\b(?:into|to|onto|in|nach|en|dans|sur) [`\"']?)?(?<![\w./-])(?P<name>[\w./-]{2,80})", re.IGNORECASE
)
"""A branch that something was merged into was not merged."""
_GOES_WELL = frozenset({"answer", "change", "check", "decision"})
_AGAIN = lazy_pattern(
    r"\b(?:(?:try|go|run|do|start|deploy|push|once|one more|give it)(?: it| that| this| the \w{1,20})?"
    r" (?:again|more|(?:an)?other (?:go|try))|again,? (?:pls|please)|nochmals?|noch ?mal|otra vez|de nuevo"
    r"|encore une fois|réessaie|(?:(?<=[,.;:] )|\A)(?:(?:please|pls|ok|now|and|then),? )?(?:retry|re-?run))\b",
    re.IGNORECASE,
)


class LaterWork:
    """What later work may settle threads by, worked out once, and only what is asked for."""

    def __init__(self, content: SummaryContent, context: str = "") -> None:
        self._content = content
        self._context = context
        self._kinds: dict[str, str] = {}
        self._reported = Reported(content.request, self._title)
        self._replies = Replies(content.request, (self._title, *content.said.splitlines()[:MOST_LINES]))
        self.files = frozenset(content.files) if content.outcome != "failed" else frozenset()
        self.is_tested = content.outcome == "passed"
        self.ran = [scope(run) for run in content.runs if run.outcome]
        passed = [run for run in content.runs if run.outcome == "passed"]
        self.passed = [scope(run) for run in passed]
        self.sending = [scope(run) for run in passed if run.kind in ("push", "deploy")]
        self.is_green = any(run.kind == "test" and not run.narrowed and set(run.paths) & {"", "="} for run in passed)

    @property
    def _title(self) -> str:
        """The outcome; '' when the title says only what was asked."""
        title = self._content.title
        return title if title.rstrip("…") not in self._content.request else ""

    @cached_property
    def _puts_off(self) -> bool:
        """Does the user only say whom they will ask, and was nothing done, by nobody?"""
        content = self._content
        return self._defers and not (content.files or content.runs or deeds_told(content.request))

    @cached_property
    def _defers(self) -> bool:
        return defers(self._content.request)

    @property
    def _has_worked(self) -> bool:
        return bool(self._content.files) or "Committed" in self._content.done

    @cached_property
    def request(self) -> list[frozenset[str]]:
        return [telling(self._content.request)]

    @cached_property
    def stated(self) -> list[frozenset[str]]:
        """The words of a request that tells what is the case; its questions tell nothing."""
        sentences = _SENTENCE.split(self._content.request)
        told = " ".join(
            each
            for each in sentences
            if not each.endswith(("?", "？")) and not came_to_nothing(each) and not NOT_SO.search(each)
        )
        return [telling(told)] if cues.STATED.search(told) else []

    @cached_property
    def _tells_of_an_end(self) -> bool:
        return cues.SETTLED.search(self._content.request) is not None

    @cached_property
    def _claimed(self) -> list[tuple[str, frozenset[str]]]:
        """What it says was done or found: the lines, and their words."""
        content = self._content
        lines = "\n".join((content.done, self._title, content.learned, content.said)).splitlines()
        said = [each for each in lines if each and not each.endswith(("?", "？"))][:MOST_LINES]
        if not self._has_worked:
            said = [each for each in said if cues.CHANGE.search(each) and not cues.DENIED.search(each)]
        return [(each, telling(each)) for each in dict.fromkeys(said) if self._kind(each) != "open"]

    def _kind(self, line: str) -> str:
        if line not in self._kinds:
            self._kinds[line] = classify(line).kind
        return self._kinds[line]

    @cached_property
    def claims(self) -> list[frozenset[str]]:
        return [words for _, words in self._claimed]

    @cached_property
    def done(self) -> list[frozenset[str]]:
        """The words of the claims that something was done, and not that it was left alone, or merely touched."""
        return [
            words for line, words in self._claimed if not line.startswith("Edited ") and not cues.DENIED.search(line)
        ]

    @cached_property
    def sent(self) -> list[frozenset[str]]:
        """The words of the claims that something reached those it was for."""
        return [words for line, words in self._claimed if cues.SHIPPED.search(line) and not cues.DENIED.search(line)]

    @cached_property
    def named(self) -> frozenset[str]:
        """All words of the claims: most threads share too few with any of them."""
        return frozenset().union(*self.claims)

    def answers(self, thread: Waiting) -> int:
        """How many of its words the user names who tells what somebody said whom it waits for; 0 for no answer."""
        return self._reported.answers(thread) if thread.kind != "fails" else 0

    def settles(self, thread: Waiting, *, same_talk: bool) -> bool:
        """`same_talk`: both are turns of one conversation."""
        is_put_off = thread.kind != "fails" and self._puts_off
        return (not is_put_off and self.answers(thread) > 0) or self.does_it(thread, same_talk=same_talk)

    def does_it(self, thread: Waiting, *, same_talk: bool) -> bool:
        """Is it settled by more than the word of somebody whom it waits for?"""
        if thread.kind != "fails" and self._puts_off:
            return False
        if thread.kind != "asked" and self._tells_it_was_done(thread):
            return True
        if thread.kind == "left" and (self._has_begun(thread) or self._has_run(thread) or self._has_mended(thread)):
            return True
        if thread.kind != "fails" and self._tells_nobody_wants(thread):
            return True
        if thread.kind == "left" and (self._tells_of_its_names(thread) or self._has_merged(thread)):
            return True
        if thread.is_uncommitted and self._has_committed(thread, same_talk=same_talk):
            return True
        if thread.kind != "fails" and self._reported.settles(thread):
            return True
        match thread.kind:
            case "fails":  # also by a run that failed: then that one is the newer thread
                return (
                    any(covers(run, each) for run in self.ran for each in thread.failed)
                    or any(is_whole_of(run, each) for run in self.passed for each in thread.failed)
                    or self._says_it_works(thread)
                    or self._says_all_green(thread)
                )
            case "asked":
                return (same_talk and not self._defers) or self._has_answered(thread)
            case "left" if thread.is_unshipped:
                return self._was_sent(thread) or self._tells_it_arrived(thread) or self._passed_now(thread)
            case "left" if thread.is_undeployed:
                sent = self._was_sent(thread, deployed=True) or self._passed_now(thread)
                return sent or self._tells_it_arrived(thread) or self._has_done(thread)
            case "left":
                is_green = thread.is_red and (
                    self.is_green or self._says_all_pass(thread) or self._was_told_to_mend(thread)
                )
                has_done = self._has_done(thread) or self._did_as_asked(thread)
                return has_done or is_green or self._passed_now(thread) or self._has_documented(thread)

    def _has_merged(self, thread: Waiting) -> bool:
        """Was the branch merged on which it waits to be merged, in whatever language it says so?"""
        if not thread.is_unmerged:
            return False
        if thread.branch in TRUNKS:  # a merge moved the work there
            return "Merged " in self._content.done
        lines = (self._title, *self._content.done.splitlines(), *self._content.said.splitlines()[:MOST_LINES])
        return any(
            MERGED.search(line)
            and thread.branch in [each["name"].rstrip(".") for each in _BRANCHES.finditer(line) if not each["into"]]
            and not (cues.DENIED.search(line) or NOT_SO.search(line) or line.endswith(("?", "？")))
            for line in lines
            if thread.branch and line
        )

    def _has_committed(self, thread: Waiting, *, same_talk: bool) -> bool:
        """Was anything committed in that conversation, or in a later one a file of that work?"""
        if not any(line.startswith(_COMMITS) for line in self._content.done.splitlines()):
            return False
        return same_talk or not thread.written.isdisjoint(posixpath.basename(path) for path in self.files)

    def _says_it_works(self, thread: Waiting) -> bool:
        """Does anybody say that what was told to fail works again, whatever command showed it?"""
        if not thread.told_failure or self._content.outcome == "failed":
            return False
        said = (self._title, *self._content.said.splitlines()[:MOST_LINES], self._content.request)
        lines = (line for line in dict.fromkeys(said) if line and may_say_a_state(line))
        return any(other_state(line, thread.told_failure, only_turned=True) for line in lines)

    def _says_all_green(self, thread: Waiting) -> bool:
        """Does it say that the pipeline, or all that is tested, passes? The pipeline runs every check of its branch."""
        content = self._content
        if content.outcome == "failed" or content.branch not in ("", thread.branch):
            return False
        if any(run.kind not in _IN_PIPELINES for run in thread.failed) or not thread.failed:
            return False
        said = (self._title, *content.said.splitlines()[:MOST_LINES], *_SENTENCE.split(content.request[:_LONGEST]))
        told = (line for line in said if not NOT_SO.search(line) and not line.endswith(("?", "？")))
        # Whoever ran one suite speaks of that one.
        ran_others = any(
            run.kind in _IN_PIPELINES and all(run.tool != each.tool for each in thread.failed) for run in self.ran
        )
        return any((found := _ALL_GREEN.search(line)) and not (ran_others and found["suite"]) for line in told)

    def _has_documented(self, thread: Waiting) -> bool:
        """Was a text written about what nobody had described yet? It tells that in other words."""
        if not thread.is_undocumented or not any(path.endswith(PROSE) for path in self.files):
            return False
        about = telling("\n".join((self._content.request, self._title, self._content.learned)))
        return len((thread.led_by | thread.telling) & about - general_terms()) >= _LEAST_NAMES

    def _has_begun(self, thread: Waiting) -> bool:
        """Was what nobody had begun asked for, and was something written for it?"""
        subject = thread.subject - _BEGINNING
        if not (thread.is_unstarted and self.files):
            return False
        if subject and any(subject <= words for words in (*self.request, telling(self._title))):
            return True
        told = telling("\n".join((self._context, self._content.request, self._title, self._content.learned)))
        shared = thread.told_with & (told | telling(" ".join(self._content.files)))
        least = _BEGUN if len(thread.told_with) > _FEW_WORDS else _BEGUN - 1
        return len(shared) >= max(least, _BEGUN_SHARE * len(thread.told_with))

    def _has_mended(self, thread: Waiting) -> bool:
        """Was code changed of which earlier work only found what is wrong with it? The change is known by the names of
        that code and by what the work was about: "not fixed yet" has no words of its own."""
        content = self._content
        if not thread.is_unfixed or not content.files or content.outcome == "failed":
            return False
        if any(files.is_one_of(self.files) for files in thread.files):
            return True
        ours = self._code & thread.code
        stems = frozenset(posixpath.basename(path).partition(".")[0].lower() for path in content.files)
        about = telling("\n".join((self._context, content.request, self._title))) & thread.matter
        return len(ours) >= _LEAST_NAMES and bool(stems & thread.code) and len(about) >= _LEAST_NAMES

    @cached_property
    def _code(self) -> frozenset[str]:
        content = self._content
        return code_names("\n".join((self._title, content.learned, content.said, *content.files)))

    def _has_run(self, thread: Waiting) -> bool:
        """Was what nobody had run asked to be run, or did a command name its file, and is nothing said to fail?"""
        content = self._content
        if thread.is_unrun and any(name in thread.squeezed for name in self._ran_well):
            return True
        if not thread.is_unrun or content.outcome == "failed" or not (content.runs or _RAN in content.investigated):
            return False
        told = f"{content.investigated}\n{' '.join(run.title for run in content.runs)}"
        ran = (word for line in told.splitlines() if line.startswith(_RAN) for word in line.split())
        if any(word.rpartition("/")[2].rstrip(":;,") in thread.written for word in ran):
            return True
        subject = thread.subject - _BEGINNING
        return bool(subject) and _RUN_IT.search(content.request) is not None and any(map(subject.__le__, self.request))

    @cached_property
    def _ran_well(self) -> list[str]:
        """The names of the commands that passed, in letters alone."""
        tools = [run.tool.rpartition(".")[0] or run.tool for run in self._content.runs if run.outcome == "passed"]
        names = ("".join(filter(str.isalnum, tool.lower())) for tool in tools)
        return [name for name in names if len(name) >= _LEAST_NAME]

    def _says_all_pass(self, thread: Waiting) -> bool:
        """Does the agent say that both, or all, of the tests pass, and speak of these?"""
        said = [line for line in (self._title, *self._content.said.splitlines()[:MOST_LINES]) if ALL_PASS.search(line)]
        about = [*self.request, *(telling(line) for line in said)]
        return any(self._kind(line) not in _NOT_TOLD for line in said) and any(thread.telling & each for each in about)

    def _was_told_to_mend(self, thread: Waiting) -> bool:
        """Was the agent to mend these tests, did it write something, and is nothing said to fail?"""
        content = self._content
        if not content.files or content.outcome == "failed" or content.left_open or not _MENDS.search(content.request):
            return False
        return any(thread.telling & each for each in self.request)

    def _was_sent(self, thread: Waiting, *, deployed: bool = False) -> bool:
        """Did anything go out? The same script for another target is something else."""
        sent = [each for each in self.sending if not deployed or each.kind == "deploy"]
        others = [each for each in sent if not any(_is_other_target(each, old) for old in thread.broke)]
        return any(not _is_elsewhere(each, thread) for each in others)

    def _tells_it_was_done(self, thread: Waiting) -> bool:
        """Does the user, or the agent, say that somebody did what the thread waits for?"""
        if self._reported.did_it(thread):
            return True
        if not thread.needs:
            return False
        labels = thread.labels
        about = (thread.telling, thread.led_by) if thread.has_lead else (thread.telling,)
        if any(was_done(deed, thread.needs, words, labels=labels) for deed in self.user_did for words in about):
            return True
        same = [deed for deed in self.user_did if deed.kinds & thread.needs]
        if any(was_done(deed, thread.needs, thread.matter, labels=labels) for deed in same):
            return True  # "Ana merged the PR of the 429s": the session that left it was about them
        if thread.files:
            return False
        told = [
            deed
            for deed in self.agent_did
            if deed.kinds & thread.needs and (not thread.crux or thread.crux & deed.words)
        ]
        if not told:
            return False
        asked = frozenset[str]().union(*(thread.telling & words for words in self.request))
        least = min(max(2, (len(thread.telling) + 2) // 3), len(thread.subject))
        known = (replace(deed, words=deed.words | asked) for deed in told)
        return any(was_done(deed, thread.needs, thread.telling, least, labels) for deed in known)

    @cached_property
    def words(self) -> frozenset[str]:
        """All that it says, to see at once that it is about something else."""
        content = self._content
        return telling("\n".join((content.request, content.title, content.learned, content.done))[:_LONGEST])

    def _tells_of_its_names(self, thread: Waiting) -> bool:
        """Does a sentence say that something is settled, and name most of whom and what the thread names?"""
        least = max(_LEAST_NAMES, _NAMED_SHARE * len(thread.names))
        if len(thread.names) < least:
            return False
        told = (self._content.request, self._title, *self._content.said.splitlines()[:MOST_LINES])
        for line in dict.fromkeys(told):
            if line.endswith(("?", "？")) or not DONE.search(line) or NOT_SO.search(line):
                continue
            if len(thread.names & telling(line)) >= least and self._kind(line) not in _NOT_TOLD:
                return True
        return False

    def _tells_nobody_wants(self, thread: Waiting) -> bool:
        """Does the user say that it is not wanted, or not now?"""
        for words in refused(self._content.request):
            about = words - COMMON - _ANY_THING
            shared = len(about & thread.spoken)
            if (
                shared
                and 2 * shared >= len(about)
                and (shared > 1 or shared == len(about) or 2 * shared >= len(thread.telling))
            ):
                return True
        return False

    def answers_beside(self, thread: Waiting) -> bool:
        """Does the user who answered a question name anything of another that was asked with it?"""
        return thread.kind == "asked" and self._replies.names_some(thread)

    def may_answer(self, thread: Waiting) -> bool:
        """Does the user say yes, no, or not now, without a word of what, and was something asked or offered?"""
        return thread.kind == "asked" and answers(self._content.request)

    def may_have_done(self, thread: Waiting) -> bool:
        """Does the user say that something was done, without a word of what, and does the thread wait for such?"""
        return thread.kind != "asked" and any(names_nothing(deed, thread.needs) for deed in self.user_did)

    @cached_property
    def is_retry(self) -> bool:
        """Was something to be tried again, and did it go well? "try again" does not say what."""
        content = self._content
        if content.left_open or content.outcome == "failed" or len(content.request.split()) > _LONGEST_ORDER:
            return False
        told = _AGAIN.search(content.request) is not None and not NOT_SO.search(content.request)
        return told and any(self._kind(line) in _GOES_WELL for line in content.said.splitlines()[:MOST_LINES])

    @cached_property
    def things(self) -> frozenset[str]:
        """What the user names as done: a pull request, a ticket."""
        return things_of(self._content.request)

    @cached_property
    def user_did(self) -> tuple[ToldDeed, ...]:
        return tuple(map(_bare, (*all_deeds(self._content.request), *self._replies.given)))

    @cached_property
    def agent_did(self) -> tuple[ToldDeed, ...]:
        lines = dict.fromkeys((self._title, *self._content.said.splitlines()[:MOST_LINES]))
        return tuple(
            _bare(deed) for line in lines for deed in all_deeds(line, figures=True) if self._kind(line) not in _NOT_TOLD
        )

    def _has_answered(self, thread: Waiting) -> bool:
        """Was it decided in another conversation: by a request that names it, or by work that did it?"""
        if any(are_named(words, self.request, least=2) for words in (thread.telling, thread.question) if words):
            return True
        if self._replies.answers(thread, self.agent_did):
            return True
        if cues.AGREED.match(self._content.request) or _DECLINED.match(self._content.request):
            named = (are_one(ours, theirs) for words in self.request for ours in words for theirs in thread.telling)
            if any(named):
                return True
        return self._has_worked and are_named(thread.telling, self.done, least=2)

    def _tells_it_arrived(self, thread: Waiting) -> bool:
        """Do the agent's words, or the user's, say that it reached those it was for?"""
        stated = self._stated_of(thread)
        if are_named(thread.telling, [*stated, *self.sent], least=3):
            return True
        if any(self._is_of(thread, words) for words in self.sent):
            return True
        if not stated or not (self._tells_of_an_end or cues.SHIPPED.search(self._content.request)):
            return False
        return bool(self.things & thread.things) or any(self._is_of(thread, words) for words in stated)

    def _is_of(self, thread: Waiting, words: frozenset[str]) -> bool:
        """Are words that say that something went out about this thread: do they, or the request, name what it is about,
        or nothing else? Deployed docs are not the release that waits."""
        subject = thread.telling - SHIPPING - general_terms()
        named = words - SHIPPING - general_terms()
        if subject & words or (self.sent and any(subject & each for each in self.request)):
            return True
        return bool(words & SHIPPING) and named <= thread.telling

    def _stated_of(self, thread: Waiting) -> list[frozenset[str]]:
        """What the user states, unless that is a deed of the kind that it waits for: that was compared by what it was
        done to."""
        is_deed = any(deed.kinds & (thread.needs | {ANY}) for deed in self.user_did)
        return [] if thread.needs and is_deed else self.stated

    def _passed_now(self, thread: Waiting) -> bool:
        """Did every command that failed then go well?"""
        return bool(thread.broke) and all(any(covers(run, old) for run in self.passed) for old in thread.broke)

    def _has_done(self, thread: Waiting) -> bool:
        """Do later words say that it was done, or was a file that it names written?"""
        if thread.files:
            return any(self._has_written(thread, each) for each in thread.files)
        stated = self._stated_of(thread)
        if stated and self._tells_of_an_end and any(len(thread.telling & each) > 1 for each in stated):
            return True
        if are_named(thread.telling, stated, least=3):
            return True
        if stated and any(are_named(clause, stated, least=3) for clause in thread.clauses):
            return True
        if thread.is_for_others or not are_named(thread.telling, [self.named], least=2):
            return False
        return any(self._is_about(thread, each) for each in naming(thread.telling, self.claims, least=2))

    def _did_as_asked(self, thread: Waiting) -> bool:
        """Did the user ask for it in a few words, and does the agent name it in others? "sign them with hmac" and
        "Every webhook carries `X-Signature`" name it together. Both must speak of it, and something was written."""
        content = self._content
        if not content.files or content.outcome == "failed" or thread.files or thread.is_only_for_others:
            return False
        core, [request] = thread.core, self.request
        asked, told = found(core, request), found(core, self.named)
        named = asked | told
        if not told or len(named) < max(_NAMED_SHARE * len(core), min(2, len(core))) or named <= general_terms():
            return False
        is_told = thread.is_told_by(request | self.named)
        return is_told and bool(asked or found(thread.told_with | thread.telling, request))

    def _is_about(self, thread: Waiting, claim: frozenset[str]) -> bool:
        """Does a claim that names much of a thread speak of what waits, and of what is to be done with it?"""
        if thread.crux and not thread.crux & claim:
            return False
        is_most = len(thread.telling & claim) >= _NEARLY_ALL * len(thread.telling)
        return is_most or not thread.verbs or bool(thread.verbs & claim)

    def _has_written(self, thread: Waiting, file: NamedFile) -> bool:
        """Was this file written, as the thread wants it? A change of code counts when it was tested, or when it is
        told with the thread's own words."""
        if file.is_one_of(self.files) and (
            thread.is_unwritten or file.is_prose or self.is_tested or self.named & thread.rest
        ):
            return True
        said = [*self.done, *self.stated]
        return any(file.stem <= each and (file.is_named_in(each) or _most_of(thread.rest, each)) for each in said)


def _bare(deed: ToldDeed) -> ToldDeed:
    """A deed without words that any thread has."""
    return replace(deed, words=deed.words - COMMON, near=deed.near - COMMON, clause=deed.clause - COMMON)


def _is_elsewhere(sent: Scope, thread: Waiting) -> bool:
    """Was it sent to another kind of place than the thread names? What waits for production does not end on staging."""
    where = frozenset(terms(sent.narrowed))
    named = [at for at, words in enumerate(PLACES) if words & thread.telling]
    return len(named) == 1 and bool(where & PLACES[1 - named[0]]) and not where & PLACES[named[0]]


def _is_other_target(sent: Scope, broken: Scope) -> bool:
    return sent.tool == broken.tool and sent.kind == broken.kind and sent.narrowed not in ("", broken.narrowed)


@lru_cache(maxsize=1_024)
def work_of(content: SummaryContent, context: str = "") -> LaterWork:
    """Later work is asked about many threads, at every prompt. `context` is what was asked before, in the same
    conversation: "the second" does not say of what."""
    return LaterWork(content, context)


def _most_of(wanted: frozenset[str], said: frozenset[str]) -> bool:
    return bool(wanted) and len(wanted & said) * 2 >= len(wanted)
