"""Whom the user speaks of, and which sentence of the agent waits for one of them."""

from __future__ import annotations

import pytest

from holdfast.prose.people import people_in, waits_for
from tests.support.table import each_of


@pytest.mark.requirement("MEM-18")
@each_of(
    ("request", "people"),
    [
        ("Marek says some visits arrive twice, find out why", {"marek"}),
        ("do not merge it, Tobias has to sign it off first", {"tobias"}),
        ("that one's for Ingrid, she runs service", {"ingrid"}),
        ("mailed annika at the vendor what bit 15 means", {"annika"}),
        ("petra wants the old export back, and kemal is on leave", {"petra", "kemal"}),
        ("no merge hasta que nuria tenga el contrato", {"nuria"}),
        ("frage jonas, ob das stimmt", {"jonas"}),
        ("keep it open until lena says yes", {"lena"}),
        ("Ingrid's answer: the six digits", {"ingrid"}),
        ("the linter says unused import", set()),
        ("pytest says 3 failed, and the server told us 502", set()),
        ("wait for the build, and ask before it is merged", set()),
        ("once everything has landed, release", set()),
        ("copilot said it is fine, codex wants a lock", set()),
        ("it says nobody has access", set()),
        ("dark mode is off after a reload", set()),
        ("call me back on monday, and dont ask back", set()),
    ],
)
def test_whom_the_user_speaks_of(request: str, people: set[str]) -> None:
    assert people_in([request]) == people


@pytest.mark.requirement("MEM-18")
@each_of(
    ("sentence", "waits"),
    [
        ("Marek has to answer those with 409, which the app already reads as arrived.", True),
        ("Which of the two it is depends on what Marek says.", True),
        ("It stays on the branch until Marek has signed it.", True),
        ("I need Marek's sign-off before the release.", True),
        ("Sin merge: espera al contrato de Marek.", True),
        ("Das hängt davon ab, was Marek entscheidet.", True),
        ("Only Marek can open the port.", True),
        ("Marek has signed off.", False),
        ("That is what Marek saw: one visit, two rows.", False),
        ("I used the list that Marek sent.", False),
        ("Should Marek answer with 409?", False),
        ("The backend has to answer with 409.", False),
    ],
)
def test_a_sentence_waits_for_somebody_of_whom_the_user_spoke(sentence: str, waits: bool) -> None:
    assert waits_for(sentence, frozenset({"marek"})) is waits
    assert not waits_for(sentence, frozenset())


@pytest.mark.requirement("MEM-18")
@each_of("sentence", ["The theme is read before dark mode is drawn.", "The job waits for marek.lock and then starts."])
def test_what_an_agent_writes_small_is_no_person(sentence: str) -> None:
    assert not waits_for(sentence, frozenset({"dark", "marek"}))
