"""model: the optional sentence model of recall. Fetched by its pinned hash, used from a folder, or none."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast import config
from holdfast.doors.cli import control, show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import DaemonAway, UsageError
from holdfast.settings_file import keep_setting

if TYPE_CHECKING:
    from holdfast.recall.vectors import Embedder

_SAMPLE = "The build is red since Monday because a generated file was not committed with its source. " * 8
"""As long as items are in the middle."""
_HELD, _WORKING = 100, 250
"""Megabytes, as bench/start.py and tests/unit/recall/test_onnx.py measure them for the default model, rounded up."""


@click.group()
def model() -> None:
    """Choose the optional sentence model for search. Without one, search uses words only and needs no download.

    \b
    Example:
      holdfast model pull
    """


@model.command("pull")
@click.argument("name", required=False)
@json_option
@click.pass_obj
def pull(call: Call, name: str | None, as_json: bool) -> int:
    """Fetch a model by its pinned hash into the home, and use it.

    \b
    Example:
      holdfast model pull arctic-embed-s
    """
    from holdfast.recall import sentence_models as models

    chosen = models.MODELS.get(name or models.DEFAULT)
    if chosen is None:
        raise UsageError(f"There is no model named {name}. There is: {', '.join(models.MODELS)}.")
    folder = call.home.root / "models" / chosen.name
    show.tell(f"{chosen.name}: {show.size(chosen.size)}, {chosen.license}, into {folder}")
    if show.is_terminal():
        with click.progressbar(length=chosen.size, label=chosen.name) as bar:
            done: dict[str, int] = {}

            def progress(file: str, so_far: int, size: int) -> None:
                bar.update(so_far - done.get(file, 0))
                done[file] = so_far

            models.fetch(chosen, folder, progress)
    else:
        models.fetch(chosen, folder)
    return _use(call, folder, as_json)


@model.command("use")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def use(call: Call, folder: Path, as_json: bool) -> int:
    """Use the model in a folder with model.onnx and tokenizer.json.

    \b
    Example:
      holdfast model use ~/models/arctic-embed-s
    """
    return _use(call, folder.expanduser().absolute(), as_json)


@model.command("none")
@json_option
@click.pass_obj
def none(call: Call, as_json: bool) -> int:
    """Use no model: search by words alone. Vectors stay in the store and are used again with the same model.

    \b
    Example:
      holdfast model none
    """
    keep_setting(call.home.config, "recall", "model", "")
    return _renew(call, {"folder": None, "id": None}, "Recall goes by words alone.", as_json)


@model.command("show")
@json_option
@click.pass_obj
def show_model(call: Call, as_json: bool) -> int:
    """Show which model is set and which one the daemon uses.

    \b
    Example:
      holdfast model show
    """
    folder = config.load(call.home.config, rooms=()).config.recall.model
    state: dict[str, Any] = {"folder": folder or None, "id": None, "problem": None}
    try:
        state |= Client(call.home).status()["model"]
    except DaemonAway:
        state["problem"] = "The daemon does not run."
    if as_json:
        show.say_json(state)
        return 0
    for line in show.facts(
        [("set", folder or "none"), ("in use", state["id"] or "none"), ("problem", state["problem"] or "none")]
    ):
        show.say(line)
    return 0


def _use(call: Call, folder: Path, as_json: bool) -> int:
    from holdfast.recall import sentence_models as models

    about = models.describe(folder)
    cost = _cost(call, models.load(folder))
    if not as_json:
        show.say(_cost_sentence(cost))
    keep_setting(call.home.config, "recall", "model", str(folder))
    sentence = f"Recall uses {about.id}; what is kept gets its vectors in the background."
    return _renew(call, {"folder": str(folder), "id": about.id, "cost": cost}, sentence, as_json)


def _cost(call: Call, embedder: Embedder) -> dict[str, Any]:
    """What the model will take, measured with it on this machine just now."""
    before = time.thread_time()
    embedder.embed_items([_SAMPLE, f"{_SAMPLE} {_SAMPLE}"])  # an item alone, and after its predecessor
    seconds = time.thread_time() - before
    try:
        items = Client(call.home).status()["store"]["rows"].get("recall_item", 0)
    except DaemonAway:
        items = None
    return {"items": items, "seconds_per_item": round(seconds, 4), "megabytes": _HELD, "megabytes_working": _WORKING}


def _cost_sentence(cost: dict[str, Any]) -> str:
    each = cost["seconds_per_item"]
    held = (
        f"The daemon holds about {_HELD} MB more with a model, {_WORKING} MB more while it works, and uses one core at "
        f"{each:.2f} s per item"
    )
    if not cost["items"]:
        return f"{held}."
    return f"{held}: about {show.span(cost['items'] * each)} for the {cost['items']} that are kept, in the background."


def _renew(call: Call, chosen: dict[str, Any], sentence: str, as_json: bool) -> int:
    """A running daemon takes up the change; one that is away will."""
    if as_json:
        show.say_json(chosen)
    else:
        show.say(sentence)
    if control.running(call.home) is not None:
        control.restart(call.home)
    return 0
