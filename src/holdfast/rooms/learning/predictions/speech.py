"""What a sentence of an agent predicts of the run that follows it. Pure.

A prediction says what will be seen ("this should fix it", "CI will be green now", "Expected: FAIL"), or orders a run
that has to fail first ("run the tests to confirm they fail"). No question, condition, plan ("I'll fix it"), duty ("the
typo should be fixed", "the function should return 3") or report of what ran is one. Who is meant to do it, and what it
is said of, decide that more than the verb: hence clauses, not phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from holdfast.patterns import lazy_pattern

Expects = Literal["passed", "failed"]

_LONGEST = 600
_ADVERB = (
    r"(?: (?:now|also|all|then|definitely|probably|likely|finally|hopefully|again|just|both|actually|still|really|once"
    r" again|at last|in fact|already|certainly|thus|therefore))*"
)
_MODAL = lazy_pattern(
    rf"(?P<modal>\bshould(?:n't| not)?|\bwill(?: not)?|\bwon't|'ll|\bought to|\b(?:is|are) (?:not )?(?:going|about) to|"
    rf"\b(?:is|are)(?: now)? (?:ready|expected|likely|bound) to)(?P<adverb>{_ADVERB}) ",
    re.IGNORECASE,
)
_BE = rf"be{_ADVERB}(?: back(?: to)?| in)?(?: completely| fully| correctly| all)? ?"
_RUN_VERB = lazy_pattern(
    r"(?:pass(?:es)?(?! (?:the|a|an|it|in|through|along|by|to|as|null|none|code|your|our|its|that|this(?! time))\b)|"
    rf"succeed|turn green|go(?: back to)? green|come back green|{_BE}(?:green|passing)|"
    r"run (?:successfully|cleanly|fine|through)|"
    r"(?:build|compile) and run\b|(?:finish|complete) (?:successfully|cleanly)|validate)\b",
    re.IGNORECASE,
)
_WORK_VERB = lazy_pattern(
    rf"(?:work|compile|build|type-?check|lint|{_BE}(?:working|fine|ok|okay|good|clean|enough|happy)|"
    r"do (?:it|the trick|the job)|load|start up)\b(?! (?:on|with|a|an|the|your|our) )",
    re.IGNORECASE,
)
_REPAIRED_VERB = lazy_pattern(
    rf"(?:{_BE}(?:fixed|resolved|solved|gone|corrected|addressed|cleared|eliminated|repaired|sorted|unblocked)|"
    r"go away|disappear|vanish|no longer \w+|not (?:fail|crash|error|break|time out|happen|occur)\w*)\b",
    re.IGNORECASE,
)
_REPAIRING_VERB = lazy_pattern(
    r"(?:fix|resolve|solve|address|cure|clear|eliminate|take care of|get rid of|unblock|correct|settle|get past|"
    r"make (?:it|them|the \w+|everything|all \w+) (?:pass|work|green|compile|happy)|"
    r"get (?:it|them|the \w+|everything|us) (?:to pass|to work|green|passing|working|compiling))\b",
    re.IGNORECASE,
)
_FAIL_VERB = lazy_pattern(
    rf"(?:fail|crash|error(?: out)?|{_BE}(?:red|failing|broken)|time out|blow up|complain|"
    r"not (?:compile|pass|work|build))\b",
    re.IGNORECASE,
)
_PRONOUN = lazy_pattern(
    r"(?:this|that|it|these|those|they|everything|all|both|which|that all|all of (?:it|them|this|these)|this one)\Z",
    re.IGNORECASE,
)
_RUN_NOUN = lazy_pattern(
    r"\b(?:tests?|suites?|specs?|builds?|ci|workflows?|pipelines?|checks?|jobs?|lint(?:er|ing)?|clippy|compilations?|"
    r"compiler|typecheck|type-check|tsc|mypy|eslint|ruff|pytest|jest|vitest|runs?|cargo|assertions?|imports?|script|"
    r"command|code|cases?|migrations?)\b[^,;]{0,40}\Z",
    re.IGNORECASE,
)
_TROUBLE = lazy_pattern(
    r"\b(?:errors?|issues?|bugs?|problems?|failures?|warnings?|crash(?:es)?|conflicts?|deadlocks?|leaks?|mismatch(?:es)?|"
    r"regressions?|flak(?:e|iness)|exceptions?|hang|race|violations?|complaints?|lints?)\b[^,;]{0,60}\Z",
    re.IGNORECASE,
)
_CHANGE = lazy_pattern(
    r"\b(?:fix(?:es)?|changes?|edits?|patch(?:es)?|updates?|commits?|approach|version|configuration|config|tweaks?|"
    r"adjustments?|workaround|refactor\w*|replacement|modifications?|solution|import|guard|mock|flag|option|line)\Z",
    re.IGNORECASE,
)
_DOER = lazy_pattern(
    r"\b(?:i|we|you|he|she|let's|users?|someone|somebody|team|agent|reviewers?|maintainers?)\Z", re.IGNORECASE
)
_NOW = lazy_pattern(r"\b(?:now|this time|finally|at last|already|again|from here|any ?more)\b", re.IGNORECASE)
_CLAUSE = lazy_pattern(r"[,;:()]| [—–-] |\b(?:and|but|so|because|since|then|where|while)\b", re.IGNORECASE)
_CONDITION = lazy_pattern(
    r"\?|\b(?:unless|whether|once|until|when(?:ever)?|would|could|might|may|should have|should've|supposed to|not sure|"
    r"the spec|according to|acceptance|requirements?|goal|todo|before (?:we|you|i|committing|merging|pushing))\b"
    r"|\bif (?!everything (?:is|goes|went|works)|all (?:is|goes|went)|(?:i'm|i am|that's|we're) right)",
    re.IGNORECASE,
)
_PURPOSE = lazy_pattern(
    r"\b(?:so that|in order|let's see|see (?:if|how|what|that)|check (?:if|that|whether)|make sure|making sure|ensure|"
    r"verify|confirm|guarantee|need(?:s|ed)? to|want(?:s|ed)?|expects?|means|must|please|you should|says?|said)\b",
    re.IGNORECASE,
)
_EXPECTED = lazy_pattern(
    r"\b[Ee]xpect(?:ed|ing)?(?: (?:result|output|outcome|status|now|here))?"
    r"(?: ?[:=] ?| [—–-] | (?=FAIL|PASS|RED|GREEN))(?P<what>.+)",
    re.DOTALL,
)
_EXPECT_TO = lazy_pattern(
    r"\b(?:I(?:'m| am)?|we(?:'re| are)?) (?:now )?(?:fully )?expect(?:ing)? (?P<who>[^,.;]{0,60}?)\b(?:to )?"
    r"(?P<what>pass|succeed|work|fail|break|crash|be (?:\w+ )?(?:green|red|fixed|fine))\b",
    re.IGNORECASE,
)
_SAYS_FAIL = lazy_pattern(
    r"\b(?:fail\w*|errors?|red|crash\w*|panics?|exit (?:code )?[1-9]|not found|undefined|broken)\b", re.IGNORECASE
)
_SAYS_PASS = lazy_pattern(
    r"\b(?:pass(?:es|ed|ing)?|green|succe\w+|clean|ok|exit (?:code )?0|no (?:errors?|failures?|warnings?)|"
    r"0 (?:errors?|failures?|failed))\b",
    re.IGNORECASE,
)
_NONE_FAIL = lazy_pattern(r"\b(?:no|0|zero|without) (?:\w+ )?(?:errors?|failures?|failed|crash\w*)\b", re.IGNORECASE)
_FAILS_FIRST = lazy_pattern(
    r"\b(?:verify|confirm|ensure|prove|check|see|watch|make sure|making sure|verifying|confirming|ensuring)(?: that)? "
    r"(?!if |whether |what |which |why |how )(?:[\w'-]+ ){0,5}?(?:tests?|it|they|them|this|specs?|suite|build|one|code)"
    r"(?: \w+)? (?:now |really |actually |first |both |all |still |do |does )*"
    r"(?:fails?|failing|(?:is|are|goes|go|turns?) red)\b",
    re.IGNORECASE,
)
_TO_GREEN = lazy_pattern(r"\bred\b ?(?:→|->|=>|➜|to) ?\bgreen\b", re.IGNORECASE)
_TO_RED = lazy_pattern(r"\b(?:verify|confirm|see|watch|expect)\b[^,.;]{0,20}\bRED\b(?! ?(?:→|->|=>|to))")
_HOPE = lazy_pattern(
    r"\b(?:hopefully|with luck|i think|i believe|i bet)\b,? (?:this|that|it|these changes?|the (?:fix|change|patch)) "
    r"(?:now |finally )?(?:fix(?:es)?|works?|pass(?:es)?|resolves?|solves?|does it)\b",
    re.IGNORECASE,
)
_BEHIND = 30
"""Characters behind a verb in which "now" still belongs to it."""


def judged(sentence: str) -> Expects | None:
    """What a sentence predicts of the run that follows; None when it predicts nothing."""
    said = " ".join(sentence.split())
    if not said or len(said) > _LONGEST or said.endswith("?"):
        return None
    if found := _EXPECTED.search(said):
        return _of_result(found["what"])
    if _TO_GREEN.search(said):
        return "passed"
    first = _FAILS_FIRST.search(said)
    if (first and not re.search(r"n't|\bnot?\b|no longer", first.group())) or _TO_RED.search(said):
        return "failed"
    if _CONDITION.search(said):
        return None
    if found := _EXPECT_TO.search(said):
        return "failed" if _SAYS_FAIL.search(found["what"]) or "break" in found["what"] else "passed"
    if _HOPE.search(said):
        return "passed"
    found_all = list(_modals(said))
    return "failed" if found_all and all(each == "failed" for each in found_all) else "passed" if found_all else None


def _of_result(told: str) -> Expects | None:
    """What "Expected: …" expects: one that fails makes the run fail."""
    plain = _NONE_FAIL.sub(" clean ", told)
    if _SAYS_FAIL.search(plain):
        return "failed"
    return "passed" if _SAYS_PASS.search(plain) else None


def _modals(said: str) -> Iterator[Expects]:
    """What each statement about the future says of a run."""
    for found in _MODAL.finditer(said):
        before, behind = said[: found.start()], said[found.end() :]
        if _PURPOSE.search(_CLAUSE.split(before)[-1]) or re.search(r"\b(?:so that|make sure|see if)\b", before, re.I):
            continue
        subject = _subject(before)
        is_not = re.search(r"n't|\bnot\b", found["modal"], re.IGNORECASE) is not None
        expects = _stated(subject, found["adverb"], behind, is_not=is_not)
        if expects:
            yield expects


def _subject(before: str) -> str:
    """The words that a statement is about: those of its clause before the verb, without a relative pronoun's noun."""
    clause = _CLAUSE.split(before)[-1].strip()
    return clause or before.strip()[-1:]  # a clause that begins with its verb is about what stands before it


