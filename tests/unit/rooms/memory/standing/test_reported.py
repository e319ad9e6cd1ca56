"""What the user reports of people, and of how things went, settles what waited for them; what is only spoken of does
not."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.standing.threads import open_lines, still_open
from tests.support.table import each_of
from tests.unit.rooms.memory.made import summary
from tests.unit.rooms.memory.standing.test_settling import is_open_after

OVER = (
    (
        "Ingrid has to power-cycle the two nodes at Nordhof and see whether they join.",
        "ingrid was at nordhof, both fine",
    ),
    (
        "Pedro hasn't reviewed the pairing, so all of this stays on the branch.",
        "pedro is ok with the pairing if it is 6",
    ),
    (
        "2 °C of air temperature is only my placeholder; Dr. Bakker has to name the number.",
        "bakker says 4 degrees not 2",
    ),
    ("Somebody has to run a board in the climate chamber at −15 °C.", "chamber was fine: 2 boards all night, no reset"),
    ("Nils has to make the realm for prod. Nothing of this is merged until then.", "and nils made the realm today"),
    (
        "Iker tiene que instalar la 3.4 en los lectores del muelle.",
        "por cierto, iker ya instalo la 3.4 en los lectores",
    ),
    ("Whether they get it in November is for Lucia from the office to say.", "lucia finally: it is paid in november"),
    (
        "An iPhone with iOS 16 loses the connection. I haven't looked into that.",
        "and forget the iphone thing, nobody has one",
    ),
    ("Release 2.4 is on hold until staging has been quiet for 48 h with it.", "staging was quiet for 48h. tag v2.4"),
    ("The new rates are on hold until the harvest meeting is over.", "the harvest meeting is over, go on"),
    (
        "There is no key of Ringo before the county has signed the contract.",
        "the county has signed the contract",
    ),
)
OPEN = (
    (
        "Ingrid has to power-cycle the two nodes at Nordhof and see whether they join.",
        "ingrid is on holiday till monday",
    ),
    (
        "Pedro hasn't reviewed the pairing, so all of this stays on the branch.",
        "pedro will look at the pairing tomorrow",
    ),
    ("Pedro hasn't reviewed the pairing, so all of this stays on the branch.", "pedro asked what the pairing is for"),
    ("2 °C of air temperature is only my placeholder; Dr. Bakker has to name the number.", "i'll ask bakker"),
    ("Nils has to make the realm for prod. Nothing of this is merged until then.", "nils rejected the realm for prod"),
    ("Somebody has to run a board in the climate chamber at −15 °C.", "the demo was fine, everybody liked it"),
    ("Whether they get it in November is for Lucia from the office to say.", "what did lucia want again?"),
    ("Release 2.4 is on hold until staging has been quiet for 48 h with it.", "wait until staging was quiet for 48h"),
    ("Release 2.4 is on hold until staging has been quiet for 48 h with it.", "staging was not quiet for 48h"),
    ("The new rates are on hold until the harvest meeting is over.", "the harvest meeting is on tuesday"),
)


@pytest.mark.requirement("MEM-18")
@each_of(("left", "asked"), OVER)
def test_a_report_of_who_must_act_settles_the_thread(left: str, asked: str) -> None:
    assert not is_open_after(left, asked, "Good.", writes=False)


@pytest.mark.requirement("MEM-18")
@each_of(("left", "asked"), OPEN)
def test_who_is_only_spoken_of_has_not_acted(left: str, asked: str) -> None:
    assert is_open_after(left, asked, "OK.", writes=False)


TWO = (
    "Oskar has to say whether recordings belong in the export.",
    "Oskar hasn't answered yet whether the list of numbers may be kept.",
)


@pytest.mark.requirement("MEM-18")
def test_of_two_things_that_wait_for_somebody_an_answer_settles_the_one_that_it_is_about() -> None:
    left = summary("Leads are exported as CSV now.", 1, left_open="\n".join(TWO)).content
    asked = "thx for the numbers. oskar: recordings belong in the export, as a list"
    answer = summary("I'll put them in.", 2, request=asked).content
    assert still_open([left, answer]) == list(TWO[1:])
    assert open_lines(left, (), (answer,)) == list(TWO[1:])
