"""Makes texts that a regular expression matches, for benches and tests: random where the pattern leaves a choice, the
same for the same seed.
"""

import random
import re
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as syntax  # type: ignore[attr-defined]
from typing import Any

PRINTABLE = [chr(code) for code in range(33, 127)]
CATEGORIES = {
    names.CATEGORY_DIGIT: [*"0123456789"],
    names.CATEGORY_WORD: [char for char in PRINTABLE if char.isalnum() or char == "_"],
    names.CATEGORY_SPACE: [" "],
    names.CATEGORY_NOT_SPACE: PRINTABLE,
    names.CATEGORY_NOT_WORD: [" ", "-", "."],
    names.CATEGORY_NOT_DIGIT: [*"abcdef"],
}


class Sampler:
    """One pattern's texts. `most`: how often a repetition is repeated beyond its least."""

    def __init__(self, pattern: str, seed: int = 0, most: int = 8) -> None:
        self._tree = syntax.parse(pattern)
        self._dice = random.Random(seed)
        self._most = most
        self._spans: dict[int, str] = {}

    def sample(self) -> tuple[str, dict[int, str]]:
        """A text, and what its groups hold."""
        self._spans = {}
        text = self._all(self._tree)
        return text, dict(self._spans)

    def _all(self, nodes: Any) -> str:
        return "".join(self._one(op, arg) for op, arg in nodes)

    def _one(self, op: Any, arg: Any) -> str:
        if op is names.LITERAL:
            return chr(arg)
        if op is names.NOT_LITERAL:
            return self._dice.choice([char for char in PRINTABLE if ord(char) != arg])
        if op is names.ANY:
            return self._dice.choice(PRINTABLE)
        if op is names.IN:
            return self._dice.choice(_members(arg))
        if op is names.BRANCH:
            return self._all(self._dice.choice(arg[1]))
        if op is names.SUBPATTERN:
            text = self._all(arg[-1])
            if arg[0]:
                self._spans[arg[0]] = text
            return text
        if op in (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT):
            low, high, body = arg
            count = self._dice.randint(low, min(int(high), low + self._most))
            return "".join(self._all(body) for _ in range(count))
        if op is names.GROUPREF:
            return self._spans.get(arg, "")
        if op is names.ATOMIC_GROUP:
            return self._all(arg)
        return ""  # anchors and looks at what stands around


def _members(parts: Any) -> list[str]:
    chosen: list[str] = []
    negated = parts[0][0] is names.NEGATE
    for kind, arg in parts:
        if kind is names.LITERAL:
            chosen.append(chr(arg))
        elif kind is names.RANGE:
            chosen += [chr(code) for code in range(arg[0], min(arg[1], 0x7F) + 1)]
        elif kind is names.CATEGORY:
            chosen += CATEGORIES[arg]
    return [char for char in PRINTABLE if char not in chosen] if negated else chosen


def samples(pattern: str, count: int, seed: int = 0, most: int = 8) -> list[tuple[str, dict[int, str]]]:
    """Texts that the pattern matches, whole, with their groups; fewer when some do not (what stands around counts)."""
    sampler, compiled = Sampler(pattern, seed, most), re.compile(pattern)
    made = [sampler.sample() for _ in range(count)]
    return [(text, groups) for text, groups in made if compiled.search(text)]
