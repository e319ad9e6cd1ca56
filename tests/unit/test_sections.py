"""Sections of settings as data, and made from it again: the command line checks settings as the daemon does."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from holdfast import config
from holdfast.project_file import SWITCH
from holdfast.sections import described, made


class Every(Struct, frozen=True, forbid_unknown_fields=True):
    """A field of every kind that a setting may have."""

    on: Annotated[bool, Meta(description="On.", extra=SWITCH)] = True
    count: Annotated[int, Meta(ge=0, le=10, description="How many.")] = 3
    share: Annotated[float, Meta(gt=0, lt=1, description="How much.")] = 0.5
    word: Annotated[str, Meta(min_length=1, max_length=5, pattern="^[a-z]+$", description="A word.")] = "abc"
    way: Annotated[Literal["up", "down"], Meta(description="Where to.")] = "up"
    pairs: Annotated[tuple[Annotated[str, Meta(pattern="^[a-z]=[0-9]$")], ...], Meta(description="Pairs.")] = ("a=1",)
    ways: Annotated[tuple[Literal["up", "down"], ...], Meta(description="Ways.")] = ()


def again(section: type[Struct]) -> type[Struct]:
    return made(section.__name__, json.loads(json.dumps(described(section))))


def test_a_section_made_again_takes_and_refuses_the_same() -> None:
    cases: list[dict[str, Any]] = [
        {},
        *({"on": value} for value in (True, False, 1, "yes")),
        *({"count": value} for value in (0, 10, -1, 11, 1.5, "3", True)),
        *({"share": value} for value in (0.1, 0, 1, 1.0, "0.5")),
        *({"word": value} for value in ("a", "abcde", "", "abcdef", "A", 1)),
        *({"way": value} for value in ("up", "down", "left", "")),
        *({"pairs": value} for value in ([], ["b=2", "c=3"], ["b"], "b=2", [1])),
        *({"ways": value} for value in (["up", "up"], ["left"])),
        {"other": 1},
    ]
    for case in cases:
        assert outcome(case, again(Every)) == outcome(case, Every), case


def outcome(given: dict[str, Any], section: type[Struct]) -> Any:
    try:
        return msgspec.to_builtins(msgspec.convert(given, section))
    except msgspec.ValidationError as error:
        return str(error)


@pytest.mark.requirement("HSE-9")
def test_every_section_of_the_product_is_described_whole() -> None:
    sections = config.sections()
    rebuilt = {name: again(section) for name, section in sections.items()}
    assert list(config.keys(rebuilt)) == list(config.keys())
    assert all(msgspec.to_builtins(rebuilt[name]()) == msgspec.to_builtins(each()) for name, each in sections.items())


def test_a_setting_of_another_kind_is_refused() -> None:
    class Odd(Struct):
        names: dict[str, str] = msgspec.field(default_factory=dict)

    with pytest.raises(TypeError, match="a setting is a text"):
        described(Odd)
