"""The rules as data: each compiles, none can run away, and a bad one is refused with its name."""

import re
from re import _parser as syntax  # type: ignore[attr-defined]
from typing import Any

import pytest
from bench.scrub_samples import Sampler

from holdfast.scrub import RuleError, default_rules, default_scrubber, parse
from holdfast.scrub.rules import RULES_FILE

pytestmark = pytest.mark.requirement("SEC-1")

RULES = default_rules().rules


def test_every_rule_compiles_and_its_secret_is_a_group() -> None:
    for rule in RULES:
        assert -1 <= rule.secret <= re.compile(rule.regex).groups, rule.id


def test_rules_without_keywords_find_what_a_look_at_every_place_finds() -> None:
    """They are tried around long runs only, and only where the run can be theirs: that must miss nothing."""
    places = default_scrubber()._places
    loose = [rule for rule in RULES if not rule.keywords]
    assert len(loose) >= 5
    for rule in loose:
        sampler = Sampler(rule.regex.decode("latin-1"), seed=7, most=60)
        for number in range(60):
            text, _ = sampler.sample()
            for front in ("", " ", "x", "-", "/", "|", "%7C", "123.", "a" * 25 + ".", "\n", "é"):
                for tail in ("", " ", "=", "===", ".", "/", "aB" * (number % 20), "\n" + text):
                    data = f"{front}{text}{tail}".encode("latin-1")
                    found = {(low, high) for _, own, low, high in places._anonymous(data) if own is rule}
                    assert found == {m.span() for m in re.finditer(rule.regex, data)}, (rule.id, data)


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


def test_every_repetition_is_bounded() -> None:
    assert [rule.id for rule in RULES if max(repeats(syntax.parse(rule.regex)), default=0) > 1000] == []


def test_the_bound_check_sees_an_unbounded_repetition() -> None:
    assert max(repeats(syntax.parse(b"a(?:b[c]*)"))) > 1000


def rests(nodes: Any, text: str) -> set[str]:
    """What can be left of a lower-case text after a match of these nodes; an empty rest means all was used up."""
    left = {text}
    for op, arg in nodes:
        left = {rest for one in left for rest in ({""} if not one else step(str(op), arg, one))}
    return left


def step(op: str, arg: Any, text: str) -> set[str]:
    if op == "AT":
        return {text}
    if op == "LITERAL":
        return {text[1:]} if chr(arg).lower() == text[0] else set()
    if op == "IN":
        both = "[" + re.escape(text[0]) + re.escape(text[0].upper()) + "]"
        return {text[1:]} if any(one_of(part, both) for part in arg) or str(arg[0][0]) == "NEGATE" else set()
    if op == "BRANCH":
        return {rest for branch in arg[1] for rest in rests(branch, text)}
    if op == "SUBPATTERN":
        return rests(arg[-1], text)
    if op in ("MAX_REPEAT", "MIN_REPEAT"):
        low, high, body = arg
        seen, now = ({text} if low == 0 else set()), {text}
        for count in range(1, min(int(high), 40) + 1):
            now = {rest for one in now for rest in ({""} if not one else rests(body, one))}
            seen |= now if count >= low or "" in now else set()
        return seen
    raise AssertionError(f"a construct that this test does not know: {op}")


def one_of(part: Any, pattern: str) -> bool:
    kind, arg = str(part[0]), part[1]
    codes = range(arg[0], arg[1] + 1) if kind == "RANGE" else [arg] if kind == "LITERAL" else []
    return any(re.fullmatch(pattern, chr(code)) for code in codes)


def test_a_keyword_is_something_its_pattern_can_begin_with() -> None:
    """Otherwise the rule would be tried in vain wherever the keyword stands."""
    words = [(rule, word.decode()) for rule in RULES for word in rule.keywords if not rule.before]
    assert [(rule.id, word) for rule, word in words if "" not in rests(syntax.parse(rule.regex), word)] == []


def test_the_keyword_check_sees_a_keyword_that_cannot_match() -> None:
    assert "" not in rests(syntax.parse(b"(?:abc|x[0-9]{2,4})z"), "xyz")
    assert "" in rests(syntax.parse(b"(?:abc|x[0-9]{2,4})z"), "x12z")


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
    found = default_scrubber().text(RULES_FILE.read_text("utf-8")).found
    assert found == ()
