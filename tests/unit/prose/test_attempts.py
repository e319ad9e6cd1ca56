"""A trial is told with what came of it, or not at all."""

from __future__ import annotations

import pytest

from holdfast.prose.attempts import with_outcomes
from holdfast.prose.closing import best, dead_ends, statements
from holdfast.prose.sentences import spoken


@pytest.mark.requirement("MEM-16")
def test_a_trial_stands_with_its_outcome_and_never_for_the_fix() -> None:
    for fix, tried in (
        ("The fog samples the depth of the same frame, so fast turns no longer flicker.",
         "I first tried a bigger fog buffer. It only moved the flicker to the screen edge, so I took that out again."),
        ("The radio sleeps between beacons now; idle current went from 9 mA to 0.4 mA.",
         "I first tried lowering the CPU clock. That saved nothing because the radio kept the oscillator awake."),
        ("The submit button is disabled now as soon as the request starts.",
         "My first attempt was a debounce of 300 ms. Slow phones still got through."),
        ("The planner picks the hash join now.",
         "Before that I had tried an index on (name, birthday). The planner ignored it."),
        ("Die Suche faltet Umlaute jetzt beim Schreiben.",
         "Zuerst habe ich einen größeren Cache versucht. Der brachte nichts, weil jede Abfrage anders ist."),
        ("Each message now carries a collapse key.",
         "I first thought it was the retry in the worker and turned it off. Same result, so the retry is back."),
        ("Uploads are resumed now from the last chunk.",
         "I also tried a longer timeout, but the proxy cuts at 60 s whatever we send."),
        ("`lr_at()` returns the base rate now when there is no warmup.",
         "Gradient clipping was my first guess. It only delayed the NaN to epoch 5, so I removed it again."),
        ("`send()` setzt die Sperre jetzt vor dem Versand.",
         "Zuerst hatte ich den Cron seltener laufen lassen. Das hat es nur seltener gemacht."),
        ("The vsync fence is waited for now.",
         "Initially I suspected the driver. Two other cards tore as well."),
    ):  # fmt: skip
        for said in (f"Done. {fix}\n\n{tried}\n\nTests pass.", f"{tried}\n\n{fix}"):
            found = statements(said)
            top = best(found)
            assert top is not None, said
            assert (top.text, dead_ends(found, 2)) == (fix, [tried]), said
            assert tried in spoken(said), "the words of a trial are kept together"


@pytest.mark.requirement("MEM-16")
def test_a_trial_without_an_outcome_is_not_told_and_what_holds_now_is_no_outcome() -> None:
    for texts, told in (
        (["I first tried a bigger buffer."], []),
        (["I first tried a bigger buffer.", "`flush()` now waits for the fence."],
         [("`flush()` now waits for the fence.", "")]),
        (["I first tried a bigger buffer, but it only hid the gap.", "The real cause was a missing flush."],
         [("I first tried a bigger buffer, but it only hid the gap.", "tried"),
          ("The real cause was a missing flush.", "")]),
        (["I tried to push, but the remote rejected it."], [("I tried to push, but the remote rejected it.", "")]),
    ):  # fmt: skip
        assert list(with_outcomes(texts, [""] * len(texts))) == told, texts
    parted = "The gap is closed by `flush()` now.\n\nI first tried a bigger buffer.\n\nThat made it worse."
    assert "I first tried a bigger buffer. That made it worse." in spoken(parted)


@pytest.mark.requirement("MEM-16")
def test_a_paragraph_that_ends_with_reverted_is_a_dead_end_as_a_whole() -> None:
    for tried, fix in (
        ("My first suspicion was our own socket, which has no keepalive. I switched on `SO_KEEPALIVE` with 60 s. The"
         " link died after ten minutes all the same. That change is reverted.",
         "`Link` now sends a heartbeat whenever a link was silent for 5 minutes."),
        ("I raised the pool to 200 connections and restarted the broker. Nothing moved, so I took it out again.",
         "The consumer acknowledges in batches of 500 now."),
        ("The glaze model got a second layer. It overfitted within two epochs, and that is taken back.",
         "Kiln curves are resampled to one minute now."),
    ):  # fmt: skip
        found = statements(f"{tried}\n\n{fix}")
        top = best(found, acted=True)
        assert top is not None
        assert top.text == fix
        assert len(dead_ends(found, 2)) == 1
    assert [each.kind for each in statements("The cap swallowed the jitter. I removed the setting.")][1] == "change"
