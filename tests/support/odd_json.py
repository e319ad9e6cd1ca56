"""A seeded source of settings files as people and tools really leave them: any layout, any line ending, odd keys."""

from __future__ import annotations

import json
import random

KEYS = (
    "model",
    "permissions",
    "env",
    "Überschrift",
    "\u00e9\\t",
    "a/b",
    "",
    "hooks_",
    "statusLine",
    "日本",
    "\ud83d\ude00",
)
EVENTS = ("PreToolUse", "Stop", "PostToolUse", "SessionStart", "WorktreeCreate", "SomethingNew")


class OddJson:
    """One document after another, all valid, no two laid out alike."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.newline = self.random.choice(["\n", "\n", "\r\n"])
        self.unit = self.random.choice(["  ", "    ", "\t", " ", ""])
        self.layout = self.random.choice(["broken", "broken", "inline", "compact", "wild"])

    def document(self) -> bytes:
        if self.random.random() < 0.04:
            return self.random.choice([b"", b"  \n", b"\n", b"\xef\xbb\xbf"])
        mark = "\ufeff" if self.random.random() < 0.1 else ""
        tail = self.random.choice(["", self.newline, self.newline * 2, " "])
        return (mark + self._object(self._settings(), 0) + tail).encode("utf-8")

    def _settings(self) -> list[tuple[str, object]]:
        members: list[tuple[str, object]] = [
            (self.random.choice(KEYS), self._anything(0)) for _ in range(self.random.randint(0, 4))
        ]
        if self.random.random() < 0.7:
            members.insert(self.random.randint(0, len(members)), ("hooks", self._hooks()))
        if self.random.random() < 0.05:
            members.insert(0, ("hooks", self._hooks()))
        return members

    def _hooks(self) -> object:
        events = [event for event in EVENTS if self.random.random() < 0.4]
        if events and self.random.random() < 0.05:
            events.append(events[0])
        return _Members([(event, [self._group() for _ in range(self.random.randint(0, 2))]) for event in events])

    def _group(self) -> object:
        hooks: list[object] = [
            _Members([("type", "command"), ("command", f"echo {self.random.randint(0, 9)} 'ü'")])
            for _ in range(self.random.randint(0, 2))
        ]
        members: list[tuple[str, object]] = [("hooks", hooks)]
        if self.random.random() < 0.5:
            members.insert(self.random.randint(0, 1), ("matcher", "Bash|Edit"))
        return _Members(members)

    def _anything(self, depth: int) -> object:
        pick = self.random.randint(0, 6 if depth < 3 else 3)
        if pick == 0:
            return self.random.choice([0, -1, 1.5e10, 12345678901234567890, 0.1])
        if pick == 1:
            return self.random.choice([True, False, None])
        if pick <= 3:
            return self.random.choice(["", "plain", 'quote " back \\', "líne\nfeed\u2028", "\ud800", "{[,]}", "//"])
        if pick <= 5:
            count = self.random.randint(0, 3)
            return _Members([(self.random.choice(KEYS), self._anything(depth + 1)) for _ in range(count)])
        return [self._anything(depth + 1) for _ in range(self.random.randint(0, 3))]

    def _text(self, value: object, depth: int) -> str:
        if isinstance(value, _Members):
            return self._object(value.members, depth)
        if isinstance(value, list):
            return self._container("[", "]", [self._text(one, depth + 1) for one in value], depth)
        # A lone surrogate exists only as an escape; UTF-8 has no bytes for it.
        plain = isinstance(value, str) and value.isprintable() and self.random.random() < 0.7
        return json.dumps(value, ensure_ascii=not plain)

    def _object(self, members: list[tuple[str, object]], depth: int) -> str:
        pieces = []
        for key, value in members:
            name = json.dumps(key, ensure_ascii=key != "日本")
            pieces.append(f"{name}{self._space()}:{self._space(1)}{self._text(value, depth + 1)}")
        return self._container("{", "}", pieces, depth)

    def _container(self, opening: str, closing: str, pieces: list[str], depth: int) -> str:
        if not pieces:
            return opening + self.random.choice(["", "", " ", self.newline]) + closing
        broken = self.layout == "broken" or (self.layout == "wild" and self.random.random() < 0.5)
        if broken:
            inner, outer = self.newline + self.unit * (depth + 1), self.newline + self.unit * depth
            return opening + inner + f",{inner}".join(pieces) + outer + closing
        glue = "," if self.layout == "compact" else ", "
        return opening + self._space() + (self._space() + glue).join(pieces) + self._space() + closing

    def _space(self, usual: int = 0) -> str:
        if self.layout == "compact":
            return ""
        return self.random.choice(["", " ", "\t"]) if self.layout == "wild" else " " * usual


class _Members:
    """An object as its author wrote it: order and duplicates kept."""

    def __init__(self, members: list[tuple[str, object]]) -> None:
        self.members = members
