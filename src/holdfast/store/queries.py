"""Named queries, read from files and checked when they are used.

A name is `<file>.<query>`, as in "journal.insert". A query may have a variant for one database. What a query means
is the business of its file and of its caller.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from holdfast.store.lex import StoreKind, rewrite

_NAME = re.compile(r"-- name: (?P<name>[a-z][a-z0-9_]*)(?: \[(?P<only>sqlite|postgresql)\])?")


class QueryError(Exception):
    """A mistake of ours: a query that does not exist, or is called with other parameters than it has."""


class NamedQuery:
    """One query as its database takes it (`text`), and the parameters it must be given (`params`).

    It is translated at its first use: of a thousand queries, the first events of a daemon use some dozens."""

    __slots__ = ("_kind", "_written", "name", "params", "text")

    text: str
    params: frozenset[str]

    def __init__(self, name: str, written: str, kind: StoreKind) -> None:
        self.name = name
        self._written = written
        self._kind = kind

    def __getattr__(self, name: str) -> str | frozenset[str]:
        """`text` and `params`, before they are set."""
        if name not in ("text", "params"):
            raise AttributeError(name)
        self.text, self.params = _translated(self._written, self._kind)
        return self.text if name == "text" else self.params

    def check(self, given: Iterable[str], /) -> None:
        """Raise, naming what is missing or too much."""
        given = frozenset(given)
        if given != self.params:
            missing = ", ".join(sorted(self.params - given)) or "none"
            extra = ", ".join(sorted(given - self.params)) or "none"
            raise QueryError(f"query {self.name}: missing parameters: {missing}; unknown parameters: {extra}")


class Queries(dict[str, NamedQuery]):
    """Queries by name."""

    def __missing__(self, name: str) -> NamedQuery:
        near = difflib.get_close_matches(name, self, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise QueryError(f"there is no query named {name} for this database{hint}")


def load(kind: StoreKind, files: Iterable[Path]) -> Queries:
    """The queries of these files, for one database."""
    found = Queries()
    variants: set[str] = set()
    for file in files:
        for name, only, text in _split(file.name, file.read_text(encoding="utf-8")):
            full = f"{file.stem}.{name}"
            if only not in (None, kind):
                continue
            if full in found and (only is None) == (full not in variants):
                raise QueryError(f"query {full} is written twice")
            if only is None and full in variants:
                continue
            if only is not None:
                variants.add(full)
            found[full] = translate(full, text, kind)
    return found


def translate(name: str, text: str, kind: StoreKind) -> NamedQuery:
    """A query with `:name` parameters, in the form its database's driver takes."""
    return NamedQuery(name, text, kind)


def _translated(text: str, kind: StoreKind) -> tuple[str, frozenset[str]]:
    params: set[str] = set()

    def param(found: str) -> str:
        params.add(found)
        # Python's format rules: inside the text given to psycopg, %% is a per cent sign.
        return f":{found}" if kind == "sqlite" else f"\0({found})s"

    text = rewrite(text, param=param).strip().removesuffix(";").rstrip()
    if kind == "postgresql":
        text = text.replace("%", "%%").replace("\0", "%")
    return text, frozenset(params)


def _is_said(lines: Iterable[str]) -> bool:
    """Is there anything but blank lines and comments?"""
    return any(line and not line.isspace() and not line.lstrip().startswith("--") for line in lines)


def _split(file: str, text: str) -> Iterator[tuple[str, str | None, str]]:
    """(name, database or None, text) of each query in a file."""
    head: tuple[str, str | None] | None = None
    lines: list[str] = []
    for line in [*text.splitlines(), None]:
        if line is not None and not line.startswith("-- name:"):
            lines.append(line)
            continue
        if head is None:
            if _is_said(lines):
                raise QueryError(f"{file}: text before the first '-- name:' line")
        elif not _is_said(lines):
            raise QueryError(f"{file}: query {head[0]} has no text")
        else:
            yield *head, "\n".join(lines)
        if line is not None:
            match = _NAME.fullmatch(line.rstrip())
            if match is None:
                raise QueryError(f"{file}: not a query's name: {line}")
            head, lines = (match["name"], match["only"]), []
