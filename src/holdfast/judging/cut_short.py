"""Files of data that a line writes over with a part of themselves, many at once. Pure; linear.

`for f in *.csv; do head -1000 "$f" > t && mv t "$f"; done`: the one call writes a new file, the other only moves it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from holdfast.commandline.effects.disposable import is_for_tests
from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

CUTS_SHORT = "cuts-data-short"
"""The program of the rule that is about these calls."""

_KEEPS = listed("cp rsync tar zip 7z zstd gzip")
"""Whoever calls these before has probably made a copy."""
_MOVES = listed("mv cp")
_MANY = lazy_pattern(r"\*|<found>|\A(?:\$\(|`)\s*(?:ls|find|fd|git ls-files)\b")
_DATA = lazy_pattern(
    r"(?i)\.(?:csv|tsv|jsonl?|ndjson|geojson|parquet|xml|sql|dat|txt|fast[aq]|fa|fq|vcf|bed|arff|npy)\b"
)
_WITHOUT_LOSS = lazy_pattern(
    r"(?i)(?:\A|[/_.-])(?:te?mp|logs?|cache|build|dist|out(?:put)?|samples?|fixtures?)(?:[/_.-]|\Z)"
)
_FIRST = re.compile(r"(?:\A|\s)(?:-n ?|--lines[ =]|-c ?|--bytes[ =]|--head-count[ =]|-)\d+[kKMG]?(?:\s|\Z)")
"""How many are kept; `-n -1` and `-n +2` leave nearly all."""
_MOST = 200


def moved_over(runs: Sequence[Run]) -> set[int]:
    """The places of the runs that put a part of each of many files in its place."""
    parts: dict[str, set[str]] = {}
    found: set[int] = set()
    for number, run in enumerate(runs[:_MOST]):
        if run.program in _MOVES and parts:
            words = [text for text in run.texts if not text.startswith("-")]
            if len(words) == 2 and words[1] in parts.get(words[0], ()):
                found.add(number)
        elif run.program in _KEEPS:
            break
        elif run.program in ("head", "tail", "shuf") and _keeps_few(run):
            cut = {arg.text for arg in run.args if _is_precious(" ".join((arg.text, *arg.found_by)))}
            cut.update(filter(_is_precious, run.fed_by))
            for _, target in run.writes:
                parts.setdefault(target.text, set()).update(cut)
    return found


def _keeps_few(run: Run) -> bool:
    return _FIRST.search(" ".join(run.texts[:10]).replace("-n -", "-n+").replace("-c -", "-c+")) is not None


def _is_precious(text: str) -> bool:
    if _MANY.search(text) is None or _WITHOUT_LOSS.search(text):
        return False
    return _DATA.search(text) is not None and not is_for_tests(posixpath.basename(text)) and not is_for_tests(text)
