"""Removes secrets from everything that will be written (SEC-1). Rules are data in rules.toml; this package
judges text and decoded JSON, writes nothing, and leaves to its callers what to do with the result.
"""

from .engine import Scrubbed, Scrubber, default_scrubber
from .rules import RuleError, RuleSet, SecretRule, default_rules, parse
from .steps import Breathes, Busy

__all__ = [
    "Breathes",
    "Busy",
    "RuleError",
    "RuleSet",
    "Scrubbed",
    "Scrubber",
    "SecretRule",
    "default_rules",
    "default_scrubber",
    "parse",
]
