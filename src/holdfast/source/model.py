"""The values of this package. Pure."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

CodeKind = Literal["file", "function", "method", "class", "section"]
"""`file`: what stands outside every function and class. `section`: a piece of a file that no grammar reads."""


class CodeUnit(Struct, frozen=True, array_like=True):
    """One function, method or class of a file."""

    kind: CodeKind
    name: str
    """'' for the file itself: the same content may stand under several names."""
    container: str
    """The classes or functions that it stands in, joined by dots."""
    line: int
    end_line: int
    doc: str = ""
    """Its documentation: the docstring, or the comment above it."""
    body: str = ""
    """Its text, without that of the functions and classes inside it."""
    calls: tuple[str, ...] = ()
    """Names that it calls, inherits from or has as a type."""

    @property
    def qualified(self) -> str:
        return f"{self.container}.{self.name}" if self.container else self.name


class Imported(Struct, frozen=True, array_like=True):
    """What one import statement names."""

    path: str
    """With `/` between its parts, as `holdfast/rooms/code`; `./` and `../` begin a path relative to the file."""
    names: tuple[str, ...] = ()
    """What is taken from it by name."""


class FileContent(Struct, frozen=True):
    """What one file holds."""

    language: str
    units: tuple[CodeUnit, ...] = ()
    imports: tuple[Imported, ...] = ()
    parsed: bool = True
    """By a grammar; False: by lines alone."""


class ReadLimits(Struct, frozen=True):
    """How much is taken of one folder, and what of it."""

    files: int = 20_000
    file_bytes: int = 1_000_000
    exclude: tuple[str, ...] = ()
    """Patterns of paths that are left out, such as `docs/*`."""
    allow: tuple[str, ...] = ()
    """Texts that look like secrets and are none (`scrub.allow`)."""


class IndexProgress(Struct, frozen=True):
    """How far a folder is."""

    total: int = 0
    """Files that belong into the index."""
    left: int = 0
    """Of these, the files that are not in it yet, or changed since."""
    read: int = 0
    """Files that were read just now."""
    gone: int = 0
    units: int = 0
    skipped: tuple[tuple[str, str], ...] = ()
    """Files that cannot be read, with the reason: those that were met just now."""
    cut: bool = False
    """The folder has more files than the limit."""


# --- as the index has them


class KnownFile(NamedTuple):
    """A file as the index has it."""

    content: int
    size: int
    changed_ns: int


class CodePlace(NamedTuple):
    """Where a name is declared."""

    name: str
    path: str
    tree: int
    size: int
    changed_ns: int


class UnitRow(NamedTuple):
    """A unit with the file it stands in."""

    path: str
    kind: str
    name: str
    container: str
    line: int
    end_line: int
    changed_ns: int = 0
    size: int = 0
    score: float = 0.0

    @property
    def qualified(self) -> str:
        return f"{self.container}.{self.name}" if self.container else self.name


class FoundUnit(NamedTuple):
    """A unit with its words, for a search."""

    row: UnitRow
    doc: list[str]
    body: list[str]


class Frequencies(NamedTuple):
    """In how many units each word stands, and how many units there are."""

    of: dict[str, int]
    units: int


class Importer(NamedTuple):
    """A file that may import another one."""

    path: str
    content: int
    imported: str
    names: tuple[str, ...]


class Use(NamedTuple):
    """A name that a unit of another file uses."""

    name: str
    content: int
    unit: str