def _stated(subject: str, adverb: str, behind: str, *, is_not: bool) -> Expects | None:
    if _DOER.search(subject):  # what somebody will do is a plan
        return None
    is_pronoun = _PRONOUN.search(subject) is not None or not re.search(r"\w", subject)
    is_run = _RUN_NOUN.search(subject) is not None

    def is_now(verb: re.Match[str]) -> bool:
        return _NOW.search(f"{adverb} {subject} {verb.group()} {behind[verb.end() : verb.end() + _BEHIND]}") is not None

    if verb := _FAIL_VERB.match(behind):
        if not (is_pronoun or is_run):
            return None
        negated = is_not or verb.group().lower().startswith("not ")
        if verb.group().lower().startswith("not "):
            return "passed" if is_not else "failed"
        return "passed" if negated else "failed"
    if verb := _REPAIRED_VERB.match(behind):
        fits = is_pronoun or is_run or _TROUBLE.search(subject) or is_now(verb)
        return ("failed" if is_not else "passed") if fits else None
    if verb := _RUN_VERB.match(behind):
        return ("failed" if is_not else "passed") if is_pronoun or is_run or is_now(verb) else None
    if verb := _WORK_VERB.match(behind):
        return ("failed" if is_not else "passed") if is_pronoun or is_run or is_now(verb) else None
    if _REPAIRING_VERB.match(behind) and (is_pronoun or _CHANGE.search(subject)):
        return "failed" if is_not else "passed"
    return None
