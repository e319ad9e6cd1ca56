"""All families of all rooms: finds the room of an id, a letter or a kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from holdfast.errors import ConfigError
from holdfast.ids import ItemId
from holdfast.items.indexed import Family, Indexed, Listed, Page
from holdfast.items.model import Item
from holdfast.items.words import SHORT, read_id, short_id
from holdfast.store.interface import Reader


class Catalogue:
    """The items of all rooms that declare an index."""

    def __init__(self, rooms: Iterable[tuple[Iterable[Family], Indexed]] = ()) -> None:
        """`rooms`: the families of each room, with its index."""
        pairs = tuple(rooms)
        self.rooms = tuple(index for _, index in pairs)
        self._rooms: dict[str, Indexed] = {}
        self._families: dict[str, Family] = {}
        self._of_kind: dict[str, str] = {}
        self._of_letter: dict[str, str] = {}
        for families, index in pairs:
            for family in families:
                self._add(family, index)
        self.kinds: tuple[str, ...] = tuple(self._of_kind)
        """All kinds that a search may name."""
        self.unasked: tuple[str, ...] = tuple(kind for each in self._families.values() for kind in each.unasked)
        """Kinds that may be given to an agent that did not ask."""
        self.context_types: dict[str, float] = {}
        """The types of context that items are, with their weights."""
        for each in self._families.values():
            if each.context_type:
                before = self.context_types.get(each.context_type, 0.0)
                self.context_types[each.context_type] = max(before, each.context_weight)
        self.last_resorts = frozenset(each.name for each in self._families.values() if each.last_resort)

    def _add(self, family: Family, room: Indexed) -> None:
        if family.name in self._families:
            raise ConfigError(f"Two rooms have items of the family {family.name}; one of them needs another name.")
        if not (len(family.letter) == 1 and family.letter.isascii() and family.letter.islower()):
            raise ConfigError(f"The id letter of {family.name} is {family.letter!r}; it must be a letter from a to z.")
        if family.letter in self._of_letter:
            other = self._of_letter[family.letter]
            raise ConfigError(f"The families {other} and {family.name} have the same id letter, {family.letter}.")
        for kind in family.all_kinds:
            if kind in self._of_kind:
                other = self._of_kind[kind]
                raise ConfigError(f"The families {other} and {family.name} both have items of the kind {kind}.")
            self._of_kind[kind] = family.name
        strange = [kind for kind in family.unasked if kind not in family.all_kinds]
        if strange:
            raise ConfigError(f"`unasked`: kind {strange[0]} is not in family {family.name}.")
        self._of_letter[family.letter] = family.name
        self._families[family.name] = family
        self._rooms[family.name] = room

    def __iter__(self) -> Iterator[Family]:
        return iter(self._families.values())

    def family(self, name: str) -> Family:
        return self._families[name]

    def family_of_kind(self, kind: str) -> str:
        """The family that has items of this kind; '' when none has."""
        return self._of_kind.get(kind, "")

    def kinds_of_types(self, types: Collection[str]) -> tuple[str, ...]:
        """The kinds of items that are contexts of these types: those that may be given unasked, or all of a family that
        is given to nobody who did not ask. (A context is asked for.)"""
        return tuple(kind for each in self if each.context_type in types for kind in each.unasked or each.all_kinds)

    def short(self, listed: Listed) -> str:
        """An id as people and agents are shown it."""
        return short_id(self._families[listed.family].letter, listed.id)

    def item(self, reader: Reader, item_id: ItemId, owner: str, family: str = "") -> Item | None:
        """The item with this full id; its family, if it is known, saves looking in the others."""
        for name in (family,) if family in self._rooms else self._rooms:
            room = self._rooms[name]
            value = room.item(reader, name, item_id, owner)
            if value is not None:
                return Item(value, room.listed(value), room)
        return None

    def meant(self, reader: Reader, text: str, owner: str) -> list[Item]:
        """What an id in its long or short form may mean: nothing, one item, or (rarely) several."""
        read = read_id(text)
        if read is None or (read[0] and read[0] not in self._of_letter):
            return []
        letter, key = read
        if len(key) > SHORT:
            found = self.item(reader, ItemId(key), owner)
            return [found] if found else []
        names = (self._of_letter[letter],) if letter else tuple(self._rooms)
        ids = [(each, name) for name in names for each in self._rooms[name].by_short(reader, name, key, owner)]
        return [item for each, name in ids if (item := self.item(reader, each, owner, name)) is not None]

    def page(self, reader: Reader, wanted: Page, owner: str) -> list[Listed]:
        """Items of every room in the order of time."""
        rooms = (self._rooms[wanted.family],) if wanted.family else self.rooms
        lists: list[Sequence[Listed]] = [room.page(reader, wanted, owner) for room in rooms]
        found = [each for some in lists for each in some]
        found.sort(key=lambda each: (each.happened_at, each.id), reverse=not wanted.oldest_first)
        return found[: wanted.limit]
