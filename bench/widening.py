"""Would recall find more if its question were widened by names that the code index knows?

The recorded sessions and questions of `bench.recorded`. Each question is searched as it is, and with names added: of a
place in a file (`src/tax.py:12`, a frame of a stack) the function around that line; of a function or class that it
names, the file that declares it; of two or three neighbouring words that make up a function's name, that name. Judged
are a search, and the three items with which an assembled context begins: those that a prompt is given come first there.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bench.figures import Report, Row, Sample, main
from bench.recorded import SHOWN, Score, World
from bench.work import scene
from bench.work.record import played
from tests.support.daemon import DaemonHome

from holdfast.rooms.code.rules import named_in
from holdfast.source.languages import language_of
from holdfast.source.model import CodeUnit
from holdfast.source.units import read_source

_PLACE = re.compile(r"([\w./-]+\.\w{1,4})(?::|\", line )(\d{1,6})")
_WORD = re.compile(r"[A-Za-z]{3,}")
_FEW = 2
_MOST_ADDED = 6


@dataclass(slots=True)
class Names:
    """What an index of a repository would know."""

    files: dict[str, tuple[CodeUnit, ...]] = field(default_factory=dict)
    of: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    joined: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_files(cls, files: Mapping[str, str]) -> Names:
        made = cls()
        for path, text in files.items():
            if not language_of(path):
                continue
            units = read_source(text.encode(), language_of(path)).units
            made.files[path] = units
            for unit in units:
                if unit.name and unit.kind != "file":
                    made.of[unit.name].append(path)
                    made.joined[re.sub(r"[\W_]+", "", unit.name).lower()] = unit.name
        return made

    def added(self, text: str) -> list[str]:
        """The names and files that a question is widened by."""
        found: dict[str, None] = {}
        for path, line in _PLACE.findall(text):
            for known, units in self.files.items():
                if known.endswith(path) or path.endswith(f"/{known}"):
                    around = [unit for unit in units if unit.name and unit.line <= int(line) <= unit.end_line]
                    found.update((unit.name, None) for unit in around)
        for name in named_in(text):
            paths = dict.fromkeys(self.of.get(name, ()))
            found.update((path, None) for path in paths if len(paths) <= _FEW)
        words = [word.lower() for word in _WORD.findall(text)]
        for size in (3, 2):
            for at in range(len(words) - size + 1):
                name = self.joined.get("".join(words[at : at + size]), "")
                if name:
                    found[name] = None
        return [name for name in found if name not in text][:_MOST_ADDED]


@dataclass(slots=True)
class Judged:
    """One way to ask."""

    search: Score = field(default_factory=Score)
    context: Score = field(default_factory=Score)


def first_three(world: World, project: str, text: str) -> list[str]:
    """The items with which a context for a question begins."""
    params = {"query": text, "project": str(world.dev / project), "limit": 3, "context_types": ["memories"]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "assemble_context", "params": params}
    encoded = json.dumps(body).encode()
    status, answer = world.home.request("POST", "/rpc", encoded, {"Content-Type": "application/json"})
    assert status == 200, answer
    return [each["id"] for each in answer["result"]["items"]]


def widened(text: str, added: Iterable[str]) -> str:
    names = " ".join(added)
    return f"{text}\n{names}" if names else text


def measure(chosen: argparse.Namespace) -> Report:
    ways = {"as it is": Judged(), "widened": Judged()}
    concerned = asked_of = 0
    home = DaemonHome()
    try:
        world = World(home, None)
        for name in scene.names()[: 1 if chosen.quick else None]:
            names = Names.of_files(played(name).files)
            for each in scene.questions(name).related:
                asked_of += 1
                added = names.added(each.prompt)
                if not added:
                    continue
                concerned += 1
                kept = {shown: item for shown, item in world.items.items() if item.project == name}
                fits = {shown for shown, item in kept.items() if item.turns & each.about}
                for judged, text in zip(ways.values(), (each.prompt, widened(each.prompt, added)), strict=True):
                    judged.search.add([shown in fits for shown in world.search(name, text)])
                    judged.context.add([shown in fits for shown in first_three(world, name, text)])
    finally:
        home.remove()
    base, own = ways["as it is"], ways["widened"]
    rows = [
        Row(f"{what}, {label}", "%", Sample.one(mine), Sample.one(theirs))
        for what, of_own, of_base in (("search", own.search, base.search), ("context", own.context, base.context))
        for label, mine, theirs in zip(SHOWN, of_own.percent(), of_base.percent(), strict=True)
        if what == "search" or label != "in the first 10"
    ]
    notes = [f"{concerned} of {asked_of} questions are widened; the figures are about these alone."]
    return Report("Widening recall's question", "CTX-3, MEM-7", "the question as it is", rows, notes)


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.widening")
