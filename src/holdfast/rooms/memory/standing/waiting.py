"""What an open thread waits for, and what later work is compared with, worked out once (MEM-18). Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from holdfast.events.subjects import ABOUT
from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.openness import leaves_open
from holdfast.prose.roles import without_open_label
from holdfast.prose.updates.deeds import BY_OTHERS
from holdfast.prose.updates.settled import are_one, deeds_needed, labels_of, needs_words, things_of
from holdfast.prose.updates.states import is_down
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.model import RecordedRun, SummaryContent
from holdfast.rooms.memory.rules import files_named
from holdfast.rooms.memory.standing.thread import (
    BY_USER,
    COMMON,
    MOST_LINES,
    SAYING,
    STILL_FAILS,
    Thread,
    failing,
    is_blocked,
    pressing,
    scope,
    telling,
    tells_of_failure,
)
from holdfast.rooms.memory.standing.unfixed import UNFIXED
from holdfast.rooms.memory.standing.worth import FAILED
from holdfast.shell.scope import Scope

_LONGEST_MATTER = 1_000
_LONGEST_CODE = 3_000
_UNWRITTEN = re.compile(
    r"\b(?:to be (?:written|added|created|documented)|(?:is|are|still) missing|not (?:yet )?(?:written|there|created)"
    r"|does(?: not|n't) exist|(?:still|must|should|needs? to) (?:be )?(?:written|created|added))\b",
    re.IGNORECASE,
)
"""A file that is not there yet: whoever writes it settles that."""
_FAILS_WHERE = lazy_pattern(
    r"\b(?:for|of|on|in|from|with|under|at) (?P<which>[^.;:,]{2,60}?) (?:is|are|has|have|was|were)(?: still| not"
    r"|n't)\b"
    r"|\b(?:fails?|failing|breaks?|crash(?:es)?|hangs?|wrong|broken)(?: \w{1,20})?? (?:for|on|when|if|with|in"
    r"|at) (?P<where>[^.;]+)",
    re.IGNORECASE,
)
_CLAUSE = lazy_pattern(r"[.;,] ")
_UNSTARTED = lazy_pattern(
    r"(?:\b(?:not|never|nicht|nothing)|n't)\b(?: \w{1,20}){0,2}? (?:started|begun|built|implemented|ported"
    r"|angefangen|begonnen)\b"
    r"|\bnot there yet\b|\bstill to come\b|\bcomes next\b",
    re.IGNORECASE,
)
_UNDOCUMENTED = lazy_pattern(
    r"\b(?:manual|docs?|documentation|read ?me|handbook|guide|wiki|changelog|help|release notes|doku|handbuch"
    r"|manuel|manual"
    r"|documentación)\b[^.;]{0,60}(?:\b(?:not|missing|lacks?|still|nothing|no|outdated|fehlt|nicht|noch|pas|manque"
    r"|falta)\b"
    r"|n't\b)|\b(?:not|never|un)-? ?(?:yet )?(?:been )?(?:documented|described|mentioned in the)\b",
    re.IGNORECASE,
)
_UNRUN = lazy_pattern(
    r"\b(?:has|have|had|was|were|did|is|are)(?: not|n't| never)(?: yet)?(?: been)? (?:run|executed|tried)\b"
    r"(?![^.;]{0,60}\b(?:in|on|under|against|with|for|as|live|prod|production|staging)\b)|\bnever (?:been )?run\b"
    r"(?![^.;]{0,60}\b(?:in|on|under|against|with|for|as)\b)",
    re.IGNORECASE,
)
_CODE_PART = lazy_pattern(r"[A-Za-z]\w{2,40}")
_NOT_RUN = lazy_pattern(r"\b(?:not|never|n't|nobody has) (?:yet )?(?:been )?(?:run|ran)\b", re.IGNORECASE)
_ENDS = lazy_pattern(r"(?<=[.!]) ")
_JOINT = lazy_pattern(r"[^\w]+|_+")
_HUMP = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_LEAST_OF_A_CLAUSE = 3
_NAME = lazy_pattern(
    r"`[^`]{2,60}`|(?<![.!?:] )(?<!\A)\b[A-ZÀ-Þ][a-zà-ÿ]{2,30}\b|\b[A-Z][\w-]{0,20}\d[\w-]{0,20}\b|\b[A-Z]{2,12}\b"
)
_MIXED = lazy_pattern(r"\b[a-z]{1,12}[A-Z]|\b[A-Z][a-z]{1,12}[A-Z]")
_WORD = lazy_pattern(r"\w{3,20}")
_PERSON = lazy_pattern(r"(?<![`\w./-])[A-ZÀ-Þ][a-zà-ÿ]{1,19}(?=['’]s\b|[^\w`(./-]|\.?(?:\s|\Z))")
SHIPPING = frozenset(
    terms(
        "push merge branch pr pull request deploy release publish ship upload rollout version import load staging live"
    )
)
PROSE = (".md", ".rst", ".txt", ".adoc", ".html", ".org")


MERGED = lazy_pattern(
    r"(?<!\bbe )\b(?:merged|zusammengeführt|gemerge?d?t?|mezclad[oa]s?|mergead[oa]s?|fusionn?(?:ée?s?|ad[oa]s?))\b",
    re.IGNORECASE,
)
_UNMERGED = lazy_pattern(
    r"(?:(?:it|this|that|the branch|everything|all of it|es|das) )?(?:(?:is|was|has)(?: not|n['’]t)(?: been)?|not"
    r"|still un|un|nicht|noch nicht|sin|no (?:está|esta)|todavía sin|pas(?: encore)?)[ -]?(?:yet )?(?:merged?"
    r"|zusammengeführt|gemerged?t?|mezclad[oa]|mergead[oa]|mezclar|fusionn?é?e?)\b",
    re.IGNORECASE,
)
LABEL = lazy_pattern(r"(?P<label>[\w'’ -]{2,28}?)(?::|[ \t][—–-])[ \t]+(?=\S)")
_UNCOMMITTED = lazy_pattern(
    r"\buncommitted\b"
    r"|(?:\b(?:not|nothing|none|never|nicht|nichts|pas|rien|niet|niets|não|no (?:está|están|he|hemos|ha)|sin)\b"
    r"|n['’]t\b) (?:(?:yet|been|is|was|has|have|of|it|this|that|them|noch|aún|todavía|encore|nog|ainda|foi) ){0,4}"
    r"(?:committed|eingecheckt|committet|commitead[oa]s?|commitée?s?|gecommit)\b"
    r"|\b(?:I|we) (?:did not|didn['’]t) commit"
    r"(?=[.,;:]|\Z| (?:it|this|that|them|anything|any of|yet|so|because|since)\b)"
    r"|\A(?:(?:aún|todavía|sigue) )?sin commit(?=[.,;:]|\Z| (?:aún|todavía)\b)",
    re.IGNORECASE,
)
"""Participles only: what a commit hook or a commit message does is something else."""
_REASON = lazy_pattern(
    r",? \b(?:because|since|as (?:it|they|the|we|i)|so that|weil|denn|da|car|parce que|porque|perché) .*",
    re.IGNORECASE | re.DOTALL,
)
UNTIL = lazy_pattern(
    r"\b(?:until|till|unless|once|as soon as|before|bis|sobald|bevor|hasta que|antes de que|en cuanto|dès que|avant que"
    r"|jusqu'à ce que) (?P<what>[^.;,:()“”]{3,90})",
    re.IGNORECASE,
)
"""What something waits for; in "Ana must sign it before we merge" it waits for what stands before."""
_BEFORE = lazy_pattern(r"(?:before|bevor|antes|avant)\b", re.IGNORECASE)
_DENIES = lazy_pattern(
    r"\b(?:no|not|nothing|none|nobody|never|nicht|nichts|kein\w*|nada|ningun\w*|sin|pas|rien)\b|n['’]?t\b",
    re.IGNORECASE,
)
_JOINED = lazy_pattern(r"(?<=\d)(?=[a-z])", re.IGNORECASE)
_LEAST_OF_A_CONDITION = 2
_WEAK_VERBS = frozenset(terms("go come be have get do let put take keep make live stay happen"))
"""Who did it says it otherwise: "they should go to Redis", "they are kept in Redis"."""


class Waiting:
    """A thread, with what its line is compared by."""

    def __init__(self, thread: Thread, content: SummaryContent) -> None:
        self.kind = thread.kind
        line = _without_lead(thread.line.partition(ABOUT)[0], content.title) if thread.kind == "left" else thread.line
        bare = telling(line.partition(ABOUT)[0])
        self.telling = bare if len(bare) > 1 else telling(thread.line.replace(ABOUT, " "))
        self._line = line if thread.kind == "left" else ""
        self._whole, self._content = thread.line, content
        self.has_lead = thread.kind == "left" and line != thread.line.partition(ABOUT)[0]
        self.files = [NamedFile(path) for path in files_named(line)] if self.kind == "left" else []
        self.rest = telling(_without(line, self.files)) if self.files else frozenset()
        self.is_unwritten = bool(self.files) and _UNWRITTEN.search(line) is not None
        self.is_unshipped = cues.UNSHIPPED.search(thread.line) is not None
        is_unrun = bool(self.files) and _NOT_RUN.search(line) is not None  # a deploy runs no script that it names
        self.is_undeployed = cues.UNDEPLOYED.search(line) is not None and not is_unrun
        self.is_undocumented = _UNDOCUMENTED.search(line) is not None
        self.is_red = cues.STILL_RED.search(thread.line) is not None
        self.broke = _broken(line, content) if self.kind == "left" else []
        failed = [run for run in content.runs if thread.line.startswith(f"{STILL_FAILS}{run.title}")]
        if self.kind == "fails" and not failed:
            failed = [_by_title(thread.line.removeprefix(STILL_FAILS))]
        self.failed = [scope(run) for run in failed] if self.kind == "fails" else []

    @cached_property
    def conditions(self) -> list[frozenset[str]]:
        """The words of what it waits for: of "until staging has been quiet for 24 h"."""
        text = self._whole.partition(ABOUT)[0][:_LONGEST_MATTER]
        told = [
            condition_words(each["what"])
            for each in UNTIL.finditer(text)
            if not _BEFORE.match(each[0]) or _DENIES.search(text[: each.start()])
        ]
        return [words for words in told if len(words) >= _LEAST_OF_A_CONDITION]

    @property
    def branch(self) -> str:
        return self._content.branch

    @cached_property
    def is_unmerged(self) -> bool:
        """Does it begin with that the work is not merged?"""
        return self.kind == "left" and _UNMERGED.match(self._whole) is not None

    @cached_property
    def is_uncommitted(self) -> bool:
        """Does it say that the work is not committed? Whoever commits it ends that, and says no word of it."""
        return self.kind == "left" and _UNCOMMITTED.search(self._line) is not None

    @property
    def has_worked(self) -> bool:
        return bool(self._content.files)

    @cached_property
    def told_failure(self) -> str:
        """The agent's words about the run that fails; '' when there are none, or when nobody can tell which of several
        they are about."""
        content = self._content
        if (words := self._whole.partition(SAYING)[2]) or len(failing(content)) != 1:
            return words
        said = (content.title, *content.said.splitlines()[:MOST_LINES])
        told = (each for each in said if not each.endswith(FAILED) and (tells_of_failure(each) or is_down(each)))
        return next(told, "")

    @cached_property
    def clauses(self) -> list[frozenset[str]]:
        return _clauses(self._line)

    @cached_property
    def matter(self) -> frozenset[str]:
        """What the work was about that left it, without words that any work has."""
        content = self._content
        told = "\n".join((content.title, content.request, content.learned))[:_LONGEST_MATTER]
        return (self.telling | telling(told)) - general_terms()

    @cached_property
    def needs(self) -> frozenset[str]:
        """The kinds of deeds that it waits for."""
        return deeds_needed(self._whole.partition(ABOUT)[0]) or deeds_needed(self._whole)

    @cached_property
    def labels(self) -> frozenset[tuple[str, str]]:
        return labels_of(self._whole)

    @cached_property
    def crux(self) -> frozenset[str]:
        """Where or when it fails, or which part of something waits: who speaks of the rest has not done that."""
        found = _FAILS_WHERE.search(self._line)
        return telling(found["where"] or found["which"]) if found else frozenset()

    @cached_property
    def is_for_others(self) -> bool:
        """Does it wait for deeds that no change of code does?"""
        return _are_for_others(self.needs)

    @cached_property
    def is_only_for_others(self) -> bool:
        """The same, whatever its reason tells: "not in cron yet, because I don't know who should run it"."""
        is_whole = self._bare_line == self._line
        return self.is_for_others if is_whole else _are_for_others(deeds_needed(self._bare_line.partition(ABOUT)[0]))

    @cached_property
    def words(self) -> frozenset[str]:
        return self.spoken | self.led_by if self.has_lead else self.spoken

    @cached_property
    def led_by(self) -> frozenset[str]:
        """The words of the sentences that say what it is about."""
        return telling(self._whole.replace(ABOUT, " "))

    @cached_property
    def people(self) -> frozenset[str]:
        """Names in it, in small letters, that may be those of people: whoever the user names is written as users
        write."""
        if self._whole.startswith(BY_USER):
            return frozenset(_WORD.findall(self._whole.removeprefix(BY_USER).lower())) - COMMON
        found = (each[0].lower() for each in _PERSON.finditer(self._whole.partition(ABOUT)[0][:_LONGEST_MATTER]))
        return frozenset(found) - COMMON

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Its words, also as users write them: "iphone" is what an agent calls an iPhone."""
        words = self._whole.partition(ABOUT)[0]
        return self.telling | telling(words.lower()) if _MIXED.search(words) else self.telling

    @cached_property
    def is_awaited(self) -> bool:
        """Must somebody who is named act, or say something?"""
        return self.kind == "left" and not self._whole.startswith(BY_USER) and pressing(Thread(self._line, "left")) == 0

    @cached_property
    def question(self) -> frozenset[str]:
        """What was asked, without the sentences that lead to it; empty when none does."""
        _, *rest = _ENDS.split(self._whole.partition(ABOUT)[0])
        return telling(rest[-1]) if rest else frozenset()

    @cached_property
    def asks(self) -> str:
        """The question alone, as it was asked."""
        return _ENDS.split(self._whole.partition(ABOUT)[0])[-1]

    @cached_property
    def _identifiers(self) -> list[tuple[str, frozenset[str]]]:
        """Names of code, whole and in parts: `SMTP_PASSWORD` is what a user calls the smtp password."""
        found = (each[0].strip("`()") for each in cues.IDENTIFIER.finditer(self._whole[:_LONGEST_MATTER]))
        parts = [[part for each in _JOINT.split(name) for part in _HUMP.split(each) if part] for name in found]
        known = [("_".join(terms(" ".join(each))), telling(" ".join(each))) for each in parts if each]
        return [(whole, words) for whole, words in known if words - general_terms()]

    def is_named_by(self, words: frozenset[str]) -> bool:
        """Do words name something by its name in the code, whole or in all its parts?"""
        return any(whole in words or (len(parts) > 1 and parts <= words) for whole, parts in self._identifiers)

    @cached_property
    def core(self) -> frozenset[str]:
        """What it says without its reason: whoever did it need not name that."""
        is_cut = _REASON.search(self._line) is not None
        words = telling(self._bare_line.partition(ABOUT)[0]) if is_cut else self.telling
        return frozenset(word for word in words if not word.replace("_", "").isdigit())

    @cached_property
    def _bare_line(self) -> str:
        return _REASON.sub("", without_open_label(self._line))

    def is_told_by(self, words: frozenset[str]) -> bool:
        """Do words name which part of something waits, what is to be done with it, and each thing of code?"""
        parts = (parts for _, parts in self._identifiers if len(parts) > 1)
        needed = (each for each in (self.crux, self.verbs) if each)
        return all(found(each, words) for each in needed) and all(each <= words for each in parts)

    @cached_property
    def verbs(self) -> frozenset[str]:
        """What is to be done, where that is of no known kind: "has not been proofread"."""
        named = all(kind[0] == "=" for kind in self.needs)
        whole = (kind[1:] for kind in self.needs if kind[-1] != "-")  # "limiter" is French for somebody else
        return frozenset(whole) - _WEAK_VERBS if named else frozenset()

    @cached_property
    def is_unstarted(self) -> bool:
        return _UNSTARTED.search(self._line) is not None

    @cached_property
    def is_unfixed(self) -> bool:
        """Was a cause found, and nothing done about it?"""
        return self.kind == "left" and UNFIXED.search(self._whole[:_LONGEST_MATTER]) is not None

    @cached_property
    def code(self) -> frozenset[str]:
        """The names of code that the work speaks of that left it."""
        content = self._content
        return code_names("\n".join((content.title, content.learned, content.said, content.left_open)))

    @cached_property
    def is_unrun(self) -> bool:
        """Was something never run, wherever? What was not run in production waits for that."""
        return _UNRUN.search(self._line) is not None and not self.crux

    @cached_property
    def written(self) -> frozenset[str]:
        """The files of the work that left it, by their names."""
        return frozenset(posixpath.basename(path) for path in self._content.files)

    @cached_property
    def subject(self) -> frozenset[str]:
        """What is to be done something to."""
        return (self.telling - needs_words(self._whole)) or self.telling

    @cached_property
    def is_blocked(self) -> bool:
        """Does it tell what stood in the way of something that was tried?"""
        return bool(self.failed) or self.is_unshipped or self.is_undeployed or is_blocked(self._line)

    @cached_property
    def told_with(self) -> frozenset[str]:
        """What it is about, where its own words do not say that."""
        bare, _, subject = self._whole.partition(ABOUT)
        return telling(subject or bare.removesuffix(self._line)) - general_terms()

    @cached_property
    def squeezed(self) -> str:
        """Its letters alone: the "load test" is what `loadtest.sh` runs."""
        return "".join(filter(str.isalnum, self._whole.partition(ABOUT)[0].lower()))

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of people, places, systems and code: few other sentences of a project have several of them."""
        found = (each[0] for each in _NAME.finditer(self._whole[:_LONGEST_MATTER]))
        return frozenset(word for each in found for word in telling(each)) - general_terms()

    @cached_property
    def things(self) -> frozenset[str]:
        """What work is handed on in that it names: a pull request, a ticket."""
        return things_of(self._whole)


def _are_for_others(needs: frozenset[str]) -> bool:
    known = {kind for kind in needs if not kind.startswith("=")}
    return bool(known) and known <= BY_OTHERS


@lru_cache(maxsize=2_048)
def _without_lead(line: str, title: str) -> str:
    """A line without the sentences before the first that leaves something open: they say what that is about."""
    parts = _ENDS.split(line)
    if len(parts) == 1:
        return line
    is_led = parts[0].rstrip(".!") in title  # and a label said that the rest is open
    first = next((at for at, part in enumerate(parts) if leaves_open(part)), int(is_led))
    return " ".join(parts[first:])


@lru_cache(maxsize=2_048)
def waiting_for(thread: Thread, content: SummaryContent) -> Waiting:
    """The same threads are held against later work at every prompt."""
    return Waiting(thread, content)


def _broken(line: str, content: SummaryContent) -> list[Scope]:
    """The runs whose failure a line is about: it lives as long as they fail. What is not out waits for those that
    ship."""
    failed = failing(content)
    if not failed or not (tells_of_failure(line) or _names_run(line, failed)):
        return []
    ships = [run for run in failed if run.kind in ("push", "deploy")]
    is_sent = cues.UNSHIPPED.search(line) or cues.UNDEPLOYED.search(line) or telling(line) & SHIPPING
    return [scope(run) for run in (ships if ships and (is_sent or len(ships) == len(failed)) else failed)]


def _names_run(line: str, failed: Sequence[RecordedRun]) -> bool:
    """Does it name what a deploy was for: the "eu" of `./rollout.sh eu`?"""
    said = telling(line)
    return any(said & telling(run.narrowed) for run in failed if run.kind == "deploy")


def condition_words(text: str) -> frozenset[str]:
    """The words of what must be so; "24h" is 24 h."""
    return telling(_JOINED.sub(" ", text))


def found(wanted: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """The words that are said, also as a part of a longer one: "sign" in "signature"."""
    return frozenset(word for word in wanted if word in said or any(are_one(word, other) for other in said))


def code_names(text: str) -> frozenset[str]:
    """The parts of the names of code in a text, in small letters: of `Pad.Poll()` and `src/Pad.cs` pad, poll, src."""
    names = (each[0] for each in cues.IDENTIFIER.finditer(text[:_LONGEST_CODE]))
    return frozenset(part.lower() for name in names for part in _CODE_PART.findall(name)) - COMMON


class NamedFile:
    """A file that a thread names."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_prose = path.endswith(PROSE)
        self.name = frozenset(terms(path))
        self.stem = frozenset(terms(posixpath.basename(path).rpartition(".")[0]))

    def is_one_of(self, paths: Iterable[str]) -> bool:
        """Is it among these? A thread may name it without its folder."""
        return any(each == self.path or each.endswith(f"/{self.path}") for each in paths)

    def is_named_in(self, said: frozenset[str]) -> bool:
        return self.stem <= said and len(self.name & said) >= min(2, len(self.name))


def _without(line: str, files: Iterable[NamedFile]) -> str:
    for each in files:
        line = line.replace(each.path, " ")
    return line


def _by_title(title: str) -> RecordedRun:
    """The run that a title of an older version is about."""
    name, *words = title.partition(":")[0].removeprefix("Ran ").split(" ")
    return RecordedRun("test", " ".join((name, *words)), title)


def _clauses(line: str) -> list[frozenset[str]]:
    """The words of each part of a line that says several things: who settles one of them has settled it."""
    parts = [telling(part) for part in _CLAUSE.split(line)]
    return [words for words in parts if len(words) >= _LEAST_OF_A_CLAUSE] if len(parts) > 1 else []
