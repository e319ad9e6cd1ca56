"""What a sentence predicts of the run behind it, as a table; other hands' sentences are in bench/labelled."""

from __future__ import annotations

import pytest

from holdfast.rooms.learning.predictions.speech import judged

PASSED = (
    "This should fix it.",
    "That'll do the trick.",
    "Now the tests will pass.",
    "The import error should be gone now.",
    "With the lock in place, the suite is going to pass this time.",
    "It shouldn't fail anymore.",
    "The change will resolve the type errors.",
    "Everything should be green again.",
    "I expect all 12 tests to pass.",
    "Expected: 3 passed.",
    "Expected: no errors.",
    "Hopefully this fixes the timeout.",
    "The migration won't crash now.",
    "The linter should be happy now.",
    "These edits should make the build pass.",
    "The deadlock should no longer occur.",
)
FAILED = (
    "This will still fail.",
    "The new test should fail, because nothing implements it yet.",
    "Let me run it and watch it fail.",
    "Run the suite to confirm that the new test fails first.",
    "Expected: FAIL with NameError.",
    "Expected: 2 passed, 1 failed.",
    "I expect this to fail.",
    "It won't compile yet.",
    "The build should not pass yet.",
)
NOTHING = (
    "I'll fix the failing test.",
    "We should fix the build.",
    "We will resolve the conflict by hand.",
    "Let me check whether the tests pass.",
    "Let me make sure they pass.",
    "If this works, the tests will pass.",
    "The function should return 3 when it is empty.",
    "All tests must pass.",
    "The tests pass.",
    "All tests should pass before we merge.",
    "Should this fix it?",
    "You should now see a list of users.",
    "The parser should pass the token to the visitor.",
    "The typo should be fixed in the docs.",
    "It might fix the issue.",
    "The tests fail because the fixture is shared.",
    "Now let me run the tests to see what's failing.",
    "Verify that it doesn't fail.",
    "The test fails as expected.",
    "The button should work with the keyboard.",
    "This would fix it.",
    "I want to see if this will work.",
    "The server will start on port 3000.",
)


@pytest.mark.requirement("LRN-14")
def test_a_sentence_predicts_a_success_a_failure_or_nothing() -> None:
    wrong = [
        (said, found, expects)
        for said, expects in (
            *((each, "passed") for each in PASSED),
            *((each, "failed") for each in FAILED),
            *((each, None) for each in NOTHING),
        )
        if (found := judged(said)) != expects
    ]
    assert wrong == []
