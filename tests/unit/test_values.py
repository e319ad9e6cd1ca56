"""Our `dataclass` is the standard library's, only made sooner: both are asked the same."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar

import pytest

from holdfast.values import dataclass

pytestmark = pytest.mark.requirement("PRF-4")


def classes(made: Callable[..., Any]) -> dict[str, Any]:
    """The same classes, by one decorator or the other."""

    @made(frozen=True, slots=True)
    class Point:
        """A docstring."""

        x: int
        y: int = 2
        notes: list[str] = field(default_factory=list, compare=False)
        hidden: str = field(default="h", repr=False)
        known: ClassVar[int] = 7

        @property
        def sum(self) -> int:
            return self.x + self.y

    @made(frozen=True, slots=True)
    class Longer(Point):
        z: int = field(default=3, kw_only=True)
        made_here: tuple[int, ...] = field(default_factory=tuple, init=False)

    @made(frozen=True, slots=True)
    class Empty:
        pass

    @made(frozen=True, slots=True)
    class Own:
        a: int

        def __repr__(self) -> str:
            return "mine"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

    @made(frozen=True, slots=True)
    class After:
        a: int

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError

    @made(slots=True)
    class Loose:
        a: int = 1

    return {each.__name__: each for each in (Point, Longer, Empty, Own, After, Loose)}


def asked(types: dict[str, Any]) -> list[Any]:
    """What the classes answer to whatever this code asks of a dataclass."""
    point, longer = types["Point"], types["Longer"]
    one, other = point(1), point(1, notes=["x"])
    same: list[Any] = [
        *(one == other, one != point(2), hash(one) == hash(other), one == types["Empty"](), len({one, other})),
        *(repr(point(1)).rpartition(".")[2], repr(longer(1, z=4)).rpartition(".")[2], one.sum, point.known),
        *(point(x=4, y=5).y, longer(1, 2, ["n"], "s", z=9).z, longer(1).made_here, point.__match_args__),
        *([each.name for each in dataclasses.fields(longer)], dataclasses.asdict(longer(1))),
        *(dataclasses.replace(one, y=8).y, dataclasses.replace(longer(1), x=6).x, copy.copy(one) == one),
        *(point.__slots__, longer.__slots__, hasattr(one, "__dict__"), point.__doc__, dataclasses.is_dataclass(point)),
        *(repr(types["Own"](1)), hash(types["Own"](1)), types["Own"](1) == types["Own"](2)),
        *(copy.deepcopy(longer(1, notes=["a"])).notes, types["Empty"]() == types["Empty"](), hash(types["Empty"]())),
    ]
    match longer(3):
        case object(x=3, z=z):
            same.append(z)
    for wrong in (
        lambda: setattr(one, "x", 5),
        lambda: delattr(one, "x"),
        lambda: setattr(longer(1), "x", 5),
        lambda: point(),
        lambda: point(1, unknown=2),
        lambda: longer(1, 2, [], "h", 4),
        lambda: types["After"](-1),
        lambda: hash(point([])),
    ):
        with pytest.raises(Exception) as caught:
            wrong()
        same.append((caught.type, "cannot" in str(caught.value)))
    loose = types["Loose"]()
    loose.a = 5
    return [*same, loose.a]


def test_it_is_what_the_standard_library_makes() -> None:
    assert asked(classes(dataclass)) == asked(classes(dataclasses.dataclass))


@dataclass(frozen=True, slots=True)
class Sent:
    """One that can be found by its name."""

    a: int
    b: tuple[str, ...] = ()


def test_an_unknown_name_is_refused_too() -> None:
    """The standard library (3.11) compares with the class before it had slots, and raises TypeError here."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Sent(1).unknown = 5  # type: ignore[attr-defined]


def test_it_is_pickled_and_a_function_is_written_once() -> None:
    first = Sent(1, ("x",))
    assert pickle.loads(pickle.dumps(first)) == first
    written = Sent.__init__
    assert Sent(2).a == 2
    assert Sent.__init__ is written
    assert Sent.__init__.__qualname__ == "Sent.__init__"
