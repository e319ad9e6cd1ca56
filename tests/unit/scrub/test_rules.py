"""The rules as data: each can work in both engines, none can run away, and a bad one is refused with its name."""

import re
from re import _parser as syntax  # type: ignore[attr-defined]
from typing import Any

import pytest
import re2

from holdfast.scrub import RuleError, default_rules, parse
from holdfast.scrub.rules import RULES_FILE, Rule

pytestmark = pytest.mark.requirement("SEC-1")

RULES = default_rules().rules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_compiles_in_both_engines_and_its_secret_is_a_group(rule: Rule) -> None:
    assert re2.compile(rule.regex).groups == re.compile(rule.regex).groups
    assert -1 <= rule.secret <= re.compile(rule.regex).groups


def repeats(node: Any) -> list[int]:
    """The upper bounds of all repetitions in a parsed pattern."""
    found: list[int] = []
    if isinstance(node, syntax.SubPattern):
        node = node.data
    if isinstance(node, tuple) and len(node) == 2 and str(node[0]) in ("MAX_REPEAT", "MIN_REPEAT"):
        found.append(int(node[1][1]))
    if isinstance(node, list | tuple):
        for part in node:
            found += repeats(part)
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_repetition_is_bounded(rule: Rule) -> None:
    assert max(repeats(syntax.parse(rule.regex)), default=0) <= 1000


def test_the_bound_check_sees_an_unbounded_repetition() -> None:
    assert max(repeats(syntax.parse(b"a(?:b[c]*)"))) > 1000


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.keywords], ids=lambda rule: rule.id)
def test_a_rule_without_room_before_begins_with_its_keywords(rule: Rule) -> None:
    """A keyword that the pattern cannot begin with would never find anything."""
    if rule.before:
        return
    pattern = rule.regex.decode().lower()
    for keyword in rule.keywords:
        letters = re.escape(keyword.decode()).replace("\\-", "-").replace("\\ ", " ")[:1]
        assert letters.strip("\\") == "" or letters.strip("\\") in pattern


MINIMAL = """
[[rule]]
id = "x"
about = "an x"
keywords = ["xyz"]
regex = 'xyz[0-9]{4}'
EXTRA
[keys]
password = []
token = []
strong = []
trailing = []
never = []
[allow]
values = []
starts = []
contains = []
known = []
before = []
"""


def test_a_minimal_rule_set_is_read() -> None:
    (rule,) = parse(MINIMAL.replace("EXTRA", "")).rules
    assert (rule.id, rule.keywords, rule.secret, rule.left) == ("x", (b"xyz",), 0, "edge")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('["xyz"]', '["XYZ"]', "lower-case"),
        ('["xyz"]', '["x"]', "three bytes"),
        ("EXTRA", 'check = "vibes"', "unknown check"),
        ("EXTRA", 'left = "right"', "left is one of"),
        ("EXTRA", "colour = 1", "colour"),
        ('about = "an x"', "", "needs id, about and regex"),
        ("[keys]", "[kyes]", "cannot be read"),
        ("[keys]", "[keys", "cannot be read"),
    ],
)
def test_a_bad_rule_is_refused_with_a_reason(old: str, new: str, says: str) -> None:
    text = MINIMAL.replace(old, new).replace("EXTRA", "")
    with pytest.raises(RuleError, match=says):
        parse(text)


def test_the_rule_file_itself_holds_nothing_that_it_would_remove() -> None:
    from holdfast.scrub import default_scrubber

    found = default_scrubber().text(RULES_FILE.read_text("utf-8")).found
    assert found == ()
