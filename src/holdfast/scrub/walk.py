"""Walks a decoded JSON value without recursion (depth is the sender's choice), scrubs its strings and keys.
A name gives its value away (`"password": …`, `"--token", …`, `"name": "X_KEY", "value": …`); the lines of a
private key that stand in a list are read as one text.
"""

from bisect import bisect_right
from typing import Any, Protocol

from . import kube
from .marks import Cut, cut, mark
from .steps import Breathes, Pool

MARKER = "PRIVATE KEY"
KEY_ID = "private-key"
LABELLED = ("value", "val", "default", "content", "text", "secret", "parametervalue")
LABELS = ("name", "key", "Name", "Key", "ParameterKey", "field", "label")
SECRET_VALUE = "\x00secret"
"""In place of a name: the object as a whole says that its values are secrets."""
LABEL_NAMES = frozenset(LABELS)
CONTAINERS = (dict, list, tuple)  # made once: `dict | list | tuple` is an object anew each time it is written


class ScrubsText(Protocol):
    def text(self, text: str, seen: Any = None, pool: Pool | None = None) -> tuple[str, tuple[str, ...]]: ...
    def suspects(self, texts: list[str], breathe: Breathes | None = None) -> dict[int, Any]: ...
    def named(self, name: str, value: str) -> str: ...

    quiet_names: set[str]

    def is_telling(self, name: str) -> bool: ...
    def spans(self, data: bytes, pool: Pool | None = None) -> list[Cut]: ...


# Where a string stands: the container's id and the index or key in it.
Slot = tuple[int, object]


class _Walk:
    def __init__(self, scrubber: ScrubsText, pool: Pool) -> None:
        self.scrubber = scrubber
        self.pool = pool
        self.found: list[str] = []
        self.changed: dict[Slot, str] = {}
        self.renamed: dict[str, str] = {}
        self.keys: dict[str, None] = {}
        self.texts: list[str] = []
        self.names: dict[int, str] = {}
        self.firsts: list[int] = []
        self.owners: list[tuple[int, list[object] | None]] = []
        """For each container its first text, its id, and where its texts stand in it (None: one after the other)."""
        self.lists: list[list[object] | tuple[object, ...]] = []
        self.secrets: set[int] = set()

    def strings(self, owner: int, texts: list[str], slots: list[object] | None = None) -> int:
        """The strings of one container; the number of the first."""
        first = len(self.texts)
        self.texts += texts
        self.firsts.append(first)
        self.owners.append((owner, slots))
        return first

    def slot(self, index: int) -> Slot:
        at = bisect_right(self.firsts, index) - 1
        owner, slots = self.owners[at]
        inner = index - self.firsts[at]
        return owner, inner if slots is None else slots[inner]

    def judge(self) -> None:
        """Scrubs what was gathered: one pass finds the few strings worth a second look."""
        keys = list(self.keys)
        suspects = self.scrubber.suspects(keys + self.texts, self.pool.breathe)
        for index, key in enumerate(keys):
            if index in suspects and (scrubbed := self.scrubber.text(key, suspects[index], self.pool))[1]:
                self.renamed[key] = scrubbed[0]
                self.found += scrubbed[1]
        shift = len(keys)
        quiet, is_telling = self.scrubber.quiet_names, self.scrubber.is_telling
        telling = {
            at for at, name in self.names.items() if name not in quiet and (name == SECRET_VALUE or is_telling(name))
        }
        for index in sorted({index - shift for index in suspects if index >= shift} | telling):
            text, name = self.texts[index], self.names.get(index, "")
            at = index + shift
            new, found = self.scrubber.text(text, suspects[at], self.pool) if at in suspects else (text, ())
            if name == SECRET_VALUE:
                new, found = (mark(kube.ID), (kube.ID,)) if len(text) >= kube.LEAST else (text, ())
            elif not found and name and (by_name := self.scrubber.named(name, text)):
                new, found = mark(by_name), (by_name,)
            if found:
                self.changed[self.slot(index)] = new
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


def walk(value: object, scrubber: ScrubsText, pool: Pool) -> tuple[object, tuple[str, ...]]:
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
    label = None if LABEL_NAMES.isdisjoint(here) else next(here[one] for one in LABELS if one in here)
    if here.get("kind") == "Secret":
        state.secrets.update(id(item) for field in kube.FIELDS if isinstance(item := here.get(field), dict))
    is_secret = id(here) in state.secrets
    texts: list[str] = []
    slots: list[object] = []
    names: list[str] = []
    for key, item in here.items():
        name = key if isinstance(key, str) else ""
        if name:
            state.keys[name] = None
        if isinstance(item, str):
            if label and isinstance(label, str) and name.lower() in LABELLED:
                name = label
            texts.append(item)
            slots.append(key)
            names.append(SECRET_VALUE if is_secret else name)
        elif isinstance(item, CONTAINERS):
            stack.append(item)
    if texts:
        state.names.update(enumerate(names, state.strings(id(here), texts, slots)))


def _list(state: _Walk, here: list[object] | tuple[object, ...], stack: list[object]) -> None:
    texts = [item for item in here if isinstance(item, str)]
    slots: list[object] | None = None
    if len(texts) < len(here):
        slots = [index for index, item in enumerate(here) if isinstance(item, str)]
        stack += [item for item in here if isinstance(item, CONTAINERS)]
    if not texts:
        return
    first = state.strings(id(here), texts, slots)
    for index, text in enumerate(texts[:-1]):
        if text[:2] == "--" and "=" not in text and (slots is None or slots[index + 1] == int(str(slots[index])) + 1):
            state.names[first + index + 1] = text
    if len(here) > 1 and any(MARKER in text for text in texts):
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
