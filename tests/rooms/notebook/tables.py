"""The only speaker of `notebook.sql`. What every room's items need is asked by the index."""

from __future__ import annotations

import msgspec

from holdfast.store.interface import Reader
from tests.rooms.notebook.model import Jotting


def of_project(reader: Reader, project_id: str, owner: str, limit: int) -> list[Jotting]:
    """The newest notes of a project; '' is every project."""
    rows = reader.all("notebook.of_project", project_id=project_id, owner=owner, limit=limit)
    return msgspec.convert(rows, list[Jotting])
