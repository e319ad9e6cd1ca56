"""search, timeline, show, why, edit, supersede: what is kept of earlier work, for a person at a shell."""

from __future__ import annotations

from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option, with_options
from holdfast.doors.cli.table import Rooms
from holdfast.errors import UsageError

_project_option = click.option(
    "--project", default="", metavar="NAME", help="Another project than the one you stand in; `all` for every one."
)


@click.command("search")
@click.argument("text", nargs=-1)
@_project_option
@click.option("--file", default="", metavar="PATH", help="Only what touched this file.")
@click.option("--session", default="", metavar="ID", help="Only this session.")
@click.option("--since", default="", metavar="T", help="ISO time, or an age such as 3d.")
@click.option("--until", default="", metavar="T", help="ISO time, or an age.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 200), help="How many.")
@json_option
@click.pass_obj
def _search(call: Call, /, text: tuple[str, ...], as_json: bool, **asked: Any) -> int:
    """Find earlier work: ids and titles, the best first. Without TEXT: the newest.

    \b
    Example:
      holdfast search login redirect --kind test --since 30d
    """
    found = _ask(call, "search", query=" ".join(text), **asked)
    if as_json or not text or not found:
        return _lines(found, as_json, with_score=False)
    for line in found:
        _show_hit(line, show.width())
    return 0


def search(rooms: Rooms) -> click.Command:
    """The command: the help of `--kind` names the kinds of every room's items."""
    return with_options(_search, click.Option(["--kind"], default="", help=f"One of {', '.join(rooms['kinds'])}."))


@click.command()
@click.argument("around", default="", metavar="[ID|TIME]")
@click.option("--before", default=5, show_default=True, type=click.IntRange(0, 100), help="How many before it.")
@click.option("--after", default=5, show_default=True, type=click.IntRange(0, 100), help="How many after it.")
@_project_option
@json_option
@click.pass_obj
def timeline(call: Call, /, as_json: bool, **asked: Any) -> int:
    """Show what stands around an id or a time. Without either: the last things.

    \b
    Example:
      holdfast timeline o3fa9c21b --before 10
    """
    return _lines(_ask(call, "timeline", **asked), as_json, with_score=False)


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@json_option
@click.pass_obj
def show_items(call: Call, ids: tuple[str, ...], as_json: bool) -> int:
    """Show all that is kept under an id.

    \b
    Example:
      holdfast show o3fa9c21b
    """
    items = _ask(call, "get", ids=list(ids))
    if as_json:
        show.say_json(items)
        return 0
    for number, item in enumerate(items):
        if number:
            show.say()
        _tell(item | {"pages": _pages(item)})
    return 0 if items else 1


@click.command()
@click.argument("item", metavar="ID")
@json_option
@click.pass_obj
def why(call: Call, item: str, as_json: bool) -> int:
    """Explain a kept thing: where it came from, what was scrubbed, when and why it was shown.

    \b
    Example:
      holdfast why o3fa9c21b
    """
    known = _ask(call, "why", id=item)
    if as_json:
        show.say_json(known)
        return 0
    _tell(known["item"] | {"pages": _pages(known)})
    for name in ("project", "session", "origin", "asked", "superseded"):
        if known.get(name):
            show.say()
            _tell({name: known[name]} if isinstance(known[name], str) else known[name], title=name)
    for each in known["objections"]:
        show.say()
        _tell(each, title="objection")
    show.say()
    show.say(f"shown {len(known['shown'])} times" if known["shown"] else "never shown to a session")
    for shown in known["shown"]:
        parts = ", ".join(f"{name} {value:g}" for name, value in shown["parts"].items())
        show.say(f"  {shown['time']}  {shown['place']}  score {shown['score']:g} ({parts})")
    return 0


@click.command()
@click.argument("item", metavar="ID")
@click.option("--title", help="A new title.")
@click.option("--text", help="A new text.")
@click.option("--tag", "tags", multiple=True, help="A tag; repeat for several.")
@json_option
@click.pass_obj
def edit(call: Call, item: str, title: str | None, text: str | None, tags: tuple[str, ...], as_json: bool) -> int:
    """Correct a kept thing.

    \b
    Example:
      holdfast edit m3fa9c21b --text "We deploy from main on Fridays only."
    """
    if title is None and text is None and not tags:
        raise UsageError("Say what to change: --title, --text or --tag.")
    changed = _ask(call, "edit", id=item, title=title, text=text, tags=list(tags) or None)
    return _said(changed, as_json)


@click.command()
@click.argument("old", metavar="ID")
@click.option("--by", "new", default="", metavar="ID", help="What took its place.")
@click.option("--reason", required=True, help="Why it no longer holds.")
@json_option
@click.pass_obj
def supersede(call: Call, old: str, new: str, reason: str, as_json: bool) -> int:
    """Mark a kept thing as no longer true. It is ranked down and shown as superseded.

    An agent cannot do this to a user's words: they stay in force, and its objection is shown beside them.

    \b
    Example:
      holdfast supersede m3fa9c21b --reason "We moved to uv."
    """
    return _said(_ask(call, "supersede", old=old, new=new, reason=reason, by="user"), as_json)


def _ask(call: Call, tool: str, **arguments: Any) -> Any:
    return Client(call.home).post(f"/api/tools/{tool}", arguments)


def _show_hit(line: dict[str, Any], width: int) -> None:
    """One hit: a line with what it is, and below it the words that were asked for, marked."""
    about = [line["kind"], *([line["outcome"]] if line.get("outcome") else []), show.plain(line["project"])]
    about += ["superseded"] if line.get("superseded_by") is not None else []
    about += ["an agent objects"] if line.get("objection") else []
    about += [f"+{len(line['same_work'])} of the same work"] if line.get("same_work") else []
    head = f"{line['id']}  {line['time'].replace('T', ' ')[:16]}  "
    title = show.plain(line["title"])
    show.say(f"{show.paint(head, 'dim')}{show.cut(title, max(20, width - len(head)))}")
    show.say(show.paint(f"           {show.cut(', '.join(each for each in about if each), width - 11)}", "dim"))
    if line.get("snippet"):
        show.say(f"           {show.marked(line['snippet'], line.get('marks', []), width - 11)}")


def _lines(found: list[dict[str, Any]], as_json: bool, *, with_score: bool) -> int:
    if as_json:
        show.say_json(found)
        return 0 if found else 1
    if not found:
        show.tell("Nothing was found.")
        return 1
    headings = ["id", "time", "kind", "what", "outcome", "project"] + (["score"] if with_score else [])
    rows = []
    for line in found:
        stale = " (superseded)" if line.get("superseded_by") is not None else ""
        stale += " (an agent objects)" if line.get("objection") else ""
        row = [line["id"], line["time"].replace("T", " ")[:16], line["kind"], show.cut(show.plain(line["title"]), 90)]
        row += [line.get("outcome", "") + stale, show.plain(line["project"])]
        rows.append(row + ([f"{line.get('score', 0):.2f}"] if with_score else []))
    for text in show.table(headings, rows, right=frozenset({6}) if with_score else frozenset()):
        show.say(text)
    return 0


def _tell(item: dict[str, Any], title: str = "") -> None:
    if title:
        show.say(title)
    pairs = []
    for name, value in item.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if value not in (None, "", []):
            pairs.append((name.replace("_", " "), text))
    for name, text in pairs:
        first, *rest = text.splitlines() or [""]
        show.say(f"{name:<14}{show.plain_line(first)}")
        for line in rest:
            show.say(f"{'':<14}{show.plain_line(line)}")


def _pages(told: dict[str, Any]) -> str:
    """The web pages that a thing cites, a line each."""
    lines = []
    for page in told.get("pages", ()):
        since = f", found changed {page['changed']}" if page["changed"] else ""
        lines.append(f"{page['url']} at version {page['version']}{since}")
    return "\n".join(lines)


def _said(result: dict[str, Any], as_json: bool) -> int:
    if as_json:
        show.say_json(result)
    else:
        _tell(result)
    return 0
