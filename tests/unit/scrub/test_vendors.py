"""Vendor rules are made from facts by a script; each has a made-up example that goes and a near miss that stays."""

import json
import tomllib
from typing import Any

import pytest
from bench import make_rules
from bench.scrub_corpus import MARK

from holdfast.scrub import default_scrubber

pytestmark = pytest.mark.requirement("SEC-1")

FACTS: list[dict[str, Any]] = tomllib.loads(make_rules.FACTS.read_text())["fact"]
EXAMPLES: list[dict[str, Any]] = json.loads(make_rules.EXAMPLES.read_text())
UNSURE = {"woocommerce-consumer-secret", "midtrans-production-server-client-key"}
"""Forms with so little in them that their made-up example may look like a name."""


def test_the_checked_in_rules_and_examples_are_those_that_the_script_makes() -> None:
    assert make_rules.rules_of(FACTS) == make_rules.RULES.read_text()
    assert make_rules.examples_of(FACTS) == EXAMPLES


def test_nearly_every_fact_has_an_example() -> None:
    assert len(EXAMPLES) > 0.95 * len(FACTS) > 300


def stays(example: dict[str, Any]) -> bool:
    """Is a piece of the example's secret left?"""
    secret = "".join(example["secret"])
    text = example["before"] + secret + ('"' if example["before"].endswith('"') else " then")
    left = MARK.sub(" ", default_scrubber().text(text).text)
    return any(secret[at : at + 8] in left for at in range(4, len(secret) - 7))


def test_every_example_goes() -> None:
    assert [one["id"] for one in EXAMPLES if one["id"] not in UNSURE and stays(one)] == []


def test_every_near_miss_stays() -> None:
    misses = list(make_rules.near_misses(FACTS))
    assert len(misses) > 300
    assert [text for text in misses if default_scrubber().text(text) != (text, ())] == []


def test_what_a_pattern_says_becomes_a_fact() -> None:
    beside = (
        r"""(?i)(?:acme)(?:[ \t\w.-]{0,20})[\s'"]{0,3}"""
        r"""(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-f0-9]{32})(?:x|$)"""
    )
    assert make_rules.fact("acme-key", beside) == {"id": "acme-key", "beside": ["acme"], "form": "(?:[0-9A-Fa-f]{32})"}
    assert make_rules.fact("x", r"\b(xyz_[a-z]{4,})\b") == {
        "id": "x",
        "begins": ["xyz_"],
        "form": "(?:xyz_[a-z]{4,1000})",
    }
    assert make_rules.fact("acme-client-id", beside) is None
    assert make_rules.fact("y", r"[a-z]{40}") is None


def test_a_rule_with_a_gap_becomes_a_fact_and_an_everyday_word_does_not() -> None:
    gap = r"(?:.|[\n\r]){0,32}?"
    rule = rf"""(?xi)
        \b WORD {gap} (?:SECRET|KEY|TOKEN) {gap} \b   # a comment
        ( [[:xdigit:]]{{40}} ) \b"""
    found = make_rules.fact_of_gap("acmeworks-1", "Acmeworks API Key", rule.replace("WORD", "acmeworks"))
    assert found == {"id": "acmeworks-1", "beside": ["acmeworks"], "form": "(?:[0-9A-Fa-f]{40})"}
    assert make_rules.fact_of_gap("batch-1", "Batch API Key", rule.replace("WORD", "batch")) is None
    assert make_rules.fact_of_gap("acmeworks-2", "Acmeworks Client ID", rule.replace("WORD", "acmeworks")) is None
    begins = make_rules.fact_of_gap("acme-3", "Acme Token", r"(?x) \b ( acm_[a-z0-9]{32} ) \b")
    assert begins == {"id": "acme-3", "begins": ["acm_"], "form": "(?:acm_[a-z0-9]{32})"}
