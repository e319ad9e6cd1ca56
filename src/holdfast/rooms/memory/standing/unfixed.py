"""Did a piece of work only find a fault, and say that nobody mended it then? Pure.

The line of such work says so: a cause alone reads as if it were mended. It tells of that time, so later work does not
make it false.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.reading.closing import classify
from holdfast.rooms.memory.reading.prompts.faults import reports_a_fault
from holdfast.source.links import is_test

NOT_FIXED = "not fixed then"
UNFIXED = lazy_pattern(
    r"(?:\b(?:not|never|nothing|no|nicht|nichts|pas|ni)\b|n't\b)(?: [\w`./()'-]{1,40}){0,4}? (?:fixed|changed|touched"
    r"|repaired|solved|corrected|mended|behoben|geändert|repariert|angefasst|corrigé|arreglado|corregido|cambiado"
    r"|corretto|opgelost)\b|\b(?:unchanged|untouched|unfixed|unverändert|sin cambios)\b"
    r"|\b(?:is|are|stays?|still|ist|sind)(?: still| noch)? (?:red|rot)\b|まだ何も(?:変更|修正)",
    re.IGNORECASE,
)
_TELLS_A_FAULT = frozenset({"finding", "answer", "open"})
_LONGEST_READ = 2_000


def was_left_unfixed(content: SummaryContent) -> bool:
    """Was nothing but tests written, was a fault reported, and does the agent say that it was not mended?"""
    if content.outcome == "passed" or any(not is_test(path) for path in content.files):
        return False
    if classify(content.title).kind not in _TELLS_A_FAULT or not reports_a_fault(content.request):
        return False
    return UNFIXED.search(f"{content.left_open}\n{content.said}"[:_LONGEST_READ]) is not None
