"""What a summary is worth to a later session (MEM-19). Pure, and explained by `why`.

A decision, a finding, a correction by the user, something open and tested work are worth telling. Courtesy, look-ups
and small talk are worth nothing: they are found for a while, nobody is told of them unasked, and retention lets them go
with the look-ups.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from holdfast.events.correction import correction_in
from holdfast.events.subjects import need
from holdfast.patterns import lazy_pattern
from holdfast.prose.closing import classify
from holdfast.prose.prompts.choices import asks_which
from holdfast.prose.prompts.faults import reports_a_fault
from holdfast.recall.intent import read_intent
from holdfast.rooms.memory.model import Memory, MemoryItem, Observation, Prompt, Summary, SummaryContent
from holdfast.rooms.memory.rules import files_named
from holdfast.times import DAY_US

ANSWERED = "Answered: "
PASSED_AFTER = " — passed after editing "
USER_SAID = "The user said: "
"""Before a correction among what was learned."""
USER_DECIDED, THE_USER = "The user decided: ", " — the user: “"
"""Before what the user decided in talk; and between what the agent says of it and the user's own words."""
HELPERS = "What subagents found"
"""What was looked at where only subagents looked."""
ASKED = " (asked: "
"""Before what was asked, behind words that need it."""
FAILED = " — failed"
"""The end of a title that says no more than that a run failed."""
UNRATED = 0.5
"""Of items that are not summaries: neither more nor less than others."""
_HALF_LIFE_DAYS = {True: 45.0, False: 10.0}
"""After so many days half is left: of a decision or a finding, and of plain work."""


@dataclass(frozen=True, slots=True)
class Worth:
    value: float
    """0 (nothing) to 1."""
    because: tuple[str, ...] = ()
    """What makes it so, in words, the most important first."""
    lasting: bool = False
    """It holds longer than plain work does."""

    def left_after(self, age_us: int) -> float:
        """What is left of it after this time."""
        days = max(0, age_us) / DAY_US
        return self.value * math.pow(0.5, days / _HALF_LIFE_DAYS[self.lasting])


def is_agents(line: str) -> bool:
    """Is this line of what was learned the agent's own? Others tell what made a run pass, and what the user said."""
    return PASSED_AFTER not in line and not line.startswith((USER_SAID, USER_DECIDED))


def claims_the_user(line: str) -> bool:
    """Does a line say that the user said something, with any mark before it?"""
    bare = line.lstrip("-*•> \t").replace("*", "").lower()
    marks = (USER_SAID.strip().lower(), USER_DECIDED.strip().lower())
    return bare.startswith(marks) or THE_USER in line


def is_users_choice(title: str) -> bool:
    """Does a title tell what the user decided, with the user's words?"""
    return title.startswith(USER_DECIDED) or THE_USER in title


NOTHING = Worth(0.0)
SOONER = 4
"""A summary that is worth nothing is kept for the fourth part of the days of an observation, as look-ups are."""


def stored(rated: Worth) -> int:
    """A worth as it is stored: in thousandths."""
    return round(1_000 * rated.value)


def kept(rated: Worth) -> str:
    """How long retention keeps it, in words."""
    if stored(rated) != stored(NOTHING):
        return "for good"
    return f"as long as look-ups: 1/{SOONER} of the days in retention.detail_days"


@lru_cache(maxsize=2_048)
def worth(content: SummaryContent) -> Worth:
    reasons = list(_reasons(content))
    left = 1.0
    for share, _, _ in reasons:
        left *= 1.0 - share
    because = tuple(why for _, why, _ in sorted(reasons, key=lambda each: -each[0]))
    return Worth(round(1.0 - left, 3), because, any(lasting for _, _, lasting in reasons))


