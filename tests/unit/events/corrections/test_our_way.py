"""How it is done here, said to the agent; and what only looks like it."""

from __future__ import annotations

import pytest

from holdfast.events.correction import corrections_in
from tests.support.table import each_of


@pytest.mark.requirement("MEM-31")
@each_of(
    "prompt",
    [
        "you should always ask before installing packages",
        "actually we use pnpm here, not npm",
        "don't. we had an outage because of that",
        "you must always run the linter before you push",
        "you need to always pin the versions",
        "we use uv, not pip",
        "no, this repo uses tabs, not spaces",
        "fyi we deploy with helm here, not with kubectl",
        "actually this project targets Java 17, not 21",
        "don't! that drops the production table",
        "do not. it breaks the mobile app",
        "please don't. we tried that and customers complained",
        "ask me before you change the schema",
        "please check with me before deleting anything",
        "tell me first before you push",
        "actually in this repo we write tests with vitest, not jest",
        "btw we name branches feat/x here, not feature/x",
        "you have to always use the wrapper script",
        "wir benutzen hier pnpm, nicht npm",
        "on utilise pnpm ici, pas npm",
        "aquí usamos pnpm, no npm",
        "frag mich, bevor du das Schema änderst",
    ],
)
def test_our_way_is_a_correction(prompt: str) -> None:
    assert [each.text for each in corrections_in(prompt)] == [prompt]


@pytest.mark.requirement("MEM-31")
@each_of(
    "prompt",
    [
        "you should always see the banner after a login",
        "users should always get a receipt by mail",
        "the api should always return a list, even for one element",
        "you should have seen the log, it was huge",
        "we use redis for the queue and postgres for the rest",
        "we use three servers, not a cluster, is that a problem?",
        "actually we were lucky",
        "actually, can you rename it to total?",
        "actually that works now, thanks",
        "we got a 404, not a 500, in staging",
        "we see 12 rows, not 14",
        "we had an outage because of that yesterday, find the cause",
        "don't you think it is too slow?",
        "I don't. Let me check again.",
        "Don't panic. The tests are red because of the clock.",
        "Stop. Let me think for a minute.",
        "stop the server and run the migration",
        "It doesn't always fail",
        "the retry never fires, why?",
        "Never seen that error before. Can you explain it?",
        "make sure the button is never shown to guests",
        "if the user is not logged in, always redirect to /login",
        "The reviewer wrote: never use floats for money",
        "add a rule to eslint: always use const",
        "our docs say we never log emails; does the code hold to it?",
        "write a test that we never send two mails",
        "why do we always build twice?",
        'implement "always on top" for the window',
        "don't know which port, look it up",
        "we don't have a staging system yet",
        "not sure, maybe use a set instead of a list?",
        "the customer said we should always ship on Fridays",
        "he told me that we use yarn, not npm",
        "please look at the branch, not the tag",
        "it returns None, not an empty list",
        "I use vim, not emacs, so the shortcuts differ. Explain the first one.",
        "we support Python 3.11, not 3.10, according to the readme. Is this true?",
        "No. 5 in the list is the one I mean",
        "no, thanks, that is all for today",
        "ok so you always check the cache first? interesting",
        "you must be kidding, it passes now",
        "tell me before the meeting what changed",
        "this library uses callbacks, not promises, so wrap it",
        "warn the user before deleting the account",
        "we deploy on Monday, not on Friday this time",
    ],
)
def test_what_is_told_asked_or_ordered_of_a_program_is_none(prompt: str) -> None:
    assert corrections_in(prompt) == []
