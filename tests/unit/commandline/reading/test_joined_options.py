"""Options that stand in one word with a value are read as if they stood apart."""

from __future__ import annotations

from holdfast.commandline.reading.line import read
from tests.support.table import each_of


@each_of(
    "line, words",
    [
        ("curl -sXDELETE https://x", "-s -X DELETE https://x"),
        ("curl -XDELETE https://x", "-X DELETE https://x"),
        ("curl -fsSLo x https://x", "-fsSL -o x https://x"),
        ("curl --request DELETE -sS x", "--request DELETE -sS x"),
        ("mysql -Ne'select 1' shop", "-N -e select 1 shop"),
        ("mysql -psecret", "-psecret"),
        ("psql -Atc'select 1'", "-At -c select 1"),
        ("ls -laX", "-laX"),
    ],
)
def test_each_option_is_a_word_and_its_value_is_one(line: str, words: str) -> None:
    assert " ".join(read(line).runs[0].texts) == words
