"""Walks a decoded JSON value without recursion (depth is the sender's choice), scrubs its strings and keys.
A name gives its value away (`"password": …`, `"--token", …`, `"name": "X_KEY", "value": …`); the lines of a
private key that stand in a list are read as one text.
"""

from typing import Any, Protocol

from .marks import Cut, cut, mark
from .steps import Pool

MARKER = "PRIVATE KEY"
KEY_ID = "private-key"
LABELLED = ("value", "val", "default", "content", "text", "secret")
CONTAINERS = (dict, list, tuple)  # made once: `dict | list | tuple` is an object anew each time it is written


class Scrubs(Protocol):
    def text(self, text: str, seen: Any = None, pool: Pool | None = None) -> tuple[str, tuple[str, ...]]: ...
    def suspects(self, texts: list[str]) -> dict[int, Any]: ...
    def named(self, name: str, value: str) -> str: ...
    def spans(self, data: bytes, pool: Pool | None = None) -> list[Cut]: ...


# Where a string stands: the container's id and the index or key in it.
Slot = tuple[int, object]


class _Walk:
    def __init__(self, scrubber: Scrubs, pool: Pool) -> None:
        self.scrubber = scrubber
        self.pool = pool
        self.found: list[str] = []
        self.changed: dict[Slot, str] = {}
        self.renamed: dict[str, str] = {}
        self.keys: dict[str, None] = {}
        self.texts: list[str] = []
        self.places: list[tuple[Slot, str]] = []
        self.lists: list[list[object] | tuple[object, ...]] = []

    def string(self, place: Slot, text: str, name: str) -> None:
        self.texts.append(text)
        self.places.append((place, name))

    def judge(self) -> None:
        """Scrubs what was gathered: one pass finds the few strings worth a second look."""
        keys = list(self.keys)
        suspects = self.scrubber.suspects(keys + self.texts)
        for index, key in enumerate(keys):
            if index in suspects and (scrubbed := self.scrubber.text(key, suspects[index], self.pool))[1]:
                self.renamed[key] = scrubbed[0]
                self.found += scrubbed[1]
        for index, (text, (place, name)) in enumerate(zip(self.texts, self.places, strict=True), len(keys)):
            new, found = self.scrubber.text(text, suspects[index], self.pool) if index in suspects else (text, ())
            if not found and name and (by_name := self.scrubber.named(name, text)):
                new, found = mark(by_name), (by_name,)
            if found:
                self.changed[place] = new
                self.found += found
        for items in self.lists:
            self.lines(items)

    def lines(self, items: list[object] | tuple[object, ...]) -> None:
        """A key spread over the strings of a list, as in a structured patch."""
        parts = [item.encode("utf-8", "surrogatepass") if isinstance(item, str) else b"" for item in items]
        places: dict[int, list[Cut]] = {}
        at, index = 0, 0
        for low, high, name in self.scrubber.spans(b"\n".join(parts), self.pool):
            if name != KEY_ID:
                continue
            self.found.append(name)
            while index < len(parts) and at < high:
                end = at + len(parts[index])
                if max(low, at) < min(high, end):
                    places.setdefault(index, []).append((max(low, at) - at, min(high, end) - at, name))
                if end >= high:
                    break
                at, index = end + 1, index + 1
        for index, cuts in places.items():
            rest = cut(parts[index], cuts).decode("utf-8", "surrogatepass")
            self.changed[(id(items), index)] = self.scrubber.text(rest, None, self.pool)[0]


def walk(value: object, scrubber: Scrubs, pool: Pool) -> tuple[object, tuple[str, ...]]:
    """The value with its strings scrubbed, and the ids found; the same object when there was nothing."""
    if isinstance(value, str):
        text, ids = scrubber.text(value, None, pool)
        return text, ids
    state = _Walk(scrubber, pool)
    stack: list[object] = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            _object(state, here, stack)
        elif isinstance(here, list | tuple):
            _list(state, here, stack)
    state.judge()
    if not state.found:
        return value, ()
    return _copy(value, state), tuple(state.found)


def _object(state: _Walk, here: dict[object, object], stack: list[object]) -> None:
    label = here.get("name") or here.get("key") or here.get("Name") or here.get("Key")
    for key, item in here.items():
        name = key if isinstance(key, str) else ""
        if name:
            state.keys[name] = None
        if isinstance(item, str):
            if label and isinstance(label, str) and name.lower() in LABELLED:
                name = label
            state.string((id(here), key), item, name)
        elif isinstance(item, CONTAINERS):
            stack.append(item)


def _list(state: _Walk, here: list[object] | tuple[object, ...], stack: list[object]) -> None:
    flag, marked = "", 0
    for index, item in enumerate(here):
        if isinstance(item, str):
            marked += MARKER in item
            state.string((id(here), index), item, flag)
            flag = item if item.startswith("--") and "=" not in item else ""
        else:
            flag = ""
            if isinstance(item, CONTAINERS):
                stack.append(item)
    if marked and len(here) > 1:
        state.lists.append(here)


def _copy(value: object, state: _Walk) -> object:
    """The same value built anew with the changes, again without recursion."""
    holder: list[object] = [None]
    stack: list[tuple[object, object, dict[object, object] | list[object]]] = [(value, 0, holder)]
    while stack:
        source, slot, target = stack.pop()
        made: object
        if isinstance(source, dict):
            fresh: dict[object, object] = {}
            for key, item in source.items():
                new_key = state.renamed.get(key, key) if isinstance(key, str) else key
                fresh[new_key] = _leaf(state, source, key, item)
                if isinstance(item, CONTAINERS):
                    stack.append((item, new_key, fresh))
            made = fresh
        else:
            assert isinstance(source, list | tuple)
            items = [_leaf(state, source, index, item) for index, item in enumerate(source)]
            stack += [(item, index, items) for index, item in enumerate(source) if isinstance(item, CONTAINERS)]
            made = items
        if isinstance(target, dict):
            target[slot] = made
        else:
            assert isinstance(slot, int)
            target[slot] = made
    return holder[0]


def _leaf(state: _Walk, source: object, slot: object, item: object) -> object:
    return state.changed.get((id(source), slot), item) if isinstance(item, str) else item
