"""citations: the web pages whose readings are kept, and what they saved."""

from __future__ import annotations

from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.ids import now_us


@click.group()
def citations() -> None:
    """Show and forget the web pages whose readings are kept.

    A page that was read before answers a WebFetch when its origin has just proven that it did not change.

    \b
    Example:
      holdfast citations list
    """


@citations.command("list")
@click.option("--project", default="", metavar="NAME", help="Only pages of this project.")
@click.option("--limit", default=200, show_default=True, type=click.IntRange(1, 10_000), help="How many.")
@json_option
@click.pass_obj
def list_pages(call: Call, project: str, limit: int, as_json: bool) -> int:
    """List the pages, the last used first.

    \b
    Example:
      holdfast citations list --project website
    """
    pages = _ask(call, "list", project=project, limit=limit)
    if as_json:
        show.say_json(pages)
        return 0
    if not pages:
        show.say("No page is kept yet. A WebFetch keeps one when its origin gives validators.")
        return 0
    now = now_us()
    rows = [
        (
            show.plain(page["url"]),
            "team" if page["team"] else show.plain(page["project"]) or "all projects",
            str(page["readings"]),
            str(page["hits"]),
            show.clock(page["verified_at"], now),
            "changed since" if page["changed_at"] else "",
        )
        for page in pages
    ]
    for line in show.table(("page", "of", "readings", "hits", "verified", ""), rows, right=frozenset({2, 3})):
        show.say(line)
    return 0


@citations.command("show")
@click.argument("url")
@json_option
@click.pass_obj
def show_page(call: Call, url: str, as_json: bool) -> int:
    """Print what is kept of a page, reading by reading.

    \b
    Example:
      holdfast citations show https://docs.example.org/guide
    """
    pages = _ask(call, "show", url=url)
    if as_json:
        show.say_json(pages)
        return 0
    now = now_us()
    for kept in pages:
        page = kept["page"]
        pairs = [
            ("page", page["url"]),
            ("leads to", kept["final_url"]),
            ("version", page["version"]),
            ("validators", " ".join(filter(None, (kept["etag"], kept["last_modified"])))),
            ("verified", show.clock(page["verified_at"], now)),
            *([("changed", show.clock(page["changed_at"], now))] if page["changed_at"] else []),
        ]
        for line in show.facts((name, show.plain(value)) for name, value in pairs):
            show.say(line)
        for reading in kept["readings"]:
            show.say()
            show.say(show.paint(show.plain(f"{show.clock(reading['read_at'], now)}  {reading['prompt']}"), "bold"))
            for line in reading["text"].splitlines():
                show.say(show.plain_line(line))
    return 0


@citations.command("forget")
@click.argument("url")
@json_option
@click.pass_obj
def forget_page(call: Call, url: str, as_json: bool) -> int:
    """Remove a page and all its readings, in every project.

    \b
    Example:
      holdfast citations forget https://docs.example.org/guide
    """
    gone = _ask(call, "forget", url=url)
    if as_json:
        show.say_json(gone)
    else:
        show.say(f"Removed {gone['readings']} readings of {show.plain(url)}.")
    return 0


@citations.command("stats")
@json_option
@click.pass_obj
def stats(call: Call, as_json: bool) -> int:
    """Show how much is kept, how often it answered, and what that saved.

    \b
    Example:
      holdfast citations stats --json
    """
    told = _ask(call, "stats")
    if as_json:
        show.say_json(told)
        return 0
    pairs = (
        ("kept", f"{told['readings']} readings of {told['pages']} pages, {show.size(told['bytes'])}"),
        ("quota", show.size(told["max_bytes"])),
        ("hits", str(told["hits"])),
        ("misses", f"{told['changed']} pages had changed, {told['unproven']} could not be proven"),
        ("offline", f"{told['offered']} readings offered unverified"),
        ("saved", f"{show.span(told['saved_ms'] / 1000)} of waiting, {show.size(told['saved_bytes'])} of pages"),
    )
    for line in show.facts(pairs):
        show.say(line)
    return 0


def _ask(call: Call, tool: str, **arguments: Any) -> Any:
    return Client(call.home).post(f"/api/tools/citations_{tool}", arguments)
