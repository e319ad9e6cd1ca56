"""The tool `assemble_context`: one text of all that fits a query, within a budget."""

from __future__ import annotations

import os
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.gitfiles import repository
from holdfast.items.assembling import AssemblyPlace, ContextAssembler
from holdfast.items.service import Items
from holdfast.items.tools import NOWHERE, NamedProject, meant_project


class AssembleContext(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(max_length=20_000, description="What it is for.")] = ""
    context_types: Annotated[
        list[str],
        Meta(max_length=20, description="Empty: all."),
    ] = []
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    max_tokens: Annotated[int, Meta(ge=1, le=20_000)] = 2_000
    project: NamedProject = ""


class ContextItem(Struct, frozen=True):
    id: str
    type: str
    score: float
    trust: str


class AssembledContext(Struct, frozen=True):
    markdown: str
    token_count: int
    items: list[ContextItem]


def _folder(named: str) -> str:
    """The folder that a project is named by; '' when it is named otherwise."""
    path = os.path.realpath(os.path.expanduser(named)) if named.startswith(("/", "~")) else ""
    return path if os.path.isdir(path) else ""


async def assemble_context(asked: AssembleContext, caller: Caller) -> AssembledContext:
    assembler, items = caller.services.get(ContextAssembler), caller.services.get(Items)
    known = assembler.weights
    unknown = [each for each in asked.context_types if each not in known]
    if unknown:
        raise UsageError(f"There is no context type {unknown[0][:60]!r}. Types are {', '.join(known)}.")
    project_id = await meant_project(items, asked.project, caller)
    folder = caller.folder if not asked.project else _folder(asked.project)
    is_here = folder != "" and project_id != NOWHERE
    spot = AssemblyPlace(
        owner=caller.owner,
        project_id=project_id,
        root=repository(folder)[0] if is_here else "",
        conversation=caller.conversation,
        agent_id=caller.agent_id,
    )
    made = await assembler.assemble(
        asked.query, spot, asked.context_types, limit=asked.limit, max_tokens=asked.max_tokens
    )
    told = [ContextItem(each.id, each.type, round(each.score, 3), each.trust) for each in made.entries]
    return AssembledContext(made.markdown, made.tokens, told)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "assemble_context",
        "All that fits a task, as one text within a token budget.",
        AssembleContext,
        assemble_context,
        fenced=("markdown",),
    ),
)
