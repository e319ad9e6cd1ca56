"""Commands built from a declaration: a room's verb, its arguments and options, and what is printed of its result.

The daemon checks the arguments and writes the lines; nothing here knows what a tool does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.completing import recent_ids
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option

_TYPES: dict[str, Any] = {"text": str, "int": int, "float": float}
_PATIENCE = 600.0


def command(name: str, declared: Mapping[str, Any]) -> click.Command:
    """A verb, or a group of verbs."""
    if "verbs" not in declared:
        return _verb(name, declared)
    group = click.Group(name, help=help_text(declared))
    for below, verb in declared["verbs"].items():
        group.add_command(_verb(below, verb))
    return group


def _verb(name: str, declared: Mapping[str, Any]) -> click.Command:
    fields = declared["fields"]

    def run(call: Call, /, as_json: bool, **given: Any) -> int:
        arguments = dict(declared["fixed"])
        for one in fields:
            value = given[one["field"]]
            if value is None or value == ():
                continue
            if one.get("joined"):
                value = " ".join(value)
            arguments[one["field"]] = list(value) if isinstance(value, tuple) else value
        path = f"/api/tools/{declared['tool']}/lines?width={show.width()}"
        answer = call.client(_PATIENCE).post(path, arguments)
        if as_json:
            show.say_json(answer["result"])
        elif declared["empty"] and not answer["result"]:
            show.tell(declared["empty"])
        else:
            for line in answer["lines"]:
                show.say(show.shown(line))
        return 1 if answer.get("negative") else 0

    callback = click.pass_obj(json_option(run))
    params = [_parameter(one) for one in fields]
    made = click.command(name, help=help_text(declared))(callback)
    made.params[:0] = params
    return made


def help_text(declared: Mapping[str, Any]) -> str:
    """The help of a verb, a group or an import."""
    parts = [declared["summary"], *([declared["help"]] if declared.get("help") else [])]
    return "\n\n".join([*parts, f"\b\nExample:\n  holdfast {declared['example']}"])


def _parameter(one: Mapping[str, Any]) -> click.Parameter:
    many = one.get("many", False)
    kind = _type(one)
    if one["kind"] == "argument":
        complete = recent_ids if one["field"] in ("id", "ids") else None
        return click.Argument(
            [one["field"]], type=kind, nargs=-1 if many else 1, required=one["required"], shell_complete=complete
        )
    if one["type"] == "bool":
        return click.Option([one["name"], one["field"]], is_flag=True, default=None, help=one["help"])
    return click.Option(
        [one["name"], one["field"]],
        type=kind,
        multiple=many,
        required=one["required"],
        default=None,
        help=one["help"] + (f" [default: {one['default']}]" if one.get("default") else ""),
    )


def _type(one: Mapping[str, Any]) -> Any:
    if "choices" in one:
        return click.Choice(one["choices"])
    if one["type"] == "int" and ("min" in one or "max" in one):
        return click.IntRange(one.get("min"), one.get("max"))
    return _TYPES.get(one["type"], str)