def _reasons(content: SummaryContent) -> Iterable[tuple[float, str, bool]]:
    done = [line for line in content.done.splitlines() if not line.startswith(ANSWERED)]
    did_something = bool(done or content.investigated)
    lines = [line for line in content.learned.splitlines() if is_agents(line)]
    stated = [classify(line) for line in dict.fromkeys((content.title, *lines)) if line and line not in content.request]
    kinds = {each.kind for each in stated if did_something or _is_about_here(each.text, content.request)}
    if "decision" in kinds or is_users_choice(content.title) or f"\n{USER_DECIDED}" in f"\n{content.learned}":
        yield 0.6, "a decision", True
    elif not did_something and _answers_a_choice(content):
        yield 0.45, "a choice that was asked for", True
    if "finding" in kinds or (content.investigated and says_result(content) and _asks_for_a_cause(content)):
        yield 0.5, "a finding", True
    if correction_in(content.request) or USER_SAID in content.learned:
        yield 0.5, "a correction by the user", True
    if content.left_open:
        yield 0.4, "something is still open", False
    if content.outcome == "failed":
        yield 0.3, "it ended in a failure", False
    elif content.files and content.outcome == "passed":
        yield 0.4, "finished and tested work", False
    elif content.files:
        yield 0.2, "files were changed", False
    elif content.outcome == "passed" and any(run.kind == "deploy" and run.outcome == "passed" for run in content.runs):
        yield 0.3, "it was deployed", False
    elif "change" in kinds and content.outcome == "passed":
        yield 0.3, "a change was told and tested", False  # made by a command that names no file
    if any(line.startswith(("Committed", "Pushed", "Merged", "Force-pushed")) for line in done):
        yield 0.25, "it was committed", False


def _asks_for_a_cause(content: SummaryContent) -> bool:
    """Was a fault reported, asked why, or sent somebody to look? What was found then is a finding, whatever its
    words."""
    looked = content.investigated == HELPERS or reports_a_fault(content.request)
    return looked and classify(content.title).weight >= 1.0


def _answers_a_choice(content: SummaryContent) -> bool:
    """Was it asked what to take for something of the project ("sqlite or Postgres for the edge boxes?"), and said?"""
    request = _MORE.sub("", content.request)
    if not asks_which(request) or not says_result(content) or need(content.title) == "must":
        return False
    return _FOR_OURS.search(request) is not None or _is_about_here(content.title, request)


_FOR_OURS = lazy_pattern(
    r"\b(?:for|für|pour|para) (?:the|our|these|die|das|den|unser\w*|l[ae]s?|nos|el) \w", re.IGNORECASE
)


def _is_about_here(text: str, request: str) -> bool:
    """Without any work a "because" is small talk or general knowledge ("`sorted()` returns a new list, because …"),
    unless a file is named, or somebody speaks of what is ours."""
    if _OURS.search(request) or (_OURS.search(text) and not _EXPLAINS.match(request)):
        return True
    return any(not _LIBRARY.fullmatch(path) for path in files_named(f"{request}\n{text}"))


_OURS = lazy_pattern(
    r"\b(?:we|our|ours|us|this (?:repo(?:sitory)?|project|codebase|app|service)|wir|uns|unser\w*|nous|notre|nos"
    r"|nosotros|nuestr\w+)\b",
    re.IGNORECASE,
)
_EXPLAINS = lazy_pattern(
    r"(?:please |can you |btw )?(?:explain|define|describe|eli5|what(?:'s|s| is| are) (?:an? \w|the difference))",
    re.IGNORECASE,
)
"""It asks what something is: the "we" of the answer is anybody."""
_FOR_FUN = lazy_pattern(
    r"\b(?:jokes?|puns?|haikus?|limericks?|poems?|riddles?|rhymes?|memes?|tongue.?twisters?|(?:birthday|leaving"
    r"|farewell|greeting) cards?|chistes?|witze?|gedichte?|blagues?|barzellett[ae]|adivinanzas?|piadas?)\b",
    re.IGNORECASE,
)
"""What is asked for to laugh: its "you have to worry" leaves nothing open."""
_LIBRARY = lazy_pattern(r"[A-Z]\w*\.(?:js|rs|py|go|md)")
"""Node.js is no file."""


def acted(content: SummaryContent) -> bool:
    """Was anything done, and not only answered?"""
    return bool(content.files) or any(not line.startswith(ANSWERED) for line in content.done.splitlines())


