"""Judges memory by sessions that were played before, without the client: a story takes seconds instead of a minute.

    python -m bench.story --keep DIR      plays, and keeps each home with every hook payload that reached its daemon
    python -m bench.story.replay DIR      sends those payloads through the product as it is now, and judges what it says

What is replayed is what the client said then: tools are not run again, and what depends on the state of a repository
at that moment (branches apart) is seen as it was at the end of the story. So the counts differ a little from those of a
play. They say whether a change helps or harms; the figures of the page come from plays.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.figures import parser_of
from bench.story import given
from bench.story.judge import Verdict, judge
from bench.story.listing import REPLAYED, page
from bench.story.model import DAY, Story, Turn, load, names, on_days
from bench.story.play import Played
from tests.contract.site import Site
from tests.conversations.talk import Talk, context

from holdfast.gitfiles import Heads
from holdfast.store import sqlite_url

RECORD = "record.jsonl"
_BEGINS = ("startup", "resume")
_SETTLES = frozenset({"Stop", "SessionEnd", "SubagentStop"})


@dataclass(frozen=True, slots=True)
class Event:
    """One hook payload, when and on which branch it came."""

    at_us: int
    source: str
    branch: str
    payload: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.payload.get("hook_event_name", ""))


def events_of(kept: Path, story: Story) -> list[Event]:
    """The payloads of a story, in the order of time, with the folders of the kept copy instead of those of the play."""
    text = (kept / "holdfast" / RECORD).read_text("utf-8")
    here = str(kept / "client")
    lines = [json.loads(line.replace(_root_of(text), here)) for line in text.splitlines()]
    places = {story.name, *(session.folder for session in story.sessions if session.folder)}
    folders = tuple(f"{here}/work/{place}" for place in places)
    found = [Event(line["at_us"], line["source"], line["branch"], line["payload"]) for line in lines]
    mine = {each.payload["session_id"] for each in found if _is_in(str(each.payload.get("cwd", "")), folders)}
    return sorted((each for each in found if each.payload["session_id"] in mine), key=lambda each: each.at_us)


def _is_in(folder: str, places: Sequence[str]) -> bool:
    return any(folder == place or folder.startswith(f"{place}/") for place in places)


def _root_of(text: str) -> str:
    """The folder of the play: what stands before `/work/` in the first folder."""
    cwd = json.loads(text.partition("\n")[0])["payload"]["cwd"]
    return str(cwd).partition("/work/")[0]


def mend_worktrees(kept: Path, story: Story) -> None:
    """Linked worktrees name their repository by its place during the play, or where the folder was kept before; and
    some were removed before its end. It is done before the stories are judged side by side: those of one home share
    its folders."""
    work = kept / "client" / "work"
    for link in work.glob("*/.git"):
        if link.is_file():
            _, _, place = link.read_text("utf-8").partition("/work/")
            link.write_text(f"gitdir: {work}/{place}", "utf-8")
    for session in story.sessions:
        if session.folder and not (work / session.folder).exists():
            git = ("git", "-C", str(work / story.name), "worktree", "add", "--quiet", "--force", "--detach")
            subprocess.run([*git, str(work / session.folder)], check=False, capture_output=True)


def replay(kept: Path, name: str) -> Verdict:
    return judged_again(kept, load(name))


def judged_again(kept: Path, story: Story) -> Verdict:
    """One story, judged session by session as a play is."""
    events = events_of(kept, story)
    moment = _Moment(events[0].at_us)
    ordered = sorted(story.sessions, key=lambda each: each.day)
    dated = on_days(story, events[0].at_us / 1e6 - ordered[0].day * DAY)
    folder = Path(tempfile.mkdtemp(prefix="hfr"))
    try:
        with moment:
            return asyncio.run(_judged(dated, events, moment, folder, str(kept)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _judged(story: Story, events: Sequence[Event], moment: _Moment, folder: Path, place: str) -> Verdict:
    from bench.story.run import commands_of_holdfast  # it plays, and needs a client's tools

    verdict, told, commands = Verdict(), list[Turn](), commands_of_holdfast()
    before: dict[str, list[given.Block]] = {}
    site = Site("sqlite", sqlite_url(folder / "holdfast.db"), folder / "backups")
    async with site.open() as store:
        talk = Talk(store)
        for session_events, session in zip(
            _by_session(events), sorted(story.sessions, key=lambda each: each.day), strict=False
        ):
            played = Played(story, session, before=before.get(session.resume, []))
            await _play(talk, session_events, played, moment)
            verdict += judge(played, told, [place, str(folder)], commands)
            told += session.turns
            before[session.name] = [*played.before, *played.blocks]
        await talk.service.close()
    return verdict


async def _play(talk: Talk, events: Sequence[Event], played: Played, moment: _Moment) -> None:
    turn = 0
    for event in events:
        moment.set(event)
        prompt = str(event.payload.get("prompt", ""))
        turn += event.name == "UserPromptSubmit" and not prompt.startswith("<task-notification")
        answer = await talk.tell(event.payload, source="command" if event.source == "command" else "http")
        for found in given.BLOCK.finditer(context(answer)):
            hook = given.HOOKS.get(event.name, event.name)
            to_agent = bool(event.payload.get("agent_id"))
            played.blocks.append(given.Block(found[1], hook, max(turn, 1), to_agent, found[2]))
        if event.name in _SETTLES:
            await talk.settle()


def _by_session(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The events from one start of the client to the next."""
    held: list[Event] = []
    for event in events:
        if event.name == "SessionStart" and event.payload.get("source") in _BEGINS and held:
            yield held
            held = []
        held.append(event)
    if held:
        yield held


