"""Questions about how things stand, in four languages; and what only looks like one."""

from __future__ import annotations

import pytest

from holdfast.recall.state_asked import state_asked
from tests.support.table import each_of


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "where did we leave off?",
        "what was the last thing we did?",
        "Where were we?",
        "where did we stop yesterday?",
        "pick up where we left off",
        "what were we working on?",
        "can you remind me what we were working on last time?",
        "what have we done so far?",
        "what did we do last?",
        "catch me up",
        "ok so what did we do last time",
        "bring me up to speed please",
        "what's the latest change we made?",
        "wo waren wir stehen geblieben?",
        "wo waren wir stehengeblieben?",
        "was haben wir gestern gemacht?",
        "woran haben wir zuletzt gearbeitet?",
        "mach da weiter wo wir aufgehört haben",
        "was war das letzte, was wir gemacht haben?",
        "où en étions-nous ?",
        "qu'est-ce qu'on a fait hier ?",
        "on a fait quoi hier ?",
        "où est-ce qu'on s'était arrêtés ?",
        "¿dónde lo dejamos?",
        "¿qué hicimos ayer?",
        "¿en qué estábamos trabajando?",
        "what's the status?",
    ],
)
def test_asks_what_was_done_last(text: str) -> None:
    assert state_asked(text) == "last"


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "what's still open?",
        "what is left to do?",
        "what's left?",
        "anything left to do?",
        "any open threads?",
        "what remains to be done?",
        "what do we still need to do?",
        "what's pending?",
        "list the open points",
        "are there any loose ends?",
        "what's next?",
        "was ist noch offen?",
        "was steht noch aus?",
        "gibt es noch offene Punkte?",
        "was fehlt noch?",
        "was müssen wir noch machen?",
        "qu'est-ce qui reste à faire ?",
        "que reste-t-il à faire ?",
        "¿qué queda pendiente?",
        "¿hay algo pendiente?",
        "what did we leave unfinished?",
    ],
)
def test_asks_what_is_open(text: str) -> None:
    assert state_asked(text) == "open"


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "what file handles are still open?",
        "what's left of the importer?",
        "is the window still open?",
        "continue",
        "what's the status of the login loop?",
        "where did we leave off with the importer?",
        "what did we do about the ledger?",
        "why is the left column empty?",
        "what is open graph?",
        "what is left padding in css?",
        "what remains of the old parser?",
        "what does open() return?",
        "add a pending state to the button",
        "what is the last element of the list?",
        "what did you change in pay.py?",
        "what is the latest version of node?",
        "what was the last commit?",
        "what's next.js?",
        "was ist offen source?",
        "where were the tests?",
        "what is the state machine doing?",
        "show the open orders in the table",
        "what happens next in the pipeline?",
        "what have we decided about retries?",
        "where is the recap mail template?",
        "what is missing in the docs?",
        "was haben wir am Importer gemacht?",
    ],
)
def test_asks_of_something_else(text: str) -> None:
    assert state_asked(text) == ""
