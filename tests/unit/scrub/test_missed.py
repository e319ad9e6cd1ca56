"""Every class of secrets that public scanners' test data showed as missed, with many made-up values; and beside each
what looks alike and must stay."""

import json
import re

import pytest
from bench.scrub_corpus import MARK
from bench.scrub_tokens import Maker

from holdfast.scrub import default_scrubber
from tests.support.table import each_of

from .missed import GOES, STAYS, human, texts

pytestmark = pytest.mark.requirement("SEC-1")

ROUNDS = 12
BREAKS = re.compile(r"[\u200b\u200d\u2060\ufeff\u00ad]|\x1b\[[0-9;]*m|\x1b\]0;t\x07|\\?\r?\n[ ]*|\\n")


def rest_of(secret: str, text: str, scrubbed: str) -> str:
    """What is left of a secret: any piece of six characters, or its end."""
    left, whole = BREAKS.sub("", MARK.sub(" ", scrubbed)), BREAKS.sub("", secret)
    around = BREAKS.sub("", text.replace(secret, " "))
    pieces = [whole[at : at + 6] for at in range(max(1, len(whole) - 5))] + [whole[-3:]]
    return next((piece for piece in pieces if piece in left and piece not in around), "")


@each_of("name", GOES)
def test_every_secret_of_the_class_goes_whole(name: str) -> None:
    for text, secret in texts(GOES, name, ROUNDS):
        scrubbed = default_scrubber().text(text).text
        assert not rest_of(secret, text, scrubbed), (text, scrubbed)


@each_of("name", STAYS)
def test_what_looks_alike_stays(name: str) -> None:
    for text, _ in texts(STAYS, name, ROUNDS):
        assert default_scrubber().text(text) == (text, ())


def test_every_class_has_its_counterpart() -> None:
    assert GOES.keys() <= STAYS.keys()


@pytest.mark.parametrize("name", ["labelled", "Kubernetes"])
def test_the_same_goes_when_the_text_comes_decoded(name: str) -> None:
    decoded = 0
    for text, secret in texts(GOES, name, ROUNDS):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        decoded += 1
        assert secret not in json.dumps(default_scrubber().value(value)[0]), text
    assert decoded > ROUNDS


def test_of_a_broken_token_the_lines_around_stay() -> None:
    token = "gh" + "p_" + "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zC" + "fJ4k"
    text = f"before\n{token[:17]}\n{token[17:]}\nafter it 1\n"
    assert default_scrubber().text(text).text == "before\n[scrubbed:github-token]\nafter it 1\n"


def test_tokens_one_below_the_other_stay_two() -> None:
    dice = Maker(3)
    tokens = ["gh" + "p_" + dice.of("aB3dE6gH9kL2mN5pQ8", 36) for _ in range(3)]
    assert default_scrubber().text("\n".join(tokens)).text == "\n".join(["[scrubbed:github-token]"] * 3)


@pytest.mark.parametrize(
    "table",
    [
        "| user | password |\n|------|:--------:|\n| ann | {} |\n| bob | {} |\n",
        " user | password \n------+----------\n ann  | {}\n bob  | {}\n(2 rows)\n",
        "+------+----------+\n| user | password |\n+------+----------+\n| ann  | {} |\n| bob  | {} |\n+------+---+\n",
        "user,password,role\nann,{},admin\nbob,{},guest\n",
        "user\tpassword\nann\t{}\nbob\t{}\n",
    ],
    ids=["markdown", "psql", "mysql", "commas", "tabs"],
)
def test_every_cell_under_a_telling_head_goes_and_the_table_stays(table: str) -> None:
    dice = Maker(5)
    for _ in range(ROUNDS):
        scrubbed = default_scrubber().text(table.format(human(dice), human(dice))).text
        assert scrubbed == table.format(*["[scrubbed:named-password]"] * 2)