class _Moment:
    """The time and the branch of the event that is replayed, for this process."""

    def __init__(self, at_us: int) -> None:
        self._at_us, self._branch = at_us, ""
        self._clock = (time.time_ns, time.time)
        self._heads = (Heads.at, Heads.branch_at)

    def set(self, event: Event) -> None:
        self._at_us, self._branch = event.at_us, event.branch

    def __enter__(self) -> None:
        _replace(time, "time_ns", lambda: self._at_us * 1_000)
        _replace(time, "time", lambda: self._at_us / 1e6)
        _replace(Heads, "at", lambda heads, worktree: "")
        _replace(Heads, "branch_at", lambda heads, worktree: self._branch)

    def __exit__(self, *_: object) -> None:
        for name, clock in zip(("time_ns", "time"), self._clock, strict=True):
            _replace(time, name, clock)
        for name, look in zip(("at", "branch_at"), self._heads, strict=True):
            _replace(Heads, name, look)


def _replace(owner: object, name: str, value: object) -> None:
    setattr(owner, name, value)


def kept_stories(folder: Path) -> Iterator[tuple[Path, str]]:
    for kept in sorted(folder.iterdir()):
        if (kept / "holdfast" / RECORD).exists():
            yield from ((kept, name) for name in names() if (kept / "client" / "work" / name).is_dir())


def main() -> None:
    parser = parser_of(__doc__ or "", "python -m bench.story.replay kept --project tallybook")
    parser.add_argument("folder", type=Path, help="what `python -m bench.story --keep` kept")
    parser.add_argument("--project", action="append", choices=names(), help="only this story (may be repeated)")
    parser.add_argument("--missed", action="store_true", help="name what was missed and what was forbidden")
    parser.add_argument("--judged", type=Path, metavar="PAGE", help="write the page for a judge, as `bench.story` does")
    chosen = parser.parse_args()
    stories = [each for each in kept_stories(chosen.folder) if not chosen.project or each[1] in chosen.project]
    if not stories:
        sys.exit(f"{chosen.folder} keeps no story that was recorded: python -m bench.story --keep {chosen.folder}")
    for kept, name in stories:
        mend_worktrees(kept, load(name))
    whole = Verdict()
    with ProcessPoolExecutor(min(len(stories), os.cpu_count() or 2)) as pool:
        for (_, name), verdict in zip(stories, pool.map(replay, *zip(*stories, strict=True)), strict=True):
            whole += verdict
            print(f"{name:<14} {_counts(verdict)}", flush=True)
            for each in verdict.missed if chosen.missed else ():
                print(f"  missed: {each}")
            for line in verdict.forbidden if chosen.missed else ():
                print(f"  forbidden: {line.session}, {line.hook}: {line.text}")
    print(f"{'all':<14} {_counts(whole)}")
    if chosen.judged:
        from bench.story.__main__ import report  # it plays, and needs a client's tools

        sessions = sum(len(load(name).sessions) for _, name in stories)
        before = chosen.judged.read_text("utf-8") if chosen.judged.exists() else ""
        text = page(whole.lines, report(whole, sessions), sessions, len(stories), before, REPLAYED)
        chosen.judged.write_text(text, "utf-8")


def _counts(verdict: Verdict) -> str:
    met = len(verdict.expectations) - len(verdict.missed)
    return f"{met} of {len(verdict.expectations)} met, {len(verdict.forbidden)} forbidden"


if __name__ == "__main__":
    main()
