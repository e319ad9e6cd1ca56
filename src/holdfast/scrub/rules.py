"""Loads rules.toml into closed values and refuses a rule that could not work. Compiles nothing: a pattern is
compiled when its keyword is first seen, so that the command client starts quickly.
"""

import json
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from .shape import CHECKS

RULES_FILE = Path(__file__).with_name("rules.toml")
VENDORS_FILE = Path(__file__).with_name("vendors.json")
"""Made by `python -m bench.make_rules` from facts.toml, which names the public scanners; of lower rank than our own. As
JSON: every start reads its 690 rules, and TOML takes twenty times as long."""
LEFTS = ("edge", "any")
LAZY_STEPS = 12
"""Steps of an attempt by a pattern that tries one place after the other (`{0,240}?`)."""


class RuleError(ValueError):
    """A rule in rules.toml cannot be used as written."""


class SecretRule(NamedTuple):
    """One secret format; the fields are explained at the head of rules.toml."""

    id: str
    about: str
    keywords: tuple[bytes, ...]
    regex: bytes
    secret: int
    before: tuple[int, ...]
    left: str
    extend: bool
    wraps: bool
    entropy: float
    check: str
    least: int
    lead: int
    behind: bytes
    holds: tuple[bytes, ...]
    cost: int
    """Steps of an attempt, whatever comes of it."""


class Keys(NamedTuple):
    """Names whose value is a secret, as lower-case words."""

    password: frozenset[str]
    token: frozenset[str]
    strong: frozenset[str]
    trailing: frozenset[str]
    never: frozenset[str]


class Allow(NamedTuple):
    """What looks like a secret and is none."""

    values: tuple[str, ...]
    starts: tuple[str, ...]
    contains: tuple[str, ...]
    known: frozenset[str]
    before: tuple[bytes, ...]


class RuleSet(NamedTuple):
    rules: tuple[SecretRule, ...]
    keys: Keys
    allow: Allow


def _rule(raw: dict[str, object]) -> SecretRule:
    name = str(raw.get("id", ""))
    unknown = raw.keys() - (set(SecretRule._fields) - {"cost"})
    if unknown or not name or "regex" not in raw or not raw.get("about"):
        raise RuleError(f"rule {name!r}: needs id, about and regex; does not know {sorted(unknown)}")
    keywords = _texts(name, "keywords", raw)
    if any(word != word.lower() or not 3 <= len(word) <= 64 for word in keywords):
        raise RuleError(f"rule {name!r}: keywords are lower-case and three bytes long at least, 64 at most")
    check, left = str(raw.get("check", "")), str(raw.get("left", "edge"))
    if check and check not in CHECKS:
        raise RuleError(f"rule {name!r}: unknown check {check!r}")
    if left not in LEFTS:
        raise RuleError(f"rule {name!r}: left is one of {LEFTS}")
    return SecretRule(
        id=name,
        about=str(raw["about"]),
        keywords=tuple(word.encode() for word in keywords),
        regex=str(raw["regex"]).encode(),
        secret=int(str(raw.get("secret", 0))),
        before=_distances(name, raw.get("before", [])),
        left=left,
        extend=bool(raw.get("extend", False)),
        wraps=bool(raw.get("wraps", _is_one_token(raw))),
        entropy=float(str(raw.get("entropy", 0))),
        check=check,
        least=int(str(raw.get("least", 0))),
        lead=int(str(raw.get("lead", 0))),
        behind=str(raw.get("behind", "")).encode(),
        holds=tuple(str(word).encode() for word in _texts(name, "holds", raw)),
        cost=LAZY_STEPS if "}?" in str(raw["regex"]) else 1,
    )


def _is_one_token(raw: dict[str, object]) -> bool:
    """Is the whole match the secret, and without white space? A terminal may break such a one anywhere."""
    return bool(raw.get("keywords")) and not (raw.get("secret") or raw.get("before") or "[ \\t" in str(raw["regex"]))


def _texts(name: str, field: str, raw: dict[str, object]) -> list[str]:
    texts = raw.get(field, [])
    if not isinstance(texts, list) or not all(isinstance(word, str) for word in texts):
        raise RuleError(f"rule {name!r}: {field} must be a list of strings")
    return texts


def _distances(name: str, raw: object) -> tuple[int, ...]:
    if not isinstance(raw, list) or not all(isinstance(one, int) and 0 < one <= 128 for one in raw):
        raise RuleError(f"rule {name!r}: before is a list of distances of 1 to 128 bytes")
    return tuple(raw)


def parse(text: str) -> RuleSet:
    """The rule set that a text in the format of rules.toml describes."""
    try:
        raw = tomllib.loads(text)
        keys, allow = raw["keys"], raw["allow"]
        return RuleSet(
            rules=tuple(_rule(one) for one in raw["rule"]),
            keys=Keys(*(frozenset(keys[field]) for field in Keys._fields)),
            allow=Allow(
                values=tuple(allow["values"]),
                starts=tuple(allow["starts"]),
                contains=tuple(allow["contains"]),
                known=frozenset("".join(parts) for parts in allow["known"]),
                before=tuple(part.encode() for part in allow["before"]),
            ),
        )
    except (KeyError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"the rules cannot be read: {error}") from error


@lru_cache(maxsize=1)
def default_rules() -> RuleSet:
    """The rules that ship with holdfast."""
    own = parse(RULES_FILE.read_text("utf-8"))
    vendors = tuple(_rule(one) for one in json.loads(VENDORS_FILE.read_text("utf-8")))
    return own._replace(rules=own.rules + vendors)
