"""The jobs of this room: summaries by rules, then, where the user wants it, by a model."""

from __future__ import annotations

from typing import Any

from holdfast.events.scene import Services
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.memory.summaries.by_model.writing import Writing


async def summarise(arguments: dict[str, Any], services: Services) -> None:
    """Summarise one turn, one session or one subagent's work anew."""
    await services.get(MemoryService).summarise(arguments)
    await services.get(Writing).consider(arguments)


async def write(arguments: dict[str, Any], services: Services) -> None:
    """Have one summary written by the model."""
    await services.get(Writing).run(arguments)
