"""Which names of code in a text were declared here once, and whether they still are.

An item that names a function may be older than the function's end. That a name is gone is said only of one that the
index saw: most names in a text are another project's. The index may be behind, so the files themselves are asked: a
name that still stands in a file that declared it is left alone until the file is read again.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence

from holdfast.rooms.code import rules
from holdfast.source.index_file import IndexFile
from holdfast.source.listing import look
from holdfast.source.model import CodePlace

_MOST_FILES = 6
"""Of one name that are looked into."""


def standing(index: IndexFile, root: str, text: str, largest: int) -> Mapping[str, str]:
    """The names of a text that some folder of the index declares or declared, each with the file that no longer has it
    here; '' when the name still stands. Names about which nothing is sure are left out."""
    told = rules.told_of(text)
    if not told or not index.trees().get(root):
        return {}  # nothing is named, or the folder is not read as a whole yet
    names = list(told)
    tree = index.tree_id(root)
    places: dict[str, list[CodePlace]] = {}
    for place in index.places_of(names):
        places.setdefault(place.name, []).append(place)
    gone: dict[str, list[str]] = {}
    for name, path in index.gone_of(set(names) - places.keys() | _elsewhere(places, tree)):
        gone.setdefault(name, []).append(path)
    found: dict[str, str] = {}
    for name in names:
        here = [each for each in places.get(name, ()) if each.tree == tree]
        if any(_is_as_known(root, each) for each in here):
            found[name] = ""
            continue
        paths = [each.path for each in (*here, *places.get(name, ()))] + gone.get(name, [])
        meant = {"", "self", "this", "cls", "super", *places, *gone, *(_stem(path) for path in paths)}
        if paths and not told[name].isdisjoint(meant) and not _is_written(root, paths, name, largest):
            found[name] = paths[0]
    return found


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _elsewhere(places: Mapping[str, Sequence[CodePlace]], tree: int | None) -> set[str]:
    """Names that only other folders declare now."""
    return {name for name, of_name in places.items() if all(each.tree != tree for each in of_name)}


def _is_as_known(root: str, place: CodePlace) -> bool:
    found = look(root, place.path)
    return found is not None and (found.size, found.changed_ns) == (place.size, place.changed_ns)


def _is_written(root: str, paths: Iterable[str], name: str, largest: int) -> bool:
    """Does the name stand in one of these files as they are now? In doubt it does."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])".encode())
    for path in list(dict.fromkeys(paths))[:_MOST_FILES]:
        found = look(root, path)
        if found is None:
            continue
        if found.size > largest:
            return True
        try:
            with open(os.path.join(root, path), "rb") as file:
                if word.search(file.read(largest)):
                    return True
        except OSError:
            return True
    return False
