"""`holdfast import NAME PATH` as a room declares it: the daemon reads PATH step by step, and the steps are added up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.generated import help_text
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.doors.cli.progress import Bar
from holdfast.doors.cli.table import Rooms

PATIENCE = 600.0
"""Seconds that one step may take."""


def command(name: str, declared: Mapping[str, Any]) -> click.Command:
    """The command of one import."""
    of_folder = declared["takes"] == "folder"
    counts = declared["counts"]

    def run(call: Call, /, path: Path, as_json: bool) -> int:
        client = Client(call.home, patience=PATIENCE)
        step: dict[str, Any] = {"path": str(path.absolute())}
        told: dict[str, Any] = {}
        with Bar(as_json) as bar:
            while True:
                taken = client.post(f"/api/import/{name}", step)
                add(told, taken["told"])
                bar.show(told[counts], taken["total"], f"{told[counts]} {counts}")
                if taken["next"] is None:
                    break
                step |= taken["next"]
        if as_json:
            show.say_json(told)
        else:
            for line in lines(declared["said"], told, call.rooms):
                show.say(line)
        return 0

    made = click.command(name, help=help_text(declared))(click.pass_obj(json_option(run)))
    kind = click.Path(path_type=Path, exists=True, file_okay=not of_folder, dir_okay=of_folder)
    made.params.insert(0, click.Argument(["path"], metavar="DIR" if of_folder else "PATH", type=kind))
    return made


def add(told: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what one step did to what the steps before it did."""
    for name, value in more.items():
        if isinstance(value, dict):
            sums = told.setdefault(name, {})
            for kind, count in value.items():
                sums[kind] = sums.get(kind, 0) + count
        elif isinstance(value, list):
            told.setdefault(name, []).extend(value)
        else:
            told[name] = told.get(name, 0) + value


def lines(said: str, told: Mapping[str, Any], rooms: Rooms) -> list[str]:
    """The sentence at the end, and each list of `told` line by line."""
    words = {}
    listed = []
    for name, value in told.items():
        if isinstance(value, dict):
            words[name] = show.counted(value, rooms["called"], "nothing new")
        elif isinstance(value, list):
            listed += [f"{name.replace('_', ' ')}: {show.plain(line)}" for line in value]
        else:
            words[name] = f"{value} {name.removesuffix('s') if value == 1 else name}"
    return [said.format(**words), *listed]
