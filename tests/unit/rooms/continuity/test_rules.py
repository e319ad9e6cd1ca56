"""Thresholds, checkpoints, hand-overs: the room's decisions."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from holdfast.errors import HoldfastError, UsageError
from holdfast.ids import NO_ENTRY, ConversationId, WindowId, new_item_id
from holdfast.rooms.continuity import rules
from holdfast.rooms.continuity.model import Checkpoint, FileState, HandoverText, Measured, RunState, Stand

DAY = 86_400_000_000
STAND = Stand(
    request="Please make uploads resumable.",
    requests=("Please make uploads resumable.", "and test it"),
    corrections=("no, use the new client, not the old one",),
    decisions=("We'll keep chunks of 8 MB because the proxy cuts larger ones.",),
    next_steps=("Next I'll write the resume test.",),
    runs=(RunState("Ran pytest: 1 failed", "failed"),),
    files=(FileState("src/up.py", "edited", "aa", 10),),
    last_said="Working on it.",
)


def kept(stand: Stand, reason: str = "compact", at: int = 0) -> Checkpoint:
    text = msgspec.json.encode(stand).decode()
    return Checkpoint(
        new_item_id(at),
        "p",
        ConversationId("s"),
        WindowId("w"),
        NO_ENTRY,
        reason,
        1,
        0,
        "title",
        text,
        "[]",
        rules.digest_of(text),
        at,
    )


@pytest.mark.requirement("CON-3")
def test_a_percentage_is_a_whole_number_from_1_to_100() -> None:
    for good, wanted in ((1, 1), (100, 100), ("70", 70), ("70 %".replace(" ", ""), 70), (70.0, 70)):
        assert rules.percent(good) == wanted
    for bad in (0, 101, "seventy", -1, 70.5, "", None, True, [70], "nan", "1e999"):
        with pytest.raises(UsageError, match=r"percent must be a whole number from 1 to 100, not .*Nothing was saved"):
            rules.percent(bad)


@pytest.mark.requirement("CON-3")
def test_each_threshold_is_crossed_once() -> None:
    done: set[int] = set()
    for tokens, wanted in ((10, []), (70, [70]), (71, []), (95, [90]), (99, [])):
        found = rules.crossed(Measured(tokens, 100), (70, 90), done)
        done.update(found)
        assert found == wanted
    assert rules.crossed(Measured(95, 100), (90, 70, 90), set()) == [70, 90]
    assert Measured(5, 0).percent == 0


@pytest.mark.requirement("CON-5")
def test_three_levels_and_a_changed_checkpoint_is_not_used() -> None:
    checkpoint = kept(STAND)
    assert rules.stand_of(checkpoint) == STAND
    summary, context, full = (rules.told(STAND, level) for level in ("summary", "context", "full"))
    assert "Please make uploads resumable." in summary
    assert "resume test" in summary
    assert "chunks of 8 MB" not in summary
    assert "chunks of 8 MB" in context
    assert "Working on it." not in context
    assert "Working on it." in full
    damaged = replace(checkpoint, stand=checkpoint.stand.replace("8 MB", "9 MB"))
    with pytest.raises(HoldfastError, match="is not what was once written"):
        rules.stand_of(damaged)
    huge = rules.bounded(replace(STAND, requests=tuple(f"{n} {'x' * 3_000}" for n in range(400))))
    assert len(msgspec.json.encode(huge)) <= 200_000
    assert huge.requests[0].startswith("0 ")
    assert huge.requests[-1].startswith("399 ")


@pytest.mark.requirement("CON-7")
def test_only_work_that_was_left_in_the_middle_is_offered() -> None:
    cases = (
        (STAND, "end", 0, False),
        (STAND, "clear", 0, True),
        (STAND, "compact", 1, True),
        (STAND, "threshold", 30, False),
        (Stand(next_steps=("x y z",)), "clear", 0, False),
    )
    for stand, reason, days, wanted in cases:
        assert rules.is_worth_offering(stand, kept(stand, reason), days * DAY + 1) is wanted, (reason, days)
    told = rules.offer(kept(STAND), DAY, by_command=True, by_tool=False)
    assert "`holdfast checkpoint resume c" in told
    assert "resume" not in rules.offer(kept(STAND), DAY, by_command=False, by_tool=False)


@pytest.mark.requirement("CON-8")
def test_a_handover_says_what_became_of_its_files() -> None:
    built = rules.handover_of(STAND)
    assert built.built
    assert built.summary == STAND.request
    assert built.user_history == STAND.corrections[0]
    now = [FileState("src/up.py", "edited", "bb", 12)]
    text = rules.handover_text(built, now, 900)
    assert "src/up.py: changed since (10 → 12 bytes)" in text
    assert "made from the journal" in text
    states = (FileState("a", "", "x", 1), FileState("b", "", "x", 1), FileState("c"), FileState("d", "", "x", 1))
    later = [FileState("a", "", "x", 1), FileState("b"), FileState("c", "", "y", 3)]
    assert rules.changes_since(states, later) == [
        *("a: unchanged", "b: gone since", "c: made since (3 bytes)", "d: gone since"),
    ]
    long = HandoverText(summary="word " * 5_000)
    assert len(rules.handover_text(long, [], 100)) < 1_000


def test_what_two_checkpoints_tell_differently() -> None:
    later = replace(STAND, decisions=("We'll use 4 MB.",), runs=(RunState("Ran pytest: 3 passed", "passed"),))
    later = replace(later, files=(FileState("src/up.py", "edited", "bb", 12),))
    found = {what: (gone, new) for what, gone, new in rules.difference(STAND, later)}
    assert set(found) == {"decisions", "runs", "files"}
    assert found["files"] == ([], ["src/up.py"])
    assert rules.difference(STAND, STAND) == []


@pytest.mark.requirement("CON-5")
def test_a_stand_that_is_too_long_keeps_the_first_and_the_newest() -> None:
    long = "x" * 80_000
    for number in (3, 4, 9):
        requests = tuple(f"{each} {long}" for each in range(number))
        kept = rules.bounded(Stand(requests=requests)).requests
        assert (kept[0], kept[-1]) == (requests[0], requests[-1]), number
    corrections = tuple(f"{each} {'x' * 1_900}" for each in range(200))
    stand = rules.bounded(Stand(request="r", corrections=corrections))
    assert stand.corrections[-1] == corrections[-1]
    assert len(msgspec.json.encode(stand)) <= 200_000
