"""`dataclass`, as in the standard library, but made quickly where it is frozen and has slots.

This code has 270 such classes. For each of them the standard library (3.11) writes six functions as text and compiles
them: 165 ms of the daemon's start. Here a function is written when it is first called, and is then the same. Fields,
slots, `replace`, `asdict` and `match` are the standard library's own. It makes any other dataclass as a whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """See `dataclasses.dataclass`."""
        if cls is None:
            return lambda cls: dataclass(cls, **options)
        is_ours = options == {"frozen": True, "slots": True} and _is_plain(cls)
        return _frozen(cls) if is_ours else dataclasses.dataclass(cls, **options)


_Function = Callable[..., Any]
_Fields = tuple["dataclasses.Field[Any]", ...]
_MISSING: Any = object()
_OWN = ("__init__", "__setattr__", "__delattr__", "__getstate__", "__setstate__", "__post_init__")


def _is_plain(cls: type) -> bool:
    """Is there nothing about the class that the functions here do not know?"""
    bases = [each for each in cls.__mro__[1:] if dataclasses.is_dataclass(each)]
    return (
        all("_is_frozen_value" in vars(each) for each in bases)
        and not any(hasattr(cls, name) for name in _OWN[-1:])
        and not any(name in vars(cls) for name in _OWN)
        and not any("InitVar" in str(kind) for kind in vars(cls).get("__annotations__", {}).values())
    )


def _frozen(cls: type) -> type:
    own = vars(cls)
    has_eq, has_repr, has_hash = "__eq__" in own, "__repr__" in own, own.get("__hash__") is not None
    if cls.__doc__ is None:
        cls.__doc__ = ""  # the standard library would write one, and load `inspect` for it
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    names = tuple(each.name for each in fields)
    made._is_frozen_value = True
    made.__init__ = _at_first_call(made, "__init__", lambda: _init(fields))
    if not has_repr:
        made.__repr__ = _at_first_call(made, "__repr__", lambda: _repr(each.name for each in fields if each.repr))
    if not has_eq:
        made.__eq__ = _at_first_call(made, "__eq__", lambda: _eq(each.name for each in fields if each.compare))
    if not has_hash:
        made.__hash__ = _at_first_call(
            made, "__hash__", lambda: _hash(each.name for each in fields if _is_hashed(each))
        )
    made.__setattr__, made.__delattr__ = _refusals(made, frozenset(names))
    made.__getstate__, made.__setstate__ = _states(names)
    return made  # type: ignore[no-any-return]


def _is_hashed(field: dataclasses.Field[Any]) -> bool:
    return field.compare if field.hash is None else field.hash


def _at_first_call(cls: type, name: str, write: Callable[[], _Function]) -> _Function:
    """Writes the function, puts it into the class, and calls it."""

    def first(self: object, *positional: Any, **named: Any) -> Any:
        function = write()
        function.__name__, function.__qualname__ = name, f"{cls.__qualname__}.{name}"
        setattr(cls, name, function)
        return function(self, *positional, **named)

    return first


def _init(fields: _Fields) -> _Function:
    given: dict[str, Any] = {"set_": object.__setattr__, "missing": _MISSING}
    positional: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for each in fields:
        value = each.name
        parameter = each.name
        if each.default is not dataclasses.MISSING:
            given[f"default_{each.name}"] = each.default
            parameter = f"{each.name}=default_{each.name}"
        elif each.default_factory is not dataclasses.MISSING:
            given[f"factory_{each.name}"] = each.default_factory
            parameter = f"{each.name}=missing"
            value = f"factory_{each.name}() if {each.name} is missing else {each.name}"
            if not each.init:
                value = f"factory_{each.name}()"
        if each.init:
            (named if each.kw_only else positional).append(parameter)
        elif "factory" not in value:
            continue
        lines.append(f"set_(self_, {each.name!r}, {value})")
    parameters = ["self_", *positional, *(["*", *named] if named else [])]
    return _compiled(parameters, lines or ["pass"], given)


def _repr(names: Iterable[str]) -> _Function:
    shown = ", ".join(f"{name}={{self.{name}!r}}" for name in names)
    return recursive_repr()(_compiled(["self"], [f'return f"{{self.__class__.__qualname__}}({shown})"']))


def _eq(names: Iterable[str]) -> _Function:
    kept = tuple(names)
    mine, others = _tuple("self", kept), _tuple("other", kept)
    lines = ["if other.__class__ is self.__class__:", f"    return {mine} == {others}", "return NotImplemented"]
    return _compiled(["self", "other"], lines)


def _hash(names: Iterable[str]) -> _Function:
    return _compiled(["self"], [f"return hash({_tuple('self', tuple(names))})"])


def _tuple(of: str, names: tuple[str, ...]) -> str:
    return "(" + "".join(f"{of}.{name}, " for name in names) + ")"


def _compiled(parameters: list[str], lines: list[str], given: dict[str, Any] | None = None) -> _Function:
    body = "\n        ".join(lines)
    text = f"def make({', '.join(given or ())}):\n    def function({', '.join(parameters)}):\n        {body}\n"
    made: dict[str, Any] = {}
    exec(f"{text}    return function", {}, made)
    function: _Function = made["make"](**(given or {}))
    return function


def _refusals(cls: type, names: frozenset[str]) -> tuple[_Function, _Function]:
    def __setattr__(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)  # type: ignore[arg-type]

    def __delattr__(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)  # type: ignore[arg-type]

    return __setattr__, __delattr__


def _states(names: tuple[str, ...]) -> tuple[_Function, _Function]:
    """For `copy` and `pickle`, which otherwise set slots one by one."""

    def __getstate__(self: object) -> list[object]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: object, state: list[object]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return __getstate__, __setstate__
