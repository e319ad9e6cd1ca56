"""Ids are types (HSE-6): what is named as an id has the type of what it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TypeAlias

import pytest

from tests.test_architecture import SOURCE, modules, nodes

ID_TYPES = {
    "conversation": "ConversationId",
    "window_id": "WindowId",
    "listener": "Listener",
    "not_listener": "ListenerId",
    "item_id": "ItemId",
    "memory_id": "ItemId",
    "prompt_item_id": "ItemId",
    "remedy_id": "ItemId",
    "entry_id": "EntryId",
    "prompt_id": "ClientPromptId",
}
"""What is named so has this type, from `ids.py`: a field, a parameter, and what a function of that name returns. An id
as a person types it (a short one, or the beginning of one) is no such id yet: call it `named`. (A `Listener` is the
value that a `ListenerId` names.)"""
NO_IDS = {"store.table": "the name of a column"}
OF_ITEMS = ("items.", "recall.", "rooms.", "upkeep.")
"""Where `id` and `ids` are those of an item or a journal entry, unless `OTHER_IDS` says what they name."""
AS_SHOWN = "as people and agents are shown it, or type it"
OTHER_IDS = {
    "items.context.ContextEntry": AS_SHOWN,
    "items.sources.ContextLine": AS_SHOWN,
    "recall.assemble.Candidate": AS_SHOWN,
    "rooms.memory.corrections.One": AS_SHOWN,
    "rooms.memory.corrections.Done": AS_SHOWN,
    "rooms.work.results.EffortResult": AS_SHOWN,
    "rooms.work.results.TaskShown": AS_SHOWN,
    "rooms.work.results.MessageShown": AS_SHOWN,
    "upkeep.forget_selection.ForgetRequest": AS_SHOWN,
    "recall.sentence_models.Description": "a sentence model",
    "recall.vectors.Embedder": "a sentence model",
    "rooms.citations.model.Citation": "a citation",
    "rooms.citations.model.PageReading": "a reading of a page",
    "rooms.continuity.conversations.LiveConversation": "a conversation",
    "rooms.continuity.model.Compaction": "a compaction",
    "rooms.continuity.model.Handover": "a hand-over",
    "rooms.fleet.model.CallUnderWay": "the client's id of a tool's use",
    "rooms.fleet.programs.panes.TmuxPane": "a pane of tmux",
    "rooms.learning.model.KnownRun": "a run: its journal entry, and its number there",
    "rooms.learning.tables.Cluster": "a cluster",
    "rooms.work.model.Effort": "an effort",
    "rooms.work.model.LogEntry": "an entry of an effort's log",
    "rooms.work.model.Message": "a message",
    "rooms.work.model.Pending": "what waits to be given to a window",
    "rooms.work.model.Task": "a task",
    "rooms.work.model.TeamAgent": "a teammate",
    "upkeep.projects.Moved": "a project",
    "upkeep.projects.Project": "a project",
    "upkeep.traces.Traces": "items, journal entries and tool uses",
}
AT_THE_EDGE = {
    "events.event": "the client's events",
    "rooms.continuity.endpoints": "what scripts and the status line send",
    "rooms.continuity.showing.status_line": "what the client gives its status line",
    "rooms.continuity.tools": "arguments and results of tools",
    "rooms.fleet.listing": "the result of a tool",
    "rooms.fleet.programs.panes": "a program that asks by a tool",
    "rooms.fleet.tools": "the result of a tool",
    "rooms.learning.tools.ghaps": "arguments and results of tools",
    "rooms.work.results": "results of tools",
    "rooms.work.rpc.events": "events as scripts tell them",
    "rooms.work.tools": "arguments of tools",
}
"""Where the client's own word `session_id` is said, and to whom. It is the client's session there, never a window."""


Named: TypeAlias = tuple[str, str, ast.expr]


def fields(code: Sequence[ast.AST]) -> list[Named]:
    """(class, field, type) of every annotated field of a file."""
    return [
        (node.name, each.target.id, each.annotation)
        for node in code
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]


def parameters(code: Sequence[ast.AST]) -> list[Named]:
    """(function, parameter, type) of every annotated parameter of a file."""
    return [
        (node.name, each.arg, each.annotation)
        for node in code
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if each.annotation is not None
    ]


def returns(code: Sequence[ast.AST]) -> list[Named]:
    """(function, the id it is named for, type): `conversation_of` and `_item_id` return one."""
    return [
        (node.name, name, node.returns)
        for node in code
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None
        for name in (node.name.removesuffix("_of").lstrip("_"),)
    ]


def local_names(code: Sequence[ast.AST]) -> list[str]:
    """What a file gives a value."""
    return [node.id for node in code if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def untyped_ids(code: Sequence[ast.AST]) -> list[str]:
    """What is named as an id and has another type."""
    return [
        f"{owner}.{name}: {kind}"
        for owner, name, annotation in (*fields(code), *parameters(code), *returns(code))
        if name in ID_TYPES and ID_TYPES[name] not in (kind := ast.unparse(annotation))
    ]


@pytest.mark.requirement("HSE-6")
def test_ids_are_types() -> None:
    """What is named as an id has the type of that id, of `holdfast.ids`."""
    wrong = [
        f"{module}.{each}" for module, path in modules() if module not in NO_IDS for each in untyped_ids(nodes(path))
    ]
    assert wrong == []


@pytest.mark.requirement("HSE-6")
@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("class A:\n    item_id: str", ["A.item_id: str"]),
        ("def f(entry_id: str) -> None: ...", ["f.entry_id: str"]),
        ("async def f(*, window_id: str | None = None) -> None: ...", ["f.window_id: str | None"]),
        ("def conversation_of(row: Row) -> str: ...", ["conversation_of.conversation: str"]),
        ("def f(conversation: WindowId) -> None: ...", ["f.conversation: WindowId"]),
        ("def f(conversation: ConversationId | None, named: str) -> str: ...", []),
        ("def _item_id(row: Row) -> ItemId | None: ...", []),
        ("class Event:\n    prompt_id: str | None = None", ["Event.prompt_id: str | None"]),
        ("def f(listener: str, who: Listener) -> None: ...", ["f.listener: str"]),
    ],
)
def test_what_counts_as_an_id_without_its_type(source: str, wrong: list[str]) -> None:
    assert untyped_ids([*ast.walk(ast.parse(source))]) == wrong


def plain_ids(code: Sequence[ast.AST]) -> list[tuple[str, str]]:
    """(class or function, type) of what is called `id` or `ids` and may be any text."""
    return [
        (owner, kind)
        for owner, name, annotation in (*fields(code), *parameters(code))
        if name in ("id", "ids") and "ItemId" not in (kind := ast.unparse(annotation)) and "EntryId" not in kind
    ]


@pytest.mark.requirement("HSE-6")
def test_ids_of_items_and_entries_are_types() -> None:
    """`id` alone is the id of an item or an entry, where there are items; tools take and give ids as text."""
    found = {
        f"{module}.{owner}": kind
        for module, path in modules()
        if module.startswith(OF_ITEMS) and not re.search(r"tools?(\.|$)", module)
        for owner, kind in plain_ids(nodes(path))
    }
    assert {name: kind for name, kind in found.items() if name not in OTHER_IDS} == {}
    assert set(OTHER_IDS) == set(found), "an exception that is no longer needed"


@pytest.mark.requirement("HSE-6")
@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("class Note:\n    id: str", [("Note", "str")]),
        ("def drop(tx: Tx, ids: Iterable[str]) -> None: ...", [("drop", "Iterable[str]")]),
        ("class Note:\n    id: ItemId\ndef drop(tx: Tx, ids: Iterable[EntryId]) -> None: ...", []),
    ],
)
def test_what_counts_as_a_plain_id(source: str, plain: list[tuple[str, str]]) -> None:
    assert plain_ids([*ast.walk(ast.parse(source))]) == plain


@pytest.mark.requirement("HSE-6")
def test_session_id_is_the_clients_word_at_the_edge_only() -> None:
    """As a field, a parameter or a name inside a function. (Columns that name a window are called so, too.)"""
    found = {
        module
        for module, path in modules()
        for name in (
            *(name for _, name, _ in (*fields(nodes(path)), *parameters(nodes(path)))),
            *local_names(nodes(path)),
        )
        if name == "session_id"
    }
    assert found == set(AT_THE_EDGE)


@pytest.mark.requirement("HSE-6")
def test_the_glossary_explains_every_word_once() -> None:
    text = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text("utf-8")
    glossary = text.split("## Glossary")[1].split("\n## ")[0]
    words = [word for line in re.findall(r"^\| ([^|]+) \|", glossary, re.M)[1:] for word in line.split(", ")]
    assert len(words) == len(set(words)) > 15
    assert all(f"`{kind}`" in glossary for kind in ID_TYPES.values())
