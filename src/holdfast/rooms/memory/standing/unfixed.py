"""Was the fault that a piece of work found mended by it, or does it say that nobody mended it then? Pure.

The line of such work says so, where its words tell the cause alone: in the present tense a cause reads as if it still
were so. Both say how it was at the end of that work, so later work does not make them false.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose.closing import classify, says_how_it_is
from holdfast.prose.prompts.faults import reports_a_fault
from holdfast.rooms.memory.model import SummaryContent
from holdfast.source.links import is_test

FIXED, NOT_FIXED = "fixed", "not fixed then"
UNFIXED = lazy_pattern(
    r"(?:\b(?:not|never|nothing|no|nicht|nichts|pas|ni)\b|n't\b)(?: [\w`./()'-]{1,40}){0,4}? (?:fixed|changed|touched"
    r"|repaired|solved|corrected|mended|behoben|geändert|repariert|angefasst|corrigé|arreglado|corregido|cambiado"
    r"|corretto|opgelost)\b|\b(?:unchanged|untouched|unfixed|unverändert|sin cambios)\b"
    r"|\b(?:is|are|stays?|still|ist|sind)(?: still| noch)? (?:red|rot)\b|まだ何も(?:変更|修正)",
    re.IGNORECASE,
)
_TELLS_A_FAULT = frozenset({"finding", "answer", "open"})
_LONGEST_READ = 2_000


def was_fixed(content: SummaryContent) -> bool:
    """Does the title tell a cause and not what was done about it, and was code changed, and then a test passed?"""
    if content.outcome != "passed" or all(map(is_test, content.files)):
        return False
    title = content.title
    return classify(title).kind == "finding" and not says_how_it_is(title) and not was_left_open(content)


def was_left_open(content: SummaryContent) -> bool:
    return UNFIXED.search(content.left_open[:_LONGEST_READ]) is not None


def was_left_unfixed(content: SummaryContent) -> bool:
    """Was nothing but tests written, was a fault reported, and does the agent say that it was not mended?"""
    if content.outcome == "passed" or any(not is_test(path) for path in content.files):
        return False
    if classify(content.title).kind not in _TELLS_A_FAULT or not reports_a_fault(content.request):
        return False
    return UNFIXED.search(f"{content.left_open}\n{content.said}"[:_LONGEST_READ]) is not None
