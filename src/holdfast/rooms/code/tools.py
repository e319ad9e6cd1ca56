"""What people and agents can ask of this room, as data. The doors serve it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from holdfast.errors import NothingFound, UsageError
from holdfast.events.caller import Caller
from holdfast.events.scene import Services
from holdfast.events.tool import Tool, Verb
from holdfast.items.sources import ContextLine, ContextQuery
from holdfast.prose.one_line import one_line
from holdfast.rooms.code import rules, verbs
from holdfast.rooms.code.service import KINDS, Code, Tree, root_of
from holdfast.source.languages import language_of
from holdfast.source.model import UnitRow
from holdfast.worktree_paths import inside

_WITHIN = 3.0
"""Seconds that a search waits for files that changed; then it answers from what is read."""
_LIKE = 0.25
"""Code that is less alike is not called similar."""
_LONGEST_SIGNATURE = 200
_SIGNATURE_LINES = 3
"""Read of a unit to show its first one: a secret may go over several."""
_SMALL = 40
_NOT_YET = "This folder is not indexed yet. `holdfast code index` does it now."

_Folder = Annotated[str, Meta(description="A folder of the project; empty: this one.")]
_Limit = Annotated[int, Meta(ge=1, le=100, description="How many, the best first.")]


class SearchCode(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(min_length=1, description="Words, or a name.")]
    kind: Annotated[Literal["", "function", "class"], Meta(description="Only these; a method is a function.")] = ""
    limit: _Limit = 10
    folder: _Folder = ""


class SimilarCode(Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(min_length=1, description="Some code, or FILE:LINE, or a function's name.")]
    limit: _Limit = 5
    folder: _Folder = ""


class OutlineFile(Struct, frozen=True, forbid_unknown_fields=True):
    file: Annotated[str, Meta(min_length=1, description="The file to outline.")]
    folder: _Folder = ""


class IndexCode(Struct, frozen=True, forbid_unknown_fields=True):
    folder: _Folder = ""
    step: Annotated[int, Meta(ge=0, description="The number of the call; the command line sets it.")] = 0


class CodeLine(Struct, frozen=True):
    path: str
    line: int
    end_line: int
    kind: str
    name: str
    signature: str
    score: float


class Searched(Struct, frozen=True):
    folder: str
    found: list[CodeLine]
    note: str = ""
    """What the reader should know of the answer: that some files are not read yet."""


class OutlinePart(Struct, frozen=True):
    kind: str
    name: str
    line: int
    end_line: int


class Outline(Struct, frozen=True):
    file: str
    language: str
    parsed: bool
    parts: list[OutlinePart]


class IndexedFolder(Struct, frozen=True):
    """How far the index of a folder is."""

    folder: str
    done: int
    total: int
    skipped: list[str]
    index: dict[str, Any]
    cut: bool = False
    next: dict[str, Any] | None = None
    """The fields of the next call; None when all is read."""


async def _tree(service: Code, named: str, caller: Caller) -> Tree:
    root = _root(named, caller)
    tree = await service.tree_at(root)
    if tree is None:
        raise NothingFound(_NOT_YET)
    return tree


def _root(named: str, caller: Caller) -> str:
    folder = os.path.join(caller.folder or "/", os.path.expanduser(named)) if named else caller.folder
    if not folder or not os.path.isdir(folder):
        raise UsageError(f"There is no folder {named or '(none was named)'}; name one with `folder`.")
    return root_of(folder)


async def search_code(asked: SearchCode, caller: Caller) -> Searched:
    service = caller.services.get(Code)
    tree = await _tree(service, asked.folder, caller)
    is_current = await service.compared(tree, _WITHIN)
    kinds = {"function": ("function", "method"), "class": ("class",)}.get(asked.kind, KINDS)
    rows = await service.search(tree, asked.query, kinds=kinds, limit=asked.limit)
    note = "" if is_current else "Some files changed just now and are not read yet."
    return Searched(tree.root, await _lines(service, tree.root, rows), note)


async def find_similar_code(asked: SimilarCode, caller: Caller) -> Searched:
    service = caller.services.get(Code)
    tree = await _tree(service, asked.folder, caller)
    is_current = await service.compared(tree, _WITHIN)
    text, own = await _meant(service, tree, asked.code)
    rows = await service.search(tree, text[:4_000], kinds=("function", "method", "class"), limit=60)
    others = [row for row in rows if not own or (row.path, row.line) != (own.path, own.line)]
    texts = await service.texts_of(tree.root, others)
    found = [row._replace(score=rules.likeness(text, its)) for row, its in zip(others, texts, strict=True)]
    found = sorted((row for row in found if row.score >= _LIKE), key=lambda row: -row.score)
    note = "" if is_current else "Some files changed just now and are not read yet."
    return Searched(tree.root, await _lines(service, tree.root, found[: asked.limit]), note)


async def _meant(service: Code, tree: Tree, code: str) -> tuple[str, UnitRow | None]:
    """The code that is meant, and where it stands, if it is named."""
    path, colon, line = code.strip().rpartition(":")
    if colon and line.isdigit() and "\n" not in code:
        file = inside(path, tree.root)
        row = await service.unit_at(tree, file, int(line)) if file else None
        if row is None:
            raise NothingFound(f"There is no function or class at {code.strip()} in the index.")
        return (await service.texts_of(tree.root, [row]))[0], row
    if len(code.split()) == 1 and len(code) < 2 * _SMALL:
        name = code.strip().removesuffix("()").split(".")[-1]
        for row in await service.search(tree, name, kinds=("function", "method", "class"), limit=5):
            if row.name == name:
                return (await service.texts_of(tree.root, [row]))[0], row
        raise NothingFound(f"No function or class is named {name} here.")
    return code, None


async def _lines(service: Code, root: str, rows: Sequence[UnitRow]) -> list[CodeLine]:
    texts = await service.texts_of(root, rows, most=_SIGNATURE_LINES)
    return [
        CodeLine(row.path, row.line, row.end_line, row.kind, row.qualified, _signature(text), row.score)
        for row, text in zip(rows, texts, strict=True)
    ]


def _signature(text: str) -> str:
    first = one_line(text.partition("\n")[0], _LONGEST_SIGNATURE)
    return f"{first}…)" if first.endswith("(") else first


async def outline(asked: OutlineFile, caller: Caller) -> Outline:
    service = caller.services.get(Code)
    folder = caller.folder or "/"
    path = os.path.join(folder, os.path.expanduser(asked.folder), os.path.expanduser(asked.file))
    language = language_of(path)
    if not language:
        raise UsageError(f"{asked.file} has no ending of a programming language.")
    try:
        data = await asyncio.to_thread(_contents, path, service.settings.largest_file + 1)
    except OSError as error:
        raise NothingFound(f"{asked.file} cannot be read: {error.strerror}.") from error
    if len(data) > service.settings.largest_file:
        raise UsageError(f"{asked.file} is larger than {service.settings.largest_file} bytes (`code.largest_file`).")
    reading = await service.worker.read(path, data.decode("utf-8", "replace"))
    parts = [
        OutlinePart(unit.kind, unit.qualified, unit.line, unit.end_line)
        for unit in reading.units
        if unit.kind != "file"
    ]
    return Outline(asked.file, language, reading.parsed, parts)


def _contents(path: str, most: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(most)


async def index_code(asked: IndexCode, caller: Caller) -> IndexedFolder:
    service = caller.services.get(Code)
    root = _root(asked.folder, caller)
    if root in ("/", os.path.expanduser("~"), os.path.realpath(os.path.expanduser("~"))):
        raise UsageError(f"{root} is no project; nothing was read. Go to a project's folder, or name it.")
    done = await service.step(root, is_asked_for=True)
    assert done is not None
    counts = await service.counts(root) if not done.left else {}
    return IndexedFolder(
        folder=root,
        done=done.total - done.left,
        total=done.total,
        skipped=[f"{path}: {reason}" for path, reason in done.skipped],
        index=counts,
        cut=done.cut,
        next={"step": asked.step + 1} if done.left else None,
    )


async def lines_for(query: ContextQuery, services: Services) -> list[ContextLine]:
    """Code for an assembled context. Only a name that the query writes as code is a sure fit; a search by words is a
    guess, and is not made where nobody asked."""
    names = rules.named_in(query.text)
    if not query.folder or not (names if query.unasked else query.text.strip()):
        return []
    service = services.get(Code)
    tree = await service.tree_at(query.folder)
    if tree is None:
        return []
    if query.unasked:
        rows = await service.named(tree, names, query.limit)
    else:
        rows = await service.search(tree, query.text, limit=query.limit)
        service.compare_soon(tree)  # what is not read yet is found the next time
    best = max((row.score for row in rows), default=0.0) or 1.0
    return [
        ContextLine(
            id=f"{row.path}:{row.line}",
            type="code",
            text=one_line(f"file: {line.signature} ({row.path}:{row.line})"),
            score=round(row.score / best, 3) if row.score else 1.0,
            fit=1.0 if row.name in names else 0.0,
            file=row.path,
        )
        for row, line in zip(rows, await _lines(service, tree.root, rows), strict=True)
    ]


def found_nothing(result: Any) -> bool:
    return not result["found"]


TOOLS: Sequence[Tool[Any]] = (
    Tool(
        "search_code",
        "Find functions and classes by what they do.",
        SearchCode,
        search_code,
        verb=Verb(
            "code search",
            "code search round the tax of an invoice",
            lines=verbs.searched,
            joined=True,
            negative=found_nothing,
        ),
    ),
    Tool(
        "find_similar_code",
        "Find code that does the same: before you write it again.",
        SimilarCode,
        find_similar_code,
        verb=Verb("code similar", "code similar src/tax.py:12", lines=verbs.searched, negative=found_nothing),
    ),
    Tool(
        "outline_file",
        "List the functions and classes of a file.",
        OutlineFile,
        outline,
        for_agents=False,
        verb=Verb("code outline", "code outline src/tax.py", lines=verbs.outlined),
    ),
    Tool(
        "index_code",
        "Index a folder, or bring its index up to date.",
        IndexCode,
        index_code,
        changes=True,
        for_agents=False,
        verb=Verb(
            "code index",
            "code index",
            help="Ctrl-C stops it; calling it again goes on where it was.",
            lines=verbs.indexed,
            fixed={"step": 0},
            steps=True,
        ),
    ),
)
