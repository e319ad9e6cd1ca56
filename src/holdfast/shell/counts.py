"""How a tool's own summary is told: counts out of `3 failed, 42 passed` or `Failures: 1, Errors: 0`, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

_MEANING = {
    "passed": "passed", "passing": "passed", "pass": "passed", "passes": "passed", "ok": "passed",
    "succeeded": "passed", "successful": "passed", "xpassed": "passed",
    "failed": "failed", "failing": "failed", "fail": "failed", "failure": "failed", "failures": "failed",
    "cancelled": "failed", "interrupted": "failed",
    "error": "errors", "errors": "errors", "broken": "errors",
    "skipped": "skipped", "skip": "skipped", "skips": "skipped", "ignored": "skipped", "pending": "skipped",
    "todo": "skipped", "xfailed": "skipped", "disabled": "skipped", "incomplete": "skipped",
    "tests": "total", "test": "total", "doctests": "total",
    "total": "total", "examples": "total", "example": "total", "runs": "total",
    "run": "total", "completed": "total", "executed": "total",
}  # fmt: skip
_NUMBER_FIRST = re.compile(r"(\d+)\s+([A-Za-z]+)")
_WORD_FIRST = re.compile(r"([A-Za-z]+)(?: run)?\s*[:=]\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers a summary gave; None where it was silent."""

    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    total: int | None = None

    @property
    def bad(self) -> bool:
        return bool(self.failed or self.errors)

    @property
    def empty(self) -> bool:
        return not any((self.passed, self.failed, self.errors, self.skipped, self.total))

    def settled(self) -> Counts:
        """With the number of passes worked out where only the total was told."""
        if self.passed is None and self.total is not None:
            rest = self.total - (self.failed or 0) - (self.errors or 0) - (self.skipped or 0)
            return Counts(max(0, rest), self.failed, self.errors, self.skipped, self.total)
        return self


def numbers_first(text: str) -> Counts:
    """`3 failed, 42 passed, 1 xfailed`."""
    return _gathered((word, int(number)) for number, word in _NUMBER_FIRST.findall(text))


def words_first(text: str) -> Counts:
    """`Tests run: 12, Failures: 1, Errors: 0, Skipped: 2`, `failures=1, errors=2`."""
    return _gathered((word, int(number)) for word, number in _WORD_FIRST.findall(text))


def _gathered(pairs: Iterable[tuple[str, int]]) -> Counts:
    found: dict[str, int] = {}
    for word, number in pairs:
        meaning = _MEANING.get(word.lower())
        if meaning:
            found[meaning] = found.get(meaning, 0) + number
    return Counts(**found)


def added(all_counts: Iterable[Counts]) -> Counts:
    """The sum of several summaries: one per crate, per project, per module."""
    sums: dict[str, int] = {}
    for counts in all_counts:
        for entry in fields(counts):
            value = getattr(counts, entry.name)
            if value is not None:
                sums[entry.name] = sums.get(entry.name, 0) + value
    return Counts(**sums)
