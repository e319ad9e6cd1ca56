"""The rules in force: built in, the user's files, and the project's own, which can only add strictness.

Files are read again when they change. A broken rule is named in `problems`; all others hold.
"""

from __future__ import annotations

import logging
import os
import stat
import time
from collections import OrderedDict
from pathlib import Path

from holdfast.judging import packs
from holdfast.judging.matching import Packs, Rule

PROJECT_RULES = ".holdfast-guards.toml"
_MOST_PROJECTS = 64
LOOK_AGAIN_SECONDS = 1.0
_LARGEST = {"user": 1_000_000, "project": 64_000}
"""Bytes of one file, by its scope. A project's file comes with a clone: nobody may have looked at it."""
_MOST_RULES, _MOST_PATTERNS = 100, 250
"""Rules of a project, and all names and patterns in them: each is tried at every command of a line."""
log = logging.getLogger(__name__)

Stamp = tuple[tuple[str, int, int], ...]


class Rulebook:
    """Reads rule files, and remembers what they said until they change."""

    def __init__(self, folder: Path) -> None:
        """The user's files are `*.toml` and `*.json` in this folder."""
        self._folder = folder
        self._looked: dict[str, tuple[float, tuple[Packs, tuple[str, ...]] | None]] = {}
        self._known: OrderedDict[str, tuple[Stamp, Packs, tuple[str, ...]]] = OrderedDict()

    def packs(self, root: str = "") -> Packs:
        """All rules in force in a project."""
        return self._read(root)[0]

    def problems(self, root: str = "") -> tuple[str, ...]:
        """What is wrong with rule files, a sentence each."""
        return self._read(root)[1]

    def all_problems(self) -> tuple[str, ...]:
        """The same for the user's files and those of every project that was asked about since the start."""
        roots = dict.fromkeys(("", *self._known))
        return tuple(dict.fromkeys(said for root in roots for said in self.problems(root)))

    def _read(self, root: str) -> tuple[Packs, tuple[str, ...]]:
        """What is in force. The files are looked at once in a second, not at each call."""
        now = time.monotonic()
        looked, known = self._looked.get(root, (0.0, None))
        if known is not None and now - looked < LOOK_AGAIN_SECONDS:
            return known
        known = self._read_files(root)
        if len(self._looked) > _MOST_PROJECTS:
            self._looked.clear()
        self._looked[root] = (now, known)
        return known

    def _read_files(self, root: str) -> tuple[Packs, tuple[str, ...]]:
        files = [(file, "user") for kind in ("*.toml", "*.json") for file in sorted(self._folder.glob(kind))]
        if root:
            files.append((Path(root) / PROJECT_RULES, "project"))
        stamp = tuple(_stamp(file) for file, _ in files)
        known = self._known.get(root)
        if known is None or known[0] != stamp:
            found, problems = packs.built_in(), list[str]()
            for file, scope in files:
                rules, wrong = _rules_of(file, scope)
                problems += wrong
                found = packs.with_more(found, rules) if rules else found
            problems += packs.twice(found.rules)
            known = self._known[root] = (stamp, found, tuple(problems))
            while len(self._known) > _MOST_PROJECTS:
                self._known.popitem(last=False)
        return known[1], known[2]


def _stamp(file: Path) -> tuple[str, int, int]:
    try:
        info = file.stat()
    except (OSError, ValueError):  # ValueError: the folder that the client names holds a NUL
        return str(file), 0, 0
    return str(file), info.st_mtime_ns, info.st_size


def _rules_of(file: Path, scope: str) -> tuple[list[Rule], list[str]]:
    """The rules of one file. Whatever is wrong with it, no other rule is lost."""
    try:
        text = _text_of(file, scope)
        reader = packs.read_json if file.suffix == ".json" else packs.read
        rules, _, problems = reader(text, str(file), scope=scope)
    except FileNotFoundError:
        if file.is_symlink():
            return [], [f"{file}: it is a link that leads nowhere; none of its rules is in force."]
        return [], []
    except (OSError, ValueError) as error:
        return [], [f"{file}: it cannot be read ({error}); none of its rules is in force."]
    except Exception:  # our own fault must not switch the built-in rules off
        log.exception("the rules of %s could not be read", file)
        return [], [f"{file}: it cannot be read; none of its rules is in force."]
    if scope == "project":
        problems += [f"{each.where}, action: a project cannot allow. This rule is passed over; the others are in force."
                     for each in rules if each.action == "allow"]  # fmt: skip
        rules = [each for each in rules if each.action != "allow"]
        rules, more = _as_many_as_may_be(rules)
        problems += more
    return rules, problems


def _as_many_as_may_be(rules: list[Rule]) -> tuple[list[Rule], list[str]]:
    """The first rules of a project, up to what may be tried at every command; and what is said of the others."""
    patterns = 0
    for number, rule in enumerate(rules):
        patterns += sum(len(place) for way in rule.words for place in way) + len(rule.arguments)
        patterns += sum(map(len, (rule.programs, rule.any, rule.all, rule.none, rule.tools, rule.paths)))
        patterns += sum(map(len, (rule.environment, rule.efforts, rule.phases, rule.agents, rule.piped_from)))
        if number >= _MOST_RULES or patterns > _MOST_PATTERNS:
            said = f"a project has at most {_MOST_RULES} rules with {_MOST_PATTERNS} names and patterns in all."
            return rules[:number], [f"{rule.where}, id: {said} This rule and those behind it are not in force."]
    return rules, []


def _text_of(file: Path, scope: str) -> str:
    """The text of a regular file of a bounded size. A project's file is no link: it could lead anywhere."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (os.O_NOFOLLOW if scope == "project" else 0)
    most = _LARGEST[scope]
    with open(file, "rb", opener=lambda path, _: os.open(path, flags)) as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise ValueError("it is no regular file")
        told = opened.read(most + 1)
    if len(told) > most:
        raise ValueError(f"it is larger than {most} bytes")
    return told.decode("utf-8")
