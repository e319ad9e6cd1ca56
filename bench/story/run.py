"""Plays stories and judges every session as it ends: the sessions of one world in order, worlds side by side."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.story.judge import Verdict, judge
from bench.story.model import DAY, Story, Turn, on_days
from bench.story.play import Played, Player
from bench.story.world import World

BEGAN_DAYS_AGO = 30.0


def play(world: World, *, progress: bool = True) -> tuple[list[Played], Verdict]:
    """All sessions of a world, in the order of their days."""
    first_day = time.time() - BEGAN_DAYS_AGO * DAY
    stories = [on_days(story, first_day) for story in world.stories]
    ordered = sorted(
        ((session.day, story, session) for story in stories for session in story.sessions),
        key=lambda each: each[0],
    )
    player = Player(world, first_day)
    commands = commands_of_holdfast()
    places = [str(world.claude.home.parent), str(world.daemon.home.root)]
    told: dict[str, list[Turn]] = {story.name: [] for story in world.stories}
    every, verdict = [], Verdict()
    for _, story, session in ordered:
        began = time.monotonic()
        played = player.play(story, session)
        own = judge(played, told[story.name], places, commands)
        told[story.name] += session.turns
        every.append(played)
        verdict += own
        if progress:
            met = len(own.expectations) - len(own.missed)
            counts = f"{met}/{len(own.expectations)} met, {len(own.forbidden)} forbidden"
            print(f"{played.name:<28} {time.monotonic() - began:5.1f} s   {counts}", file=sys.stderr, flush=True)
    return every, verdict


def commands_of_holdfast() -> frozenset[str]:
    """The first words of every command."""
    program = Path(sys.executable).parent / "holdfast"
    done = subprocess.run([str(program), "--help"], capture_output=True, text=True, check=True)
    return frozenset(re.findall(r"^  ([a-z][\w-]*)  ", done.stdout, re.MULTILINE))


_OWN_TOOL = re.compile(r"\.\./tools/([\w-]+)")


def shared_out(stories: Sequence[Story], homes: int) -> list[list[Story]]:
    """The stories in so many groups of like size. The tools of a home are its stories' own: two that each bring a
    `mix` are not in one home, if there is another."""
    groups: list[list[Story]] = [[] for _ in range(homes)]

    def brings(story: Story) -> set[str]:
        return {tool for session in story.sessions for line in session.before for tool in _OWN_TOOL.findall(line)}

    for story in sorted(stories, key=lambda each: not brings(each)):
        clashes = [sum(bool(brings(story) & brings(other)) for other in group) for group in groups]
        best = min(range(homes), key=lambda at: (clashes[at], len(groups[at])))
        groups[best].append(story)
    return groups


def play_all(stories: Sequence[Story], keep: Path | None, worlds: int) -> Verdict:
    """The stories shared out over homes that are played side by side. Ctrl-C ends them all and leaves nothing."""
    groups = shared_out(stories, min(worlds, len(stories)))
    made: list[World] = []
    verdict = Verdict()

    def one(group: list[Story]) -> Verdict:
        world = World(group, keep)
        made.append(world)
        with world:
            return play(world)[1]

    for number in (signal.SIGINT, signal.SIGTERM):  # a shell starts background jobs with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    with ThreadPoolExecutor(len(groups)) as pool:
        playing = [pool.submit(one, group) for group in groups]
        try:
            for each in playing:
                verdict += each.result()
        except BaseException:
            for world in made:
                world.stop()
            raise
    return verdict
