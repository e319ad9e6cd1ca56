"""Sections of the settings as data: described in JSON values, and made from them again; and marks of settings. Pure.

A room declares its section as a Struct, beside its code. The command line shows and checks settings without loading
rooms, so it makes the same Structs from `doors/cli/rooms.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

_PLAIN: dict[str, type] = {"text": str, "int": int, "float": float, "bool": bool}
_NAMES = {kind: name for name, kind in _PLAIN.items()}
_LIMITS = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length")

Described = Mapping[str, Any]

# --- marks of settings (`Meta.extra`), besides `project_file.SWITCH`

_CAPS, _SAME_AS = "caps_event", "same_as"


def caps_event(event: str) -> dict[str, str]:
    """Marks a setting as the most tokens of context that all steps of an event add together."""
    return {_CAPS: event}


def capped_by(extra: Mapping[str, Any] | None) -> str:
    """The event that a setting caps; '' for none."""
    return str((extra or {}).get(_CAPS, ""))


def same_as(key: str) -> dict[str, str]:
    """Marks a setting as another name of a setting of the house, for users who have it in their files."""
    return {_SAME_AS: key}


def named_by(extra: Mapping[str, Any] | None) -> str:
    """The setting of the house that a setting is another name of; '' for none."""
    return str((extra or {}).get(_SAME_AS, ""))


# --- sections as data


def described(section: type[Struct]) -> list[dict[str, Any]]:
    """The fields of a section: name, kind, limits, default, meaning."""
    hints = get_type_hints(section, include_extras=True)
    return [
        {"name": field.name, **kind_of(hints[field.name]), "default": field.default}
        for field in msgspec.structs.fields(section)
    ]


def made(name: str, fields: Sequence[Described]) -> type[Struct]:
    """The section that these fields describe."""
    typed = [(field["name"], _type(field), _default(field)) for field in fields]
    return msgspec.defstruct(name, typed, frozen=True, forbid_unknown_fields=True)


def kind_of(hint: Any) -> dict[str, Any]:
    """A setting's type in JSON values. What a setting cannot be is an error with a phrase."""
    if get_origin(hint) is Annotated:
        plain, meta, *more_meta = get_args(hint)
        if more_meta:
            raise TypeError("one `Meta` says all of a setting")
        limits = {limit: value for limit in _LIMITS if (value := getattr(meta, limit)) is not None}
        more = {"description": meta.description, "extra": meta.extra}
        return kind_of(plain) | limits | {name: value for name, value in more.items() if value is not None}
    if get_origin(hint) is Literal:
        return {"kind": "choice", "choices": list(get_args(hint))}
    if get_origin(hint) is tuple:
        return {"kind": "list", "of": kind_of(get_args(hint)[0])}
    if hint in _NAMES:
        return {"kind": _NAMES[hint]}
    raise TypeError(
        f"a setting is a text, a number, yes or no, a choice or a list of those (tuple[str, ...]), not {hint}"
    )


def _type(about: Described) -> Any:
    kind: Any = _PLAIN.get(about["kind"])
    if about["kind"] == "choice":
        kind = Literal[tuple(about["choices"])]
    elif about["kind"] == "list":
        kind = tuple[_type(about["of"]), ...]  # type: ignore[misc]
    given = {name: about[name] for name in (*_LIMITS, "description", "extra") if name in about}
    return Annotated[kind, Meta(**given)] if given else kind


def _default(about: Described) -> Any:
    return tuple(about["default"]) if about["kind"] == "list" else about["default"]