def is_general(content: SummaryContent) -> bool:
    """Is it an answer that nobody looked up, and not about this project: a feature of a language, an option of a
    command?"""
    if acted(content) or content.investigated or is_users_choice(content.title):
        return False
    if content.left_open and not (_EXPLAINS.search(content.request) or _FOR_FUN.search(content.request)):
        return False
    return not _is_about_here(f"{content.title}\n{content.learned}", content.request)


TRACES = ("Edited ", "Created ", "Rewrote ", "Ran ", "Delegated ")
"""What a tool did: it says neither why nor the outcome."""


def says_result(content: SummaryContent) -> bool:
    """Does the title state the outcome, and not what was asked, or a reply with what was asked before?"""
    title = content.title.rstrip("…")
    if is_users_choice(title):
        return True
    if title.startswith(TRACES) and not title.endswith(FAILED):
        return False
    return title not in content.request and title.rpartition(" — ")[2] not in content.request


_SHIPS = lazy_pattern(
    r"\b(?:(?:force-?)?pushed|committed|amended|gepusht|gepushed|committet|commited|eingecheckt|hochgeladen"
    r"|poussée?s?|commitée?s?|envoyée?s?|subid[oa]s?|pushead[oa]s?|commitead[oa]s?|confirmad[oa]s? el commit)\b",
    re.IGNORECASE,
)
_LONGEST_SHIPPING = 9
"""Words of a sentence that says no more than that work was pushed or committed."""


def only_ships(content: SummaryContent) -> bool:
    """Was nothing done but to commit or push what earlier work tells?"""
    done = [line for line in content.done.splitlines() if not line.startswith(ANSWERED)]
    if content.files or content.outcome == "failed" or content.learned or not done:
        return False
    if not all(line.startswith(("Committed", "Amended", "Pushed", "Force-pushed")) for line in done):
        return False
    words = content.title
    return (
        f"Committed: {words}" in done
        or words in done
        or (len(words.split()) <= _LONGEST_SHIPPING and _SHIPS.search(words) is not None)
    )


def looks_back(content: SummaryContent) -> bool:
    """Was only earlier work asked about? The answer, and what it says is open, repeat what is told anyway."""
    return not acted(content) and not is_users_choice(content.title) and _asks_for_memory(content.request)


@lru_cache(maxsize=4_096)
def _asks_for_memory(request: str) -> bool:
    return read_intent(request, 0).strength == "asks"


_MORE = lazy_pattern(r" \(and \d+ more\)\Z")
"""Behind the request of a session with several."""


def has_more_requests(content: SummaryContent) -> bool:
    """Is it the summary of a session with several requests?"""
    return _MORE.search(content.request) is not None


def only_answers(content: SummaryContent) -> bool:
    """Was a question answered, and nothing done? "It used to end early" tells how it was: it replaces no work."""
    return not acted(content) and _MORE.sub("", content.request).endswith(("?", "？"))


def repeats_memory(content: SummaryContent) -> bool:
    """Was a question answered from what was known? Others have said it before."""
    return only_asks(content) or (only_answers(content) and not content.investigated)


def only_asks(content: SummaryContent) -> bool:
    """Is there a question and no answer of its own? What memory answered, others have said before."""
    if content.files or content.investigated:
        return False
    return looks_back(content) or (content.request.endswith(("?", "？")) and not has_substance(content))


def has_substance(content: SummaryContent) -> bool:
    """Is there a sentence that answers anything? "I see." is none."""
    if worth(content).value:
        return True
    said = [*content.said.splitlines(), content.done.removeprefix(ANSWERED)]
    return any(classify(line).weight >= 1.0 for line in said if line)


def of_item(item: MemoryItem) -> Worth:
    """The worth of any item of this room."""
    match item:
        case Summary():
            return worth(item.content) if item.written_by != "user" else Worth(1.0, ("a person wrote it",), True)
        case Memory():
            return Worth(1.0, ("somebody asked to remember it",), True)
        case Observation() | Prompt():
            return Worth(UNRATED)
