"""Both ways of searching give the same result; scrubbing twice changes nothing; odd text raises nothing."""

import random
from pathlib import Path

import pytest
from bench.scrub_corpus import Case, cases, remains

from holdfast.scrub import Scrubber, default_rules

pytestmark = pytest.mark.requirement("SEC-1")

FAST = Scrubber(default_rules(), fast=True)
PLAIN = Scrubber(default_rules(), fast=False)
CORPUS = list(cases(seed=11, rounds=1))
TOKEN = "gh" + "p_" + "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zC" + "fJ4k"


def test_both_engines_agree_on_the_corpus() -> None:
    for case in CORPUS:
        assert FAST.text(case.text) == PLAIN.text(case.text)
    joined = "\n".join(case.text for case in CORPUS)
    assert FAST.text(joined) == PLAIN.text(joined)


def test_both_engines_agree_on_ordinary_sources() -> None:
    for module in ("argparse", "netrc", "http.cookies", "ssl", "smtplib", "tokenize"):
        source = Path(__import__(module, fromlist=["x"]).__file__ or "").read_text("utf-8")
        assert FAST.text(source) == PLAIN.text(source)


def test_nearly_all_of_the_corpus_goes() -> None:
    leaked = [case for case in CORPUS if remains(FAST.text(case.text).text, case)]
    assert len(leaked) <= len(CORPUS) * 0.02, [(case.family, case.place) for case in leaked]


def test_scrubbing_twice_changes_nothing() -> None:
    dice = random.Random(4)

    def shuffled(case: Case) -> str:
        return "".join(dice.sample([*case.text.split(" "), *dice.choice(CORPUS).text.split("\n")], 2))

    for text in [case.text for case in CORPUS] + [shuffled(case) for case in CORPUS if " " in case.text]:
        once = FAST.text(text).text
        assert FAST.text(once) == (once, ())


@pytest.mark.parametrize(
    "odd",
    [
        "\ud800",
        "\udfff lone \ud83d",
        "\x00",
        "İẞﬁ",
        "日本語",
        "🔑🔐",
        "\ud83d\ude00",
        "a\u0301",
        "\r\u2028\u0085",
    ],
)
def test_odd_characters_stay_and_do_not_hide_a_secret(odd: str) -> None:
    for engine in (FAST, PLAIN):
        assert engine.text(odd * 9) == (odd * 9, ())
        assert engine.text(f"{odd} {TOKEN} {odd}").text == f"{odd} [scrubbed:github-token] {odd}"
        password = f'password = "x1{odd.strip()}y2z3"' if odd.isprintable() else 'password = "x1y2z3"'
        assert engine.text(password).text == 'password = "[scrubbed:named-password]"'


@pytest.mark.parametrize(
    "seed",
    ["a", "sk-", "password=", "eyJ-", "://a:", "key: ", "Ab3/xY9+", "cookie: a=b;", "-----BEGIN PRIVATE KEY-----\n"],
)
def test_much_bait_comes_to_rest(seed: str) -> None:
    text = seed * (200_000 // len(seed))
    once = FAST.text(text)
    assert len(once.text) <= len(text)
    assert FAST.text(once.text) == (once.text, ())


def test_a_secret_at_the_end_of_a_megabyte_is_found() -> None:
    assert FAST.text("token " * 170_000 + TOKEN).found == ("github-token",)
