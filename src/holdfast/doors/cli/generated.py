"""Commands built from a declaration: a room's verb, its arguments and options, and what is printed of its result.

The daemon checks the arguments and writes the lines; nothing here knows what a tool does.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.completing import recent_ids
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.doors.cli.progress import Bar
from holdfast.doors.cli.watching import watched

_TYPES: dict[str, Any] = {"text": str, "int": int, "float": float}
_PATIENCE = 600.0


def command(name: str, declared: Mapping[str, Any]) -> click.Command:
    """A verb, a group of verbs, or both: a group that can also be called by itself."""
    own = _verb(name, declared) if "tool" in declared else None
    if "verbs" not in declared:
        assert own is not None
        return own
    callback = _unless_below(own.callback) if own else None
    params = own.params if own else None
    about = help_text(declared)
    group = click.Group(name, help=about, params=params, callback=callback, invoke_without_command=own is not None)
    for below, verb in declared["verbs"].items():
        group.add_command(_verb(below, verb))
    return group


def _unless_below(callback: Callable[..., Any] | None) -> Callable[..., Any]:
    """What a group does by itself, when none of its verbs is called."""

    def run(**given: Any) -> Any:
        return callback(**given) if callback and click.get_current_context().invoked_subcommand is None else None

    return run


def _verb(name: str, declared: Mapping[str, Any]) -> click.Command:
    fields, at_terminal = declared["fields"], declared.get("at_terminal", {})

    def run(call: Call, /, as_json: bool, watch: bool = False, **given: Any) -> int:
        arguments = dict(declared["fixed"])
        for one in fields:
            value = given[one["field"]]
            if value is None or value == ():
                continue
            if one.get("joined"):
                value = " ".join(value)
            arguments[one["field"]] = list(value) if isinstance(value, tuple) else value
        client = call.client(_PATIENCE)
        for option, (function, _) in at_terminal.items():
            if given[option]:
                return int(_loaded(function)(lambda tool, asked: client.post(f"/api/tools/{tool}", asked)))

        def ask(**step: Any) -> dict[str, Any]:
            answer = client.post(f"/api/tools/{declared['tool']}/lines?width={show.width()}", arguments | step)
            assert isinstance(answer, dict)
            return answer

        if watch:
            return watched(ask, declared["every_seconds"], declared["empty"], as_json=as_json)
        answer = _to_the_end(ask, as_json) if declared.get("steps") else ask()
        if as_json:
            show.say_json(answer["result"])
        elif declared["empty"] and not answer["result"]:
            show.tell(show.fill(declared["empty"]))
        else:
            for line in answer["lines"]:
                show.say_wrapped(line)
        return 1 if answer.get("negative") else 0

    callback = click.pass_obj(json_option(run))
    params = [_parameter(one) for one in fields]
    params += [click.Option([f"--{flag}", flag], is_flag=True, help=about) for flag, (_, about) in at_terminal.items()]
    if "every_seconds" in declared:
        params.append(click.Option(["--watch"], is_flag=True, help="Go on showing it, until Ctrl-C."))
    made = click.command(name, help=help_text(declared))(callback)
    made.params[:0] = params
    return made


def _loaded(function: str) -> Callable[..., Any]:
    """What a room does at the terminal, by its full name."""
    module, _, name = function.partition(":")
    found = getattr(importlib.import_module(module), name)
    assert callable(found)
    return found  # type: ignore[no-any-return]


def _to_the_end(ask: Callable[..., dict[str, Any]], as_json: bool) -> dict[str, Any]:
    """Call a tool that does a part per call until it is done. Ctrl-C ends it between two parts; what is done stays."""
    answer = ask()
    with Bar(as_json) as bar:
        while answer["result"]["next"] is not None:
            done, total = answer["result"]["done"], answer["result"]["total"]
            bar.show(done, total, f"{done} of {total} files")
            answer = ask(**answer["result"]["next"])
    return answer


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
