"""The index of one project: a SQLite file of its own, which the child process writes and the daemon reads.

The only speaker of `index.sql`. It is a picture of files on this disk and can be made anew at any time. So it is no
part of the store: it is in no backup and no export, and a file of an older form, or a damaged one, is thrown away.

Units belong to a content, not to a path: worktrees and branches with the same file share it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from holdfast.paths import open_private
from holdfast.recall.tokens import terms
from holdfast.source.listing import ListedFile
from holdfast.source.model import (
    CodePlace,
    FileContent,
    FoundUnit,
    Frequencies,
    Imported,
    Importer,
    KnownFile,
    UnitRow,
    Use,
)
from holdfast.source.words import unit_words
from holdfast.store.queries import Queries, load

FORM = 5
"""Of the tables and of the words in them. A file of another form is made anew."""
_BUSY_SECONDS = 5.0
_FOLDER = Path(__file__).parent
_PRAGMAS = ("synchronous = OFF", "cache_size = -16384", "temp_store = MEMORY")
"""Nothing is lost for good with the file, so it is not waited for."""
_MOST_GONE = 100_000
"""Names that are gone, the newest."""
_AT_ONCE = 4
"""How many times the wanted units a search looks at, because some are of another folder or kind."""


@cache
def _queries() -> Queries:
    return load("sqlite", [_FOLDER / "index.sql"])


class IndexFile:
    """One connection to the index of one project."""

    def __init__(self, path: Path, *, writes: bool = False) -> None:
        self.path = path
        if writes:
            self._open_to_write()
        else:
            self._connection = _connect(path, "ro")
            if _form(self._connection) != FORM:
                self._connection.close()
                raise sqlite3.DatabaseError("it has another form")

    def _open_to_write(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for attempt in (1, 2):
            os.close(open_private(self.path, os.O_RDWR))
            self._connection = _connect(self.path, "rw")
            try:
                if self._is_ready():
                    return
            except sqlite3.DatabaseError as error:
                if attempt == 2 or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
                    raise
            self._connection.close()
            remove(self.path)
        raise sqlite3.DatabaseError("it cannot be made anew")

    def _is_ready(self) -> bool:
        """Make the tables of a new file; False when it has others."""
        self._connection.execute("PRAGMA journal_mode = WAL").fetchall()
        for pragma in _PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}").fetchall()
        form = _form(self._connection)
        if form == 0 and self._connection.execute("PRAGMA schema_version").fetchone()[0] == 0:
            schema = (_FOLDER / "schema.sql").read_text("utf-8")
            self._connection.executescript(f"BEGIN; {schema} PRAGMA user_version = {FORM}; COMMIT;")
            return True
        return form == FORM

    def close(self) -> None:
        self._connection.close()

    # --- queries by name

    def _all(self, query: str, **params: Any) -> list[Any]:
        return self._connection.execute(_queries()[f"index.{query}"].text, params).fetchall()

    def _one(self, query: str, **params: Any) -> Any:
        row = self._connection.execute(_queries()[f"index.{query}"].text, params).fetchone()
        return row[0] if row else None

    def _run(self, query: str, **params: Any) -> int:
        """Change something; the number of the row that was added."""
        return int(self._connection.execute(_queries()[f"index.{query}"].text, params).lastrowid or 0)

    def _many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        self._connection.executemany(_queries()[f"index.{query}"].text, rows)

    def begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")

    # --- what the child writes

    def tree(self, root: str) -> int:
        self._run("add_tree", path=root)
        return int(self._one("tree_id", path=root))

    def files(self, tree: int) -> dict[str, KnownFile]:
        return {path: KnownFile(*known) for path, *known in self._all("files", tree=tree)}

    def content(self, digest: bytes, language: str) -> int | None:
        found = self._one("content", digest=digest, language=language)
        return None if found is None else int(found)

    def add_content(self, digest: bytes, language: str, reading: FileContent | None, problem: str = "") -> int:
        """Write what a content holds, or why it could not be read."""
        content = self._run("add_content", digest=digest, language=language, problem=problem)
        if reading is None:
            return content
        for unit in reading.units:
            name, doc, body = unit_words(unit)
            number = self._run(
                "add_unit",
                content=content,
                kind=unit.kind,
                name=unit.name,
                container=unit.container,
                line=unit.line,
                end_line=unit.end_line,
            )
            self._run("add_words", unit=number, name=name, doc=doc, body=body)
            self._many("add_used", [{"name": used, "content": content, "unit": number} for used in unit.calls])
        self._many(
            "add_imported",
            [
                {"content": content, "key": key, "path": each.path, "names": " ".join(each.names)}
                for each in reading.imports
                for key in import_keys(each)
            ],
        )
        return content

    def put_file(self, tree: int, listed: ListedFile, content: int) -> None:
        before = self.file(tree, listed.path)
        self._run("put_file", tree=tree, content=content, **listed._asdict())
        if before is not None and before.content != content:
            self._run("note_gone", content=before.content, path=listed.path)

    def drop_files(self, tree: int, paths: Iterable[str]) -> None:
        """Forget these files. The names that only they declared are remembered as gone."""
        known = [(path, before.content) for path in paths if (before := self.file(tree, path)) is not None]
        self._many("drop_file", [{"tree": tree, "path": path} for path, _ in known])
        self._many("note_gone", [{"path": path, "content": content} for path, content in known])

    def drop_gone(self) -> None:
        """Forget the folders that are gone, with all that only they had."""
        for root in self.trees():
            if not os.path.isdir(root):
                tree = self.tree_id(root) or 0
                self.drop_files(tree, self.files(tree))
                self._run("drop_tree", tree=tree)
        self.prune()
        self._run("cut_gone", most=_MOST_GONE)

    def prune(self) -> None:
        """Remove contents that no file has."""
        for (content,) in self._all("unused_contents"):
            for query in ("drop_words", "drop_units", "drop_used", "drop_imported", "drop_content"):
                self._run(query, content=content)

    def note_whole(self, tree: int, at: int) -> None:
        """The tree is complete."""
        self._run("note_whole", tree=tree, at=at)

    # --- what the daemon reads

    def trees(self) -> dict[str, int]:
        """The folders of the index, with the moment at which each was complete; 0: it is not yet."""
        return dict(self._all("trees"))

    def tree_id(self, root: str) -> int | None:
        found = self._one("tree_id", path=root)
        return None if found is None else int(found)

    def counts(self, tree: int) -> dict[str, Any]:
        """Files and units of a tree, by language and by problem."""
        languages, problems = (dict(self._all(query, tree=tree)) for query in ("languages", "problems"))
        units = int(self._one("count_units", tree=tree) or 0)
        return {"files": sum(languages.values()), "units": units, "languages": languages, "left_out": problems}

    def file(self, tree: int, path: str) -> KnownFile | None:
        found = self._all("file", tree=tree, path=path)
        return KnownFile(*found[0]) if found else None

    def units_of(self, content: int) -> list[UnitRow]:
        return [UnitRow(*row) for row in self._all("units_of", content=content)]

    def importers(self, tree: int, keys: Sequence[str], limit: int = 2_000) -> list[Importer]:
        """Files whose imports end with one of these words."""
        found = self._all("importers", tree=tree, keys=_json(keys), limit=limit)
        return [Importer(path, content, imported, tuple(names.split())) for path, content, imported, names in found]

    def in_folder(self, tree: int, folder: str, limit: int = 300) -> list[tuple[str, int]]:
        """The files of one folder, and their contents."""
        first = f"{folder}/" if folder else ""
        found = self._all("in_folder", tree=tree, first=first, last=f"{folder}0" if folder else "\U0010ffff")
        return [(path, content) for path, content in found if "/" not in path[len(first) :]][:limit]

    def uses(self, contents: Iterable[int], names: Iterable[str], limit: int = 4_000) -> list[Use]:
        """Which of these names the units of these contents use."""
        found = self._all("uses", names=_json(names), contents=_json(contents), limit=limit)
        return [
            Use(name, content, "" if kind == "file" else f"{container}.{unit}" if container else unit)
            for name, content, kind, container, unit in found
        ]

    def declared_by(self, contents: Iterable[int], names: Iterable[str]) -> frozenset[tuple[int, str]]:
        """Which of these names these contents declare themselves."""
        return frozenset(self._all("declared_by", names=_json(names), contents=_json(contents)))

    def defined_elsewhere(self, tree: int, content: int, names: Iterable[str]) -> frozenset[str]:
        """Which of these names another file of the tree declares, too."""
        return frozenset(
            row[0] for row in self._all("defined_elsewhere", tree=tree, content=content, names=_json(names))
        )

    def declared(self, tree: int, name: str, limit: int = 50) -> list[FoundUnit]:
        """The units of this name."""
        return [_found(row) for row in self._all("declared", tree=tree, name=name, limit=limit)]

    def places_of(self, names: Iterable[str], limit: int = 500) -> list[CodePlace]:
        """Where these names are declared, in every folder of the index."""
        return [CodePlace(*row) for row in self._all("places_of", names=_json(names), limit=limit)]

    def gone_of(self, names: Iterable[str], limit: int = 100) -> list[tuple[str, str]]:
        """Those of these names that were declared once, and the files that did."""
        return list(self._all("gone_of", names=_json(names), limit=limit))

    def at_line(self, tree: int, path: str, line: int) -> UnitRow | None:
        """The innermost unit around a line."""
        found = self._all("at_line", tree=tree, path=path, line=line)
        return UnitRow(*found[0]) if found else None

    def frequencies(self, words: Sequence[str]) -> Frequencies:
        """In how many units each of these words stands."""
        return Frequencies(dict(self._all("frequencies", words=_json(words))), int(self._one("extent") or 0))

    def search(self, tree: int, groups: Sequence[Sequence[str]], kinds: Sequence[str], most: int) -> list[FoundUnit]:
        """Units of a folder that have all words of one of these groups, the best first, roughly."""
        if not groups:
            return []
        words = " OR ".join(f"({' AND '.join(map(_quoted, group))})" for group in groups)
        looked_at = _AT_ONCE * most
        while True:
            units = [unit for (unit,) in self._all("best", words=words, most=looked_at)]
            found = self._all("found", units=_json(units), tree=tree, kinds=_json(kinds), most=most)
            if len(found) >= most or len(units) < looked_at:
                return [_found(row) for row in found]
            looked_at *= _AT_ONCE  # other folders and kinds crowd these out

    def has_any_of(self, text: str) -> bool:
        """Does the index hold any word of a text, or the text as a part of a word? In doubt it does."""
        asked, part = frozenset(terms(text)), text.strip().lower()
        if self._all("frequencies", words=_json(asked)) or (part and self._one("has_part", part=part)):
            return True
        return any(
            not asked.isdisjoint(terms(name)) or (part and part in name.lower()) for (name,) in self._all("names")
        )

    def has_path(self, ending: str) -> bool:
        """Is a file whose path ends so in the index?"""
        return self._one("has_path", path=ending, ending=f"/{ending}") is not None


def _found(row: Sequence[Any]) -> FoundUnit:
    return FoundUnit(UnitRow(*row[:-2]), row[-2].split(), row[-1].split())


def import_keys(imported: Imported) -> list[str]:
    """The words by which an import is looked up: the last of its path, and each name taken from it."""
    last = imported.path.rstrip("./").rpartition("/")[2]
    return list(dict.fromkeys(key for key in (last, *imported.names) if key))


def is_damage(error: sqlite3.Error) -> bool:
    """Does SQLite say that the file is not whole, or none of its own?"""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def drop_gone(path: Path) -> None:
    """Forget the folders of an index that are gone. One that cannot be written now is left as it is."""
    with suppress(sqlite3.Error, OSError), closing(IndexFile(path, writes=True)) as index:
        index.begin()
        index.drop_gone()
        index.commit()


def remove(path: Path) -> None:
    """Remove an index with the files that SQLite keeps beside it."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def _json(values: Iterable[Any]) -> str:
    return json.dumps(list(dict.fromkeys(values)))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', "") + '"'


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _form(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
