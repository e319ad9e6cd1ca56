"""Who uses a file: which other files use which of its names, and whether these are tests. Pure.

A use counts only where an import (or the language's folder rule) leads from the other file to this one, and the name is
not one that anything could have. What cannot be told is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from holdfast.source.links import is_test, link
from holdfast.source.model import Importer, UnitRow, Use

_COMMON_TEXT = """
add all any append apply begin build call check clean clear close commit connect copy count create delete describe
done each emit empty encode decode end equals error execute exists exit extend filter find finish first flush format
from get group handle hash head index init insert invoke item items iter join json key keys kind last len length list
load lock log main make map match max merge min move name names new next node notify open parse path ping pop post
print process push put query read ready reduce refresh register release remove render repeat replace request reset
resolve result resume return reverse run save search select send set setup show size skip sleep sort split start state
status stop store string strip sum sync tail take test text tick time toString toJSON trim type update url use valid
validate value values wait walk watch with wrap write
"""
COMMON = frozenset(_COMMON_TEXT.split())
"""Names of methods that many types have: a call of one says nothing about whose it is."""
_SHORT = 4


@dataclass(slots=True)
class Relation:
    """One file that uses another one."""

    path: str
    names: dict[str, list[str]] = field(default_factory=dict)
    """Each name that it uses, with the functions and classes that use it; '' is the file itself."""

    @property
    def is_test(self) -> bool:
        return is_test(self.path)

    def users(self) -> list[str]:
        """The functions and classes that use something, each once."""
        return list(dict.fromkeys(user for users in self.names.values() for user in users if user))


@dataclass(slots=True)
class _Linked:
    """What a file has of another one."""

    content: int
    whole: bool = False
    """The file itself, under a name: whatever is in it can be used."""
    loose: bool = False
    """Its folder, or a place in the same folder: names that only this file declares can be meant."""
    names: set[str] = field(default_factory=set)
    """Names of it."""
    exported: set[str] = field(default_factory=set)
    """Names of its package, which may be its own."""


def linked_files(
    target: str, importers: Iterable[Importer], neighbours: Iterable[tuple[str, int]]
) -> dict[str, _Linked]:
    """The files that an import leads from to the target."""
    found: dict[str, _Linked] = {}
    for path, content in neighbours:
        found.setdefault(path, _Linked(content)).loose = True
    for each in importers:
        how = link(each.path, each.imported, each.names, target)
        if how is None:
            continue
        linked = found.setdefault(each.path, _Linked(each.content))
        if how == "module":
            linked.whole = True
        elif how == "names":
            linked.names.update(each.names)
        elif each.names:
            linked.exported.update(each.names)
        else:
            linked.loose = True
    return found


def relations(
    units: Sequence[UnitRow],
    linked: Mapping[str, _Linked],
    uses: Iterable[Use],
    elsewhere: frozenset[str],
    own: frozenset[tuple[int, str]] = frozenset(),
) -> list[Relation]:
    """Who uses these units. `elsewhere` are names that other files declare, too; `own` those that the users themselves
    declare (content and name): their use may mean their own."""
    tops, methods = _tops(units), _methods(units, elsewhere)
    classes: dict[str, set[str]] = {}
    for unit in units:
        classes.setdefault(unit.name, set()).update(unit.container.split("."))
    paths: dict[int, list[str]] = {}
    for path, each in linked.items():
        paths.setdefault(each.content, []).append(path)
    found: dict[str, Relation] = {}
    for use in uses:
        for path in paths.get(use.content, ()) if (use.content, use.name) not in own else ():
            how = linked[path]
            if use.name in tops:
                only = use.name not in elsewhere
                is_sure = how.whole or use.name in how.names or (only and (how.loose or use.name in how.exported))
            else:
                is_sure = use.name in methods and bool(
                    how.whole or how.loose or how.names or classes[use.name] & how.exported
                )
            if is_sure:
                users = found.setdefault(path, Relation(path)).names.setdefault(use.name, [])
                if use.unit not in users:
                    users.append(use.unit)
    return sorted(found.values(), key=lambda each: (-len(each.names), each.path))


def _tops(units: Sequence[UnitRow]) -> set[str]:
    return {unit.name for unit in units if unit.name and not unit.container and unit.kind in ("function", "class")}


def _methods(units: Sequence[UnitRow], elsewhere: frozenset[str]) -> set[str]:
    found = {unit.name for unit in units if unit.name and unit.container and is_telling(unit.name)}
    return found - elsewhere - _tops(units)


def telling_names(units: Sequence[UnitRow], elsewhere: frozenset[str]) -> set[str]:
    """The names of these units whose use can be told apart."""
    return _tops(units) | _methods(units, elsewhere)


def is_telling(name: str) -> bool:
    """Does the name of a method say whose it is?"""
    return len(name) >= _SHORT and not name.startswith("__") and name not in COMMON
