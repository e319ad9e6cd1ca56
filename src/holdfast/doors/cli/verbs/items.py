"""search, timeline, show, why, edit, supersede: what is kept of earlier work, for a person at a shell."""

from __future__ import annotations

from typing import Any

import click

from holdfast.doors.cli import listing, show
from holdfast.doors.cli.completing import kinds, recent_ids
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option, with_options
from holdfast.doors.cli.table import Rooms
from holdfast.errors import UsageError
from holdfast.ids import now_us

_project_option = click.option(
    "--project",
    default="",
    metavar="NAME",
    help="Use this project instead of the current one; `all` for every project.",
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
    Examples:
      holdfast search login redirect --kind test --since 30d
      holdfast search login redirect --project all
    """
    found = _ask(call, "search", query=" ".join(text), **asked)
    if not found and not as_json:
        show.tell_wrapped(listing.nothing(" ".join(text), asked))
        return 1
    if as_json or not text:
        return _lines(found, as_json)
    for hit in found:
        for line in listing.hit(hit, show.width(), now_us(), text):
            show.say(show.shown(line))
    return 0


def _kind_option(rooms: Rooms) -> click.Option:
    return click.Option(["--kind"], default="", help=f"One of {', '.join(rooms['kinds'])}.", shell_complete=kinds)


def search(rooms: Rooms) -> click.Command:
    """The command: the help of `--kind` names the kinds of every room's items."""
    return with_options(_search, _kind_option(rooms))


@click.command()
@click.argument("around", default="", metavar="[ID|TIME]", shell_complete=recent_ids)
@click.option("--before", default=5, show_default=True, type=click.IntRange(0, 100), help="How many before it.")
@click.option("--after", default=5, show_default=True, type=click.IntRange(0, 100), help="How many after it.")
@_project_option
@json_option
@click.pass_obj
def timeline(call: Call, /, as_json: bool, **asked: Any) -> int:
    """List items before and after an id or a time. Without either: the newest.

    \b
    Examples:
      holdfast timeline o3fa9c21b --before 10
      holdfast timeline 2h
    """
    return _lines(_ask(call, "timeline", **asked), as_json)


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=recent_ids)
@json_option
@click.pass_obj
def show_items(call: Call, ids: tuple[str, ...], as_json: bool) -> int:
    """Show items in full, by their ids.

    \b
    Example:
      holdfast show o3fa9c21b
    """
    items = _ask(call, "get", ids=list(ids))
    missing = [each for each in ids if not any(item["full_id"].endswith(each.strip("[]")[-8:]) for item in items)]
    if as_json:
        show.say_json(items)
        return 1 if missing else 0
    for number, item in enumerate(items):
        if number:
            show.say()
        _tell(item | {"pages": _pages(item)})
    if missing:
        show.tell(f"Nothing is kept under {', '.join(show.plain(each) for each in missing)}.")
    return 1 if missing else 0


@click.command()
@click.argument("item", metavar="ID", shell_complete=recent_ids)
@json_option
@click.pass_obj
def why(call: Call, item: str, as_json: bool) -> int:
    """Explain an item: its origin, what was scrubbed, when and why it was injected.

    \b
    Example:
      holdfast why o3fa9c21b
    """
    known = _ask(call, "why", id=item)
    if as_json:
        show.say_json(known)
        return 0
    _tell(known["item"] | {"pages": _pages(known)})
    _tell({"project": known.get("project", ""), "worth": listing.worth(known.get("worth"))})
    for name in ("origin", "asked", "superseded"):
        if known.get(name):
            show.say()
            _tell(known[name], title=name)
    for each in known["objections"]:
        show.say()
        _tell(each, title="objection")
    show.say()
    times = show.many(len(known["shown"]), "time")
    show.say(f"shown {times}" if known["shown"] else "never given to a session unasked")
    for line in listing.showings(known["shown"], now_us()):
        show.say(show.fill(line, "  ", "    "))
    return 0


@click.command()
@click.argument("item", metavar="ID", shell_complete=recent_ids)
@click.option("--title", help="A new title.")
@click.option("--text", help="A new text.")
@click.option("--tag", "tags", multiple=True, help="A tag; repeat for several.")
@json_option
@click.pass_obj
def edit(call: Call, item: str, title: str | None, text: str | None, tags: tuple[str, ...], as_json: bool) -> int:
    """Correct an item.

    \b
    Example:
      holdfast edit m3fa9c21b --text "We deploy from main on Fridays only."
    """
    if title is None and text is None and not tags:
        raise UsageError("Say what to change: --title, --text or --tag.")
    changed = _ask(call, "edit", id=item, title=title, text=text, tags=list(tags) or None)
    return _said(changed, as_json)


@click.command()
@click.argument("old", metavar="ID", shell_complete=recent_ids)
@click.option("--by", "new", default="", metavar="ID", help="What took its place.")
@click.option("--reason", required=True, help="Why it no longer holds.")
@json_option
@click.pass_obj
def supersede(call: Call, old: str, new: str, reason: str, as_json: bool) -> int:
    """Mark an item as no longer true. It is ranked down and shown as superseded.

    An agent cannot do this to a user's words: they stay in force, and its objection is shown beside them.

    \b
    Example:
      holdfast supersede m3fa9c21b --reason "We moved to uv."
    """
    return _said(_ask(call, "supersede", old=old, new=new, reason=reason, by="user"), as_json)


def _ask(call: Call, tool: str, **arguments: Any) -> Any:
    return call.client().post(f"/api/tools/{tool}", arguments)


def _lines(found: list[dict[str, Any]], as_json: bool) -> int:
    if as_json:
        show.say_json(found)
        return 0 if found else 1
    if not found:
        show.tell("Nothing was found.")
        return 1
    for line in listing.rows(found, show.width(), now_us()):
        show.say(show.shown(line))
    return 0


def _tell(item: dict[str, Any], title: str = "") -> None:
    if title:
        show.say(title)
    for line in listing.fields(item, show.width(), now_us()):
        show.say(show.shown(line))


def _pages(told: dict[str, Any]) -> str:
    """The web pages that an item cites, a line each."""
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
