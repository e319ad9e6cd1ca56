"""What this room contributes: it keeps the note in a prompt, and tells the agent so."""

from __future__ import annotations

from holdfast.events.answer import Context, Part
from holdfast.events.event import UserPromptSubmit
from holdfast.events.scene import Scene
from tests.rooms.notebook import rules
from tests.rooms.notebook.service import Notebook

ORIGIN = "notebook"


async def keep_note(event: UserPromptSubmit, scene: Scene) -> Part | None:
    """Keep what the user dictates. The prompt was cleaned on the road."""
    notebook = scene.services.get(Notebook)
    words = rules.dictated(event.prompt, notebook.settings.word)
    if words is None or event.is_notification:
        return None
    note = notebook.note(words, "user", scene.at_us, scene.place.project_id, event.session_id, scene.entry_id)
    return Part(
        contexts=(Context(rules.taken_down(note), ORIGIN),) if scene.is_live else (),
        record=lambda tx: notebook.write(tx, note),
    )
