"""What the user says to be open still."""

from __future__ import annotations

import pytest

from holdfast.prose.prompts.still import still_open_in
from tests.support.table import each_of


@pytest.mark.requirement("MEM-18")
@each_of(
    ("prompt", "told"),
    [
        ("great. the restart is still on his list, he waits for the new host", ["the restart is still on his list"]),
        ("no, joost is still cleaning up his notebooks", ["no, joost is still cleaning up his notebooks"]),
        (
            "der vertrag mit nuria ist noch nicht unterschrieben",
            ["der vertrag mit nuria ist noch nicht unterschrieben"],
        ),
        ("the build is still red, fix it please", []),
        ("is the restart still on his list?", []),
        ("why does the import still need an hour", []),
        ("still red", []),
        ("he has merged the branch", []),
        ("ok thanks. legal still has to approve the voices thing", ["legal still has to approve the voices thing"]),
        ("fyi the token for the registry is still with Tomek", ["the registry is still with Tomek"]),
        ("The DPA with Acme is still not signed.", ["still not signed"]),
        ("still waiting for Jonas with the new host", ["still waiting for Jonas"]),
        ("the release is still waiting for Jonas", ["the release is still waiting"]),
        ("het contract met nuria is nog niet getekend", ["het contract met nuria is nog niet getekend"]),
        ("el contrato con nuria todavía no está firmado", ["todavía no está firmado"]),
    ],
)
def test_a_statement_that_something_is_open_still_is_quoted(prompt: str, told: list[str]) -> None:
    found = still_open_in(prompt)
    assert len(found) == len(told)
    assert all(words in sentence for words, sentence in zip(told, found, strict=True))


@pytest.mark.requirement("MEM-18")
@each_of(
    "prompt",
    [
        "The checkout test from yesterday is still flaky on CI, the clock jumps at midnight. Make it deterministic.",
        "The checkout test from yesterday is still flaky on CI, the clock jumps at midnight.",
        "the changelog is still not written, then write it for 4.2",
        "Add a test that an order is still open after a partial refund of the second item.",
        "great. now add a test that an order is still open after a partial refund",
        "There is still time, so let's do the import of the invoices as well.",
        "We still have a lot of room in the header of the page",
        "there is still a chance that it holds until monday",
        "Voeg nog een test toe voor de tweede bestelling.",
        "Il y a encore un test dans le dossier des commandes",
        "sigue las instrucciones del manual de la caja",
        "i still need a way to sort the list by date in the header",
        "we still need pagination in the orders list, 20 per page",
        "the header still has the old logo on the login page",
        "the importer still isn't handling the second sheet of the file",
        "the button is still too small on phones",
        "A customer is still able to book after the deadline has passed",
        "the invoices are still not sent. kannst du das machen",
        "the contract is still not signed by nuria. I want a reminder in the calendar.",
    ],
)
def test_who_wants_something_done_says_what_is_to_be_done(prompt: str) -> None:
    assert still_open_in(prompt) == []


def test_it_is_quoted_with_the_sentence_that_names_what_it_is() -> None:
    assert still_open_in("the contract of nuria. it is still not signed by them") == [
        "the contract of nuria. it is still not signed by them"
    ]
