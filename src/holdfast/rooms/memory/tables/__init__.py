"""This room's tables. Its modules are the only ones of the room that call named queries (`memory.sql`).

One module per group of tables. The rest of the room imports this package and calls `tables.keep_prompt(tx, …)`.
Nothing here decides what is worth storing or showing: `rules`, `injecting` and `summaries` do.
"""

from __future__ import annotations

from holdfast.rooms.memory.tables.corrections import (
    KeptCorrection,
    corrections,
    decide_correction,
    drop_correction,
    keep_correction,
)
from holdfast.rooms.memory.tables.entries import (
    agent_began_at,
    entries_of_words,
    last_payload,
    last_stops,
    prompt_entry,
    prompt_entry_before,
)
from holdfast.rooms.memory.tables.items import (
    conversation_of,
    count,
    ids_ending,
    item,
    listener_of,
    page,
    put_in_index,
    remove,
    rewrite,
)
from holdfast.rooms.memory.tables.memories import keep_memory, memories_of_file, memories_of_project
from holdfast.rooms.memory.tables.model_calls import (
    ModelSummary,
    drop_model_summaries,
    keep_model_call,
    keep_model_summary,
    model_calls,
    model_spent,
    model_summary,
)
from holdfast.rooms.memory.tables.observations import (
    is_observed,
    keep_observation,
    observations_of_conversation,
    observations_of_turn,
    observations_of_window,
    touch,
)
from holdfast.rooms.memory.tables.prompts import (
    keep_prompt,
    last_prompt,
    next_prompt_at,
    prompt,
    prompt_by_client_id,
    prompt_number_at,
    prompt_numbered,
    prompts_of_conversation,
)
from holdfast.rooms.memory.tables.summaries import (
    drop_summary,
    keep_summary,
    recent_summaries,
    rewrite_summary,
    session_has_summary,
    settle_thread,
    settled_threads,
    subjects_of_conversation,
    summaries_of_conversation,
    summaries_of_file,
    summary_of,
    turn_summary,
)
from holdfast.rooms.memory.tables.windows import agent_of_window

__all__ = [
    "KeptCorrection",
    "ModelSummary",
    "agent_began_at",
    "agent_of_window",
    "conversation_of",
    "corrections",
    "count",
    "decide_correction",
    "drop_correction",
    "drop_model_summaries",
    "drop_summary",
    "entries_of_words",
    "ids_ending",
    "is_observed",
    "item",
    "keep_correction",
    "keep_memory",
    "keep_model_call",
    "keep_model_summary",
    "keep_observation",
    "keep_prompt",
    "keep_summary",
    "last_payload",
    "last_prompt",
    "last_stops",
    "listener_of",
    "memories_of_file",
    "memories_of_project",
    "model_calls",
    "model_spent",
    "model_summary",
    "next_prompt_at",
    "observations_of_conversation",
    "observations_of_turn",
    "observations_of_window",
    "page",
    "prompt",
    "prompt_by_client_id",
    "prompt_entry",
    "prompt_entry_before",
    "prompt_number_at",
    "prompt_numbered",
    "prompts_of_conversation",
    "put_in_index",
    "recent_summaries",
    "remove",
    "rewrite",
    "rewrite_summary",
    "session_has_summary",
    "settle_thread",
    "settled_threads",
    "subjects_of_conversation",
    "summaries_of_conversation",
    "summaries_of_file",
    "summary_of",
    "touch",
    "turn_summary",
]
