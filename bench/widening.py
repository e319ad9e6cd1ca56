"""Would recall find more if its question were widened by names that the code index knows?

The recorded sessions and questions of `bench.recorded`. Each question is searched as it is, and with names added: of a
place in a file (`src/tax.py:12`, a frame of a stack) the function around that line; of a function or class that it
names, the file that declares it; of two or three neighbouring words that make up a function's name, that name. Search
and what a prompt is given are judged as there.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bench.figures import Report, Row, Sample, main
from bench.recorded import Score, World
from bench.work import scene
from bench.work.record import played
from tests.support.daemon import DaemonHome

from holdfast.rooms.code.rules import named_in
from holdfast.source.languages import language_of
from holdfast.source.model import Unit
from holdfast.source.units import read_source

_PLACE = re.compile(r"([\w./-]+\.\w{1,4})(?::|\", line )(\d{1,6})")
_WORD = re.compile(r"[A-Za-z]{3,}")
_FEW = 2
_MOST_ADDED = 6


@dataclass(slots=True)
class Names:
    """What an index of a repository would know."""

    files: dict[str, tuple[Unit, ...]] = field(default_factory=dict)
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
    given: int = 0
    lines: int = 0
    right: int = 0
    falsely: int = 0


def widened(text: str, added: Iterable[str]) -> str:
    names = " ".join(added)
    return f"{text}\n{names}" if names else text


def measure(chosen: argparse.Namespace) -> Report:
    ways = {"as it is": Judged(), "widened": Judged()}
    concerned = asked_of = prompts = 0
    home = DaemonHome()
    try:
        world = World(home, None)
        for name in scene.names():
            names = Names.of_files(played(name).files)
            asked = scene.questions(name)
            related = asked.related[:5] if chosen.quick else asked.related
            for each in related:
                added = names.added(each.prompt)
                asked_of += 1
                concerned += bool(added)
                for way, judged in ways.items():
                    text = each.prompt if way == "as it is" else widened(each.prompt, added)
                    fits = {
                        shown for shown, kept in world.items.items() if kept.turns & each.about and kept.project == name
                    }
                    judged.search.add([shown in fits for shown in world.search(name, text)])
                    given = world.ask(name, text)
                    judged.given += any(shown in fits for shown in given)
                    judged.lines += len(given)
                    judged.right += sum(shown in fits for shown in given)
            others = [*asked.elsewhere, *asked.new_work]
            for prompt in others[:5] if chosen.quick else others:
                prompts += 1
                added = names.added(prompt)
                for way, judged in ways.items():
                    judged.falsely += bool(world.ask(name, prompt if way == "as it is" else widened(prompt, added)))
    finally:
        home.remove()
    base, own = ways["as it is"], ways["widened"]
    rows = [
        Row("given what it is about", "%", _percent(own.given, asked_of), _percent(base.given, asked_of)),
        Row("lines that are about it", "%", _percent(own.right, own.lines), _percent(base.right, base.lines)),
        Row(
            "given something, though about other or new work",
            "%",
            _percent(own.falsely, prompts),
            _percent(base.falsely, prompts),
        ),
    ]
    for label, mine, theirs in zip(
        ("first", "in the first 5", "in the first 10", "MRR"), own.search.percent(), base.search.percent(), strict=True
    ):
        rows.append(Row(f"search, {label}", "%", Sample.one(mine), Sample.one(theirs)))
    notes = [f"{asked_of} questions, of which {concerned} are widened; {prompts} prompts about other or new work."]
    return Report("Widening recall's question", "CTX-3, MEM-7", "the question as it is", rows, notes)


def _percent(part: int, of: int) -> Sample:
    return Sample.one(100 * part / max(1, of))


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.widening")
